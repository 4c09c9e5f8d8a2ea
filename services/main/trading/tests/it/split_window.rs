//! A share split while orders are on their way: every interleaving of placing, changing and
//! canceling an order with the market cache that prices it and the matcher that splits it.

use proto::trading::v1 as wire;
use sqlx::PgPool;
use trading::domain::split::SplitRatio;
use trading::tick_log::{Batch, LogRecord, Scope, SessionRecordKind, Venue};

use crate::world::{APPLE, DAY, World, buy, dec, number, reason, sell};

/// What happens in a round, in any order that keeps each line's own order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// The market cache reads the split.
    MarketCache,
    /// The matcher processes one batch: an empty one first, then the split.
    Matcher,
    /// The members place their order, then change it.
    Member,
}

/// What a member does after placing.
#[derive(Clone, Copy, Debug)]
enum Then {
    Nothing,
    Reprice,
    Reduce,
    Cancel,
}

const ACTS: [Then; 4] = [Then::Nothing, Then::Reprice, Then::Reduce, Then::Cancel];

/// Every order of one `MarketCache`, two `Matcher` and two `Member` steps.
fn interleavings() -> Vec<Vec<Step>> {
    fn extend(left: [usize; 3], so_far: &mut Vec<Step>, all: &mut Vec<Vec<Step>>) {
        if left == [0; 3] {
            all.push(so_far.clone());
        }
        for (index, step) in [Step::MarketCache, Step::Matcher, Step::Member]
            .into_iter()
            .enumerate()
        {
            if left[index] > 0 {
                let mut rest = left;
                rest[index] -= 1;
                so_far.push(step);
                extend(rest, so_far, all);
                so_far.pop();
            }
        }
    }
    let mut all = Vec::new();
    extend([1, 2, 2], &mut Vec::new(), &mut all);
    all
}

struct Round<'a> {
    world: &'a mut World,
    ratio: SplitRatio,
    /// Price of one share in the units that the market cache shows.
    price: i64,
    /// Whether the market cache shows the units after the split.
    is_split: bool,
    /// Whether the matcher has applied the split to holdings.
    is_divided: bool,
    members: Vec<Member>,
}

/// A member, the order placed, and what should wait in the end.
struct Member {
    id: i64,
    side: wire::OrderSide,
    then: Then,
    order: Option<wire::Order>,
    /// Quantity and price, in the units after the split.
    expected: Option<(i64, i64)>,
}

impl Round<'_> {
    /// A quantity or price of the units that the market cache shows, in those after the split.
    fn after_split(&self, quantity: i64, price: i64) -> (i64, i64) {
        if self.is_split {
            return (quantity, price);
        }
        let SplitRatio {
            numerator,
            denominator,
        } = self.ratio;
        (
            quantity * numerator / denominator,
            price * denominator / numerator,
        )
    }

    async fn place(&mut self) {
        // Half of what each owns, and a price that no trade of the round reaches.
        let quantity = if self.is_split && self.ratio.numerator < self.ratio.denominator {
            5
        } else {
            50
        };
        for index in 0..self.members.len() {
            let member = &self.members[index];
            let price = match member.side {
                wire::OrderSide::Sell => self.price * 2,
                wire::OrderSide::Unspecified | wire::OrderSide::Buy => self.price / 2,
            };
            let (quantity_text, price_text) = (quantity.to_string(), price.to_string());
            let request = match member.side {
                wire::OrderSide::Sell => sell(member.id, APPLE, &price_text, &quantity_text),
                wire::OrderSide::Unspecified | wire::OrderSide::Buy => {
                    buy(member.id, APPLE, &price_text, &quantity_text)
                }
            };
            let order = match self.world.place(request).await {
                Ok(reply) => reply.order.unwrap(),
                Err(refused) => {
                    // The market cache shows old shares of which the account owns too few new ones.
                    assert!(!self.is_split && self.is_divided, "{refused:?}");
                    assert_eq!(reason(&refused), "INSUFFICIENT_QTY");
                    continue;
                }
            };
            let expected = self.after_split(quantity, price);
            let member = &mut self.members[index];
            member.order = Some(order);
            member.expected = Some(expected);
        }
    }

    /// Changes the order as it is shown now. A change that is refused for the moment leaves it.
    async fn change(&mut self) {
        for index in 0..self.members.len() {
            let member = &self.members[index];
            let Some(placed) = member.order.clone() else {
                continue;
            };
            let shown = self
                .world
                .detail(member.id, placed.order_id)
                .await
                .order
                .unwrap();
            let price: i64 = i64::try_from(number(&shown.price).mantissa()).unwrap()
                / 10_i64.pow(number(&shown.price).scale());
            let quantity: i64 = number(&shown.quantity).trunc().to_string().parse().unwrap();
            let mut request = wire::ModifyOrderRequest {
                member_id: member.id,
                order_id: shown.order_id,
                side: shown.side,
                category: shown.category,
                ..wire::ModifyOrderRequest::default()
            };
            let (new_quantity, new_price) = match member.then {
                Then::Nothing => continue,
                Then::Cancel => {
                    self.world.cancel(&shown, member.id).await.unwrap();
                    self.members[index].expected = None;
                    continue;
                }
                Then::Reprice => (quantity, price + if price < 10 { 1 } else { 10 }),
                Then::Reduce => (quantity - 1, price),
            };
            match member.then {
                Then::Reprice => request.price = dec(&new_price.to_string()),
                Then::Nothing | Then::Reduce | Then::Cancel => {
                    request.quantity = dec(&new_quantity.to_string());
                }
            }
            match self.world.orders.clone().modify_order(request).await {
                Ok(reply) => {
                    let expected = self.after_split(new_quantity, new_price);
                    self.members[index].order = reply.into_inner().order;
                    self.members[index].expected = Some(expected);
                }
                Err(status) => assert_eq!(status.code(), tonic::Code::Unavailable, "{status:?}"),
            }
        }
    }

    async fn check(&mut self, steps: &[Step]) {
        for member in &self.members {
            let waiting = self.world.waiting(member.id).await;
            let found = waiting.first().map(|order| {
                let text = |value| number(value).normalize().to_string();
                (text(&order.quantity), text(&order.price))
            });
            let expected = member
                .expected
                .map(|(quantity, price)| (quantity.to_string(), price.to_string()));
            assert_eq!(
                found, expected,
                "{:?} {:?} in {steps:?}, {:?}",
                member.side, member.then, self.ratio
            );
        }
        self.world.audit().await;
    }
}

