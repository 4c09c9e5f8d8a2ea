//! The end of an event: last prices, results, ranks, and what comes after.

use chrono::{DateTime, TimeDelta};
use proto::trading::v1 as wire;
use rust_decimal::Decimal;
use sqlx::PgPool;
use trading::competitions::LiveBoards;
use trading::domain::split::SplitRatio;
use trading::tick_log::{Scope, SessionRecordKind};

use super::{APPLE, CASH, CompetitionWorld, ME, OTHER, SAMSUNG, in_competition, number, reason};
use crate::world::{DAY, buy, sell};

pub(super) const RANKS: &str = "select count(*) from competition_rank";
/// The matcher stores its place about once a second.
pub(super) const PATIENT: usize = 3_000;

impl CompetitionWorld {
    /// Market time comes to some seconds after the end of the running event.
    pub(super) async fn at_end(&mut self) -> wire::Competition {
        let running = self.running().await;
        let end = DateTime::from_timestamp_micros(running.ends_at_us).unwrap();
        self.world.now = end + TimeDelta::seconds(15);
        self.world.clock.set(self.world.now);
        self.world.log(Vec::new()).await;
        running
    }

    pub(super) async fn closed(&mut self, id: i64) {
        for _ in 0..PATIENT {
            self.world.log(Vec::new()).await;
            self.equity.step().await.unwrap();
            self.worker.step().await.unwrap();
            if self.is_closed(id).await {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        panic!("competition {id} was not closed");
    }

    pub(super) async fn is_closed(&self, id: i64) -> bool {
        sqlx::query_scalar("select closed_at is not null from competition where id = $1")
            .bind(id)
            .fetch_one(&self.world.pool)
            .await
            .unwrap()
    }

    /// Two members who bought enough, with an order that waits.
    pub(super) async fn two_compete(pool: PgPool) -> Self {
        let mut world = Self::new(pool).await;
        for member in [ME, OTHER] {
            world.compete(member).await;
        }
        world.begins_today().await;
        sqlx::query(
            "update competition set ends_at = '2026-11-20T15:00:00Z', \
                join_until = '2026-11-20T14:00:00Z' where starts_at = '2026-11-19T15:00:00Z'",
        )
        .execute(&world.world.pool)
        .await
        .unwrap();
        world.buys_enough(ME, "20").await;
        world.buys_enough(OTHER, "10").await;
        world
            .world
            .placed(in_competition(sell(ME, SAMSUNG, "80000", "5")))
            .await;
        world
            .world
            .placed(in_competition(buy(OTHER, SAMSUNG, "60000", "5")))
            .await;
        world
    }

    async fn equity(&self, member: i64, id: i64) -> i64 {
        self.get(member, id).await.entry.unwrap().equity_won
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_event_ends_at_its_last_prices_and_nothing_changes_a_result(pool: PgPool) {
    let mut world = CompetitionWorld::two_compete(pool).await;
    let deposits = async |world: &CompetitionWorld, member| {
        world.world.summary(member).await.accounts[0].deposit_won
    };
    let (mine, others) = (deposits(&world, ME).await, deposits(&world, OTHER).await);
    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "231")]);
    let event = world.at_end().await;
    let id = event.competition_id;
    // The clock has ended it, though no process has.
    let late = world
        .world
        .place(in_competition(buy(ME, SAMSUNG, "70000", "1")))
        .await;
    assert!(
        !late.unwrap().order.unwrap().account_no.is_empty(),
        "of the practice league"
    );
    assert_eq!(world.mode(ME).await.title, "11월 연습 리그");
    world.closed(id).await;
    let ticks = "select count(*) from competition_price p join competition c on c.id = competition_id \
        where p.tick_seq = extract(epoch from c.ends_at) * 1000 - 1";
    assert_eq!(world.world.count(ticks).await, 2, "of both prices");

    let apple = 231 * 1_470;
    assert_eq!(world.equity(ME, id).await, mine + 40 * 72_000 + apple);
    assert_eq!(world.equity(OTHER, id).await, others + 20 * 72_000 + apple);
    let request = wire::GetBoardRequest {
        member_id: OTHER,
        competition_id: id,
        ..wire::GetBoardRequest::default()
    };
    let board = world.client.clone().get_board(request).await;
    let board = board.unwrap().into_inner();
    assert!(board.is_final);
    let ranks: Vec<(i64, i32)> = board
        .rows
        .iter()
        .map(|row| (row.member_id, row.rank))
        .collect();
    assert_eq!(ranks, [(ME, 1), (OTHER, 2)]);
    assert_eq!(number(&board.mine.as_ref().unwrap().return_rate), {
        let equity = others + 20 * 72_000 + apple;
        let exact = Decimal::from(equity - CASH) * Decimal::ONE_HUNDRED;
        (exact / Decimal::from(CASH)).round_dp(4)
    });

    let told = async |world: &CompetitionWorld| {
        let ended: Vec<wire::CompetitionEnded> =
            world.world.told("trading.competition.ended.v1").await;
        let ranked: Vec<wire::CompetitionRanked> =
            world.world.told("trading.competition.ranked.v1").await;
        let mut ended: Vec<i64> = ended.iter().map(|one| one.member_id).collect();
        ended.sort_unstable();
        let ranked: Vec<(i64, i32, i32)> = ranked
            .iter()
            .map(|one| (one.member_id, one.rank, one.ranked))
            .collect();
        (ended, ranked)
    };
    let expected = (vec![ME, OTHER], vec![(ME, 1, 2), (OTHER, 2, 2)]);
    assert_eq!(told(&world).await, expected);

    // Prices, splits of other days, a second process and a second run change nothing.
    world.world.trade(SAMSUNG, "90000", 100_000).await;
    world.world.trade(SAMSUNG, "50000", 100_000).await;
    let boards = LiveBoards::new(bootstrap::redis::Redis::absent());
    let mut second = world.closes.competitions(&world.world, boards);
    second.step().await.unwrap();
    world.worker.step().await.unwrap();
    let again = world.client.clone().get_board(request).await;
    assert_eq!(again.unwrap().into_inner(), board);
    assert_eq!(told(&world).await, expected);
    let refused = world.leave(ME, id, "leave-late").await.unwrap_err();
    assert_eq!(reason(&refused), "COMPETITION_OVER");
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn no_order_fills_at_a_trade_after_the_end(pool: PgPool) {
    let mut world = CompetitionWorld::two_compete(pool).await;
    let running = world.running().await;
    let end = DateTime::from_timestamp_micros(running.ends_at_us).unwrap();
    world.world.now = end;
    // In one batch with the trade, before any timer.
    let tick = world.world.tick(SAMSUNG, 50_000.into(), 1_000);
    world.world.log(vec![tick]).await;
    let fills = "select count(*) from fill where price = 50000 or price = 60000";
    assert_eq!(world.world.count(fills).await, 0);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn who_did_not_buy_enough_has_a_result_and_no_rank(pool: PgPool) {
    let mut world = CompetitionWorld::two_compete(pool).await;
    sqlx::query(
        "update competition set join_until = ends_at where ends_at = '2026-11-20T15:00:00Z'",
    )
    .execute(&world.world.pool)
    .await
    .unwrap();
    let idle = 100_003;
    world.compete(idle).await;
    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "231")]);
    let id = world.at_end().await.competition_id;
    world.closed(id).await;
    assert_eq!(world.equity(idle, id).await, CASH);
    assert_eq!(
        world
            .world
            .count("select count(*) from competition_result")
            .await,
        3
    );
    assert_eq!(world.world.count(RANKS).await, 2);
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_split_right_after_the_end_multiplies_nothing(pool: PgPool) {
    let mut world = CompetitionWorld::two_compete(pool).await;
    let deposit = async |world: &CompetitionWorld, member| {
        world.world.summary(member).await.accounts[0].deposit_won
    };
    let (mine, others) = (deposit(&world, ME).await, deposit(&world, OTHER).await);
    world.closes.tell(&[(SAMSUNG, "70000"), (APPLE, "231")]);
    let id = world.at_end().await.competition_id;
    // Three new shares for one old one, in the log before any account is closed.
    let ratio = SplitRatio {
        numerator: 3,
        denominator: 1,
    };
    let next = DAY + 1;
    let split = world.world.session_record(
        SessionRecordKind::Split(ratio),
        Scope::Code(SAMSUNG.to_owned()),
        next,
    );
    world.world.log(vec![split]).await;
    assert_eq!(
        world
            .world
            .count("select count(*) from holding_split")
            .await,
        2
    );
    world.closed(id).await;
    let apple = 231 * 1_470;
    assert_eq!(world.equity(ME, id).await, mine + 40 * 70_000 + apple);
    assert_eq!(world.equity(OTHER, id).await, others + 20 * 70_000 + apple);
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn orders_that_wait_at_the_end_are_canceled(pool: PgPool) {
    let mut world = CompetitionWorld::two_compete(pool).await;
    world.at_end().await;
    let canceled = "select count(*) from trade_order where status = 'CANCELED' \
        and end_reason = 'COMPETITION_ENDED'";
    for _ in 0..PATIENT {
        world.world.log(Vec::new()).await;
        if world.world.count(canceled).await == 2 {
            break;
        }
    }
    assert_eq!(world.world.count(canceled).await, 2);
    let open = "select count(*) from trade_order where status in ('QUEUED', 'ACCEPTED', 'PARTIAL')";
    assert_eq!(world.world.count(open).await, 0);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_practice_league_ranks_everybody(pool: PgPool) {
    let mut world = CompetitionWorld::new(pool).await;
    for member in [ME, OTHER] {
        world.set_mode(member, true, 0).await.unwrap();
    }
    world
        .world
        .placed(in_competition(buy(ME, SAMSUNG, "", "1")))
        .await;
    world.world.trade(SAMSUNG, "71300", 100_000).await;
    let id = world.mode(ME).await.competition_id;
    assert_eq!(world.get(OTHER, id).await.entry.unwrap().needed_buys, 0);
    sqlx::query(
        "update competition set ends_at = '2026-11-20T15:00:00Z', join_until = '2026-11-20T15:00:00Z' \
         where id = $1",
    )
    .bind(id)
    .execute(&world.world.pool)
    .await
    .unwrap();
    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "231")]);
    world.world.now = "2026-11-20T15:00:15Z".parse().unwrap();
    world.world.clock.set(world.world.now);
    world.closed(id).await;
    let ranked = "select count(*) from competition_rank where board = 'RETURN'";
    assert_eq!(world.world.count(ranked).await, 2);
    world.world.audit().await;
}
