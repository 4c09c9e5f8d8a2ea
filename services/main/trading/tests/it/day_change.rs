//! The change of the day: trades count from the previous close, to the won.

use chrono::TimeDelta;
use proto::common::v1::Currency;
use proto::trading::v1 as wire;
use rust_decimal::RoundingStrategy;
use rust_decimal::prelude::ToPrimitive;
use rust_decimal_macros::dec;
use sqlx::PgPool;
use trading::dividends::DividendWorker;
use trading::tick_log::LogRecord;

use crate::dividends::{EARLY, EX_DAY, PAY_DAY, dividend};
use crate::world::{APPLE, BITCOIN, DAY, SAMSUNG, World, buy, number, sell};

const ME: i64 = 100_001;
const OTHER: i64 = 100_002;
const GIVEN: i64 = 5_000_000;

/// What the holdings have gained since the previous close, each rounded down as it is shown.
fn gained(holdings: &[wire::Holding]) -> i64 {
    let since_close = holdings.iter().map(|holding| {
        let rate = holding.fx_rate.is_some().then(|| number(&holding.fx_rate));
        let before = number(&holding.prev_close) * number(&holding.quantity);
        let before = before * rate.unwrap_or(dec!(1));
        let before = before.round_dp_with_strategy(0, RoundingStrategy::ToZero);
        holding.value_won - before.to_i64().unwrap()
    });
    since_close.sum()
}

