//! Comments that nobody sees any more, and members who blocked each other, are taken back.

use auth::MIGRATOR;
use auth::notifications::{consumer, rules, withdrawals};
use chrono::TimeDelta;
use kernel::Clock;
use messaging::Event;
use proto::community::v1::{CommentWithdrawn, CommentWritten, MemberBlocked};
use sqlx::PgPool;

use crate::notices::{comment, created, event, member, tell};
use crate::world::World;

/// As of the clock of the community.
fn now_us(world: &World) -> i64 {
    world.clock.now().timestamp_micros()
}

fn withdrawn(world: &World, comment_id: i64, told_ids: &[i64]) -> CommentWithdrawn {
    CommentWithdrawn {
        comment_id,
        post_id: 51,
        told_ids: told_ids.to_vec(),
        withdrawn_at_us: now_us(world),
    }
}

fn blocked(world: &World, member_id: i64, blocked_id: i64) -> MemberBlocked {
    MemberBlocked {
        member_id,
        blocked_id,
        blocked_at_us: now_us(world),
    }
}

fn written(world: &World, body: &CommentWritten) -> Event {
    Event {
        occurred_at: world.clock.now(),
        ..event(rules::COMMENT_WRITTEN, body)
    }
}

/// Rows of the inbox and pushes that wait.
async fn left(world: &World) -> (i64, i64) {
    (
        world.count("notification").await,
        world.count("push_delivery").await,
    )
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_comment_that_is_gone_is_in_no_inbox_and_in_no_push(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
    );
    for id in [61, 62] {
        let written = written(&world, &comment(me, other, id));
        consumer::tell(&world.store, &written).await.unwrap();
    }
    world.clock.advance(TimeDelta::seconds(1));
    let gone = event(
        withdrawals::COMMENT_WITHDRAWN,
        &withdrawn(&world, 61, &[me, 999_999]),
    );
    for _repeated in 0..2 {
        consumer::tell(&world.store, &gone).await.unwrap();
    }
    assert_eq!(left(&world).await, (1, 1));
    let kept = "notification where dedupe_key = 'comment:62'";
    assert_eq!(world.count(kept).await, 1);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_comment_that_is_withdrawn_before_it_is_told_is_not_told(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
    );
    let late = written(&world, &comment(me, other, 61));
    world.clock.advance(TimeDelta::seconds(1));
    let body = withdrawn(&world, 61, &[me]);
    tell(&world, withdrawals::COMMENT_WITHDRAWN, &body).await;
    consumer::tell(&world.store, &late).await.unwrap();
    assert_eq!(left(&world).await, (0, 0));
    // In three months it is forgotten.
    world.clock.advance(TimeDelta::days(91));
    while world.store.delete_old_notifications().await.unwrap() > 0 {}
    assert_eq!(world.count("withdrawn_notice").await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_comment_of_a_clock_that_is_ahead_is_not_told_after_it_was_withdrawn(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
    );
    let ahead = Event {
        occurred_at: world.clock.now() + TimeDelta::seconds(30),
        ..written(&world, &comment(me, other, 61))
    };
    world.clock.advance(TimeDelta::seconds(5));
    let body = withdrawn(&world, 61, &[me]);
    tell(&world, withdrawals::COMMENT_WITHDRAWN, &body).await;
    // Also where it comes after both times.
    world.clock.advance(TimeDelta::minutes(1));
    consumer::tell(&world.store, &ahead).await.unwrap();
    assert_eq!(left(&world).await, (0, 0));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn told_and_withdrawn_at_once_nothing_is_left(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
    );
    for id in 61..81 {
        let tells = written(&world, &comment(me, other, id));
        let gone = event(
            withdrawals::COMMENT_WITHDRAWN,
            &withdrawn(&world, id, &[me]),
        );
        let (told, taken) = tokio::join!(
            consumer::tell(&world.store, &tells),
            consumer::tell(&world.store, &gone)
        );
        told.unwrap();
        taken.unwrap();
    }
    assert_eq!(left(&world).await, (0, 0));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn whom_a_block_separates_are_told_nothing_of_each_other(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other, third) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
        member(&world, "무당벌레").await,
    );
    for (told, author, id) in [(me, other, 61), (other, me, 62), (me, third, 63)] {
        let written = written(&world, &comment(told, author, id));
        consumer::tell(&world.store, &written).await.unwrap();
    }
    let late = written(&world, &comment(me, other, 64));
    world.clock.advance(TimeDelta::seconds(1));
    let body = blocked(&world, me, other);
    tell(&world, withdrawals::MEMBER_BLOCKED, &body).await;
    consumer::tell(&world.store, &late).await.unwrap();
    assert_eq!(left(&world).await, (1, 1), "of the third one");
    // After the block was undone.
    world.clock.advance(TimeDelta::seconds(1));
    let again = written(&world, &comment(me, other, 65));
    consumer::tell(&world.store, &again).await.unwrap();
    assert_eq!(left(&world).await, (2, 2));
}

