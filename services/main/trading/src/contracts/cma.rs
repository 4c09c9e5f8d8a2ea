//! Interest of CMA accounts: every KST day of market time earns on the balance at its end, and is
//! paid at 00:05 of the next. An account is paid its days in order, also after an outage.

use std::collections::BTreeSet;

use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc};
use kernel::{AccountId, Won};
use market_rules::contract::{Earnings, cma_interest};
use rust_decimal::Decimal;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, TransactionTrait};

use super::close::interest_postings;
use super::open::out_of_range;
use super::{PartOf, at, day_of};
use crate::entity::account;
use crate::error::TradingError;
use crate::ledger::{self, FIRST_SEASON, Journal, JournalKind, Source};
use crate::orders::skip_locked;
use crate::store::once;
use crate::store::{Store, sql};

/// One process at a time pays; "cmai" in ASCII.
const PAYING: i64 = 0x636d_6169;
/// Most accounts of one transaction, and days of an account in it.
const ACCOUNTS: i64 = 200;
const DAYS: usize = 31;
/// Two clocks that differ by less tell the same time.
const SAME_TIME: TimeDelta = TimeDelta::minutes(1);

#[derive(FromQueryResult)]
struct CmaAccount {
    id: AccountId,
    opened_at: DateTime<Utc>,
    newest: Option<NaiveDate>,
}

#[derive(FromQueryResult)]
struct Rate {
    effective_on: NaiveDate,
    rate: Decimal,
}

/// A day of an account.
struct PaidDay {
    account: AccountId,
    day: NaiveDate,
    ended_at: DateTime<Utc>,
    earned: Earnings,
    journal_id: i64,
}

impl Store {
    /// Pays the days that have ended to the next accounts after `after`. Answers the last account
    /// looked at, `None` at the end; and whether all were free and are paid.
    ///
    /// # Errors
    /// [`TradingError`]: nothing was paid.
    pub async fn pay_cma_interest(
        &self,
        after: AccountId,
    ) -> Result<(Option<AccountId>, bool), TradingError> {
        let transaction = self.db.begin().await?;
        let paid = self.pay_cma_in(&transaction, after).await;
        once::end(transaction, paid).await
    }

    /// The newest day that is to be paid; `None` before the log is known.
    #[must_use]
    pub fn newest_cma_day(&self) -> Option<NaiveDate> {
        let now = self.contract_time().ok()?;
        let today = day_of(now);
        let paid_at = at(today, 0, 5);
        let days = if now >= paid_at { 1 } else { 2 };
        today.checked_sub_days(Days::new(days))
    }

    async fn pay_cma_in(
        &self,
        transaction: &DatabaseTransaction,
        after: AccountId,
    ) -> Result<(Option<AccountId>, bool), TradingError> {
        let Some(newest) = self.newest_cma_day() else {
            return Ok((None, false));
        };
        let mine = sql(
            "select pg_try_advisory_xact_lock($1) as mine",
            [PAYING.into()],
        );
        let row = transaction.query_one_raw(mine).await?;
        if !row.map_or(Ok(false), |row| row.try_get("", "mine"))? {
            return Ok((None, false));
        }
        let next = sql(
            "select a.id, a.opened_at, i.day as newest from account a \
             left join lateral (select day from cma_interest where account_id = a.id \
                order by day desc limit 1) i on true \
             where a.code = '05' and a.closed_at is null and a.id > $1 order by a.id limit $2",
            [after.into(), ACCOUNTS.into()],
        );
        let accounts = CmaAccount::find_by_statement(next).all(transaction).await?;
        let last = accounts.last().map(|one| one.id);
        let due: Vec<(AccountId, NaiveDate)> = accounts
            .iter()
            .map(|one| (one.id, self.next_day(one)))
            .filter(|(_, day)| *day <= newest)
            .collect();
        let ids: BTreeSet<AccountId> = due.iter().map(|(id, _)| *id).collect();
        let free = skip_locked::accounts(transaction, &ids).await?;
        let rates = sql(
            "select effective_on, rate from cma_rate order by effective_on",
            [],
        );
        let rates = Rate::find_by_statement(rates).all(transaction).await?;
        let mut is_complete = free.len() == ids.len();
        for (account, first) in due {
            // One that was closed since it was read earns nothing.
            let is_open = |locked: &account::WithWon| locked.account.closed_at.is_none();
            if free.get(&account).is_some_and(is_open) {
                let paid = self.pay_days(transaction, account, first, newest, &rates);
                is_complete &= paid.await?;
            }
        }
        Ok((last, is_complete))
    }

