//! What auth says of members: who joined gets an account.

use kernel::MemberId;
use messaging::consumer::{self, ConsumerSpec, HandlerError};
use messaging::{Amqp, Event};
use prost::Message;
use proto::auth::v1::MemberJoined;
use tokio_util::sync::CancellationToken;

use crate::store::Store;

const JOINED: ConsumerSpec = ConsumerSpec {
    queue: "trading.auth-events",
    bindings: &["auth.member.joined.v1"],
    prefetch: 12,
};

/// Opens the accounts of members who joined, until `shutdown`.
pub(crate) async fn follow(store: Store, amqp: Amqp, shutdown: CancellationToken) {
    let handler = |event: Event| {
        let store = store.clone();
        async move {
            let joined = MemberJoined::decode(event.body)?;
            store
                .open_for_joined(event.event_id, MemberId(joined.member_id))
                .await
                .map_err(HandlerError::from)
        }
    };
    consumer::run(amqp, JOINED, handler, shutdown).await;
}
