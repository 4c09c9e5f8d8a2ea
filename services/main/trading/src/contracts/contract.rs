//! A contract: what it has earned, which payments can be made, and what it does next.

use chrono::{DateTime, Days, NaiveDate, Utc};
use kernel::{MoneyError, Won};
use market_rules::contract::{Agreement, Earnings, LEAST_AMOUNT, Paid, Plan};
use market_rules::interest::{Compounding, InterestTax};
use sea_orm::DbErr;

use super::{ContractKind, ContractStatus, MaturityAction, Period, at, day_of};
use crate::entity::{contract as row, contract_interest, contract_payment};

/// A payment is tried on its day and on the next two.
pub const ATTEMPTS: i16 = 3;

#[derive(Clone, Debug)]
pub struct Contract {
    pub(crate) row: row::Model,
    pub(crate) kind: ContractKind,
    pub(crate) status: ContractStatus,
    pub(crate) action: MaturityAction,
    pub(crate) agreement: Agreement,
    /// By number.
    pub(crate) payments: Vec<Paid>,
    pub(crate) interest: Vec<contract_interest::Model>,
}

/// What a contract does next by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Takes a payment from the BASIC account.
    Payment(u32),
    Maturity,
}

/// What closing a contract pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CloseInfo {
    /// With what was booked at maturity.
    pub total: Earnings,
    pub payout: Won,
    /// What is not booked yet.
    pub due: Earnings,
    pub period: Period,
    pub payout_at_maturity: Won,
    /// Interest after tax that is given up.
    pub loss: Won,
    /// Before tax, of what was paid in, if it is left until maturity.
    pub interest_at_maturity: Won,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaymentState {
    Paid,
    /// Its day has come, and it can still be made.
    Due,
    Missed,
    Upcoming,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledPayment {
    pub number: u32,
    pub due_on: NaiveDate,
    pub paid_on: Option<NaiveDate>,
    pub amount: Won,
    pub state: PaymentState,
}

impl Contract {
    pub(crate) fn new(
        row: row::Model,
        payments: &[contract_payment::Model],
        interest: Vec<contract_interest::Model>,
    ) -> Result<Self, DbErr> {
        let wrong = |column: &str| {
            let id = row.account_id;
            DbErr::Custom(format!(
                "contract.{column} of row {id} is not a known value"
            ))
        };
        let kind = parse(ContractKind::ALL, ContractKind::as_str, &row.kind);
        let status = parse(ContractStatus::ALL, ContractStatus::as_str, &row.status);
        let action = parse(
            MaturityAction::ALL,
            MaturityAction::as_str,
            &row.maturity_action,
        );
        let kind = kind.ok_or_else(|| wrong("kind"))?;
        let payments = payments.iter().map(|paid| {
            Ok(Paid {
                number: u32::try_from(paid.number).map_err(|_negative| wrong("payment"))?,
                amount: paid.amount_won,
                on: paid.paid_on,
            })
        });
        Ok(Self {
            kind,
            status: status.ok_or_else(|| wrong("status"))?,
            action: action.ok_or_else(|| wrong("maturity_action"))?,
            agreement: Agreement {
                plan: match kind {
                    ContractKind::Deposit => Plan::Deposit,
                    ContractKind::Free => Plan::Free,
                    ContractKind::Savings => Plan::Savings {
                        transfer_day: row
                            .transfer_day
                            .and_then(|day| u32::try_from(day).ok())
                            .ok_or_else(|| wrong("transfer_day"))?,
                    },
                },
                compounding: match row.compounding.as_str() {
                    "SIMPLE" => Compounding::Simple,
                    "MONTHLY" => Compounding::Monthly,
                    _ => return Err(wrong("compounding")),
                },
                base_percent: row.base_rate,
                percent: row.rate,
                opened_on: row.opened_on,
                months: u32::try_from(row.term_months).map_err(|_negative| wrong("term_months"))?,
            },
            payments: payments.collect::<Result<_, DbErr>>()?,
            interest,
            row,
        })
    }

    #[must_use]
    pub(crate) fn is_open(&self) -> bool {
        self.row.closed_on.is_none()
    }

    /// Market time at which it matures.
    pub(crate) fn matures_at(&self) -> DateTime<Utc> {
        at(self.row.matures_on, 0, 10)
    }

    /// Market time at which a payment is due; `None` if there is none with this number.
    fn due_at(&self, number: u32) -> Option<DateTime<Utc>> {
        Some(at(self.agreement.due_on(number)?, 9, 0))
    }

    /// What the contract does next, and when. Attempts are counted in its row.
    pub(crate) fn next(&self) -> Option<(DateTime<Utc>, Next)> {
        if self.status != ContractStatus::Active {
            return None;
        }
        let matures = (self.matures_at(), Next::Maturity);
        let number = u32::try_from(self.row.next_payment).unwrap_or(u32::MAX);
        let delay = Days::new(u64::try_from(self.row.attempts).unwrap_or(0));
        let takes = self
            .agreement
            .due_on(number)
            .filter(|_| self.kind == ContractKind::Savings)
            .and_then(|day| day.checked_add_days(delay))
            .map(|day| (at(day, 9, 0), Next::Payment(number)));
        Some(match takes {
            Some(takes) if takes.0 < matures.0 => takes,
            _ => matures,
        })
    }

    /// After a payment was tried in vain: tries it again tomorrow, or goes on to the next one, when
    /// that was the last time or tomorrow's is due first.
    pub(crate) fn miss(&mut self, number: u32) {
        let next_is_due = self.agreement.due_on(number.saturating_add(1));
        let tomorrow = self.agreement.due_on(number).and_then(|day| {
            let tries = u64::try_from(self.row.attempts).unwrap_or(0);
            day.checked_add_days(Days::new(tries.saturating_add(1)))
        });
        self.row.attempts = self.row.attempts.saturating_add(1);
        let is_overtaken = match (tomorrow, next_is_due) {
            (Some(tomorrow), Some(next)) => tomorrow >= next,
            _ => false,
        };
        if self.row.attempts >= ATTEMPTS || is_overtaken {
            self.row.attempts = 0;
            self.row.next_payment = self.row.next_payment.saturating_add(1);
            self.skip_paid();
        }
    }

    /// Goes on to the first payment that was not made by hand.
    fn skip_paid(&mut self) {
        while let Ok(next) = u32::try_from(self.row.next_payment)
            && self.is_paid(next)
        {
            self.row.next_payment = self.row.next_payment.saturating_add(1);
            self.row.attempts = 0;
        }
    }

    /// Notes a payment.
    pub(crate) fn pay(&mut self, paid: Paid) -> Result<(), MoneyError> {
        self.row.paid_in_won = self.row.paid_in_won.checked_add(paid.amount)?;
        self.payments.push(paid);
        self.payments.sort_by_key(|paid| paid.number);
        if self.kind == ContractKind::Savings {
            self.skip_paid();
        }
        Ok(())
    }

    fn is_paid(&self, number: u32) -> bool {
        self.payments.iter().any(|paid| paid.number == number)
    }

    /// Whether a payment was not made and cannot be made any more: the next one is due, or the
    /// contract has matured.
    fn is_missed(&self, number: u32, now: DateTime<Utc>) -> bool {
        let until = self.due_at(number.saturating_add(1));
        !self.is_paid(number) && now >= until.unwrap_or_else(|| self.matures_at())
    }

    /// The oldest payment that can be made by hand: from its anniversary until the next is due.
    pub(crate) fn payable(&self, now: DateTime<Utc>) -> Option<u32> {
        let today = day_of(now);
        if self.kind != ContractKind::Savings || !self.accepts_payments(now) {
            return None;
        }
        (0..self.agreement.payments())
            .filter(|number| self.agreement.anniversary(*number) <= today)
            .find(|number| !self.is_paid(*number) && !self.is_missed(*number, now))
    }

    pub(crate) fn accepts_payments(&self, now: DateTime<Utc>) -> bool {
        self.status == ContractStatus::Active && now < self.matures_at()
    }

    /// Won and number of the payments of the contract's current month.
    pub(crate) fn paid_this_month(&self, today: NaiveDate) -> (Won, usize) {
        let begun = self
            .agreement
            .anniversary(self.agreement.months_elapsed(today));
        let of_month = self.payments.iter().filter(|paid| paid.on >= begun);
        let sum = Won::checked_sum(of_month.clone().map(|paid| paid.amount));
        (sum.unwrap_or(Won(i64::MAX)), of_month.count())
    }

    /// What can still be paid into a free plan in its current month.
    pub(crate) fn left_this_month(&self, now: DateTime<Utc>) -> Won {
        let Some(cap) = self
            .row
            .monthly_cap_won
            .filter(|_| self.accepts_payments(now))
        else {
            return Won::ZERO;
        };
        let (paid, _) = self.paid_this_month(day_of(now));
        Won(cap.0.saturating_sub(paid.0).max(0))
    }

    /// The least that a free plan accepts.
    pub(crate) fn least(&self) -> Won {
        self.row.amount_won.min(LEAST_AMOUNT)
    }

    /// The payments made, and those to come as if each is made on its day.
    pub(crate) fn planned(&self, now: DateTime<Utc>) -> Vec<Paid> {
        let mut planned = self.payments.clone();
        if self.kind == ContractKind::Savings && self.status == ContractStatus::Active {
            let to_come = (0..self.agreement.payments())
                .filter(|number| !self.is_paid(*number) && !self.is_missed(*number, now));
            planned.extend(to_come.filter_map(|number| {
                Some(Paid {
                    number,
                    amount: self.row.amount_won,
                    on: self.agreement.due_on(number)?.max(day_of(now)),
                })
            }));
            planned.sort_by_key(|paid| paid.number);
        }
        planned
    }

    /// What the contract pays if it is closed on a day; its period is booked then.
    pub(crate) fn close_info(&self, now: DateTime<Utc>) -> Result<CloseInfo, MoneyError> {
        let today = day_of(now);
        let matured = self.agreement.at_maturity(&self.payments)?;
        let (due, period) = match self.status {
            ContractStatus::Active if today < self.row.matures_on => {
                let early = self.agreement.on_early_close(&self.payments, today)?;
                (early, Period::Close)
            }
            ContractStatus::Active => (matured, Period::Maturity),
            ContractStatus::Matured | ContractStatus::EarlyClosed => {
                let since = self.agreement.after_maturity(self.row.paid_in_won, today)?;
                (since, Period::Close)
            }
        };
        let total = self.with_booked(due)?;
        let payout = total.payout()?;
        let at_maturity = match self.status {
            ContractStatus::Active => self.agreement.at_maturity(&self.planned(now))?,
            ContractStatus::Matured | ContractStatus::EarlyClosed => total,
        };
        Ok(CloseInfo {
            total,
            payout,
            due,
            period,
            payout_at_maturity: at_maturity.payout()?,
            loss: match self.status {
                ContractStatus::Active => Won(matured.net()?.0.saturating_sub(due.net()?.0).max(0)),
                ContractStatus::Matured | ContractStatus::EarlyClosed => Won::ZERO,
            },
            interest_at_maturity: matured.interest,
        })
    }

    /// Adds what was booked before.
    fn with_booked(&self, due: Earnings) -> Result<Earnings, MoneyError> {
        let mut total = due;
        for booked in &self.interest {
            total.interest = total.interest.checked_add(booked.gross_won)?;
            total.tax = InterestTax {
                income: total.tax.income.checked_add(booked.income_tax_won)?,
                local: total.tax.local.checked_add(booked.local_tax_won)?,
            };
        }
        Ok(total)
    }

    /// Interest that was booked, before tax, and its tax.
    pub(crate) fn booked(&self) -> (Won, Won) {
        let sum =
            |of: fn(&contract_interest::Model) -> i64| Won(self.interest.iter().map(of).sum());
        (
            sum(|one| one.gross_won.0),
            sum(|one| one.income_tax_won.0.saturating_add(one.local_tax_won.0)),
        )
    }

    /// Interest before tax that is not booked yet, if it were closed now.
    pub(crate) fn accrued(&self, now: DateTime<Utc>) -> Result<Won, MoneyError> {
        if self.is_open() {
            Ok(self.close_info(now)?.due.interest)
        } else {
            Ok(Won::ZERO)
        }
    }

    /// All payments: of a free plan and of a deposit those that were made.
    pub(crate) fn scheduled(&self, now: DateTime<Utc>) -> Vec<ScheduledPayment> {
        let made = |paid: &Paid| ScheduledPayment {
            number: paid.number,
            due_on: self.agreement.due_on(paid.number).unwrap_or(paid.on),
            paid_on: Some(paid.on),
            amount: paid.amount,
            state: PaymentState::Paid,
        };
        let mut all: Vec<ScheduledPayment> = self.payments.iter().map(made).collect();
        if self.kind == ContractKind::Free {
            for one in &mut all {
                one.due_on = one.paid_on.unwrap_or(one.due_on);
            }
            return all;
        }
        let open = (0..self.agreement.payments()).filter(|number| !self.is_paid(*number));
        all.extend(open.filter_map(|number| {
            let due_on = self.agreement.due_on(number)?;
            let state = if !self.is_open() || self.is_missed(number, now) {
                PaymentState::Missed
            } else if due_on <= day_of(now) {
                PaymentState::Due
            } else {
                PaymentState::Upcoming
            };
            Some(ScheduledPayment {
                number,
                due_on,
                paid_on: None,
                amount: self.row.amount_won,
                state,
            })
        }));
        all.sort_by_key(|one| one.number);
        all
    }

    /// The end of a month of the contract: won paid in by then and earned at the agreed rate.
    pub(crate) fn month(&self, planned: &[Paid], month: u32) -> Result<(Won, Won), MoneyError> {
        let end = self.agreement.anniversary(month);
        let belongs = |paid: &&Paid| match self.kind {
            ContractKind::Free => paid.on < end,
            ContractKind::Deposit | ContractKind::Savings => paid.number < month,
        };
        let so_far: Vec<Paid> = planned.iter().filter(belongs).copied().collect();
        let paid = Won::checked_sum(so_far.iter().map(|paid| paid.amount))?;
        Ok((paid, self.agreement.interest_by_month(&so_far, month)?))
    }
}

fn parse<T: Copy>(all: &[T], name: fn(T) -> &'static str, text: &str) -> Option<T> {
    all.iter().copied().find(|one| name(*one) == text)
}
