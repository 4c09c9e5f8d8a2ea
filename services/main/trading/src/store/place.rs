//! Placing orders, many at a time: accounts are locked once, each order is decided alone, one
//! refusal never affects another, and all of it commits together.

use std::collections::{BTreeMap, BTreeSet};

use bootstrap::database;
use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use kernel::{AccountId, MarketCode, MemberId, OrderId, Quantity, RequestId};
use messaging::trace::TraceContext;
use proto::trading::v1::OrderReply;
use sea_orm::{DatabaseTransaction, DbErr, TransactionTrait};

use super::lock::{self, Accounts, Holdings};
use super::request::{self, Known};
use super::{AccountChoice, Store};
use crate::domain::market::MarketView;
use crate::domain::order::{Booked, Order, Side, Status, TimeInForce};
use crate::domain::validation::{Acceptance, Means, Refusal, Wish, validate};
use crate::entity::account;
use crate::error::TradingError;
use crate::events;
use crate::store::write_set::WriteSet;

/// How long a coin order waits, in days of market time.
const GTC_DAYS: i64 = 90;

/// A request to place an order.
#[derive(Clone, Debug)]
pub struct PlaceOrder {
    /// Who asks.
    pub member_id: MemberId,
    /// For which account.
    pub account: AccountChoice,
    /// The retry key.
    pub request_id: RequestId,
    /// A digest of the request without its key.
    pub body_hash: Vec<u8>,
    /// What is to be traded.
    pub instrument_code: String,
    /// How.
    pub wish: Wish,
    /// The trace of the request.
    pub trace: Option<TraceContext>,
}

type Outcome = Result<OrderReply, TradingError>;

/// A request with the account it means, or why it may not have one.
struct Addressed<'a> {
    request: &'a PlaceOrder,
    account: Result<AccountId, Refusal>,
}

/// What one batch has locked, decided and is about to write.
struct Batch<'a> {
    store: &'a Store,
    accounts: Accounts,
    holdings: Holdings,
    known: Known,
    touched_accounts: BTreeSet<AccountId>,
    touched_holdings: BTreeSet<(AccountId, String)>,
    writes: WriteSet,
    /// Orders that will wait.
    open: Vec<Order>,
    now: DateTime<Utc>,
}

impl Store {
    /// Places orders in one transaction. The outcomes are in the order of the requests.
    ///
    /// # Errors
    /// [`TradingError`] when the transaction as a whole failed and nothing was placed.
    pub async fn place_orders(
        &self,
        requests: &[PlaceOrder],
    ) -> Result<Vec<Outcome>, TradingError> {
        let mut addressed = Vec::with_capacity(requests.len());
        for request in requests {
            let account = match self.resolve(request.member_id, &request.account).await {
                Ok(id) => Ok(id),
                Err(TradingError::Refused(refusal)) => Err(refusal),
                Err(error) => return Err(error),
            };
            addressed.push(Addressed { request, account });
        }
        let mut tries = 0;
        loop {
            let outcome = database::retry_serialization(|| self.place(&addressed)).await;
            match outcome {
                // Another process has just stored an answer for one of these requests: read it.
                Err(TradingError::Database(error)) if is_request_race(&error) && tries < 3 => {
                    tries += 1;
                }
                other => return other,
            }
        }
    }

