//! Rows of accounts, orders and holdings after a batch.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{AccountId, MemberId, OrderId, Won};
use sea_orm::DbErr;

use super::effects::SettledPass;
use crate::accounts::holding::{Holding, HoldingLabel};
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
    for (id, before) in &locked.accounts {
        if let Some(cash) = balances.cash.get(id) {
            writes.hold_change(*id, Won(cash.held.0 - before.won.held));
        }
        let mut after = before.account.clone();
        after.open_orders -= ended.get(id).copied().unwrap_or(0);
        if after != before.account {
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
