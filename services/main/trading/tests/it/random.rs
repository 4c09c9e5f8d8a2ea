//! Random histories against a model of plain maps, and the same histories twice.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use proto::trading::v1::{self as wire, OrderSide, OrderStatus};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use sqlx::{PgPool, Row};
use tonic::{Code, Status};

use crate::world::{APPLE, BITCOIN, SAMSUNG, World, base_price, dec, number, order, reason};

const MEMBERS: i64 = 3;
const FIRST: i64 = 100_001;

#[derive(Clone, Debug)]
enum Step {
    /// Member, instrument, buy, price in ticks off the base (none: market), size.
    Place(i64, u8, bool, Option<i64>, u32),
    /// A market buy: member, instrument, won.
    PlaceByAmount(i64, u8, i64),
    /// Which of the orders so far.
    Cancel(prop::sample::Index),
    /// Which of the orders so far, its new price in ticks off the base, its new size.
    Modify(prop::sample::Index, Option<i64>, Option<u32>),
    /// Which of the placements so far is sent again.
    Repeat(prop::sample::Index),
    /// Instrument, price in ticks off the base, volume.
    Tick(u8, i64, i64),
    /// The matcher dies and comes back.
    Crash,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let price = prop::option::of(-60_i64..60);
    let place = (0..MEMBERS, 0_u8..3, any::<bool>(), price, 1_u32..40).prop_map(
        |(member, code, buys, price, size)| Step::Place(FIRST + member, code, buys, price, size),
    );
    let tick = (0_u8..3, -60_i64..60, 0_i64..200)
        .prop_map(|(code, price, volume)| Step::Tick(code, price, volume));
    let by_amount = (0..MEMBERS, 0_u8..3, 5_000_i64..3_000_000)
        .prop_map(|(member, code, won)| Step::PlaceByAmount(FIRST + member, code, won));
    let step = prop_oneof![
        5 => place,
        2 => by_amount,
        1 => any::<prop::sample::Index>().prop_map(Step::Cancel),
        1 => any::<prop::sample::Index>().prop_map(Step::Repeat),
        3 => (
            any::<prop::sample::Index>(),
            prop::option::of(-60_i64..60),
            prop::option::of(1_u32..40),
        )
            .prop_map(|(which, price, size)| Step::Modify(which, price, size)),
        5 => tick,
        1 => Just(Step::Crash),
    ];
    prop::collection::vec(step, 40..90)
}

fn instrument(index: u8) -> (&'static str, Decimal) {
    match index {
        0 => (SAMSUNG, Decimal::from(100)),
        1 => (APPLE, Decimal::new(1, 2)),
        _ => (BITCOIN, Decimal::from(50_000)),
    }
}

fn quantity(index: u8, size: u32) -> Decimal {
    match index {
        0 | 1 => Decimal::from(size),
        _ => Decimal::new(i64::from(size) * 12_345, 8),
    }
}

/// What the service must agree with: kept only from the answers a client sees.
#[derive(Default)]
struct Model {
    orders: Vec<(i64, wire::Order)>,
    placements: Vec<(wire::PlaceOrderRequest, Result<i64, String>)>,
    /// Won by member: what came in and went out.
    cash: BTreeMap<i64, i64>,
    owned: BTreeMap<(i64, String), Decimal>,
    /// Fees, taxes and realized profit by member.
    costs: BTreeMap<i64, i64>,
    seen_fills: BTreeMap<i64, usize>,
}

impl Model {
    async fn place(&mut self, world: &World, member: i64, request: wire::PlaceOrderRequest) {
        let answer = match world.place(request.clone()).await {
            Ok(reply) => {
                let placed = reply.order.unwrap();
                let id = placed.order_id;
                self.orders.push((member, placed));
                Ok(id)
            }
            Err(status) => Err(refusal(&status)),
        };
        self.placements.push((request, answer));
    }

    /// A modification succeeds or leaves the order as it was.
    async fn modify(
        &mut self,
        world: &World,
        member: i64,
        placed: &wire::Order,
        price: Option<i64>,
        size: Option<u32>,
    ) {
        let index = match placed.instrument_code.as_str() {
            SAMSUNG => 0,
            APPLE => 1,
            _ => 2,
        };
        let (name, tick) = instrument(index);
        let price = price.map(|ticks| base_price(name) + tick * Decimal::from(ticks));
        let size = size.map(|size| quantity(index, size));
        let request = wire::ModifyOrderRequest {
            member_id: member,
            order_id: placed.order_id,
            side: placed.side,
            category: placed.category,
            price: price.and_then(|price| dec(&price.to_string())),
            quantity: size.and_then(|size| dec(&size.to_string())),
            ..wire::ModifyOrderRequest::default()
        };
        let before = world.detail(member, placed.order_id).await.order.unwrap();
        let answer = world.orders.clone().modify_order(request).await;
        let after = world.detail(member, placed.order_id).await.order.unwrap();
        match answer {
            Ok(reply) => {
                let new = reply.into_inner().order.unwrap();
                assert_eq!(after.status(), OrderStatus::Replaced);
                assert_eq!(new.orig_order_id, placed.order_id);
                self.orders.push((member, new));
            }
            Err(_refused) => assert_eq!(after, before),
        }
    }
}

