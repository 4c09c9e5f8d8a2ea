//! Streak freezes: education holds them and says how many; trading sells them and pays back those
//! that arrived when two were held already.

use std::collections::BTreeSet;

use kernel::{AccountId, MemberId};
use proto::education::v1::FreezesChanged;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, TransactionTrait};
use uuid::Uuid;

use super::PurchaseStatus;
use super::price::Price;
use crate::entity::{purchase, streak_freeze};
use crate::error::TradingError;
use crate::ledger::{self, Journal, JournalKind, Source};
use crate::store::write_set::WriteSet;
use crate::store::{Store, lock, sql};

pub const CHANGED: &str = "education.freezes.changed.v1";

/// Freezes that a member may hold at a time.
pub(super) const MOST_FREEZES: i32 = 2;

/// Inbox consumer of the event.
const CONSUMER: &str = "trading.freezes";

impl Store {
    /// Notes how many freezes a member holds. A purchase that caused the change is delivered, or
    /// refunded if it was refused; both happen once.
    ///
    /// # Errors
    /// [`TradingError`]: malformed, or of the database.
    pub async fn note_freezes(
        &self,
        event_id: Uuid,
        changed: &FreezesChanged,
    ) -> Result<(), TradingError> {
        if changed.member_id <= 0 || changed.held < 0 {
            return Err(TradingError::Malformed("freezes"));
        }
        let member_id = MemberId(changed.member_id);
        let (account, _) = self.open_basic_account(member_id).await?;
        let transaction = self.db.begin().await?;
        let clock = self.clock.as_ref();
        if messaging::inbox::first_time(&transaction, CONSUMER, event_id, clock).await? {
            lock::accounts(&transaction, &BTreeSet::from([account])).await?;
            note(&transaction, account, changed).await?;
            if changed.purchase_id > 0 {
                self.end_delivery(&transaction, account, changed).await?;
            }
        }
        transaction.commit().await?;
        Ok(())
    }

    async fn end_delivery(
        &self,
        transaction: &DatabaseTransaction,
        account: AccountId,
        changed: &FreezesChanged,
    ) -> Result<(), TradingError> {
        let row = purchase::Entity::find_by_id(changed.purchase_id)
            .one(transaction)
            .await?;
        let open = row.filter(|row| {
            row.account_id == account
                && row.status == PurchaseStatus::Completed.as_str()
                && row.delivered_at.is_none()
        });
        let Some(row) = open else {
            return Ok(());
        };
        if changed.is_refused {
            self.refund(transaction, &row).await
        } else {
            self.deliver(transaction, &row).await
        }
    }

    async fn deliver(
        &self,
        transaction: &DatabaseTransaction,
        row: &purchase::Model,
    ) -> Result<(), TradingError> {
        let note = sql(
            "with delivered as (update purchase set delivered_at = $2 where id = $1 \
                returning account_id, item_id, quantity) \
             update member_item m set used = m.used + d.quantity from delivered d \
             where m.account_id = d.account_id and m.item_id = d.item_id",
            [row.id.into(), self.clock.now().into()],
        );
        transaction.execute_raw(note).await?;
        Ok(())
    }

    /// Pays back, takes the items back and offers them again. After a reset the base of the present
    /// season grows by it: what comes in is no profit.
    async fn refund(
        &self,
        transaction: &DatabaseTransaction,
        row: &purchase::Model,
    ) -> Result<(), TradingError> {
        let now = self.clock.now();
        let note = sql(
            "with refunded as (update purchase set status = 'REFUNDED', refunded_at = $2 \
                where id = $1 returning account_id, item_id, quantity), \
             returned as (update item i set sold = i.sold - r.quantity from refunded r \
                where i.id = r.item_id and i.stock is not null) \
             update member_item m set quantity = m.quantity - r.quantity from refunded r \
             where m.account_id = r.account_id and m.item_id = r.item_id",
            [row.id.into(), now.into()],
        );
        transaction.execute_raw(note).await?;
        let price = Price::of_purchase(row)
            .ok_or_else(|| DbErr::Custom(format!("currency of purchase {}", row.id)))?
            .reversed();
        let mut writes = WriteSet::default();
        for id in ledger::draw_ids(transaction, 1).await? {
            writes.journal(Journal {
                id,
                kind: JournalKind::ItemRefunded,
                source: Source::Purchase(row.id),
                occurred_at: now,
                postings: price.postings(row.account_id),
            });
        }
        writes.base_change(row.account_id, price.base_change());
        writes.write(transaction).await
    }
}

/// Freezes that education says are held.
pub(super) async fn held_freezes(
    connection: &impl ConnectionTrait,
    account: AccountId,
) -> Result<i32, DbErr> {
    let row = streak_freeze::Entity::find_by_id(account)
        .one(connection)
        .await?;
    Ok(row.map_or(0, |row| row.held))
}

async fn note(
    transaction: &DatabaseTransaction,
    account: AccountId,
    changed: &FreezesChanged,
) -> Result<(), DbErr> {
    let note = sql(
        "insert into streak_freeze as f (account_id, held, version) values ($1, $2, $3) \
         on conflict (account_id) do update set held = excluded.held, version = excluded.version \
         where f.version < excluded.version",
        [account.into(), changed.held.into(), changed.version.into()],
    );
    transaction.execute_raw(note).await?;
    Ok(())
}
