//! Days that are closed: what every account is worth at midnight, whatever happens right after it.

pub(crate) mod closes;
mod gaps;
mod history;
mod interrupted;
mod slices;
mod world;

use chrono::NaiveDate;
use proto::trading::v1 as wire;
use sqlx::PgPool;
use trading::domain::split::SplitRatio;
use trading::tick_log::{Scope, SessionRecordKind};

use crate::contracts::bank::{deposit, savings};
use crate::seasons::reset;
use crate::world::{APPLE, SAMSUNG, buy, sell};
use crate::{items, points, seasons};
use world::{EquityWorld, all, figures, yyyymmdd};

pub(crate) use history::FALSIFIED;

const ME: i64 = 100_001;
const OTHER: i64 = 100_002;

/// Fills, a transfer, points, an item, a contract that is closed, a split, and a fill after it.
async fn busy_night(world: &mut EquityWorld, day: NaiveDate) {
    let contract = world.bank.only(ME).await;
    let world_ = world.world();
    world_.placed(buy(ME, SAMSUNG, "", "2")).await;
    world_.placed(sell(ME, APPLE, "", "2")).await;
    world_.trade(SAMSUNG, "73000", 1_000).await;
    world_.trade(APPLE, "240.50", 1_000).await;
    world_.moved("00", "01", 50_000).await;
    points::transfer(world_, 20, "points-2").await.unwrap();
    items::buy(world_, 4, 1, "freeze-no-1").await.unwrap();
    let ratio = SplitRatio {
        numerator: 2,
        denominator: 1,
    };
    let scope = Scope::Code(SAMSUNG.to_owned());
    let next = yyyymmdd(day.succ_opt().unwrap());
    let split = world_.session_record(SessionRecordKind::Split(ratio), scope, next);
    world_.log(vec![split]).await;
    world_.placed(sell(ME, SAMSUNG, "", "1")).await;
    world_.trade(SAMSUNG, "36600", 1_000).await;
    world.bank.close(&contract, ME, None).await.unwrap();
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_day_is_closed_as_it_was_at_midnight(pool: PgPool) {
    let mut world = EquityWorld::new(pool).await;
    seasons::busy(&mut world.bank).await;
    world.bank.pass(65).await;
    let evening = world.present(ME).await;
    assert_eq!(evening.len(), 3, "{evening:?}");
    let day = world.night().await;
    busy_night(&mut world, day).await;
    assert_ne!(world.present(ME).await, evening);
    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "230.50")]);
    world.closed(day).await;
    assert_eq!(world.rows(day).await, evening);
    world.bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_season_that_ends_after_midnight_has_its_last_day(pool: PgPool) {
    let mut world = EquityWorld::new(pool).await;
    seasons::busy(&mut world.bank).await;
    world.bank.pass(65).await;
    let evening = world.present(ME).await;
    let day = world.night().await;
    busy_night(&mut world, day).await;
    world
        .bank
        .world
        .reset(reset(ME, "reset-no-1", false))
        .await
        .unwrap();
    world.bank.world.placed(buy(ME, SAMSUNG, "", "7")).await;
    world.bank.world.trade(SAMSUNG, "36700", 1_000).await;
    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "230.50")]);
    world.closed(day).await;
    assert_eq!(world.rows(day).await, evening);

    // The next day is of the new season, and its base is what the season began with.
    let evening = world.present(ME).await;
    let next = world.night().await;
    world.closes.tell(&[(SAMSUNG, "36700"), (APPLE, "240.50")]);
    world.closed(next).await;
    let rows = world.rows(next).await;
    let basic = evening.keys().next().unwrap();
    assert_eq!(rows[basic], evening[basic]);
    assert_eq!((rows[basic].0, rows[basic].2), (2, 5_000_000));
    world.bank.world.audit().await;

    let past = wire::GetEquityRequest {
        season: 1,
        ..all(ME)
    };
    let past = world.equity(past).await.unwrap();
    let seasons = world.bank.world.seasons(ME).await;
    let last = past.days.last().unwrap();
    assert_eq!(last.day, yyyymmdd(next));
    assert_eq!(last.equity_won, seasons.past[0].total_won);
    assert_eq!(last.base_won, seasons.past[0].base_won);
    let present = world.all().await;
    assert_eq!(present.season, 2);
    assert_eq!(
        figures(&present)[0].2,
        5_000_000,
        "the season begins with its deposit"
    );
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_a_job_dates_back_is_of_the_day_on_which_it_is_posted(pool: PgPool) {
    let mut world = EquityWorld::new(pool).await;
    world.bank.opened(savings(ME, 100_000, 6)).await;
    // The second payment is due, and the task that takes it does not run.
    world.bank.sleep(31).await;
    let evening = world.present(ME).await;
    let day = world.night().await;
    world.closes.tell(&[]);
    world.closed(day).await;
    assert_eq!(world.rows(day).await, evening);
    world.bank.step().await;
    assert_eq!(world.bank.only(ME).await.payments_made, 2);
    let paid = world.present(ME).await;
    world.bank.world.audit().await;
    let next = world.night().await;
    world.closes.tell(&[]);
    world.closed(next).await;
    assert_eq!(world.rows(next).await, paid);
    world.bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn interest_paid_out_right_after_midnight_counts_once(pool: PgPool) {
    let mut world = EquityWorld::new(pool).await;
    let contract = world.bank.opened(deposit(ME, 1_000_000, 12)).await;
    world.bank.pass(65).await;
    let day = world.unseen_night().await;
    let closed = world.bank.close(&contract, ME, None).await.unwrap();
    assert!(closed.closed.unwrap().payout_won > 1_000_000);
    // The worker sees midnight only now.
    world.closes.tell(&[]);
    world.closed(day).await;
    let worth: i64 = world.rows(day).await.values().map(|row| row.1).sum();
    assert_eq!(worth, world.world().summary(ME).await.total_won);
    world.bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_market_data_has_no_more_keeps_its_last_price(pool: PgPool) {
    let mut world = EquityWorld::new(pool).await;
    world.world().placed(buy(ME, SAMSUNG, "", "10")).await;
    world.world().trade(SAMSUNG, "71300", 1_000).await;
    let cash = world.world().basic(ME).await.deposit_won;
    let day = world.night().await;
    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "230.50")]);
    world.closed(day).await;
    let last = world.rows(day).await;
    let worth: i64 = last.values().map(|row| row.1).sum();
    assert_eq!(worth, cash + 720_000);
    for prices in [&[(APPLE, "231")][..], &[]] {
        let next = world.night().await;
        world.closes.tell(prices);
        world.closed(next).await;
        assert_eq!(world.rows(next).await, last);
    }
    world.bank.world.audit().await;
}
