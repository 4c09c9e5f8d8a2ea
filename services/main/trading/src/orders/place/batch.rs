//! One transaction of new orders: what it locks, validates and writes.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use kernel::{AccountId, OrderId, Quantity};
use proto::trading::v1::OrderReply;
use sea_orm::{DatabaseTransaction, DbErr};

use super::{PlaceOrder, ResolvedRequest};
use crate::domain::market::MarketView;
use crate::error::TradingError;
use crate::events;
use crate::orders::buying_power::{buying_power, count_acceptance};
use crate::orders::change::Outcome;
use crate::orders::order::{FillTotals, Order, Side, Status, TimeInForce};
use crate::orders::skip_locked;
use crate::orders::validation::{Acceptance, OrderRejection, validate};
use crate::store::Store;
use crate::store::lock::{self, Accounts, Holdings};
use crate::store::request::{self, StoredReplies};
use crate::store::write_set::WriteSet;

/// Term of a coin order, in days of market time.
const GTC_DAYS: i64 = 90;

pub(super) struct Batch<'a> {
    store: &'a Store,
    accounts: Accounts,
    holdings: Holdings,
    stored: StoredReplies,
    touched_accounts: BTreeSet<AccountId>,
    touched_holdings: BTreeSet<(AccountId, String)>,
    writes: WriteSet,
    /// Accepted orders, for the matcher in this process.
    open: Vec<Order>,
    now: DateTime<Utc>,
}

