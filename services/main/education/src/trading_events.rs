//! What trading says of purchases: streak freezes to deliver.

use kernel::MemberId;
use messaging::consumer::{self, ConsumerSpec, HandlerError};
use messaging::{Amqp, Event};
use prost::Message;
use proto::trading::v1::ItemPurchased;
use tokio_util::sync::CancellationToken;

use crate::error::StudyError;
use crate::store::{BoughtFreezes, Store};

pub const PURCHASED: &str = "trading.item.purchased.v1";

pub const QUEUE: &str = "education.trading-events";

/// The category of freezes; other items are no matter of this service.
const FREEZE: &str = "STREAK_FREEZE";

/// Handles the events that arrive in `queue` until `shutdown`.
pub async fn follow(store: Store, amqp: Amqp, queue: &'static str, shutdown: CancellationToken) {
    let spec = ConsumerSpec {
        queue,
        bindings: &[PURCHASED],
        prefetch: 8,
    };
    let handler = |event: Event| {
        let store = store.clone();
        async move {
            let item = ItemPurchased::decode(event.body)?;
            deliver(&store, &item).await.map_err(HandlerError::from)
        }
    };
    consumer::run(amqp, spec, handler, shutdown).await;
}

/// Delivers what is delivered here. Idempotent.
///
/// # Errors
/// [`StudyError::Malformed`], and those of the database.
pub async fn deliver(store: &Store, item: &ItemPurchased) -> Result<(), StudyError> {
    if item.category != FREEZE {
        return Ok(());
    }
    let quantity = i16::try_from(item.quantity).ok().filter(|count| *count > 0);
    let bought = BoughtFreezes {
        purchase_id: item.purchase_id,
        member: MemberId(item.member_id),
        quantity: quantity.ok_or(StudyError::Malformed)?,
    };
    if bought.purchase_id <= 0 || item.member_id <= 0 {
        return Err(StudyError::Malformed);
    }
    store.add_bought_freezes(bought).await
}
