//! A feed of JSON lines over TCP, one trade per line, read in addition to the configured feed. All
//! input is untrusted: every line becomes a trade or is refused and counted.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use kernel::{Clock, Currency};
use rust_decimal::{Decimal, prelude::ToPrimitive};
use serde::Deserialize;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::Instant;

use crate::catalogue::Catalogue;
use crate::exchange::ExchangeRates;
use crate::model::spec::volume_scale;

use super::{
    Feed, FeedBatch, FeedError, FeedRecord, FeedTrade, LatestRates, RefusalReason, RefusedRecord,
};

/// Longer lines are refused.
const MAX_LINE_BYTES: usize = 1_000_000;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const PERIOD: Duration = Duration::from_millis(80);
const MAX_LINES_PER_BATCH: usize = 5_000;
const SAMPLE_CHARACTERS: usize = 200;

pub struct LinesFeed {
    address: String,
    catalogue: Catalogue,
    rates: ExchangeRates,
    clock: Arc<dyn Clock>,
    connection: Option<Lines>,
}

struct Lines {
    stream: BufReader<TcpStream>,
    line: Vec<u8>,
    too_long: bool,
}

/// Numbers may be JSON strings.
#[derive(Deserialize)]
struct Line {
    code: String,
    price: Value,
    #[serde(default)]
    volume: Value,
    #[serde(default)]
    bid: Value,
    #[serde(default)]
    ask: Value,
    time_us: i64,
}

impl LinesFeed {
    #[must_use]
    pub fn new(
        address: String,
        catalogue: Catalogue,
        rates: LatestRates,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            address,
            rates: ExchangeRates::new(catalogue.clone(), rates),
            catalogue,
            clock,
            connection: None,
        }
    }

    fn record(&self, line: &[u8], too_long: bool) -> FeedRecord {
        match self.trade(line, too_long) {
            Ok(trade) => FeedRecord::Trade(trade),
            Err(reason) => {
                let text = String::from_utf8_lossy(line);
                FeedRecord::Refused(RefusedRecord {
                    reason,
                    sample: text.chars().take(SAMPLE_CHARACTERS).collect(),
                })
            }
        }
    }

    fn trade(&self, line: &[u8], too_long: bool) -> Result<FeedTrade, RefusalReason> {
        if too_long {
            return Err(RefusalReason::TooLong);
        }
        let line: Line = serde_json::from_slice(line)
            .ok()
            .ok_or(RefusalReason::Malformed)?;
        let instrument = self
            .catalogue
            .get(&line.code)
            .ok_or(RefusalReason::UnknownCode)?;
        let price_scale = instrument.tick_table.scale();
        let price = number(&line.price)?.ok_or(RefusalReason::BadPrice)?;
        if price <= Decimal::ZERO {
            return Err(RefusalReason::BadPrice);
        }
        let side = |value: &Value| match number(value)? {
            Some(price) => units(price, price_scale),
            None => Ok(0),
        };
        let volume = match number(&line.volume)? {
            Some(volume) if volume < Decimal::ZERO => return Err(RefusalReason::BadVolume),
            Some(volume) => Some(units(volume, volume_scale(instrument))?),
            None => None,
        };
        Ok(FeedTrade {
            code: Arc::from(line.code),
            event_time_us: line.time_us,
            price_units: units(price, price_scale)?,
            volume_units: volume,
            bid_units: side(&line.bid)?,
            ask_units: side(&line.ask)?,
            bid_size_units: 0,
            ask_size_units: 0,
            won_per_dollar_e4: match instrument.currency {
                // Without a rate the pipeline refuses the trade.
                Currency::Usd => units(self.rates.dollar_won().unwrap_or_default(), 4)?,
                Currency::Krw => 0,
            },
        })
    }
}

/// A number or a numeric string; `None` when it is absent.
fn number(value: &Value) -> Result<Option<Decimal>, RefusalReason> {
    let text = match value {
        Value::Null => return Ok(None),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
            return Err(RefusalReason::Malformed);
        }
    };
    let exact = text.parse::<Decimal>();
    let parsed = exact.or_else(|_| Decimal::from_scientific(&text));
    parsed.map(Some).ok().ok_or(RefusalReason::BadPrice)
}

fn units(value: Decimal, scale: u32) -> Result<i64, RefusalReason> {
    let power = 10_i64.checked_pow(scale).ok_or(RefusalReason::BadScale)?;
    let scaled = value
        .checked_mul(Decimal::from(power))
        .ok_or(RefusalReason::BadScale)?;
    if !scaled.fract().is_zero() {
        return Err(RefusalReason::BadScale);
    }
    scaled.to_i64().ok_or(RefusalReason::BadScale)
}

impl Lines {
    /// Cancel safe. `None` when the server has closed the connection.
    async fn next(&mut self) -> std::io::Result<Option<(Vec<u8>, bool)>> {
        loop {
            let available = self.stream.fill_buf().await?;
            if available.is_empty() {
                return Ok(None);
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(available.len(), |end| end + 1);
            let part = available.get(..end.unwrap_or(taken)).unwrap_or_default();
            let room = MAX_LINE_BYTES.saturating_sub(self.line.len());
            if part.len() > room {
                // The start is enough for the sample.
                self.too_long = true;
            } else {
                self.line.extend_from_slice(part);
            }
            self.stream.consume(taken);
            if end.is_some() {
                let too_long = std::mem::take(&mut self.too_long);
                return Ok(Some((std::mem::take(&mut self.line), too_long)));
            }
        }
    }
}

#[async_trait]
impl Feed for LinesFeed {
    fn name(&self) -> &'static str {
        "lines"
    }

    async fn connect(&mut self) -> Result<(), FeedError> {
        self.connection = None;
        let connecting = TcpStream::connect(self.address.as_str());
        let stream = tokio::time::timeout(CONNECT_TIMEOUT, connecting)
            .await
            .map_err(|elapsed| FeedError::Lost(elapsed.to_string()))?
            .map_err(|error| FeedError::Lost(error.to_string()))?;
        self.connection = Some(Lines {
            stream: BufReader::new(stream),
            line: Vec::new(),
            too_long: false,
        });
        Ok(())
    }

    async fn next(&mut self) -> Result<FeedBatch, FeedError> {
        let mut lines = Vec::new();
        let mut until = None;
        let Some(connection) = &mut self.connection else {
            return Err(FeedError::Lost("not connected".to_owned()));
        };
        while lines.len() < MAX_LINES_PER_BATCH {
            let next = match until {
                None => connection.next().await,
                Some(until) => match tokio::time::timeout_at(until, connection.next()).await {
                    Ok(next) => next,
                    Err(_elapsed) => break,
                },
            };
            match next {
                Ok(Some(line)) => lines.push(line),
                Ok(None) if lines.is_empty() => {
                    return Err(FeedError::Lost("the server has closed".to_owned()));
                }
                Err(error) if lines.is_empty() => return Err(FeedError::Lost(error.to_string())),
                // Lines before the end are returned first; the next call meets the end again.
                Ok(None) | Err(_) => break,
            }
            until = until.or(Some(Instant::now() + PERIOD));
        }
        let records = lines.iter().map(|(line, long)| self.record(line, *long));
        let now_us = self.clock.now().timestamp_micros();
        Ok(FeedBatch {
            records: records.collect(),
            began_us: now_us,
            market_time_us: now_us,
        })
    }
}
