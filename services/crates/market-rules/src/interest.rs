//! Interest of deposits and savings plans, simple or compounded monthly, and its taxes.
//!
//! Results are rounded down to a whole won once, at the end. The tax has two parts, each rounded
//! down to ten won, which is less than 15.4 % of the interest.

use kernel::Won;
use kernel::money::{MoneyError, Rounding};
use rust_decimal::Decimal;

/// The nominal rate of both taxes in percent.
pub const TAX_PERCENT: Decimal = Decimal::from_parts(154, 0, 0, false, 1);
/// Deposit insurance limit per bank.
pub const INSURED: Won = Won(100_000_000);

/// Income tax on interest and dividends, as a share.
pub const INCOME_TAX: Decimal = Decimal::from_parts(14, 0, 0, false, 2);
const LOCAL_TAX: Decimal = Decimal::from_parts(10, 0, 0, false, 2);
/// Powers of a rate have an error below 1e-18 won. Rounding to this many decimals first keeps an
/// interest of exactly 1,000 won from becoming 999.999….
const EXACT_DECIMALS: u32 = 10;
const MONTHS_PER_YEAR_IN_PERCENT: i64 = 1_200;
const DAYS_PER_YEAR_IN_PERCENT: i64 = 36_500;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compounding {
    /// On the principal only.
    Simple,
    /// Compounded monthly.
    Monthly,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payment {
    /// Once at the start (a deposit).
    Once,
    /// The same amount at the start of every month (a savings plan).
    Monthly,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    pub payment: Payment,
    pub compounding: Compounding,
    /// Percent a year.
    pub annual_percent: Decimal,
    pub months: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterestTax {
    /// 14 % income tax, rounded down to ten won.
    pub income: Won,
    /// Local tax, 10 % of the income tax, rounded down to ten won.
    pub local: Won,
}

/// The amounts at maturity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Maturity {
    pub principal: Won,
    /// Before tax.
    pub interest: Won,
    pub tax: InterestTax,
    pub after_tax: Won,
    /// Principal plus interest after tax.
    pub payout: Won,
}

/// The state at the end of a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Month {
    /// From 1.
    pub number: u32,
    /// Principal so far.
    pub paid: Won,
    /// Interest so far, before tax.
    pub interest: Won,
}

impl Terms {
    /// `amount` is paid once or monthly.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] on overflow.
    pub fn principal(&self, amount: Won) -> Result<Won, MoneyError> {
        let times = match self.payment {
            Payment::Once => 1,
            Payment::Monthly => i64::from(self.months),
        };
        let sum = amount.0.checked_mul(times);
        sum.map(Won).ok_or(MoneyError::OutOfRange)
    }

    /// Interest at maturity before tax.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] on overflow.
    pub fn interest(&self, amount: Won) -> Result<Won, MoneyError> {
        let months = match self.payment {
            Payment::Once => self.months..=self.months,
            Payment::Monthly => 1..=self.months,
        };
        interest(
            self.compounding,
            self.annual_percent,
            months.map(|months| (amount, months)),
        )
    }

    /// The amounts at maturity.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] on overflow.
    pub fn at_maturity(&self, amount: Won) -> Result<Maturity, MoneyError> {
        let principal = self.principal(amount)?;
        let interest = self.interest(amount)?;
        let tax = InterestTax::on(interest)?;
        let after_tax = interest.checked_sub(tax.total()?)?;
        Ok(Maturity {
            principal,
            interest,
            tax,
            after_tax,
            payout: principal.checked_add(after_tax)?,
        })
    }

    /// The state at the end of every month.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] on overflow.
    pub fn schedule(&self, amount: Won) -> Result<Vec<Month>, MoneyError> {
        let month = |number| {
            let so_far = Self {
                months: number,
                ..*self
            };
            Ok(Month {
                number,
                paid: so_far.principal(amount)?,
                interest: so_far.interest(amount)?,
            })
        };
        (1..=self.months).map(month).collect()
    }
}

