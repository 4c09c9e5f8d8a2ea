//! How many rows PostgreSQL touches for each statement once the tables have grown: never more than a
//! few pages, whoever asks.

mod floods;

use std::sync::{Arc, LazyLock};

use chrono::TimeDelta;
use community::MIGRATOR;
use community::domain::cursor::{CursorKind, Key};
use community::domain::moderation::Decision;
use community::store::{NewAppeal, TextRef, WaitingFor};
use kernel::{MemberId, RequestId};
use parking_lot::Mutex;
use proto::community::v1::report_request::Subject;
use proto::community::v1::{
    ActivityKind, Category, CountNewPostsRequest, GetActivityRequest, ListActivityRequest,
    ListBlockedRequest, ListPostsRequest, ListRepliesRequest, ListTopPostsRequest, PostOrder,
};
use serde_json::Value;
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt};

use crate::picture_calls::{comment_with, post_with};
use crate::world::{World, fresh_id, list_of, new_comment, new_post, new_reply, start};

/// 100,000 posts of 700 days, the newest last, with what belongs to them; some are held or deleted.
/// Everybody follows and blocks a few, and one member a hundred who write much.
const ROWS: &str = "
    begin;
    set local session_replication_role = replica;
    insert into post (author_id, category, content, publication, created_at, deleted_at, rank,
            ranked_at, like_count, comment_count)
        select 1000000 + n % 20000,
            (array['FREE', 'STOCK', 'COIN', 'PRODUCT', 'STUDY'])[1 + n % 5], 'x',
            case when n % 50 = 0 then 'HELD' else 'PUBLISHED' end, at,
            case when n % 20 = 1 then at + interval '1 hour' end,
            hot_rank(n % 7, n % 3, at, '2026-12-01'), '2026-12-01', 2 + n % 7, 3 + n % 3
        from generate_series(1, 100000) n,
            lateral (select timestamptz '2026-12-01' - (100001 - n) * interval '10 minutes' as at) t;
    insert into post (author_id, category, content, publication, created_at, ranked_at, like_count)
        select 1500000 + n % 100, 'FREE', 'x', 'PUBLISHED',
            '2026-10-01'::timestamptz + n * interval '1 second', '2026-12-01', 2
        from generate_series(1, 4000) n;
    insert into post_tag (post_id, code, place, is_held, created_at, category)
        select id, 'CODE' || id % 500, 1, false, created_at, category from post;
    insert into post_tag (post_id, code, place, is_held, created_at, category)
        select id, 'BUSY', 2, false, created_at, category from post where category = 'FREE';
    insert into post_like (post_id, member_id, created_at)
        select id, 1000000 + (id * 7 + n) % 20000, created_at from post, generate_series(1, 2) n;
    insert into withdrawn_like
        select 1000000 + n % 20000, 1 + n % 100000, '2026-11-01' from generate_series(1, 100000) n;
    insert into comment (post_id, author_id, content, publication, created_at, reply_count)
        select 3 + n % 100000, 1000000 + n % 19999, 'x', 'PUBLISHED', '2026-11-01'::timestamptz
            + n * interval '1 second', 1 from generate_series(0, 149999) n;
    insert into comment (post_id, parent_id, author_id, content, publication, created_at)
        select post_id, id, 1000000 + id % 777, 'x', 'PUBLISHED', created_at + interval '1 day'
        from comment;
    insert into member select 1000000 + n, '2026-11-01' from generate_series(0, 99999) n;
    insert into follow select 1000000 + n % 20000, 1000000 + (n * 13) % 20000, '2026-11-01'
        from generate_series(1, 100000) n on conflict do nothing;
    insert into follow select 1900009, 1500000 + n, '2026-11-01' from generate_series(0, 99) n;
    insert into block select 1000000 + n % 20000, 1000000 + (n * 17 + 1) % 20000, '2026-11-01'
        from generate_series(1, 100000) n on conflict do nothing;
    insert into report (member_id, post_id, reason, text, weight, created_at)
        select 1000000 + id % 20000, id, 'SPAM', '', 1, created_at from post;
    insert into reported_text (post_id, version, content, reported_at)
        select id, 1, 'x', '2026-11-30' from post;
    insert into text_edit (post_id, edit_times)
        select id, array[case when id % 50 = 0 then timestamptz '2026-11-01' else '2026-12-01' end]
        from post;
    insert into moderation_step (post_id, kind, version, rule, reason, operator, created_at)
        select id, 'UPHELD', 1, 'SPAM', 'x', 'kim', created_at from post;
    insert into moderation_step (comment_id, kind, version, rule, reason, operator, created_at)
        select id, 'DISMISSED', 1, 'SPAM', 'x', 'kim', created_at from comment where id % 10 = 0;
    update report set upheld = post_id % 4 = 0, told_at = created_at, step_id =
        (select min(id) from moderation_step s where s.post_id = report.post_id)
        where post_id % 2 = 0;
    insert into sanction (member_id, post_id, rung, rule, reason, begins_at, ends_at)
        select 1000000 + id % 20000, id, 2, 'SPAM', 'x', '2026-01-01', '2026-01-02'
        from post where id % 4 = 0;
    insert into appeal (member_id, post_id, text, created_at, decided_at, is_upheld)
        select author_id, id, 'x', created_at, case when id % 100 > 0 then created_at end,
            case when id % 100 > 0 then false end from post where id % 2 = 0;
    insert into restriction (post_id, version, publication_after, begins_at, ends_at, ended_at)
        select id, 1, 'PUBLISHED', '2026-01-01', '2026-01-31', '2026-01-31' from post;
    insert into post_mute select id, 1000000 + (id * 3) % 20000, '2026-11-01' from post;
    insert into request (member_id, request_id, body_hash, answer, created_at)
        select 1000000 + n % 20000, 'request' || n, '', '', '2026-11-30'
        from generate_series(1, 100000) n;
    insert into member_count select 1000000 + n, 100, 100, 100 from generate_series(0, 19999) n;
    insert into member_count select 1500000 + n, 100, 100, 100 from generate_series(0, 99) n;
    insert into picture (id, member_id, width, height, placeholder, created_at, stored_at, post_id,
            comment_id, place, unused_since)
        select gen_random_uuid(), author_id, 1, 1, '', created_at, created_at, id, null, n,
            case when n is null then timestamptz '2026-11-30' end
        from post, unnest(array[1, 2, null]) n where id % 2 = 0;
    insert into picture (id, member_id, width, height, placeholder, created_at, unused_since)
        select gen_random_uuid(), 1000000 + n % 20000, 1, 1, '', '2026-11-30', '2026-11-30'
        from generate_series(1, 100000) n;
    insert into upload_count select 1000000 + n, '2026-12-02', 1 from generate_series(0, 19999) n;
    commit;
    analyze";