impl World {
    /// Members who own a hundred shares each at the price.
    async fn owners(&mut self, first: i64, price: i64, day: i32) -> Vec<Member> {
        let mut members = Vec::new();
        self.priced(price, day).await;
        for then in ACTS {
            for side in [wire::OrderSide::Sell, wire::OrderSide::Buy] {
                let id = first + i64::try_from(members.len()).unwrap();
                self.placed(buy(id, APPLE, "", "100")).await;
                members.push(Member {
                    id,
                    side,
                    then,
                    order: None,
                    expected: None,
                });
            }
        }
        self.log(Vec::new()).await;
        self.priced(price, day).await;
        members
    }

    async fn priced(&mut self, price: i64, day: i32) {
        let mut tick = self.tick(APPLE, price.into(), 1_000_000);
        if let LogRecord::Tick(tick) = &mut tick {
            tick.trading_day = day;
        }
        self.log(vec![tick]).await;
    }

    async fn night(&mut self, day: i32) {
        let close = self.session_record(SessionRecordKind::Close, Scope::Venue(Venue::Us), day);
        self.log(vec![close]).await;
    }

    /// The split before the open of a day, and that open.
    fn morning_of(&mut self, ratio: SplitRatio, day: i32) -> Batch {
        let split = self.session_record(
            SessionRecordKind::Split(ratio),
            Scope::Code(APPLE.to_owned()),
            day,
        );
        let open = self.session_record(
            SessionRecordKind::Open(Vec::new()),
            Scope::Venue(Venue::Us),
            day,
        );
        self.batch(vec![split, open])
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_new_order_is_split_exactly_when_it_was_priced_before(pool: PgPool) {
    let mut world = World::new(pool).await;
    let mut day = DAY;
    let mut first_member = 200_000;
    for (round, steps) in interleavings().into_iter().enumerate() {
        let (ratio, before) = if round % 2 == 0 {
            (
                SplitRatio {
                    numerator: 10,
                    denominator: 1,
                },
                20,
            )
        } else {
            (
                SplitRatio {
                    numerator: 1,
                    denominator: 10,
                },
                2,
            )
        };
        let after = before * ratio.denominator / ratio.numerator;
        let members = world.owners(first_member, before, day).await;
        first_member += 100;
        world.night(day).await;
        day += 1;
        let boundary = world.batch(Vec::new());
        world.market_cache.apply(&boundary);
        let split = world.morning_of(ratio, day);
        let mut unread = [split.clone(), boundary].to_vec();
        let mut round = Round {
            world: &mut world,
            ratio,
            price: before,
            is_split: false,
            is_divided: false,
            members,
        };
        let mut acts = 0;
        for step in &steps {
            match step {
                Step::MarketCache => {
                    round.world.market_cache.apply(&split);
                    round.price = after;
                    round.is_split = true;
                }
                Step::Matcher => {
                    let batch = unread.pop().unwrap();
                    round.world.shard.process(batch).await.unwrap();
                    round.is_divided = unread.is_empty();
                }
                Step::Member if acts == 0 => {
                    round.place().await;
                    acts = 1;
                }
                Step::Member => round.change().await,
            }
        }
        // The next boundaries take in whatever is still on its way.
        round.world.log(Vec::new()).await;
        round.world.log(Vec::new()).await;
        round.check(&steps).await;
        for member in &round.members {
            for order in round.world.waiting(member.id).await {
                round.world.cancel(&order, member.id).await.unwrap();
            }
        }
    }
}
