//! Everything one transaction writes, gathered while it decides and sent together.

mod rows;
mod statements;

use chrono::{DateTime, Utc};
use kernel::{AccountId, MemberId, OrderId, Quantity, Won};
use messaging::NewEvent;
use sea_orm::{ConnectionTrait, DatabaseTransaction};

use crate::accounts::holding::{Holding, HoldingLabel};
use crate::entity::account;
use crate::error::TradingError;
use crate::ledger::{self, Asset, HoldChange, Journal};
use crate::orders::order::Order;
use crate::store::request::{RequestDigest, RequestKind};
use crate::store::stored_reply::StoredReply;
use rows::{
    AccountRow, BaseRow, EndedRow, HoldRow, HoldingRow, NewOrderRow, OrderEventRow, OrderRow,
    OutboxRow, QueuePositionRow, RequestRow,
};

pub(crate) use rows::{AdmissionRow, BaseChange, FillRow, PurchaseRow, SplitRow, TransferRow};

/// Rows by table. No row is written twice.
#[derive(Default)]
pub(crate) struct WriteSet {
    journals: Vec<Journal>,
    hold_changes: Vec<HoldChange>,
    accounts: Vec<AccountRow>,
    new_orders: Vec<NewOrderRow>,
    orders: Vec<OrderRow>,
    arrived: Vec<OrderId>,
    admission: Option<AdmissionRow>,
    queue_positions: Vec<QueuePositionRow>,
    base_changes: Vec<BaseRow>,
    transfers: Vec<TransferRow>,
    purchases: Vec<PurchaseRow>,
    holds: Vec<HoldRow>,
    ended_holds: Vec<OrderId>,
    holdings: Vec<HoldingRow>,
    fills: Vec<FillRow>,
    splits: Vec<SplitRow>,
    ended: Vec<EndedRow>,
    order_events: Vec<OrderEventRow>,
    outbox: Vec<OutboxRow>,
    requests: Vec<RequestRow>,
}

impl WriteSet {
    pub(crate) fn journal(&mut self, journal: Journal) {
        self.journals.push(journal);
    }

    /// More won, or less, that an account keeps aside for its orders.
    pub(crate) fn hold_change(&mut self, account: AccountId, more: Won) {
        self.hold_changes.push(HoldChange {
            account,
            asset: Asset::Krw,
            amount: more.0,
        });
    }

    /// A change of what an account's profit is measured against. At most one for each account.
    pub(crate) fn base_change(&mut self, account: AccountId, change: BaseChange) {
        self.base_changes.push(BaseRow { account, change });
    }

    /// Won that moved between two accounts of a member.
    pub(crate) fn transfer(&mut self, row: TransferRow) {
        self.transfers.push(row);
    }

    /// A purchase, and more of the item that the account owns. At most one for each account and item.
    pub(crate) fn purchase(&mut self, row: PurchaseRow) {
        self.purchases.push(row);
    }

    /// An account's counters as they shall be.
    pub(crate) fn account(&mut self, row: &account::Model) {
        self.accounts.push(AccountRow {
            id: row.id,
            open_orders: row.open_orders,
            rate_second: row.rate_second,
            rate_second_count: row.rate_second_count,
            rate_minute: row.rate_minute,
            rate_minute_count: row.rate_minute_count,
        });
    }

    /// A new order. An open one also has a hold, and the matcher will take it.
    pub(crate) fn new_order(&mut self, order: &Order) {
        let open = order.status.is_open();
        self.new_orders.push(NewOrderRow {
            id: order.id,
            orig_order_id: order.orig_id,
            priority_id: Some(order.priority_id).filter(|place| *place != order.id),
            resting: order.resting,
            queue_ahead: order.queue_ahead,
            account_id: order.account_id,
            member_id: order.member_id,
            instrument_code: order.instrument_code.clone(),
            instrument_name: order.instrument_name.clone(),
            market: order.market.as_str(),
            currency: order.currency.as_str(),
            tick_class: order.tick_class.as_str(),
            side: order.side.as_str(),
            status: order.status.as_str(),
            price: order.price,
            quantity: order.quantity,
            order_amount_won: order.order_amount,
            reference_price: order.reference_price,
            time_in_force: order.time_in_force.as_str(),
            trading_day: order.trading_day,
            split_day: order.split_day,
            expires_at: order.expires_at,
            end_reason: order.end_reason.clone(),
            placed_at: order.placed_at,
            placed_market_at: order.placed_market_at,
            ended_at: (!open).then_some(order.placed_at),
        });
        if open {
            self.hold(order);
            self.arrived.push(order.id);
        }
    }

    /// A changed order and what it still keeps aside.
    pub(crate) fn order(&mut self, order: &Order, now: DateTime<Utc>) {
        let open = order.status.is_open();
        self.orders.push(OrderRow {
            id: order.id,
            status: order.status.as_str(),
            price: order.price,
            quantity: order.quantity,
            filled_quantity: order.filled,
            reference_price: order.reference_price,
            trading_day: order.trading_day,
            split_day: order.split_day,
            gross_exact: order.totals.gross_exact,
            quote_exact: order.totals.quote_exact,
            amount_won: order.totals.amount,
            base_won: order.totals.base,
            fee_won: order.totals.fee,
            tax_won: order.totals.tax,
            end_reason: order.end_reason.clone(),
            resting: order.resting,
            queue_ahead: order.queue_ahead,
            ended_at: (!open).then_some(now),
        });
        if open {
            self.hold(order);
        } else {
            self.ended_holds.push(order.id);
        }
    }

