//! Interest of CMA accounts: every KST day of market time earns on the balance at its end, and is
//! paid at 00:05 of the next. An account is paid its days in order, also after an outage.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc};
use kernel::{AccountId, Won};
use market_rules::contract::{Earnings, cma_interest};
use rust_decimal::Decimal;
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, QueryResult, TransactionTrait,
};

use super::close::interest_postings;
use super::open::out_of_range;
use super::{PartOf, at, day_of};
use crate::error::TradingError;
use crate::ledger::{self, Journal, JournalKind, Source};
use crate::store::once;
use crate::store::skip_locked;
use crate::store::{Store, numbers, sql};

/// One process at a time pays; "cmai" in ASCII.
const PAYING: i64 = 0x636d_6169;
/// Most accounts of one transaction, and days of an account in it.
pub(super) const ACCOUNTS: usize = 200;
const DAYS: usize = 31;
/// Market time lags behind the machine's after an outage, for minutes or hours; a replay is years away.
const LONGEST_LAG: TimeDelta = TimeDelta::days(30);
/// What was settled when market time had come to a day came earlier than this long after it, however far
/// the log lagged behind the machine.
pub(crate) const SETTLED_BEFORE: Days = Days::new(31);

#[derive(FromQueryResult)]
struct CmaAccount {
    id: AccountId,
    opened_at: DateTime<Utc>,
    newest: Option<NaiveDate>,
}

/// A day of an account.
struct PaidDay {
    account: AccountId,
    earned: Earnings,
    journal_id: i64,
}

impl Store {
    /// Open accounts after `after`, by id; none at the end.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn cma_accounts(&self, after: AccountId) -> Result<Vec<AccountId>, TradingError> {
        let next = sql(
            "select id from account where code = '05' and closed_at is null and id > $1 \
             order by id limit $2",
            [
                after.into(),
                i64::try_from(ACCOUNTS).unwrap_or(i64::MAX).into(),
            ],
        );
        let rows = self.db.query_all_raw(next).await?;
        let ids = rows.iter().map(|row| row.try_get("", "id"));
        Ok(ids.collect::<Result<_, DbErr>>()?)
    }

    /// Pays these accounts their days through `newest`. Answers which of them have days left, because
    /// they are locked or have too many; `None` while another process pays.
    ///
    /// # Errors
    /// [`TradingError`]: nothing was paid.
    pub async fn pay_cma_interest(
        &self,
        accounts: &[AccountId],
        newest: NaiveDate,
    ) -> Result<Option<Vec<AccountId>>, TradingError> {
        let transaction = self.db.begin().await?;
        let paid = self.pay_cma_in(&transaction, accounts, newest).await;
        once::end(transaction, paid).await
    }

    /// The newest day that is to be paid; `None` before the log is known.
    #[must_use]
    pub fn newest_cma_day(&self) -> Option<NaiveDate> {
        let now = self.market_time().ok()?;
        let today = day_of(now);
        let paid_at = at(today, 0, 5);
        let days = if now >= paid_at { 1 } else { 2 };
        today.checked_sub_days(Days::new(days))
    }

    /// Whether a day of a CMA has ended that is not paid yet.
    ///
    /// # Errors
    /// [`TradingError`] before the log is known, or of the database.
    pub(crate) async fn has_unpaid_days(
        &self,
        connection: &impl ConnectionTrait,
        account: AccountId,
    ) -> Result<bool, TradingError> {
        let today = day_of(self.market_time()?);
        let offset = self.clock_offset();
        let found = progress(connection, &[account]).await?;
        Ok(found.iter().any(|one| next_day(one, offset) < today))
    }

    async fn pay_cma_in(
        &self,
        transaction: &DatabaseTransaction,
        accounts: &[AccountId],
        newest: NaiveDate,
    ) -> Result<Option<Vec<AccountId>>, TradingError> {
        let mine = sql(
            "select pg_try_advisory_xact_lock($1) as mine",
            [PAYING.into()],
        );
        let row = transaction.query_one_raw(mine).await?;
        if !row.map_or(Ok(false), |row| row.try_get("", "mine"))? {
            return Ok(None);
        }
        let offset = self.clock_offset();
        let due: BTreeMap<AccountId, NaiveDate> = progress(transaction, accounts)
            .await?
            .iter()
            .map(|one| (one.id, next_day(one, offset)))
            .filter(|(_, day)| *day <= newest)
            .collect();
        let ids: BTreeSet<AccountId> = due.keys().copied().collect();
        let free = skip_locked::accounts(transaction, &ids).await?;
        let mut left = Vec::new();
        let mut days: BTreeMap<NaiveDate, Vec<AccountId>> = BTreeMap::new();
        for (account, first) in due {
            match free.get(&account) {
                None => left.push(account),
                // One that was closed since it was read earns nothing.
                Some(locked) if locked.account.closed_at.is_some() => {}
                Some(_) => {
                    let mut due = first.iter_days().take_while(|day| *day <= newest);
                    for day in due.by_ref().take(DAYS) {
                        days.entry(day).or_default().push(account);
                    }
                    left.extend(due.next().map(|_more| account));
                }
            }
        }
        // One day after the other: what a day earns is in the balance of the next.
        for (day, accounts) in days {
            pay_day(transaction, day, &accounts, offset).await?;
        }
        Ok(Some(left))
    }

    /// By how much the days of a replay are behind those of the machine, by whose time members move
    /// money.
    pub(crate) fn clock_offset(&self) -> TimeDelta {
        let offset = self.clock.now() - self.market_cache.now();
        if offset.abs() < LONGEST_LAG {
            TimeDelta::zero()
        } else {
            offset
        }
    }
}

