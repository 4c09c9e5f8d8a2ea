//! How many rows statements read of an account that has done very much: those of the days they ask
//! about, not of all its years.

use chrono::TimeDelta;
use proto::trading::v1 as wire;
use proto::trading::v1::{ProfitGrouping, ProfitWindow};
use serde_json::Value;
use sqlx::PgPool;
use tracing_subscriber::layer::SubscriberExt;
use trading::contracts::CmaWorker;
use trading::store::AccountPolicy;

use super::{ME, PLANS, PlanReader, explained};
use crate::world::{LAX, SAMSUNG, World, buy, sell};

/// Two fills and two transfers a day for years, on the BASIC account and on a CMA.
const YEARS: &str = "
    begin;
    set local session_replication_role = replica;
    insert into journal (id, kind, source_type, source_id, occurred_at)
        select 1000000 + n, 'TRANSFERRED', 'TRANSFER', n, '2026-11-01'::timestamptz
            - n * interval '1 hour' from generate_series(1, 30000) n;
    insert into entry (journal_id, line, account_id, book, asset, amount)
        select 1000000 + n, l.line, l.account, null, 'KRW', l.won
        from generate_series(1, 30000) n, (select id as basic,
            (select id from account where member_id = 100001 and code = '05') as cma
            from account where member_id = 100001 and code = '00') a,
        lateral (values (1, a.basic, -1), (2, a.cma, 1)) l (line, account, won);
    insert into cash_movement (account_id, journal_id)
        select account_id, journal_id from entry where journal_id > 1000000;
    insert into fill (id, order_id, account_id, member_id, member_seq, instrument_code, side,
            tick_seq, event_time, trading_day, tick_price, rule, slippage_ticks, quantity, price,
            amount_won, base_won, fee_won, tax_won, cost_won, cost_quote, model_version, journal_id)
        select 1000000 + n, 1000000 + n, a.id, a.member_id, 1000000 + n, '005930', 'BUY', n,
            '2026-10-01'::timestamptz - n * interval '1 hour', 20200101, 1, 'LIMIT', 0, 1, 1, 1, 1,
            0, 0, 0, 0, 'v1', n
        from generate_series(1, 60000) n, account a where a.member_id = 100001 and a.code = '00';
    insert into equity_run (day, market_ended_at, ended_at, last_journal, last_fill, next_journal,
            next_fill, finished_at)
        values ('2026-10-01', '2026-10-02 00:00+09', '2026-10-02 00:00+09', 1030000, 1060000,
            1030000, 1060000, now());
    select setval('order_id_seq', 2000000), setval('fill_id_seq', 2000000),
        setval('journal_id_seq', 2000000);
    commit;
    analyze";

/// Rows of a table that the plan read, with those it threw away.
#[expect(
    clippy::float_arithmetic,
    reason = "a plan counts rows of a loop in fractions"
)]
fn read_of(plan: &Value, table: &str) -> u64 {
    let number = |name: &str| plan[name].as_f64().unwrap_or(0.0);
    let here = if plan["Relation Name"] == table {
        (number("Actual Rows") + number("Rows Removed by Filter")) * number("Actual Loops")
    } else {
        0.0
    };
    let children = plan["Plans"].as_array().into_iter().flatten();
    let below: u64 = children.map(|child| read_of(child, table)).sum();
    format!("{here:.0}").parse::<u64>().unwrap() + below
}

/// Of all statements since the last call.
fn rows_read(table: &str) -> u64 {
    let plans = std::mem::take(&mut *PLANS.lock());
    let rows = plans.iter().map(|one| read_of(&one["Plan"], table));
    rows.sum()
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn years_of_history_are_not_read_for_a_day(pool: PgPool) {
    let subscriber = tracing_subscriber::registry().with(PlanReader);
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let policy = AccountPolicy {
        limits: LAX,
        settles_later: true,
        ..AccountPolicy::default()
    };
    let mut world = World::of_policy(explained(&pool, true).await, policy).await;
    world.placed(buy(ME, SAMSUNG, "", "4")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    world.moved("00", "05", 1_000_000).await;
    sqlx::raw_sql(YEARS).execute(&pool).await.unwrap();
    world.placed(sell(ME, SAMSUNG, "", "1")).await;
    world.trade(SAMSUNG, "71400", 1_000).await;

    for grouping in [ProfitGrouping::Unspecified, ProfitGrouping::Sale] {
        for table in ["fill", "cash_movement"] {
            rows_read(table);
            let request = wire::ListProfitsRequest {
                window: ProfitWindow::Day.into(),
                grouping: grouping.into(),
                ..crate::profits::all(ME)
            };
            let listed = world.profits(request).await;
            assert_ne!(listed.summary.unwrap().realized_won, 0);
            let read = rows_read(table);
            assert!(read < 100, "{grouping:?} read {read} rows of {table}");
        }
    }
    // What has not settled stays.
    world.moved("00", "05", 1_000).await;
    let read = rows_read("fill");
    assert!(read < 100, "{read} fills for what has settled");

    world.now += TimeDelta::days(1);
    world.clock.set(world.now);
    world.log(Vec::new()).await;
    rows_read("entry");
    CmaWorker::new(world.store.clone()).step().await.unwrap();
    let paid = world.count("select count(*) from cma_interest").await;
    assert_eq!(paid, 1);
    let read = rows_read("entry");
    assert!(read < 100, "{read} entries for the interest of a day");
}
