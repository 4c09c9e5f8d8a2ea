//! `auth.session.ended.v1`, heard by every edge: the private channels of that session close.

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

/// Between two looks while nobody can say which sessions ended.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// Listens until `shutdown`.
pub(crate) async fn run(
    amqp: Amqp,
    hub: Arc<FillHub>,
    sessions: SessionCheck,
    shutdown: CancellationToken,
) {
    let missed = Notify::new();
    let handler = |told: Broadcast| {
        match told {
            Broadcast::Connected => missed.notify_one(),
            Broadcast::Event(event) => match ended(&event.body) {
                Some((member_id, session_id)) => hub.end_session(member_id, session_id),
                None => {
                    tracing::error!(event_id = %event.event_id, "An ended session cannot be read");
                }
            },
        }
        std::future::ready(())
    };
    let finding = async {
        loop {
            missed.notified().await;
            while !end_those_that_ended(&hub, &sessions).await {
                tokio::time::sleep(LOOK_AGAIN).await;
            }
        }
    };
    tokio::select! {
        () = consumer::run_broadcast(amqp, EVENTS, handler, shutdown) => {}
        () = finding => {}
    }
}

fn ended(body: &[u8]) -> Option<(i64, Uuid)> {
    let ended = SessionEnded::decode(body).ok()?;
    Some((ended.member_id, ended.session_id.parse().ok()?))
}

/// Finds what ended while nobody listened; `false` when not all of it could be asked for.
async fn end_those_that_ended(hub: &FillHub, sessions: &SessionCheck) -> bool {
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
