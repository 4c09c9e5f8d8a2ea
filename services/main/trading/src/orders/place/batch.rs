//! One transaction of new orders: what it locks, validates and writes.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use kernel::{AccountId, OrderId, Quantity};
use proto::trading::v1::OrderReply;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};

use super::{OrderAccount, PlaceOrder, ResolvedRequest};
use crate::competitions::facts::CompetitionFacts;
use crate::domain::market::MarketView;
use crate::error::TradingError;
use crate::events;
use crate::orders::buying_power::{OrderCounters, buying_power, count_acceptance};
use crate::orders::change::OrderResult;
use crate::orders::order::{FillTotals, Order, Side, Status, TimeInForce};
use crate::orders::validation::{Acceptance, OrderRejection, validate};
use crate::store::lock::{self, Accounts, Holdings};
use crate::store::request::{self, StoredReplies};
use crate::store::skip_locked;
use crate::store::write_set::WriteSet;
use crate::store::{Store, sql};

/// Term of a coin order, in days of market time.
const GTC_DAYS: i64 = 90;

pub(super) struct Batch<'a> {
    store: &'a Store,
    accounts: Accounts,
    /// Open orders of all that an account counts for.
    open_orders: BTreeMap<AccountId, i32>,
    holdings: Holdings,
    competitions: CompetitionFacts,
    /// Accounts of members in competition mode, by their BASIC accounts.
    competing: BTreeMap<AccountId, AccountId>,
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
        let of_orders = addressed.iter().filter_map(|one| one.account.as_ref().ok());
        let ids = of_orders.flat_map(|account| [account.id, account.basic]);
        let accounts = skip_locked::accounts(transaction, &ids.collect()).await?;
        let open_orders = open_orders(transaction, &accounts).await?;
        let is_locked = |account: &OrderAccount| {
            accounts.contains_key(&account.id) && accounts.contains_key(&account.basic)
        };
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
                .filter(|account| sells && is_locked(account))?;
            Some((account.id, one.request.instrument_code.clone()))
        });
        let holdings = lock::holdings(transaction, &sold.collect()).await?;
        let of_competitions = addressed.iter().filter_map(|one| {
            let account = one.account.as_ref().ok();
            account.filter(|account| is_locked(account) && account.counting != account.basic)
        });
        let basics = of_competitions.map(|account| account.basic).collect();
        let competing = store.current_accounts(transaction, &basics).await?;
        let competitions = CompetitionFacts::load(store, transaction, &accounts).await?;
        Ok(Self {
            store,
            accounts,
            open_orders,
            holdings,
            competitions,
            competing,
            stored,
            touched_accounts: BTreeSet::new(),
            touched_holdings: BTreeSet::new(),
            writes: WriteSet::default(),
            open: Vec::new(),
            now: to_micros(store.clock.now()),
        })
    }

    pub(super) fn handle(
        &mut self,
        one: &ResolvedRequest<'_>,
    ) -> Result<OrderResult, TradingError> {
        let request = one.request;
        let key = (request.member_id, request.request_id.clone());
        if let Some(reply) = self.stored.reply_to(&key, &request.digest) {
            return Ok(reply);
        }
        if request.is_late() {
            return Ok(Err(TradingError::DeadlinePassed));
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

    fn decide(&mut self, one: &ResolvedRequest<'_>) -> Result<OrderResult, TradingError> {
        let request = one.request;
        let account = match &one.account {
            Ok(account) => *account,
            Err(rejection) => return Ok(Err(self.limited(request, rejection.clone()).into())),
        };
        let account_id = account.id;
        let [locked, counting, basic] =
            [account_id, account.counting, account.basic].map(|id| self.accounts.get(&id));
        let Some(((row, counting), basic)) = locked.zip(counting).zip(basic) else {
            return Ok(Err(TradingError::AccountLocked));
        };
        // In the mode every order is one of the current competition, and otherwise none is.
        let is_current = if account.counting == account.basic {
            !basic.account.competition_mode
        } else {
            self.competing.get(&account.basic) == Some(&account_id)
        };
        if row.account.closed_at.is_some() || !is_current {
            let rejection = OrderRejection::AccountForbidden;
            return Ok(Err(self.limited(request, rejection).into()));
        }
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
        let counters = OrderCounters {
            row: &counting.account,
            open_orders: self
                .open_orders
                .get(&account.counting)
                .copied()
                .unwrap_or(0),
        };
        let mut buying_power = buying_power(row, counters, sellable, limits.per_minute, self.now)?;
        let market_cache = &self.store.market_cache;
        buying_power.competition = self.competitions.state(row, &view, market_cache);
        let rates = |day| self.store.costs.on(view.listing.market, day);
        let decided = validate(&request.order, &view, &buying_power, limits, rates);
        let order_id = self.stored.next_order_id()?;
        match decided {
            Ok(acceptance) => self
                .accept(request, account, order_id, &view, &acceptance)
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
        account: OrderAccount,
        order_id: OrderId,
        view: &MarketView,
        acceptance: &Acceptance,
    ) -> Result<OrderReply, TradingError> {
        let account_id = account.id;
        let order = self.new_order(request, account_id, order_id, view, Some(acceptance));
        if let Some(counting) = self.accounts.get_mut(&account.counting) {
            let per_minute = self.store.policy.limits.per_minute;
            count_acceptance(&mut counting.account, per_minute, self.now);
            *self.open_orders.entry(account.counting).or_default() += 1;
            self.touched_accounts.insert(account.counting);
        }
        if let Some(locked) = self.accounts.get_mut(&account_id) {
            locked.account.open_orders += 1;
            // What later orders of the batch see.
            locked.won.held += acceptance.hold.0;
            self.writes.hold_change(account_id, acceptance.hold);
            self.touched_accounts.insert(account_id);
        }
        let more = (order.quantity, acceptance.hold);
        self.competitions
            .ordered(account_id, &order.instrument_code, more);
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
                TimeInForce::Day => self.competitions.ends_at(account_id),
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

/// Open orders of the members of locked accounts, by the account that counts them. Only a member who
/// has had sub-accounts costs a round trip: the orders of the others are those of the account. Orders
/// of the member that are placed at the same time wait for the account that counts them.
async fn open_orders(
    transaction: &DatabaseTransaction,
    accounts: &Accounts,
) -> Result<BTreeMap<AccountId, i32>, DbErr> {
    let rows = accounts.iter();
    let mut counts: BTreeMap<AccountId, i32> = rows
        .map(|(id, locked)| (*id, locked.account.open_orders))
        .collect();
    let with_others = accounts.values().map(|locked| &locked.account);
    let with_others = with_others.filter(|row| row.has_sub_accounts);
    let ids: Vec<i64> = with_others.map(|row| row.id.0).collect();
    if ids.is_empty() {
        return Ok(counts);
    }
    let read = sql(
        "select b.id, sum(a.open_orders)::integer as open_orders \
         from account b join account a on a.member_id = b.member_id and a.code <> '99' \
            and a.closed_at is null \
         where b.id = any($1) group by b.id",
        [ids.into()],
    );
    for row in transaction.query_all_raw(read).await? {
        counts.insert(row.try_get("", "id")?, row.try_get("", "open_orders")?);
    }
    Ok(counts)
}

/// Rounds a time to the precision of its column, so that an order in the cache equals the same
/// order read from the database.
fn to_micros(time: DateTime<Utc>) -> DateTime<Utc> {
    time.trunc_subsecs(6)
}
