//! What the audit sees of competitions: each check names the row that was falsified for it.

use sqlx::{Executor, PgPool};
use trading::audit;

use super::{APPLE, CompetitionWorld, SAMSUNG};

/// Nothing relays the outbox here.
const ANY_AGE: i64 = 4_294_967_295;

/// What is done to the books, the check that must see it and how its finding begins.
pub(crate) const TAMPERINGS: [(&str, &str, &str); 21] = [
    (
        "delete from competition_entry where member_id = 100001",
        "an account of a competition is that of its entry, with the event's cash",
        "account ",
    ),
    (
        "update account set initial_deposit_won = initial_deposit_won + 1 where code = '99'",
        "an account of a competition is that of its entry, with the event's cash",
        "account ",
    ),
    (
        "update account set net_transfers_won = 1 where code = '99'",
        "an account of a competition is that of its entry, with the event's cash",
        "account ",
    ),
    (
        "update account set closed_at = null where code = '99'",
        "an account of a competition that has ended is closed, and nothing is left or comes later",
        "account ",
    ),
    (
        "update holding set quantity = 1",
        "an account of a competition that has ended is closed, and nothing is left or comes later",
        "account ",
    ),
    (
        "update competition_entry set last_journal = 1",
        "an account of a competition that has ended is closed, and nothing is left or comes later",
        "account ",
    ),
    (
        "update competition_price set price = price + 1 where instrument_code = '005930'",
        "a competition is measured at its last prices",
        "ended holding ",
    ),
    (
        "update competition set dollar_won = 1471",
        "a competition is measured at its last prices",
        "ended holding ",
    ),
    (
        "update competition_price set tick_seq = 1 where instrument_code = '005930'",
        "no fill of a competition is of a later tick than its last price",
        "fill ",
    ),
    (
        "update competition_result set cash_won = cash_won + 1, holdings_won = holdings_won - 1",
        "a result is what the account had",
        "account ",
    ),
    (
        "update competition_result set return_rate = return_rate + 0.0001",
        "a result is what the account had",
        "account ",
    ),
    (
        "update competition_result set drawdown_rate = drawdown_rate + 0.0001",
        "a result has the largest fall of its days",
        "account ",
    ),
    (
        "update competition_result set buys = buys + 1",
        "a result counts what the account bought",
        "account ",
    ),
    (
        "update competition_rank set rank = 1 where place = 2",
        "ranks follow from results",
        "competition ",
    ),
    (
        "delete from competition_rank where place = 2",
        "ranks follow from results",
        "competition ",
    ),
    (
        "update competition_award set points = points + 1 where place = 1",
        "prizes are those of the places, credited once",
        "competition ",
    ),
    (
        "delete from competition_award where place = 2",
        "prizes are those of the places, credited once",
        "competition ",
    ),
    (
        "update competition_award set point_change_id = null where place = 1",
        "prizes are those of the places, credited once",
        "competition ",
    ),
    (
        "update competition_prize set points = points + 1 where first_place = 2",
        "prizes are those of the places, credited once",
        "competition ",
    ),
    (
        "delete from competition_award where place = 1",
        "points that were awarded are a prize",
        "point change ",
    ),
    (
        "update point_change set points = points + 1 where kind = 'AWARDED'",
        "the ledger says of points, cash and items what their rows say",
        "journal ",
    ),
];

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_was_falsified_of_a_competition_is_named(pool: PgPool) {
    let mut world = CompetitionWorld::two_compete(pool).await;
    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "231")]);
    let id = world.at_end().await.competition_id;
    world.closed(id).await;
    world.objections_over(id).await;
    world.worker.step().await.unwrap();
    let world = &world.world;
    world.audit().await;
    world.keep().await;
    for (tampering, check, row) in TAMPERINGS {
        let mut connection = world.pool.acquire().await.unwrap();
        let past_guards = "begin; set local session_replication_role = replica";
        connection.execute(past_guards).await.unwrap();
        connection.execute(sqlx::raw_sql(tampering)).await.unwrap();
        connection.execute("commit").await.unwrap();
        let report = audit::run(&world.pool, ANY_AGE).await.unwrap();
        let mut findings = report.findings.iter();
        let found = findings.any(|one| one.check == check && one.row.starts_with(row));
        assert!(found, "{check}: {row}: {tampering}: {report}");
        world.restore().await;
    }
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_result_cannot_be_rewritten(pool: PgPool) {
    let mut world = CompetitionWorld::two_compete(pool).await;
    world.closes.tell(&[(SAMSUNG, "72000"), (APPLE, "231")]);
    let id = world.at_end().await.competition_id;
    world.closed(id).await;
    for forbidden in [
        "update competition_result set cash_won = 1",
        "delete from competition_result",
        "truncate competition_award",
        "update competition_rank set rank = 1",
        "update competition_price set price = 1",
        "update competition_award set points = 1",
    ] {
        let refused = world.world.pool.execute(forbidden).await.unwrap_err();
        assert!(
            refused.to_string().contains("append-only"),
            "{forbidden}: {refused}"
        );
    }
}