    async fn place(&self, addressed: &[Addressed<'_>]) -> Result<Vec<Outcome>, TradingError> {
        let transaction = self.db.begin().await?;
        let mut batch = Batch::lock(self, &transaction, addressed).await?;
        let mut outcomes = Vec::with_capacity(addressed.len());
        for one in addressed {
            outcomes.push(batch.handle(one)?);
        }
        let open = batch.finish(&transaction).await?;
        transaction.commit().await?;
        self.fresh.remember(open);
        Ok(outcomes)
    }
}

fn is_request_race(error: &DbErr) -> bool {
    database::constraint(error) == Some("request_once")
}

impl<'a> Batch<'a> {
    async fn lock(
        store: &'a Store,
        transaction: &DatabaseTransaction,
        addressed: &[Addressed<'_>],
    ) -> Result<Self, DbErr> {
        let ids = addressed.iter().filter_map(|one| one.account.as_ref().ok());
        let accounts = lock::accounts(transaction, &ids.copied().collect()).await?;
        let keys: BTreeSet<request::Key> = addressed
            .iter()
            .map(|one| (one.request.member_id, one.request.request_id.clone()))
            .collect();
        let known = Known::load(transaction, &keys, addressed.len()).await?;
        let sold = addressed.iter().filter_map(|one| {
            let sells = one.request.wish.side == Side::Sell;
            let account = one.account.as_ref().ok().filter(|_| sells)?;
            Some((*account, one.request.instrument_code.clone()))
        });
        let holdings = lock::holdings(transaction, &sold.collect()).await?;
        Ok(Self {
            store,
            accounts,
            holdings,
            known,
            touched_accounts: BTreeSet::new(),
            touched_holdings: BTreeSet::new(),
            writes: WriteSet::default(),
            open: Vec::new(),
            now: stored(store.clock.now()),
        })
    }

    fn handle(&mut self, one: &Addressed<'_>) -> Result<Outcome, TradingError> {
        let request = one.request;
        let key = (request.member_id, request.request_id.clone());
        if let Some(answer) = self.known.answered(&key, &request.body_hash) {
            return Ok(answer);
        }
        let outcome = self.decide(one)?;
        if let Some(answer) = request::to_store(&outcome) {
            self.writes.request(
                request.member_id,
                &request.request_id,
                &request.body_hash,
                &answer,
                self.now,
            );
            self.known.note(key, request.body_hash.clone(), answer);
        }
        Ok(outcome)
    }

    fn decide(&mut self, one: &Addressed<'_>) -> Result<Outcome, TradingError> {
        let request = one.request;
        let account_id = match &one.account {
            Ok(id) => *id,
            Err(refusal) => return Ok(Err(refusal.clone().into())),
        };
        let Some(row) = self.accounts.get(&account_id) else {
            return Ok(Err(Refusal::AccountForbidden.into()));
        };
        let view = self.store.board.view(&request.instrument_code);
        let sold = (account_id, request.instrument_code.clone());
        let sellable = self
            .holdings
            .get(&sold)
            .map(|row| row.to_holding().available());
        let means = means_of(row, sellable.unwrap_or(Quantity::ZERO), self.now)?;
        let market = view
            .as_ref()
            .map_or(MarketCode::Kospi, |view| view.listing.market);
        let decided = validate(
            &request.wish,
            view.as_ref(),
            &means,
            &self.store.terms.allowance,
            |day| self.store.costs.on(market, day),
        );
        let Some(view) = view else {
            return Ok(Err(Refusal::NotTradable.into()));
        };
        let order_id = self.known.order_id()?;
        match decided {
            Ok(acceptance) => self
                .accept(request, account_id, order_id, &view, &acceptance)
                .map(Ok),
            Err(refusal) => {
                let mut order = self.new_order(request, account_id, order_id, &view, None);
                refusal.reason().clone_into(&mut order.end_reason);
                self.publish(request, account_id, &order);
                Ok(Err(refusal.into()))
            }
        }
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
        if let Some(row) = self.accounts.get_mut(&account_id) {
            count_acceptance(row, self.now);
            row.open_orders += 1;
            row.held_won.0 += acceptance.hold.0;
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

    /// Writes a new order, its first event and its message; answers the order as a message.
    fn publish(
        &mut self,
        request: &PlaceOrder,
        account_id: AccountId,
        order: &Order,
    ) -> proto::trading::v1::Order {
        let account = self.accounts.get(&account_id);
        let account_no = account.map_or("", |row| row.account_no.as_str());
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
            side: request.wish.side,
            status,
            price: request.wish.price,
            quantity: request.wish.quantity,
            filled: Quantity::ZERO,
            reference_price: acceptance.and_then(|acceptance| acceptance.reference),
            time_in_force,
            trading_day: acceptance.and_then(|acceptance| acceptance.trading_day),
            expires_at: match time_in_force {
                TimeInForce::Day => None,
                TimeInForce::GoodTillCanceled => Some(stored(view.now) + TimeDelta::days(GTC_DAYS)),
            },
            booked: Booked::default(),
            held_won: acceptance
                .map(|acceptance| acceptance.hold)
                .unwrap_or_default(),
            resting: false,
            queue_ahead: None,
            placed_at: self.now,
            placed_market_at: stored(view.now),
            end_reason: String::new(),
        }
    }

    /// Writes everything; answers the orders that wait now.
    async fn finish(mut self, transaction: &DatabaseTransaction) -> Result<Vec<Order>, DbErr> {
        for id in &self.touched_accounts {
            if let Some(row) = self.accounts.get(id) {
                self.writes.account(row);
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

/// A time as its column keeps it: an order that is remembered and one that is read again are the
/// same to the matcher.
fn stored(time: DateTime<Utc>) -> DateTime<Utc> {
    time.trunc_subsecs(6)
}

/// What a locked account has for an order.
pub(super) fn means_of(
    row: &account::Model,
    sellable: Quantity,
    now: DateTime<Utc>,
) -> Result<Means, DbErr> {
    let second = now.timestamp();
    let current = |at: i64, now: i64, count: i32| if at == now { count } else { 0 };
    Ok(Means {
        account_code: row.account_code()?,
        available: row.to_cash()?.available(),
        sellable,
        open_orders: row.open_orders,
        accepted_this_second: current(row.rate_second, second, row.rate_second_count),
        accepted_this_minute: current(row.rate_minute, second / 60, row.rate_minute_count),
    })
}

/// Counts one more accepted order of the running second and minute.
pub(super) fn count_acceptance(row: &mut account::Model, now: DateTime<Utc>) {
    let second = now.timestamp();
    count(&mut row.rate_second, &mut row.rate_second_count, second);
    count(
        &mut row.rate_minute,
        &mut row.rate_minute_count,
        second / 60,
    );
}

fn count(window: &mut i64, counted: &mut i32, now: i64) {
    if *window == now {
        *counted += 1;
    } else {
        *window = now;
        *counted = 1;
    }
}