impl World {
    /// The change of the day, which on the first day is all there is between what a member has
    /// and what was given.
    async fn first_day_adds_up(&self) -> i64 {
        let summary = self.summary(ME).await;
        let traded = summary.day_traded_won.unwrap();
        let change = traded + gained(&self.holdings(ME).await);
        assert_eq!(summary.total_won - GIVEN, change);
        traded
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn trades_of_the_day_add_up_with_prices_to_the_won(pool: PgPool) {
    let mut world = World::new(pool).await;
    assert_eq!(world.summary(ME).await.day_traded_won, Some(0));

    world.placed(buy(ME, SAMSUNG, "", "10")).await;
    world.placed(buy(ME, APPLE, "", "2")).await;
    world.placed(buy(ME, BITCOIN, "", "0.00123456")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    world.trade(APPLE, "231.00", 1_000).await;
    world.trade(BITCOIN, "150000000", 10).await;
    assert_eq!(world.holdings(ME).await.len(), 3);
    world.first_day_adds_up().await;

    world.placed(sell(ME, SAMSUNG, "", "4")).await;
    world.trade(SAMSUNG, "75000", 1_000).await;
    world.first_day_adds_up().await;
    world.placed(sell(ME, SAMSUNG, "", "6")).await;
    world.placed(sell(ME, APPLE, "", "2")).await;
    world.trade(SAMSUNG, "73000", 1_000).await;
    world.trade(APPLE, "225.00", 1_000).await;
    // What was sold again is part of the day as well.
    assert_eq!(world.holdings(ME).await.len(), 1);
    assert_ne!(world.first_day_adds_up().await, 0);
    assert_eq!(world.summary(OTHER).await.day_traded_won, Some(0));
}

/// The change of the day of a phone that asked for `summary` before the exchange rate moved: it
/// takes out what counts at the rate of the answer, and counts those dollars at that of now.
fn change_at_the_rate_of_now(summary: &wire::AccountSummary, holdings: &[wire::Holding]) -> i64 {
    let in_dollars = summary.day_traded_dollars.iter();
    let at_answer: i64 = in_dollars.map(|traded| traded.won).sum();
    let since_close = holdings.iter().map(|holding| {
        let code = &holding.instrument_code;
        let mut in_dollars = summary.day_traded_dollars.iter();
        let traded = in_dollars.find(|traded| &traded.instrument_code == code);
        let traded = traded.map_or(dec!(0), |traded| number(&traded.dollars));
        let rate = holding.fx_rate.is_some().then(|| number(&holding.fx_rate));
        let before = number(&holding.prev_close) * number(&holding.quantity) - traded;
        let before = before * rate.unwrap_or(dec!(1));
        let before = before.round_dp_with_strategy(0, RoundingStrategy::ToNegativeInfinity);
        holding.value_won - before.to_i64().unwrap()
    });
    summary.day_traded_won.unwrap() - at_answer + since_close.sum::<i64>()
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn dollar_trades_of_the_day_can_be_revalued_at_a_later_rate(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.placed(buy(ME, APPLE, "", "3")).await;
    world.placed(buy(ME, SAMSUNG, "", "10")).await;
    world.trade(APPLE, "231.00", 1_000).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    world.placed(sell(ME, APPLE, "", "1")).await;
    world.trade(APPLE, "229.37", 1_000).await;
    let before = world.summary(ME).await;
    let [traded] = before.day_traded_dollars.as_slice() else {
        panic!("one instrument in dollars: {before:?}");
    };
    let close = number(&world.holdings(ME).await[1].prev_close);
    assert_eq!(traded.instrument_code, APPLE);
    assert_eq!(number(&traded.dollars), close * dec!(2));

    let mut tick = world.tick(APPLE, dec!(229.37), 1_000);
    if let LogRecord::Tick(tick) = &mut tick {
        tick.fx_rate = Some(dec!(1_482.35));
    }
    world.log(vec![tick]).await;
    let after = world.summary(ME).await;
    assert_ne!(after.total_won, before.total_won);
    let holdings = world.holdings(ME).await;
    let change = change_at_the_rate_of_now(&before, &holdings);
    assert_eq!(change, after.total_won - GIVEN);
    assert_eq!(change_at_the_rate_of_now(&after, &holdings), change);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_new_trading_day_begins_without_trades(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.placed(buy(ME, SAMSUNG, "", "10")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    let of_first_day = world.first_day_adds_up().await;
    assert_ne!(of_first_day, 0);

    world.day(DAY + 1, 1).await;
    world.traded_on(SAMSUNG, "72000", DAY + 1).await;
    assert_eq!(world.summary(ME).await.day_traded_won, Some(0));
    world.placed(sell(ME, SAMSUNG, "", "1")).await;
    world.traded_on(SAMSUNG, "73000", DAY + 1).await;
    let owned = world.holdings(ME).await;
    assert_eq!(number(&owned[0].quantity), dec!(9));
    let of_second_day = world.summary(ME).await.day_traded_won.unwrap();
    // Sold at 72,900 for fee 10 and tax 145, and one share fewer at the close of before.
    let close = number(&owned[0].prev_close).to_i64().unwrap();
    assert_eq!(of_second_day, 72_900 - 10 - 145 - close);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_dividend_counts_on_its_trading_day_like_trades(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.placed(buy(EARLY, SAMSUNG, "", "10")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    let told = [dividend(1, SAMSUNG, "361", Currency::Krw)];
    world.store.receive_dividends(&told).await.unwrap();
    world.day(EX_DAY, 3).await;
    let mut booker = DividendWorker::new(world.store.clone(), 1);
    world.noted(&mut booker).await;
    world.day(PAY_DAY, 2).await;
    world.clock.advance(TimeDelta::days(5));
    booker.step().await.unwrap();
    assert_eq!(world.summary(EARLY).await.day_traded_won, Some(3_060));
    world.placed(buy(EARLY, SAMSUNG, "", "1")).await;
    world.traded_on(SAMSUNG, "71300", PAY_DAY).await;
    let of_the_day = world.summary(EARLY).await.day_traded_won.unwrap();
    assert_ne!(of_the_day, 3_060);

    // After midnight the market shows the day before until it opens, over a weekend too.
    world.clock.advance(TimeDelta::days(1));
    let at_night = world.summary(EARLY).await.day_traded_won;
    assert_eq!(at_night, Some(of_the_day));
    world.day(PAY_DAY + 1, 1).await;
    world.traded_on(SAMSUNG, "71300", PAY_DAY + 1).await;
    assert_eq!(world.summary(EARLY).await.day_traded_won, Some(0));
    world.audit().await;
}