    /// The day after the newest paid one, or the day of the opening.
    fn next_day(&self, account: &CmaAccount) -> NaiveDate {
        match account.newest.and_then(|day| day.succ_opt()) {
            Some(next) => next,
            None => day_of(account.opened_at - self.clock_offset()),
        }
    }

    /// By how much the machine's time is ahead of market time, which a replay moves.
    fn clock_offset(&self) -> TimeDelta {
        let offset = self.clock.now() - self.market_cache.now();
        if offset.abs() < SAME_TIME {
            TimeDelta::zero()
        } else {
            offset
        }
    }

    /// Pays an account its days in order; answers whether `newest` is among them.
    async fn pay_days(
        &self,
        transaction: &DatabaseTransaction,
        account: AccountId,
        first: NaiveDate,
        newest: NaiveDate,
        rates: &[Rate],
    ) -> Result<bool, TradingError> {
        let days: Vec<NaiveDate> = first
            .iter_days()
            .take_while(|day| *day <= newest)
            .take(DAYS)
            .collect();
        let ids = ledger::draw_ids(transaction, days.len()).await?;
        for (day, journal_id) in days.iter().zip(ids) {
            let next = day.succ_opt().unwrap_or(*day);
            let ended_at = at(next, 0, 0) + self.clock_offset();
            let rate = rates.iter().rev().find(|rate| rate.effective_on <= *day);
            let balance = balance_at(transaction, account, ended_at).await?;
            let percent = rate.map_or(Decimal::ZERO, |rate| rate.rate);
            let paid = PaidDay {
                account,
                day: *day,
                ended_at,
                earned: cma_interest(balance, percent).map_err(out_of_range)?,
                journal_id,
            };
            paid.write(transaction).await?;
        }
        Ok(days.last() == Some(&newest))
    }
}

/// What an account held at an instant.
async fn balance_at(
    transaction: &DatabaseTransaction,
    account: AccountId,
    instant: DateTime<Utc>,
) -> Result<Won, DbErr> {
    let balance = sql(
        "select coalesce(sum(e.amount), 0)::bigint as won from entry e \
         join journal j on j.id = e.journal_id \
         where e.account_id = $1 and e.asset = 'KRW' and j.occurred_at < $2",
        [account.into(), instant.into()],
    );
    let row = transaction.query_one_raw(balance).await?;
    row.map_or(Ok(Won::ZERO), |row| row.try_get("", "won"))
}

impl PaidDay {
    async fn write(&self, transaction: &DatabaseTransaction) -> Result<(), TradingError> {
        let journal = Journal {
            id: self.journal_id,
            kind: JournalKind::CmaInterest,
            source: Source::CmaDay(PartOf(self.account, self.day)),
            season: FIRST_SEASON,
            occurred_at: self.ended_at + TimeDelta::minutes(5),
            postings: interest_postings(self.account, &self.earned)?,
        };
        ledger::post(transaction, &[journal], &[]).await?;
        let earned = &self.earned;
        let insert = sql(
            "insert into cma_interest (account_id, day, ended_at, balance_won, rate, gross_won, \
                income_tax_won, local_tax_won, journal_id) \
             values ($1, $2, $3, $4, $5, $6, $7, $8, nullif($9, 0))",
            [
                self.account.into(),
                self.day.into(),
                self.ended_at.into(),
                earned.principal.into(),
                earned.percent.into(),
                earned.interest.into(),
                earned.tax.income.into(),
                earned.tax.local.into(),
                (if earned.interest > Won::ZERO {
                    self.journal_id
                } else {
                    0
                })
                .into(),
            ],
        );
        transaction.execute_raw(insert).await?;
        Ok(())
    }
}
