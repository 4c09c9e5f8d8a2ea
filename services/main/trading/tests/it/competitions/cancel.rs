//! Events that an operator cancels.

use sqlx::{Executor, PgPool};
use trading::audit;
use trading::competitions::cancel::cancel;
use trading::competitions::operator::OperatorError;

use super::{APPLE, CompetitionWorld, ME, OTHER, SAMSUNG, in_competition, reason};
use crate::world::buy;

/// The check that a test here proves.
pub(crate) const CHECK: &str =
    "a competition that was canceled has neither results nor prizes, and is closed";
const FALSIFIED: [&str; 3] = [
    "insert into competition_result (competition_id, member_id, cash_won, holdings_won, return_rate, \
        drawdown_rate, buys, items, days) \
     select competition_id, member_id, 1, 1, 0, 0, 0, 0, 0 from competition_entry \
     where competition_id = (select id from competition where is_canceled)",
    "update competition set award_at = now() where is_canceled",
    "update competition_entry set last_fill = null, last_journal = null, ended_on = null \
     where competition_id = (select id from competition where is_canceled)",
];
const REASON: &str = "가격이 잘못 나왔어요";

impl CompetitionWorld {
    async fn cancel(&self, id: i64) -> Result<(), OperatorError> {
        cancel(&self.world.db(), id, REASON, self.world.now).await
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_canceled_event_closes_its_accounts_without_results(pool: PgPool) {
    let mut world = CompetitionWorld::two_compete(pool).await;
    let id = world.running().await.competition_id;
    world.cancel(id).await.unwrap();
    let listed = world.list(ME).await;
    assert!(listed.iter().all(|one| one.competition_id != id));
    let refused = world.join(100_003, id, "join-late").await.unwrap_err();
    assert_eq!(reason(&refused), "COMPETITION_JOIN_CLOSED");
    let refused = world.leave(ME, id, "leave-late").await.unwrap_err();
    assert_eq!(reason(&refused), "COMPETITION_NOT_FOUND");
    assert_eq!(world.mode(ME).await.title, "11월 연습 리그");
    world.world.audit().await;

    for _again in 0..2 {
        world.worker.step().await.unwrap();
    }
    for (read, count) in [
        (
            "select count(*) from account where code = '99' and closed_at is not null",
            2,
        ),
        (
            "select count(*) from trade_order where end_reason = 'COMPETITION_CANCELED'",
            2,
        ),
        (
            "select count(*) from competition where is_canceled and closed_at is not null",
            1,
        ),
        ("select count(*) from competition_result", 0),
    ] {
        assert_eq!(world.world.count(read).await, count, "{read}");
    }
    let again = world.cancel(id).await;
    assert!(matches!(again, Err(OperatorError::Canceled(_))));

    // Nothing comes of it at its end, and long after.
    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "231")]);
    world.world.now += chrono::TimeDelta::days(60);
    world.world.clock.set(world.world.now);
    world.world.log(Vec::new()).await;
    world.worker.step().await.unwrap();
    assert_eq!(
        world
            .world
            .count("select count(*) from competition_award")
            .await,
        0
    );
    world.world.audit().await;

    world.world.keep().await;
    for falsified in FALSIFIED {
        let mut connection = world.world.pool.acquire().await.unwrap();
        let past_guards = "begin; set local session_replication_role = replica";
        connection.execute(past_guards).await.unwrap();
        connection.execute(sqlx::raw_sql(falsified)).await.unwrap();
        connection.execute("commit").await.unwrap();
        let report = audit::run(&world.world.pool, i64::from(u32::MAX)).await;
        let report = report.unwrap();
        let mut findings = report.findings.iter();
        let found = findings.any(|one| one.check == CHECK && one.row.starts_with("competition "));
        assert!(found, "{falsified}: {report}");
        world.world.restore().await;
    }
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_locked_account_of_a_canceled_event_is_closed_later(pool: PgPool) {
    let mut world = CompetitionWorld::new(pool).await;
    for member in [ME, OTHER] {
        world.compete(member).await;
    }
    let id = world.running().await.competition_id;
    let mut holder = world.world.pool.begin().await.unwrap();
    sqlx::query("select from account where member_id = $1 and code = '99' for update")
        .bind(ME)
        .execute(&mut *holder)
        .await
        .unwrap();
    world.cancel(id).await.unwrap();
    world.worker.step().await.unwrap();
    let open = "select count(*) from account where code = '99' and closed_at is null";
    let closed = "select count(*) from competition where closed_at is not null";
    assert_eq!(world.world.count(open).await, 1);
    assert_eq!(world.world.count(closed).await, 0);
    holder.rollback().await.unwrap();
    world.worker.step().await.unwrap();
    assert_eq!(world.world.count(open).await, 0);
    assert_eq!(world.world.count(closed).await, 1);
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn only_an_official_event_without_last_prices_is_canceled(pool: PgPool) {
    let mut world = CompetitionWorld::two_compete(pool).await;
    let unknown = world.cancel(999).await;
    assert!(matches!(unknown, Err(OperatorError::NoEvent(999))));
    let practice = "select id from competition where kind = 'PRACTICE'";
    let practice = world.world.count(practice).await;
    let practice = world.cancel(practice).await;
    assert!(matches!(practice, Err(OperatorError::NoEvent(_))));
    let id = world.running().await.competition_id;
    for odd in ["", " 왜 ", &"가".repeat(201)] {
        let odd = cancel(&world.world.db(), id, odd, world.world.now).await;
        assert!(matches!(odd, Err(OperatorError::Reason)));
    }
    let order = in_competition(buy(ME, SAMSUNG, "", "1"));
    world.world.placed(order).await;
    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "231")]);
    world.at_end().await;
    world.closed(id).await;
    let over = world.cancel(id).await;
    assert!(matches!(over, Err(OperatorError::Over(_))));
    world.world.audit().await;
}
