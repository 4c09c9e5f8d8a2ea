//! A share split against the orders and holdings of its instrument.

use chrono::{DateTime, Utc};
use kernel::{AccountId, OrderId, Won};
use market_rules::QuantityRule;
use rust_decimal::Decimal;

use super::{Instrument, Pass};
use crate::domain::market::middle_rate;
use crate::domain::matching::effect::Effect;
use crate::domain::matching::record::{Notice, Venue};
use crate::domain::matching::vault::{Till, VaultError};
use crate::domain::order::{Order, OrderEvent, Side, Status, end_reason};
use crate::domain::reserve;
use crate::domain::split::{Ratio, ShareSplit};

const SHARE_SPLIT: &str = "SHARE_SPLIT";

impl Pass<'_> {
    /// Divides what waits and what is owned. A split of a day that has had one is a repetition.
    pub(super) fn split(
        &mut self,
        code: &str,
        ratio: Ratio,
        notice: &Notice,
    ) -> Result<(), VaultError> {
        let state = self.desk.instruments.entry(code.to_owned()).or_default();
        if state
            .last_split
            .is_some_and(|last| last.trading_day >= notice.trading_day)
        {
            return Ok(());
        }
        let split = ShareSplit {
            ratio,
            trading_day: notice.trading_day,
            known_at: self.closed_at,
        };
        let before = state.clone();
        state.last_price = state.last_price.map(|price| ratio.price(price));
        state.band = None;
        state.last_split = Some(split);

        self.expire_days_before(code, notice.trading_day, notice.time)?;
        // An order that has begun to fill belongs to the day before the split.
        let begun = |order: &Order| order.status == Status::Partial && split.divides(order);
        for id in self.open_orders(code, begun) {
            self.end(
                id,
                OrderEvent::Expired,
                end_reason::SESSION_ENDED,
                notice.time,
            )?;
        }
        for id in self.undivided(code, &split) {
            self.divide(id, &split, before.fx_rate, notice.time, false)?;
        }
        self.split_holdings(code, &split, &before, notice.time)?;
        self.end_uncovered(code, notice.time)
    }

    /// Divides an arriving order that was priced before the newest split and is read after it.
    pub(super) fn divide_late(&mut self, id: OrderId) -> Result<(), VaultError> {
        let Some(order) = self.desk.orders.get(&id) else {
            return Ok(());
        };
        let state = self.desk.instruments.get(&order.instrument_code);
        let known = state.and_then(|state| Some((state.last_split?, state.fx_rate)));
        match known {
            Some((split, fx_rate)) if order.status.is_open() && split.divides(order) => {
                self.divide(id, &split, fx_rate, self.closed_at, true)
            }
            _ => Ok(()),
        }
    }

    /// Open orders of an instrument that are in the units before a split, arriving ones included.
    fn undivided(&self, code: &str, split: &ShareSplit) -> Vec<OrderId> {
        let orders = self.desk.orders.values();
        orders
            .filter(|order| order.instrument_code == code && order.status.is_open())
            .filter(|order| split.divides(order))
            .map(|order| order.id)
            .collect()
    }

    /// Divides one order and what it keeps aside. `is_late`: its holding has been divided before.
    fn divide(
        &mut self,
        id: OrderId,
        by: &ShareSplit,
        fx_rate: Option<Decimal>,
        time: DateTime<Utc>,
        is_late: bool,
    ) -> Result<(), VaultError> {
        let Some(order) = self.desk.orders.get_mut(&id) else {
            return Ok(());
        };
        let rule = QuantityRule::for_market(order.market);
        let mut split = order.clone();
        if !by.ratio.apply_to_order(&mut split, &rule) {
            return self.end(id, OrderEvent::Canceled, SHARE_SPLIT, time);
        }
        split.split_day = by.trading_day;
        let mut refused = None;
        if let Till::Vault(vault, costs) = &mut self.till {
            match order.side {
                Side::Sell => {
                    let key = (order.account_id, order.instrument_code.clone());
                    if let Some(holding) = vault.holdings.get_mut(&key) {
                        let more = split.remaining().0 - order.remaining().0;
                        if is_late && more > holding.available().0.max(Decimal::ZERO) {
                            refused = Some(SHARE_SPLIT);
                        } else {
                            holding.held.0 += more;
                        }
                    }
                }
                Side::Buy => {
                    let rates = |day| costs.on(order.market, day);
                    let hold = new_hold(&split, fx_rate, rates, by.trading_day);
                    if let (Some(hold), Some(cash)) = (hold, vault.cash.get_mut(&order.account_id))
                    {
                        let more = hold.checked_sub(order.held_won)?;
                        if more <= cash.available() {
                            cash.held = cash.held.checked_add(more)?;
                            split.held_won = hold;
                        } else {
                            refused = Some(end_reason::INSUFFICIENT_CASH);
                        }
                    }
                }
            }
        }
        if let Some(reason) = refused {
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
        before: &Instrument,
        time: DateTime<Utc>,
    ) -> Result<(), VaultError> {
        let Till::Vault(vault, _) = &mut self.till else {
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
        // Only whole shares are divided: coins and gold have no splits.
        let rule = QuantityRule::for_market(kernel::MarketCode::Kospi);
        for (key, holding) in &mut vault.holdings {
            let (account, of) = key;
            if of != code || !holding.quantity.is_positive() || vault.divided.contains(key) {
                continue;
            }
            let split = by.ratio.apply(holding, &rule, worth);
            if let Some(cash) = vault.cash.get_mut(account) {
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

    /// Ends sales, newest first, that a joined holding does not reach for: orders in new shares
    /// that were placed while the account still owned old ones.
    fn end_uncovered(&mut self, code: &str, time: DateTime<Utc>) -> Result<(), VaultError> {
        let mut sales: Vec<(OrderId, AccountId)> = self
            .desk
            .orders
            .values()
            .filter(|order| order.instrument_code == code && order.side == Side::Sell)
            .map(|order| (order.id, order.account_id))
            .collect();
        sales.reverse();
        for (id, account) in sales {
            let is_covered = match &self.till {
                Till::Rehearsal => true,
                Till::Vault(vault, _) => vault
                    .holdings
                    .get(&(account, code.to_owned()))
                    .is_none_or(|holding| holding.held <= holding.quantity),
            };
            let order = self.desk.orders.get(&id);
            if !is_covered && order.is_some_and(|order| order.status.is_open()) {
                self.end(id, OrderEvent::Canceled, SHARE_SPLIT, time)?;
            }
        }
        Ok(())
    }
}

/// What the divided order must keep aside; `None` keeps what it has.
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
