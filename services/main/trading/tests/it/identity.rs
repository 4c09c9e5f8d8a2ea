//! The identity of profit and loss: what was realized and what is not yet, less what it cost, is
//! what a member has more than was paid in. To the won, after every step of random histories with
//! partial fills, splits that leave parts of shares, and a dollar that moves.

use std::collections::BTreeMap;

use kernel::Price;
use market_rules::TickTable;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use proto::trading::v1::{self as wire, OrderSide};
use rust_decimal::prelude::ToPrimitive;
use rust_decimal::{Decimal, RoundingStrategy};
use sqlx::{PgPool, Row};
use trading::domain::split::SplitRatio;
use trading::tick_log::{LogRecord, Scope, SessionRecordKind, Venue};

use crate::world::{
    APPLE, BITCOIN, DAY, GOLD, SAMSUNG, World, base_price, dec, listing, number, order,
};

const CODES: [&str; 4] = [SAMSUNG, APPLE, BITCOIN, GOLD];
const MEMBERS: [i64; 2] = [100_001, 100_002];

#[derive(Clone, Debug)]
enum Step {
    /// Member, instrument, buy, price in permille of the last (none: market), size.
    Place(usize, usize, bool, Option<i64>, i64),
    /// Which of the orders so far.
    Cancel(prop::sample::Index),
    /// Which of the orders so far, and what shall be left in quarters of it.
    Modify(prop::sample::Index, i64),
    /// Instrument, price in permille of the last, volume.
    Tick(usize, i64, i64),
    /// Won per dollar in hundredths.
    Dollar(i64),
    /// A share of Samsung or Apple becomes so many of so many.
    Split(bool, i64, i64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let price = prop::option::of(960_i64..1_040);
    let place = (0..2_usize, 0..4_usize, any::<bool>(), price, 1_i64..30)
        .prop_map(|(member, code, buys, price, size)| Step::Place(member, code, buys, price, size));
    let step = prop_oneof![
        5 => place,
        1 => any::<prop::sample::Index>().prop_map(Step::Cancel),
        1 => (any::<prop::sample::Index>(), 1_i64..7)
            .prop_map(|(which, quarters)| Step::Modify(which, quarters)),
        7 => (0..4_usize, 965_i64..1_036, 1_i64..120)
            .prop_map(|(code, permille, volume)| Step::Tick(code, permille, volume)),
        1 => (130_000_i64..160_000).prop_map(Step::Dollar),
        1 => (any::<bool>(), 1_i64..8, 1_i64..8)
            .prop_map(|(apple, numerator, denominator)| Step::Split(apple, numerator, denominator)),
    ];
    prop::collection::vec(step, 40..60)
}

/// The market as the test moves it.
struct Market {
    last: BTreeMap<&'static str, Decimal>,
    dollar: Decimal,
    day: i32,
}

impl Market {
    fn on_tick(code: &str, price: Decimal) -> Decimal {
        TickTable::for_class(listing(code).tick_class, code)
            .ceil(Price(price))
            .0
    }

    fn near(&self, code: &str, permille: i64) -> Decimal {
        let price = self.last[code] * Decimal::from(permille) / Decimal::ONE_THOUSAND;
        Self::on_tick(code, price)
    }

    async fn trade(&mut self, world: &mut World, code: &'static str, price: Decimal, volume: i64) {
        world.log(Vec::new()).await;
        let mut record = world.tick(code, price, volume);
        if let LogRecord::Tick(tick) = &mut record
            && code == APPLE
        {
            tick.fx_rate = Some(self.dollar);
        }
        world.log(vec![record]).await;
        self.last.insert(code, price);
    }

    async fn split(&mut self, world: &mut World, code: &'static str, ratio: SplitRatio) {
        self.day += 1;
        let scope = Scope::Code(code.to_owned());
        let session_record = world.session_record(SessionRecordKind::Split(ratio), scope, self.day);
        world.log(vec![session_record]).await;
        let price = ratio.price(Price(self.last[code])).0;
        self.last.insert(code, price);
    }

