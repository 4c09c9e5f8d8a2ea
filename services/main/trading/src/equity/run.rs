//! The day that is to be closed, with its prices.

use chrono::{DateTime, Days, NaiveDate, Utc};
use rust_decimal::Decimal;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, TransactionTrait};

use crate::audit::Settled;
use crate::contracts::midnight;
use crate::domain::day::yyyymmdd;
use crate::error::TradingError;
use crate::store::{Store, once, sql};

/// One process at a time closes days; "equi" in ASCII.
const CLOSING: i64 = 0x6571_7569;
/// Days further back are passed over after an outage, and when a replay jumps.
const MOST_DAYS_BEHIND: u64 = 31;

/// The last prices of a day.
#[derive(Clone, Debug, Default)]
pub(super) struct DayPrices {
    pub(super) prices: Vec<(String, Decimal)>,
    pub(super) dollar_won: Option<Decimal>,
}

/// A day whose accounts are being valued.
#[derive(Clone, Debug, FromQueryResult)]
pub(super) struct Run {
    pub(super) day: NaiveDate,
    /// The day that was closed last; `None` if none was.
    pub(super) day_before: Option<NaiveDate>,
    pub(super) market_ended_at: DateTime<Utc>,
    pub(super) ended_at: DateTime<Utc>,
    pub(super) day_journal: Option<i64>,
    pub(super) last_journal: i64,
    pub(super) last_fill: i64,
    pub(super) dollar_won: Option<Decimal>,
    pub(super) through_account: i64,
}

#[derive(FromQueryResult)]
struct Newest {
    day: NaiveDate,
    is_finished: bool,
    next_journal: i64,
    next_fill: i64,
}

impl Store {
    /// The first day before `today` that is not closed, and whether it is begun.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub(super) async fn next_equity_day(
        &self,
        today: NaiveDate,
    ) -> Result<Option<(NaiveDate, bool)>, TradingError> {
        let Some(yesterday) = today.pred_opt() else {
            return Ok(None);
        };
        Ok(match newest(&self.db).await? {
            None => Some((yesterday, false)),
            Some(newest) if !newest.is_finished => Some((newest.day, true)),
            Some(newest) => {
                let oldest = today.checked_sub_days(Days::new(MOST_DAYS_BEHIND));
                let next = newest.day.succ_opt().max(oldest);
                next.filter(|day| *day < today).map(|day| (day, false))
            }
        })
    }

    /// Begins to close a day. `settled` was read when market time had come to `today`. A day that
    /// another process has begun stays as it is.
    ///
    /// # Errors
    /// [`TradingError`] of the database: nothing was begun.
    pub(super) async fn begin_equity_day(
        &self,
        (day, today): (NaiveDate, NaiveDate),
        settled: Settled,
        prices: &DayPrices,
    ) -> Result<(), TradingError> {
        let transaction = self.db.begin().await?;
        let begun = self.begin_in(&transaction, (day, today), settled, prices);
        let begun = begun.await;
        once::end(transaction, begun).await
    }

    async fn begin_in(
        &self,
        transaction: &DatabaseTransaction,
        (day, today): (NaiveDate, NaiveDate),
        settled: Settled,
        prices: &DayPrices,
    ) -> Result<(), TradingError> {
        if !is_mine(transaction).await? {
            return Ok(());
        }
        let before = newest(transaction).await?;
        if before.as_ref().is_some_and(|before| before.day >= day) {
            return Ok(());
        }
        let is_yesterday = day.succ_opt() == Some(today);
        let now = (settled.journals, settled.fills);
        // Nobody has looked before: this day is only where the next one begins.
        let is_first = before.is_none();
        let last = before.map_or(now, |before| (before.next_journal, before.next_fill));
        // What is settled at the beginning of a day occurred before its end. Of an older day, things
        // after its end are settled, too.
        let next = if is_yesterday { now } else { last };
        let market_ended_at = midnight(day.succ_opt().unwrap_or(day));
        let insert = sql(
            "insert into equity_run (day, market_ended_at, ended_at, last_journal, last_fill, \
                next_journal, next_fill, dollar_won, day_journal, finished_at) \
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            [
                day.into(),
                market_ended_at.into(),
                (market_ended_at + self.clock_offset()).into(),
                last.0.into(),
                last.1.into(),
                next.0.into(),
                next.1.into(),
                prices.dollar_won.into(),
                is_yesterday.then_some(settled.journals).into(),
                is_first.then(|| self.clock.now()).into(),
            ],
        );
        transaction.execute_raw(insert).await?;
        let codes: Vec<String> = prices.prices.iter().map(|(code, _)| code.clone()).collect();
        let values: Vec<Decimal> = prices.prices.iter().map(|(_, price)| *price).collect();
        let insert = sql(
            "insert into equity_price (day, instrument_code, price) \
             select $1, * from unnest($2::text[], $3::numeric[])",
            [day.into(), codes.into(), values.into()],
        );
        transaction.execute_raw(insert).await?;
        // What market-data has no more keeps its last price, in the shares of the day. Up, so that as many new
        // shares are not worth a won less than the old ones were.
        let keep = sql(
            "insert into equity_price (day, instrument_code, price) \
             select $1, p.instrument_code, case when s.ratio = 1 then p.price \
                else ceil(p.price * 100000000 / s.ratio) / 100000000 end \
             from equity_price p cross join lateral (select coalesce(round(exp(sum( \
                    ln(x.numerator::numeric / x.denominator))), 12), 1) as ratio \
                from share_split x where x.instrument_code = p.instrument_code \
                    and x.trading_day > to_char(p.day, 'YYYYMMDD')::integer \
                    and x.trading_day <= $2) s \
             where p.day = (select max(day) from equity_run where day < $1) on conflict do nothing",
            [day.into(), yyyymmdd(day).into()],
        );
        transaction.execute_raw(keep).await?;
        Ok(())
    }
}

/// The begun day, locked; `None` while another process closes it, or when it is closed.
pub(super) async fn lock(
    transaction: &DatabaseTransaction,
    day: NaiveDate,
) -> Result<Option<Run>, DbErr> {
    if !is_mine(transaction).await? {
        return Ok(None);
    }
    let read = sql(
        "select day, (select max(day) from equity_run where day < $1) as day_before, \
            market_ended_at, ended_at, day_journal, last_journal, last_fill, dollar_won, \
            through_account \
         from equity_run where day = $1 and finished_at is null for update",
        [day.into()],
    );
    Run::find_by_statement(read).one(transaction).await
}

async fn is_mine(transaction: &DatabaseTransaction) -> Result<bool, DbErr> {
    let mine = sql(
        "select pg_try_advisory_xact_lock($1) as mine",
        [CLOSING.into()],
    );
    let row = transaction.query_one_raw(mine).await?;
    row.map_or(Ok(false), |row| row.try_get("", "mine"))
}

async fn newest(connection: &impl ConnectionTrait) -> Result<Option<Newest>, DbErr> {
    let read = sql(
        "select day, finished_at is not null as is_finished, next_journal, next_fill \
         from equity_run order by day desc limit 1",
        [],
    );
    Newest::find_by_statement(read).one(connection).await
}
