//! Takes notices back, in one transaction: from the inbox, from the pushes that wait, and from what is
//! told later of the same.

use chrono::{DateTime, Utc};
use kernel::MemberId;
use messaging::inbox;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};
use uuid::Uuid;

use super::Store;
use super::notices::{CONSUMER, sql};
use crate::error::AuthError;
use crate::notifications::Notice;
use crate::notifications::withdrawals::{Withdrawal, Withdrawn};

impl Store {
    /// Takes back what one event says, once. A push that is on its way arrives.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn withdraw(
        &self,
        event_id: Uuid,
        mut withdrawals: Vec<Withdrawal>,
    ) -> Result<(), AuthError> {
        // In one order, so that two events never wait for each other.
        withdrawals.sort_by_key(|withdrawal| withdrawal.member);
        let transaction = self.begin().await?;
        if !inbox::first_time(&transaction, CONSUMER, event_id, &*self.clock).await? {
            return Ok(());
        }
        for withdrawal in withdrawals {
            withdraw_one(&transaction, &withdrawal).await?;
        }
        transaction.commit().await?;
        Ok(())
    }
}

async fn withdraw_one(
    transaction: &DatabaseTransaction,
    withdrawal: &Withdrawal,
) -> Result<(), DbErr> {
    let member = withdrawal.member;
    // As who tells locks it: a notice is either here already or finds what this leaves.
    let lock = sql(
        "select id from member where id = $1 for no key update",
        [member.into()],
    );
    if transaction.query_one_raw(lock).await?.is_none() {
        return Ok(());
    }
    let (key, actor) = match &withdrawal.notices {
        Withdrawn::Key(key) => (key.as_str(), 0),
        Withdrawn::Actor(actor) => ("", actor.0),
    };
    let remember = sql(
        "insert into withdrawn_notice (member_id, dedupe_key, actor_id, withdrawn_at) \
         values ($1, $2, $3, $4) on conflict on constraint withdrawn_notice_once do update \
         set withdrawn_at = greatest(withdrawn_notice.withdrawn_at, excluded.withdrawn_at)",
        [
            member.into(),
            key.into(),
            actor.into(),
            withdrawal.withdrawn_at.into(),
        ],
    );
    transaction.execute_raw(remember).await?;
    // A notification takes its pushes along; others have none.
    let deletes = match &withdrawal.notices {
        Withdrawn::Key(key) => ["notification", "push_delivery"].map(|table| {
            sql(
                format!("delete from {table} where member_id = $1 and dedupe_key = $2"),
                [member.into(), key.as_str().into()],
            )
        }),
        Withdrawn::Actor(actor) => [
            sql(
                "delete from notification where member_id = $1 and actor_id = $2 \
                 and coalesce(occurred_at, created_at) <= $3",
                [
                    member.into(),
                    actor.0.into(),
                    withdrawal.withdrawn_at.into(),
                ],
            ),
            sql(
                "delete from push_delivery where member_id = $1 and actor_id = $2 \
                 and notification_id is null",
                [member.into(), actor.0.into()],
            ),
        ],
    };
    for delete in deletes {
        transaction.execute_raw(delete).await?;
    }
    Ok(())
}

/// Whether a notice of somebody was taken back before it came. Under the lock of its member.
pub(super) async fn is_withdrawn(
    transaction: &DatabaseTransaction,
    notice: &Notice,
    (actor, occurred_at): (MemberId, DateTime<Utc>),
) -> Result<bool, DbErr> {
    let find = sql(
        "select 1 as found from withdrawn_notice where member_id = $1 and withdrawn_at >= $4 \
         and (dedupe_key = $2 and actor_id = 0 or dedupe_key = '' and actor_id = $3) limit 1",
        [
            notice.member.into(),
            notice.dedupe_key.as_str().into(),
            actor.0.into(),
            occurred_at.into(),
        ],
    );
    Ok(transaction.query_one_raw(find).await?.is_some())
}
