//! The writes of a pass: rows, journals and messages of its effects, in log order.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use kernel::{MemberId, OrderId};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, Statement};

use super::locked_rows::LockedRows;
use super::receipt::{Filled, ReceiptIds, write_split};
use super::states::write_states;
use crate::error::TradingError;
use crate::events;
use crate::matching::balances::LockedBalances;
use crate::matching::effect::Effect;
use crate::matching::pass::MatchingPass;
use crate::orders::order::{Order, end_reason};
use crate::store::Store;
use crate::store::lock;
use crate::store::write_set::WriteSet;

/// A pass that ran on locked rows.
pub(super) struct SettledPass<'a> {
    pub(super) locked: &'a LockedRows,
    pub(super) balances: &'a LockedBalances,
    /// Orders whose only change is that they ended.
    pub(super) only_ended: BTreeSet<OrderId>,
    pub(super) pass: &'a MatchingPass,
    pub(super) effects: &'a [Effect],
    pub(super) closed_at: DateTime<Utc>,
}

impl Store {
    pub(super) async fn write_pass(
        &self,
        transaction: &DatabaseTransaction,
        passed: &SettledPass<'_>,
        mut writes: WriteSet,
    ) -> Result<(), TradingError> {
        self.write_effects(transaction, passed, &mut writes).await?;
        write_states(passed, &mut writes)?;
        writes.write(transaction).await
    }

    /// Writes rows, journals and messages of the effects.
    async fn write_effects(
        &self,
        transaction: &DatabaseTransaction,
        passed: &SettledPass<'_>,
        writes: &mut WriteSet,
    ) -> Result<(), TradingError> {
        let SettledPass {
            locked, effects, ..
        } = *passed;
        let members: BTreeSet<MemberId> = effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::Filled { order, .. } => Some(order.member_id),
                Effect::Changed { .. } | Effect::Split { .. } => None,
            })
            .collect();
        let mut sequences = lock::member_sequences(transaction, &members).await?;
        let rows = effects
            .iter()
            .filter(|effect| !matches!(effect, Effect::Changed { .. }));
        let mut drawn = draw_ids(transaction, rows.count()).await?.into_iter();
        let mut next = || {
            drawn
                .next()
                .ok_or_else(|| DbErr::Custom("too few ids were drawn".to_owned()))
        };
        for effect in effects {
            match effect {
                Effect::Filled {
                    order,
                    from,
                    execution,
                    payment,
                } => {
                    let Some(payment) = payment else {
                        continue;
                    };
                    let seq = sequences.entry(order.member_id).or_insert(0);
                    *seq += 1;
                    let filled = Filled {
                        ids: next()?,
                        member_seq: *seq,
                        account_no: locked.account_no(order.account_id),
                        order,
                        execution,
                        payment,
                    };
                    self.write_fill(&filled, writes);
                    writes.order_event(order, Some(from.as_str()), "FILL", execution.time);
                }
                Effect::Changed {
                    order,
                    from,
                    reason,
                    time,
                } => {
                    if passed.only_ended.contains(&order.id) {
                        writes.ended(order, from.as_str(), *time, passed.closed_at);
                    } else {
                        writes.order_event(order, Some(from.as_str()), reason, *time);
                    }
                    let account_no = locked.account_no(order.account_id);
                    self.write_change_messages(order, account_no, reason, writes);
                }
                Effect::Split { .. } => write_split(next()?, effect, writes),
            }
        }
        Ok(())
    }

    fn write_change_messages(
        &self,
        order: &Order,
        account_no: &str,
        reason: &str,
        writes: &mut WriteSet,
    ) {
        let wire = self.order_view(order, account_no);
        let clock = self.clock.as_ref();
        // The end of a competition is told by itself.
        if !order.status.is_open() && reason != end_reason::COMPETITION_ENDED {
            let ended = events::order_ended(order.member_id, wire.clone(), clock);
            writes.event(&ended);
        }
        writes.event(&events::order_changed(order.member_id, wire, clock));
    }
}

/// Orders whose only change by the effects is that they ended.
pub(super) fn only_ended(
    before: &BTreeMap<OrderId, Order>,
    effects: &[Effect],
) -> BTreeSet<OrderId> {
    let ended = effects.iter().filter_map(|effect| match effect {
        Effect::Changed { order, from, .. } => {
            let was = before.get(&order.id)?;
            (was.status == *from && order.only_ended_since(was)).then_some(order.id)
        }
        Effect::Filled { .. } | Effect::Split { .. } => None,
    });
    ended.collect()
}

/// Ids for the receipts and their journals.
async fn draw_ids(
    transaction: &DatabaseTransaction,
    count: usize,
) -> Result<Vec<ReceiptIds>, DbErr> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let draw = Statement::from_sql_and_values(
        DbBackend::Postgres,
        "select nextval('fill_id_seq') as fill, nextval('journal_id_seq') as journal \
         from generate_series(1, $1)",
        [i64::try_from(count).unwrap_or(i64::MAX).into()],
    );
    let rows = transaction.query_all_raw(draw).await?;
    let ids = rows.iter().map(|row| {
        Ok(ReceiptIds {
            receipt: row.try_get("", "fill")?,
            journal: row.try_get("", "journal")?,
        })
    });
    ids.collect()
}
