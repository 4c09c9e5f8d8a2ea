//! Paying dividends: a few hundred accounts at a time, each once.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use kernel::{AccountId, Currency, MoneyError, Quantity, clock::KST};
use rust_decimal::Decimal;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, TransactionTrait};

use super::currency;
use crate::dividends::payout::{Payout, market_of, payout};
use crate::domain::day::yyyymmdd;
use crate::domain::market::middle_rate;
use crate::error::TradingError;
use crate::ledger::{self, Journal, JournalKind, Source};
use crate::store::Store;
use crate::store::lock::Accounts;
use crate::store::skip_locked;
use crate::store::sql;

/// Most payments of one transaction: while it lasts their accounts are locked.
const PAID_AT_ONCE: i64 = 200;
/// Only one process pays at a time; "divd" in ASCII.
const PAYING: i64 = 0x6469_7664;

#[derive(Clone, Debug, PartialEq, Eq, FromQueryResult)]
pub struct DueDividend {
    pub id: i64,
    pub instrument_code: String,
    pay_day: i32,
    amount: Decimal,
    currency: String,
}

#[derive(FromQueryResult)]
struct Unpaid {
    share_id: i64,
    account_id: AccountId,
    quantity: Decimal,
}

/// What a share is paid. `journal_id` is `None` where that rounds to nothing.
struct Payment {
    share: Unpaid,
    payout: Payout,
    journal_id: Option<i64>,
}

#[derive(Clone, Copy)]
struct PaidAt {
    /// The time of the process, not of the market.
    clock: DateTime<Utc>,
    market: DateTime<Utc>,
}

impl Store {
    /// Dividends that are due by market time and not paid to everybody.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn due_dividends(&self) -> Result<Vec<DueDividend>, TradingError> {
        let today = yyyymmdd(self.market_cache.now().with_timezone(&KST).date_naive());
        // From one dividend to the next by the index of what is not paid, however many accounts
        // each of them has.
        let due = sql(
            "with recursive unpaid as ( \
                (select dividend_id as id from dividend_share where paid_at is null \
                 order by dividend_id limit 1) \
             union all \
                select (select s.dividend_id from dividend_share s \
                    where s.paid_at is null and s.dividend_id > u.id \
                    order by s.dividend_id limit 1) \
                from unpaid u where u.id is not null) \
             select d.id, d.instrument_code, d.pay_day, d.amount, d.currency \
             from unpaid join dividend d using (id) where d.pay_day <= $1 order by d.id",
            [today.into()],
        );
        Ok(DueDividend::find_by_statement(due).all(&self.db).await?)
    }

    /// Pays a dividend to the next few hundred accounts that nobody else has locked; answers how
    /// many. Zero when there are none, no exchange rate is known, or another process pays.
    ///
    /// # Errors
    /// [`TradingError`]: nothing was paid. What cannot be computed fails only when everybody else
    /// is paid.
    pub async fn pay_dividend(&self, due: &DueDividend) -> Result<usize, TradingError> {
        let currency = currency(&due.currency)?;
        let quote = self.market_cache.quote(&due.instrument_code);
        let fx_rate = quote
            .and_then(|quote| quote.fx_rate)
            .filter(|_| currency == Currency::Usd);
        let Some(middle) = middle_rate(currency, fx_rate) else {
            return Ok(0);
        };
        let rates = self.costs.on(market_of(currency), due.pay_day);
        let earned = |quantity| payout(Quantity(quantity), due.amount, currency, middle, &rates);
        let transaction = self.db.begin().await?;
        let mine = sql(
            "select pg_try_advisory_xact_lock($1) as mine",
            [PAYING.into()],
        );
        let row = transaction.query_one_raw(mine).await?;
        if !row.map_or(Ok(false), |row| row.try_get("", "mine"))? {
            return Ok(0);
        }
        let at = PaidAt {
            clock: self.clock.now(),
            market: self.market_cache.now(),
        };
        let payments = next_payments(&transaction, due.id, at, earned).await?;
        if payments.is_empty() {
            // Some may have lapsed.
            transaction.commit().await?;
            return Ok(0);
        }
        ledger::post(&transaction, &journals(&payments, at.clock), &[]).await?;
        note_payments(&transaction, &payments, fx_rate, at).await?;
        transaction.commit().await?;
        Ok(payments.len())
    }
}

fn journals(payments: &[Payment], paid_at: DateTime<Utc>) -> Vec<Journal> {
    let journals = payments.iter().filter_map(|payment| {
        Some(Journal {
            id: payment.journal_id?,
            kind: JournalKind::DividendPaid,
            source: Source::DividendShare(payment.share.share_id),
            occurred_at: paid_at,
            postings: payment.payout.postings(payment.share.account_id),
        })
    });
    journals.collect()
}

