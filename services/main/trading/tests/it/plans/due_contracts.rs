//! What the worker of contracts reads while market-data is away.

use serde_json::Value;
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;
use tracing_subscriber::layer::SubscriberExt;

use super::{PlanReader, explained, rows_read};
use crate::contracts::bank::BankWorld;
use crate::world::World;

/// The statement that reads what is due.
const DUE: &str = "select c.account_id, c.due_at from contract c";
const RENEWALS: u64 = 600;
const MISSED: &str = "select count(*) from outbox where event_type = 'trading.contract.missed.v1'";

/// 600 deposits that were to be renewed ten days ago, and of others 1,000 plans with a payment of today,
/// for which nobody has a won.
const OVERDUE: &str = "
    begin;
    set local session_replication_role = replica;
    insert into account (id, member_id, code, account_no, opened_at, initial_deposit_won)
        select 1000000 + n, 500000 + n, '00', (8800000000 + n)::text || '00', now(), 0
        from generate_series(0, 1599) n union all
        select 1100000 + n, 500000 + n, case when n < 600 then '03' else '04' end,
            (8900000000 + n)::text || case when n < 600 then '03' else '04' end, now(), 0
        from generate_series(0, 1599) n;
    insert into balance (account_id, asset) select id, 'KRW' from account where id >= 1000000;
    insert into contract (account_id, member_id, product_id, product_name, bank_code, bank_name, kind,
            status, compounding, preferential, base_rate, rate, amount_won, term_months, opened_on,
            matures_on, maturity_action, paid_in_won, due_at)
        select 1100000 + n, 500000 + n, 28, 'Deposit', '090', 'Bank', 'DEPOSIT', 'ACTIVE', 'SIMPLE',
            false, 3.6, 3.6, 100000, 1, '2026-10-10', '2026-11-10', 'RENEW', 100000,
            '2026-11-10 00:10+09'
        from generate_series(0, 599) n;
    insert into contract (account_id, member_id, product_id, product_name, bank_code, bank_name, kind,
            status, compounding, preferential, base_rate, rate, amount_won, transfer_day, term_months,
            opened_on, matures_on, maturity_action, paid_in_won, due_at)
        select 1100000 + n, 500000 + n, 40, 'Plan', '090', 'Bank', 'SAVINGS', 'ACTIVE', 'SIMPLE',
            false, 3.6, 3.6, 100000, 20, 12, '2026-10-20', '2027-10-20', 'PAY', 100000,
            '2026-11-20 09:00+09'
        from generate_series(600, 1599) n;
    insert into contract_payment (account_id, number, amount_won, paid_on, journal_id)
        select account_id, 0, amount_won, opened_on, 1 from contract;
    commit;
    analyze";

/// Contracts that were looked at and passed over.
fn passed_over(node: &Value) -> u64 {
    let number = |name: &str| node[name].as_u64().unwrap_or(0);
    if node["Alias"] == "c" {
        number("Rows Removed by Filter") * number("Actual Loops")
    } else {
        0
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn renewals_that_wait_are_not_looked_at_for_each_batch(pool: PgPool) {
    let subscriber = tracing_subscriber::registry().with(PlanReader);
    tracing::subscriber::set_global_default(subscriber).unwrap();
    sqlx::raw_sql(OVERDUE).execute(&pool).await.unwrap();
    let own = explained(&pool, "on").await;
    // So few contracts would be sorted; more are read in their order.
    let options = own.connect_options().as_ref().clone();
    let options = options.options([("enable_sort", "off")]);
    let own = PgPoolOptions::new().max_connections(6);
    let own = own.connect_with(options).await.unwrap();
    let mut bank = BankWorld::of(World::new(own).await).await;
    bank.without_bank(async |bank| bank.step().await).await;
    assert_eq!(bank.world.count(MISSED).await, 1_000);
    let batches = rows_read(DUE, passed_over);
    assert!(batches.len() > 5, "{batches:?}");
    let all: u64 = batches.iter().sum();
    assert!((RENEWALS..3 * RENEWALS).contains(&all), "{batches:?}");
}
