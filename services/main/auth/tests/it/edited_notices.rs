//! A comment that was edited has its new text in inboxes and pushes, whatever comes first.

use auth::MIGRATOR;
use auth::domain::PushKind;
use auth::notifications::{consumer, edits, rules, withdrawals};
use chrono::TimeDelta;
use kernel::Clock;
use messaging::Event;
use proto::community::v1::{CommentEdited, CommentWithdrawn, CommentWritten, PostWithdrawn};
use sqlx::{AssertSqlSafe, PgPool};

use crate::notices::{comment, created, event, member, tell};
use crate::push::stage::share;
use crate::world::World;

async fn two_members(pool: PgPool) -> (World, i64, i64) {
    let world = World::new(pool).await;
    let (me, other) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
    );
    (world, me, other)
}

/// An edit of now.
fn edited(world: &World, comment_id: i64, told_ids: &[i64], version: i32, text: &str) -> Event {
    let body = CommentEdited {
        comment_id,
        post_id: 51,
        told_ids: told_ids.to_vec(),
        excerpt: text.to_owned(),
        version,
        edited_at_us: world.clock.now().timestamp_micros(),
    };
    event(edits::COMMENT_EDITED, &body)
}

async fn handle(world: &World, event: &Event) {
    consumer::tell(&world.store, event).await.unwrap();
}

async fn bodies(world: &World, table: &str) -> Vec<String> {
    let read = AssertSqlSafe(format!("select body from {table} order by id"));
    let read = sqlx::query_scalar(read).fetch_all(&world.pool);
    read.await.unwrap()
}

/// Texts of the notifications, which are those of the pushes too, oldest first.
async fn texts(world: &World) -> Vec<String> {
    let inbox = bodies(world, "notification").await;
    assert_eq!(inbox, bodies(world, "push_delivery").await);
    inbox
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn whoever_was_told_reads_the_new_text(pool: PgPool) {
    let (world, me, other) = two_members(pool).await;
    let third = member(&world, "무당벌레").await;
    let reply = CommentWritten {
        parent_id: 61,
        told_comment_author_id: other,
        ..comment(me, third, 62)
    };
    for body in [&comment(me, third, 61), &reply] {
        tell(&world, rules::COMMENT_WRITTEN, body).await;
    }
    let edit = edited(&world, 62, &[me, other], 2, "고쳤어요");
    for _redelivered in 0..2 {
        handle(&world, &edit).await;
    }
    assert_eq!(texts(&world).await, ["저도요", "고쳤어요", "고쳤어요"]);
    assert_eq!(created(&world).await.len(), 3, "nobody is told again");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn an_edit_that_comes_before_its_comment_holds(pool: PgPool) {
    let (world, me, other) = two_members(pool).await;
    handle(&world, &edited(&world, 61, &[me], 2, "고쳤어요")).await;
    assert_eq!(world.count("notification").await, 0);
    for id in [61, 62] {
        tell(&world, rules::COMMENT_WRITTEN, &comment(me, other, id)).await;
    }
    assert_eq!(texts(&world).await, ["고쳤어요", "저도요"]);
    // In three months it is forgotten.
    world.clock.advance(TimeDelta::days(91));
    while world.store.delete_old_notifications().await.unwrap() > 0 {}
    assert_eq!(world.count("edited_notice").await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn an_older_edit_that_comes_late_changes_nothing(pool: PgPool) {
    let (world, me, other) = two_members(pool).await;
    let edits = [(2, "고쳤어요"), (3, "또 고쳤어요")];
    let edits = edits.map(|(version, text)| edited(&world, 61, &[me], version, text));
    for edit in edits.iter().rev() {
        handle(&world, edit).await;
    }
    tell(&world, rules::COMMENT_WRITTEN, &comment(me, other, 61)).await;
    for edit in &edits {
        handle(&world, edit).await;
        assert_eq!(texts(&world).await, ["또 고쳤어요"]);
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn told_and_edited_at_once_the_edit_holds(pool: PgPool) {
    let (world, me, other) = two_members(pool).await;
    for id in 61..81 {
        let written = event(rules::COMMENT_WRITTEN, &comment(me, other, id));
        let edit = edited(&world, id, &[me], 2, "고쳤어요");
        tokio::join!(handle(&world, &written), handle(&world, &edit));
    }
    assert_eq!(texts(&world).await, ["고쳤어요"; 20]);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_push_that_a_device_waits_for_says_the_new_text(pool: PgPool) {
    let (world, me, other) = two_members(pool).await;
    tell(&world, rules::COMMENT_WRITTEN, &comment(me, other, 61)).await;
    let divided = world.store.divide_deliveries(&[PushKind::Sink], false, 10);
    assert_eq!(divided.await.unwrap(), 1);
    handle(&world, &edited(&world, 61, &[me], 2, "고쳤어요")).await;
    let lease = TimeDelta::seconds(60);
    let store = &world.store;
    let claimed = store.claim_pushes(PushKind::Sink, 10, share(10), &[], lease);
    let claimed = claimed.await.unwrap();
    assert_eq!(claimed.len(), 1);
    assert_eq!(claimed[0].push.body, "고쳤어요");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_was_taken_back_has_no_text(pool: PgPool) {
    let (world, me, _other) = two_members(pool).await;
    let edits = [(61, 2), (61, 3), (62, 2), (62, 3)];
    let edits = edits.map(|(id, version)| edited(&world, id, &[me], version, "고쳤어요"));
    for edit in [&edits[0], &edits[2]] {
        handle(&world, edit).await;
    }
    assert_eq!(world.count("edited_notice").await, 2);
    let comment = CommentWithdrawn {
        comment_id: 61,
        post_id: 51,
        told_ids: vec![me],
        withdrawn_at_us: world.clock.now().timestamp_micros(),
    };
    tell(&world, withdrawals::COMMENT_WITHDRAWN, &comment).await;
    assert_eq!(world.count("edited_notice").await, 1);
    let post = PostWithdrawn {
        post_id: 51,
        withdrawn_at_us: world.clock.now().timestamp_micros(),
    };
    tell(&world, withdrawals::POST_WITHDRAWN, &post).await;
    for edit in &edits {
        handle(&world, edit).await;
    }
    assert_eq!(world.count("edited_notice").await, 0, "also of late edits");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn an_edit_that_cannot_be_read_changes_nothing(pool: PgPool) {
    let (world, me, other) = two_members(pool).await;
    tell(&world, rules::COMMENT_WRITTEN, &comment(me, other, 61)).await;
    let broken = Event {
        body: vec![0xff, 0xff].into(),
        ..event(edits::COMMENT_EDITED, &CommentEdited::default())
    };
    consumer::tell(&world.store, &broken).await.unwrap_err();
    assert_eq!(texts(&world).await, ["저도요"]);
}
