//! Storing what a batch of ticks did: fills, ledger, holdings, order states, messages and the
//! offset, in one transaction.

mod receipt;
mod states;

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use kernel::{AccountId, MemberId, OrderId};
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, Statement, TransactionTrait,
};

use super::Store;
use super::lock::{self, Accounts, Holdings};
use super::offset::{self, Instruments, Position};
use crate::domain::matching::desk::Desk;
use crate::domain::matching::effect::Effect;
use crate::domain::matching::record::Batch;
use crate::domain::matching::vault::{Till, Vault};
use crate::domain::order::{Order, Status};
use crate::error::TradingError;
use crate::events;
use crate::store::write_set::WriteSet;
use receipt::{Filled, Numbers, write_split};
use states::write_states;

/// A pass of a batch that is to be stored.
pub struct Turn<'a> {
    /// The orders that the batch could touch, before it.
    pub desk: &'a Desk,
    /// The batch.
    pub batch: &'a Batch,
    /// What a rehearsal said it would do.
    pub rehearsed: &'a [Effect],
    /// Orders about which something was learned that is not stored.
    pub progress: &'a [Order],
    /// New orders that count from the next batch on.
    pub taken: &'a [OrderId],
    /// Where the shard is.
    pub from: &'a Position,
    /// Where it will be.
    pub to: &'a Position,
    /// What is known of instruments, when it is time to store that.
    pub state: Option<&'a Instruments>,
}

/// Orders of one account in one instrument share a tick's volume, so they pass together.
type Groups = BTreeSet<(AccountId, String)>;

struct Locked {
    accounts: Accounts,
    holdings: Holdings,
}

impl Store {
    /// Lets the batch pass over the locked orders and stores what it does. Answers the orders as
    /// they stand then: those that another transaction ended meanwhile are not among them.
    ///
    /// # Errors
    /// [`TradingError`]: nothing was stored, the same turn may be tried again.
    pub async fn fill(&self, turn: &Turn<'_>) -> Result<(Desk, Vec<OrderId>), TradingError> {
        let groups: Groups = turn
            .rehearsed
            .iter()
            .filter_map(Effect::order)
            .map(|order| (order.account_id, order.instrument_code.clone()))
            .collect();
        let mut desk = turn.desk.of_groups(|account, code| {
            // Sets of owned pairs cannot be asked with borrowed ones.
            groups.contains(&(account, code.to_owned()))
        });

        let transaction = self.db.begin().await?;
        let split = lock::holders(&transaction, &Desk::split_codes(turn.batch)).await?;
        let keys: Groups = groups.union(&split).cloned().collect();
        let ids: BTreeSet<AccountId> = keys.iter().map(|(account, _)| *account).collect();
        let accounts = lock::accounts(&transaction, &ids).await?;
        let holdings = lock::holdings(&transaction, &keys).await?;
        let order_ids: BTreeSet<OrderId> = desk.orders.keys().copied().collect();
        let open = lock::open_ids(&transaction, &order_ids).await?;
        desk.orders.retain(|id, _| open.contains(id));
        let gone = order_ids
            .into_iter()
            .filter(|id| !open.contains(id))
            .collect();

        let mut vault = vault(&accounts, &holdings)?;
        let effects = desk.pass(turn.batch, Till::Vault(&mut vault, &self.costs))?;
        let locked = Locked { accounts, holdings };
        let mut writes = WriteSet::default();
        for order in turn.progress {
            writes.progress(order);
        }
        if !turn.taken.is_empty() {
            writes.taken(turn.taken, turn.to);
        }
        self.write_effects(&transaction, &locked, &effects, &mut writes)
            .await?;
        write_states(&locked, &vault, &desk, &effects, turn.batch, &mut writes)?;
        writes.write(&transaction).await?;
        offset::advance(&transaction, turn.from, turn.to, turn.state).await?;
        transaction.commit().await?;
        Ok((desk, gone))
    }

    async fn write_effects(
        &self,
        transaction: &DatabaseTransaction,
        locked: &Locked,
        effects: &[Effect],
        writes: &mut WriteSet,
    ) -> Result<(), TradingError> {
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
        let mut drawn = draw_numbers(transaction, rows.count()).await?.into_iter();
        let mut next = || {
            drawn
                .next()
                .ok_or_else(|| DbErr::Custom("too few numbers were drawn".to_owned()))
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
                        numbers: next()?,
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
                } => self.write_change(locked, order, *from, reason, *time, writes),
                Effect::Split { .. } => write_split(next()?, effect, writes),
            }
        }
        Ok(())
    }

    fn write_change(
        &self,
        locked: &Locked,
        order: &Order,
        from: Status,
        reason: &str,
        time: DateTime<Utc>,
        writes: &mut WriteSet,
    ) {
        writes.order_event(order, Some(from.as_str()), reason, time);
        let wire = self.order_view(order, locked.account_no(order.account_id));
        let event = events::order_changed(order.member_id, wire, self.clock.as_ref());
        writes.event(&event);
    }
}

impl Locked {
    fn account_no(&self, id: AccountId) -> &str {
        self.accounts
            .get(&id)
            .map_or("", |row| row.account_no.as_str())
    }
}

fn vault(accounts: &Accounts, holdings: &Holdings) -> Result<Vault, DbErr> {
    let cash = accounts
        .iter()
        .map(|(id, row)| Ok((*id, row.to_cash()?)))
        .collect::<Result<_, DbErr>>()?;
    let holdings = holdings
        .iter()
        .map(|(key, row)| (key.clone(), row.to_holding()))
        .collect();
    Ok(Vault { cash, holdings })
}

/// Fresh numbers of receipts and of their journals.
async fn draw_numbers(
    transaction: &DatabaseTransaction,
    count: usize,
) -> Result<Vec<Numbers>, DbErr> {
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
    let numbers = rows.iter().map(|row| {
        Ok(Numbers {
            receipt: row.try_get("", "fill")?,
            journal: row.try_get("", "journal")?,
        })
    });
    numbers.collect()
}