impl<'a> Batch<'a> {
    pub(super) async fn lock(
        store: &'a Store,
        transaction: &DatabaseTransaction,
        addressed: &[ResolvedRequest<'_>],
    ) -> Result<Self, DbErr> {
        let ids = addressed.iter().filter_map(|one| one.account.as_ref().ok());
        let accounts = skip_locked::accounts(transaction, &ids.copied().collect()).await?;
        let is_locked = |id: &AccountId| accounts.contains_key(id);
        let keys: BTreeSet<request::Key> = addressed
            .iter()
            .map(|one| (one.request.member_id, one.request.request_id.clone()))
            .collect();
        let decided = addressed
            .iter()
            .filter(|one| one.account.as_ref().is_ok_and(is_locked));
        let stored = StoredReplies::load(transaction, &keys, decided.count()).await?;
        let sold = addressed.iter().filter_map(|one| {
            let sells = one.request.order.side == Side::Sell;
            let account = one
                .account
                .as_ref()
                .ok()
                .filter(|id| sells && is_locked(id))?;
            Some((*account, one.request.instrument_code.clone()))
        });
        let holdings = lock::holdings(transaction, &sold.collect()).await?;
        Ok(Self {
            store,
            accounts,
            holdings,
            stored,
            touched_accounts: BTreeSet::new(),
            touched_holdings: BTreeSet::new(),
            writes: WriteSet::default(),
            open: Vec::new(),
            now: to_micros(store.clock.now()),
        })
    }

    pub(super) fn handle(&mut self, one: &ResolvedRequest<'_>) -> Result<Outcome, TradingError> {
        let request = one.request;
        let key = (request.member_id, request.request_id.clone());
        if let Some(reply) = self.stored.reply_to(&key, &request.digest) {
            return Ok(reply);
        }
        let outcome = self.decide(one)?;
        if let Some(reply) = request::storable(&outcome) {
            self.writes.request(
                request.member_id,
                &request.request_id,
                &request.digest,
                &reply,
                self.now,
            );
            self.stored.insert(key, &request.digest, reply);
        }
        Ok(outcome)
    }

    fn decide(&mut self, one: &ResolvedRequest<'_>) -> Result<Outcome, TradingError> {
        let request = one.request;
        let account_id = match &one.account {
            Ok(id) => *id,
            Err(rejection) => return Ok(Err(self.limited(request, rejection.clone()).into())),
        };
        let Some(row) = self.accounts.get(&account_id) else {
            return Ok(Err(TradingError::AccountLocked));
        };
        let view = match self
            .store
            .market_cache
            .view_for_order(&request.instrument_code)
        {
            Ok(view) => view,
            Err(rejection) => return Ok(Err(self.limited(request, rejection).into())),
        };
        let sold = (account_id, request.instrument_code.clone());
        let sellable = self
            .holdings
            .get(&sold)
            .map(|row| row.to_holding().available());
        let limits = &self.store.policy.limits;
        let sellable = sellable.unwrap_or(Quantity::ZERO);
        let buying_power = buying_power(row, sellable, limits.per_minute, self.now)?;
        let rates = |day| self.store.costs.on(view.listing.market, day);
        let decided = validate(&request.order, &view, &buying_power, limits, rates);
        let order_id = self.stored.next_order_id()?;
        match decided {
            Ok(acceptance) => self
                .accept(request, account_id, order_id, &view, &acceptance)
                .map(Ok),
            Err(rejection) => {
                let rejection = self.limited(request, rejection);
                if !rejection.passes_with_time() {
                    let mut order = self.new_order(request, account_id, order_id, &view, None);
                    rejection.reason().clone_into(&mut order.end_reason);
                    self.publish(request, account_id, &order);
                }
                Ok(Err(rejection.into()))
            }
        }
    }

    fn limited(&self, request: &PlaceOrder, rejection: OrderRejection) -> OrderRejection {
        let limit = &self.store.rejection_limit;
        limit.apply(request.member_id, rejection)
    }

    fn accept(
        &mut self,
        request: &PlaceOrder,
        account_id: AccountId,
        order_id: OrderId,
        view: &MarketView,
        acceptance: &Acceptance,
    ) -> Result<OrderReply, TradingError> {
        let order = self.new_order(request, account_id, order_id, view, Some(acceptance));
        if let Some(locked) = self.accounts.get_mut(&account_id) {
            let row = &mut locked.account;
            count_acceptance(row, self.store.policy.limits.per_minute, self.now);
            row.open_orders += 1;
            // What later orders of the batch see.
            locked.won.held += acceptance.hold.0;
            self.writes.hold_change(account_id, acceptance.hold);
            self.touched_accounts.insert(account_id);
        }
        if order.side == Side::Sell {
            let key = (account_id, order.instrument_code.clone());
            if let Some(row) = self.holdings.get_mut(&key) {
                row.held_quantity.0 += order.quantity.0;
                self.touched_holdings.insert(key);
            }
        }
        let message = format!(
            "{} {} 주문 완료",
            order.instrument_name,
            order.side.korean()
        );
        let wire = self.publish(request, account_id, &order);
        self.open.push(order);
        Ok(OrderReply {
            order: Some(wire),
            replayed: false,
            message,
            fills: Vec::new(),
        })
    }

    /// Writes a new order with its first event and its message; returns the order as a message.
    fn publish(
        &mut self,
        request: &PlaceOrder,
        account_id: AccountId,
        order: &Order,
    ) -> proto::trading::v1::Order {
        let account = self.accounts.get(&account_id);
        let account_no = account.map_or("", |locked| locked.account.account_no.as_str());
        let wire = self.store.order_view(order, account_no);
        self.writes.new_order(order);
        self.writes
            .order_event(order, None, &order.end_reason, self.now);
        let event =
            events::order_changed(request.member_id, wire.clone(), self.store.clock.as_ref());
        self.writes.event(&event.in_trace(request.trace));
        wire
    }

    fn new_order(
        &self,
        request: &PlaceOrder,
        account_id: AccountId,
        id: OrderId,
        view: &MarketView,
        acceptance: Option<&Acceptance>,
    ) -> Order {
        let listing = &view.listing;
        let time_in_force = TimeInForce::of_market(listing.market);
        let status = match acceptance {
            None => Status::Rejected,
            Some(acceptance) if acceptance.queued => Status::Queued,
            Some(_) => Status::Accepted,
        };
        Order {
            id,
            orig_id: None,
            priority_id: id,
            account_id,
            member_id: request.member_id,
            instrument_code: listing.code.clone(),
            instrument_name: listing.name.clone(),
            market: listing.market,
            currency: listing.currency,
            tick_class: listing.tick_class,
            side: request.order.side,
            status,
            price: request.order.price,
            quantity: acceptance
                .map(|acceptance| acceptance.quantity)
                .or(request.order.size.quantity())
                .unwrap_or_default(),
            order_amount: request.order.size.amount(),
            filled: Quantity::ZERO,
            reference_price: acceptance.and_then(|acceptance| acceptance.reference),
            time_in_force,
            trading_day: acceptance.and_then(|acceptance| acceptance.trading_day),
            split_day: view.split_day,
            expires_at: match time_in_force {
                TimeInForce::Day => None,
                TimeInForce::GoodTillCanceled => {
                    Some(to_micros(view.now) + TimeDelta::days(GTC_DAYS))
                }
            },
            totals: FillTotals::default(),
            held_won: acceptance
                .map(|acceptance| acceptance.hold)
                .unwrap_or_default(),
            resting: false,
            queue_ahead: None,
            placed_at: self.now,
            placed_market_at: to_micros(view.now),
            end_reason: String::new(),
        }
    }

    /// Writes the batch; returns the accepted orders.
    pub(super) async fn finish(
        mut self,
        transaction: &DatabaseTransaction,
    ) -> Result<Vec<Order>, TradingError> {
        for id in &self.touched_accounts {
            if let Some(locked) = self.accounts.get(id) {
                self.writes.account(&locked.account);
            }
        }
        let touched: BTreeMap<_, _> = self
            .holdings
            .iter()
            .filter(|(key, _)| self.touched_holdings.contains(*key))
            .collect();
        for ((account_id, code), row) in touched {
            let label = row.label()?;
            let holding = row.to_holding();
            self.writes
                .holding(*account_id, row.member_id, code, &label, &holding);
        }
        self.writes.write(transaction).await?;
        Ok(self.open)
    }
}

/// Rounds a time to the precision of its column, so that an order in the cache equals the same
/// order read from the database.
fn to_micros(time: DateTime<Utc>) -> DateTime<Utc> {
    time.trunc_subsecs(6)
}