    /// An order that ended at `occurred_at` in market time, with nothing else about it changed, and
    /// its event.
    pub(crate) fn ended(
        &mut self,
        order: &Order,
        from: &'static str,
        occurred_at: DateTime<Utc>,
        now: DateTime<Utc>,
    ) {
        self.ended.push(EndedRow {
            id: order.id,
            from_status: from,
            to_status: order.status.as_str(),
            reason: order.end_reason.clone(),
            occurred_at,
            ended_at: now,
        });
    }

    fn hold(&mut self, order: &Order) {
        let quantity = match order.side {
            crate::orders::order::Side::Buy => Quantity::ZERO,
            crate::orders::order::Side::Sell => order.remaining(),
        };
        self.holds.push(HoldRow {
            order_id: order.id,
            account_id: order.account_id,
            instrument_code: order.instrument_code.clone(),
            amount_won: order.held_won,
            quantity,
        });
    }

    /// The queue position of an order, where a pass changed it.
    pub(crate) fn queue_position(&mut self, order: &Order) {
        self.queue_positions.push(QueuePositionRow {
            id: order.id,
            resting: order.resting,
            queue_ahead: order.queue_ahead,
            reference_price: order.reference_price,
        });
    }

    /// At most one.
    pub(crate) fn admission(&mut self, row: AdmissionRow) {
        self.admission = Some(row);
    }

    /// A holding as it shall be.
    pub(crate) fn holding(
        &mut self,
        account_id: AccountId,
        member_id: MemberId,
        code: &str,
        label: &HoldingLabel,
        holding: &Holding,
    ) {
        self.holdings.push(HoldingRow {
            account_id,
            instrument_code: code.to_owned(),
            member_id,
            instrument_name: label.name.clone(),
            market: label.market.as_str(),
            currency: label.currency.as_str(),
            quantity: holding.quantity,
            held_quantity: holding.held,
            cost_won: holding.cost_won,
            cost_quote: holding.cost_quote,
        });
    }

    pub(crate) fn fill(&mut self, row: FillRow) {
        self.fills.push(row);
    }

    /// A share split of a holding.
    pub(crate) fn split(&mut self, row: SplitRow) {
        self.splits.push(row);
    }

    /// A change of an order's state.
    pub(crate) fn order_event(
        &mut self,
        order: &Order,
        from: Option<&'static str>,
        reason: &str,
        occurred_at: DateTime<Utc>,
    ) {
        self.order_events.push(OrderEventRow {
            order_id: order.id,
            from_status: from,
            to_status: order.status.as_str(),
            reason: reason.to_owned(),
            occurred_at,
        });
    }

    /// An event for the outbox.
    pub(crate) fn event(&mut self, event: &NewEvent) {
        let columns = event.columns();
        self.outbox.push(OutboxRow {
            event_id: columns.event_id,
            event_type: columns.event_type,
            aggregate_id: columns.aggregate_id.to_owned(),
            body: columns.body.to_vec(),
            traceparent: columns.traceparent.map(str::to_owned),
            occurred_at: columns.occurred_at,
        });
    }

    /// The answer to a request.
    pub(crate) fn request(
        &mut self,
        member_id: MemberId,
        request_id: &kernel::RequestId,
        digest: &RequestDigest,
        answer: &StoredReply,
        created_at: DateTime<Utc>,
    ) {
        self.requests.push(RequestRow {
            member_id,
            request_id: request_id.as_str().to_owned(),
            kind: digest.kind.map(RequestKind::as_str),
            body_hash: digest.body_hash.clone(),
            answer: answer.encode(),
            created_at,
        });
    }

    /// Writes everything in one round trip; a batch with fills in two, and queue positions in one more.
    ///
    /// # Errors
    /// [`TradingError`] of the database or the ledger.
    pub(crate) async fn write(
        &self,
        transaction: &DatabaseTransaction,
    ) -> Result<(), TradingError> {
        if self.is_single() {
            let mut writes = self.rows();
            self.write_base_changes(&mut writes);
            ledger::post_with(transaction, &self.journals, &self.hold_changes, writes).await?;
        } else {
            for writes in [self.rows(), self.later_rows()] {
                if let Some(statement) = writes.into_statement() {
                    transaction.execute_raw(statement).await?;
                }
            }
            ledger::post(transaction, &self.journals, &self.hold_changes).await?;
        }
        if !self.outbox.is_empty() {
            messaging::outbox::wake();
        }
        Ok(())
    }

    /// Whether one statement can write it all: none of its writes sees what another one writes. A trigger
    /// on journals reads their fills, a queue position depends on the hold of its order, and the
    /// counters of an account are in one row with its base.
    fn is_single(&self) -> bool {
        self.queue_positions.is_empty()
            && (self.journals.is_empty() || self.fills.is_empty())
            && (self.base_changes.is_empty() || self.accounts.is_empty())
    }
}
