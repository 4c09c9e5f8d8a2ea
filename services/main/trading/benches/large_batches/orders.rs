//! Orders of other members at an even pace, while something large is done or nothing is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use kernel::{Currency, MarketCode, MemberId, Price, Quantity, RequestId, WarningCode};
use market_rules::TickClass;
use rust_decimal::Decimal;
use trading::accounts::open::AccountChoice;
use trading::domain::market::{Listing, TradingSession};
use trading::orders::committer::Committer;
use trading::orders::order::Side;
use trading::orders::place::PlaceOrder;
use trading::orders::validation::{Category, OrderRequest, OrderSize};
use trading::store::Store;
use trading::store::request::{RequestDigest, RequestKind};
use trading::tick_log::{LogRecord, Tick};

use super::book::{DAY, opening};

/// What others trade.
const ELSEWHERE: &str = "KRW-BTC";

/// Until when orders are placed.
pub(crate) enum Until {
    Time(Instant),
    /// Something is no longer under way.
    Over(Arc<AtomicBool>),
}

impl Until {
    pub(crate) fn elapsed(time: Duration) -> Self {
        Self::Time(Instant::now() + time)
    }

    fn has_come(&self) -> bool {
        match self {
            Self::Time(time) => Instant::now() >= *time,
            Self::Over(under_way) => !under_way.load(Ordering::Relaxed),
        }
    }
}

/// Orders of other members at an even pace: microseconds from when each was due.
pub(crate) fn placing(
    store: &Store,
    pace: u64,
    until: Until,
    run: i64,
) -> impl Future<Output = Vec<u128>> + use<> {
    let committer = Committer::start(store);
    async move {
        let mut ticker = tokio::time::interval(Duration::from_millis(1_000 / pace));
        let mut orders = tokio::task::JoinSet::new();
        let mut number = 0;
        while !until.has_come() {
            ticker.tick().await;
            number += 1;
            let request = order(run * 1_000_000 + number);
            let committer = committer.clone();
            orders.spawn(async move {
                let due = Instant::now();
                committer.place(request).await.unwrap();
                due.elapsed().as_micros()
            });
        }
        orders.join_all().await
    }
}

fn order(number: i64) -> PlaceOrder {
    PlaceOrder {
        member_id: MemberId(900_000_000 + number % 500),
        account: AccountChoice::Basic,
        request_id: RequestId::parse(&format!("large-batch-{number}")).unwrap(),
        digest: RequestDigest::new(RequestKind::Place, &()),
        instrument_code: ELSEWHERE.to_owned(),
        order: OrderRequest {
            side: Side::Buy,
            category: Category::Coin,
            price: Some(Price(Decimal::from(100_000_000))),
            size: OrderSize::Quantity(Quantity(Decimal::new(1, 4))),
            seen_price: None,
            risk_acknowledged: true,
        },
        trace: None,
        deadline: None,
    }
}

pub(crate) fn coin() -> Listing {
    Listing {
        code: ELSEWHERE.to_owned(),
        name: "비트코인".to_owned(),
        market: MarketCode::Coin,
        currency: Currency::Krw,
        tick_class: TickClass::UpbitKrw,
        warning: WarningCode::None,
        tradable: true,
    }
}

pub(crate) fn coin_tick() -> LogRecord {
    let price = Price(Decimal::from(150_000_000));
    LogRecord::Tick(Tick {
        code: ELSEWHERE.to_owned(),
        market: MarketCode::Coin,
        seq: 1,
        time: opening(),
        trading_day: DAY,
        price,
        prev_close: price,
        bid: None,
        ask: None,
        bid_size: None,
        ask_size: None,
        volume: Some(Quantity(Decimal::from(1))),
        day_volume: None,
        fx_rate: None,
        session: TradingSession::Open,
    })
}
