//! Who is ranked, in which order, and what a board shows.

use std::time::Duration;

use bootstrap::redis;
use chrono::TimeDelta;
use proto::trading::v1 as wire;
use sqlx::PgPool;
use testkit::TempRedis;
use trading::competitions::LiveBoards;

use super::{APPLE, CompetitionWorld, ME, OTHER, SAMSUNG, in_competition, number};
use crate::world::{buy, morning};

impl CompetitionWorld {
    pub(super) async fn board(&self, member: i64, around_me: bool) -> wire::Board {
        let request = wire::GetBoardRequest {
            member_id: member,
            competition_id: self.running().await.competition_id,
            kind: wire::BoardKind::Return.into(),
            after_place: 0,
            around_me,
        };
        let board = self.client.clone().get_board(request).await;
        board.unwrap().into_inner()
    }

    /// The running event begins today, and who has joined is ranked at once.
    pub(super) async fn begins_today(&self) {
        for begin in [
            "update competition set starts_at = '2026-11-19T15:00:00Z', \
                join_from = '2026-11-10T15:00:00Z' where starts_at = '2026-11-16T15:00:00Z'",
            "update competition_entry set ranked_from = joined_at",
        ] {
            sqlx::query(begin).execute(&self.world.pool).await.unwrap();
        }
    }

    /// What a rank requires on the first day: three purchases of two items.
    pub(super) async fn buys_enough(&mut self, member: i64, shares: &str) {
        for _ in 0..2 {
            let order = in_competition(buy(member, SAMSUNG, "", shares));
            self.world.placed(order).await;
            self.world.trade(SAMSUNG, "71300", 100_000).await;
        }
        let order = in_competition(buy(member, APPLE, "", "1"));
        self.world.placed(order).await;
        self.world.trade(APPLE, "230.50", 100_000).await;
    }

    /// Accounts are valued once a minute by the clock of the machine.
    pub(super) async fn valued(&mut self, minutes: i64) {
        self.world
            .clock
            .set(morning() + TimeDelta::minutes(minutes));
        self.world.log(Vec::new()).await;
        self.worker.step().await.unwrap();
    }
}

