//! Posts with very many pictures below them.

use chrono::TimeDelta;
use community::MIGRATOR;
use sqlx::PgPool;

use crate::picture_calls::{comment_with, post_with};
use crate::world::{MEMBER, OTHER, World};

/// 700 comments with a picture each, whose files are away already.
async fn comment_often(world: &World, post: i64) {
    sqlx::query(
        "with written as (insert into comment \
           (post_id, author_id, content, publication, created_at) \
           select $1, 2000000 + n, 'x', 'PUBLISHED', '2026-12-01' from generate_series(1, 700) n \
           returning id, author_id) \
         insert into picture (id, member_id, width, height, placeholder, created_at, stored_at, \
           post_id, comment_id, place) \
         select gen_random_uuid(), author_id, 60, 40, '', '2026-12-01', '2026-12-01', $1, id, 1 \
         from written",
    )
    .bind(post)
    .execute(&world.pool)
    .await
    .unwrap();
}

const IN_TEXTS: &str = "select count(*) from picture where place is not null";
const WAITING: &str = "select count(*) from post_to_release";

#[sqlx::test(migrator = "MIGRATOR")]
async fn pictures_below_a_deleted_post_are_released_in_slices(pool: PgPool) {
    let world = World::new(pool).await;
    let (own, below) = (world.picture(MEMBER).await, world.picture(OTHER).await);
    let elsewhere = world.picture(OTHER).await;
    let post = post_with(MEMBER, "지울 글", &[&own]);
    let post = world.try_post(post).await.unwrap().id;
    let other_post = world.post(MEMBER, "남는 글").await.id;
    for (post, picture) in [(post, &below), (other_post, &elsewhere)] {
        let comment = comment_with(OTHER, post, &[picture]);
        world.try_comment(comment).await.unwrap();
    }
    comment_often(&world, post).await;
    testkit::bound_statements(&world.pool, "update", "picture", 100).await;
    world.delete(MEMBER, post).await.unwrap();
    for picture in [&own, &below] {
        assert!(!world.is_shown(picture).await, "at once");
    }
    let counts = (world.count(IN_TEXTS).await, world.count(WAITING).await);
    assert_eq!(counts, (702, 1));
    tokio::join!(world.work(), world.work());
    world.work().await;
    let counts = (world.count(IN_TEXTS).await, world.count(WAITING).await);
    assert_eq!(counts, (1, 0));
    let with_post = "select count(*) from picture f join post p on p.id = f.post_id \
                     where f.unused_since = p.deleted_at";
    assert_eq!(world.count(with_post).await, 702);
    // A week after the deletion.
    world.pass(TimeDelta::days(7) + TimeDelta::seconds(1));
    world.work().await;
    let pictures = world.count("select count(*) from picture").await;
    assert_eq!((pictures, world.flaky.count().await), (1, 2));
    assert!(world.is_shown(&elsewhere).await);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_post_without_pictures_below_waits_for_nothing(pool: PgPool) {
    let world = World::new(pool).await;
    let (own, below) = (world.picture(MEMBER).await, world.picture(OTHER).await);
    let post = post_with(MEMBER, "지울 글", &[&own]);
    let post = world.try_post(post).await.unwrap().id;
    let comment = comment_with(OTHER, post, &[&below]);
    let comment = world.try_comment(comment).await.unwrap().id;
    world.delete_comment(OTHER, comment).await.unwrap();
    world.delete(MEMBER, post).await.unwrap();
    let counts = (world.count(IN_TEXTS).await, world.count(WAITING).await);
    assert_eq!(counts, (0, 0));
}