/// Notes on the shares what they were paid. One that is paid already makes it fail.
async fn note_payments(
    transaction: &DatabaseTransaction,
    payments: &[Payment],
    fx_rate: Option<Decimal>,
    at: PaidAt,
) -> Result<(), DbErr> {
    let column = |of: fn(&Payment) -> i64| payments.iter().map(of).collect::<Vec<i64>>();
    let note = sql(
        "update dividend_share s set paid_at = $1, fx_rate = $2, gross_won = p.gross_won, \
         tax_won = p.tax_won, base_won = p.base_won, journal_id = nullif(p.journal_id, 0), \
         settled_at = $8 \
         from unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[]) \
            as p(share_id, gross_won, tax_won, base_won, journal_id) \
         where s.id = p.share_id and s.paid_at is null",
        [
            at.clock.into(),
            fx_rate.into(),
            column(|one| one.share.share_id).into(),
            column(|one| one.payout.gross.0).into(),
            column(|one| one.payout.tax.0).into(),
            column(|one| one.payout.base.0).into(),
            column(|one| one.journal_id.unwrap_or(0)).into(),
            at.market.into(),
        ],
    );
    let noted = transaction.execute_raw(note).await?.rows_affected();
    if usize::try_from(noted) == Ok(payments.len()) {
        Ok(())
    } else {
        Err(DbErr::Custom("a dividend would be paid twice".to_owned()))
    }
}

/// The first payments of a dividend that can be computed and whose accounts are free, which are
/// locked then.
async fn next_payments(
    transaction: &DatabaseTransaction,
    dividend: i64,
    at: PaidAt,
    earned: impl Fn(Decimal) -> Result<Payout, MoneyError>,
) -> Result<Vec<Payment>, DbErr> {
    let mut after = AccountId(i64::MIN);
    let mut impossible = None;
    loop {
        let unpaid = sql(
            "select id as share_id, account_id, quantity from dividend_share \
             where paid_at is null and dividend_id = $1 and account_id > $2 \
             order by account_id limit $3",
            [dividend.into(), after.into(), PAID_AT_ONCE.into()],
        );
        let unpaid = Unpaid::find_by_statement(unpaid).all(transaction).await?;
        let Some(last) = unpaid.last() else {
            return match impossible {
                Some(error) => Err(error),
                None => Ok(Vec::new()),
            };
        };
        after = last.account_id;
        let accounts: BTreeSet<AccountId> = unpaid.iter().map(|one| one.account_id).collect();
        let free = skip_locked::accounts(transaction, &accounts).await?;
        let ended = lapse_what_has_ended(transaction, dividend, &free, at).await?;
        let mut payouts = Vec::new();
        for share in unpaid {
            let locked = free.contains_key(&share.account_id);
            match earned(share.quantity) {
                _ if ended.contains(&share.share_id) => {}
                Ok(paid) if locked => payouts.push((share, paid)),
                Ok(_) => {}
                Err(error) => {
                    let share = share.share_id;
                    let error = format!("dividend share {share}: {error}");
                    impossible = Some(DbErr::Custom(error));
                }
            }
        }
        if !payouts.is_empty() {
            return numbered(transaction, payouts).await;
        }
    }
}

/// Shares of locked accounts that are not to be paid: those whose season or competition has ended since
/// they were read, and those noted while it ended, which lapse now. A competition is over at its end by
/// market time, however much later its accounts are closed. A reset ends no competition.
async fn lapse_what_has_ended(
    transaction: &DatabaseTransaction,
    dividend: i64,
    locked: &Accounts,
    at: PaidAt,
) -> Result<BTreeSet<i64>, DbErr> {
    let accounts: Vec<i64> = locked.keys().map(|id| id.0).collect();
    let lapse = sql(
        "update dividend_share s set paid_at = $3, lapsed = true, settled_at = $4 \
         where s.dividend_id = $1 and s.account_id = any($2) and s.paid_at is null \
            and case when exists (select from competition_entry where account_id = s.account_id) \
                then exists (select from competition_entry e \
                    join competition c on c.id = e.competition_id \
                    where e.account_id = s.account_id and (e.last_journal is not null \
                        or c.is_canceled or c.closing_at is not null or c.ends_at <= $4)) \
                else exists (select from past_season p where p.member_id = s.member_id \
                    and p.season = s.season) end",
        [
            dividend.into(),
            accounts.clone().into(),
            at.clock.into(),
            at.market.into(),
        ],
    );
    transaction.execute_raw(lapse).await?;
    let read = sql(
        "select id from dividend_share \
         where dividend_id = $1 and account_id = any($2) and paid_at is not null",
        [dividend.into(), accounts.into()],
    );
    let rows = transaction.query_all_raw(read).await?;
    rows.iter().map(|row| row.try_get("", "id")).collect()
}

/// Gives a journal to each payment; what rounds to nothing is paid without one.
async fn numbered(
    transaction: &DatabaseTransaction,
    payouts: Vec<(Unpaid, Payout)>,
) -> Result<Vec<Payment>, DbErr> {
    let is_booked = |payout: &Payout| payout.base.0 > 0;
    let booked = payouts.iter().filter(|(_, paid)| is_booked(paid)).count();
    let mut journals = ledger::draw_ids(transaction, booked).await?.into_iter();
    let payments = payouts.into_iter().map(|(share, payout)| Payment {
        share,
        payout,
        journal_id: if is_booked(&payout) {
            journals.next()
        } else {
            None
        },
    });
    Ok(payments.collect())
}
