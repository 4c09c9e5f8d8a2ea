//! The log offset of the candle reader, stored in one transaction with its candles.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use messaging::ticks::LogOffset;
use prost::Message;
use proto::market::v1::{Snapshot, Tick};
use rust_decimal::{Decimal, prelude::ToPrimitive};
use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use sqlx::{PgConnection, PgPool, Postgres};

use crate::quotes::LogProgress;

use super::book::{CandleRow, Changes};
use super::split::SplitRow;
use super::{copy, dividend, split};

/// Name of the reader in `tick_reader`.
const CONSUMER: &str = "candles";
const STALE_WRITER: &str = "another process has written candles of a later offset of the tick log";
const ROWS_PER_STATEMENT: usize = 5_000;

/// The state at the last write.
#[derive(Clone, Debug)]
pub struct StoredState {
    pub progress: LogProgress,
    /// Venues, bases and halts.
    pub sessions: Snapshot,
    /// One per instrument.
    pub ticks: Vec<Tick>,
    /// One per instrument.
    pub minutes: Vec<CandleRow>,
    pub splits: Vec<SplitRow>,
}

type ReaderColumns = (i64, i64, i64, i64, i64, Vec<u8>);
type MinuteColumns = (
    String,
    DateTime<Utc>,
    i32,
    Decimal,
    Decimal,
    Decimal,
    Decimal,
    Decimal,
    Option<i64>,
);

/// `None` before the first write.
///
/// # Errors
/// [`sqlx::Error`] of the database, or when a stored message cannot be decoded.
pub async fn load(pool: &PgPool) -> Result<Option<StoredState>, sqlx::Error> {
    let row: Option<ReaderColumns> = sqlx::query_as(
        "select epoch, next_offset, batch_seq, session_seq, market_time_us, sessions
         from tick_reader where consumer = $1",
    )
    .bind(CONSUMER)
    .fetch_optional(pool)
    .await?;
    let Some((epoch, next_offset, batch_seq, session_seq, market_time_us, sessions)) = row else {
        return Ok(None);
    };
    let encoded: Vec<(Vec<u8>,)> = sqlx::query_as("select tick from newest_tick")
        .fetch_all(pool)
        .await?;
    let ticks: Vec<Tick> = encoded
        .iter()
        .map(|(tick,)| Tick::decode(tick.as_slice()).map_err(undecodable))
        .collect::<Result<_, _>>()?;
    let minutes: Vec<MinuteColumns> = sqlx::query_as(
        "select m.code, m.start_at, m.trading_day, m.open, m.high, m.low, m.close, m.volume,
            m.close_seq
         from newest_tick t
         cross join lateral (
             select * from candle_minute m where m.code = t.code order by m.start_at desc limit 1
         ) m",
    )
    .fetch_all(pool)
    .await?;
    let minutes = minutes.into_iter().filter_map(|row| minute(row, &ticks));
    Ok(Some(StoredState {
        progress: LogProgress {
            offset: LogOffset {
                epoch,
                next: next_offset.try_into().unwrap_or(0),
            },
            batch_seq,
            session_seq,
            market_time_us,
        },
        sessions: Snapshot::decode(sessions.as_slice()).map_err(undecodable)?,
        minutes: minutes.collect(),
        splits: split::all(pool).await?,
        ticks,
    }))
}

/// The start of the newest stored minute per instrument.
pub type NewestMinutes = HashMap<Arc<str>, i64>;

/// Writes candles, newest ticks and the log offset in one transaction. Minutes after those in
/// `stored` are new and are copied in, which takes a third less time than an upsert.
///
/// # Errors
/// [`sqlx::Error`] of the database: nothing was written.
pub async fn save(
    pool: &PgPool,
    changes: &Changes,
    stored: &NewestMinutes,
    ticks: &[Tick],
    progress: LogProgress,
    sessions: &Snapshot,
) -> Result<(), sqlx::Error> {
    let is_new = |row: &CandleRow| {
        stored
            .get(&row.code)
            .is_none_or(|newest| row.start_us > *newest)
    };
    let saved = save_all(pool, changes, is_new, ticks, progress, sessions).await;
    match saved {
        // Another writer has inserted minutes, for example to fill a gap.
        Err(sqlx::Error::Database(error)) if error.is_unique_violation() => {
            save_all(pool, changes, |_row| false, ticks, progress, sessions).await
        }
        saved => saved,
    }
}

