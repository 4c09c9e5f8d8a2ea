//! The popular items, for clients that subscribe to nothing.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bootstrap::grpc;
use proto::common::v1::Market;
use proto::market::v1::ListPopularRequest;
use proto::market::v1::market_service_client::MarketServiceClient;
use tokio::sync::Mutex;

const KEPT_FOR: Duration = Duration::from_secs(30);
/// For how long an answer stands in which a destination has nothing.
const PART_KEPT_FOR: Duration = Duration::from_secs(1);
/// The markets of each destination.
const GROUPS: [&[Market]; 4] = [
    &[Market::Kospi, Market::Kosdaq, Market::Etf],
    &[Market::Global],
    &[Market::Coin],
    &[Market::Gold],
];

/// Asks market-data at most every half minute, or every second while something is missing, however
/// many clients want to know.
pub(crate) struct Popular {
    market: MarketServiceClient<grpc::Client>,
    kept: Mutex<Option<Kept>>,
}

struct Kept {
    codes: Arc<Vec<String>>,
    until: Instant,
}

impl Popular {
    /// Asks `market`.
    #[must_use]
    pub(crate) fn new(market: MarketServiceClient<grpc::Client>) -> Self {
        Self {
            market,
            kept: Mutex::default(),
        }
    }

    /// The codes of all destinations. What cannot be asked now is left out.
    pub(crate) async fn codes(&self) -> Arc<Vec<String>> {
        let mut kept = self.kept.lock().await;
        if let Some(kept) = &*kept
            && Instant::now() < kept.until
        {
            return kept.codes.clone();
        }
        let mut codes = Vec::new();
        let mut kept_for = KEPT_FOR;
        for markets in GROUPS {
            let before = codes.len();
            let request = ListPopularRequest {
                markets: markets.iter().map(|market| i32::from(*market)).collect(),
            };
            match self.market.clone().list_popular(request).await {
                Ok(page) => {
                    let items = page.into_inner().items.into_iter();
                    let instruments = items.filter_map(|item| item.instrument);
                    codes.extend(instruments.map(|instrument| instrument.code));
                }
                Err(error) => tracing::warn!(%error, "The popular items cannot be fetched"),
            }
            if codes.len() == before {
                kept_for = PART_KEPT_FOR;
            }
        }
        let codes = Arc::new(codes);
        *kept = Some(Kept {
            codes: codes.clone(),
            until: Instant::now() + kept_for,
        });
        codes
    }
}
