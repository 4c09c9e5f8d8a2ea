//! Claims to dividends end with the season in which the shares were owned.

use proto::common::v1::Currency;
use sqlx::PgPool;
use trading::audit;
use trading::dividends::DividendWorker;
use trading::domain::split::SplitRatio;
use trading::tick_log::{Scope, SessionRecordKind};

use super::reset;
use crate::dividends::{EARLY, EX_DAY, PAY_DAY, SELLER, dividend};
use crate::world::{DAY, SAMSUNG, World, buy, sell};

const LAPSED: &str = "select count(*) from dividend_share where lapsed";

/// Both own shares before the ex-day.
async fn owners(pool: PgPool) -> World {
    let mut world = World::new(pool).await;
    for member in [EARLY, SELLER] {
        world.placed(buy(member, SAMSUNG, "", "10")).await;
    }
    world.trade(SAMSUNG, "71300", 1_000).await;
    let told = dividend(1, SAMSUNG, "361", Currency::Krw);
    world.store.receive_dividends(&[told]).await.unwrap();
    world
}

async fn paid(world: &mut World, worker: &mut DividendWorker) {
    world.day(PAY_DAY, 2).await;
    world.traded_on(SAMSUNG, "71300", PAY_DAY).await;
    worker.step().await.unwrap();
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_unpaid_claim_lapses_and_the_others_are_paid(pool: PgPool) {
    let mut world = owners(pool).await;
    world.day(EX_DAY, 3).await;
    world.traded_on(SAMSUNG, "71300", EX_DAY).await;
    let mut worker = DividendWorker::new(world.store.clone(), 1);
    world.noted(&mut worker).await;
    world
        .reset(reset(EARLY, "reset-me-1", false))
        .await
        .unwrap();
    assert_eq!(world.count(LAPSED).await, 1);
    // Owned again, but too late.
    world.placed(buy(EARLY, SAMSUNG, "", "1")).await;
    world.traded_on(SAMSUNG, "71300", EX_DAY).await;
    paid(&mut world, &mut worker).await;
    let other = world.summary(SELLER).await;
    assert!(
        world.gains_add_up(SELLER).await.income_won == 3_610,
        "{other:?}"
    );
    assert_eq!(world.gains_add_up(EARLY).await.income_won, 0);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn who_began_again_before_the_claims_are_noted_has_none(pool: PgPool) {
    let mut world = owners(pool).await;
    world
        .reset(reset(EARLY, "reset-me-1", false))
        .await
        .unwrap();
    // Two of the new season count.
    world.placed(buy(EARLY, SAMSUNG, "", "2")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    world.day(EX_DAY, 3).await;
    world.traded_on(SAMSUNG, "71300", EX_DAY).await;
    let mut worker = DividendWorker::new(world.store.clone(), 1);
    world.noted(&mut worker).await;
    paid(&mut world, &mut worker).await;
    assert_eq!(world.gains_add_up(EARLY).await.income_won, 722);
    assert_eq!(world.gains_add_up(SELLER).await.income_won, 3_610);
    world.audit().await;
}

/// As it was noted before: for the present season, from the fills of the one before.
const CLAIM_OF_THE_SEASON_BEFORE: &str = "
    insert into dividend_share (dividend_id, account_id, member_id, instrument_name, quantity, season)
        select 1, account_id, member_id, instrument_name, 10, 2 from holding
        where member_id = 100001 and instrument_code = '005930'";
const CLAIMED: &str =
    "who owned shares before an ex-day has a claim to the dividend and nobody else has";

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn shares_sold_on_the_ex_day_earn_the_next_season_nothing(pool: PgPool) {
    let mut world = owners(pool).await;
    world.day(EX_DAY, 3).await;
    // The holding stays without a share, and the season ends before the claims are noted.
    world.placed(sell(EARLY, SAMSUNG, "", "10")).await;
    world.traded_on(SAMSUNG, "71300", EX_DAY).await;
    world
        .reset(reset(EARLY, "reset-me-1", false))
        .await
        .unwrap();
    assert_eq!(world.count("select count(*) from ended_holding").await, 0);
    let mut worker = DividendWorker::new(world.store.clone(), 1);
    world.noted(&mut worker).await;
    paid(&mut world, &mut worker).await;
    assert_eq!(world.gains_add_up(EARLY).await.income_won, 0);
    assert_eq!(world.gains_add_up(SELLER).await.income_won, 3_610);
    world.audit().await;

    let falsify = sqlx::query(CLAIM_OF_THE_SEASON_BEFORE);
    let falsified = falsify.execute(&world.pool).await.unwrap();
    assert_eq!(falsified.rows_affected(), 1);
    let report = audit::run(&world.pool, i64::from(u32::MAX)).await.unwrap();
    let mut findings = report.findings.iter();
    assert!(findings.any(|finding| finding.check == CLAIMED), "{report}");
}

/// As if the claims had been noted while the season ended: the reset did not see them.
#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_claim_noted_while_the_season_ends_is_never_paid(pool: PgPool) {
    let mut world = owners(pool).await;
    world.day(EX_DAY, 3).await;
    world.traded_on(SAMSUNG, "71300", EX_DAY).await;
    let mut worker = DividendWorker::new(world.store.clone(), 1);
    world.noted(&mut worker).await;
    world
        .reset(reset(EARLY, "reset-me-1", false))
        .await
        .unwrap();
    let unseen = sqlx::query("update dividend_share set lapsed = false, paid_at = null");
    unseen.execute(&world.pool).await.unwrap();
    paid(&mut world, &mut worker).await;
    worker.step().await.unwrap();
    assert_eq!(world.count(LAPSED).await, 1);
    assert_eq!(world.gains_add_up(EARLY).await.income_won, 0);
    assert_eq!(world.gains_add_up(SELLER).await.income_won, 3_610);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_split_divides_only_what_the_present_season_owns(pool: PgPool) {
    let mut world = owners(pool).await;
    world
        .reset(reset(EARLY, "reset-me-1", false))
        .await
        .unwrap();
    world.placed(buy(EARLY, SAMSUNG, "", "3")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    let ratio = SplitRatio {
        numerator: 2,
        denominator: 1,
    };
    let scope = Scope::Code(SAMSUNG.to_owned());
    let split = world.session_record(SessionRecordKind::Split(ratio), scope, DAY + 1);
    world.log(vec![split]).await;
    let owned = world.holdings(EARLY).await;
    assert_eq!(crate::world::number(&owned[0].quantity), 6.into());
    world
        .reset(reset(SELLER, "reset-me-1", false))
        .await
        .unwrap();
    world.traded_on(SAMSUNG, "35650", DAY + 2).await;
    world.audit().await;
}
