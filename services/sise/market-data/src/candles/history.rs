//! Generates candles of the built-in market in bulk: the history at the first start, and the time
//! after long downtime.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use chrono::{DateTime, NaiveDate};
use kernel::Currency;
use kernel::clock::KST;
use proto::common::v1 as common;
use proto::market::v1::{SessionState, Tick};
use sqlx::PgPool;
use tokio::sync::mpsc;

use crate::model::session::{MINUTE_US, yyyymmdd};
use crate::model::spec::InstrumentSpec;
use crate::model::{DrawnDay, InstrumentDay, ModelCandle, Simulation, Trade};

use super::book::CandleRow;
use super::copy::{CopyBuffer, fill, merge};

/// Size at which a worker hands over a buffer.
const BUFFER_BYTES: usize = 4_000_000;
const BUFFERS_IN_FLIGHT: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Days that end after this get a daily candle.
    pub days_from_us: i64,
    /// Minutes from here on get a minute candle; a whole minute.
    pub minutes_from_us: i64,
    /// End of the history and start of ticks; a whole minute.
    pub until_us: i64,
}

impl Span {
    /// The whole history, with minutes for the last `minute_days` days before `now_us`.
    #[must_use]
    pub fn everything(now_us: i64, minute_days: u32) -> Self {
        let until_us = whole_minute(now_us);
        Self {
            days_from_us: i64::MIN,
            minutes_from_us: until_us - i64::from(minute_days) * 86_400_000_000,
            until_us,
        }
    }

    /// The time between `from_us` and `until_us`, with minutes for at most `minute_days` days.
    #[must_use]
    pub fn missed(from_us: i64, until_us: i64, minute_days: u32) -> Self {
        let until_us = whole_minute(until_us);
        let oldest_minute = until_us - i64::from(minute_days) * 86_400_000_000;
        Self {
            days_from_us: from_us,
            minutes_from_us: whole_minute(from_us).max(oldest_minute),
            until_us,
        }
    }

    /// The last Korean day of the span.
    #[must_use]
    pub fn last_day(&self) -> NaiveDate {
        let until = DateTime::from_timestamp_micros(self.until_us).unwrap_or_default();
        until.with_timezone(&KST).date_naive()
    }
}

/// Generates and writes the candles of a span: into empty tables (`first`), or merged. Returns the
/// newest ticks.
///
/// # Errors
/// [`sqlx::Error`] of the database.
pub async fn write(
    pool: &PgPool,
    market: &Arc<Simulation>,
    span: Span,
    first: bool,
) -> Result<Vec<Tick>, sqlx::Error> {
    let started = Instant::now();
    let (sender, buffers) = mpsc::channel(BUFFERS_IN_FLIGHT);
    let makers = {
        let market = Arc::clone(market);
        tokio::task::spawn_blocking(move || generate_all(&market, span, &sender))
    };
    let (minute_rows, day_rows) = if first {
        fill(pool, buffers).await?
    } else {
        merge(pool, buffers).await?
    };
    let ticks = makers
        .await
        .map_err(|error| sqlx::Error::Io(std::io::Error::other(error)))?;
    tracing::info!(
        minute_rows,
        day_rows,
        instruments = ticks.len(),
        elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        "Wrote history"
    );
    Ok(ticks)
}

/// Generates the candles of all instruments on all cores.
fn generate_all(market: &Simulation, span: Span, sender: &mpsc::Sender<CopyBuffer>) -> Vec<Tick> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    market
        .factors()
        .cache_minutes(span.minutes_from_us, span.until_us);
    let work = || {
        let mut buffer = CopyBuffer::default();
        let mut newest = Vec::new();
        while let Some(spec) = market.specs().get(next.fetch_add(1, Ordering::Relaxed)) {
            newest.extend(generate(market, spec, span, &mut buffer));
            // The receiver is dropped only when writing has failed.
            if buffer.len() > BUFFER_BYTES
                && sender.blocking_send(std::mem::take(&mut buffer)).is_err()
            {
                return newest;
            }
        }
        drop(sender.blocking_send(buffer));
        newest
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        // A worker that panicked leaves out instruments; then the history fails as a whole.
        let newest = threads.into_iter().map(|thread| match thread.join() {
            Ok(newest) => newest,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        newest.flatten().collect()
    })
}

