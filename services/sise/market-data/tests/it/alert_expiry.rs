//! Alerts that have waited too long leave the list, the table and the watcher.

use chrono::TimeDelta;
use kernel::MemberId;
use sqlx::PgPool;

use crate::alert_watch::{batch, create, tick, watcher, world};
use crate::alerts::{MEMBER, above};
use crate::world::reason;

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn what_has_waited_for_ninety_days_is_gone(pool: PgPool) {
    let world = world(&pool).await;
    for n in 0..50 {
        create(&world, above(&format!("n{n}"), &(71_000 + n).to_string())).await;
    }
    let mut watcher = watcher(&world).await;
    let (store, clock) = (&world.store, &world.clock);
    clock.advance(TimeDelta::days(90) - TimeDelta::seconds(1));
    store.delete_old_alerts(clock).await.unwrap();
    watcher.follow_changes().await.unwrap();
    assert_eq!(watcher.waiting(), 50);
    let mut alerts = world.alerts.clone();
    let refused = alerts.create_alert(above("early", "75000")).await;
    assert_eq!(reason(&refused.unwrap_err()), "TOO_MANY_ALERTS");

    clock.advance(TimeDelta::seconds(1));
    // There is room at once; the rows leave with the next cleaning, whoever does it.
    let fresh = create(&world, above("fresh", "75000")).await;
    let listed = store.alerts(MemberId(MEMBER), clock).await.unwrap();
    let listed: Vec<i64> = listed.iter().map(|alert| alert.alert_id).collect();
    assert_eq!(listed, [fresh]);
    let (one, other) = tokio::join!(
        store.delete_old_alerts(clock),
        store.delete_old_alerts(clock)
    );
    assert_eq!(one.unwrap() + other.unwrap(), 50);
    let waiting = "select active from price_alert_total";
    let waiting: i64 = sqlx::query_scalar(waiting).fetch_one(&pool).await.unwrap();
    assert_eq!(waiting, 1);
    watcher.follow_changes().await.unwrap();
    assert_eq!(watcher.waiting(), 1);
    let ticks = batch(1, &[tick(2, 72_000)]);
    assert_eq!(watcher.process(ticks).await.unwrap(), 0);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn what_no_list_shows_any_more_does_not_fire_before_it_is_deleted(pool: PgPool) {
    let world = world(&pool).await;
    create(&world, above("early", "71000")).await;
    world.clock.advance(TimeDelta::seconds(1));
    let late = create(&world, above("late", "71000")).await;
    let mut watcher = watcher(&world).await;
    world
        .clock
        .advance(TimeDelta::days(90) - TimeDelta::seconds(1));
    let listed = world.store.alerts(MemberId(MEMBER), &world.clock).await;
    let listed: Vec<i64> = listed.unwrap().iter().map(|alert| alert.alert_id).collect();
    assert_eq!(listed, [late]);
    let ticks = batch(1, &[tick(2, 72_000)]);
    assert_eq!(watcher.process(ticks).await.unwrap(), 1);
    let told = "select aggregate_id from outbox where event_type = 'market.alert.fired.v1'";
    let told: Vec<String> = sqlx::query_scalar(told).fetch_all(&pool).await.unwrap();
    assert_eq!(told, [late.to_string()]);
}
