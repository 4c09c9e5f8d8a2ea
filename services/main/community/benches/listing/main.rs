//! Lists of posts, a post with its comments and the 5,000th page beside Lemmy's way of the same over
//! the same rows: a stored hot rank with an index, aggregates in tables of their own that are joined,
//! and pages by OFFSET. Then likes of many at once, and pages while the service answers.
//!
//! `DATABASE_URL=… cargo bench -p community --bench listing`. Creates and drops a database of its
//! own and serves from this process. The last line is JSON.
#![expect(
    clippy::unwrap_used,
    clippy::float_arithmetic,
    clippy::as_conversions,
    reason = "a measurement that cannot be made must stop, and its results are rates"
)]

mod peer;

use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Parser;
use community::domain::cursor::{CursorKind, Key};
use community::domain::writing::Limits;
use community::grpc::Service;
use community::pictures::files::Files;
use community::store::{PostOrder, PostQuery, Store};
use futures_util::future::join_all;
use kernel::{MemberId, SystemClock};
use proto::community::v1::post_service_client::PostServiceClient;
use proto::community::v1::{LikePostRequest, ListPostsRequest, PostOrder as WireOrder};
use sqlx::{AssertSqlSafe, PgPool};
use testkit::TempDatabase;
use tonic::transport::Channel;

use peer::Peer;

#[derive(Clone, Debug, Parser)]
struct Settings {
    /// A role that may create databases.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    database_url: String,
    #[arg(long, env = "BENCH_POSTS", default_value_t = 1_000_000)]
    posts: i64,
    #[arg(long, env = "BENCH_COMMENTS", default_value_t = 5_000_000)]
    comments: i64,
    /// Ours and the peer take turns in each.
    #[arg(long, env = "BENCH_ROUNDS", default_value_t = 5)]
    rounds: usize,
    /// Of the page that is far, 20 posts each.
    #[arg(long, env = "BENCH_PAGE", default_value_t = 5_000)]
    page: i64,
    /// Given by `cargo bench`.
    #[arg(long, hide = true)]
    bench: bool,
}

const CONNECTIONS: usize = 8;
/// As the service has by default.
const POOL: u32 = 4;
const SIZE: i64 = 20;
const FIRST_MEMBER: i64 = 1_000_000;
const MEMBERS: i64 = 20_000;
/// Of one side in a round.
const LISTS: i64 = 400;
const POSTS: i64 = 200;
const FAR_LISTS: i64 = 100;
/// The peer reads everything before it.
const FAR_LISTS_OF_PEER: i64 = 5;
const LIKING: i64 = 500;
const SERVED_LISTS: i64 = 1_000;
const ROWS: &str = include_str!("rows.sql");

#[tokio::main]
async fn main() {
    let settings = Settings::parse();
    let database = TempDatabase::create(&settings.database_url, POOL).await;
    let pool = &database.pool;
    community::MIGRATOR.run(pool).await.unwrap();
    make_rows(pool, &settings).await;
    let store = Store::new(pool.clone(), Limits::default(), Arc::new(SystemClock));
    let peer = Peer::new(pool.clone());
    let start = Key::start(CursorKind::Rank);
    let far = far_key(pool, &settings).await;
    let mut results = Results::default();
    for round in 0..=settings.rounds {
        let ours = rate(LISTS, |number| list(&store, number, start)).await;
        let theirs = rate(LISTS, |number| peer.list(viewer(number), 0)).await;
        let our_post = rate(POSTS, |number| post(&store, &settings, number)).await;
        let their_post = rate(POSTS, |number| {
            let id = discussed(&settings, number);
            peer.post(viewer(number), id)
        });
        let their_post = their_post.await;
        let our_far = rate(FAR_LISTS, |number| list(&store, number, far)).await;
        let offset = (settings.page - 1) * SIZE;
        let their_far = rate(FAR_LISTS_OF_PEER, |number| {
            peer.list(viewer(number), offset)
        });
        let their_far = their_far.await;
        println!(
            "{}: lists {ours:.0} / {theirs:.0} a second, posts with comments {our_post:.0} / {their_post:.0}, page {} {our_far:.0} / {their_far:.1}",
            if round == 0 {
                "warm-up".to_owned()
            } else {
                format!("round {round}")
            },
            settings.page
        );
        if round > 0 {
            results.list.push(ours / theirs);
            results.post.push(our_post / their_post);
            results.far.push(our_far / their_far);
            results.far_over_first.push(ours / our_far);
        }
    }
    measure_served(store, &settings, &mut results).await;
    println!("{}", results.json());
    database.remove().await;
}

#[derive(Default)]
struct Results {
    /// Ratios of our calls a second to those of the peer.
    list: Vec<f64>,
    post: Vec<f64>,
    far: Vec<f64>,
    /// Time of the far page to that of the first.
    far_over_first: Vec<f64>,
    likes_p99_ms: Vec<f64>,
    list_p99_ms: Vec<f64>,
}

impl Results {
    fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "list": self.list,
            "post": self.post,
            "far": self.far,
            "farOverFirst": self.far_over_first,
            "likesP99Ms": self.likes_p99_ms,
            "listP99Ms": self.list_p99_ms,
        })
    }
}

