//! The end of claims whose account ends: they are settled, and pay nothing.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use kernel::{AccountId, MemberId};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};

use crate::store::{numbers, sql};

pub(crate) struct SettledAt {
    /// By the clock of the process.
    pub(crate) clock: DateTime<Utc>,
    pub(crate) market: DateTime<Utc>,
}

/// Lets the unpaid claims of locked accounts lapse. `members` own the accounts.
pub(crate) async fn lapse_shares(
    transaction: &DatabaseTransaction,
    members: &BTreeSet<MemberId>,
    accounts: &BTreeSet<AccountId>,
    settled: &SettledAt,
) -> Result<(), DbErr> {
    let members: Vec<i64> = members.iter().map(|id| id.0).collect();
    let lapse = sql(
        "update dividend_share set paid_at = $3, lapsed = true, settled_at = $4 \
         where member_id = any($1) and account_id = any($2) and paid_at is null",
        [
            members.into(),
            numbers(accounts).into(),
            settled.clock.into(),
            settled.market.into(),
        ],
    );
    transaction.execute_raw(lapse).await?;
    Ok(())
}
