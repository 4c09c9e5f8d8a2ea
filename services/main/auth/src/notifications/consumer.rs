//! Reads the events that members are told of.

use messaging::consumer::{self, ConsumerSpec, HandlerError};
use messaging::{Amqp, Event};
use tokio_util::sync::CancellationToken;

use super::{edits, rules, withdrawals};
use crate::store::Store;

/// The queues of the service. What comes for many members at once, as at the end of a competition,
/// delays no other notification. Ends of orders, many at a close, may say that an order was filled.
pub const QUEUES: [ConsumerSpec; 8] = [
    ConsumerSpec {
        queue: "auth.order-notices",
        bindings: &[rules::ORDER_FILLED],
        prefetch: 12,
    },
    ConsumerSpec {
        queue: "auth.order-end-notices",
        bindings: &[rules::ORDER_ENDED],
        prefetch: 12,
    },
    ConsumerSpec {
        queue: "auth.community-notices",
        bindings: &[
            rules::COMMENT_WRITTEN,
            rules::POST_LIKED,
            rules::REPORT_DECIDED,
            rules::POST_HIDDEN,
        ],
        prefetch: 12,
    },
    ConsumerSpec {
        queue: "auth.notices",
        bindings: &[
            rules::ALERT_FIRED,
            rules::CONTRACT_MATURED,
            rules::CONTRACT_MISSED,
        ],
        prefetch: 12,
    },
    ConsumerSpec {
        queue: "auth.bulk-notices",
        bindings: &[
            rules::COMPETITION_STARTED,
            rules::COMPETITION_ENDED,
            rules::COMPETITION_RANKED,
            rules::STREAK_AT_RISK,
        ],
        prefetch: 12,
    },
    // The last three are read by no release that does not know their events.
    ConsumerSpec {
        queue: "auth.withdrawn-notices",
        bindings: &[withdrawals::COMMENT_WITHDRAWN, withdrawals::MEMBER_BLOCKED],
        prefetch: 12,
    },
    ConsumerSpec {
        queue: "auth.withdrawn-posts",
        bindings: &[withdrawals::POST_WITHDRAWN],
        prefetch: 12,
    },
    ConsumerSpec {
        queue: "auth.edited-notices",
        bindings: &[edits::COMMENT_EDITED],
        prefetch: 12,
    },
];

/// Handles the events that arrive in a queue until `shutdown`.
pub async fn follow(store: Store, amqp: Amqp, spec: ConsumerSpec, shutdown: CancellationToken) {
    let handler = |event: Event| {
        let store = store.clone();
        async move { tell(&store, &event).await }
    };
    consumer::run(amqp, spec, handler, shutdown).await;
}

/// Tells members of one event, or takes back or edits what they were told. Idempotent.
///
/// # Errors
/// For an event that does not say what it must, and those of the database.
pub async fn tell(store: &Store, event: &Event) -> Result<(), HandlerError> {
    // What is gone is not found again, so a redelivery goes on where this stopped.
    if let Some(post) = withdrawals::withdrawn_post(event)? {
        while store.withdraw_post(&post).await? {}
        return Ok(());
    }
    if let Some(withdrawals) = withdrawals::withdrawals(event)? {
        // Of each first a slice, which remembers it: what comes meanwhile is told nobody, also where one
        // of them fails before its end.
        let mut unfinished = Vec::new();
        for withdrawal in withdrawals {
            if store.withdraw(&withdrawal).await? {
                unfinished.push(withdrawal);
            }
        }
        for withdrawal in &unfinished {
            while store.withdraw(withdrawal).await? {}
        }
        return Ok(());
    }
    if let Some(edit) = edits::edit(event)? {
        store.edit_notices(&edit).await?;
        return Ok(());
    }
    let notices = rules::notices(event)?;
    if notices.is_empty() {
        return Ok(());
    }
    store
        .tell(event.event_id, event.occurred_at, notices)
        .await?;
    Ok(())
}
