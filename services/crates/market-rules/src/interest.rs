//! What deposits and savings plans earn: simple and monthly compound interest, and the tax on it.
//!
//! Every result is rounded down to a whole won once, at the end; rates and powers are never
//! rounded on the way. The tax is two parts, each cut to ten won on its own, which is less than
//! 15.4 % of the interest at once.

use kernel::Won;
use kernel::money::{MoneyError, Rounding};
use rust_decimal::Decimal;

/// Percent of the interest that the two taxes are together, as members know it.
pub const TAX_PERCENT: Decimal = Decimal::from_parts(154, 0, 0, false, 1);
/// What a depositor of a failed bank gets back at most.
pub const INSURED: Won = Won(100_000_000);

const INCOME_TAX: Decimal = Decimal::from_parts(14, 0, 0, false, 2);
const LOCAL_TAX: Decimal = Decimal::from_parts(10, 0, 0, false, 2);
/// Powers of a rate carry an error below a billionth of a billionth of a won. Without cutting it
/// off, an interest of exactly 1,000 won could read 999.999… and lose a won.
const EXACT_DECIMALS: u32 = 10;
const MONTHS_PER_YEAR_IN_PERCENT: i64 = 1_200;

/// How interest is reckoned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compounding {
    /// On what was paid in alone.
    Simple,
    /// Each month on the interest of the months before, too.
    Monthly,
}

/// How money is paid in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payment {
    /// The whole sum at the beginning (a deposit).
    Once,
    /// The same sum at the start of every month (savings).
    Monthly,
}

/// What was agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// How money is paid in.
    pub payment: Payment,
    /// How interest is reckoned.
    pub compounding: Compounding,
    /// Percent a year.
    pub annual_percent: Decimal,
    /// Until maturity.
    pub months: u32,
}

/// The two taxes on interest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterestTax {
    /// 14 % income tax, cut to ten won.
    pub income: Won,
    /// A tenth of the income tax for the municipality, cut to ten won.
    pub local: Won,
}

/// What is there at maturity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Maturity {
    /// Everything paid in.
    pub principal: Won,
    /// Before tax.
    pub interest: Won,
    /// On the interest.
    pub tax: InterestTax,
    /// Interest that is left after tax.
    pub after_tax: Won,
    /// Principal and what is left of the interest.
    pub payout: Won,
}

/// How it stands at the end of a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Month {
    /// From 1.
    pub number: u32,
    /// Paid in so far.
    pub paid: Won,
    /// Earned so far, before tax.
    pub interest: Won,
}

impl Terms {
    /// Everything that is paid in when `amount` is paid each time.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] when it does not fit.
    pub fn principal(&self, amount: Won) -> Result<Won, MoneyError> {
        let times = match self.payment {
            Payment::Once => 1,
            Payment::Monthly => i64::from(self.months),
        };
        let sum = amount.0.checked_mul(times);
        sum.map(Won).ok_or(MoneyError::OutOfRange)
    }

    /// Interest at maturity before tax, when `amount` is paid each time.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] when it does not fit.
    pub fn interest(&self, amount: Won) -> Result<Won, MoneyError> {
        let exact = match self.compounding {
            Compounding::Simple => self.simple(amount),
            Compounding::Monthly => self.compound(amount),
        };
        let exact = exact.ok_or(MoneyError::OutOfRange)?;
        Won::from_decimal(exact.round_dp(EXACT_DECIMALS), Rounding::Down)
    }

    /// What is there at maturity, when `amount` is paid each time.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] when a sum does not fit.
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

    /// How it stands at the end of every month, when `amount` is paid each time.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] when a sum does not fit.
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
        // Months that each payment lies there, summed over the payments.
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
        // What every won paid in at the start of a month has earned, summed over the payments.
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
    /// The tax on `interest`.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] when it does not fit.
    pub fn on(interest: Won) -> Result<Self, MoneyError> {
        let income = cut_to_ten(interest, INCOME_TAX)?;
        Ok(Self {
            income,
            local: cut_to_ten(income, LOCAL_TAX)?,
        })
    }

    /// Both together.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] when it does not fit.
    pub fn total(self) -> Result<Won, MoneyError> {
        self.income.checked_add(self.local)
    }
}

fn cut_to_ten(base: Won, rate: Decimal) -> Result<Won, MoneyError> {
    let tens = base
        .to_decimal()
        .checked_mul(rate)
        .and_then(|tax| tax.checked_div(Decimal::TEN))
        .ok_or(MoneyError::OutOfRange)?;
    let tens = Won::from_decimal(tens, Rounding::Down)?;
    let won = tens.0.checked_mul(10);
    won.map(Won).ok_or(MoneyError::OutOfRange)
}
