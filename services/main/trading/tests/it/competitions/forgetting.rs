//! Standings of events that have results are deleted, and nothing waits for that.

use bootstrap::redis::Redis;
use sqlx::PgPool;
use trading::competitions::LiveBoards;

use super::{APPLE, CompetitionWorld, SAMSUNG};

pub(super) const OLD: &str = "select count(*) from competition_standing where day = '2020-01-01'";
/// Events that ended long ago, with a standing of one place each.
pub(super) const ENDED: &str = "
    with ended as (insert into competition (kind, title, starts_at, ends_at, join_from, join_until,
            start_cash_won, created_at, closing_at, closed_at)
        select 'OFFICIAL', 'Past', '2020-01-01', '2020-01-02', '2020-01-01', '2020-01-02', 1, now(),
            '2020-01-02', '2020-01-02'
        from generate_series(1, 250) returning id)
    insert into competition_standing
        (competition_id, board, day, place, rank, member_id, return_rate, valued_at)
        select id, 'RETURN', '2020-01-01', 1, 1, 1, 0, now() from ended";
/// As many more places of the first of them as take more transactions than one step has.
const LARGE: &str = "
    insert into competition_standing
        (competition_id, board, day, place, rank, member_id, return_rate, valued_at)
        select (select min(competition_id) from competition_standing where day = '2020-01-01'),
            'RETURN', '2020-01-01', n, 1, n, 0, now()
        from generate_series(2, 120000) n";
const REFUSE: &str = "
    create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'on purpose'; end $$;
    create trigger refuse before delete on competition_standing for each row
        when (old.day = '2020-01-01') execute function refuse()";

impl CompetitionWorld {
    /// A worker that has done nothing yet.
    pub(super) fn new_process(&mut self) {
        let boards = LiveBoards::new(Redis::absent());
        self.worker = self.closes.competitions(&self.world, boards);
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_event_ends_while_old_standings_cannot_be_deleted(pool: PgPool) {
    let mut world = CompetitionWorld::two_compete(pool).await;
    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "231")]);
    let event = world.at_end().await;
    world.sql(ENDED).await;
    world.sql(REFUSE).await;
    world.new_process();
    world.closed(event.competition_id).await;
    assert_eq!(world.world.count(OLD).await, 250);
    world
        .sql("drop trigger refuse on competition_standing")
        .await;
    // A hundred in a step, from where the round stands.
    for _ in 0..8 {
        world.worker.step().await.unwrap();
    }
    assert_eq!(world.world.count(OLD).await, 0);
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_large_standing_goes_in_slices_and_those_of_other_events_stay(pool: PgPool) {
    let mut world = CompetitionWorld::new(pool).await;
    world.sql(ENDED).await;
    world.sql(LARGE).await;
    let to_come = "insert into competition_standing \
            (competition_id, board, day, place, rank, member_id, return_rate, valued_at) \
        select id, 'RETURN', '2026-11-20', 1, 1, 1, 0, now() from competition \
        where title = '겨울 투자 대회'";
    world.sql(to_come).await;
    world.new_process();
    world.worker.step().await.unwrap();
    // Ten transactions.
    assert_eq!(world.world.count(OLD).await, 250 + 119_999 - 100_000);
    // Two processes, each from where it stands.
    let boards = LiveBoards::new(Redis::absent());
    let mut second = world.closes.competitions(&world.world, boards);
    for _ in 0..6 {
        let (one, two) = tokio::join!(world.worker.step(), second.step());
        one.unwrap();
        two.unwrap();
    }
    assert_eq!(world.world.count(OLD).await, 0);
    let left = "select count(*) from competition_standing where day = '2026-11-20'";
    assert_eq!(world.world.count(left).await, 1);
    world.world.audit().await;
}
