//! Days that are closed late, once, and in order: after outages and crashes, and by two processes.

use sqlx::{Executor, PgPool};

use super::world::{EquityWorld, PATIENT, pause};
use super::{ME, OTHER};
use crate::world::{SAMSUNG, buy};

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn days_of_an_outage_are_closed_in_order_at_their_own_prices(pool: PgPool) {
    let mut world = EquityWorld::new(pool).await;
    world.world().placed(buy(ME, SAMSUNG, "", "10")).await;
    world.world().trade(SAMSUNG, "71300", 1_000).await;
    world.world().summary(OTHER).await;
    let first = world.night().await;
    world.closes.tell(&[(SAMSUNG, "70000")]);
    world.closed(first).await;
    assert_eq!(world.rows(first).await.len(), 2);
    let cash = world.world().basic(ME).await.deposit_won;

    // Nobody closes days while trading goes on.
    let mut last = first;
    for won in [100_000, 200_000, 300_000] {
        last = world.unseen_night().await;
        world.world().moved("00", "01", won).await;
    }
    let prices = ["71000", "72000", "73000"];
    let days = first.iter_days().skip(1).zip(prices);
    for (day, price) in days.clone() {
        world.closes.tell_of(day, &[(SAMSUNG, price)]);
    }
    world.closed(last).await;
    let basic = world.world().basic(ME).await.account_no;
    let mut moved = 0;
    // What was moved before anybody saw that the last day was over is of that day.
    for ((day, price), won) in days.zip([0, 100_000, 500_000]) {
        moved += won;
        let rows = world.rows(day).await;
        let holdings = 10 * price.parse::<i64>().unwrap();
        assert_eq!(
            rows[&basic],
            (1, cash - moved + holdings, 5_000_000 - moved)
        );
        assert_eq!(rows.len(), if won == 0 { 2 } else { 3 });
    }
    world.bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_day_waits_for_its_fills_and_for_its_prices(pool: PgPool) {
    let mut world = EquityWorld::new(pool).await;
    world.world().placed(buy(ME, SAMSUNG, "", "10")).await;
    let before = world.newest_closed().await;
    let day = world.unseen_night().await;
    // The cache has read on, and the matcher has not.
    world.closes.tell(&[(SAMSUNG, "70000")]);
    let batch = world.world().batch(Vec::new());
    world.world().market_cache.apply(&batch);
    for _ in 0..3 {
        world.worker.step().await.unwrap();
    }
    assert_eq!(world.newest_closed().await, before);
    world.world().shard.process(batch).await.unwrap();

    world.closes.tell_nothing();
    let asked = world.closes.asked();
    while world.closes.asked() < asked + 2 {
        world.world().log(Vec::new()).await;
        world.worker.step().await.unwrap();
        pause().await;
    }
    assert_eq!(world.newest_closed().await, before);
    world.closes.tell(&[(SAMSUNG, "70000")]);
    world.closed(day).await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_crash_in_the_middle_doubles_nothing_and_leaves_nothing_out(pool: PgPool) {
    let mut world = EquityWorld::new(pool).await;
    world.world().placed(buy(ME, SAMSUNG, "", "10")).await;
    world.world().trade(SAMSUNG, "71300", 1_000).await;
    world.world().summary(OTHER).await;
    let evening = world.night().await;
    world.closes.tell(&[(SAMSUNG, "70000")]);
    for (table, event) in [
        ("equity_price", "insert"),
        ("equity_day", "insert"),
        ("equity_run", "update"),
    ] {
        let fail = format!(
            "create function fail_{table}() returns trigger language plpgsql as $$ \
             begin raise exception 'crash'; end $$; \
             create trigger fail_{table} before {event} on {table} \
                for each row execute function fail_{table}()"
        );
        let pool = world.bank.world.pool.clone();
        pool.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(fail)))
            .await
            .unwrap();
        let mut failed = 0;
        for _ in 0..PATIENT {
            world.world().log(Vec::new()).await;
            failed += usize::from(world.worker.step().await.is_err());
            if failed == 2 {
                break;
            }
            pause().await;
        }
        assert_eq!(failed, 2, "{table}");
        assert_eq!(world.rows(evening).await.len(), 0);
        let mend = format!("drop trigger fail_{table} on {table}");
        pool.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(mend)))
            .await
            .unwrap();
        // As after a crash, another process goes on.
        world.worker = world.closes.worker(&world.bank.world);
    }
    world.closed(evening).await;
    assert_eq!(world.rows(evening).await.len(), 2);
    world.bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn two_processes_close_a_day_once(pool: PgPool) {
    let mut world = EquityWorld::new(pool).await;
    for member in ME..ME + 30 {
        world.world().summary(member).await;
    }
    let day = world.night().await;
    world.closes.tell(&[(SAMSUNG, "70000")]);
    let mut other = world.closes.worker(&world.bank.world);
    for _ in 0..PATIENT {
        world.bank.world.log(Vec::new()).await;
        let (one, two) = tokio::join!(world.worker.step(), other.step());
        one.unwrap();
        two.unwrap();
        if world.newest_closed().await == Some(day) {
            break;
        }
        pause().await;
    }
    assert_eq!(world.rows(day).await.len(), 30);
    let runs = world.bank.world.count("select count(*) from equity_run");
    assert_eq!(
        runs.await,
        2,
        "the day before is only where this one begins"
    );
}
