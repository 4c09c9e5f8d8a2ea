//! The inbox: pages, what is unread, and what grows old.

use auth::MIGRATOR;
use auth::notifications::{consumer, rules};
use chrono::TimeDelta;
use kernel::Clock;
use messaging::Event;
use proto::auth::v1 as wire;
use proto::trading::v1::OrderStatus;
use sqlx::{AssertSqlSafe, PgPool};
use tonic::Status;

use crate::notices::{comment, event, filled, member, tell};
use crate::world::{World, reason};

pub(crate) async fn list(
    world: &World,
    member_id: i64,
    cursor: &str,
    kind: &str,
) -> Result<wire::NotificationPage, Status> {
    let request = wire::ListNotificationsRequest {
        member_id,
        cursor: cursor.to_owned(),
        r#type: kind.to_owned(),
    };
    let mut client = world.notifications.clone();
    let answer = client.list_notifications(request);
    Ok(answer.await?.into_inner())
}

pub(crate) async fn unread(world: &World, member_id: i64) -> wire::UnreadCount {
    let request = wire::CountUnreadRequest { member_id };
    let answer = world.notifications.clone().count_unread(request).await;
    answer.unwrap().into_inner()
}

pub(crate) async fn read(
    world: &World,
    member_id: i64,
    notification_ids: Vec<i64>,
    all: bool,
) -> Result<i32, Status> {
    let request = wire::ReadNotificationsRequest {
        member_id,
        notification_ids,
        all,
    };
    let mut client = world.notifications.clone();
    let answer = client.read_notifications(request);
    Ok(answer.await?.into_inner().unread)
}

