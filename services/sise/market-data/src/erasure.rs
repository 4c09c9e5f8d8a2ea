//! Deletes what members who left for good have here, for `auth.member.erased.v1`. Auth does not send it
//! yet: `DELETE /api/v1/member/{memberSid}` will. A request under way, or with a token that is still good,
//! may write for them afterwards, so the cleaning does it once more.

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

/// Notes that a member left, and deletes what they have. What is gone is not found again, so a
/// redelivery goes on where this stopped.
///
/// # Errors
/// [`MarketError::Database`].
pub async fn erase(store: &Store, clock: &dyn Clock, member: MemberId) -> Result<(), MarketError> {
    store.note_erasure(member, clock).await?;
    delete_everything(store, clock, member).await
}

/// Deletes what was written for members after they had left, and finishes their erasures. One of which
/// something is left stays for the next round.
///
/// # Errors
/// [`MarketError::Database`].
pub async fn finish(store: &Store, clock: &dyn Clock) -> Result<u64, MarketError> {
    let mut finished = 0;
    loop {
        let before = finished;
        for member in store.erasures_to_finish(clock).await? {
            delete_everything(store, clock, member).await?;
            finished += u64::from(store.finish_erasure(member, clock).await?);
        }
        if finished == before {
            return Ok(finished);
        }
    }
}

async fn delete_everything(
    store: &Store,
    clock: &dyn Clock,
    member: MemberId,
) -> Result<(), MarketError> {
    delete_alerts(store, clock, member).await?;
    while store.erase_slices(member).await? {}
    Ok(())
}

/// Also those that fired, each in a transaction of its own, which tells the watcher.
async fn delete_alerts(
    store: &Store,
    clock: &dyn Clock,
    member: MemberId,
) -> Result<(), MarketError> {
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
