//! Decisions about texts that very many have reported.

use community::MIGRATOR;
use community::domain::moderation::Decision;
use community::store::TextRef;
use sqlx::PgPool;

use crate::world::{MEMBER, OTHER, World};

/// Refuses to decide more reports in one statement than it has time for.
const BOUND: &str = "
    create function refuse_many() returns trigger language plpgsql as $$
    begin
        if (select count(*) from decided) > 5000 then
            raise exception 'more than 5,000 reports in one statement';
        end if;
        return null;
    end $$;
    create trigger refuse_many after update on report referencing new table as decided
        for each statement execute function refuse_many()";

/// Of members who joined a moment ago, so that they hide nothing.
async fn report_often(world: &World, post: i64) {
    sqlx::query(
        "insert into report (member_id, post_id, reason, text, weight, created_at, version) \
         select 2000000 + n, $1, 'SPAM', '', 0, '2026-12-01', 1 from generate_series(1, 12000) n",
    )
    .bind(post)
    .execute(&world.pool)
    .await
    .unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn thousands_of_reports_are_decided_in_slices(pool: PgPool) {
    let world = World::new(pool).await;
    let dismissed = world.post(MEMBER, "모두가 신고한 글").await.id;
    let upheld = world.post(OTHER, "모두가 신고한 다른 글").await.id;
    for post in [dismissed, upheld] {
        report_often(&world, post).await;
    }
    sqlx::raw_sql(BOUND).execute(&world.pool).await.unwrap();
    let text = TextRef::Post(dismissed);
    world.decide(text, Decision::Dismiss, 1).await.unwrap();
    let of_dismissed = "select count(*) from report where not upheld and told_at is null \
                        and step_id = (select max(id) from moderation_step)";
    assert_eq!(world.count(of_dismissed).await, 12_000);
    let undecided = "select count(*) from report where upheld is null and step_id is null";
    assert_eq!(world.count(undecided).await, 12_000, "of the other post");
    let text = TextRef::Post(upheld);
    world.decide(text, Decision::Uphold, 1).await.unwrap();
    let of_upheld = "select count(*) from report where upheld and told_at is null \
                     and step_id = (select max(id) from moderation_step)";
    assert_eq!(world.count(of_upheld).await, 12_000);
    assert_eq!(world.count(undecided).await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_decision_that_stops_between_two_slices_decides_nothing(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "모두가 신고한 글").await.id;
    report_often(&world, post).await;
    sqlx::raw_sql(
        "create function stop_at_last() returns trigger language plpgsql as $$
         begin
             if new.member_id = 2012000 then
                 raise exception 'the database stops';
             end if;
             return new;
         end $$;
         create trigger stop_at_last before update on report
             for each row execute function stop_at_last()",
    )
    .execute(&world.pool)
    .await
    .unwrap();
    let text = TextRef::Post(post);
    world.decide(text, Decision::Dismiss, 1).await.unwrap_err();
    let undecided = "select count(*) from report where upheld is null and step_id is null";
    assert_eq!(world.count(undecided).await, 12_000);
    assert_eq!(world.count("select count(*) from moderation_step").await, 0);
    sqlx::query("drop trigger stop_at_last on report")
        .execute(&world.pool)
        .await
        .unwrap();
    world.decide(text, Decision::Dismiss, 1).await.unwrap();
    assert_eq!(world.count(undecided).await, 0);
}
