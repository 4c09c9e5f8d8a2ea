//! Payment of executions. A batch first runs as a dry run, which pays nothing and finds the affected
//! orders; their accounts are then locked, and a second run settles from the locked balances.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{AccountCode, AccountId, MemberId, MoneyError, Quantity, Won};
use rust_decimal::Decimal;

use crate::accounts::account::Cash;
use crate::accounts::holding::{Holding, HoldingTooSmall, SoldCost};
use crate::domain::cost::Costs;
use crate::domain::market::middle_rate;
use crate::domain::settlement::{Charge, charge};
use crate::matching::effect::{Execution, Payment};
use crate::orders::order::{IllegalTransition, Order, Side, end_reason};
use crate::orders::reserve;
use crate::tick_log::Tick;
use market_rules::QuantityRule;

/// Ledger and order disagree. Cannot happen while the audit has no findings.
#[derive(Debug, thiserror::Error)]
pub enum SettlementError {
    #[error("account {0} is not locked")]
    UnknownAccount(AccountId),
    /// A sell order exceeds the holding.
    #[error("order {order}: {source}")]
    Holding {
        order: kernel::OrderId,
        source: HoldingTooSmall,
    },
    #[error("an execution in dollars without an exchange rate")]
    NoRate,
    #[error(transparent)]
    Money(#[from] MoneyError),
    #[error(transparent)]
    Transition(#[from] IllegalTransition),
}

/// Filled quantities by member, instrument and tick.
pub type TickFills = BTreeMap<(MemberId, String, i64), Quantity>;

/// Balances and holdings of locked rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LockedBalances {
    pub cash: BTreeMap<AccountId, Cash>,
    /// By account and instrument code.
    pub holdings: BTreeMap<(AccountId, String), Holding>,
    /// Holdings that the split of the batch was applied to before, by an earlier slice.
    pub already_split: BTreeSet<(AccountId, String)>,
    /// What earlier slices of the batch have filled of the members' orders in other accounts.
    pub filled_before: TickFills,
}

/// The paid part of an execution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paid {
    /// The affordable quantity, at most that of the execution.
    pub quantity: Quantity,
    /// Why not all of the execution was affordable: the order ends with this reason.
    pub shortfall: Option<&'static str>,
    /// `None` when nothing was affordable.
    pub payment: Option<Payment>,
}

/// Whether a pass pays for its executions.
pub enum Settlement<'a> {
    /// Pays nothing; every execution is affordable.
    DryRun,
    /// Pays from locked balances, at these fees and taxes.
    Balances(&'a mut LockedBalances, &'a Costs),
}

impl LockedBalances {
    /// The account's code; BASIC for an account that is not locked.
    #[must_use]
    pub fn account_code(&self, account: AccountId) -> AccountCode {
        self.cash
            .get(&account)
            .map_or(AccountCode::Basic, |cash| cash.code)
    }

    /// What earlier slices have filled of a member's orders at a tick.
    #[must_use]
    pub fn filled_before(&self, member: MemberId, tick: &Tick) -> Quantity {
        let key = (member, tick.code.clone(), tick.seq);
        self.filled_before.get(&key).copied().unwrap_or_default()
    }

    /// Pays for an execution from the order's hold first, then from available cash, up to the order
    /// amount. If that does not cover it, pays for the largest affordable quantity.
    ///
    /// # Errors
    /// [`SettlementError`] when the balances contradict the order.
    pub fn pay(
        &mut self,
        order: &mut Order,
        execution: &Execution,
        costs: &Costs,
    ) -> Result<Paid, SettlementError> {
        let rates = costs.on(order.market, execution.trading_day);
        let middle =
            middle_rate(order.currency, execution.fx_rate).ok_or(SettlementError::NoRate)?;
        let price = execution.price;
        let whole = charge(order, execution.quantity, price, middle, &rates)?;
        match order.side {
            Side::Sell => self.sell(order, execution.quantity, whole),
            Side::Buy => {
                let cash = self.cash_mut(order.account_id)?;
                let cash = cash.available().checked_add(order.held_won)?;
                let (funds, reason) = match order.remaining_amount() {
                    Some(rest) if rest <= cash => (rest, end_reason::AMOUNT_REACHED),
                    Some(_) | None => (cash, end_reason::INSUFFICIENT_CASH),
                };
                if whole.paid() <= funds {
                    return self.buy(order, execution.quantity, execution, whole);
                }
                let rule = QuantityRule::for_market(order.market);
                let cost = |quantity| {
                    charge(order, quantity, price, middle, &rates).map(|charge| charge.paid())
                };
                let quantity = reserve::largest_affordable(&rule, execution.quantity, funds, cost);
                if !quantity.is_positive() {
                    return Ok(Paid {
                        quantity,
                        shortfall: Some(reason),
                        payment: None,
                    });
                }
                let part = charge(order, quantity, price, middle, &rates)?;
                let paid = self.buy(order, quantity, execution, part)?;
                Ok(Paid {
                    shortfall: Some(reason),
                    ..paid
                })
            }
        }
    }

    /// Releases the hold of an order that ended.
    ///
    /// # Errors
    /// [`SettlementError`] when the balances contradict the order.
    pub fn release(&mut self, order: &mut Order) -> Result<(), SettlementError> {
        match order.side {
            Side::Buy => {
                let cash = self.cash_mut(order.account_id)?;
                cash.held = cash.held.checked_sub(order.held_won)?;
                order.held_won = Won::ZERO;
            }
            Side::Sell => {
                let key = (order.account_id, order.instrument_code.clone());
                let holding = self.holdings.entry(key).or_insert(Holding::EMPTY);
                holding.held.0 -= order.remaining().0;
            }
        }
        Ok(())
    }

    fn cash_mut(&mut self, account: AccountId) -> Result<&mut Cash, SettlementError> {
        self.cash
            .get_mut(&account)
            .ok_or(SettlementError::UnknownAccount(account))
    }

    fn buy(
        &mut self,
        order: &mut Order,
        quantity: Quantity,
        execution: &Execution,
        charge: Charge,
    ) -> Result<Paid, SettlementError> {
        let paid = charge.paid();
        let from_hold = paid.min(order.held_won);
        let cash = self.cash_mut(order.account_id)?;
        cash.balance = cash.balance.checked_sub(paid)?;
        cash.held = cash.held.checked_sub(from_hold)?;
        order.held_won = order.held_won.checked_sub(from_hold)?;
        let key = (order.account_id, order.instrument_code.clone());
        let holding = self.holdings.entry(key).or_insert(Holding::EMPTY);
        let quote = execution.price.0 * quantity.0;
        holding.buy(quantity, charge.amount, quote.round_dp(16));
        Ok(Paid {
            quantity,
            shortfall: None,
            payment: Some(Payment {
                charge,
                cost: SoldCost {
                    won: Won::ZERO,
                    quote: Decimal::ZERO,
                },
            }),
        })
    }

    fn sell(
        &mut self,
        order: &Order,
        quantity: Quantity,
        charge: Charge,
    ) -> Result<Paid, SettlementError> {
        let key = (order.account_id, order.instrument_code.clone());
        let holding = self.holdings.entry(key).or_insert(Holding::EMPTY);
        let cost = holding
            .sell(quantity)
            .map_err(|source| SettlementError::Holding {
                order: order.id,
                source,
            })?;
        let cash = self.cash_mut(order.account_id)?;
        cash.balance = cash.balance.checked_add(charge.received())?;
        Ok(Paid {
            quantity,
            shortfall: None,
            payment: Some(Payment { charge, cost }),
        })
    }
}
