//! Work without a request.

use chrono::TimeDelta;
use community::MIGRATOR;
use sqlx::PgPool;

use crate::world::{MEMBER, OTHER, World};

const RANKED: &str = "select count(*) from post where rank > 0";

#[sqlx::test(migrator = "MIGRATOR")]
async fn ranks_sink_until_a_post_is_seven_days_old(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "새 글").await.id;
    let rank = async || -> i64 {
        let rank = sqlx::query_scalar("select rank from post where id = $1").bind(post);
        rank.fetch_one(&world.pool).await.unwrap()
    };
    // log10(3) * 10,000 / 2^1.8, in millionths.
    let first = rank().await;
    assert_eq!(first, 1_370_171_001);
    world.pass(TimeDelta::minutes(4));
    world.work().await;
    assert_eq!(rank().await, first, "not yet");
    world.pass(TimeDelta::minutes(1));
    world.work().await;
    assert!(rank().await < first);
    world.pass(TimeDelta::days(7) - TimeDelta::minutes(6));
    world.work().await;
    assert!(rank().await > 0);
    world.pass(TimeDelta::minutes(6));
    world.work().await;
    assert_eq!((rank().await, world.count(RANKED).await), (0, 0));
    world.like(OTHER, post, true).await.unwrap();
    assert_eq!(rank().await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn two_processes_rank_every_post_in_batches(pool: PgPool) {
    let world = World::new(pool).await;
    let many = "insert into post (author_id, category, content, publication, created_at, rank, \
         ranked_at) select 1, 'FREE', 'x', 'PUBLISHED', '2026-12-01', 1, '2026-12-01' \
         from generate_series(1, 1700)";
    sqlx::query(many).execute(&world.pool).await.unwrap();
    world.pass(TimeDelta::minutes(7));
    let late = world.store.ranks_late().await.unwrap();
    assert_eq!(late, TimeDelta::minutes(2));
    tokio::join!(world.work(), world.work());
    let left = "select count(*) from post where rank = 1";
    assert_eq!(world.count(left).await, 0);
    let late = world.store.ranks_late().await.unwrap();
    assert_eq!(late, TimeDelta::zero());
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn texts_are_cleared_thirty_days_after_deletion(pool: PgPool) {
    let world = World::new(pool).await;
    let kept = world.post(MEMBER, "남는 글").await.id;
    let post = world.post(MEMBER, "지울 글").await.id;
    let comment = world.comment(OTHER, kept, "지울 댓글").await.id;
    world.reply(MEMBER, comment, "남는 답글").await;
    world.comment(OTHER, post, "글과 함께").await;
    world.delete(MEMBER, post).await.unwrap();
    world.delete_comment(OTHER, comment).await.unwrap();
    let texts = "select (select count(*) from post where content <> '') \
         + (select count(*) from comment where content <> '')";
    let all = world.count(texts).await;
    world.pass(TimeDelta::days(29));
    world.work().await;
    assert_eq!(world.count(texts).await, all);
    assert!(world.count("select count(*) from request").await > 0);
    world.pass(TimeDelta::days(1) + TimeDelta::seconds(1));
    world.work().await;
    assert_eq!(world.count(texts).await, all - 3);
    assert_eq!(world.get(0, kept).await.unwrap().content, "남는 글");
    assert_eq!(world.count("select count(*) from request").await, 0);
    let replies = &world.comments_of(0, kept).await[0].replies;
    assert_eq!(replies[0].content, "남는 답글");
}
