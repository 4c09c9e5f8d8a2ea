//! What a day of learning asks of the service: the first sets of many members, answers in a closed
//! loop and at a fixed rate, and the search over ten times the content.
//!
//! `DATABASE_URL=… cargo bench -p education --bench learning`. Creates and drops a database of its
//! own and serves from this process; trading and the broker take no part. The last line is JSON.
#![expect(
    clippy::unwrap_used,
    clippy::float_arithmetic,
    clippy::as_conversions,
    reason = "a measurement that cannot be made must stop, and its results are rates"
)]

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Parser;
use education::grpc::Service;
use education::repair::Repairs;
use education::store::Store;
use education::{Content, Library};
use kernel::SystemClock;
use proto::education::v1::quiz_service_client::QuizServiceClient;
use proto::education::v1::{AnswerRequest, OpenRandomSetRequest, QuizSet};
use testkit::TempDatabase;
use tokio::task::JoinSet;
use tonic::transport::Channel;

#[derive(Clone, Debug, Parser)]
struct Settings {
    /// A role that may create databases.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    database_url: String,
    /// Members who open their first set. Each set has five questions.
    #[arg(long, default_value_t = 20_000)]
    members: i64,
    /// Measured rounds.
    #[arg(long, env = "BENCH_ROUNDS", default_value_t = 5)]
    rounds: usize,
    /// Calls in flight of the closed loop.
    #[arg(long, default_value_t = 32)]
    in_flight: usize,
    /// Answers a second of the fixed rate.
    #[arg(long, default_value_t = 2_000)]
    rate: u32,
    /// Given by `cargo bench`.
    #[arg(long, hide = true)]
    bench: bool,
}

const CONNECTIONS: usize = 8;
/// As the service has by default.
const POOL: u32 = 4;
const FIRST_MEMBER: i64 = 100_000;
const OF_A_ROUND: usize = 8_000;
const COPIES: usize = 10;
const TEXTS: [&str; 12] = [
    "주식",
    "예금",
    "etf",
    "ㅂㄷㅅ",
    "배당",
    "금리가",
    "환율",
    "분산",
    "없는말",
    "세금",
    "ㅇㄱ",
    "손절",
];

#[tokio::main]
async fn main() {
    let settings = Settings::parse();
    let database = TempDatabase::create(&settings.database_url, POOL).await;
    education::MIGRATOR.run(&database.pool).await.unwrap();
    let content = Content::embedded().unwrap();
    let right = right_answers(&content);
    let library = Arc::new(Library::new(content).unwrap());
    let store = Store::new(database.pool.clone(), library, Arc::new(SystemClock));
    let repairs = Repairs::connect(store.clone(), "http://127.0.0.1:1").unwrap();
    let served = testkit::serve(Service::new(store, repairs).into_routes()).await;
    let mut clients = Vec::new();
    for _ in 0..CONNECTIONS {
        clients.push(
            QuizServiceClient::connect(served.url.clone())
                .await
                .unwrap(),
        );
    }

    let (sets, first_sets_s) = first_sets(&clients, &settings).await;
    println!("{} first sets in {first_sets_s:.1} s", sets.len());
    let mut answers = in_turn(&sets, &right).into_iter();
    let (mut rates, mut p99s_ms) = (Vec::new(), Vec::new());
    for round in 1..=settings.rounds {
        let of_round = answers.by_ref().take(OF_A_ROUND).collect();
        let rate = closed_loop(&clients, of_round, settings.in_flight).await;
        let of_round = answers.by_ref().take(OF_A_ROUND).collect();
        let p99_ms = fixed_rate(&clients, of_round, settings.rate).await;
        println!(
            "round {round}: {rate:.0} answers a second; at {} a second p99 {p99_ms:.1} ms",
            settings.rate
        );
        rates.push(rate);
        p99s_ms.push(p99_ms);
    }
    let search_p99_ms = search();
    println!("search over {COPIES} times the content: p99 {search_p99_ms:.2} ms");
    println!(
        "{}",
        serde_json::json!({
            "firstSetsSeconds": first_sets_s,
            "answersPerSecond": rates,
            "p99Ms": p99s_ms,
            "searchP99Ms": search_p99_ms,
        })
    );
    database.remove().await;
}

