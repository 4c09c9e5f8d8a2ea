//! Pays for executions. A rehearsal pays nothing: it only finds out which orders a batch touches,
//! before their accounts are locked; the balances then holds what the locked rows say.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{AccountCode, AccountId, MoneyError, Quantity, Won};
use rust_decimal::Decimal;

use crate::accounts::account::Cash;
use crate::accounts::holding::{Holding, HoldingTooSmall, SoldCost};
use crate::domain::cost::Costs;
use crate::domain::market::middle_rate;
use crate::domain::settlement::{Charge, charge};
use crate::matching::effect::{Execution, Payment};
use crate::orders::order::{IllegalTransition, Order, Side};
use crate::orders::reserve;
use market_rules::QuantityRule;

/// The ledger and an order disagree. Never happens while the audit is green.
#[derive(Debug, thiserror::Error)]
pub enum SettlementError {
    /// The account was not locked with the others.
    #[error("account {0} is not in the balances")]
    UnknownAccount(AccountId),
    /// A sell order holds more than there is.
    #[error("order {order}: {source}")]
    Holding {
        /// The order.
        order: kernel::OrderId,
        /// What is missing.
        source: HoldingTooSmall,
    },
    /// An execution in dollars does not say what they are worth.
    #[error("an execution in dollars without an exchange rate")]
    NoRate,
    /// A sum does not fit.
    #[error(transparent)]
    Money(#[from] MoneyError),
    /// A state was left that cannot be left.
    #[error(transparent)]
    Transition(#[from] IllegalTransition),
}

/// Accounts and holdings whose rows are locked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LockedBalances {
    /// Cash by account.
    pub cash: BTreeMap<AccountId, Cash>,
    /// Holdings by account and instrument.
    pub holdings: BTreeMap<(AccountId, String), Holding>,
    /// Holdings that the batch's split has divided before.
    pub already_split: BTreeSet<(AccountId, String)>,
}

/// What paying for an execution came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paid {
    /// How much was affordable, at most what was asked for.
    pub quantity: Quantity,
    /// Its won; `None` when nothing was affordable.
    pub payment: Option<Payment>,
}

/// Where executions are paid.
pub enum Settlement<'a> {
    /// Nothing is paid; everything is affordable.
    DryRun,
    /// From these accounts at these costs.
    Balances(&'a mut LockedBalances, &'a Costs),
}

impl LockedBalances {
    /// Which kind of account it is; basic when it is not in the balances.
    #[must_use]
    pub fn code_of(&self, account: AccountId) -> AccountCode {
        self.cash
            .get(&account)
            .map_or(AccountCode::Basic, |cash| cash.code)
    }

    /// Pays for an execution: from the order's hold first, then from what is available; if that
    /// does not reach, for the quantity that it does reach.
    ///
    /// # Errors
    /// [`SettlementError`] when the rows contradict the order.
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
            Side::Sell => self.deliver(order, execution.quantity, whole),
            Side::Buy => {
                let cash = self.cash_of(order.account_id)?;
                let funds = cash.available().checked_add(order.held_won)?;
                if whole.paid() <= funds {
                    return self.purchase(order, execution.quantity, execution, whole);
                }
                let rule = QuantityRule::for_market(order.market);
                let cost = |quantity| {
                    charge(order, quantity, price, middle, &rates).map(|charge| charge.paid())
                };
                let quantity = reserve::largest_affordable(&rule, execution.quantity, funds, cost);
                if !quantity.is_positive() {
                    return Ok(Paid {
                        quantity,
                        payment: None,
                    });
                }
                let part = charge(order, quantity, price, middle, &rates)?;
                self.purchase(order, quantity, execution, part)
            }
        }
    }

    /// Gives back what an order that ended had kept aside.
    ///
    /// # Errors
    /// [`SettlementError`] when the rows contradict the order.
    pub fn release(&mut self, order: &mut Order) -> Result<(), SettlementError> {
        match order.side {
            Side::Buy => {
                let cash = self.cash_of(order.account_id)?;
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

    fn cash_of(&mut self, account: AccountId) -> Result<&mut Cash, SettlementError> {
        self.cash
            .get_mut(&account)
            .ok_or(SettlementError::UnknownAccount(account))
    }

    fn purchase(
        &mut self,
        order: &mut Order,
        quantity: Quantity,
        execution: &Execution,
        charge: Charge,
    ) -> Result<Paid, SettlementError> {
        let paid = charge.paid();
        let from_hold = paid.min(order.held_won);
        let cash = self.cash_of(order.account_id)?;
        cash.balance = cash.balance.checked_sub(paid)?;
        cash.held = cash.held.checked_sub(from_hold)?;
        order.held_won = order.held_won.checked_sub(from_hold)?;
        let key = (order.account_id, order.instrument_code.clone());
        let holding = self.holdings.entry(key).or_insert(Holding::EMPTY);
        let quote = execution.price.0 * quantity.0;
        holding.buy(quantity, charge.amount, quote.round_dp(16));
        Ok(Paid {
            quantity,
            payment: Some(Payment {
                charge,
                cost: SoldCost {
                    won: Won::ZERO,
                    quote: Decimal::ZERO,
                },
            }),
        })
    }

    fn deliver(
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
        let cash = self.cash_of(order.account_id)?;
        cash.balance = cash.balance.checked_add(charge.received())?;
        Ok(Paid {
            quantity,
            payment: Some(Payment { charge, cost }),
        })
    }
}