    /// A dollar is worth what the newest tick of an instrument in dollars said.
    fn value(&self, code: &str, quantity: Decimal, fx_rate: Option<Decimal>) -> i64 {
        let exact = self.last[code] * quantity * fx_rate.unwrap_or(Decimal::ONE);
        let won = exact.round_dp_with_strategy(0, RoundingStrategy::ToZero);
        won.to_i64().unwrap()
    }
}

fn size(code: &str, size: i64) -> Decimal {
    if code == BITCOIN {
        Decimal::new(size * 12_345, 8)
    } else {
        Decimal::from(size)
    }
}

async fn play(world: &mut World, steps: Vec<Step>) {
    let mut market = Market {
        last: CODES.map(|code| (code, base_price(code))).into(),
        dollar: Decimal::from(1_470),
        day: DAY,
    };
    // Without limits of the day, which a split would move.
    for venue in [Venue::Krx, Venue::Us, Venue::Coin, Venue::Gold] {
        let of_venue = CODES
            .into_iter()
            .filter(|code| Venue::of_market(listing(code).market) == venue);
        let open = SessionRecordKind::Open(of_venue.map(|code| (code.to_owned(), None)).collect());
        let session_record = world.session_record(open, Scope::Venue(venue), DAY);
        world.log(vec![session_record]).await;
    }
    let mut orders: Vec<(i64, wire::Order)> = Vec::new();
    for member in MEMBERS {
        world.basic(member).await;
    }
    for step in steps {
        // Orders move money only when the market moves.
        let moves = matches!(step, Step::Tick(..) | Step::Dollar(_) | Step::Split(..));
        match step {
            Step::Place(member, code, buys, permille, count) => {
                let (member, code) = (MEMBERS[member], CODES[code]);
                let price = permille.map(|permille| market.near(code, permille).to_string());
                let side = if buys {
                    OrderSide::Buy
                } else {
                    OrderSide::Sell
                };
                let quantity = size(code, count).to_string();
                let request = order(member, code, side, &price.unwrap_or_default(), &quantity);
                if let Ok(reply) = world.place(request).await {
                    orders.push((member, reply.order.unwrap()));
                }
            }
            Step::Cancel(which) if !orders.is_empty() => {
                let (member, order) = which.get(&orders);
                let _either = world.cancel(order, *member).await;
            }
            Step::Modify(which, quarters) if !orders.is_empty() => {
                let (member, order) = which.get(&orders).clone();
                let part = number(&order.quantity) * Decimal::from(quarters) / Decimal::from(4);
                let request = wire::ModifyOrderRequest {
                    member_id: member,
                    order_id: order.order_id,
                    side: order.side,
                    category: order.category,
                    quantity: dec(&part.ceil().to_string()),
                    ..wire::ModifyOrderRequest::default()
                };
                if let Ok(reply) = world.orders.clone().modify_order(request).await {
                    orders.push((member, reply.into_inner().order.unwrap()));
                }
            }
            Step::Tick(code, permille, volume) => {
                let code = CODES[code];
                let price = market.near(code, permille);
                market.trade(world, code, price, volume).await;
            }
            Step::Dollar(hundredths) => {
                market.dollar = Decimal::new(hundredths, 2);
                let price = Market::on_tick(APPLE, market.last[APPLE]);
                market.trade(world, APPLE, price, 40).await;
            }
            Step::Split(apple, numerator, denominator) => {
                let code = if apple { APPLE } else { SAMSUNG };
                let ratio = SplitRatio {
                    numerator,
                    denominator,
                };
                market.split(world, code, ratio).await;
                let price = Market::on_tick(code, market.last[code]);
                market.trade(world, code, price, 1).await;
            }
            Step::Cancel(_) | Step::Modify(..) => {}
        }
        for member in MEMBERS.into_iter().filter(|_| moves) {
            hold_to_the_won(world, &market, member).await;
        }
    }
}

async fn hold_to_the_won(world: &World, market: &Market, member: i64) {
    let row = sqlx::query(
        "select \
         (select coalesce(sum(amount_won - cost_won) filter (where side = 'SELL'), 0)::bigint \
            from fill where member_id = $1) as sold, \
         (select coalesce(sum(fee_won + tax_won), 0)::bigint from fill where member_id = $1) as costs, \
         (select coalesce(sum(s.paid_won - s.cost_won), 0)::bigint from holding_split s \
            join account a on a.id = s.account_id where a.member_id = $1) as paid_out",
    )
    .bind(member)
    .fetch_one(&world.pool)
    .await
    .unwrap();
    let realized = row.get::<i64, _>("sold") + row.get::<i64, _>("paid_out");
    let costs: i64 = row.get("costs");
    let (mut unrealized, mut value) = (0, 0);
    for holding in world.holdings(member).await {
        let fx_rate = holding.fx_rate.is_some().then(|| number(&holding.fx_rate));
        let worth = market.value(&holding.instrument_code, number(&holding.quantity), fx_rate);
        assert_eq!(holding.value_won, worth, "{holding:?}");
        unrealized += holding.profit_won;
        value += worth;
    }
    let summary = world.summary(member).await;
    let account = &summary.accounts[0];
    let paid_in = account.initial_deposit_won;
    assert_eq!(account.deposit_won + value, summary.total_won);
    assert_eq!(
        realized + unrealized - costs,
        account.deposit_won + value - paid_in,
        "member {member}"
    );
    let told = world.profits(crate::profits::all(member)).await;
    let told = told.summary.unwrap();
    assert_eq!(told.total_won, summary.total_won - summary.base_won);
    assert_eq!(told.unrealized_won, unrealized);
    assert_eq!(told.realized_won - told.fx_won, realized);
}

/// Histories are the same in every run; `PROPTEST_CASES` asks for more of them.
fn histories() -> Vec<Vec<Step>> {
    let asked = std::env::var("PROPTEST_CASES").is_ok();
    let count = if asked {
        Config::default().cases.min(10_000)
    } else {
        6
    };
    let mut runner = TestRunner::deterministic();
    (0..count)
        .map(|_| steps().new_tree(&mut runner).unwrap().current())
        .collect()
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn profit_and_loss_equal_equity_less_deposits(pool: PgPool) {
    let (mut fills, mut parts, mut splits) = (0, 0, 0);
    for history in histories() {
        let mut world = World::new(pool.clone()).await;
        play(&mut world, history).await;
        for member in MEMBERS {
            world.gains_add_up(member).await;
        }
        world.audit().await;
        fills += world.count("select count(*) from fill").await;
        let partly = "select count(*) from fill f join trade_order o on o.id = f.order_id \
                      where f.quantity < o.quantity";
        parts += world.count(partly).await;
        splits += world.count("select count(*) from holding_split").await;
        world.empty().await;
    }
    assert!(
        fills > 12 && parts > 2 && splits > 0,
        "{fills} fills, {parts} of a part, {splits} splits"
    );
}
