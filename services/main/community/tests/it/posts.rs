//! Writing, changing and deleting posts.

use std::time::Duration;

use chrono::TimeDelta;
use community::MIGRATOR;
use community::domain::writing::Limits;
use futures_util::future::join_all;
use proto::community::v1::{
    Category, CreatePostRequest, InstrumentTag, ListPostsRequest, PostOrder, Publication,
    UpdatePostRequest,
};
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;

use crate::world::{MEMBER, OTHER, World, list_of, new_post, reason, tag};

fn change(member_id: i64, post_id: i64, content: &str) -> UpdatePostRequest {
    UpdatePostRequest {
        member_id,
        post_id,
        category: Category::Free.into(),
        content: content.to_owned(),
        ..UpdatePostRequest::default()
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_post_is_written_read_and_deleted(pool: PgPool) {
    let world = World::new(pool).await;
    let request = CreatePostRequest {
        category: Category::Stock.into(),
        tags: vec![tag("005930"), tag("KRW-BTC")],
        ..new_post(MEMBER, " 오늘 처음 샀어요\u{200b} ")
    };
    let post = world.try_post(request).await.unwrap();
    assert_eq!(post.content, "오늘 처음 샀어요");
    assert_eq!(post.tags, [tag("005930"), tag("KRW-BTC")]);
    assert_eq!((post.author_id, post.modified_at_us), (MEMBER, 0));
    assert_eq!(post.publication(), Publication::Published);
    for viewer in [0, OTHER] {
        assert_eq!(world.get(viewer, post.id).await.unwrap(), post);
    }
    assert_eq!(reason(world.delete(OTHER, post.id).await), "POST_NOT_FOUND");
    for _ in 0..2 {
        world.delete(MEMBER, post.id).await.unwrap();
    }
    for viewer in [0, MEMBER] {
        assert_eq!(reason(world.get(viewer, post.id).await), "POST_DELETED");
    }
    assert_eq!(reason(world.get(0, 4_711).await), "POST_NOT_FOUND");
    assert!(world.list(0, PostOrder::Latest).await.is_empty());
    for liked in [true, false] {
        let answer = world.like(OTHER, post.id, liked).await;
        assert_eq!(reason(answer), "POST_NOT_FOUND");
    }
    let answer = world.try_comments(OTHER, post.id, "").await;
    assert_eq!(reason(answer), "POST_NOT_FOUND");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn bad_input_changes_nothing(pool: PgPool) {
    let world = World::new(pool).await;
    let good = || new_post(MEMBER, "안녕하세요");
    let tagged = |codes: &[&str]| CreatePostRequest {
        tags: codes.iter().map(|code| tag(code)).collect(),
        ..good()
    };
    for (request, expected) in [
        (new_post(MEMBER, " \n "), "TEXT_LENGTH"),
        (new_post(MEMBER, &"가".repeat(2_001)), "TEXT_LENGTH"),
        (tagged(&["005930", "005930"]), "TAG_UNKNOWN"),
        (tagged(&["삼성전자"]), "TAG_UNKNOWN"),
        (new_post(0, "안녕하세요"), "MALFORMED"),
        (
            CreatePostRequest {
                images: vec!["/files/1".to_owned()],
                ..good()
            },
            "IMAGE_UNKNOWN",
        ),
        (
            CreatePostRequest {
                category: Category::Notice.into(),
                ..good()
            },
            "CATEGORY_NOT_ALLOWED",
        ),
        (
            CreatePostRequest {
                category: 0,
                ..good()
            },
            "MALFORMED",
        ),
        (
            CreatePostRequest {
                category: 4_711,
                ..good()
            },
            "MALFORMED",
        ),
        (
            CreatePostRequest {
                request_id: "short".to_owned(),
                ..good()
            },
            "MALFORMED",
        ),
    ] {
        assert_eq!(reason(world.try_post(request).await), expected);
    }
    let written = "select count(*) from post where author_id <> 23488";
    assert_eq!(world.count(written).await, 0);
    assert_eq!(world.count("select count(*) from request").await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_repeat_answers_alike_and_writes_once(pool: PgPool) {
    let world = World::new(pool).await;
    let request = new_post(MEMBER, "한 번만");
    let at_once = (0..8).map(|_| async {
        let written = world.posts.clone().create_post(request.clone()).await;
        written.unwrap().into_inner()
    });
    let answers = join_all(at_once).await;
    let first = answers.iter().filter(|answer| !answer.replayed);
    assert_eq!(first.count(), 1);
    assert!(answers.iter().all(|answer| answer.post == answers[0].post));
    for other in [
        CreatePostRequest {
            content: "다른 글".to_owned(),
            ..request.clone()
        },
        CreatePostRequest {
            category: Category::Coin.into(),
            ..request.clone()
        },
        CreatePostRequest {
            tags: vec![tag("005930")],
            ..request.clone()
        },
    ] {
        assert_eq!(reason(world.try_post(other).await), "REQ_SID_REUSED");
    }
    let others = CreatePostRequest {
        member_id: OTHER,
        ..request
    };
    let others = world.try_post(others).await.unwrap();
    assert_eq!(others.author_id, OTHER, "ids are each member's own");
    assert_eq!(world.list(0, PostOrder::Latest).await.len(), 2);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn only_a_change_of_what_is_written_is_noted(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "처음").await;
    world.like(OTHER, post.id, true).await.unwrap();
    world.pass(TimeDelta::minutes(5));
    let update = async |request: UpdatePostRequest| {
        let written = world.posts.clone().update_post(request).await;
        written.map(|written| written.into_inner().post.unwrap())
    };
    let moved = UpdatePostRequest {
        category: Category::Study.into(),
        ..change(MEMBER, post.id, " 처음 ")
    };
    let moved = update(moved).await.unwrap();
    assert_eq!(moved.category(), Category::Study);
    assert_eq!((moved.modified_at_us, moved.like_count), (0, 1));
    let changed = update(change(MEMBER, post.id, "다시")).await.unwrap();
    let five_minutes = 300_000_000;
    let noted = changed.modified_at_us - post.created_at_us;
    assert_eq!((changed.content.as_str(), noted), ("다시", five_minutes));
    world.pass(TimeDelta::minutes(5));
    let tagged = UpdatePostRequest {
        tags: vec![tag("005930")],
        ..change(MEMBER, post.id, "다시")
    };
    for _ in 0..2 {
        let tagged = update(tagged.clone()).await.unwrap();
        assert_eq!(tagged.tags, [tag("005930")]);
        let noted = tagged.modified_at_us - post.created_at_us;
        assert_eq!(noted, 2 * five_minutes);
    }
    for (request, expected) in [
        (change(OTHER, post.id, "남의 글"), "POST_NOT_FOUND"),
        (change(MEMBER, 4_711, "없는 글"), "POST_NOT_FOUND"),
        (change(MEMBER, post.id, ""), "TEXT_LENGTH"),
    ] {
        assert_eq!(reason(update(request).await), expected);
    }
    world.delete(MEMBER, post.id).await.unwrap();
    let late = update(change(MEMBER, post.id, "지운 글")).await;
    assert_eq!(reason(late), "POST_NOT_FOUND");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_was_held_stays_so_while_the_author_allows_it(pool: PgPool) {
    let world = World::new(pool).await;
    let held = |code: &str| InstrumentTag {
        is_held: true,
        ..tag(code)
    };
    let request = CreatePostRequest {
        tags: vec![held("005930"), held("KRW-BTC")],
        ..new_post(MEMBER, "둘 다 있어요")
    };
    let post = world.try_post(request).await.unwrap();
    world.pass(TimeDelta::minutes(5));
    let update = async |shown: &[&str], category: Category| {
        let request = UpdatePostRequest {
            tags: vec![tag("005930"), tag("KRW-BTC")],
            still_shown_codes: shown.iter().map(|code| (*code).to_owned()).collect(),
            category: category.into(),
            ..change(MEMBER, post.id, "둘 다 있어요")
        };
        let written = world.posts.clone().update_post(request).await.unwrap();
        written.into_inner().post.unwrap()
    };
    // Sold since, or nobody knows.
    let same = update(&["005930", "KRW-BTC"], Category::Free).await;
    assert_eq!(same, post);
    let fewer = update(&["KRW-BTC"], Category::Coin).await;
    assert_eq!(fewer.tags, [tag("005930"), held("KRW-BTC")]);
    assert_eq!(fewer.modified_at_us, 0);
    let again = update(&["005930"], Category::Coin).await;
    assert_eq!(
        again.tags,
        [tag("005930"), tag("KRW-BTC")],
        "not held before"
    );
    for (category, expected) in [(Category::Coin, 1), (Category::Free, 0)] {
        let request = ListPostsRequest {
            category: category.into(),
            instrument_code: "005930".to_owned(),
            ..list_of(0, PostOrder::Item)
        };
        let page = world.try_list(request).await.unwrap();
        assert_eq!(page.posts.len(), expected);
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn two_at_once_do_not_pass_the_rate(pool: PgPool) {
    let world = World::with(pool, Limits::default()).await;
    let contents: Vec<String> = (0..10).map(|number| format!("글 {number}")).collect();
    let at_once = contents
        .iter()
        .map(|content| world.try_post(new_post(MEMBER, content)));
    let answers = join_all(at_once).await;
    let (written, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
    assert_eq!(written.len(), 3);
    for answer in refused {
        let status = answer.unwrap_err();
        let problem = bootstrap::problem::of(&status).unwrap();
        assert_eq!(problem.reason, "WRITING_RATE");
        assert_eq!(problem.facts["retryAfter"], "600");
    }
    // Deleting makes no room.
    let post = written.into_iter().next().unwrap().unwrap();
    world.delete(MEMBER, post.id).await.unwrap();
    let again = world.try_post(new_post(MEMBER, "하나 더")).await;
    assert_eq!(reason(again), "WRITING_RATE");
    world.try_post(new_post(OTHER, "남의 글")).await.unwrap();
    world.pass(TimeDelta::minutes(10));
    world.post(MEMBER, "하나 더").await;
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn the_operator_has_written_two_notices(pool: PgPool) {
    let world = World::new(pool).await;
    let notices = proto::community::v1::ListPostsRequest {
        category: Category::Notice.into(),
        ..list_of(0, PostOrder::Latest)
    };
    let page = world.try_list(notices).await.unwrap();
    assert_eq!(page.posts.len(), 2);
    for notice in page.posts {
        assert_eq!(notice.author_id, 23_488);
        assert!(notice.content.contains("투자 권유가 아니"));
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_change_beside_a_deletion_is_answered_as_it_was_stored(pool: PgPool) {
    // The deletion waits for the connection of the change, and is next.
    let options = pool.connect_options().as_ref().clone();
    let one = PgPoolOptions::new().max_connections(1);
    let world = World::new(one.connect_with(options).await.unwrap()).await;
    for round in 0..20 {
        let post = world.post(MEMBER, &format!("처음 {round}")).await;
        let content = format!("다시 {round}");
        let mut posts = world.posts.clone();
        let (changed, deleted) = tokio::join!(
            posts.update_post(change(MEMBER, post.id, &content)),
            async {
                tokio::time::sleep(Duration::from_micros(250 * round)).await;
                world.delete(MEMBER, post.id).await
            }
        );
        deleted.unwrap();
        let stored: String = sqlx::query_scalar("select content from post where id = $1")
            .bind(post.id)
            .fetch_one(&world.pool)
            .await
            .unwrap();
        assert_eq!(changed.is_ok(), stored == content, "{changed:?}");
    }
}
