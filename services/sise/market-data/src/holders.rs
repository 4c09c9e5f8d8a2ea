//! Consumes fills and ended holdings to count the holders of each item. Only popular lists use the
//! counts, so a lost event affects at most a position in a list.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use kernel::{Clock, MemberId};
use messaging::Amqp;
use messaging::consumer::{self, ConsumerSpec};
use messaging::event::Event;
use prost::Message;
use proto::convert::{to_instant, to_required_decimal};
use proto::trading::v1::{HoldingEnded, OrderFilled, OrderSide};
use tokio_util::sync::CancellationToken;

use crate::error::MarketError;
use crate::store::{HoldingChange, Store};

const FILLS: ConsumerSpec = ConsumerSpec {
    queue: "market.holders",
    bindings: &["trading.order.filled.v1"],
    prefetch: 12,
};
/// A queue of its own, because the release before reads nothing but fills from the other.
const ENDED_HOLDINGS: ConsumerSpec = ConsumerSpec {
    queue: "market.ended-holdings",
    bindings: &[ENDED],
    prefetch: 12,
};

const ENDED: &str = "trading.holding.ended.v1";

const SPLIT_INTERVAL: Duration = Duration::from_secs(5);
/// Rows per transaction: about ten milliseconds.
const SPLIT_BATCH_ROWS: i64 = 1_000;

pub async fn run(amqp: Amqp, store: Store, clock: Arc<dyn Clock>, shutdown: CancellationToken) {
    let handler = move |event: Event| {
        let (store, clock) = (store.clone(), Arc::clone(&clock));
        async move { record(&store, clock.as_ref(), event).await }
    };
    let fills = consumer::run(amqp.clone(), FILLS, handler.clone(), shutdown.clone());
    let ended = consumer::run(amqp, ENDED_HOLDINGS, handler, shutdown);
    tokio::join!(fills, ended);
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

/// Records one fill, or what a member no longer owns.
///
/// # Errors
/// [`MarketError`] when the event cannot be decoded or stored.
pub async fn record(store: &Store, clock: &dyn Clock, event: Event) -> Result<(), MarketError> {
    let change = match event.event_type.as_str() {
        ENDED => of_ended(event.body)?,
        _ => of_fill(event.body)?,
    };
    store
        .record_holding_change(event.event_id, &change, clock)
        .await
}

fn of_fill(body: Bytes) -> Result<HoldingChange, MarketError> {
    let unreadable = |what: &str| MarketError::Internal(format!("a fill event without {what}"));
    let filled = OrderFilled::decode(body).map_err(unreadable_event)?;
    let notice = filled.notice.ok_or_else(|| unreadable("a notice"))?;
    let order = notice.order.ok_or_else(|| unreadable("an order"))?;
    let fill = notice.fill.ok_or_else(|| unreadable("a fill"))?;
    let quantity =
        to_required_decimal(fill.quantity.as_ref(), "quantity").map_err(unreadable_event)?;
    let quantity = match OrderSide::try_from(order.side) {
        Ok(OrderSide::Buy) => quantity,
        Ok(OrderSide::Sell) => -quantity,
        // A value of a newer version: the event goes to the dead letters.
        Ok(OrderSide::Unspecified) | Err(_) => return Err(unreadable("a side")),
    };
    Ok(HoldingChange {
        member: MemberId(notice.member_id),
        code: order.instrument_code,
        quantity,
        at: to_instant(fill.event_time_us, "event_time_us").map_err(unreadable_event)?,
    })
}

fn of_ended(body: Bytes) -> Result<HoldingChange, MarketError> {
    let ended = HoldingEnded::decode(body).map_err(unreadable_event)?;
    let quantity =
        to_required_decimal(ended.quantity.as_ref(), "quantity").map_err(unreadable_event)?;
    Ok(HoldingChange {
        member: MemberId(ended.member_id),
        code: ended.instrument_code,
        quantity: -quantity,
        at: to_instant(ended.ended_at_us, "ended_at_us").map_err(unreadable_event)?,
    })
}

fn unreadable_event(error: impl std::fmt::Display) -> MarketError {
    MarketError::Internal(format!("an event of a holding: {error}"))
}
