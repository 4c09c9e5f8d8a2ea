//! A share split, applied to the orders and holdings of its instrument.

use chrono::{DateTime, Utc};
use kernel::{AccountId, OrderId, Won};
use market_rules::QuantityRule;
use rust_decimal::Decimal;

use super::BatchRun;
use crate::domain::market::middle_rate;
use crate::domain::split::{ShareSplit, SplitRatio};
use crate::matching::balances::{Settlement, SettlementError};
use crate::matching::effect::Effect;
use crate::matching::instrument_state::InstrumentState;
use crate::orders::order::{Order, OrderEvent, Side, Status, end_reason};
use crate::orders::reserve;
use crate::tick_log::{SessionRecord, Venue};

const SHARE_SPLIT: &str = "SHARE_SPLIT";

impl BatchRun<'_> {
    /// Splits waiting orders and holdings. A second split of one trading day is a repetition.
    pub(super) fn split(
        &mut self,
        code: &str,
        ratio: SplitRatio,
        record: &SessionRecord,
    ) -> Result<(), SettlementError> {
        let state = self.pass.instruments.entry(code.to_owned()).or_default();
        if state
            .last_split
            .is_some_and(|last| last.trading_day >= record.trading_day)
        {
            return Ok(());
        }
        let split = ShareSplit {
            ratio,
            trading_day: record.trading_day,
            known_at: self.closed_at,
        };
        let before = state.clone();
        state.last_price = state.last_price.map(|price| ratio.price(price));
        state.band = None;
        state.last_split = Some(split);

        self.expire_days_before(code, record.trading_day, record.time)?;
        // A partly filled order belongs to the day before the split.
        let begun = |order: &Order| order.status == Status::Partial && split.applies_to(order);
        for id in self.open_orders(code, begun) {
            self.expire(id, record.time)?;
        }
        for id in self.awaiting_split(code, &split) {
            self.split_order(id, &split, before.fx_rate, record.time, false)?;
        }
        self.split_holdings(code, &split, &before, record.time)?;
        self.cancel_uncovered_sells(code, record.time)
    }

    /// Splits a new order that was priced before the newest split and read after it.
    pub(super) fn split_late_order(&mut self, id: OrderId) -> Result<(), SettlementError> {
        let Some(order) = self.pass.orders.get(&id) else {
            return Ok(());
        };
        let state = self.pass.instruments.get(&order.instrument_code);
        let newest = state.and_then(|state| Some((state.last_split?, state.fx_rate)));
        match newest {
            Some((split, fx_rate)) if order.status.is_open() && split.applies_to(order) => {
                self.split_order(id, &split, fx_rate, self.closed_at, true)
            }
            _ => Ok(()),
        }
    }

    /// Open orders in the units from before a split, new orders included.
    fn awaiting_split(&self, code: &str, split: &ShareSplit) -> Vec<OrderId> {
        let orders = self.pass.orders.values();
        orders
            .filter(|order| order.instrument_code == code && order.status.is_open())
            .filter(|order| split.applies_to(order))
            .map(|order| order.id)
            .collect()
    }

    /// Splits one order and its hold. `is_late`: its holding has been split before.
    fn split_order(
        &mut self,
        id: OrderId,
        by: &ShareSplit,
        fx_rate: Option<Decimal>,
        time: DateTime<Utc>,
        is_late: bool,
    ) -> Result<(), SettlementError> {
        let Some(order) = self.pass.orders.get_mut(&id) else {
            return Ok(());
        };
        let rule = QuantityRule::for_market(order.market);
        let mut split = order.clone();
        if !by.ratio.apply_to_order(&mut split, &rule) {
            return self.end(id, OrderEvent::Canceled, SHARE_SPLIT, time);
        }
        split.split_day = by.trading_day;
        let mut cancel_reason = None;
        if let Settlement::Balances(balances, costs) = &mut self.settlement {
            match order.side {
                Side::Sell => {
                    let key = (order.account_id, order.instrument_code.clone());
                    if let Some(holding) = balances.holdings.get_mut(&key) {
                        let more = split.remaining().0 - order.remaining().0;
                        if is_late && more > holding.available().0.max(Decimal::ZERO) {
                            cancel_reason = Some(SHARE_SPLIT);
                        } else {
                            holding.held.0 += more;
                        }
                    }
                }
                Side::Buy => {
                    let rates = |day| costs.on(order.market, day);
                    let hold = new_hold(&split, fx_rate, rates, by.trading_day);
                    if let (Some(hold), Some(cash)) =
                        (hold, balances.cash.get_mut(&order.account_id))
                    {
                        let more = hold.checked_sub(order.held_won)?;
                        if more <= cash.available() {
                            cash.held = cash.held.checked_add(more)?;
                            split.held_won = hold;
                        } else {
                            cancel_reason = Some(end_reason::INSUFFICIENT_CASH);
                        }
                    }
                }
            }
        }
        if let Some(reason) = cancel_reason {
            return self.end(id, OrderEvent::Canceled, reason, time);
        }
        *order = split;
        self.effects.push(Effect::Changed {
            order: Box::new(order.clone()),
            from: order.status,
            reason: SHARE_SPLIT,
            time,
        });
        Ok(())
    }

    fn split_holdings(
        &mut self,
        code: &str,
        by: &ShareSplit,
        before: &InstrumentState,
        time: DateTime<Utc>,
    ) -> Result<(), SettlementError> {
        let Settlement::Balances(balances, _) = &mut self.settlement else {
            return Ok(());
        };
        let middle = match before.venue {
            Some(Venue::Us) => before.fx_rate,
            Some(Venue::Krx | Venue::Coin | Venue::Gold) | None => Some(Decimal::ONE),
        };
        let worth = before.last_price.zip(middle);
        let worth = worth.map_or(Decimal::ZERO, |(price, middle)| {
            price.0.saturating_mul(middle)
        });
        // Coins and gold have no splits, so the step is one share.
        let rule = QuantityRule::for_market(kernel::MarketCode::Kospi);
        for (key, holding) in &mut balances.holdings {
            let (account, of) = key;
            if of != code || !holding.quantity.is_positive() || balances.already_split.contains(key)
            {
                continue;
            }
            let split = by.ratio.apply(holding, &rule, worth);
            if let Some(cash) = balances.cash.get_mut(account) {
                cash.balance = cash.balance.checked_add(split.paid)?;
            }
            self.effects.push(Effect::Split {
                account_id: *account,
                code: code.to_owned(),
                ratio: by.ratio,
                split,
                trading_day: by.trading_day,
                time,
            });
        }
        Ok(())
    }

    /// Ends sell orders, newest first, that exceed the holding after a reverse split: orders in new
    /// shares that were placed while the account still owned old ones.
    fn cancel_uncovered_sells(
        &mut self,
        code: &str,
        time: DateTime<Utc>,
    ) -> Result<(), SettlementError> {
        let mut sells: Vec<(OrderId, AccountId)> = self
            .pass
            .orders
            .values()
            .filter(|order| order.instrument_code == code && order.side == Side::Sell)
            .map(|order| (order.id, order.account_id))
            .collect();
        sells.reverse();
        for (id, account) in sells {
            let is_covered = match &self.settlement {
                Settlement::DryRun => true,
                Settlement::Balances(balances, _) => balances
                    .holdings
                    .get(&(account, code.to_owned()))
                    .is_none_or(|holding| holding.held <= holding.quantity),
            };
            let order = self.pass.orders.get(&id);
            if !is_covered && order.is_some_and(|order| order.status.is_open()) {
                self.end(id, OrderEvent::Canceled, SHARE_SPLIT, time)?;
            }
        }
        Ok(())
    }
}

/// The hold of the order after the split; `None` keeps the present one.
fn new_hold(
    order: &Order,
    fx_rate: Option<Decimal>,
    rates: impl Fn(i32) -> market_rules::FeeRates,
    trading_day: i32,
) -> Option<Won> {
    let middle = middle_rate(order.currency, fx_rate)?;
    let rates = rates(trading_day);
    reserve::for_buy(order.price?, order.quantity, middle, order.currency, &rates).ok()
}
