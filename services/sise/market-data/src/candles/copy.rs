//! Bulk writes of candles with COPY.

use std::fmt::Write;

use chrono::DateTime;
use sqlx::{PgConnection, PgPool};
use tokio::sync::mpsc;

use super::book::CandleRow;

/// Rows of both tables in COPY text format.
#[derive(Clone, Debug, Default)]
pub struct CopyBuffer {
    /// Rows of `candle_minute`.
    pub minutes: String,
    /// Rows of `candle_day`.
    pub days: String,
    pub minute_rows: u64,
    pub day_rows: u64,
    /// The last formatted hour: most rows have the same one as the row before.
    hour: Option<(i64, String)>,
}

const HOUR_US: i64 = 3_600_000_000;

impl CopyBuffer {
    pub fn minute(&mut self, row: &CandleRow) {
        let (hour, rest_us) = (
            row.start_us.div_euclid(HOUR_US),
            row.start_us.rem_euclid(HOUR_US),
        );
        let written = self.hour.take().filter(|(written, _)| *written == hour);
        let (_, text) = self.hour.insert(written.unwrap_or_else(|| {
            let start = DateTime::from_timestamp_micros(hour * HOUR_US).unwrap_or_default();
            (hour, start.format("%Y-%m-%d %H").to_string())
        }));
        let (minute, second) = (rest_us / 60_000_000, rest_us / 1_000_000 % 60);
        let out = &mut self.minutes;
        // Writing to a string cannot fail.
        let _infallible = write!(
            out,
            "{}\t{text}:{minute:02}:{second:02}+00\t{}",
            row.code, row.trading_day
        );
        write_figures(out, row);
        let _infallible = match row.close_seq {
            0 => out.write_str("\t\\N\n"),
            seq => writeln!(out, "\t{seq}"),
        };
        self.minute_rows += 1;
    }

    pub fn day(&mut self, row: &CandleRow) {
        let out = &mut self.days;
        let _infallible = write!(out, "{}\t{}", row.code, row.trading_day);
        write_figures(out, row);
        out.push('\n');
        self.day_rows += 1;
    }

    /// Bytes of text.
    #[must_use]
    pub fn len(&self) -> usize {
        self.minutes.len() + self.days.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

fn write_figures(out: &mut String, row: &CandleRow) {
    for price in [row.open, row.high, row.low, row.close] {
        write_scaled(out, price, row.price_scale);
    }
    write_scaled(out, row.volume, row.volume_scale);
}

/// Writes a tab and `units / 10^scale`; units are not negative.
fn write_scaled(out: &mut String, units: i64, scale: u32) {
    let power = 10_i64.checked_pow(scale).unwrap_or(1);
    let (whole, part) = (units / power, units % power);
    let _infallible = if part == 0 {
        write!(out, "\t{whole}")
    } else {
        let width = usize::try_from(scale).unwrap_or(0);
        write!(out, "\t{whole}.{part:0width$}")
    };
}

/// Copies buffers into empty tables as they arrive. Returns the numbers of minute and day rows.
///
/// # Errors
/// [`sqlx::Error`] of the database; some rows may have been written.
pub async fn fill(
    pool: &PgPool,
    mut buffers: mpsc::Receiver<CopyBuffer>,
) -> Result<(u64, u64), sqlx::Error> {
    let mut connection = pool.acquire().await?;
    let mut rows = (0, 0);
    while let Some(buffer) = buffers.recv().await {
        rows = (rows.0 + buffer.minute_rows, rows.1 + buffer.day_rows);
        send(&mut connection, INTO_MINUTES, buffer.minutes).await?;
        send(&mut connection, INTO_DAYS, buffer.days).await?;
        tracing::info!(minute_rows = rows.0, day_rows = rows.1, "Writing history");
    }
    Ok(rows)
}

/// Copies new minutes.
///
/// # Errors
/// [`sqlx::Error`] of the database, also when a minute exists.
pub async fn minutes<'a>(
    connection: &mut PgConnection,
    rows: impl IntoIterator<Item = &'a CandleRow>,
) -> Result<(), sqlx::Error> {
    let mut buffer = CopyBuffer::default();
    for row in rows {
        buffer.minute(row);
    }
    send(connection, INTO_MINUTES, buffer.minutes).await
}

/// Merges buffers into the tables in one transaction. Returns the numbers of minute and day rows.
///
/// # Errors
/// [`sqlx::Error`] of the database; nothing was written.
pub async fn merge(
    pool: &PgPool,
    mut buffers: mpsc::Receiver<CopyBuffer>,
) -> Result<(u64, u64), sqlx::Error> {
    let mut transaction = pool.begin().await?;
    for statement in PREPARE_MERGE {
        sqlx::query(statement).execute(&mut *transaction).await?;
    }
    let mut rows = (0, 0);
    while let Some(buffer) = buffers.recv().await {
        rows = (rows.0 + buffer.minute_rows, rows.1 + buffer.day_rows);
        send(&mut transaction, INTO_NEW_MINUTES, buffer.minutes).await?;
        send(&mut transaction, INTO_NEW_DAYS, buffer.days).await?;
    }
    for statement in [MERGE_MINUTES, MERGE_DAYS] {
        sqlx::query(statement).execute(&mut *transaction).await?;
    }
    transaction.commit().await?;
    Ok(rows)
}

async fn send(
    connection: &mut PgConnection,
    statement: &'static str,
    text: String,
) -> Result<(), sqlx::Error> {
    if text.is_empty() {
        return Ok(());
    }
    let mut copying = connection.copy_in_raw(statement).await?;
    copying.send(text.into_bytes()).await?;
    copying.finish().await?;
    Ok(())
}

const INTO_MINUTES: &str = "copy candle_minute
    (code, start_at, trading_day, open, high, low, close, volume, close_seq) from stdin";
const INTO_DAYS: &str = "copy candle_day
    (code, trading_day, open, high, low, close, volume) from stdin";
const INTO_NEW_MINUTES: &str = "copy new_minute
    (code, start_at, trading_day, open, high, low, close, volume, close_seq) from stdin";
const INTO_NEW_DAYS: &str = "copy new_day
    (code, trading_day, open, high, low, close, volume) from stdin";
const PREPARE_MERGE: [&str; 3] = [
    // A merge may take longer than other statements.
    "set local statement_timeout = 0",
    "create temporary table new_minute (like candle_minute) on commit drop",
    "create temporary table new_day (like candle_day) on commit drop",
];
const MERGE_MINUTES: &str = "
    insert into candle_minute select * from new_minute
    on conflict (code, start_at) do update set trading_day = excluded.trading_day,
        open = excluded.open, high = excluded.high, low = excluded.low,
        close = excluded.close, volume = excluded.volume, close_seq = excluded.close_seq";
const MERGE_DAYS: &str = "
    insert into candle_day select * from new_day
    on conflict (code, trading_day) do update set open = excluded.open, high = excluded.high,
        low = excluded.low, close = excluded.close, volume = excluded.volume";