/// How far accounts are paid.
async fn progress(
    connection: &impl ConnectionTrait,
    accounts: &[AccountId],
) -> Result<Vec<CmaAccount>, DbErr> {
    let read = sql(
        "select a.id, a.opened_at, i.day as newest from account a \
         left join lateral (select day from cma_interest where account_id = a.id \
            order by day desc limit 1) i on true \
         where a.id = any($1) and a.code = '05' and a.closed_at is null",
        [numbers(accounts).into()],
    );
    CmaAccount::find_by_statement(read).all(connection).await
}

/// The day after the newest paid one, or the day of the opening.
fn next_day(account: &CmaAccount, offset: TimeDelta) -> NaiveDate {
    match account.newest.and_then(|day| day.succ_opt()) {
        Some(next) => next,
        None => day_of(account.opened_at - offset),
    }
}

/// Pays accounts a day.
async fn pay_day(
    transaction: &DatabaseTransaction,
    day: NaiveDate,
    accounts: &[AccountId],
    offset: TimeDelta,
) -> Result<(), TradingError> {
    let ended_at = at(day.succ_opt().unwrap_or(day), 0, 0) + offset;
    let percent = rate_on(transaction, day).await?;
    let balances = balances_at(transaction, accounts, (day, ended_at)).await?;
    let ids = ledger::draw_ids(transaction, accounts.len()).await?;
    let mut paid = Vec::with_capacity(accounts.len());
    for (account, journal_id) in accounts.iter().zip(ids) {
        // Won that were moved in and out again around midnight may count as moved out alone, where
        // the clocks of two processes differ.
        let balance = balances.get(account).copied().unwrap_or_default();
        paid.push(PaidDay {
            account: *account,
            earned: cma_interest(balance.max(Won::ZERO), percent).map_err(out_of_range)?,
            journal_id,
        });
    }
    let journals = paid.iter().map(|one| one.journal(day, ended_at));
    let journals: Vec<Journal> = journals.collect::<Result<_, _>>()?;
    ledger::post(transaction, &journals, &[]).await?;
    Ok(write(transaction, day, ended_at, &paid).await?)
}

/// Percent a year that a day earns.
async fn rate_on(transaction: &DatabaseTransaction, day: NaiveDate) -> Result<Decimal, DbErr> {
    let newest = sql(
        "select rate from cma_rate where effective_on <= $1 order by effective_on desc limit 1",
        [day.into()],
    );
    let row = transaction.query_one_raw(newest).await?;
    row.map_or(Ok(Decimal::ZERO), |row| row.try_get("", "rate"))
}

/// What locked accounts held at the end of a day: what they hold now, less what came later. Of their
/// history only the last weeks are read: what was settled when market time had come to a day long before
/// came earlier, however far that lagged behind.
async fn balances_at(
    transaction: &DatabaseTransaction,
    accounts: &[AccountId],
    (day, ended_at): (NaiveDate, DateTime<Utc>),
) -> Result<BTreeMap<AccountId, Won>, DbErr> {
    let balances = sql(
        "with settled as materialized (select coalesce((select next_journal from equity_run \
            where day < $3 order by day desc limit 1), 0) as through) \
         select b.account_id, (b.amount - later.won)::bigint as won \
         from balance b cross join lateral ( \
            select coalesce(sum(e.amount), 0) as won from entry e \
            join journal j on j.id = e.journal_id and j.occurred_at >= $2 \
            where e.account_id = b.account_id and e.asset = 'KRW' \
               and e.journal_id > (select through from settled)) later \
         where b.account_id = any($1) and b.asset = 'KRW'",
        [
            numbers(accounts).into(),
            ended_at.into(),
            day.checked_sub_days(SETTLED_BEFORE).into(),
        ],
    );
    let rows = transaction.query_all_raw(balances).await?;
    let balance = |row: &QueryResult| {
        let account = row.try_get("", "account_id")?;
        Ok((account, row.try_get("", "won")?))
    };
    rows.iter().map(balance).collect()
}

impl PaidDay {
    fn journal(&self, day: NaiveDate, ended_at: DateTime<Utc>) -> Result<Journal, TradingError> {
        Ok(Journal {
            id: self.journal_id,
            kind: JournalKind::CmaInterest,
            source: Source::CmaDay(PartOf(self.account, day)),
            occurred_at: ended_at + TimeDelta::minutes(5),
            postings: interest_postings(self.account, &self.earned)?,
        })
    }
}

async fn write(
    transaction: &DatabaseTransaction,
    day: NaiveDate,
    ended_at: DateTime<Utc>,
    paid: &[PaidDay],
) -> Result<(), DbErr> {
    let column = |of: fn(&PaidDay) -> i64| -> Vec<i64> { paid.iter().map(of).collect() };
    let percents: Vec<Decimal> = paid.iter().map(|one| one.earned.percent).collect();
    let insert = sql(
        "insert into cma_interest (account_id, day, ended_at, balance_won, rate, gross_won, \
            income_tax_won, local_tax_won, journal_id, last_journal) \
         select account_id, $1, $2, balance, rate, gross, income, local, \
            case when gross > 0 then journal end, journal \
         from unnest($3::bigint[], $4::bigint[], $5::numeric[], $6::bigint[], $7::bigint[], \
            $8::bigint[], $9::bigint[]) \
            as d(account_id, balance, rate, gross, income, local, journal)",
        [
            day.into(),
            ended_at.into(),
            column(|one| one.account.0).into(),
            column(|one| one.earned.principal.0).into(),
            percents.into(),
            column(|one| one.earned.interest.0).into(),
            column(|one| one.earned.tax.income.0).into(),
            column(|one| one.earned.tax.local.0).into(),
            column(|one| one.journal_id).into(),
        ],
    );
    transaction.execute_raw(insert).await?;
    Ok(())
}
