//! The popular items, for clients that subscribe to nothing by themselves.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bootstrap::grpc;
use proto::common::v1::Market;
use proto::market::v1::ListPopularRequest;
use proto::market::v1::market_service_client::MarketServiceClient;
use tokio::sync::Mutex;

const CACHE_TTL: Duration = Duration::from_secs(30);
/// Applies while a destination has no items.
const PARTIAL_CACHE_TTL: Duration = Duration::from_secs(1);
/// The markets of each destination.
const GROUPS: [&[Market]; 4] = [
    &[Market::Kospi, Market::Kosdaq, Market::Etf],
    &[Market::Global],
    &[Market::Coin],
    &[Market::Gold],
];

/// Caches the answer of market-data for all connections.
pub(crate) struct PopularItems {
    market: MarketServiceClient<grpc::Client>,
    cached: Mutex<Option<CachedCodes>>,
}

struct CachedCodes {
    codes: Arc<Vec<String>>,
    until: Instant,
}

impl PopularItems {
    #[must_use]
    pub(crate) fn new(market: MarketServiceClient<grpc::Client>) -> Self {
        Self {
            market,
            cached: Mutex::default(),
        }
    }

    /// The codes of all destinations; a destination that cannot be fetched is left out.
    pub(crate) async fn codes(&self) -> Arc<Vec<String>> {
        let mut cached = self.cached.lock().await;
        if let Some(cached) = &*cached
            && Instant::now() < cached.until
        {
            return cached.codes.clone();
        }
        let mut codes = Vec::new();
        let mut ttl = CACHE_TTL;
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
                Err(error) => tracing::warn!(%error, "Popular items could not be fetched"),
            }
            if codes.len() == before {
                ttl = PARTIAL_CACHE_TTL;
            }
        }
        let codes = Arc::new(codes);
        *cached = Some(CachedCodes {
            codes: codes.clone(),
            until: Instant::now() + ttl,
        });
        codes
    }
}