async fn save_all(
    pool: &PgPool,
    changes: &Changes,
    is_new: impl Fn(&CandleRow) -> bool,
    ticks: &[Tick],
    progress: LogProgress,
    sessions: &Snapshot,
) -> Result<(), sqlx::Error> {
    let mut transaction = pool.begin().await?;
    let (mut new, mut changed): (Vec<&CandleRow>, Vec<&CandleRow>) =
        changes.minutes.values().partition(|row| is_new(row));
    // In key order, neighbouring rows share a page.
    for rows in [&mut new, &mut changed] {
        rows.sort_unstable_by(|one, other| {
            (&one.code, one.start_us).cmp(&(&other.code, other.start_us))
        });
    }
    copy::minutes(&mut transaction, new).await?;
    for rows in changed.chunks(ROWS_PER_STATEMENT) {
        save_minutes(&mut transaction, rows).await?;
    }
    let days: Vec<&CandleRow> = changes.days.values().collect();
    for rows in days.chunks(ROWS_PER_STATEMENT) {
        save_days(&mut transaction, rows).await?;
    }
    split::save(&mut transaction, &changes.splits).await?;
    dividend::save(&mut transaction, &changes.dividends).await?;
    save_ticks(&mut transaction, ticks).await?;
    save_progress(&mut transaction, progress, sessions).await?;
    transaction.commit().await
}

/// # Errors
/// [`sqlx::Error`] of the database.
pub async fn save_ticks(connection: &mut PgConnection, ticks: &[Tick]) -> Result<(), sqlx::Error> {
    let codes: Vec<&str> = ticks.iter().map(|tick| tick.code.as_str()).collect();
    let numbers: Vec<i64> = ticks.iter().map(|tick| tick.tick_seq).collect();
    let encoded: Vec<Vec<u8>> = ticks.iter().map(Message::encode_to_vec).collect();
    sqlx::query(
        "insert into newest_tick (code, tick_seq, tick)
         select * from unnest($1::text[], $2::bigint[], $3::bytea[])
         on conflict (code) do update set tick_seq = excluded.tick_seq, tick = excluded.tick",
    )
    .bind(&codes)
    .bind(&numbers)
    .bind(&encoded)
    .execute(connection)
    .await?;
    Ok(())
}

/// # Errors
/// [`sqlx::Error`] of the database, or when a later offset is stored: then another process writes
/// candles.
pub async fn save_progress(
    connection: &mut PgConnection,
    progress: LogProgress,
    sessions: &Snapshot,
) -> Result<(), sqlx::Error> {
    let saved = sqlx::query(
        "insert into tick_reader
             (consumer, epoch, next_offset, batch_seq, session_seq, market_time_us, sessions)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (consumer) do update set epoch = excluded.epoch,
             next_offset = excluded.next_offset, batch_seq = excluded.batch_seq,
             session_seq = excluded.session_seq, market_time_us = excluded.market_time_us,
             sessions = excluded.sessions
         where (tick_reader.epoch, tick_reader.next_offset)
             <= (excluded.epoch, excluded.next_offset)",
    )
    .bind(CONSUMER)
    .bind(progress.offset.epoch)
    .bind(i64::try_from(progress.offset.next).unwrap_or(i64::MAX))
    .bind(progress.batch_seq)
    .bind(progress.session_seq)
    .bind(progress.market_time_us)
    .bind(sessions.encode_to_vec())
    .execute(connection)
    .await?;
    if saved.rows_affected() == 0 {
        return Err(sqlx::Error::Protocol(STALE_WRITER.to_owned()));
    }
    Ok(())
}

