//! Ends that wait, are locked, fail or come late.

use chrono::{NaiveDate, TimeDelta};
use sqlx::PgPool;
use trading::competitions::LiveBoards;

use super::endings::{PATIENT, RANKS};
use super::{APPLE, CompetitionWorld, ME, SAMSUNG};
use crate::equity::closes::Closes;
use crate::world::World;

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_event_waits_for_the_prices_of_its_end(pool: PgPool) {
    let mut world = CompetitionWorld::two_compete(pool).await;
    let event = world.at_end().await;
    for _ in 0..5 {
        world.world.log(Vec::new()).await;
        world.equity.step().await.unwrap();
        world.worker.step().await.unwrap();
    }
    assert!(!world.is_closed(event.competition_id).await);
    let open = "select count(*) from account where code = '99' and closed_at is null";
    assert!(world.world.count(open).await >= 2);
    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "231")]);
    world.closed(event.competition_id).await;
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_locked_account_is_closed_later_and_a_crash_goes_on(pool: PgPool) {
    let mut world = CompetitionWorld::two_compete(pool).await;
    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "231")]);
    let event = world.at_end().await;
    let id = event.competition_id;
    // The matcher ends what waits before the account is locked.
    for _ in 0..3 {
        world.world.log(Vec::new()).await;
    }
    let mut holder = world.world.pool.begin().await.unwrap();
    let lock = "select a.id from account a join competition_entry e on e.account_id = a.id \
        where e.member_id = $1 and e.competition_id = $2 for update of a";
    sqlx::query(lock)
        .bind(ME)
        .bind(id)
        .fetch_one(&mut *holder)
        .await
        .unwrap();
    let results = "select count(*) from competition_result";
    for _ in 0..PATIENT {
        world.world.log(Vec::new()).await;
        world.equity.step().await.unwrap();
        world.worker.step().await.unwrap();
        if world.world.count(results).await == 1 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert!(!world.is_closed(id).await);
    assert_eq!(
        world
            .world
            .count("select count(*) from competition_rank")
            .await,
        0
    );
    holder.rollback().await.unwrap();

    // The process ends here, and another goes on.
    let closes = Closes::new().await;
    closes.tell(&[(SAMSUNG, "1"), (APPLE, "1")]);
    world.worker = closes.competitions(
        &world.world,
        LiveBoards::new(bootstrap::redis::Redis::absent()),
    );
    world.closed(id).await;
    // The prices are those that were fixed first.
    let prices = "select sum(price)::bigint from competition_price";
    assert_eq!(world.world.count(prices).await, 72_231);
    assert_eq!(world.world.count(RANKS).await, 2);
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn events_end_before_others_are_valued(pool: PgPool) {
    let mut world = CompetitionWorld::two_compete(pool).await;
    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "231")]);
    let id = world.at_end().await.competition_id;
    sqlx::raw_sql(
        "create function refuse() returns trigger language plpgsql as \
         $$ begin raise exception 'boards cannot be renewed'; end $$; \
         create trigger refuse before update of valued_at on competition for each row \
         execute function refuse()",
    )
    .execute(&world.world.pool)
    .await
    .unwrap();
    for _ in 0..PATIENT {
        world.world.log(Vec::new()).await;
        world.equity.step().await.unwrap();
        world.worker.step().await.unwrap_err();
        if world.is_closed(id).await {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("competition {id} was not closed");
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_event_waits_for_the_equity_of_its_last_day(pool: PgPool) {
    let mut world = CompetitionWorld::two_compete(pool).await;
    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "231")]);
    let id = world.at_end().await.competition_id;
    for _ in 0..100 {
        world.world.log(Vec::new()).await;
        world.worker.step().await.unwrap();
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert!(!world.is_closed(id).await);
    assert_eq!(
        world
            .world
            .count("select count(*) from competition_price")
            .await,
        0
    );
    world.closed(id).await;
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_fall_after_the_end_counts_in_no_result_that_is_written_late(pool: PgPool) {
    let mut world = CompetitionWorld::two_compete(pool).await;
    let last: NaiveDate = "2026-11-20".parse().unwrap();
    world
        .closes
        .tell_of(last, &[(SAMSUNG, "72000"), (APPLE, "231")]);
    world.closes.tell_of(
        last + TimeDelta::days(1),
        &[(SAMSUNG, "40000"), (APPLE, "231")],
    );
    let id = world.at_end().await.competition_id;
    // The process that ends events is away for a day, and days are closed meanwhile.
    let CompetitionWorld {
        world: trading,
        equity,
        ..
    } = &mut world;
    trading.day_closed(equity, last).await;
    trading.now += TimeDelta::days(1);
    trading.clock.set(trading.now);
    trading.day_closed(equity, last + TimeDelta::days(1)).await;
    let fallen = "select count(*) from equity_day d join competition_entry e using (account_id) \
        where d.cash_won + d.holdings_won < 9000000";
    assert_eq!(world.world.count(fallen).await, 1);
    world.closed(id).await;
    let fallen = "select count(*) from competition_result where drawdown_rate > 0";
    assert_eq!(world.world.count(fallen).await, 0);
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_event_that_cannot_end_keeps_no_other_from_its_end(pool: PgPool) {
    let mut world = CompetitionWorld::two_compete(pool).await;
    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "231")]);
    // One that ended before, and whose end cannot be written.
    let broken: i64 = sqlx::query_scalar(
        "insert into competition (kind, title, starts_at, ends_at, join_from, join_until, \
            start_cash_won, created_at) \
         values ('OFFICIAL', 'broken', '2026-11-01', '2026-11-20', '2026-11-01', '2026-11-02', 1, now()) \
         returning id",
    )
    .fetch_one(&world.world.pool)
    .await
    .unwrap();
    sqlx::raw_sql(
        "create function refuse() returns trigger language plpgsql as \
         $$ begin raise exception 'no'; end $$; \
         create trigger refuse before update on competition for each row \
         when (new.title = 'broken') execute function refuse()",
    )
    .execute(&world.world.pool)
    .await
    .unwrap();
    let id = world.at_end().await.competition_id;
    world.closed(id).await;
    assert!(!world.is_closed(broken).await);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn leagues_that_end_together_do_not_wait_for_each_other(pool: PgPool) {
    let mut world = CompetitionWorld::two_compete(pool).await;
    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "231")]);
    let leagues = "insert into competition (kind, title, starts_at, ends_at, join_from, join_until, \
            start_cash_won, most_entrants, host_member_id, invite_code, created_at) \
        select 'LEAGUE', '리그 ' || n, starts_at, ends_at, join_from, join_until, 1000000, 50, $2, \
            'CODE' || n, created_at \
        from competition, generate_series(1, 120) n where id = $1";
    sqlx::query(leagues)
        .bind(world.running().await.competition_id)
        .bind(ME)
        .execute(&world.world.pool)
        .await
        .unwrap();
    world.at_end().await;
    let open = "select count(*) from competition where closed_at is null and kind = 'LEAGUE'";
    for _ in 0..PATIENT {
        world.world.log(Vec::new()).await;
        world.equity.step().await.unwrap();
        world.worker.step().await.unwrap();
        if world.world.count(open).await < 120 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert_eq!(world.world.count(open).await, 0, "all in one step");
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_end_long_ago_waits_for_the_log_of_when_it_was_seen(pool: PgPool) {
    let mut world = CompetitionWorld::two_compete(pool).await;
    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "231")]);
    world.at_end().await;
    let CompetitionWorld {
        world: trading,
        equity,
        ..
    } = &mut world;
    trading
        .day_closed(equity, "2026-11-20".parse().unwrap())
        .await;
    // Everything stands still for two days.
    trading.now += TimeDelta::days(2);
    trading.clock.set(trading.now);
    trading.log(Vec::new()).await;
    let (epoch, offset) = trading.store.market_cache().log_head().unwrap();
    matched_to(trading, epoch, offset).await;
    world.worker.step().await.unwrap();
    let prices = "select count(*) from competition_price";
    assert_eq!(world.world.count(prices).await, 0);
    // The log goes on, and the matcher is behind its newest batch again.
    world.world.log(Vec::new()).await;
    matched_to(&world.world, epoch, offset + 1).await;
    world.worker.step().await.unwrap();
    assert_eq!(world.world.count(prices).await, 2);
}

/// As if the matcher had come to this place of the log.
async fn matched_to(world: &World, epoch: i64, next: i64) {
    let set = "update matcher_offset set epoch = $1, next_offset = $2";
    let set = sqlx::query(set).bind(epoch).bind(next);
    set.execute(&world.pool).await.unwrap();
}