/// What a page and its surroundings may cost.
const MOST_ROWS: i64 = 2_500;

/// What the server told of its plans.
static PLANS: LazyLock<Arc<Mutex<Vec<Value>>>> = LazyLock::new(Arc::default);

struct PlanReader;

struct Message(String);

impl Visit for Message {
    // As debug output it would be quoted, and no JSON.
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "message" {
            value.clone_into(&mut self.0);
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}");
        }
    }
}

impl<S: Subscriber> Layer<S> for PlanReader {
    fn on_event(&self, event: &Event<'_>, _context: Context<'_, S>) {
        if event.metadata().target() != "sqlx::postgres::notice" {
            return;
        }
        let mut message = Message(String::new());
        event.record(&mut message);
        let plan = message.0.find('{').map(|begin| &message.0[begin..]);
        if let Some(plan) = plan.and_then(|json| serde_json::from_str(json).ok()) {
            PLANS.lock().push(plan);
        }
    }
}

/// Connections on which the server explains what every statement did.
async fn explained(pool: &PgPool) -> PgPool {
    let options = pool.connect_options().as_ref().clone().options([
        ("session_preload_libraries", "auto_explain"),
        ("auto_explain.log_min_duration", "0"),
        ("auto_explain.log_analyze", "on"),
        ("auto_explain.log_timing", "off"),
        ("auto_explain.log_format", "json"),
        ("client_min_messages", "log"),
        // The large tables fit the memory of a test, and must not look cheap for it.
        ("effective_cache_size", "64MB"),
    ]);
    let pool = PgPoolOptions::new().max_connections(4);
    pool.connect_with(options).await.unwrap()
}

/// The rows that a node of a plan touched, also those that it threw away.
fn most_touched(plan: &Value) -> i64 {
    let number = |name: &str| plan[name].as_i64().unwrap_or_default();
    let rows = number("Actual Rows") + number("Rows Removed by Filter");
    let is_read = plan["Relation Name"].is_string();
    let own = if is_read {
        rows * number("Actual Loops")
    } else {
        0
    };
    let below = plan["Plans"].as_array().into_iter().flatten();
    let below = below.map(most_touched).max().unwrap_or_default();
    below.max(own)
}

