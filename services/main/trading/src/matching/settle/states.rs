//! Rows of accounts, orders and holdings after a batch.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{AccountId, MemberId, OrderId};
use sea_orm::DbErr;

use super::effects::SettledPass;
use crate::accounts::holding::{Holding, HoldingLabel};
use crate::ledger::{Asset, HoldChange};
use crate::store::write_set::WriteSet;

pub(super) fn write_states(passed: &SettledPass<'_>, writes: &mut WriteSet) -> Result<(), DbErr> {
    let SettledPass {
        locked,
        balances,
        pass,
        effects,
        closed_at,
        ref only_ended,
    } = *passed;
    let changed: BTreeSet<OrderId> = effects
        .iter()
        .filter_map(|effect| effect.order().map(|order| order.id))
        .collect();
    let mut ended: BTreeMap<AccountId, i32> = BTreeMap::new();
    let mut labels: BTreeMap<(AccountId, &str), (MemberId, HoldingLabel)> = BTreeMap::new();
    for order in pass.orders.values() {
        let label = HoldingLabel {
            name: order.instrument_name.clone(),
            market: order.market,
            currency: order.currency,
        };
        let key = (order.account_id, order.instrument_code.as_str());
        labels.insert(key, (order.member_id, label));
        if changed.contains(&order.id) {
            if !only_ended.contains(&order.id) {
                writes.order(order, closed_at);
            }
            if !order.status.is_open() {
                *ended.entry(order.account_id).or_insert(0) += 1;
            }
        }
    }
    for (id, row) in &locked.accounts {
        let mut after = row.clone();
        after.open_orders -= ended.get(id).copied().unwrap_or(0);
        if after != *row {
            writes.account(&after);
        }
    }
    for (key, after) in &balances.holdings {
        let (account_id, code) = key;
        let row = locked.holdings.get(key);
        let before = row.map_or(Holding::EMPTY, |row| row.to_holding());
        if before == *after {
            continue;
        }
        let (member_id, label) = match (row, labels.get(&(*account_id, code.as_str()))) {
            (Some(row), _) => (row.member_id, row.label()?),
            (None, Some((member_id, label))) => (*member_id, label.clone()),
            (None, None) => {
                return Err(DbErr::Custom(format!(
                    "account {account_id} would own {code} without an order or a row for it"
                )));
            }
        };
        writes.holding(*account_id, member_id, code, &label, after);
    }
    Ok(())
}

/// By how much the pass has changed what accounts keep aside.
pub(super) fn hold_changes(passed: &SettledPass<'_>) -> Vec<HoldChange> {
    let changes = passed.locked.accounts.iter().filter_map(|(id, row)| {
        let held = passed.balances.cash.get(id)?.held;
        Some(HoldChange {
            account: *id,
            asset: Asset::Krw,
            amount: held.0 - row.held_won.0,
        })
    });
    changes.filter(|change| change.amount != 0).collect()
}
