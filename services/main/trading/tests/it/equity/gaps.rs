//! Days that are passed over, because nobody closed any for longer than days are made up for, and last
//! days of accounts that were closed by a slow clock.

use chrono::TimeDelta;
use sqlx::PgPool;

use super::world::EquityWorld;
use crate::world::SAMSUNG;

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_account_that_closed_in_a_gap_has_a_last_day(pool: PgPool) {
    let mut world = EquityWorld::new(pool).await;
    let stock = world.world().moved("00", "01", 50_000).await.to_account_no;
    let day = world.night().await;
    world.closes.tell(&[(SAMSUNG, "70000")]);
    world.closed(day).await;
    assert_eq!(world.rows(day).await[&stock].1, 50_000);

    world.world().moved(&stock, "00", 50_000).await;
    world.world().close(&stock, "close-no-1").await.unwrap();
    world.bank.sleep(40).await;
    let day = world.night().await;
    world.closes.tell(&[(SAMSUNG, "70000")]);
    world.closed(day).await;
    assert_eq!(world.rows(day).await[&stock].1, 0);
    world.bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_account_that_a_slow_machine_closed_has_a_last_day(pool: PgPool) {
    let mut world = EquityWorld::new(pool).await;
    let stock = world.world().moved("00", "01", 50_000).await.to_account_no;
    let day = world.night().await;
    world.closes.tell(&[(SAMSUNG, "70000")]);
    world.closed(day).await;
    assert_eq!(world.rows(day).await[&stock].1, 50_000);

    world.world().moved(&stock, "00", 50_000).await;
    world.world().clock.advance(TimeDelta::days(-3));
    world.world().close(&stock, "close-no-1").await.unwrap();
    // The machine that closes days has another clock.
    for _ in 0..2 {
        let day = world.night().await;
        world.closes.tell(&[(SAMSUNG, "70000")]);
        world.closed(day).await;
        assert_eq!(world.rows(day).await[&stock].1, 0);
    }
    // No day but its last has a row.
    let rows = "select count(*) from equity_day where account_id = \
        (select id from account where closed_at is not null)";
    assert_eq!(world.world().count(rows).await, 2);
    world.bank.world.audit().await;
}
