//! Decisions about texts that very many have reported.

use std::time::Duration;

use community::MIGRATOR;
use community::domain::moderation::Decision;
use community::domain::post::Publication;
use community::store::TextRef;
use proto::community::v1::report_request::Subject;
use sqlx::PgPool;
use tokio::time::{sleep, timeout};

use crate::world::{MEMBER, OTHER, THIRD, World};

/// Takes a second for each slice.
const SLOW: &str = "
    create function decide_slowly() returns trigger language plpgsql as $$
    begin
        if exists (select from decided) then
            perform pg_sleep(1);
        end if;
        return null;
    end $$;
    create trigger decide_slowly after update on report referencing new table as decided
        for each statement execute function decide_slowly()";

/// As long as a lock is waited for.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

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
    testkit::bound_statements(&world.pool, "update", "report", 5_000).await;
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

/// A post whose reports take three seconds.
async fn slowly_decided(world: &World) -> i64 {
    let post = world.post(MEMBER, "모두가 신고한 글").await.id;
    report_often(world, post).await;
    sqlx::raw_sql(SLOW).execute(&world.pool).await.unwrap();
    post
}

/// How many reports the newest step has not dismissed.
const NOT_DISMISSED: &str = "select count(*) from report where upheld is distinct from false \
    or step_id is distinct from (select max(id) from moderation_step)";
const WITH_WEIGHT: &str = "select count(*) from post where report_weight <> 0";

#[sqlx::test(migrator = "MIGRATOR")]
async fn others_like_and_report_a_post_while_its_reports_are_decided(pool: PgPool) {
    let world = World::new(pool).await;
    let post = slowly_decided(&world).await;
    let meanwhile = async {
        sleep(Duration::from_millis(300)).await;
        let liked = timeout(LOCK_TIMEOUT, world.like(OTHER, post, true)).await;
        let report = world.report(THIRD, Subject::PostId(post));
        (liked, timeout(LOCK_TIMEOUT, report).await)
    };
    let decide = world.decide(TextRef::Post(post), Decision::Dismiss, 1);
    let (decided, (liked, reported)) = tokio::join!(decide, meanwhile);
    decided.unwrap();
    liked.unwrap().unwrap();
    reported.unwrap().unwrap();
    assert_eq!(world.count("select count(*) from report").await, 12_001);
    assert_eq!(world.count(NOT_DISMISSED).await, 0);
    assert_eq!(world.count(WITH_WEIGHT).await, 0);
    assert_eq!(world.count("select count(*) from moderation_step").await, 1);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_post_that_is_hidden_while_its_reports_are_decided_is_decided_about_anew(pool: PgPool) {
    let world = World::new(pool).await;
    let post = slowly_decided(&world).await;
    let hide = async {
        sleep(Duration::from_millis(300)).await;
        timeout(LOCK_TIMEOUT, world.hide(Subject::PostId(post))).await
    };
    let decide = world.decide(TextRef::Post(post), Decision::Dismiss, 1);
    let (decided, hidden) = tokio::join!(decide, hide);
    hidden.unwrap();
    assert_eq!(decided.unwrap().publication, Publication::Published);
    assert_eq!(world.count("select count(*) from report").await, 12_004);
    assert_eq!(world.count(NOT_DISMISSED).await, 0);
    assert_eq!(world.count(WITH_WEIGHT).await, 0);
    // Hidden, then dismissed.
    assert_eq!(world.count("select count(*) from moderation_step").await, 2);
    assert_eq!(world.notices().await, ["HIDDEN", "RESTORED"]);
    assert_eq!(world.get(0, post).await.unwrap().id, post);
}
