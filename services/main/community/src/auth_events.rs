//! What auth says of members: when they joined, which limits what they write at first.

use kernel::MemberId;
use messaging::consumer::{self, ConsumerSpec, HandlerError};
use messaging::{Amqp, Event};
use prost::Message;
use proto::auth::v1::MemberJoined;
use proto::convert::to_instant;
use tokio_util::sync::CancellationToken;

use crate::error::CommunityError;
use crate::store::Store;

pub const JOINED: &str = "auth.member.joined.v1";

pub const QUEUE: &str = "community.auth-events";

/// Handles the events that arrive in `queue` until `shutdown`.
pub async fn follow(store: Store, amqp: Amqp, queue: &'static str, shutdown: CancellationToken) {
    let spec = ConsumerSpec {
        queue,
        bindings: &[JOINED],
        prefetch: 50,
    };
    let handler = |event: Event| {
        let store = store.clone();
        async move {
            let joined = MemberJoined::decode(event.body)?;
            keep(&store, &joined).await.map_err(HandlerError::from)
        }
    };
    consumer::run(amqp, spec, handler, shutdown).await;
}

/// Idempotent.
///
/// # Errors
/// [`CommunityError::Malformed`], and those of the database.
pub async fn keep(store: &Store, joined: &MemberJoined) -> Result<(), CommunityError> {
    let joined_at = to_instant(joined.joined_at_us, "joined_at_us");
    let joined_at = joined_at.ok().filter(|_| joined.member_id > 0);
    let joined_at = joined_at.ok_or(CommunityError::Malformed)?;
    store
        .keep_member(MemberId(joined.member_id), joined_at)
        .await
}
