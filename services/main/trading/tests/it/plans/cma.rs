//! What the audit reads of CMA accounts with many days.

use serde_json::Value;
use sqlx::PgPool;
use tracing_subscriber::layer::SubscriberExt;
use trading::audit;

use super::{PlanReader, explained, rows_of, rows_read};

/// Nothing relays the outbox here.
const ANY_AGE: i64 = 4_294_967_295;
/// In the text of the check.
const CHECK: &str = "' has gaps'";
/// There are 2,000 days and 4,000 entries, and the check reads both a few times.
const READ: u64 = 40_000;

/// Fifty accounts of forty days. On each day won come and leave at noon, and midnight finds none.
const HISTORY: &str = "
    begin;
    set local session_replication_role = replica;
    insert into account (id, member_id, code, account_no, opened_at, initial_deposit_won)
        select 1000001 + n, 500001 + n, '05', (8800000001 + n)::text || '05', '2026-10-01 09:00+09', 0
        from generate_series(0, 49) n;
    insert into balance (account_id, asset) select 1000001 + n, 'KRW' from generate_series(0, 49) n;
    insert into journal (id, kind, source_type, source_id, occurred_at)
        select 2 * n + 1, 'TRANSFERRED', 'TRANSFER', n,
            ('2026-10-01'::date + n / 50 + time '12:00') at time zone 'Asia/Seoul'
        from generate_series(0, 1999) n;
    insert into entry (journal_id, line, account_id, book, asset, amount)
        select 2 * n + 1, line, 1000001 + n % 50, null, 'KRW', amount
        from generate_series(0, 1999) n cross join (values (1, 1), (2, -1)) l (line, amount);
    insert into cma_interest (account_id, day, ended_at, balance_won, rate, gross_won, income_tax_won,
            local_tax_won, last_journal)
        select 1000001 + n % 50, '2026-10-01'::date + n / 50,
            ('2026-10-02'::date + n / 50)::timestamp at time zone 'Asia/Seoul', 0, 2.5, 0, 0, 0,
            2 * n + 2
        from generate_series(0, 1999) n;
    commit;
    analyze";

/// Of what the check has put together, such as its days.
fn of_parts(node: &Value) -> u64 {
    if node["Node Type"] == "CTE Scan" {
        rows_of(node)
    } else {
        0
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn each_day_of_a_cma_is_read_a_few_times(pool: PgPool) {
    let subscriber = tracing_subscriber::registry().with(PlanReader);
    tracing::subscriber::set_global_default(subscriber).unwrap();
    sqlx::raw_sql(HISTORY).execute(&pool).await.unwrap();
    let own = explained(&pool, "on").await;
    let report = audit::run_new(&own, ANY_AGE).await.unwrap().unwrap();
    let mut findings = report.findings.iter();
    assert!(!findings.any(|one| one.check == crate::contracts::cma::CHECK));
    let read = rows_read(CHECK, of_parts)[0];
    assert!((1..READ).contains(&read), "read {read}");
}