/// The keys of the right options, by quiz.
fn right_answers(content: &Content) -> HashMap<String, Vec<String>> {
    let of = |quiz: &education::content::Quiz| {
        let keyed = (1..).zip(&quiz.options);
        let right = keyed.filter(|(_, option)| option.is_right);
        right.map(|(key, _): (i32, _)| key.to_string()).collect()
    };
    let quizzes = content.quizzes.iter();
    quizzes.map(|(id, quiz)| (id.clone(), of(quiz))).collect()
}

async fn first_sets(
    clients: &[QuizServiceClient<Channel>],
    settings: &Settings,
) -> (Vec<(i64, QuizSet)>, f64) {
    let started = Instant::now();
    let mut sets = Vec::new();
    let mut calls = JoinSet::new();
    for (member, client) in (FIRST_MEMBER..)
        .take(settings.members as usize)
        .zip(clients.iter().cycle())
    {
        if calls.len() >= settings.in_flight {
            sets.push(calls.join_next().await.unwrap().unwrap());
        }
        let mut client = client.clone();
        calls.spawn(async move {
            let request = OpenRandomSetRequest { member_id: member };
            (
                member,
                client.open_random_set(request).await.unwrap().into_inner(),
            )
        });
    }
    sets.extend(calls.join_all().await);
    (sets, started.elapsed().as_secs_f64())
}

/// The first question of every member, then the second, and so on. Every fourth answer is wrong
/// where that can be said with one key.
fn in_turn(sets: &[(i64, QuizSet)], right: &HashMap<String, Vec<String>>) -> Vec<AnswerRequest> {
    let questions = sets.iter().map(|(_, set)| set.quizzes.len()).max();
    let mut requests = Vec::new();
    for place in 0..questions.unwrap_or_default() {
        for (member, set) in sets {
            let Some(quiz) = set.quizzes.get(place) else {
                continue;
            };
            let mut answers = right.get(&quiz.quiz_id).unwrap().clone();
            if requests.len() % 4 == 3 && answers == ["1"] {
                answers = vec!["2".to_owned()];
            }
            requests.push(AnswerRequest {
                member_id: *member,
                member_education_id: quiz.member_education_id,
                answers,
                ..AnswerRequest::default()
            });
        }
    }
    requests
}

/// Answers a second.
async fn closed_loop(
    clients: &[QuizServiceClient<Channel>],
    requests: Vec<AnswerRequest>,
    in_flight: usize,
) -> f64 {
    let count = requests.len();
    let started = Instant::now();
    let mut calls = JoinSet::new();
    for (request, client) in requests.into_iter().zip(clients.iter().cycle()) {
        if calls.len() >= in_flight {
            calls.join_next().await.unwrap().unwrap();
        }
        let mut client = client.clone();
        calls.spawn(async move {
            client.answer(request).await.unwrap();
        });
    }
    calls.join_all().await;
    count as f64 / started.elapsed().as_secs_f64()
}

/// The 99th percentile of the time from when an answer was due until it was graded.
async fn fixed_rate(
    clients: &[QuizServiceClient<Channel>],
    requests: Vec<AnswerRequest>,
    rate: u32,
) -> f64 {
    let started = Instant::now();
    let pause = Duration::from_secs(1) / rate;
    let mut calls = JoinSet::new();
    for ((number, request), client) in (0..).zip(requests).zip(clients.iter().cycle()) {
        let due = started + pause * number;
        tokio::time::sleep_until(due.into()).await;
        let mut client = client.clone();
        calls.spawn(async move {
            client.answer(request).await.unwrap();
            due.elapsed()
        });
    }
    p99_ms(calls.join_all().await)
}

fn search() -> f64 {
    let mut content = Content::embedded().unwrap();
    let articles: Vec<_> = content.articles.values().cloned().collect();
    for copy in 1..COPIES {
        for article in &articles {
            let mut article = article.clone();
            article.id = format!("{}-{copy}", article.id);
            content.articles.insert(article.id.clone(), article);
        }
    }
    let library = Library::new(content).unwrap();
    let mut times = Vec::new();
    for _ in 0..50 {
        for text in TEXTS {
            let started = Instant::now();
            std::hint::black_box(library.search(text, 20));
            times.push(started.elapsed());
        }
    }
    p99_ms(times)
}

fn p99_ms(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    let p99 = times.get(times.len() * 99 / 100).unwrap();
    p99.as_secs_f64() * 1_000.0
}
