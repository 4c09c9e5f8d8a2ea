//! The reader's place in the log, stored with the candles that place has made.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use prost::Message;
use proto::market::v1::{Snapshot, Tick};
use rust_decimal::{Decimal, prelude::ToPrimitive};
use sqlx::{PgConnection, PgPool};

use crate::quotes::Position;

use super::book::{Changes, Row};
use super::split::Division;
use super::{copy, dividend, split};

/// Name of the reader that writes candles.
const CONSUMER: &str = "candles";
const BEHIND: &str = "another process has written candles of a later place in the tick log";
/// Rows of one statement.
const ROWS_AT_ONCE: usize = 5_000;

/// What was stored at the last write.
#[derive(Clone, Debug)]
pub struct Stored {
    /// Place in the log.
    pub position: Position,
    /// Venues, bases and halts.
    pub sessions: Snapshot,
    /// Newest tick of every instrument.
    pub ticks: Vec<Tick>,
    /// Newest minute of every instrument.
    pub minutes: Vec<Row>,
    /// Every split there was.
    pub splits: Vec<Division>,
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
);

/// Reads what the last write left; `None` before the first one.
///
/// # Errors
/// [`sqlx::Error`] of the database, or when a stored message cannot be decoded.
pub async fn load(pool: &PgPool) -> Result<Option<Stored>, sqlx::Error> {
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
        "select m.code, m.start_at, m.trading_day, m.open, m.high, m.low, m.close, m.volume
         from newest_tick t
         cross join lateral (
             select * from candle_minute m where m.code = t.code order by m.start_at desc limit 1
         ) m",
    )
    .fetch_all(pool)
    .await?;
    let minutes = minutes.into_iter().filter_map(|row| minute(row, &ticks));
    Ok(Some(Stored {
        position: Position {
            epoch,
            next_offset: next_offset.try_into().unwrap_or(0),
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

/// The beginning of the newest minute that is stored of each instrument.
pub type NewestMinutes = HashMap<Arc<str>, i64>;

/// Writes candles, newest ticks and the place in the log in one transaction. Minutes behind the
/// `stored` ones are new rows and are copied in, which costs a third less than asking of each whether
/// it is there.
///
/// # Errors
/// [`sqlx::Error`] of the database: nothing was written.
pub async fn save(
    pool: &PgPool,
    changes: &Changes,
    stored: &NewestMinutes,
    ticks: &[Tick],
    position: Position,
    sessions: &Snapshot,
) -> Result<(), sqlx::Error> {
    let is_new = |row: &Row| {
        stored
            .get(&row.code)
            .is_none_or(|newest| row.start_us > *newest)
    };
    let saved = save_all(pool, changes, is_new, ticks, position, sessions).await;
    match saved {
        // Somebody else has written minutes, as one who fills a gap does.
        Err(sqlx::Error::Database(error)) if error.is_unique_violation() => {
            save_all(pool, changes, |_row| false, ticks, position, sessions).await
        }
        saved => saved,
    }
}

async fn save_all(
    pool: &PgPool,
    changes: &Changes,
    is_new: impl Fn(&Row) -> bool,
    ticks: &[Tick],
    position: Position,
    sessions: &Snapshot,
) -> Result<(), sqlx::Error> {
    let mut transaction = pool.begin().await?;
    let (mut new, mut changed): (Vec<&Row>, Vec<&Row>) =
        changes.minutes.values().partition(|row| is_new(row));
    // In the order of the table's key, neighbours go to the same page.
    for rows in [&mut new, &mut changed] {
        rows.sort_unstable_by(|one, other| {
            (&one.code, one.start_us).cmp(&(&other.code, other.start_us))
        });
    }
    copy::minutes(&mut transaction, new).await?;
    for rows in changed.chunks(ROWS_AT_ONCE) {
        save_minutes(&mut transaction, rows).await?;
    }
    let days: Vec<&Row> = changes.days.values().collect();
    for rows in days.chunks(ROWS_AT_ONCE) {
        save_days(&mut transaction, rows).await?;
    }
    split::save(&mut transaction, &changes.splits).await?;
    dividend::save(&mut transaction, &changes.dividends).await?;
    save_ticks(&mut transaction, ticks).await?;
    save_position(&mut transaction, position, sessions).await?;
    transaction.commit().await
}

/// Writes the newest tick of instruments.
///
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

/// Writes the place in the log.
///
/// # Errors
/// [`sqlx::Error`] of the database, or when a later place is written there: then another process
/// writes candles, and ours are older.
pub async fn save_position(
    connection: &mut PgConnection,
    position: Position,
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
    .bind(position.epoch)
    .bind(i64::try_from(position.next_offset).unwrap_or(i64::MAX))
    .bind(position.batch_seq)
    .bind(position.session_seq)
    .bind(position.market_time_us)
    .bind(sessions.encode_to_vec())
    .execute(connection)
    .await?;
    if saved.rows_affected() == 0 {
        return Err(sqlx::Error::Protocol(BEHIND.to_owned()));
    }
    Ok(())
}

async fn save_minutes(connection: &mut PgConnection, rows: &[&Row]) -> Result<(), sqlx::Error> {
    let starts: Vec<DateTime<Utc>> = rows
        .iter()
        .map(|row| DateTime::from_timestamp_micros(row.start_us).unwrap_or_default())
        .collect();
    let columns = Columns::of(rows);
    sqlx::query(
        "insert into candle_minute (code, trading_day, open, high, low, close, volume, start_at)
         select * from unnest($1::text[], $2::integer[], $3::numeric[], $4::numeric[],
             $5::numeric[], $6::numeric[], $7::numeric[], $8::timestamptz[])
         on conflict (code, start_at) do update set trading_day = excluded.trading_day,
             open = excluded.open, high = excluded.high, low = excluded.low,
             close = excluded.close, volume = excluded.volume",
    )
    .bind(&columns.codes)
    .bind(&columns.days)
    .bind(&columns.open)
    .bind(&columns.high)
    .bind(&columns.low)
    .bind(&columns.close)
    .bind(&columns.volume)
    .bind(&starts)
    .execute(connection)
    .await?;
    Ok(())
}

async fn save_days(connection: &mut PgConnection, rows: &[&Row]) -> Result<(), sqlx::Error> {
    let columns = Columns::of(rows);
    sqlx::query(
        "insert into candle_day (code, trading_day, open, high, low, close, volume)
         select * from unnest($1::text[], $2::integer[], $3::numeric[], $4::numeric[],
             $5::numeric[], $6::numeric[], $7::numeric[])
         on conflict (code, trading_day) do update set open = excluded.open,
             high = excluded.high, low = excluded.low, close = excluded.close,
             volume = excluded.volume",
    )
    .bind(&columns.codes)
    .bind(&columns.days)
    .bind(&columns.open)
    .bind(&columns.high)
    .bind(&columns.low)
    .bind(&columns.close)
    .bind(&columns.volume)
    .execute(connection)
    .await?;
    Ok(())
}

/// Rows turned into the arrays that `unnest` takes.
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
    fn of(rows: &[&'a Row]) -> Self {
        let prices =
            |units: fn(&Row) -> i64| rows.iter().map(|row| row.price(units(row))).collect();
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
}

/// A stored minute in the scales of the instrument's ticks.
fn minute(row: MinuteColumns, ticks: &[Tick]) -> Option<Row> {
    let (code, start_at, trading_day, open, high, low, close, volume) = row;
    let tick = ticks.iter().find(|tick| tick.code == code)?;
    let units = |value: Decimal, scale: u32| {
        let power = Decimal::from(10_i64.checked_pow(scale)?);
        value.checked_mul(power)?.to_i64()
    };
    let price = |value| units(value, tick.price_scale);
    Some(Row {
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
    })
}

fn undecodable(error: prost::DecodeError) -> sqlx::Error {
    sqlx::Error::Decode(Box::new(error))
}
