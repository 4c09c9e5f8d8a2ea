//! Decodes the tick log. Invalid records are counted and skipped, so they fill nothing.

mod record;

use kernel::{Price, Quantity};
use market_rules::PriceBand;
use messaging::ticks::Delivered;
use proto::convert::{InvalidField, scaled, to_instant};
use proto::market::v1 as wire;
use proto::market::v1::session_record::Kind;
use proto::market::v1::tick_record::Record as WireRecord;
use rust_decimal::Decimal;

use crate::domain::market::TradingSession;
use crate::domain::split::SplitRatio;

pub use market_rules::Venue;
pub use record::{Batch, LogRecord, Scope, SessionRecord, SessionRecordKind, Tick};

/// Decodes one message.
///
/// # Errors
/// [`InvalidField`] when the batch has no valid time.
pub fn decode(delivered: &Delivered) -> Result<Batch, InvalidField> {
    let batch = &delivered.batch;
    let mut records = Vec::with_capacity(batch.records.len());
    for record in &batch.records {
        match record_of(record) {
            Ok(Some(record)) => records.push(record),
            Ok(None) => {}
            Err(error) => {
                metrics::counter!("trading_invalid_records_total").increment(1);
                tracing::warn!(%error, offset = delivered.offset, "A record of the tick log is invalid");
            }
        }
    }
    Ok(Batch {
        offset: i64::try_from(delivered.offset).unwrap_or(i64::MAX),
        epoch: batch.epoch,
        closed_at: to_instant(batch.closed_at_us, "closed_at_us")?,
        records,
    })
}

fn record_of(record: &wire::TickRecord) -> Result<Option<LogRecord>, InvalidField> {
    match &record.record {
        Some(WireRecord::Tick(tick)) => tick_of(tick).map(LogRecord::Tick).map(Some),
        Some(WireRecord::Session(session)) => {
            Ok(session_record_of(session)?.map(LogRecord::Session))
        }
        None => Ok(None),
    }
}

/// Converts a tick.
///
/// # Errors
/// [`InvalidField`] when a field is out of range or the price is not positive.
pub fn tick_of(tick: &wire::Tick) -> Result<Tick, InvalidField> {
    let price = |units: i64, field| scaled(units, tick.price_scale, field).map(Price);
    let quantity = |units: i64, field| scaled(units, tick.volume_scale, field).map(Quantity);
    let known = |units: i64| (units > 0).then_some(units);
    let last = price(tick.price_units, "price_units")?;
    if !last.is_positive() {
        return Err(InvalidField("price_units"));
    }
    Ok(Tick {
        code: tick.code.clone(),
        market: tick.market().to_kernel()?,
        seq: tick.tick_seq,
        time: to_instant(tick.event_time_us, "event_time_us")?,
        trading_day: tick.trading_day,
        price: last,
        prev_close: price(tick.prev_close_units, "prev_close_units")?,
        bid: known(tick.bid_units)
            .map(|units| price(units, "bid_units"))
            .transpose()?,
        ask: known(tick.ask_units)
            .map(|units| price(units, "ask_units"))
            .transpose()?,
        bid_size: known(tick.bid_size_units)
            .map(|units| quantity(units, "bid_size_units"))
            .transpose()?,
        ask_size: known(tick.ask_size_units)
            .map(|units| quantity(units, "ask_size_units"))
            .transpose()?,
        volume: known(tick.volume_units)
            .filter(|_| tick.has_volume)
            .map(|units| quantity(units, "volume_units"))
            .transpose()?,
        day_volume: known(tick.acc_volume_units)
            .filter(|_| tick.has_volume)
            .map(|units| quantity(units, "acc_volume_units"))
            .transpose()?,
        fx_rate: known(tick.fx_rate_e4)
            .map(|units| scaled(units, 4, "fx_rate_e4"))
            .transpose()?
            .map(|rate: Decimal| rate.normalize()),
        session: known_session(tick.session).ok_or(InvalidField("session"))?,
    })
}

/// `None` for a state of a newer release, in which no order may trade. A tick without a state comes
/// from an open market.
#[must_use]
pub fn known_session(state: i32) -> Option<TradingSession> {
    let session = match wire::SessionState::try_from(state).ok()? {
        wire::SessionState::Unspecified | wire::SessionState::Open => TradingSession::Open,
        wire::SessionState::Closed => TradingSession::Closed,
        wire::SessionState::Auction => TradingSession::Auction,
        wire::SessionState::Halted => TradingSession::Halted,
    };
    Some(session)
}

#[must_use]
pub fn venue_of(venue: wire::Venue) -> Option<Venue> {
    match venue {
        wire::Venue::Unspecified => None,
        wire::Venue::Krx => Some(Venue::Krx),
        wire::Venue::Us => Some(Venue::Us),
        wire::Venue::Coin => Some(Venue::Coin),
        wire::Venue::Gold => Some(Venue::Gold),
    }
}

/// Daily price limits; `None` where prices are free.
///
/// # Errors
/// [`InvalidField`] when the scale exceeds that of a decimal.
pub fn band_of(base: &wire::DayBase) -> Result<Option<PriceBand>, InvalidField> {
    if base.lower_limit_units == 0 && base.upper_limit_units == 0 {
        return Ok(None);
    }
    let price = |units, field| scaled(units, base.price_scale, field).map(Price);
    let upper = if base.upper_limit_units == 0 {
        Price(Decimal::MAX)
    } else {
        price(base.upper_limit_units, "upper_limit_units")?
    };
    Ok(Some(PriceBand {
        lower: price(base.lower_limit_units, "lower_limit_units")?,
        upper,
    }))
}

fn session_record_of(record: &wire::SessionRecord) -> Result<Option<SessionRecord>, InvalidField> {
    let scope = if record.code.is_empty() {
        venue_of(record.venue()).map(Scope::Venue)
    } else {
        Some(Scope::Code(record.code.clone()))
    };
    let bases = || {
        let bases = record.bases.iter();
        bases
            .map(|base| Ok((base.code.clone(), band_of(base)?)))
            .collect::<Result<Vec<_>, InvalidField>>()
    };
    let kind = match record.kind() {
        // Dividends are fetched by rpc.
        Kind::Unspecified | Kind::Dividend => return Ok(None),
        Kind::Open => SessionRecordKind::Open(bases()?),
        Kind::Auction => SessionRecordKind::Auction(bases()?),
        Kind::Close => SessionRecordKind::Close,
        Kind::Halt => SessionRecordKind::Halt,
        Kind::Resume => SessionRecordKind::Resume,
        Kind::Split => {
            if record.split_numerator <= 0 || record.split_denominator <= 0 {
                return Err(InvalidField("split_numerator"));
            }
            SessionRecordKind::Split(SplitRatio {
                numerator: record.split_numerator,
                denominator: record.split_denominator,
            })
        }
        Kind::Heartbeat => SessionRecordKind::Heartbeat,
    };
    Ok(Some(SessionRecord {
        kind,
        scope: scope.filter(|_| record.kind() != Kind::Heartbeat),
        trading_day: record.trading_day,
        time: to_instant(record.event_time_us, "event_time_us")?,
        seq: record.session_seq,
    }))
}
