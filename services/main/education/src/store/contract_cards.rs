//! Contracts that members closed before maturity, as far as cards are made from them.

use kernel::MemberId;
use messaging::inbox;
use sqlx::PgConnection;
use uuid::Uuid;

use super::Store;
use super::trade_cards::lock_trader;
use crate::domain::cards::{ClosedContract, KEPT_CONTRACTS};
use crate::error::StudyError;

/// Consumer name in the inbox.
const CONSUMER: &str = "education.contract-events";

impl Store {
    /// Keeps a contract from which the member can learn, and removes those that are no longer among
    /// the newest. A repeated event has no effect.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn note_closed_contract(
        &self,
        event_id: Uuid,
        member: MemberId,
        contract: &ClosedContract,
    ) -> Result<(), StudyError> {
        let mut transaction = self.pool.begin().await?;
        let clock = self.clock.as_ref();
        if !inbox::first_time_in(&mut transaction, CONSUMER, event_id, clock).await? {
            return Ok(());
        }
        if contract.is_lesson() {
            lock_trader(&mut transaction, member, 0).await?;
            save(&mut transaction, member, contract).await?;
            sqlx::query(
                "delete from closed_contract where member_id = $1 and account_no not in ( \
                 select account_no from closed_contract where member_id = $1 \
                 order by closed_at desc, account_no desc limit $2)",
            )
            .bind(member.0)
            .bind(KEPT_CONTRACTS)
            .execute(&mut *transaction)
            .await?;
        }
        Ok(transaction.commit().await?)
    }
}

/// The contract with this number, or the newest.
pub(super) async fn closed_contract(
    connection: &mut PgConnection,
    member: MemberId,
    account_no: Option<&str>,
) -> Result<Option<ClosedContract>, sqlx::Error> {
    sqlx::query_as(
        "select * from closed_contract where member_id = $1 and account_no = coalesce($2, account_no) \
         order by closed_at desc, account_no desc limit 1",
    )
    .bind(member.0)
    .bind(account_no)
    .fetch_optional(connection)
    .await
}

async fn save(
    connection: &mut PgConnection,
    member: MemberId,
    contract: &ClosedContract,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into closed_contract (member_id, account_no, closed_at, name, paid_in_won, \
         interest_won, tax_won, interest_at_maturity_won, opened_on, closed_on, matures_on) \
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing",
    )
    .bind(member.0)
    .bind(&contract.account_no)
    .bind(contract.closed_at)
    .bind(&contract.name)
    .bind(contract.paid_in_won)
    .bind(contract.interest_won)
    .bind(contract.tax_won)
    .bind(contract.interest_at_maturity_won)
    .bind(contract.opened_on)
    .bind(contract.closed_on)
    .bind(contract.matures_on)
    .execute(connection)
    .await?;
    Ok(())
}