fn costly() -> Vec<(i64, String)> {
    let plans = PLANS.lock();
    let touched = plans.iter().map(|explained| {
        let text = explained["Query Text"].as_str().unwrap_or_default();
        (most_touched(&explained["Plan"]), text.to_owned())
    });
    touched.filter(|(rows, _)| *rows > MOST_ROWS).collect()
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn no_statement_touches_more_than_a_few_pages(pool: PgPool) {
    let subscriber = tracing_subscriber::registry().with(PlanReader);
    tracing::subscriber::set_global_default(subscriber).unwrap();
    sqlx::raw_sql(ROWS).execute(&pool).await.unwrap();
    sqlx::raw_sql(floods::ROWS).execute(&pool).await.unwrap();
    let world = World::new(explained(&pool).await).await;
    // More often than a plan stays one for certain values.
    for member in 1_000_001..1_000_009 {
        members_read(&world, member).await;
        members_read(&world, 0).await;
        members_write(&world, member).await;
    }
    floods::members_read_and_write(&world).await;
    for number in 0..6 {
        moderators_decide(&world, 1_000_500 + number).await;
    }
    for category in [Category::Unspecified, Category::Free, Category::Coin] {
        sparse(&world, category).await;
    }
    assert!(PLANS.lock().len() > 200, "plans are seen");
    assert_eq!(costly(), []);
    for member in 1_000_900..1_000_908 {
        world.leave(member, member % 2 == 0).await;
    }
    // An upload that was never stored goes after an hour, and the erasure ends with the round after.
    for minutes in [6, 61, 6] {
        world.pass(TimeDelta::minutes(minutes));
        world.work().await;
    }
    let finished = "select count(*) from erasure where finished_at is not null";
    assert_eq!(world.count(finished).await, 8);
    let unreleased = "select count(*) from post_to_release";
    assert_eq!(world.count(unreleased).await, 0);
    assert_eq!(costly(), []);
    // What this would find if there were one.
    world
        .count("select count(*) from post where content = ''")
        .await;
    assert_eq!(costly().len(), 1);
}

async fn members_read(world: &World, viewer_id: i64) {
    let orders = [
        PostOrder::Latest,
        PostOrder::Hot,
        PostOrder::Item,
        PostOrder::Follow,
    ];
    for order in orders {
        for category in [Category::Unspecified, Category::Coin] {
            let mut request = ListPostsRequest {
                category: category.into(),
                instrument_code: "CODE7".to_owned(),
                ..list_of(viewer_id, order)
            };
            if viewer_id == 0 && order == PostOrder::Follow {
                continue;
            }
            for _ in 0..3 {
                let page = world.try_list(request.clone()).await.unwrap();
                request.cursor = page.cursor;
            }
        }
    }
    // The five thousandth page is as near as the first.
    let far = Key::at(start() - TimeDelta::days(650), 9_000);
    let request = ListPostsRequest {
        cursor: far.encode(CursorKind::Latest),
        ..list_of(viewer_id, PostOrder::Latest)
    };
    assert_eq!(world.try_list(request).await.unwrap().posts.len(), 20);
    for category in [Category::Unspecified, Category::Coin] {
        let top = ListTopPostsRequest {
            viewer_id,
            category: category.into(),
        };
        world.posts.clone().list_top_posts(top).await.unwrap();
        let count = CountNewPostsRequest {
            viewer_id,
            category: category.into(),
            after_post_id: 99_000,
        };
        world.posts.clone().count_new_posts(count).await.unwrap();
    }
    let seen = world.comments_of(viewer_id, 99_999).await;
    let replies = ListRepliesRequest {
        viewer_id,
        comment_id: seen[0].id,
        cursor: String::new(),
    };
    world.comments.clone().list_replies(replies).await.unwrap();
    let activity = GetActivityRequest {
        viewer_id,
        member_id: 1_000_500,
    };
    world.people.clone().get_activity(activity).await.unwrap();
    for kind in [ActivityKind::Post, ActivityKind::Comment] {
        let list = ListActivityRequest {
            viewer_id,
            member_id: 1_000_500,
            kind: kind.into(),
            cursor: String::new(),
        };
        world.people.clone().list_activity(list).await.unwrap();
    }
}

/// Moderators read lists and a text, decide about it, and its author reads that and appeals.
async fn moderators_decide(world: &World, member_id: i64) {
    for what in [
        WaitingFor::Publication,
        WaitingFor::Decision,
        WaitingFor::Appeal,
    ] {
        assert!(!world.store.waiting(what, 100).await.unwrap().is_empty());
    }
    let post = world.post(member_id, "새 글이에요").await.id;
    let comment = world.comment(member_id, post, "댓글이에요").await.id;
    for text in [TextRef::Post(post), TextRef::Comment(comment)] {
        let subject = match text {
            TextRef::Post(id) => Subject::PostId(id),
            TextRef::Comment(id) => Subject::CommentId(id),
        };
        world.report(1_900_001, subject).await.unwrap();
        world.store.case(text).await.unwrap();
        world.store.pictures_of_case(text).await.unwrap();
        world.store.reported_texts(text).await.unwrap();
        world.store.reports_of(text, 0).await.unwrap();
        world.store.steps_of(text).await.unwrap();
        let kinds = [Decision::Restrict, Decision::Dismiss, Decision::Lift];
        for kind in kinds {
            world.decide(text, kind, 1).await.unwrap();
        }
        world.report(1_900_002, subject).await.unwrap();
        world.decide(text, Decision::Uphold, 1).await.unwrap();
        world.store.hiding(MemberId(member_id), text).await.unwrap();
        let appeal = NewAppeal {
            member: MemberId(member_id),
            request: RequestId::parse(&fresh_id()).unwrap(),
            text,
            words: "다시 봐 주세요".to_owned(),
        };
        world.store.appeal(&appeal).await.unwrap();
        world.decide(text, Decision::Dismiss, 1).await.unwrap();
    }
    let member = MemberId(member_id);
    world.store.standing(member).await.unwrap();
    for on in [true, false] {
        world.store.set_mute(member, 99_999, on).await.unwrap();
    }
    let start = Key::start(CursorKind::Latest);
    world.store.own_reports(member, start).await.unwrap();
}

/// Lists that have thousands of posts, but few or none of some category.
async fn sparse(world: &World, category: Category) {
    for order in [PostOrder::Item, PostOrder::Follow] {
        let request = ListPostsRequest {
            category: category.into(),
            instrument_code: "BUSY".to_owned(),
            ..list_of(1_900_009, order)
        };
        let posts = world.try_list(request).await.unwrap().posts;
        assert_eq!(posts.is_empty(), category == Category::Coin);
    }
}

async fn members_write(world: &World, member: i64) {
    let pictures = [world.picture(member).await, world.picture(member).await];
    let [first, second] = pictures.each_ref().map(String::as_str);
    let with_picture = post_with(member, "사진이 있어요", &[first]);
    let illustrated = world.try_post(with_picture).await.unwrap().id;
    let with_picture = comment_with(member, illustrated, &[second]);
    world.try_comment(with_picture).await.unwrap();
    assert!(world.is_shown(first).await && world.is_shown(second).await);
    world.delete_picture(member, second).await.unwrap();
    world.delete(member, illustrated).await.unwrap();
    let post = world.post(member, "새 글이에요").await.id;
    let comment = world.comment(member, post, "댓글이에요").await.id;
    let again = new_post(member, "또 하나 써요");
    for _ in 0..2 {
        world.try_post(again.clone()).await.unwrap();
    }
    world
        .try_comment(new_comment(member, post, "네"))
        .await
        .unwrap();
    world
        .try_reply(new_reply(member, comment, "네"))
        .await
        .unwrap();
    for liked in [true, false] {
        world.like(member, 99_999, liked).await.unwrap();
        world.like_comment(member, comment, liked).await.unwrap();
        world.follow(member, 1_900_000, liked).await.unwrap();
        world.block(member, 1_900_001, liked).await.unwrap();
    }
    // Each another one: four reports would hide it.
    let reported = Subject::PostId(99_990 - 20 * (member - 1_000_000));
    world.report(member, reported).await.unwrap();
    let liked = ListActivityRequest {
        viewer_id: member,
        member_id: member,
        kind: ActivityKind::Like.into(),
        cursor: String::new(),
    };
    world.people.clone().list_activity(liked).await.unwrap();
    let blocked = ListBlockedRequest {
        member_id: member,
        cursor: String::new(),
    };
    world.people.clone().list_blocked(blocked).await.unwrap();
    world.delete_comment(member, comment).await.unwrap();
    world.delete(member, post).await.unwrap();
}