fn places(board: &wire::Board) -> Vec<(i64, i32, i32)> {
    let rows = board.rows.iter();
    rows.map(|row| (row.member_id, row.place, row.rank))
        .collect()
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn who_bought_enough_is_ranked_by_return(pool: PgPool) {
    let mut world = CompetitionWorld::new(pool).await;
    let idle = 100_003;
    for member in [ME, OTHER, idle] {
        world.compete(member).await;
    }
    world.begins_today().await;
    assert_eq!(world.board(ME, false).await, wire::Board::default());
    world.buys_enough(ME, "20").await;
    world.buys_enough(OTHER, "10").await;
    world.world.trade(SAMSUNG, "75000", 1_000).await;
    world.valued(2).await;
    let board = world.board(ME, false).await;
    assert_eq!(places(&board), [(ME, 1, 1), (OTHER, 2, 2)]);
    assert_eq!(
        (board.ranked, board.next_after, board.is_final),
        (2, 0, false)
    );
    assert!(board.valued_at_us > 0);
    let mine = board.mine.clone().unwrap();
    assert_eq!(mine, board.rows[0]);
    let entry = world
        .get(ME, world.running().await.competition_id)
        .await
        .entry
        .unwrap();
    assert_eq!(mine.return_rate, entry.return_rate);
    assert!(number(&mine.return_rate) > 0.into());
    // Nobody is ranked without purchases.
    assert_eq!(world.board(idle, true).await.rows, []);
    assert_eq!(world.board(idle, true).await.mine, None);

    // The price falls below what was paid: the larger holding loses more.
    world.world.trade(SAMSUNG, "60000", 1_000).await;
    world.valued(4).await;
    // What the database has is an hour old.
    assert_eq!(
        places(&world.board(ME, false).await),
        [(ME, 1, 1), (OTHER, 2, 2)]
    );
    world.valued(62).await;
    assert_eq!(
        places(&world.board(ME, true).await),
        [(OTHER, 1, 1), (ME, 2, 2)]
    );

    // Ranks are compared with those at the end of the day before.
    world.world.now += TimeDelta::days(1);
    world.world.trade(SAMSUNG, "75000", 1_000).await;
    world.valued(124).await;
    let stored = "select count(*) from competition_edition where is_whole and day = '2026-11-20'";
    assert!(world.world.count(stored).await > 0);
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_board_is_in_redis_a_minute_old_and_gone_without_harm(pool: PgPool) {
    let temp = TempRedis::claim();
    let redis = redis::connect(&temp.url).with_timeout(Duration::from_secs(5));
    let boards = LiveBoards::new(redis);
    let mut world = CompetitionWorld::with(pool, boards.clone()).await;
    let members: Vec<i64> = (300_001..=300_007).collect();
    for member in &members {
        world.compete(*member).await;
    }
    world.begins_today().await;
    for (index, member) in members.iter().enumerate() {
        world.buys_enough(*member, &(10 + index).to_string()).await;
    }
    world.world.trade(SAMSUNG, "75000", 1_000).await;
    world.valued(2).await;
    let running = world.running().await.competition_id;
    let view = world
        .world
        .store
        .competition(kernel::MemberId(300_001), running, None)
        .await;
    let competition = view.unwrap().competition;
    let read = async |member: i64, query| {
        let store = &world.world.store;
        let member = kernel::MemberId(member);
        let kind = trading::competitions::BoardKind::Return;
        store
            .board(&boards, &competition, kind, member, query)
            .await
            .unwrap()
    };
    use trading::competitions::BoardQuery;
    let order: Vec<i64> = members.iter().rev().copied().collect();
    let all = read(300_001, BoardQuery::After(0)).await;
    let ids = |board: &trading::competitions::Board| -> Vec<i64> {
        board.rows.iter().map(|row| row.member_id).collect()
    };
    assert_eq!(ids(&all), order);
    assert_eq!(all.ranked, 7);
    assert_eq!(all.mine.unwrap().place, 7);
    assert_eq!(ids(&read(300_001, BoardQuery::After(3)).await), order[3..]);
    assert_eq!(ids(&read(300_001, BoardQuery::AroundMe).await), order[1..]);
    assert_eq!(ids(&read(300_007, BoardQuery::AroundMe).await), order[..6]);
    assert_eq!(read(9, BoardQuery::AroundMe).await.rows, []);
    assert_eq!(read(9, BoardQuery::After(i32::MAX)).await.rows, []);
    temp.empty();
    let stored = read(300_001, BoardQuery::AroundMe).await;
    assert_eq!(ids(&stored), order[1..], "from the database");
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_step_values_each_event_once_though_together_they_take_longer_than_a_minute(
    pool: PgPool,
) {
    let mut world = CompetitionWorld::new(pool).await;
    sqlx::raw_sql(
        "create table valuation (competition_id bigint); \
         create function count_valuation() returns trigger language plpgsql as \
         $$ begin \
            insert into valuation values (new.id); \
            return new; \
         end $$; \
         create trigger count_valuation before update of valued_at on competition \
         for each row execute function count_valuation()",
    )
    .execute(&world.world.pool)
    .await
    .unwrap();
    world.world.clock.set(morning() + TimeDelta::seconds(61));
    let clock = world.world.clock.clone();
    // Ten seconds of it last one millisecond.
    let passing = async {
        let mut every = tokio::time::interval(Duration::from_millis(1));
        loop {
            every.tick().await;
            clock.advance(TimeDelta::seconds(10));
        }
    };
    tokio::select! {
        step = tokio::time::timeout(Duration::from_secs(20), world.worker.step()) => {
            step.unwrap().unwrap();
        }
        () = passing => {}
    }
    let running = "select count(*) from competition where starts_at <= '2026-11-20' \
        and ends_at > '2026-11-20T03:00:00Z'";
    let running = world.world.count(running).await;
    let valued = "select count(*) from valuation";
    assert_eq!((running, world.world.count(valued).await), (2, 2));
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn who_is_joining_keeps_no_board_from_being_renewed(pool: PgPool) {
    let mut world = CompetitionWorld::new(pool).await;
    let id = world.running().await.competition_id;
    // Whoever joins has locked the event, and waits before the entry is written.
    let mut holder = world.world.pool.begin().await.unwrap();
    sqlx::query("lock table competition_entry in share mode")
        .execute(&mut *holder)
        .await
        .unwrap();
    let request = wire::JoinCompetitionRequest {
        member_id: ME,
        request_id: "join-slowly".to_owned(),
        competition_id: id,
        invite_code: String::new(),
    };
    let mut client = world.client.clone();
    let joining = tokio::spawn(async move { client.join_competition(request).await });
    let waiting = "select count(*) from pg_locks where not granted \
        and relation = 'competition_entry'::regclass \
        and database = (select oid from pg_database where datname = current_database())";
    while world.world.count(waiting).await == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    world.valued(2).await;
    let valued =
        "select count(*) from competition where valued_at = '2026-11-20T01:02:00Z'::timestamptz";
    let all = world.world.count(valued).await;
    holder.rollback().await.unwrap();
    joining.await.unwrap().unwrap();
    assert_eq!(all, 2);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn two_processes_value_an_event_once_a_minute(pool: PgPool) {
    let mut world = CompetitionWorld::new(pool).await;
    let boards = LiveBoards::new(bootstrap::redis::Redis::absent());
    let mut second = world.closes.competitions(&world.world, boards);
    let valued = async |world: &CompetitionWorld| {
        let read = "select extract(epoch from max(valued_at))::bigint from competition";
        world.world.count(read).await
    };
    let first = valued(&world).await;
    world.valued(0).await;
    second.step().await.unwrap();
    assert_eq!(valued(&world).await, first);
    world.world.clock.set(morning() + TimeDelta::seconds(61));
    let (one, other) = tokio::join!(world.worker.step(), second.step());
    one.unwrap();
    other.unwrap();
    assert_eq!(valued(&world).await, first + 61);
}
