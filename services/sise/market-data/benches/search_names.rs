//! Time of a search among 100,000 names in memory, compared with `LIKE '%…%'` in PostgreSQL on a
//! table of the same names, for the same queries in turn.
//!
//! `DATABASE_URL=… cargo bench -p market-data --bench search_names`. Creates and drops a database
//! of its own. The last line is JSON: a ratio per round, and our slowest times.
#![expect(
    clippy::unwrap_used,
    clippy::float_arithmetic,
    clippy::as_conversions,
    reason = "a measurement that cannot be made must stop, and its results are ratios"
)]

use std::time::{Duration, Instant};

use clap::Parser;
use market_data::catalogue::{Catalogue, Instrument};
use market_data::config::MarketFeed;
use market_data::search::SearchIndex;
use sqlx::PgPool;
use testkit::TempDatabase;

#[derive(Parser)]
struct Settings {
    /// A role that may create databases.
    #[arg(long, env = "DATABASE_URL")]
    database_url: String,
    /// Number of names.
    #[arg(long, env = "BENCH_NAMES", default_value_t = 100_000)]
    names: usize,
    /// Measured rounds, after one warm-up.
    #[arg(long, env = "BENCH_ROUNDS", default_value_t = 5)]
    rounds: usize,
    /// Given by `cargo bench`.
    #[arg(long, hide = true)]
    bench: bool,
}

// Typical queries: one and two characters, which many names contain, whole names, prefixes,
// substrings, a code, English, and queries that only our search answers (initial consonants, a
// half-typed syllable, a typo), for which LIKE still scans every name.
const TEXTS: [&str; 24] = [
    "ㄱ",
    "ㅎㄴ",
    "하",
    "하늘",
    "c",
    "co",
    "0",
    "조으",
    "삼성전자",
    "삼성",
    "전자",
    "성전",
    "하이닉스",
    "현대차",
    "005930",
    "apple",
    "바이오",
    "금융지주",
    "에너지솔루션",
    "ㅅㅅㅈㅈ",
    "ㅎㄷㅊ",
    "삼성저",
    "하이닉서",
    "없는이름",
];
// Sorted, as paging requires.
const LIKE: &str = "select code from names where name like '%' || $1 || '%' order by name limit 20";
const SYLLABLES: [&str; 40] = [
    "가온", "나래", "다솜", "라온", "마루", "바른", "사랑", "아름", "자람", "차오", "카이", "타라",
    "파란", "하늘", "그린", "노블", "도담", "로완", "모든", "보람", "소리", "오름", "조은", "초록",
    "코어", "토마", "포근", "호연", "기운", "누리", "두레", "루나", "무한", "부강", "수성", "우진",
    "주원", "추진", "쿠키", "투명",
];

#[tokio::main]
async fn main() {
    let settings = Settings::parse();
    let database = TempDatabase::create(&settings.database_url, 1).await;
    measure(&database.pool, &settings).await;
    database.remove().await;
}

async fn measure(pool: &PgPool, settings: &Settings) {
    let instruments = many(settings.names);
    let rows: Vec<(String, String)> = instruments
        .iter()
        .map(|one| (one.code.clone(), one.korean_name.clone()))
        .collect();
    fill(pool, rows).await;
    let universe = MarketFeed::Builtin.seed().read().unwrap();
    let catalogue = Catalogue::new(instruments, universe.indices, universe.currencies);
    let index = SearchIndex::new(&catalogue);

    let mut ratios = Vec::new();
    let mut ours: Vec<Duration> = Vec::new();
    for round in 0..=settings.rounds {
        let (mut ours_s, mut theirs_s) = (0.0, 0.0);
        for text in TEXTS {
            let started = Instant::now();
            let found = index.find(text, &[], &[], 1);
            let took = started.elapsed();
            std::hint::black_box(found);
            let started = Instant::now();
            let like: Vec<(String,)> = sqlx::query_as(LIKE)
                .bind(text)
                .fetch_all(pool)
                .await
                .unwrap();
            theirs_s += started.elapsed().as_secs_f64();
            std::hint::black_box(like);
            ours_s += took.as_secs_f64();
            if round > 0 {
                ours.push(took);
            }
        }
        let ratio = theirs_s / ours_s;
        let each = 1e6 / TEXTS.len() as f64;
        println!(
            "round {round}: {:.0} µs each, LIKE {:.0} µs each, ratio {ratio:.1}",
            ours_s * each,
            theirs_s * each
        );
        if round > 0 {
            ratios.push(ratio);
        }
    }
    ours.sort_unstable();
    let p99 = ours.get(ours.len() * 99 / 100).unwrap();
    println!(
        "{}",
        serde_json::json!({ "ratios": ratios, "p99Ms": p99.as_secs_f64() * 1_000.0 })
    );
}

/// The real instruments, and generated ones up to `count`.
fn many(count: usize) -> Vec<Instrument> {
    let real = MarketFeed::Builtin.seed().read().unwrap().instruments;
    let model = real.first().unwrap().clone();
    let made_up = (0..count.saturating_sub(real.len())).map(|number| {
        let syllable = |place: usize| {
            SYLLABLES
                .get(number / 40_usize.pow(place as u32) % 40)
                .unwrap()
        };
        Instrument {
            code: format!("Z{number:07}"),
            korean_name: format!("{}{}{}", syllable(0), syllable(1), syllable(2)),
            english_name: format!("Company {number}"),
            aliases: Vec::new(),
            ..model.clone()
        }
    });
    real.iter().cloned().chain(made_up).collect()
}

async fn fill(pool: &PgPool, rows: Vec<(String, String)>) {
    sqlx::query("create table names (code text primary key, name text not null)")
        .execute(pool)
        .await
        .unwrap();
    let (codes, names): (Vec<String>, Vec<String>) = rows.into_iter().unzip();
    sqlx::query("insert into names select * from unnest($1::text[], $2::text[])")
        .bind(codes)
        .bind(names)
        .execute(pool)
        .await
        .unwrap();
    sqlx::query("vacuum analyze names")
        .execute(pool)
        .await
        .unwrap();
}
