//! Consumes `auth.session.ended.v1` in every edge and closes the private channels of the session.

use std::sync::Arc;
use std::time::Duration;

use bootstrap::session_check::SessionCheck;
use messaging::Amqp;
use messaging::consumer::{self, Broadcast};
use prost::Message;
use proto::auth::v1::SessionEnded;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::fills::FillHub;

const EVENTS: &[&str] = &["auth.session.ended.v1"];

/// Retry interval while the ended sessions are unknown.
const RETRY_INTERVAL: Duration = Duration::from_secs(2);

pub(crate) async fn run(
    amqp: Amqp,
    hub: Arc<FillHub>,
    sessions: SessionCheck,
    shutdown: CancellationToken,
) {
    let missed = Notify::new();
    let handler = |message: Broadcast| {
        match message {
            Broadcast::Connected => missed.notify_one(),
            Broadcast::Event(event) => match decode(&event.body) {
                Some((member_id, session_id)) => hub.end_session(member_id, session_id),
                None => {
                    tracing::error!(event_id = %event.event_id, "Session event could not be decoded");
                }
            },
        }
        std::future::ready(())
    };
    let checking_missed = async {
        loop {
            missed.notified().await;
            while !end_missed_sessions(&hub, &sessions).await {
                tokio::time::sleep(RETRY_INTERVAL).await;
            }
        }
    };
    tokio::select! {
        () = consumer::run_broadcast(amqp, EVENTS, handler, shutdown) => {}
        () = checking_missed => {}
    }
}

fn decode(body: &[u8]) -> Option<(i64, Uuid)> {
    let ended = SessionEnded::decode(body).ok()?;
    Some((ended.member_id, ended.session_id.parse().ok()?))
}

/// Closes the channels of sessions that ended while the consumer was disconnected; `false` if some
/// could not be checked.
async fn end_missed_sessions(hub: &FillHub, sessions: &SessionCheck) -> bool {
    let open: Vec<_> = hub.sessions().into_iter().collect();
    let names: Vec<String> = open
        .iter()
        .map(|(_, session)| session.to_string())
        .collect();
    let answers = sessions.have_ended(&names).await;
    for ((member_id, session_id), has_ended) in std::iter::zip(open, &answers) {
        if *has_ended == Some(true) {
            hub.end_session(member_id, session_id);
        }
    }
    answers.iter().all(Option::is_some)
}
