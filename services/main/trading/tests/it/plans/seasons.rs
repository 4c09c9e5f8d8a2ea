//! What the audit reads of an account with many seasons.

use serde_json::Value;
use sqlx::PgPool;
use tracing_subscriber::layer::SubscriberExt;
use trading::audit;

use super::{PlanReader, explained, rows_of, rows_read};

/// Nothing relays the outbox here.
const ANY_AGE: i64 = 4_294_967_295;
/// In the text of the check.
const CHECK: &str = "', with their end '";
/// The account has 2,000 entries, and each season took 2,000 journals of all accounts.
const READ: u64 = 8_000;

/// Ten seasons of 200 entries each, among those of nine others.
const HISTORY: &str = "
    begin;
    set local session_replication_role = replica;
    insert into account (id, member_id, code, account_no, opened_at, initial_deposit_won, season)
        values (1000001, 500001, '00', '880000000100', now(), 0, 11);
    insert into balance (account_id, asset) values (1000001, 'KRW');
    insert into journal (id, kind, source_type, source_id, occurred_at)
        select n, 'ORDER_FILLED', 'FILL', n, now() from generate_series(1, 20000) n;
    insert into entry (journal_id, line, account_id, book, asset, amount)
        select n, 1, 1000001 + n % 10, null, 'KRW', 1 from generate_series(1, 20000) n;
    insert into past_season (member_id, season, account_id, began_at, ended_at, ended_on,
            used_ticket, last_order, last_fill, last_journal, cash_won, holdings_won,
            holdings_cost_won, initial_deposit_won, education_deposit_won, bought_deposit_won,
            purchased_items_won, net_transfers_won)
        select 500001, n, 1000001, now(), now(), '2026-11-20', false, 2000 * n, 2000 * n, 2000 * n,
            200, 0, 0, 0, 0, 0, 0, 0
        from generate_series(1, 10) n;
    commit;
    analyze";

/// Of entries and journals.
fn of_ledger(node: &Value) -> u64 {
    if node["Relation Name"] == "entry" || node["Relation Name"] == "journal" {
        rows_of(node)
    } else {
        0
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn each_season_reads_its_own_entries(pool: PgPool) {
    let subscriber = tracing_subscriber::registry().with(PlanReader);
    tracing::subscriber::set_global_default(subscriber).unwrap();
    sqlx::raw_sql(HISTORY).execute(&pool).await.unwrap();
    let own = explained(&pool, "on").await;
    audit::run_new(&own, ANY_AGE).await.unwrap().unwrap();
    let read = rows_read(CHECK, of_ledger)[0];
    assert!((1..READ).contains(&read), "read {read}");
}
