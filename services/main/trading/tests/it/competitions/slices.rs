//! Ranks that are written slice by slice, and told page by page.

use bootstrap::redis::Redis;
use proto::trading::v1 as wire;
use sqlx::PgPool;
use trading::competitions::{CompetitionWorker, LiveBoards, Slices};

use super::endings::{PATIENT, RANKS};
use super::{APPLE, CompetitionWorld, ME, SAMSUNG, buy, in_competition};

const MEMBERS: i64 = 5;
pub(super) const SMALL: Slices = Slices { ranks: 2, told: 2 };

impl CompetitionWorld {
    /// Of a process of its own.
    pub(super) fn small_worker(&self) -> CompetitionWorker {
        let boards = LiveBoards::new(Redis::absent());
        let worker = self.closes.competitions(&self.world, boards);
        worker.with_slices(SMALL)
    }

    /// Five in the practice league, of whom the third has bought something.
    pub(super) async fn five_compete(pool: PgPool) -> (Self, i64) {
        let mut world = Self::new(pool).await;
        world.worker = world.small_worker();
        for member in ME..ME + MEMBERS {
            world.set_mode(member, true, 0).await.unwrap();
        }
        world
            .world
            .placed(in_competition(buy(ME + 2, SAMSUNG, "", "1")))
            .await;
        world.world.trade(SAMSUNG, "71300", 100_000).await;
        let id = world.mode(ME).await.competition_id;
        (world, id)
    }

    /// A practice league that is over: one of five has won something, and the others share a rank.
    async fn five_at_end(pool: PgPool) -> (Self, i64) {
        let (mut world, id) = Self::five_compete(pool).await;
        sqlx::query(
            "update competition set ends_at = '2026-11-20T15:00:00Z', \
                join_until = '2026-11-20T15:00:00Z' where id = $1",
        )
        .bind(id)
        .execute(&world.world.pool)
        .await
        .unwrap();
        world.closes.tell(&[(SAMSUNG, "79000"), (APPLE, "231")]);
        world.world.now = "2026-11-20T15:00:15Z".parse().unwrap();
        world.world.clock.set(world.world.now);
        (world, id)
    }

    async fn step_until(&mut self, query: &'static str, wanted: i64) {
        for _ in 0..PATIENT {
            self.world.log(Vec::new()).await;
            self.equity.step().await.unwrap();
            self.worker.step().await.unwrap();
            if self.world.count(query).await == wanted {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        panic!("{query} never was {wanted}");
    }

    /// The members who were told of their ranks, in that order, with their ranks.
    async fn told_ranks(&self) -> Vec<(i64, i32)> {
        let told: Vec<wire::CompetitionRanked> =
            self.world.told("trading.competition.ranked.v1").await;
        assert!(told.iter().all(|one| one.ranked == 5), "{told:?}");
        told.iter().map(|one| (one.member_id, one.rank)).collect()
    }

    pub(super) async fn board_of(&self, id: i64) -> wire::Board {
        let request = wire::GetBoardRequest {
            member_id: ME,
            competition_id: id,
            ..wire::GetBoardRequest::default()
        };
        let board = self.client.clone().get_board(request).await;
        board.unwrap().into_inner()
    }

    async fn board_is_final(&self, id: i64) -> bool {
        self.board_of(id).await.is_final
    }

    pub(super) async fn sql(&self, text: &'static str) {
        sqlx::raw_sql(text).execute(&self.world.pool).await.unwrap();
    }
}

/// By place; those who share a rank have joined one after another.
pub(super) fn by_place() -> Vec<(i64, i32)> {
    vec![(ME + 2, 1), (ME, 2), (ME + 1, 2), (ME + 3, 2), (ME + 4, 2)]
}

const BOTH_BOARDS: i64 = 2 * MEMBERS;

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn ranks_count_when_the_last_slice_is_there(pool: PgPool) {
    let (mut world, id) = CompetitionWorld::five_at_end(pool).await;
    // The process dies in the second slice of the second board.
    world
        .sql(
            "create function refuse() returns trigger language plpgsql as \
             $$ begin raise exception 'on purpose'; end $$; \
             create trigger refuse before insert on competition_rank for each row \
             when (new.board = 'CALM' and new.place = 4) execute function refuse()",
        )
        .await;
    world.step_until(RANKS, MEMBERS + 2).await;
    assert!(!world.is_closed(id).await);
    assert!(!world.board_is_final(id).await, "a part of it is no result");
    assert_eq!(world.told_ranks().await, []);
    world.world.audit().await;

    world.sql("drop trigger refuse on competition_rank").await;
    world.worker = world.small_worker();
    world.closed(id).await;
    assert!(world.board_is_final(id).await);
    assert_eq!(world.world.count(RANKS).await, BOTH_BOARDS);
    let transactions = "select count(distinct xmin::text) from competition_rank";
    assert_eq!(world.world.count(transactions).await, 6);
    assert_eq!(world.told_ranks().await, by_place());

    // A second run changes nothing.
    world.worker = world.small_worker();
    world.worker.step().await.unwrap();
    assert_eq!(world.world.count(RANKS).await, BOTH_BOARDS);
    assert_eq!(world.told_ranks().await, by_place());
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn two_processes_rank_and_tell_once(pool: PgPool) {
    let (mut world, id) = CompetitionWorld::five_at_end(pool).await;
    let mut second = world.small_worker();
    for _ in 0..PATIENT {
        world.world.log(Vec::new()).await;
        world.equity.step().await.unwrap();
        let (one, two) = tokio::join!(world.worker.step(), second.step());
        one.unwrap();
        two.unwrap();
        if world.is_closed(id).await {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let (one, two) = tokio::join!(world.worker.step(), second.step());
    one.unwrap();
    two.unwrap();
    assert_eq!(world.world.count(RANKS).await, BOTH_BOARDS);
    assert_eq!(world.told_ranks().await, by_place());
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_page_that_fails_is_told_later_and_once(pool: PgPool) {
    let (mut world, id) = CompetitionWorld::five_at_end(pool).await;
    world
        .sql(
            "create function refuse() returns trigger language plpgsql as \
             $$ begin raise exception 'on purpose'; end $$; \
             create trigger refuse before update on competition for each row \
             when (new.tell_from_place = 5) execute function refuse()",
        )
        .await;
    world.closed(id).await;
    world.worker.step().await.unwrap();
    assert_eq!(world.told_ranks().await, by_place()[..2]);
    world.sql("drop trigger refuse on competition").await;
    world.worker = world.small_worker();
    world.worker.step().await.unwrap();
    assert_eq!(world.told_ranks().await, by_place());
    let pages = "select count(distinct xmin::text) from outbox \
        where event_type = 'trading.competition.ranked.v1'";
    assert_eq!(world.world.count(pages).await, 3);
}