/// Two members, of whom the first has pushes of comments and no inbox of them.
async fn pushed_without_inbox(pool: PgPool) -> (World, i64, i64) {
    let world = World::new(pool).await;
    let (me, other) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
    );
    sqlx::query("insert into notification_setting values ($1, 'COMMENT', false, true)")
        .bind(me)
        .execute(&world.pool)
        .await
        .unwrap();
    (world, me, other)
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_push_without_a_notification_is_taken_back_too(pool: PgPool) {
    let (world, me, other) = pushed_without_inbox(pool).await;
    for id in [61, 62] {
        let written = written(&world, &comment(me, other, id));
        consumer::tell(&world.store, &written).await.unwrap();
    }
    assert_eq!(left(&world).await, (0, 2));
    let body = withdrawn(&world, 61, &[me]);
    tell(&world, withdrawals::COMMENT_WITHDRAWN, &body).await;
    assert_eq!(left(&world).await, (0, 1));
    let body = blocked(&world, other, me);
    tell(&world, withdrawals::MEMBER_BLOCKED, &body).await;
    assert_eq!(left(&world).await, (0, 0));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_late_block_takes_no_push_back_of_what_happened_after_it(pool: PgPool) {
    let (world, me, other) = pushed_without_inbox(pool).await;
    let before = written(&world, &comment(me, other, 61));
    let of_earlier_release = written(&world, &comment(me, other, 62));
    world.clock.advance(TimeDelta::seconds(1));
    let block = event(withdrawals::MEMBER_BLOCKED, &blocked(&world, me, other));
    world.clock.advance(TimeDelta::seconds(1));
    let after = written(&world, &comment(me, other, 63));
    for written in [before, of_earlier_release, after] {
        consumer::tell(&world.store, &written).await.unwrap();
    }
    let dated = "update push_delivery set occurred_at = null, \
                 created_at = created_at - interval '2 seconds' where dedupe_key = 'comment:62'";
    sqlx::query(dated).execute(&world.pool).await.unwrap();
    consumer::tell(&world.store, &block).await.unwrap();
    assert_eq!(left(&world).await, (0, 1));
    let kept = "push_delivery where dedupe_key = 'comment:63'";
    assert_eq!(world.count(kept).await, 1);
}

/// Many comments of one member, told with a push and half as many by a push alone. Every tenth of the
/// former is unread.
async fn flood(world: &World, told: i64, author: i64, comments: i32) {
    let insert = "with told as (insert into notification \
        (member_id, type, title, body, link, dedupe_key, created_at, read_at, actor_id) \
        select $1, 'COMMENT', 't', 'b', '/', 'flood:' || $2::bigint || ':' || n, '2026-01-01', \
        case when n % 10 > 0 then timestamptz '2026-01-01' end, $2::bigint \
        from generate_series(1, $3::integer) n returning id, dedupe_key), \
        pushed as (select id, dedupe_key from told union all \
        select null, 'flood:' || $2::bigint || ':' || -n from generate_series(1, $3::integer / 2) n) \
        insert into push_delivery (notification_id, member_id, type, title, body, link, \
        collapse_key, urgent, not_before, expires_at, created_at, dedupe_key, actor_id) \
        select id, $1, 'COMMENT', 't', 'b', '/', dedupe_key, false, '2026-01-01', '2026-01-02', \
        '2026-01-01', dedupe_key, $2::bigint from pushed";
    sqlx::query(insert)
        .bind(told)
        .bind(author)
        .bind(comments)
        .execute(&world.pool)
        .await
        .unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_block_of_who_flooded_an_inbox_goes_in_slices(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other, third) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
        member(&world, "무당벌레").await,
    );
    flood(&world, me, other, 500).await;
    flood(&world, me, third, 2).await;
    testkit::bound_statements(&world.pool, "delete", "notification", 200).await;
    testkit::bound_statements(&world.pool, "delete", "push_delivery", 200).await;
    let late = written(&world, &comment(me, other, 61));
    world.clock.advance(TimeDelta::seconds(1));
    let block = event(withdrawals::MEMBER_BLOCKED, &blocked(&world, me, other));
    // A crash after the first slice.
    let withdrawals = withdrawals::withdrawals(&block).unwrap().unwrap();
    assert!(world.store.withdraw(&withdrawals[0]).await.unwrap());
    consumer::tell(&world.store, &late).await.unwrap();
    assert_eq!(left(&world).await, (302, 353), "none of the late one");
    for _redelivered in 0..2 {
        consumer::tell(&world.store, &block).await.unwrap();
    }
    assert_eq!(left(&world).await, (2, 3), "of the third one");
    let unread = created(&world).await.into_iter().map(|one| one.unread);
    assert_eq!(unread.collect::<Vec<_>>(), [30, 10, 0], "after each slice");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn both_sides_of_a_block_are_remembered_before_either_is_taken_back_whole(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
    );
    flood(&world, me, other, 500).await;
    let fail = "
        create function fail() returns trigger language plpgsql as $$
            begin
                raise exception 'on purpose';
            end $$;
        create trigger fail before delete on notification for each row
            when (old.dedupe_key like '%:300') execute function fail()";
    sqlx::raw_sql(fail).execute(&world.pool).await.unwrap();
    let block = event(withdrawals::MEMBER_BLOCKED, &blocked(&world, me, other));
    consumer::tell(&world.store, &block).await.unwrap_err();
    assert_eq!(world.count("notification").await, 300, "one slice is gone");
    assert_eq!(world.count("withdrawn_notice").await, 2);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_cannot_be_read_takes_nothing_back(pool: PgPool) {
    let world = World::new(pool).await;
    let broken = Event {
        body: vec![0xff, 0xff].into(),
        ..event(withdrawals::MEMBER_BLOCKED, &MemberBlocked::default())
    };
    consumer::tell(&world.store, &broken).await.unwrap_err();
    assert_eq!(world.count("inbox").await, 0);
}