async fn save_minutes(
    connection: &mut PgConnection,
    rows: &[&CandleRow],
) -> Result<(), sqlx::Error> {
    let starts: Vec<DateTime<Utc>> = rows
        .iter()
        .map(|row| DateTime::from_timestamp_micros(row.start_us).unwrap_or_default())
        .collect();
    let seqs: Vec<Option<i64>> = rows
        .iter()
        .map(|row| Some(row.close_seq).filter(|seq| *seq != 0))
        .collect();
    let columns = Columns::of(rows);
    let insert = columns.bound_to(
        "insert into candle_minute
             (code, trading_day, open, high, low, close, volume, start_at, close_seq)
         select * from unnest($1::text[], $2::integer[], $3::numeric[], $4::numeric[],
             $5::numeric[], $6::numeric[], $7::numeric[], $8::timestamptz[], $9::bigint[])
         on conflict (code, start_at) do update set trading_day = excluded.trading_day,
             open = excluded.open, high = excluded.high, low = excluded.low,
             close = excluded.close, volume = excluded.volume, close_seq = excluded.close_seq",
    );
    insert.bind(&starts).bind(&seqs).execute(connection).await?;
    Ok(())
}

async fn save_days(connection: &mut PgConnection, rows: &[&CandleRow]) -> Result<(), sqlx::Error> {
    let columns = Columns::of(rows);
    let insert = columns.bound_to(
        "insert into candle_day (code, trading_day, open, high, low, close, volume)
         select * from unnest($1::text[], $2::integer[], $3::numeric[], $4::numeric[],
             $5::numeric[], $6::numeric[], $7::numeric[])
         on conflict (code, trading_day) do update set open = excluded.open,
             high = excluded.high, low = excluded.low, close = excluded.close,
             volume = excluded.volume",
    );
    insert.execute(connection).await?;
    Ok(())
}

/// Rows as arrays for `unnest`.
struct Columns<'a> {
    codes: Vec<&'a str>,
    days: Vec<i32>,
    open: Vec<Decimal>,
    high: Vec<Decimal>,
    low: Vec<Decimal>,
    close: Vec<Decimal>,
    volume: Vec<Decimal>,
}

impl<'a> Columns<'a> {
    fn of(rows: &[&'a CandleRow]) -> Self {
        let prices =
            |units: fn(&CandleRow) -> i64| rows.iter().map(|row| row.price(units(row))).collect();
        Self {
            codes: rows.iter().map(|row| &*row.code).collect(),
            days: rows.iter().map(|row| row.trading_day).collect(),
            open: prices(|row| row.open),
            high: prices(|row| row.high),
            low: prices(|row| row.low),
            close: prices(|row| row.close),
            volume: rows.iter().map(|row| row.volume()).collect(),
        }
    }

    /// A statement with these arrays as `$1` to `$7`.
    fn bound_to(&self, statement: &'static str) -> Query<'_, Postgres, PgArguments> {
        sqlx::query(statement)
            .bind(&self.codes)
            .bind(&self.days)
            .bind(&self.open)
            .bind(&self.high)
            .bind(&self.low)
            .bind(&self.close)
            .bind(&self.volume)
    }
}

/// A stored minute in the scales of the instrument's ticks.
fn minute(row: MinuteColumns, ticks: &[Tick]) -> Option<CandleRow> {
    let (code, start_at, trading_day, open, high, low, close, volume, close_seq) = row;
    let tick = ticks.iter().find(|tick| tick.code == code)?;
    let units = |value: Decimal, scale: u32| {
        let power = Decimal::from(10_i64.checked_pow(scale)?);
        value.checked_mul(power)?.to_i64()
    };
    let price = |value| units(value, tick.price_scale);
    Some(CandleRow {
        code: Arc::from(code),
        start_us: start_at.timestamp_micros(),
        trading_day,
        price_scale: tick.price_scale,
        volume_scale: tick.volume_scale,
        open: price(open)?,
        high: price(high)?,
        low: price(low)?,
        close: price(close)?,
        volume: units(volume, tick.volume_scale)?,
        close_seq: close_seq.unwrap_or(0),
    })
}

fn undecodable(error: prost::DecodeError) -> sqlx::Error {
    sqlx::Error::Decode(Box::new(error))
}