/// Generates one instrument's candles; returns its newest tick.
pub fn generate(
    market: &Simulation,
    spec: &Arc<InstrumentSpec>,
    span: Span,
    buffer: &mut CopyBuffer,
) -> Option<Tick> {
    let code: Arc<str> = Arc::from(spec.instrument.code.as_str());
    let mut newest = None;
    market.walk(spec, span.last_day(), |day| {
        let session = day.path.session;
        if session.open_us >= span.until_us || session.close_us <= span.days_from_us {
            return;
        }
        if session.close_us <= span.minutes_from_us {
            if !day.halted {
                buffer.day(&row(&code, &day, &day.candle(market.factors())));
            }
            return;
        }
        let drawn = day.draw(market.factors());
        if let Some(tick) = generate_minutes(market, &code, &drawn, span, buffer) {
            newest = Some(tick);
        }
    });
    newest
}

/// Writes the minutes and the daily candle of a day; returns its newest tick.
fn generate_minutes(
    market: &Simulation,
    code: &Arc<str>,
    drawn: &DrawnDay,
    span: Span,
    buffer: &mut CopyBuffer,
) -> Option<Tick> {
    let day = &drawn.day;
    let session = day.path.session;
    let mut whole: Option<ModelCandle> = None;
    let mut last_minute = None;
    let mut add = |candle: ModelCandle| {
        if candle.start_us >= span.minutes_from_us {
            buffer.minute(&row(code, day, &candle));
        }
        match &mut whole {
            None => whole = Some(candle),
            Some(whole) => {
                whole.high_units = whole.high_units.max(candle.high_units);
                whole.low_units = whole.low_units.min(candle.low_units);
                whole.close_units = candle.close_units;
                whole.volume_units += candle.volume_units;
            }
        }
    };
    for minute in 0..session.minutes() {
        if session.minute_start_us(minute) >= span.until_us {
            break;
        }
        if let Some(candle) = drawn.minute_candle(minute) {
            last_minute = Some(minute);
            add(candle);
        }
    }
    let auction = drawn.auction_candle();
    let auction = auction.filter(|candle| candle.start_us < span.until_us);
    if let Some(candle) = auction {
        add(candle);
    }
    let whole = whole?;
    buffer.day(&row(code, day, &whole));
    let mut last = None;
    drawn.for_each_trade(last_minute?, |trade| last = Some(trade));
    let last = if auction.is_some() {
        drawn.auction_trade()
    } else {
        last
    };
    Some(newest_tick(market, drawn, &whole, &last?))
}

fn row(code: &Arc<str>, day: &InstrumentDay, candle: &ModelCandle) -> CandleRow {
    CandleRow {
        code: Arc::clone(code),
        start_us: candle.start_us,
        trading_day: day.path.session.trading_day(),
        price_scale: day.spec.grid.scale(),
        volume_scale: day.spec.volume_scale,
        open: candle.open_units,
        high: candle.high_units,
        low: candle.low_units,
        close: candle.close_units,
        volume: candle.volume_units,
        close_seq: 0,
    }
}

/// The tick that the pipeline would derive from the last trade.
fn newest_tick(market: &Simulation, drawn: &DrawnDay, whole: &ModelCandle, last: &Trade) -> Tick {
    let day = &drawn.day;
    let instrument = &day.spec.instrument;
    let (bid_size_units, ask_size_units) = drawn.displayed_sizes(last);
    Tick {
        code: instrument.code.clone(),
        market: common::Market::from(instrument.market).into(),
        tick_seq: last.event_time_us,
        event_time_us: last.event_time_us,
        trading_day: yyyymmdd(day.path.session.day),
        price_scale: day.spec.grid.scale(),
        price_units: last.price_units,
        prev_close_units: day.base_units,
        open_units: whole.open_units,
        high_units: whole.high_units,
        low_units: whole.low_units,
        bid_units: last.bid_units,
        ask_units: last.ask_units,
        volume_scale: day.spec.volume_scale,
        volume_units: last.volume_units,
        acc_volume_units: whole.volume_units,
        fx_rate_e4: match instrument.currency {
            Currency::Usd => market.won_per_dollar_e4(last.event_time_us),
            Currency::Krw => 0,
        },
        session: SessionState::Open.into(),
        has_volume: true,
        currency: common::Currency::from(instrument.currency).into(),
        bid_size_units,
        ask_size_units,
        ..Tick::default()
    }
}

fn whole_minute(time_us: i64) -> i64 {
    time_us - time_us.rem_euclid(MINUTE_US)
}
