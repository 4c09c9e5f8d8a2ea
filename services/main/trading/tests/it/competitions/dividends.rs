//! Dividends of shares that are owned in a competition.

use proto::common::v1::Currency;
use sqlx::PgPool;
use trading::audit;
use trading::dividends::DividendWorker;

use super::{CASH, CompetitionWorld, ME, OTHER, SAMSUNG, in_competition};
use crate::dividends::{EX_DAY, PAY_DAY, dividend};
use crate::seasons::reset;
use crate::world::buy;

const LAPSED: &str = "select count(*) from dividend_share where lapsed";
const PAID: &str = "select count(*) from dividend_share where paid_at is not null and not lapsed";

/// Both own shares in the running event, and the claims are noted.
pub(super) async fn owners(pool: PgPool) -> (CompetitionWorld, DividendWorker) {
    let mut world = CompetitionWorld::new(pool).await;
    for member in [ME, OTHER] {
        world.compete(member).await;
        let order = in_competition(buy(member, SAMSUNG, "", "10"));
        world.world.placed(order).await;
    }
    world.world.trade(SAMSUNG, "71300", 1_000).await;
    let told = dividend(1, SAMSUNG, "361", Currency::Krw);
    world.world.store.receive_dividends(&[told]).await.unwrap();
    world.world.day(EX_DAY, 3).await;
    world.world.traded_on(SAMSUNG, "71300", EX_DAY).await;
    let mut worker = DividendWorker::new(world.world.store.clone(), 1);
    world.world.noted(&mut worker).await;
    (world, worker)
}

pub(super) async fn paid(world: &mut CompetitionWorld, worker: &mut DividendWorker) {
    world.world.day(PAY_DAY, 2).await;
    world.world.traded_on(SAMSUNG, "71300", PAY_DAY).await;
    worker.step().await.unwrap();
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_reset_ends_no_claim_of_a_competition(pool: PgPool) {
    let (mut world, mut worker) = owners(pool).await;
    world.set_mode(ME, false, 0).await.unwrap();
    world
        .world
        .reset(reset(ME, "reset-me-1", false))
        .await
        .unwrap();
    paid(&mut world, &mut worker).await;
    assert_eq!(
        (
            world.world.count(PAID).await,
            world.world.count(LAPSED).await
        ),
        (2, 0)
    );
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn who_leaves_before_the_payment_is_not_paid(pool: PgPool) {
    let (mut world, mut worker) = owners(pool).await;
    let id = world.running().await.competition_id;
    world.leave(ME, id, "leave-early").await.unwrap();
    assert_eq!(world.world.count(LAPSED).await, 1);
    paid(&mut world, &mut worker).await;
    assert_eq!(
        (
            world.world.count(PAID).await,
            world.world.count(LAPSED).await
        ),
        (1, 1)
    );
    world.world.audit().await;
}

/// The check that a test here proves.
pub(crate) const AFTER_END: &str = "no dividend is paid after the end of a competition";

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_dividend_that_is_due_after_the_end_lapses_though_the_accounts_are_open(pool: PgPool) {
    let (mut world, mut worker) = owners(pool).await;
    let id = world.running().await.competition_id;
    let end = "update competition set ends_at = '2026-11-24T15:00:00Z', \
        join_until = '2026-11-24T15:00:00Z' where id = $1";
    let end = sqlx::query(end).bind(id);
    end.execute(&world.world.pool).await.unwrap();
    paid(&mut world, &mut worker).await;
    let open = "select count(*) from account where code = '99' and closed_at is null";
    assert_eq!(world.world.count(open).await, 2);
    assert_eq!(
        (
            world.world.count(PAID).await,
            world.world.count(LAPSED).await
        ),
        (0, 2)
    );
    world.world.audit().await;

    world.closes.tell(&[(SAMSUNG, "71300")]);
    world.closed(id).await;
    let results = "select count(*) from competition_result where cash_won + holdings_won <= $1";
    let results = sqlx::query_scalar(results).bind(CASH);
    let without: i64 = results.fetch_one(&world.world.pool).await.unwrap();
    assert_eq!(without, 2, "the dividend counts in no result");
    world.world.audit().await;

    sqlx::query("update dividend_share set lapsed = false")
        .execute(&world.world.pool)
        .await
        .unwrap();
    let report = audit::run(&world.world.pool, i64::from(u32::MAX)).await;
    let findings = report.unwrap().findings;
    let mut findings = findings.iter();
    assert!(findings.any(|one| one.check == AFTER_END && one.row.starts_with("dividend share ")));
}

/// As if the claim had been noted while the account ended: the end did not see it.
#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_claim_that_the_end_did_not_see_lapses_when_it_is_due(pool: PgPool) {
    let (mut world, mut worker) = owners(pool).await;
    let id = world.running().await.competition_id;
    world.leave(ME, id, "leave-early").await.unwrap();
    sqlx::query("update dividend_share set lapsed = false, paid_at = null where lapsed")
        .execute(&world.world.pool)
        .await
        .unwrap();
    paid(&mut world, &mut worker).await;
    assert_eq!(
        (
            world.world.count(PAID).await,
            world.world.count(LAPSED).await
        ),
        (1, 1)
    );
    world.world.audit().await;
}
