//! What the audit sees of contracts: each check names the row that was falsified for it.

use proto::trading::v1 as wire;
use sqlx::{Executor, PgPool};
use trading::audit;

use super::bank::{BankWorld, deposit, savings};

const ME: i64 = 100_001;
/// Nothing relays the outbox here.
const ANY_AGE: i64 = 4_294_967_295;

/// What is done to the books, the check that must see it and how its finding begins.
pub(crate) const TAMPERINGS: [(&str, &str, &str); 13] = [
    (
        "update contract_payment set amount_won = amount_won + 1 where account_id = 2",
        "a payment into a contract is in the ledger",
        "contract 2 payment 0",
    ),
    (
        "update contract_payment set journal_id = 1 where account_id = 3 and number = 1",
        "a payment into a contract is in the ledger",
        "contract 3 payment 1",
    ),
    (
        "update contract_interest set gross_won = gross_won + 10 where account_id = 2",
        "interest of a contract is in the ledger",
        "contract 2 MATURITY",
    ),
    (
        "update contract_interest set income_tax_won = 0 where account_id = 2",
        "a contract earned what its terms say",
        "contract 2 MATURITY",
    ),
    (
        "update contract set rate = rate + 1 where account_id = 2",
        "a contract earned what its terms say",
        "contract 2 MATURITY",
    ),
    (
        "update contract set matures_on = matures_on - 1 where account_id = 2",
        "a contract earned what its terms say",
        "contract 2 MATURITY",
    ),
    (
        "delete from contract_payment where account_id = 3 and number = 1",
        "a journal of a contract has its row",
        "journal ",
    ),
    (
        "delete from contract_interest where account_id = 2",
        "a journal of a contract has its row",
        "journal ",
    ),
    (
        "update entry set account_id = 3 where account_id = 1 and journal_id = \
         (select id from journal where kind = 'CONTRACT_CLOSED' and source_id = '2')",
        "a contract is paid out to its member",
        "contract 2",
    ),
    (
        "update contract set paid_in_won = paid_in_won + 1 where account_id = 3",
        "a contract holds what was paid in and earned until it is closed",
        "contract 3",
    ),
    (
        "update contract set closed_on = null where account_id = 2",
        "a contract holds what was paid in and earned until it is closed",
        "contract 2",
    ),
    (
        "update balance set amount = amount + 1 where account_id = 3",
        "a contract holds what was paid in and earned until it is closed",
        "contract 3",
    ),
    (
        "update contract set due_at = '2026-11-01 00:00+09' where account_id = 3",
        "a contract does in time what is due",
        "contract 3",
    ),
];

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_was_falsified_of_a_contract_is_named(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    // A fill tells the audit what day the market has.
    let order = crate::world::buy(ME, crate::world::SAMSUNG, "", "1");
    bank.world.placed(order).await;
    bank.world
        .trade(crate::world::SAMSUNG, "71300", 1_000)
        .await;
    let matured = bank.opened(deposit(ME, 1_000_000, 1)).await;
    assert_eq!(matured.account_no, "000000000203");
    let running = wire::OpenContractRequest {
        transfer_day: 20,
        ..savings(ME, 100_000, 12)
    };
    bank.opened(running).await;
    bank.pass(32).await;
    let closed = bank.opened(savings(ME, 10_000, 6)).await;
    bank.pass(40).await;
    bank.close(&closed, ME, None).await.unwrap();
    bank.world.audit().await;
    bank.world.keep().await;
    for (tampering, check, row) in TAMPERINGS {
        let mut connection = bank.world.pool.acquire().await.unwrap();
        let past_guards = "begin; set local session_replication_role = replica";
        connection.execute(past_guards).await.unwrap();
        connection.execute(sqlx::raw_sql(tampering)).await.unwrap();
        connection.execute("commit").await.unwrap();
        let report = audit::run(&bank.world.pool, ANY_AGE).await.unwrap();
        let mut findings = report.findings.iter();
        let found = findings.any(|one| one.check == check && one.row.starts_with(row));
        assert!(found, "{check}: {row}: {tampering}: {report}");
        bank.world.restore().await;
    }
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_was_paid_in_and_earned_cannot_be_rewritten(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    bank.opened(deposit(ME, 1_000_000, 1)).await;
    bank.pass(32).await;
    for forbidden in [
        "update contract_payment set amount_won = 1",
        "delete from contract_payment",
        "delete from contract_interest",
        "update contract_interest set gross_won = 1",
    ] {
        let refused = bank.world.pool.execute(forbidden).await.unwrap_err();
        assert!(
            refused.to_string().contains("append-only"),
            "{forbidden}: {refused}"
        );
    }
}
