//! Events that have their turn though others fail, or take long.

use sqlx::PgPool;

use super::{APPLE, CompetitionWorld, SAMSUNG};

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
