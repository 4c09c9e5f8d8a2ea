//! Erasures that are interrupted, that run beside each other, and beside what the member still does.

use std::sync::atomic::Ordering;
use std::time::Duration;

use chrono::TimeDelta;
use community::{MIGRATOR, erasure};
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;
use tonic::{Code, Status};

use crate::consistency::WRONG;
use crate::made_pictures::png;
use crate::world::{MEMBER, OTHER, THIRD, World, new_comment, new_post, new_reply};

const UNFINISHED: &str = "select count(*) from erasure where finished_at is null";
const LIVING: &str = "select (select count(*) from post where author_id = 100007 \
     and deleted_at is null) + (select count(*) from comment where author_id = 100007 \
     and deleted_at is null) + (select count(*) from post_like where member_id = 100007)";

/// Of each 250, with their counters.
const MANY: &str = "
    insert into post (author_id, category, content, publication, created_at, ranked_at)
        select case when n % 2 = 0 then 100007 else 100008 end, 'FREE', 'x', 'PUBLISHED',
            timestamptz '2026-11-30' + n * interval '1 second', '2026-11-30'
        from generate_series(1, 500) n;
    insert into post_like select id, 100007, created_at from post where author_id = 100008;
    update post set like_count = 1 where author_id = 100008;
    insert into comment (post_id, author_id, content, publication, created_at)
        select id, 100007, 'x', 'PUBLISHED', created_at from post where author_id = 100008;
    update post set comment_count = 1 where author_id = 100008;";

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_crash_leaves_counters_right_and_the_next_round_goes_on(pool: PgPool) {
    let world = World::new(pool).await;
    sqlx::raw_sql(MANY).execute(&world.pool).await.unwrap();
    world.leave(MEMBER, true).await;
    let mut left = world.count(LIVING).await;
    assert_eq!(left, 750);
    let shutdown = CancellationToken::new();
    for round in 0..3 {
        // Dropped in the middle of a statement.
        let work = erasure::work(&world.store, &shutdown);
        let cut = tokio::time::timeout(Duration::from_millis(150), work).await;
        assert!(cut.is_err(), "round {round} is not done in time");
        assert_eq!(world.count(WRONG).await, 0);
        let now = world.count(LIVING).await;
        assert!(now < left, "round {round} came further");
        left = now;
        world.pass(TimeDelta::seconds(61));
    }
    // A shutdown stops it in order.
    shutdown.cancel();
    erasure::work(&world.store, &shutdown).await.unwrap();
    assert_eq!(world.count(UNFINISHED).await, 1);
    world.erase_all().await;
    let rows = (world.count(LIVING).await, world.count(UNFINISHED).await);
    assert_eq!(rows, (0, 0));
    assert_eq!(world.count(WRONG).await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn files_that_are_away_hold_up_only_the_end(pool: PgPool) {
    let world = World::new(pool).await;
    world.picture(MEMBER).await;
    let post = world.post(MEMBER, "지울 글").await.id;
    world.leave(MEMBER, true).await;
    world.flaky.is_away.store(true, Ordering::Relaxed);
    world.erase_all().await;
    world.get(OTHER, post).await.unwrap_err();
    assert_eq!(world.count(UNFINISHED).await, 1);
    assert_eq!(world.flaky.count().await, 2);
    // Others do not wait for it.
    world.leave(THIRD, true).await;
    world.erase_all().await;
    assert_eq!(world.count(UNFINISHED).await, 1);
    world.flaky.is_away.store(false, Ordering::Relaxed);
    world.pass(TimeDelta::minutes(6));
    world.erase_all().await;
    assert_eq!(world.count(UNFINISHED).await, 0);
    assert_eq!(world.count("select count(*) from picture").await, 0);
    assert_eq!(world.flaky.count().await, 0);
}

/// A request of somebody who leaves succeeds or does not find them.
fn expected<T: std::fmt::Debug>(outcome: Result<T, Status>) {
    let code = outcome.as_ref().err().map(Status::code);
    assert!(matches!(code, None | Some(Code::NotFound)), "{outcome:?}");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_the_member_does_meanwhile_is_refused_or_goes_as_well(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(OTHER, "남는 글").await.id;
    let comment = world.comment(OTHER, post, "남는 댓글").await.id;
    let picture = png(8, 8);
    for round in 0..12_u32 {
        let member = 300_000 + i64::from(round);
        let leave = async {
            tokio::time::sleep(Duration::from_millis(round.into())).await;
            world.leave(member, true).await;
            world.work().await;
        };
        let (liked, comment_liked, posted, commented, replied, followed, uploaded, ()) = tokio::join!(
            world.like(member, post, true),
            world.like_comment(member, comment, true),
            world.try_post(new_post(member, "늦은 글이에요")),
            world.try_comment(new_comment(member, post, "늦은 댓글이에요")),
            world.try_reply(new_reply(member, comment, "늦은 답글이에요")),
            world.follow(THIRD, member, true),
            world.upload(member, &picture),
            leave
        );
        expected(liked);
        expected(comment_liked);
        expected(posted);
        expected(commented);
        expected(replied);
        expected(followed);
        expected(uploaded);
    }
    world.erase_all().await;
    // What was being stored goes after an hour.
    world.pass(TimeDelta::minutes(61));
    world.erase_all().await;
    assert_eq!(world.count(UNFINISHED).await, 0);
    let left = "select (select count(*) from post where author_id >= 300000 and deleted_at is null) \
         + (select count(*) from comment where author_id >= 300000 and deleted_at is null) \
         + (select count(*) from post_like) + (select count(*) from comment_like) \
         + (select count(*) from follow) + (select count(*) from picture)";
    assert_eq!(world.count(left).await, 0);
    assert_eq!(world.count(WRONG).await, 0);
    assert_eq!(world.flaky.count().await, 0);
    let post = world.get(0, post).await.unwrap();
    assert_eq!((post.like_count, post.comment_count), (0, 1));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn two_who_like_each_other_leave_at_once(pool: PgPool) {
    let world = World::new(pool).await;
    let mut posts = Vec::new();
    for number in 0..6 {
        let author = [MEMBER, OTHER][number % 2];
        let post = world.post(author, &format!("글 {number}")).await.id;
        for liker in [MEMBER, OTHER, THIRD] {
            world.like(liker, post, true).await.unwrap();
            let content = format!("댓글 {number} {liker}");
            world.comment(liker, post, &content).await;
        }
        posts.push(post);
    }
    world.leave(MEMBER, true).await;
    world.leave(OTHER, false).await;
    tokio::join!(world.work(), world.work(), async {
        for post in &posts {
            expected(world.like(THIRD, *post, false).await);
        }
    });
    world.erase_all().await;
    assert_eq!(world.count(UNFINISHED).await, 0);
    assert_eq!(world.count(WRONG).await, 0);
    let living = "select count(*) from post where author_id = 100008 and deleted_at is null";
    assert_eq!(
        (world.count(LIVING).await, world.count(living).await),
        (0, 3)
    );
    let likes = "select count(*) from post_like where member_id <> 100009";
    assert_eq!(world.count(likes).await, 0);
}
