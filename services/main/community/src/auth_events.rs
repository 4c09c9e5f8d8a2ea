//! What auth says of members: when they joined, which limits what they write at first, and that they
//! left for good, which it does not send yet (`DELETE /api/v1/member/{memberSid}` will).

use kernel::MemberId;
use messaging::consumer::{self, ConsumerSpec, HandlerError};
use messaging::{Amqp, Event};
use prost::Message;
use proto::auth::v1::{MemberErased, MemberJoined};
use proto::convert::to_instant;
use tokio_util::sync::CancellationToken;

use crate::error::CommunityError;
use crate::store::{NewErasure, Store};

pub const JOINED: &str = "auth.member.joined.v1";
pub const ERASED: &str = "auth.member.erased.v1";

pub const QUEUE: &str = "community.auth-events";
/// A queue of its own, because the release before takes every event of the other for a joining.
pub const ERASURES_QUEUE: &str = "community.erased-members";

/// Handles the joinings that arrive in `queue` until `shutdown`.
pub async fn follow(store: Store, amqp: Amqp, queue: &'static str, shutdown: CancellationToken) {
    let spec = ConsumerSpec {
        queue,
        bindings: &[JOINED],
        prefetch: 12,
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

/// Handles the erasures that arrive in `queue` until `shutdown`.
pub async fn follow_erasures(
    store: Store,
    amqp: Amqp,
    queue: &'static str,
    shutdown: CancellationToken,
) {
    let spec = ConsumerSpec {
        queue,
        bindings: &[ERASED],
        prefetch: 8,
    };
    let handler = |event: Event| {
        let store = store.clone();
        async move {
            let erased = MemberErased::decode(event.body)?;
            erase(&store, &erased).await.map_err(HandlerError::from)
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

/// Notes that a member left, in a row that stays; [`crate::erasure`] does the rest. Idempotent.
///
/// # Errors
/// [`CommunityError::Malformed`], also for the operator, and those of the database.
pub async fn erase(store: &Store, erased: &MemberErased) -> Result<(), CommunityError> {
    let member = MemberId(erased.member_id);
    let erased_at = to_instant(erased.erased_at_us, "erased_at_us");
    let erased_at = erased_at
        .ok()
        .filter(|_| member.0 > 0 && member != MemberId::OPERATOR);
    let erasure = NewErasure {
        member,
        deletes_content: erased.delete_content,
        erased_at: erased_at.ok_or(CommunityError::Malformed)?,
    };
    store.note_erasure(&erasure).await
}
