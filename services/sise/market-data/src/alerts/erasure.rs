//! Deletes the alerts of members who left for good, for `auth.member.erased.v1`. Auth does not send it
//! yet: `DELETE /api/v1/member/{memberSid}` will.

use std::sync::Arc;

use kernel::{Clock, MemberId};
use messaging::consumer::{self, ConsumerSpec, HandlerError};
use messaging::{Amqp, Event};
use prost::Message;
use proto::auth::v1::MemberErased;
use tokio_util::sync::CancellationToken;

use crate::error::MarketError;
use crate::store::Store;

const ERASURES: ConsumerSpec = ConsumerSpec {
    queue: "market.erased-members",
    bindings: &["auth.member.erased.v1"],
    prefetch: 8,
};

/// Handles the erasures that arrive until `shutdown`.
pub async fn run(amqp: Amqp, store: Store, clock: Arc<dyn Clock>, shutdown: CancellationToken) {
    let handler = move |event: Event| {
        let (store, clock) = (store.clone(), Arc::clone(&clock));
        async move {
            let erased = MemberErased::decode(event.body)?;
            erase(&store, clock.as_ref(), MemberId(erased.member_id))
                .await
                .map_err(HandlerError::from)
        }
    };
    consumer::run(amqp, ERASURES, handler, shutdown).await;
}

/// Deletes all alerts of a member, also those that fired, each in a transaction of its own. What is
/// gone is not found again, so a redelivery goes on where this stopped.
///
/// # Errors
/// [`MarketError::Database`].
pub async fn erase(store: &Store, clock: &dyn Clock, member: MemberId) -> Result<(), MarketError> {
    loop {
        let alerts = store.alerts_to_erase(member).await?;
        if alerts.is_empty() {
            return Ok(());
        }
        for alert in alerts {
            match store.delete_alert(member, alert, clock).await {
                // The member, or a clean-up, was faster.
                Ok(()) | Err(MarketError::AlertNotFound { .. }) => {}
                Err(error) => return Err(error),
            }
        }
    }
}
