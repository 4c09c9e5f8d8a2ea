//! How instruments did today, for rows of lists: many in one answer, each read once a minute at
//! most, however many people look at it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use moka::future::Cache;
use proto::convert::{decimal, to_instant};
use proto::market::v1 as wire;
use tokio::sync::Mutex;

use crate::candles::CandleStore;
use crate::candles::thinned::WantedDay;
use crate::quotes::QuoteBoard;

const REFRESH: Duration = Duration::from_secs(60);
const MOST_KEPT: u64 = 10_000;

/// Lines that were read within the last minute.
pub struct Sparklines {
    board: QuoteBoard,
    candles: CandleStore,
    kept: Cache<String, Arc<wire::Sparkline>>,
    // Held while lines are read: whoever asks for the same ones meanwhile finds them kept.
    reading: Mutex<()>,
}

impl Sparklines {
    /// Nothing is read yet.
    #[must_use]
    pub fn new(board: QuoteBoard, candles: CandleStore) -> Self {
        Self {
            board,
            candles,
            kept: Cache::builder()
                .time_to_live(REFRESH)
                .max_capacity(MOST_KEPT)
                .build(),
            reading: Mutex::new(()),
        }
    }

    /// The lines of `codes`, in their order. One query for all that are due.
    ///
    /// # Errors
    /// [`sqlx::Error`] of the database.
    pub async fn list(&self, codes: &[String]) -> Result<Vec<wire::Sparkline>, sqlx::Error> {
        let mut lines: HashMap<&str, Arc<wire::Sparkline>> = HashMap::new();
        if self.add_kept(codes, &mut lines).await < codes.len() {
            let _reading = self.reading.lock().await;
            if self.add_kept(codes, &mut lines).await < codes.len() {
                let due = codes
                    .iter()
                    .filter(|code| !lines.contains_key(code.as_str()));
                let due: Vec<&String> = due.collect();
                for (code, line) in due.iter().zip(self.read(&due).await?) {
                    self.kept.insert((*code).clone(), Arc::clone(&line)).await;
                    lines.insert(code, line);
                }
            }
        }
        let ordered = codes.iter().filter_map(|code| lines.get(code.as_str()));
        Ok(ordered.map(|line| wire::Sparkline::clone(line)).collect())
    }

    /// Adds what is kept; returns how many there are then.
    async fn add_kept<'a>(
        &self,
        codes: &'a [String],
        lines: &mut HashMap<&'a str, Arc<wire::Sparkline>>,
    ) -> usize {
        for code in codes {
            if let Some(line) = self.kept.get(code).await {
                lines.insert(code, line);
            }
        }
        lines.len()
    }

    async fn read(&self, codes: &[&String]) -> Result<Vec<Arc<wire::Sparkline>>, sqlx::Error> {
        let quotes: Vec<Option<wire::Quote>> =
            codes.iter().map(|code| self.board.quote(code)).collect();
        let traded = quotes.iter().flatten().filter_map(|quote| {
            Some(WantedDay {
                code: quote.code.clone(),
                trading_day: quote.trading_day,
                newest: to_instant(quote.event_time_us, "event_time_us").ok()?,
            })
        });
        let wanted: Vec<WantedDay> = traded.collect();
        let mut found = self.candles.thinned(&wanted).await?;
        let line = |(code, quote): (&&String, Option<wire::Quote>)| {
            let prices = found.remove(code.as_str()).unwrap_or_default();
            Arc::new(wire::Sparkline {
                code: (*code).clone(),
                prev_close: quote.and_then(|quote| quote.prev_close),
                prices: prices.into_iter().map(decimal).collect(),
            })
        };
        Ok(codes.iter().zip(quotes).map(line).collect())
    }
}