/// Interest of amounts, each for a number of months, before tax.
///
/// # Errors
/// [`MoneyError::OutOfRange`] on overflow.
pub fn interest(
    compounding: Compounding,
    annual_percent: Decimal,
    amounts: impl IntoIterator<Item = (Won, u32)>,
) -> Result<Won, MoneyError> {
    let amounts = amounts.into_iter();
    match compounding {
        Compounding::Simple => simple(annual_percent, MONTHS_PER_YEAR_IN_PERCENT, amounts),
        Compounding::Monthly => {
            let exact = compound(annual_percent, amounts).ok_or(MoneyError::OutOfRange)?;
            round_down(exact)
        }
    }
}

/// Simple interest of amounts, each for a number of days of a year of 365, before tax.
///
/// # Errors
/// [`MoneyError::OutOfRange`] on overflow.
pub fn interest_by_days(
    annual_percent: Decimal,
    amounts: impl IntoIterator<Item = (Won, u32)>,
) -> Result<Won, MoneyError> {
    simple(annual_percent, DAYS_PER_YEAR_IN_PERCENT, amounts)
}

/// Each amount lies for a number of the units of which `units_per_year` a year has, times 100.
fn simple(
    annual_percent: Decimal,
    units_per_year: i64,
    amounts: impl IntoIterator<Item = (Won, u32)>,
) -> Result<Won, MoneyError> {
    let mut weighted = Decimal::ZERO;
    for (amount, units) in amounts {
        let one = amount.to_decimal().checked_mul(Decimal::from(units));
        let sum = one.and_then(|one| weighted.checked_add(one));
        weighted = sum.ok_or(MoneyError::OutOfRange)?;
    }
    let exact = weighted
        .checked_mul(annual_percent)
        .and_then(|percents| percents.checked_div(Decimal::from(units_per_year)));
    round_down(exact.ok_or(MoneyError::OutOfRange)?)
}

fn compound(
    annual_percent: Decimal,
    amounts: impl IntoIterator<Item = (Won, u32)>,
) -> Option<Decimal> {
    let per_month = annual_percent.checked_div(Decimal::from(MONTHS_PER_YEAR_IN_PERCENT))?;
    let growth = Decimal::ONE.checked_add(per_month)?;
    // What a won becomes in so many months.
    let mut powers = vec![Decimal::ONE];
    let mut earned = Decimal::ZERO;
    for (amount, months) in amounts {
        let months = usize::try_from(months).ok()?;
        while powers.len() <= months {
            powers.push(powers.last()?.checked_mul(growth)?);
        }
        let per_won = powers.get(months)?.checked_sub(Decimal::ONE)?;
        earned = earned.checked_add(amount.to_decimal().checked_mul(per_won)?)?;
    }
    Some(earned)
}

fn round_down(exact: Decimal) -> Result<Won, MoneyError> {
    Won::from_decimal(exact.round_dp(EXACT_DECIMALS), Rounding::Down)
}

impl InterestTax {
    /// # Errors
    /// [`MoneyError::OutOfRange`] on overflow.
    pub fn on(interest: Won) -> Result<Self, MoneyError> {
        let income = round_down_to_ten(interest, INCOME_TAX)?;
        Ok(Self {
            income,
            local: round_down_to_ten(income, LOCAL_TAX)?,
        })
    }

    /// # Errors
    /// [`MoneyError::OutOfRange`] on overflow.
    pub fn total(self) -> Result<Won, MoneyError> {
        self.income.checked_add(self.local)
    }
}

fn round_down_to_ten(base: Won, rate: Decimal) -> Result<Won, MoneyError> {
    let tens = base
        .to_decimal()
        .checked_mul(rate)
        .and_then(|tax| tax.checked_div(Decimal::TEN))
        .ok_or(MoneyError::OutOfRange)?;
    let tens = Won::from_decimal(tens, Rounding::Down)?;
    let won = tens.0.checked_mul(10);
    won.map(Won).ok_or(MoneyError::OutOfRange)
}
