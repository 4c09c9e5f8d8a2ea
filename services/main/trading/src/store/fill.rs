//! Storing what a batch of ticks did: fills, ledger, holdings, order states, messages and the
//! offset, in one transaction.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use kernel::{AccountId, FillId, MemberId, OrderId, Won};
use proto::convert::{decimal, micros};
use proto::trading::v1 as wire;
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, Statement, TransactionTrait,
};

use super::Store;
use super::lock::{self, Accounts, Holdings};
use super::offset::{self, Instruments, Position};
use crate::domain::holding::{Holding, HoldingLabel};
use crate::domain::matching::desk::Desk;
use crate::domain::matching::effect::{Effect, Execution, Payment};
use crate::domain::matching::model::FillModel;
use crate::domain::matching::record::Batch;
use crate::domain::matching::vault::{Till, Vault};
use crate::domain::order::{Order, Status};
use crate::domain::settlement::postings;
use crate::error::TradingError;
use crate::events;
use crate::store::write_set::{FillRow, JournalRow, SplitRow, WriteSet};

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
        let mut ids = draw_ids(transaction, rows.count()).await?.into_iter();
        let mut next = || {
            ids.next()
                .ok_or_else(|| DbErr::Custom("too few ids".to_owned()))
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
                    let ids = next()?;
                    self.write_fill(locked, ids, *seq, order, execution, payment, writes);
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

    #[expect(
        clippy::too_many_arguments,
        reason = "a fill is written from everything that made it"
    )]
    fn write_fill(
        &self,
        locked: &Locked,
        ids: (FillId, i64),
        member_seq: i64,
        order: &Order,
        execution: &Execution,
        payment: &Payment,
        writes: &mut WriteSet,
    ) {
        let (id, journal_id) = ids;
        let charge = &payment.charge;
        let journal = JournalRow {
            id: journal_id,
            kind: "ORDER_FILLED",
            order_id: Some(order.id),
            fill_id: Some(id),
            occurred_at: execution.time,
        };
        let lines = postings(order.side, charge);
        if !lines.is_empty() {
            let lines = lines.into_iter().map(|line| (line.book, line.amount));
            writes.journal(journal, order.account_id, lines);
        }
        let slippage_ticks = i32::try_from(execution.slippage_ticks).unwrap_or(i32::MAX);
        writes.fill(FillRow {
            id,
            order_id: order.id,
            account_id: order.account_id,
            member_id: order.member_id,
            member_seq,
            instrument_code: order.instrument_code.clone(),
            side: order.side.as_str(),
            tick_seq: execution.tick_seq,
            event_time: execution.time,
            trading_day: execution.trading_day,
            tick_price: execution.tick_price,
            bid: execution.bid,
            ask: execution.ask,
            rule: execution.rule.as_str(),
            slippage_ticks,
            cap_quantity: execution.cap,
            quantity: execution.quantity,
            price: execution.price,
            amount_won: charge.amount,
            base_won: charge.base,
            fee_won: charge.fee,
            tax_won: charge.tax,
            fx_rate: execution.fx_rate,
            cost_won: payment.cost.won,
            cost_quote: payment.cost.quote,
            model_version: FillModel::V1.version,
            journal_id,
        });
        let notice = wire::FillNotice {
            seq: member_seq,
            member_id: order.member_id.0,
            order: Some(self.order_view(order, locked.account_no(order.account_id))),
            fill: Some(wire::Fill {
                fill_id: id.0,
                order_id: order.id.0,
                tick_seq: execution.tick_seq,
                event_time_us: micros(execution.time),
                tick_price: Some(execution.tick_price.into()),
                rule: execution.rule.as_str().to_owned(),
                slippage_ticks,
                cap_quantity: execution.cap.map(Into::into),
                quantity: Some(execution.quantity.into()),
                price: Some(execution.price.into()),
                amount_won: charge.amount.0,
                fee_won: charge.fee.0,
                tax_won: charge.tax.0,
                fx_rate: execution.fx_rate.map(decimal),
                model_version: FillModel::V1.version.to_owned(),
                bid: execution.bid.map(Into::into),
                ask: execution.ask.map(Into::into),
            }),
        };
        writes.event(&events::order_filled(notice, self.clock.as_ref()));
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

fn write_split(ids: (FillId, i64), effect: &Effect, writes: &mut WriteSet) {
    let Effect::Split {
        account_id,
        code,
        ratio,
        split,
        trading_day,
        time,
    } = effect
    else {
        return;
    };
    let (id, journal_id) = ids;
    if split.paid > Won::ZERO {
        let journal = JournalRow {
            id: journal_id,
            kind: "SHARE_SPLIT",
            order_id: None,
            fill_id: Some(id),
            occurred_at: *time,
        };
        let lines = [(None, split.paid), (Some("ADJUST"), Won(-split.paid.0))];
        writes.journal(journal, *account_id, lines);
    }
    writes.split(SplitRow {
        id,
        account_id: *account_id,
        instrument_code: code.clone(),
        trading_day: *trading_day,
        numerator: ratio.numerator,
        denominator: ratio.denominator,
        quantity_before: split.before,
        quantity_after: split.after,
        paid_won: split.paid,
        cost_won: split.cost.won,
        cost_quote: split.cost.quote,
    });
}

/// Orders, accounts and holdings as they stand after the batch.
fn write_states(
    locked: &Locked,
    vault: &Vault,
    desk: &Desk,
    effects: &[Effect],
    batch: &Batch,
    writes: &mut WriteSet,
) -> Result<(), DbErr> {
    let changed: BTreeSet<OrderId> = effects
        .iter()
        .filter_map(|effect| effect.order().map(|order| order.id))
        .collect();
    let mut ended: BTreeMap<AccountId, i32> = BTreeMap::new();
    let mut labels: BTreeMap<(AccountId, &str), (MemberId, HoldingLabel)> = BTreeMap::new();
    for order in desk.orders.values() {
        let label = HoldingLabel {
            name: order.instrument_name.clone(),
            market: order.market,
            currency: order.currency,
        };
        let key = (order.account_id, order.instrument_code.as_str());
        labels.insert(key, (order.member_id, label));
        if changed.contains(&order.id) {
            writes.order(order, batch.closed_at);
            if !order.status.is_open() {
                *ended.entry(order.account_id).or_insert(0) += 1;
            }
        }
    }
    for (id, row) in &locked.accounts {
        let mut after = row.clone();
        if let Some(cash) = vault.cash.get(id) {
            after.balance_won = cash.balance;
            after.held_won = cash.held;
        }
        after.open_orders -= ended.get(id).copied().unwrap_or(0);
        if after != *row {
            writes.account(&after);
        }
    }
    for (key, after) in &vault.holdings {
        let (account_id, code) = key;
        let row = locked.holdings.get(key);
        let before = row.map_or(Holding::EMPTY, |row| row.to_holding());
        if before == *after {
            continue;
        }
        let (member_id, label) = match (row, labels.get(&(*account_id, code.as_str()))) {
            (Some(row), _) => (row.member_id, row.label()?),
            (None, Some((member_id, label))) => (*member_id, label.clone()),
            (None, None) => continue,
        };
        writes.holding(*account_id, member_id, code, &label, after);
    }
    Ok(())
}

/// Fresh ids of fills (or splits) and of their journals.
async fn draw_ids(
    transaction: &DatabaseTransaction,
    count: usize,
) -> Result<Vec<(FillId, i64)>, DbErr> {
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
    rows.iter()
        .map(|row| Ok((row.try_get("", "fill")?, row.try_get("", "journal")?)))
        .collect()
}
