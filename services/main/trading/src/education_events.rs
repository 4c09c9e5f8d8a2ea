//! What education says of members: points to credit, and how many freezes are held.

use messaging::consumer::{self, ConsumerSpec, HandlerError};
use messaging::{Amqp, Event};
use prost::Message;
use proto::education::v1::{FreezesChanged, PointsEarned};
use tokio_util::sync::CancellationToken;

use crate::items::freezes;
use crate::points::earn::{self, EarnedPoints};
use crate::store::Store;

pub const QUEUE: &str = "trading.education-events";

/// Handles the events that arrive in `queue` until `shutdown`.
pub async fn follow(store: Store, amqp: Amqp, queue: &'static str, shutdown: CancellationToken) {
    let spec = ConsumerSpec {
        queue,
        bindings: &[earn::EARNED, freezes::CHANGED],
        prefetch: 8,
    };
    let handler = |event: Event| {
        let store = store.clone();
        async move { handle(&store, event).await }
    };
    consumer::run(amqp, spec, handler, shutdown).await;
}

async fn handle(store: &Store, event: Event) -> Result<(), HandlerError> {
    let id = event.event_id;
    let handled = match event.event_type.as_str() {
        earn::EARNED => {
            let earned = PointsEarned::decode(event.body)?;
            let earned = EarnedPoints::try_from(earned).map_err(HandlerError::failed)?;
            store.credit_points(id, &earned).await
        }
        freezes::CHANGED => {
            let changed = FreezesChanged::decode(event.body)?;
            store.note_freezes(id, &changed).await
        }
        other => {
            return Err(HandlerError::Failed(format!(
                "no event of education: {other}"
            )));
        }
    };
    handled.map_err(HandlerError::from)
}
