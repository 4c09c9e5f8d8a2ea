//! What a member is told of the days, and what the audit sees of them.

use kernel::Clock;
use proto::trading::v1 as wire;
use proto::trading::v1::ProfitWindow;
use rust_decimal::Decimal;
use sqlx::{Executor, PgPool};
use tonic::Code;
use trading::audit;

use super::world::{EquityWorld, all, figures, yyyymmdd};
use super::{ME, OTHER};
use crate::points;
use crate::world::{SAMSUNG, buy, number, reason};

/// Columns of a day, and the checks that see them falsified.
pub(crate) const FALSIFIED: [(&str, &str); 2] = [
    ("flow_won", "the flow of a day is the change of the base"),
    (
        "cash_won",
        "the cash of the last closed day is what later entries leave of the present",
    ),
];

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_window_is_answered_with_its_return(pool: PgPool) {
    let mut world = EquityWorld::new(pool).await;
    let new = world.all().await;
    assert_eq!(figures(&new), [(5_000_000, 5_000_000, 5_000_000)]);
    assert_eq!((new.return_rate, new.drawdown_rate), (None, None));

    world.world().placed(buy(ME, SAMSUNG, "", "50")).await;
    world.world().trade(SAMSUNG, "71300", 10_000).await;
    let cash = world.world().basic(ME).await.deposit_won;
    let mut days = Vec::new();
    for price in ["70000", "65000", "80000"] {
        let day = world.night().await;
        world.closes.tell(&[(SAMSUNG, price)]);
        world.closed(day).await;
        days.push((yyyymmdd(day), cash + 50 * price.parse::<i64>().unwrap()));
    }
    world.world().trade(SAMSUNG, "75000", 1_000).await;
    points::earn(world.world(), ME, "quiz-1", 100).await;
    points::transfer(world.world(), 100, "points-1")
        .await
        .unwrap();
    let base = world.world().summary(ME).await.base_won;
    let now = world.world().summary(ME).await.total_won;
    let got = world.all().await;
    let shown: Vec<(i32, i64)> = got
        .days
        .iter()
        .map(|day| (day.day, day.equity_won))
        .collect();
    let today = yyyymmdd(world.bank.world.clock.today_kst());
    assert_eq!(shown, [days.clone(), vec![(today, now)]].concat());
    assert_eq!(got.days[3].flow_won, base - 5_000_000);
    assert_eq!((got.from_day, got.to_day), (0, today));

    let growth = |from: i64, to: i64| Decimal::from(to) / Decimal::from(from);
    let percent = |part: Decimal| (part * Decimal::ONE_HUNDRED).round_dp(3);
    let [first, second, third] = [days[0].1, days[1].1, days[2].1];
    let grown = growth(5_000_000, first)
        * growth(first, second)
        * growth(second, third)
        * growth(third + base - 5_000_000, now);
    assert_eq!(
        number(&got.return_rate).round_dp(3),
        percent(grown - Decimal::ONE)
    );
    assert_eq!(
        number(&got.drawdown_rate).round_dp(3),
        percent(Decimal::ONE - growth(5_000_000, second))
    );

    // One account, and a window that begins with the day before it.
    let basic = wire::GetEquityRequest {
        account_no: "00".to_owned(),
        window: ProfitWindow::Day.into(),
        ..all(ME)
    };
    let got = world.equity(basic).await.unwrap();
    assert_eq!((got.from_day, got.to_day), (today, today));
    assert_eq!(got.days.len(), 2);
    assert_eq!((got.days[0].day, got.days[0].flow_won), (days[2].0, 0));

    let others = wire::GetEquityRequest {
        account_no: world.bank.world.basic(OTHER).await.account_no,
        ..all(ME)
    };
    let refused = world.equity(others).await.unwrap_err();
    assert_eq!(reason(&refused), "ACCOUNT_FORBIDDEN");
    let later = wire::GetEquityRequest {
        season: 2,
        ..all(ME)
    };
    assert_eq!(
        world.equity(later).await.unwrap_err().code(),
        Code::NotFound
    );
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_audit_names_a_day_that_was_falsified(pool: PgPool) {
    let mut world = EquityWorld::new(pool).await;
    world.world().placed(buy(ME, SAMSUNG, "", "10")).await;
    world.world().trade(SAMSUNG, "71300", 1_000).await;
    let day = world.night().await;
    world.closes.tell(&[(SAMSUNG, "70000")]);
    world.closed(day).await;
    world.world().moved("00", "01", 10_000).await;
    world.bank.world.audit().await;
    let id: i64 = sqlx::query_scalar("select account_id from equity_day")
        .fetch_one(&world.bank.world.pool)
        .await
        .unwrap();
    for (column, check) in FALSIFIED {
        let falsify = |by: i32| {
            format!(
                "begin; set local session_replication_role = replica; \
                 update equity_day set {column} = {column} + {by}; commit"
            )
        };
        let pool = &world.bank.world.pool;
        pool.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(falsify(1))))
            .await
            .unwrap();
        let report = audit::run(pool, i64::from(u32::MAX)).await.unwrap();
        let [found] = report.findings.as_slice() else {
            panic!("{report}");
        };
        assert_eq!(
            (found.check, found.row.as_str()),
            (check, format!("account {id} on {day}").as_str())
        );
        pool.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(falsify(-1))))
            .await
            .unwrap();
    }
}
