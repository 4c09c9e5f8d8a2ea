//! Events that have their turn though others fail, or take long.

use std::time::Duration;

use bootstrap::redis::Redis;
use chrono::TimeDelta;
use proto::trading::v1 as wire;
use sqlx::{PgPool, Postgres, Transaction};
use tonic::{Code, Response, Status};
use trading::competitions::LiveBoards;

use super::forgetting::{ENDED, OLD};
use super::{APPLE, CompetitionWorld, ME, SAMSUNG};
use crate::world::morning;

type Listed = Result<Response<wire::Competitions>, Status>;

/// More than a page of events that ended before, and whose ends cannot be written.
const BROKEN: &str = "
    insert into competition (kind, title, starts_at, ends_at, join_from, join_until, start_cash_won,
            created_at)
        select 'OFFICIAL', 'broken', '2026-11-01', '2026-11-20', '2026-11-01', '2026-11-02', 1, now()
        from generate_series(1, 60);
    create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'on purpose'; end $$;
    create trigger refuse before update on competition for each row
        when (new.title = 'broken') execute function refuse()";
/// More leagues than are claimed together, which were valued longer ago than all other events; notes what
/// is valued, and when.
const LEAGUES: &str = "
    insert into competition (kind, title, starts_at, ends_at, join_from, join_until, start_cash_won,
            most_entrants, host_member_id, invite_code, created_at, valued_at)
        select 'LEAGUE', 'League ' || n, starts_at, ends_at, join_from, join_until, 1000000, 50, 1,
            'CODE' || n, created_at, '2026-11-01'
        from competition, generate_series(1, 150) n where kind = 'PRACTICE';
    create table valuation (id serial, kind text);
    create function note_valuation() returns trigger language plpgsql as
        $$ begin insert into valuation (kind) values (new.kind); return new; end $$;
    create trigger note_valuation before update of valued_at on competition for each row
        execute function note_valuation()";

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_page_of_events_that_cannot_end_keeps_no_other_from_its_end(pool: PgPool) {
    let mut world = CompetitionWorld::two_compete(pool).await;
    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "231")]);
    world.sql(BROKEN).await;
    let id = world.at_end().await.competition_id;
    world.closed(id).await;
    let open = "select count(*) from competition where title = 'broken' and closed_at is null";
    assert_eq!(world.world.count(open).await, 60);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn many_leagues_keep_no_other_event_from_its_board(pool: PgPool) {
    let mut world = CompetitionWorld::new(pool).await;
    world.sql(LEAGUES).await;
    world.valued(2).await;
    let first = "select count(*) from valuation where kind <> 'LEAGUE' and id <= 2";
    assert_eq!(world.world.count(first).await, 2);
    // Each once.
    let valued = "select count(*) from valuation";
    assert_eq!(world.world.count(valued).await, 152);
}

const LEAGUE: &str = "
    insert into competition (kind, title, starts_at, ends_at, join_from, join_until, start_cash_won,
            most_entrants, host_member_id, invite_code, created_at)
        select 'LEAGUE', 'League', starts_at, ends_at, join_from, join_until, 1000000, 50, 1, 'CODE',
            created_at
        from competition where kind = 'PRACTICE'";

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn events_that_take_long_keep_no_league_from_its_board(pool: PgPool) {
    let mut world = CompetitionWorld::new(pool).await;
    world.sql(LEAGUE).await;
    // The events that are claimed first take all of a step.
    let boards = LiveBoards::new(Redis::absent());
    let worker = world.closes.competitions(&world.world, boards);
    world.worker = worker.with_longest_valuing(Duration::ZERO);
    for step in 1..=3 {
        let now = morning() + TimeDelta::seconds(61 * step);
        world.world.clock.set(now);
        world.worker.step().await.unwrap();
    }
    let valued = "select count(*) from competition where kind = 'LEAGUE' and valued_at is not null";
    assert_eq!(world.world.count(valued).await, 1);
    // The others did not wait for it.
    let last = "select count(*) from competition where kind <> 'LEAGUE' \
                and valued_at = '2026-11-20T01:03:03Z'::timestamptz";
    assert_eq!(world.world.count(last).await, 2);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn standings_are_forgotten_though_no_board_can_be_renewed(pool: PgPool) {
    let mut world = CompetitionWorld::new(pool).await;
    world.sql(ENDED).await;
    let refuse = "create function refuse() returns trigger language plpgsql as \
            $$ begin raise exception 'on purpose'; end $$; \
        create trigger refuse before update of valued_at on competition for each row \
            execute function refuse()";
    world.sql(refuse).await;
    world.world.clock.set(morning() + TimeDelta::minutes(2));
    world.new_process();
    // A hundred in a step.
    for _ in 0..3 {
        world.worker.step().await.unwrap_err();
    }
    assert_eq!(world.world.count(OLD).await, 0);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn lists_leave_connections_to_those_who_trade(pool: PgPool) {
    let world = CompetitionWorld::new(pool).await;
    let four = async {
        tokio::join!(
            world.listed(ME),
            world.listed(ME + 1),
            world.listed(ME + 2),
            world.listed(ME + 3)
        )
    };
    let holder = world.hold_events().await;
    let ((one, two, three, four), ()) = tokio::join!(four, release(holder));
    assert_eq!(refusals([one, two, three, four]), [Code::Aborted]);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_member_who_asks_for_many_lists_leaves_turns_to_others(pool: PgPool) {
    let world = CompetitionWorld::new(pool).await;
    let many = async { tokio::join!(world.listed(ME), world.listed(ME), world.listed(ME)) };
    let others = async { tokio::join!(world.listed(ME + 1), world.listed(ME + 2)) };
    let holder = world.hold_events().await;
    let ((one, two, three), others, ()) = tokio::join!(many, others, release(holder));
    assert_eq!(refusals([one, two, three]), [Code::Aborted; 2]);
    assert_eq!(refusals(others.into()), []);
}

impl CompetitionWorld {
    async fn listed(&self, member_id: i64) -> Listed {
        let request = wire::ListCompetitionsRequest {
            member_id,
            ..wire::ListCompetitionsRequest::default()
        };
        self.client.clone().list_competitions(request).await
    }

    /// Locks what lists read.
    async fn hold_events(&self) -> Transaction<'static, Postgres> {
        let mut holder = self.world.pool.begin().await.unwrap();
        sqlx::query("lock table competition")
            .execute(&mut *holder)
            .await
            .unwrap();
        holder
    }
}

/// After those who wait for a turn have given up, and before the others do.
async fn release(holder: Transaction<'static, Postgres>) {
    tokio::time::sleep(Duration::from_secs(3)).await;
    holder.rollback().await.unwrap();
}

fn refusals<const N: usize>(lists: [Listed; N]) -> Vec<Code> {
    let refused = lists.into_iter().filter_map(Result::err);
    refused.map(|status| status.code()).collect()
}
