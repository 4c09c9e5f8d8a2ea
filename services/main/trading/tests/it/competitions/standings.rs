//! Standings of running events, which are stored slice by slice and read when they are whole.

use std::sync::Arc;
use std::time::Duration;

use bootstrap::redis;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use kernel::MemberId;
use proto::trading::v1 as wire;
use sqlx::PgPool;
use testkit::TempRedis;
use trading::competitions::ranking::Ranked;
use trading::competitions::standings::{self, Edition};
use trading::competitions::{BoardKind, BoardQuery, LiveBoards};

use super::slices::by_place;
use super::{CompetitionWorld, ME, SAMSUNG};
use crate::world::morning;

const PLACES: &str = "select count(*) from competition_edition_place";
const EDITIONS: &str = "select count(*) from competition_edition";
const EDITION: &str = "select id from competition_edition where board = 'RETURN'";

/// Members by place, with their ranks.
fn rows(board: &wire::Board) -> Vec<(i64, i32)> {
    let in_order = (1..)
        .zip(&board.rows)
        .all(|(place, row)| row.place == place);
    assert!(in_order, "{board:?}");
    let rows = board.rows.iter();
    rows.map(|row| (row.member_id, row.rank)).collect()
}

/// An order of a day in which everybody has a rank of their own.
fn edition(id: i64, members: [i64; 5], seconds: i64) -> Edition {
    let day: NaiveDate = "2026-11-20".parse().unwrap();
    let valued_at: DateTime<Utc> = morning() + TimeDelta::seconds(seconds);
    let ranked: Arc<[Ranked]> = (1..)
        .zip(members)
        .map(|(place, member)| Ranked {
            place,
            rank: place,
            member_id: MemberId(ME + member),
            return_e4: 0,
        })
        .collect();
    Edition::new((id, BoardKind::Return), (day, valued_at), ranked)
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_standing_is_read_when_its_last_slice_is_there(pool: PgPool) {
    let (mut world, id) = CompetitionWorld::five_compete(pool).await;
    world.world.trade(SAMSUNG, "75000", 1_000).await;
    world.valued(2).await;
    assert_eq!(rows(&world.board_of(id).await), by_place());
    let transactions = "select count(distinct p.xmin::text) from competition_edition_place p \
        join competition_edition e on e.id = p.edition_id where e.board = 'RETURN'";
    assert_eq!(world.world.count(transactions).await, 3);

    // Whoever led is the last of all an hour later, and the process dies in the second slice.
    world.world.trade(SAMSUNG, "60000", 1_000).await;
    world
        .sql(
            "create function refuse() returns trigger language plpgsql as \
             $$ begin raise exception 'on purpose'; end $$; \
             create trigger refuse before insert on competition_edition_place for each row \
             when (new.place = 4) execute function refuse()",
        )
        .await;
    world.valued(62).await;
    let begun = "select count(*) from competition_edition_place p \
        join competition_edition e on e.id = p.edition_id where not e.is_whole";
    assert_eq!(world.world.count(begun).await, 2);
    let board = world.board_of(id).await;
    assert_eq!(rows(&board), by_place(), "a part of it is no standing");
    assert_eq!(board.ranked, 5);

    world
        .sql("drop trigger refuse on competition_edition_place")
        .await;
    world.worker = world.small_worker();
    world.valued(64).await;
    let fallen = [(ME, 1), (ME + 1, 1), (ME + 3, 1), (ME + 4, 1), (ME + 2, 5)];
    assert_eq!(rows(&world.board_of(id).await), fallen);
    // Of each board; nothing is left of the others.
    assert_eq!(world.world.count(EDITIONS).await, 2);
    assert_eq!(world.world.count(PLACES).await, 10);
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_a_step_began_to_store_the_next_goes_on_with(pool: PgPool) {
    let (mut world, id) = CompetitionWorld::five_compete(pool).await;
    world.world.trade(SAMSUNG, "75000", 1_000).await;
    world
        .sql(
            "create function take_long() returns trigger language plpgsql as \
             $$ begin perform pg_sleep(1); return new; end $$; \
             create trigger take_long before insert on competition_edition_place for each row \
             when (new.place = 4) execute function take_long()",
        )
        .await;
    world.world.clock.set(morning() + TimeDelta::minutes(2));
    world.world.log(Vec::new()).await;
    let (worker, market) = (&mut world.worker, &world.world);
    let first_slice = async {
        while market.count(PLACES).await < 2 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    // The step is dropped, as it is when it takes too long.
    tokio::select! {
        stepped = worker.step() => panic!("{stepped:?}"),
        () = first_slice => {}
    }
    assert_eq!(rows(&world.board_of(id).await), []);
    let begun = world.world.count(EDITION).await;
    world
        .sql("drop trigger take_long on competition_edition_place")
        .await;

    world.valued(4).await;
    assert_eq!(world.world.count(EDITION).await, begun);
    assert_eq!(rows(&world.board_of(id).await), by_place());
    assert_eq!(world.world.count(EDITIONS).await, 2);
    // The hour has its standing.
    world.valued(6).await;
    assert_eq!(world.world.count(EDITION).await, begun);
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn of_two_that_are_stored_at_once_the_newer_is_read(pool: PgPool) {
    let (world, id) = CompetitionWorld::five_compete(pool).await;
    let pool = &world.world.pool;
    let mut older = edition(id, [0, 1, 2, 3, 4], 1);
    let mut newer = edition(id, [4, 3, 2, 1, 0], 2);
    let (one, two) = tokio::join!(older.store(pool, 2), newer.store(pool, 2));
    one.unwrap();
    two.unwrap();
    let newest: Vec<(i64, i32)> = (0..5).rev().map(|one| ME + one).zip(1..).collect();
    assert_eq!(rows(&world.board_of(id).await), newest);
    // Again, and what is older too late.
    newer.store(pool, 2).await.unwrap();
    edition(id, [2, 1, 0, 3, 4], 0)
        .store(pool, 2)
        .await
        .unwrap();
    assert_eq!(rows(&world.board_of(id).await), newest);

    let mut last = edition(id, [1, 0, 2, 3, 4], 3);
    last.store(pool, 2).await.unwrap();
    let (one, two) = tokio::join!(standings::delete_stale(pool), standings::delete_stale(pool));
    one.unwrap();
    two.unwrap();
    assert_eq!(rows(&world.board_of(id).await)[0], (ME + 1, 1));
    assert_eq!(world.world.count(EDITIONS).await, 1);
    assert_eq!(world.world.count(PLACES).await, 5);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn ranks_are_compared_with_those_that_the_release_before_stored(pool: PgPool) {
    let temp = TempRedis::claim();
    let redis = redis::connect(&temp.url).with_timeout(Duration::from_secs(5));
    let boards = LiveBoards::new(redis);
    let mut world = CompetitionWorld::with(pool, boards.clone()).await;
    for member in [ME, ME + 1] {
        world.set_mode(member, true, 0).await.unwrap();
    }
    let id = world.mode(ME).await.competition_id;
    sqlx::query(
        "insert into competition_standing (competition_id, board, day, place, rank, member_id, \
            return_rate, valued_at) \
         values ($1, 'RETURN', '2026-11-19', 3, 3, $2, 0, now())",
    )
    .bind(id)
    .bind(ME + 1)
    .execute(&world.world.pool)
    .await
    .unwrap();
    // The process of this release.
    world.worker = world.closes.competitions(&world.world, boards.clone());
    world.valued(2).await;
    let store = &world.world.store;
    let view = store.competition(MemberId(ME), id, None).await.unwrap();
    let (kind, all) = (BoardKind::Return, BoardQuery::After(0));
    let board = store.board(&boards, &view.competition, kind, MemberId(ME), all);
    let gained: Vec<(i64, Option<i32>)> = board
        .await
        .unwrap()
        .rows
        .iter()
        .map(|row| (row.member_id, row.gained))
        .collect();
    assert_eq!(gained, [(ME, None), (ME + 1, Some(2))]);
}