/// Why an order was refused by the rules; a service that failed is none of the model's answers.
fn refusal(status: &Status) -> String {
    let failed = matches!(status.code(), Code::Internal | Code::Unavailable);
    assert!(!failed, "{status:?}");
    reason(status)
}

async fn run(world: &mut World, steps: &[Step]) -> Model {
    let mut model = Model::default();
    for member in FIRST..FIRST + MEMBERS {
        world.basic(member).await;
    }
    for (index, step) in steps.iter().enumerate() {
        match step {
            Step::Place(member, code, buys, price, size) => {
                let (name, tick) = instrument(*code);
                let price = price.map(|ticks| base_price(name) + tick * Decimal::from(ticks));
                let side = if *buys {
                    OrderSide::Buy
                } else {
                    OrderSide::Sell
                };
                let text = price.map(|price| price.to_string()).unwrap_or_default();
                let mut request = order(
                    *member,
                    name,
                    side,
                    &text,
                    &quantity(*code, *size).to_string(),
                );
                request.request_id = format!("step-{index:06}");
                model.place(world, *member, request).await;
            }
            Step::PlaceByAmount(member, code, won) => {
                let (name, _) = instrument(*code);
                let mut request = order(*member, name, OrderSide::Buy, "", "1");
                (request.quantity, request.order_amount_won) = (None, Some(*won));
                request.request_id = format!("step-{index:06}");
                model.place(world, *member, request).await;
            }
            Step::Repeat(which) if !model.placements.is_empty() => {
                let (request, before) = which.get(&model.placements);
                let again = match world.place(request.clone()).await {
                    Ok(reply) => {
                        assert!(reply.replayed);
                        Ok(reply.order.unwrap().order_id)
                    }
                    Err(status) => Err(refusal(&status)),
                };
                assert_eq!(again, *before);
            }
            Step::Cancel(which) if !model.orders.is_empty() => {
                let (member, placed) = which.get(&model.orders);
                let before = world.detail(*member, placed.order_id).await.order.unwrap();
                let open = matches!(
                    before.status(),
                    OrderStatus::Queued | OrderStatus::Accepted | OrderStatus::Partial
                );
                let canceled = world.cancel(placed, *member).await;
                assert_eq!(canceled.is_ok(), open, "{before:?}");
            }
            Step::Tick(code, ticks, volume) => {
                let (name, tick) = instrument(*code);
                let price = base_price(name) + tick * Decimal::from(*ticks);
                world.trade(name, &price.to_string(), *volume).await;
            }
            Step::Crash => world.restart_matcher(0).await,
            Step::Modify(which, price, size) if !model.orders.is_empty() => {
                let (member, placed) = which.get(&model.orders).clone();
                model.modify(world, member, &placed, *price, *size).await;
            }
            Step::Repeat(_) | Step::Cancel(_) | Step::Modify(..) => {}
        }
        check(world, &mut model).await;
    }
    model
}

/// After each step: every fill once in the books of the model, and the model's balances are the
/// service's.
async fn check(world: &World, model: &mut Model) {
    let mut held: BTreeMap<i64, i64> = BTreeMap::new();
    for (member, placed) in &model.orders {
        let detail = world.detail(*member, placed.order_id).await;
        let now = detail.order.unwrap();
        *held.entry(*member).or_default() += now.held_won;
        let seen = model.seen_fills.entry(placed.order_id).or_default();
        for fill in &detail.fills[*seen..] {
            let sign = match now.side() {
                OrderSide::Buy => 1,
                OrderSide::Sell | OrderSide::Unspecified => -1,
            };
            let flow = -sign * fill.amount_won - fill.fee_won - fill.tax_won;
            *model.cash.entry(*member).or_default() += flow;
            *model.costs.entry(*member).or_default() += fill.fee_won + fill.tax_won;
            let key = (*member, now.instrument_code.clone());
            *model.owned.entry(key).or_default() += Decimal::from(sign) * number(&fill.quantity);
        }
        *seen = detail.fills.len();
        let filled: Decimal = detail.fills.iter().map(|fill| number(&fill.quantity)).sum();
        assert_eq!(filled, number(&now.filled_quantity));
        if let Some(most) = placed.order_amount_won {
            assert!(now.filled_amount_won + now.fee_won + now.held_won <= most);
        }
    }
    for member in FIRST..FIRST + MEMBERS {
        let account = world.basic(member).await;
        let flow = model.cash.get(&member).copied().unwrap_or_default();
        assert_eq!(account.deposit_won, 5_000_000 + flow);
        assert_eq!(
            account.held_won,
            held.get(&member).copied().unwrap_or_default()
        );
        assert!(account.available_won >= 0);
        let mut owned: BTreeMap<_, _> = model
            .owned
            .iter()
            .filter(|((of, _), quantity)| *of == member && !quantity.is_zero())
            .map(|((_, code), quantity)| (code.clone(), *quantity))
            .collect();
        for holding in world.holdings(member).await {
            assert_eq!(
                owned.remove(&holding.instrument_code),
                Some(number(&holding.quantity))
            );
        }
        assert!(owned.is_empty(), "{owned:?}");
    }
}

