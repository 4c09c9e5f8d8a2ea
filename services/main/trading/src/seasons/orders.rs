//! Cancels the open orders of accounts that end.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use kernel::{AccountId, MemberId, Won};
use sea_orm::{DatabaseTransaction, DbErr};

use crate::error::TradingError;
use crate::events;
use crate::matching::balances::SettlementError;
use crate::orders::order::OrderEvent;
use crate::store::Store;
use crate::store::lock::{self, Accounts};
use crate::store::write_set::WriteSet;

/// Cancels all orders of locked accounts and releases what they hold.
pub(crate) async fn cancel_orders(
    store: &Store,
    transaction: &DatabaseTransaction,
    writes: &mut WriteSet,
    accounts: &Accounts,
    (reason, now): (&'static str, DateTime<Utc>),
) -> Result<(), TradingError> {
    let owners = accounts.values().map(|locked| locked.account.member_id);
    let members: BTreeSet<MemberId> = owners.collect();
    let ids: BTreeSet<AccountId> = accounts.keys().copied().collect();
    let orders = lock::open_orders_of(transaction, &members, &ids).await?;
    for mut order in orders.into_values() {
        writes.hold_change(order.account_id, Won(-order.held_won.0));
        order.held_won = Won::ZERO;
        let from = order.status;
        order.status = from
            .after(OrderEvent::Canceled)
            .map_err(SettlementError::from)?;
        reason.clone_into(&mut order.end_reason);
        writes.order(&order, now);
        writes.order_event(&order, Some(from.as_str()), reason, now);
        let account = accounts
            .get(&order.account_id)
            .ok_or_else(|| DbErr::Custom(format!("account {} is not locked", order.account_id)))?;
        let wire = store.order_view(&order, &account.account.account_no);
        let clock = store.clock.as_ref();
        writes.event(&events::order_changed(order.member_id, wire, clock));
    }
    for locked in accounts.values() {
        let mut row = locked.account.clone();
        if row.open_orders > 0 {
            row.open_orders = 0;
            writes.account(&row);
        }
    }
    Ok(())
}