/// A member with comments 1 to `count`, and a fill.
async fn told(world: &World, count: i64) -> (i64, i64) {
    let (me, other) = (member(world, "개미왕").await, member(world, "베짱이").await);
    for id in 1..=count {
        tell(world, rules::COMMENT_WRITTEN, &comment(me, other, id)).await;
    }
    let all = filled(me, 4, OrderStatus::Filled, "10");
    tell(world, rules::ORDER_FILLED, &all).await;
    (me, other)
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn pages_go_back_in_time_without_holes(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = told(&world, 44).await;
    let mut ids = Vec::new();
    let mut sizes = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = list(&world, me, &cursor, "").await.unwrap();
        sizes.push(page.notifications.len());
        ids.extend(page.notifications.iter().map(|row| row.notification_id));
        if page.cursor.is_empty() {
            break;
        }
        // What arrives meanwhile moves nothing.
        let new = comment(me, other, 100 + i64::try_from(sizes.len()).unwrap());
        tell(&world, rules::COMMENT_WRITTEN, &new).await;
        cursor = page.cursor;
    }
    assert_eq!(sizes, [20, 20, 5]);
    let mut sorted = ids.clone();
    sorted.sort_unstable_by(|one, other| other.cmp(one));
    sorted.dedup();
    assert_eq!(ids, sorted);
    let fills = list(&world, me, "", "FILL").await.unwrap();
    let [fill] = fills.notifications.as_slice() else {
        panic!("{fills:?}");
    };
    assert_eq!(
        (fill.title.as_str(), fill.link.as_str(), fill.is_read),
        ("삼성전자 10주를 샀어요", "/my/orders/history", false)
    );
    assert_eq!(list(&world, other, "", "").await.unwrap().notifications, []);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_is_unread_is_counted_up_to_a_hundred(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = told(&world, 101).await;
    let count = unread(&world, me).await;
    assert_eq!(count.unread, 100);
    let by_type: Vec<(&str, i32)> = count
        .by_type
        .iter()
        .map(|row| (row.r#type.as_str(), row.unread))
        .collect();
    assert_eq!(by_type, [("COMMENT", 99), ("FILL", 1)]);
    assert_eq!(unread(&world, other).await.unread, 0);
    assert_eq!(read(&world, me, Vec::new(), true).await.unwrap(), 0);
    assert_eq!(unread(&world, me).await.by_type, []);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn one_reads_only_what_is_ones_own(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = told(&world, 2).await;
    let page = list(&world, me, "", "").await.unwrap();
    let ids: Vec<i64> = page
        .notifications
        .iter()
        .map(|row| row.notification_id)
        .collect();
    assert_eq!(read(&world, other, ids.clone(), false).await.unwrap(), 0);
    assert_eq!(unread(&world, me).await.unread, 3);
    for _ in 0..2 {
        let left = read(&world, me, vec![ids[0], 999_999], false).await;
        assert_eq!(left.unwrap(), 2, "a repeat changes nothing");
    }
    let page = list(&world, me, "", "").await.unwrap();
    assert!(page.notifications[0].is_read);
    assert!(!page.notifications[1].is_read);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn bad_requests_are_refused(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, _) = told(&world, 1).await;
    for cursor in [
        "x",
        "AQ",
        "AgAAAAAAAAAB",
        "AQAAAAAAAAAA",
        "AQAAAAAAAAABAA",
        "'; --",
    ] {
        let refused = list(&world, me, cursor, "").await.unwrap_err();
        assert_eq!(reason(&refused), "CURSOR_UNKNOWN", "{cursor}");
    }
    let refused = list(&world, me, "", "fill").await.unwrap_err();
    assert_eq!(reason(&refused), "INVALID_NOTIFICATION_TYPE");
    let refused = read(&world, me, vec![1; 101], false).await.unwrap_err();
    assert_eq!(reason(&refused), "TOO_MANY_NOTIFICATIONS");
    assert_eq!(unread(&world, me).await.unread, 2);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_notification_says_when_it_happened(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = told(&world, 1).await;
    let late = Event {
        occurred_at: world.clock.now() - TimeDelta::hours(30),
        ..event(rules::COMMENT_WRITTEN, &comment(me, other, 7))
    };
    let ahead = Event {
        occurred_at: world.clock.now() + TimeDelta::minutes(5),
        ..event(rules::COMMENT_WRITTEN, &comment(me, other, 8))
    };
    for told in [&late, &ahead] {
        consumer::tell(&world.store, told).await.unwrap();
    }
    let page = list(&world, me, "", "COMMENT").await.unwrap();
    let times: Vec<i64> = page
        .notifications
        .iter()
        .map(|row| row.created_at_us)
        .collect();
    let now = world.clock.now().timestamp_micros();
    assert_eq!(times[..2], [now, late.occurred_at.timestamp_micros()]);
    // Pages stay in the order of telling, which a cursor can name.
    let ids = page.notifications.iter().map(|row| row.notification_id);
    assert!(ids.is_sorted_by(|one, next| one > next));
}

/// Lets no statement change more than a thousand rows of a table.
async fn forbid_large_changes(world: &World, table: &str, change: &str) {
    let rows = if change == "update" { "new" } else { "old" };
    let forbid = format!(
        "create function forbid_large() returns trigger language plpgsql as $$ begin \
         if (select count(*) from changed) > 1000 then raise exception 'too many rows'; end if; \
         return null; end $$; \
         create trigger forbid_large after {change} on {table} \
         referencing {rows} table as changed for each statement execute function forbid_large()"
    );
    sqlx::raw_sql(AssertSqlSafe(forbid))
        .execute(&world.pool)
        .await
        .unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_full_inbox_is_read_in_slices(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, _) = told(&world, 1).await;
    sqlx::query(
        "insert into notification (member_id, type, title, body, link, dedupe_key, created_at) \
         select $1, 'LIKE', 't', 'b', '/', 'k' || n, now() from generate_series(1, 2500) n",
    )
    .bind(me)
    .execute(&world.pool)
    .await
    .unwrap();
    forbid_large_changes(&world, "notification", "update").await;
    assert_eq!(read(&world, me, Vec::new(), true).await.unwrap(), 0);
    assert_eq!(world.count("notification where read_at is null").await, 0);
    assert_eq!(read(&world, me, Vec::new(), true).await.unwrap(), 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn who_was_counted_is_forgotten_in_slices(pool: PgPool) {
    let world = World::new(pool).await;
    told(&world, 2).await;
    sqlx::query(
        "insert into notification_liker select (select min(id) from notification), \
         generate_series(1, 2500)",
    )
    .execute(&world.pool)
    .await
    .unwrap();
    world.clock.advance(TimeDelta::days(91));
    forbid_large_changes(&world, "notification_liker", "delete").await;
    while world.store.delete_old_notifications().await.unwrap() > 0 {}
    for table in ["notification", "notification_liker", "push_delivery"] {
        assert_eq!(world.count(table).await, 0, "{table}");
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn the_inbox_goes_back_ninety_days(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = told(&world, 3).await;
    // As if the database had the time of this clock.
    sqlx::query("update inbox set received_at = $1")
        .bind(world.clock.now())
        .execute(&world.pool)
        .await
        .unwrap();
    world.clock.advance(TimeDelta::days(45));
    tell(&world, rules::COMMENT_WRITTEN, &comment(me, other, 9)).await;
    assert_eq!(world.store.delete_old_notifications().await.unwrap(), 0);
    world.clock.advance(TimeDelta::days(46));
    // The pushes of a notification go with it.
    assert_eq!(world.store.delete_old_notifications().await.unwrap(), 4);
    assert_eq!(world.store.delete_old_notifications().await.unwrap(), 0);
    assert_eq!(world.count("notification").await, 1);
    assert_eq!(world.count("push_delivery").await, 1);
    assert_eq!(world.store.forget_events().await.unwrap(), 4);
}