/// realized + unrealized − costs = equity − base, to the won.
async fn identity(world: &World) {
    for member in FIRST..FIRST + MEMBERS {
        let sums = sqlx::query(
            "select coalesce(sum(case side when 'SELL' then amount_won - cost_won else 0 end), 0)::bigint as realized, \
             coalesce(sum(fee_won + tax_won), 0)::bigint as costs from fill where member_id = $1",
        )
        .bind(member)
        .fetch_one(&world.pool)
        .await
        .unwrap();
        let realized: i64 = sums.get("realized");
        let costs: i64 = sums.get("costs");
        let unrealized: i64 = world
            .holdings(member)
            .await
            .iter()
            .map(|holding| holding.profit_won)
            .sum();
        let summary = world.summary(member).await;
        assert_eq!(
            realized + unrealized - costs,
            summary.total_won - summary.base_won
        );
    }
}

/// Every receipt as text. Orders are numbered as they follow each other: what a sequence gave may
/// have gaps, where a transaction was tried again.
async fn receipts(pool: &PgPool) -> Vec<String> {
    let rows = sqlx::query(
        "select concat_ws('|', dense_rank() over (order by o.id), f.member_id, f.member_seq, f.instrument_code, f.side, f.tick_seq, \
         f.event_time, f.tick_price, f.bid, f.ask, f.rule, f.slippage_ticks, f.cap_quantity, f.quantity, \
         f.price, f.amount_won, f.base_won, f.fee_won, f.tax_won, f.fx_rate, f.cost_won, f.cost_quote, \
         o.status, o.end_reason) as line from fill f join trade_order o on o.id = f.order_id order by f.id",
    )
    .fetch_all(pool)
    .await
    .unwrap();
    rows.iter().map(|row| row.get("line")).collect()
}

/// Histories are the same in every run; `PROPTEST_CASES` asks for more of them.
fn histories() -> Vec<Vec<Step>> {
    let cases = Config::default().cases.min(10_000);
    let count = if std::env::var("PROPTEST_CASES").is_ok() {
        cases
    } else {
        6
    };
    let mut runner = TestRunner::deterministic();
    (0..count)
        .map(|_| steps().new_tree(&mut runner).unwrap().current())
        .collect()
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn random_histories_agree_with_a_model(pool: PgPool) {
    for (index, history) in histories().into_iter().enumerate() {
        let mut world = World::new(pool.clone()).await;
        let model = run(&mut world, &history).await;
        world.audit().await;
        identity(&world).await;
        let fills: usize = model.seen_fills.values().sum();
        let stored = world.count("select count(*) from fill").await;
        assert_eq!(fills.to_i64(), Some(stored), "history {index}");
        world.empty().await;
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_same_log_and_the_same_orders_fill_identically_with_and_without_crashes(pool: PgPool) {
    let mut fills = 0;
    for (index, history) in histories().into_iter().enumerate() {
        let crashes = |step: &Step| matches!(step, Step::Crash);
        let crashed = played(&pool, &history, |_| false).await;
        let smooth = played(&pool, &history, crashes).await;
        assert_eq!(crashed.answers, smooth.answers, "history {index}");
        let differs = crashed.receipts.iter().zip(&smooth.receipts);
        let differs: Vec<_> = differs
            .filter(|(one, other)| one != other)
            .take(2)
            .collect();
        assert!(differs.is_empty(), "history {index}: {differs:#?}");
        assert_eq!(
            crashed.receipts.len(),
            smooth.receipts.len(),
            "history {index}"
        );
        fills += smooth.receipts.len();
    }
    assert!(fills > 20, "only {fills} fills were compared");
}

/// What a history came to.
struct Played {
    /// Why each placement was refused, if it was.
    answers: Vec<Option<String>>,
    receipts: Vec<String>,
}

async fn played(pool: &PgPool, history: &[Step], left_out: impl Fn(&Step) -> bool) -> Played {
    let steps = history.iter().filter(|step| !left_out(step)).cloned();
    let steps: Vec<Step> = steps.collect();
    let mut world = World::new(pool.clone()).await;
    let model = run(&mut world, &steps).await;
    let receipts = receipts(pool).await;
    world.empty().await;
    let placements = model.placements.into_iter();
    Played {
        answers: placements.map(|(_, answer)| answer.err()).collect(),
        receipts,
    }
}