async fn make_rows(pool: &PgPool, settings: &Settings) {
    let started = Instant::now();
    let rows = ROWS
        .replace(":posts", &settings.posts.to_string())
        .replace(":comments", &settings.comments.to_string());
    sqlx::raw_sql(AssertSqlSafe(rows))
        .execute(pool)
        .await
        .unwrap();
    sqlx::raw_sql("vacuum analyze").execute(pool).await.unwrap();
    println!(
        "{} posts and {} comments in {:.0} s",
        settings.posts,
        settings.comments,
        started.elapsed().as_secs_f64()
    );
}

/// Behind which the far page begins.
async fn far_key(pool: &PgPool, settings: &Settings) -> Key {
    let (rank, id): (i64, i64) = sqlx::query_as(
        "select rank, id from post where publication = 'PUBLISHED' and deleted_at is null \
         order by rank desc, id desc limit 1 offset $1",
    )
    .bind((settings.page - 1) * SIZE - 1)
    .fetch_one(pool)
    .await
    .unwrap();
    Key::ranked(rank, id)
}

fn viewer(number: i64) -> i64 {
    FIRST_MEMBER + number * 37 % MEMBERS
}

/// A post with many comments.
fn discussed(settings: &Settings, number: i64) -> i64 {
    let many = (settings.posts / 100).max(1);
    100 * (1 + number * 31 % many)
}

async fn list(store: &Store, number: i64, after: Key) {
    let query = PostQuery {
        viewer: MemberId(viewer(number)),
        category: None,
        order: PostOrder::Hot,
        after,
        skipped: 0,
        size: SIZE as usize,
    };
    let page = store.posts(&query).await.unwrap();
    assert_eq!(page.posts.len(), SIZE as usize);
}

async fn post(store: &Store, settings: &Settings, number: i64) {
    let viewer = MemberId(viewer(number));
    let id = discussed(settings, number);
    store.post(viewer, id).await.unwrap();
    let start = Key::start(CursorKind::Oldest);
    let page = store.comments(viewer, id, start).await.unwrap();
    assert!(!page.threads.is_empty());
}

/// Calls a second, one after another.
async fn rate<F: Future<Output = ()>>(count: i64, call: impl Fn(i64) -> F) -> f64 {
    let started = Instant::now();
    for number in 0..count {
        call(number).await;
    }
    count as f64 / started.elapsed().as_secs_f64()
}

/// Over gRPC, as the gateway calls.
async fn measure_served(store: Store, settings: &Settings, results: &mut Results) {
    let folder = std::env::temp_dir().join(format!("seedup-bench-{}", std::process::id()));
    let files = Files::open(&format!("file://{}", folder.display()), 0).unwrap();
    let served = testkit::serve(Service::new(store, files).unwrap().into_routes()).await;
    let mut clients = Vec::new();
    for _ in 0..CONNECTIONS {
        let client = PostServiceClient::connect(served.url.clone()).await;
        clients.push(client.unwrap());
    }
    for round in 1..=settings.rounds {
        let newest = settings.posts - round as i64;
        let likes = likes_at_once(&clients, newest).await;
        let lists = served_lists(&clients).await;
        println!(
            "round {round}: {LIKING} likes at once p99 {likes:.1} ms, a page of a list p99 {lists:.2} ms"
        );
        results.likes_p99_ms.push(likes);
        results.list_p99_ms.push(lists);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

async fn likes_at_once(clients: &[PostServiceClient<Channel>], post_id: i64) -> f64 {
    let likes = (0..LIKING).zip(clients.iter().cycle());
    let likes = likes.map(async |(number, client)| {
        let started = Instant::now();
        let request = LikePostRequest {
            // Who has blocked nobody.
            member_id: FIRST_MEMBER + MEMBERS + number,
            post_id,
            liked: true,
        };
        client.clone().like_post(request).await.unwrap();
        started.elapsed()
    });
    p99_ms(join_all(likes).await)
}

/// Lists of every order and category, two at a time.
async fn served_lists(clients: &[PostServiceClient<Channel>]) -> f64 {
    let half = async |from: i64, client: &PostServiceClient<Channel>| {
        let mut times = Vec::new();
        for number in (from..SERVED_LISTS).step_by(2) {
            let order = match number % 3 {
                0 => WireOrder::Hot,
                1 => WireOrder::Latest,
                _ => WireOrder::Follow,
            };
            let request = ListPostsRequest {
                viewer_id: viewer(number),
                order: order.into(),
                category: i32::try_from(number / 2 % 6).unwrap(),
                size: SIZE as i32,
                ..ListPostsRequest::default()
            };
            let started = Instant::now();
            client.clone().list_posts(request).await.unwrap();
            times.push(started.elapsed());
        }
        times
    };
    let (first, last) = (clients.first().unwrap(), clients.last().unwrap());
    let (mut times, others) = tokio::join!(half(0, first), half(1, last));
    times.extend(others);
    p99_ms(times)
}

fn p99_ms(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    let p99 = times.get(times.len() * 99 / 100).unwrap();
    p99.as_secs_f64() * 1_000.0
}
