//! Boards as the worker publishes them and members read them: in a real Redis, and the standing of an
//! hour in PostgreSQL.

use std::time::{Duration, Instant};

use bootstrap::redis;
use kernel::MemberId;
use kernel::{Clock, SystemClock};
use proto::trading::v1::BoardRow;
use serde_json::{Value, json};
use sqlx::PgPool;
use trading::competitions::board::{self, PAGE};
use trading::competitions::ranking::Ranked;
use trading::competitions::standings::Edition;
use trading::competitions::{Board, BoardKind, BoardQuery, LiveBoards, Slices};

use super::ROUNDS;

/// No event has this number.
const EVENT: i64 = 0;
const COMPETITION: &str = "
    insert into competition (id, kind, title, starts_at, ends_at, join_from, join_until,
            start_cash_won, created_at)
        overriding system value
        values (0, 'OFFICIAL', '벤치', now(), now() + interval '30 days', now(),
            now() + interval '7 days', 10000000, now())";
const READS: i64 = 2_000;
/// As the worker waits for Redis.
const WRITTEN_WITHIN: Duration = Duration::from_secs(5);
/// Places around one's own, with it.
const AROUND: usize = 11;

/// Writes both boards once, and reads them again and again.
pub(crate) async fn in_redis(url: &str, ranked: &[(BoardKind, Vec<Ranked>)]) -> Value {
    let redis = redis::connect(url);
    let writer = LiveBoards::new(redis.clone().with_timeout(WRITTEN_WITHIN));
    let begun = Instant::now();
    for (kind, ranked) in ranked {
        let rows: Vec<BoardRow> = ranked.iter().map(|one| board::row(one, None)).collect();
        let now = SystemClock.now();
        let at = (now.timestamp_micros(), now);
        assert!(writer.write(EVENT, *kind, &rows, at).await);
    }
    let written = begun.elapsed();
    let reader = LiveBoards::new(redis);
    let (_, ranked) = ranked.first().unwrap();
    let (mut pages, mut around) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        pages.push(
            slowest(&reader, ranked, round, |one| {
                BoardQuery::After(one.place - 1)
            })
            .await,
        );
        around.push(slowest(&reader, ranked, round, |_| BoardQuery::AroundMe).await);
    }
    json!({ "writtenMs": millis(written), "pageUs": pages, "aroundUs": around })
}

/// The 99th of a hundred reads in microseconds, each by another member.
async fn slowest(
    reader: &LiveBoards,
    ranked: &[Ranked],
    round: usize,
    query: impl Fn(&Ranked) -> BoardQuery,
) -> u64 {
    let count = i64::try_from(ranked.len()).unwrap();
    let mut times = Vec::new();
    for read in 0..READS {
        // Members all over the board.
        let index = (read * 7_919 + i64::try_from(round).unwrap() * 104_729) % count;
        let one = ranked.get(usize::try_from(index).unwrap()).unwrap();
        let query = query(one);
        let begun = Instant::now();
        let board = reader.read(EVENT, BoardKind::Return, one.member_id, query);
        let board = board.await.unwrap();
        times.push(begun.elapsed());
        check(&board, one, query, count);
    }
    times.sort_unstable();
    let p99 = times.get(times.len() * 99 / 100).unwrap();
    u64::try_from(p99.as_micros()).unwrap()
}

fn check(board: &Board, reader: &Ranked, query: BoardQuery, count: i64) {
    let mine = board.mine.as_ref().unwrap();
    assert_eq!(
        (MemberId(mine.member_id), mine.place),
        (reader.member_id, reader.place)
    );
    let is_inner = i64::from(reader.place - PAGE) > 0 && i64::from(reader.place + PAGE) < count;
    let rows = match query {
        BoardQuery::After(_) => usize::try_from(PAGE).unwrap(),
        BoardQuery::AroundMe => AROUND,
    };
    assert!(!is_inner || board.rows.len() == rows);
}

/// Stores both boards as the standing of a day.
pub(crate) async fn in_postgres(url: &str, ranked: &[(BoardKind, Vec<Ranked>)]) -> u64 {
    let pool = PgPool::connect(url).await.unwrap();
    trading::MIGRATOR.run(&pool).await.unwrap();
    sqlx::raw_sql(COMPETITION).execute(&pool).await.unwrap();
    let now = SystemClock.now();
    let begun = Instant::now();
    for (kind, ranked) in ranked {
        let at = (now.date_naive(), now);
        let mut edition = Edition::new((EVENT, *kind), at, ranked.as_slice().into());
        let stored = edition.store(&pool, Slices::default().ranks);
        stored.await.unwrap();
    }
    millis(begun.elapsed())
}

pub(crate) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap()
}
