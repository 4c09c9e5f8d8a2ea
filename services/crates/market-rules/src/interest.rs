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

const INCOME_TAX: Decimal = Decimal::from_parts(14, 0, 0, false, 2);
const LOCAL_TAX: Decimal = Decimal::from_parts(10, 0, 0, false, 2);
/// Powers of a rate have an error below 1e-18 won. Rounding to this many decimals first keeps an
/// interest of exactly 1,000 won from becoming 999.999….
const EXACT_DECIMALS: u32 = 10;
const MONTHS_PER_YEAR_IN_PERCENT: i64 = 1_200;

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
        let exact = match self.compounding {
            Compounding::Simple => self.simple(amount),
            Compounding::Monthly => self.compound(amount),
        };
        let exact = exact.ok_or(MoneyError::OutOfRange)?;
        Won::from_decimal(exact.round_dp(EXACT_DECIMALS), Rounding::Down)
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

    fn simple(&self, amount: Won) -> Option<Decimal> {
        let months = i64::from(self.months);
        // Sum over the payments of the months until maturity.
        let payment_months = match self.payment {
            Payment::Once => months,
            Payment::Monthly => months.checked_mul(months + 1)? / 2,
        };
        amount
            .to_decimal()
            .checked_mul(self.annual_percent)?
            .checked_mul(Decimal::from(payment_months))?
            .checked_div(Decimal::from(MONTHS_PER_YEAR_IN_PERCENT))
    }

    fn compound(&self, amount: Won) -> Option<Decimal> {
        let per_month = self
            .annual_percent
            .checked_div(Decimal::from(MONTHS_PER_YEAR_IN_PERCENT))?;
        let growth = Decimal::ONE.checked_add(per_month)?;
        let mut power = Decimal::ONE;
        // Interest per won of each payment, summed over the payments.
        let mut earned = Decimal::ZERO;
        for _ in 0..self.months {
            power = power.checked_mul(growth)?;
            let of_payment = power.checked_sub(Decimal::ONE)?;
            earned = match self.payment {
                Payment::Once => of_payment,
                Payment::Monthly => earned.checked_add(of_payment)?,
            };
        }
        amount.to_decimal().checked_mul(earned)
    }
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
