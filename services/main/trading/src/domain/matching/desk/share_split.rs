//! A share split against the orders and holdings of its instrument.

use kernel::{OrderId, Won};
use market_rules::QuantityRule;
use rust_decimal::Decimal;

use super::{Instrument, Pass};
use crate::domain::market::middle_rate;
use crate::domain::matching::effect::Effect;
use crate::domain::matching::record::Notice;
use crate::domain::matching::vault::{Till, VaultError};
use crate::domain::order::{Change, Order, Side, Status, end_reason};
use crate::domain::reserve;
use crate::domain::split::Ratio;

const SHARE_SPLIT: &str = "SHARE_SPLIT";

impl Pass<'_> {
    pub(super) fn split(
        &mut self,
        code: &str,
        ratio: Ratio,
        notice: &Notice,
    ) -> Result<(), VaultError> {
        let state = self.desk.instruments.entry(code.to_owned()).or_default();
        let before = state.clone();
        state.last_price = state.last_price.map(|price| ratio.price(price));
        state.band = None;

        self.expire_days_before(code, notice.trading_day, notice.time)?;
        // An order that has begun to fill belongs to the day before the split.
        for id in self.open_orders(code, |order| order.status == Status::Partial) {
            self.end(id, Change::Expired, end_reason::SESSION_ENDED, notice.time)?;
        }
        for id in self.open_orders(code, |_| true) {
            self.split_order(id, ratio, &before, notice)?;
        }
        self.split_holdings(code, ratio, &before, notice)
    }

    fn split_order(
        &mut self,
        id: OrderId,
        ratio: Ratio,
        state: &Instrument,
        notice: &Notice,
    ) -> Result<(), VaultError> {
        let Some(order) = self.desk.orders.get_mut(&id) else {
            return Ok(());
        };
        let rule = QuantityRule::for_market(order.market);
        let mut split = order.clone();
        if !ratio.apply_to_order(&mut split, &rule) {
            return self.end(id, Change::Canceled, SHARE_SPLIT, notice.time);
        }
        let mut affordable = true;
        if let Till::Vault(vault, costs) = &mut self.till {
            match order.side {
                Side::Sell => {
                    let key = (order.account_id, order.instrument_code.clone());
                    if let Some(holding) = vault.holdings.get_mut(&key) {
                        holding.held.0 += split.remaining().0 - order.remaining().0;
                    }
                }
                Side::Buy => {
                    let hold = new_hold(&split, state, |day| costs.on(order.market, day), notice);
                    if let (Some(hold), Some(cash)) = (hold, vault.cash.get_mut(&order.account_id))
                    {
                        let more = hold.checked_sub(order.held_won)?;
                        affordable = more <= cash.available();
                        if affordable {
                            cash.held = cash.held.checked_add(more)?;
                            split.held_won = hold;
                        }
                    }
                }
            }
        }
        if !affordable {
            return self.end(
                id,
                Change::Canceled,
                end_reason::INSUFFICIENT_CASH,
                notice.time,
            );
        }
        *order = split;
        self.effects.push(Effect::Changed {
            order: Box::new(order.clone()),
            from: order.status,
            reason: SHARE_SPLIT,
            time: notice.time,
        });
        Ok(())
    }

    fn split_holdings(
        &mut self,
        code: &str,
        ratio: Ratio,
        state: &Instrument,
        notice: &Notice,
    ) -> Result<(), VaultError> {
        let Till::Vault(vault, _) = &mut self.till else {
            return Ok(());
        };
        let worth = state.last_price.map_or(Decimal::ZERO, |price| {
            price
                .0
                .saturating_mul(state.fx_rate.unwrap_or(Decimal::ONE))
        });
        // Only whole shares are divided: coins and gold have no splits.
        let rule = QuantityRule::for_market(kernel::MarketCode::Kospi);
        for ((account, of), holding) in &mut vault.holdings {
            if of != code || !holding.quantity.is_positive() {
                continue;
            }
            let split = ratio.apply(holding, &rule, worth);
            if let Some(cash) = vault.cash.get_mut(account) {
                cash.balance = cash.balance.checked_add(split.paid)?;
            }
            self.effects.push(Effect::Split {
                account_id: *account,
                code: code.to_owned(),
                ratio,
                split,
                trading_day: notice.trading_day,
                time: notice.time,
            });
        }
        Ok(())
    }
}

/// What the divided order must keep aside; `None` keeps what it has.
fn new_hold(
    order: &Order,
    state: &Instrument,
    rates: impl Fn(i32) -> market_rules::FeeRates,
    notice: &Notice,
) -> Option<Won> {
    let middle = middle_rate(order.currency, state.fx_rate)?;
    let rates = rates(notice.trading_day);
    reserve::for_buy(order.price?, order.quantity, middle, order.currency, &rates).ok()
}
