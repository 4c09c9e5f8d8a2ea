//! Consumes fill events to count the holders of each item. Only popular lists use the counts, so a
//! lost event affects at most a position in a list.

use std::sync::Arc;
use std::time::Duration;

use kernel::{Clock, MemberId};
use messaging::Amqp;
use messaging::consumer::{self, ConsumerSpec};
use messaging::event::Event;
use prost::Message;
use proto::convert::{to_instant, to_required_decimal};
use proto::trading::v1::{OrderFilled, OrderSide};
use tokio_util::sync::CancellationToken;

use crate::error::MarketError;
use crate::store::Store;

const FILLS: ConsumerSpec = ConsumerSpec {
    queue: "market.holders",
    bindings: &["trading.order.filled.v1"],
    prefetch: 32,
};

const SPLIT_INTERVAL: Duration = Duration::from_secs(5);
/// Rows per transaction: about ten milliseconds.
const SPLIT_BATCH_ROWS: i64 = 1_000;

pub async fn run(amqp: Amqp, store: Store, clock: Arc<dyn Clock>, shutdown: CancellationToken) {
    let handler = move |event: Event| {
        let (store, clock) = (store.clone(), Arc::clone(&clock));
        async move { record(&store, clock.as_ref(), event).await }
    };
    consumer::run(amqp, FILLS, handler, shutdown).await;
}

/// Applies splits to the counted holdings until `shutdown`.
pub async fn apply_splits(store: Store, shutdown: CancellationToken) {
    let mut every = tokio::time::interval(SPLIT_INTERVAL);
    every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    while shutdown.run_until_cancelled(every.tick()).await.is_some() {
        match shutdown
            .run_until_cancelled(store.apply_splits_to_holders(SPLIT_BATCH_ROWS))
            .await
        {
            Some(Ok(0)) | None => {}
            Some(Ok(rows)) => tracing::info!(rows, "Applied splits to holdings"),
            Some(Err(error)) => {
                tracing::warn!(%error, "Splits could not be applied to holdings, retrying");
            }
        }
    }
}

/// Records one fill.
///
/// # Errors
/// [`MarketError`] when the event cannot be decoded or stored.
pub async fn record(store: &Store, clock: &dyn Clock, event: Event) -> Result<(), MarketError> {
    let unreadable = |what: &str| MarketError::Internal(format!("a fill event without {what}"));
    let filled = OrderFilled::decode(event.body)
        .map_err(|error| MarketError::Internal(format!("a fill event: {error}")))?;
    let notice = filled.notice.ok_or_else(|| unreadable("a notice"))?;
    let order = notice.order.ok_or_else(|| unreadable("an order"))?;
    let fill = notice.fill.ok_or_else(|| unreadable("a fill"))?;
    let quantity = to_required_decimal(fill.quantity.as_ref(), "quantity")
        .map_err(|error| MarketError::Internal(error.to_string()))?;
    let change = match OrderSide::try_from(order.side) {
        Ok(OrderSide::Buy) => quantity,
        Ok(OrderSide::Sell) => -quantity,
        // A value of a newer version: the event goes to the dead letters.
        Ok(OrderSide::Unspecified) | Err(_) => return Err(unreadable("a side")),
    };
    let filled_at = to_instant(fill.event_time_us, "event_time_us")
        .map_err(|error| MarketError::Internal(error.to_string()))?;
    let member = MemberId(notice.member_id);
    let code = &order.instrument_code;
    store
        .record_fill(event.event_id, member, code, change, filled_at, clock)
        .await
}
