//! What trading says of purchases: items to wear.

use kernel::MemberId;
use messaging::consumer::{self, ConsumerSpec, HandlerError};
use messaging::{Amqp, Event};
use prost::Message;
use proto::trading::v1::ItemPurchased;
use tokio_util::sync::CancellationToken;

use crate::domain::Slot;
use crate::store::Store;

pub const PURCHASED: &str = "trading.item.purchased.v1";

pub const QUEUE: &str = "auth.trading-events";

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
            // Packs, tickets and freezes are not worn.
            let Some(slot) = Slot::parse(&item.slot) else {
                return Ok(());
            };
            let member = MemberId(item.member_id);
            store
                .own_wearable(member, slot, &item.picture)
                .await
                .map_err(HandlerError::from)
        }
    };
    consumer::run(amqp, spec, handler, shutdown).await;
}
