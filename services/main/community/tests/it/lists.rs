//! Lists of posts.

use chrono::TimeDelta;
use community::MIGRATOR;
use proto::community::v1::{
    Category, CountNewPostsRequest, CreatePostRequest, ListPostsRequest, ListTopPostsRequest,
    PostOrder,
};
use sqlx::PgPool;

use crate::world::{MEMBER, OTHER, World, list_of, new_post, reason, tag};

async fn whole(world: &World, mut request: ListPostsRequest) -> Vec<i64> {
    let mut seen = Vec::new();
    loop {
        let page = world.try_list(request.clone()).await.unwrap();
        seen.extend(page.posts.iter().map(|post| post.id));
        if page.cursor.is_empty() {
            return seen;
        }
        request.cursor = page.cursor;
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn the_latest_come_first_in_pages_of_any_size(pool: PgPool) {
    let world = World::new(pool).await;
    let mut written = Vec::new();
    for number in 0..47 {
        written.push(world.post(MEMBER, &format!("글 {number}")).await.id);
    }
    written.reverse();
    for size in [1, 7, 20] {
        let request = ListPostsRequest {
            size,
            ..list_of(0, PostOrder::Latest)
        };
        assert_eq!(whole(&world, request).await, written);
    }
    let second = ListPostsRequest {
        page: 2,
        size: 10,
        ..list_of(0, PostOrder::Latest)
    };
    let page = world.try_list(second).await.unwrap();
    let ids = page.posts.iter().map(|post| post.id);
    assert!(ids.eq(written[20..30].iter().copied()));
    let all = ListPostsRequest {
        category: Category::Unspecified.into(),
        ..list_of(0, PostOrder::Latest)
    };
    assert_eq!(whole(&world, all).await.len(), 49, "with the notices");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn bad_questions_are_refused(pool: PgPool) {
    let world = World::new(pool).await;
    world.post(MEMBER, "하나").await;
    world.post(MEMBER, "둘").await;
    let list = || list_of(0, PostOrder::Latest);
    let one = ListPostsRequest { size: 1, ..list() };
    let cursor = world.try_list(one).await.unwrap().cursor;
    for (request, expected) in [
        (
            ListPostsRequest {
                page: 101,
                ..list()
            },
            "PAGE_TOO_FAR",
        ),
        (ListPostsRequest { page: -1, ..list() }, "MALFORMED"),
        (ListPostsRequest { size: 0, ..list() }, "MALFORMED"),
        (ListPostsRequest { size: 21, ..list() }, "MALFORMED"),
        (ListPostsRequest { order: 0, ..list() }, "MALFORMED"),
        (
            ListPostsRequest {
                category: 99,
                ..list()
            },
            "MALFORMED",
        ),
        (list_of(0, PostOrder::Item), "MALFORMED"),
        (list_of(0, PostOrder::Follow), "MALFORMED"),
        (
            ListPostsRequest {
                cursor: "nonsense".to_owned(),
                ..list()
            },
            "CURSOR_UNKNOWN",
        ),
        (
            ListPostsRequest {
                cursor,
                ..list_of(0, PostOrder::Hot)
            },
            "CURSOR_UNKNOWN",
        ),
    ] {
        assert_eq!(reason(world.try_list(request).await), expected);
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn the_hottest_are_liked_discussed_and_new(pool: PgPool) {
    let world = World::new(pool).await;
    let old = world.post(MEMBER, "오래된 글").await.id;
    for member in 200_000..200_020 {
        world.like(member, old, true).await.unwrap();
    }
    world.pass(TimeDelta::hours(73));
    let liked = world.post(MEMBER, "좋은 글").await.id;
    let discussed = world.post(MEMBER, "이야기가 많은 글").await.id;
    let plain = world.post(MEMBER, "조용한 글").await.id;
    let quiet = world.post(MEMBER, "더 조용한 글").await.id;
    for member in 200_000..200_003 {
        world.like(member, liked, true).await.unwrap();
    }
    for _ in 0..2 {
        world.comment(OTHER, discussed, "그래요").await;
    }
    world.work().await;
    let hot = world.list(0, PostOrder::Hot).await;
    assert_eq!(hot, [discussed, liked, quiet, plain, old]);
    let request = ListPostsRequest {
        size: 2,
        ..list_of(0, PostOrder::Hot)
    };
    assert_eq!(whole(&world, request).await, hot);
    let top = async |category: Category| {
        let request = ListTopPostsRequest {
            viewer_id: 0,
            category: category.into(),
        };
        let page = world.posts.clone().list_top_posts(request).await.unwrap();
        let posts = page.into_inner().posts;
        posts.iter().map(|post| post.id).collect::<Vec<_>>()
    };
    assert_eq!(top(Category::Free).await, [discussed, liked, quiet]);
    assert_eq!(top(Category::Unspecified).await, [discussed, liked, quiet]);
    assert!(top(Category::Coin).await.is_empty());
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn posts_about_an_instrument(pool: PgPool) {
    let world = World::new(pool).await;
    let mut about = Vec::new();
    for number in 0..25 {
        world.pass(TimeDelta::seconds(1));
        let request = CreatePostRequest {
            tags: vec![tag("005930"), tag("000660")],
            ..new_post(MEMBER, &format!("반도체 {number}"))
        };
        about.push(world.try_post(request).await.unwrap().id);
        world.post(MEMBER, &format!("다른 이야기 {number}")).await;
    }
    world.delete(MEMBER, about.pop().unwrap()).await.unwrap();
    about.reverse();
    let request = |code: &str| ListPostsRequest {
        instrument_code: code.to_owned(),
        size: 7,
        ..list_of(0, PostOrder::Item)
    };
    assert_eq!(whole(&world, request("000660")).await, about);
    assert!(whole(&world, request("035720")).await.is_empty());
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn new_posts_of_others_are_counted_up_to_twenty(pool: PgPool) {
    let world = World::new(pool).await;
    let newest = world.post(MEMBER, "가장 새 글").await.id;
    world.post(MEMBER, "내 글").await;
    let count = async |viewer_id: i64, after_post_id: i64| {
        let request = CountNewPostsRequest {
            viewer_id,
            category: Category::Free.into(),
            after_post_id,
        };
        let answer = world.posts.clone().count_new_posts(request).await;
        answer.unwrap().into_inner().count
    };
    assert_eq!(
        (count(MEMBER, newest).await, count(0, newest).await),
        (0, 1)
    );
    for number in 0..25 {
        world.post(OTHER, &format!("새 글 {number}")).await;
        let expected = (number + 1).min(20);
        assert_eq!(count(MEMBER, newest).await, expected);
    }
    assert_eq!(count(MEMBER, 4_711).await, 0);
}
