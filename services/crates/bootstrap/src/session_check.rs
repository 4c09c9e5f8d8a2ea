//! Whether a session has ended: from the list in Redis while it is confirmed, otherwise from auth.

use std::collections::HashSet;

use proto::auth::v1::auth_service_client::AuthServiceClient;
use proto::auth::v1::{CheckSessionRequest, CheckSessionsRequest};

use crate::ended_sessions::{EndedSessions, Listing};
use crate::grpc;
use crate::redis::Redis;

/// Sessions per call.
const BATCH: usize = 1_000;

/// Cheap to clone.
#[derive(Clone)]
pub struct SessionCheck {
    list: EndedSessions,
    auth: AuthServiceClient<grpc::Client>,
}

impl SessionCheck {
    #[must_use]
    pub fn new(auth: grpc::Client, redis: Redis) -> Self {
        Self {
            list: EndedSessions::new(redis),
            auth: AuthServiceClient::new(auth),
        }
    }

    /// `None` when neither Redis nor auth can tell.
    pub async fn has_ended(&self, session: &str) -> Option<bool> {
        let session_id = session.to_owned();
        let listed = self.list.look_up(std::slice::from_ref(&session_id)).await;
        let listing = listed.first().copied().unwrap_or(Listing::Unknown);
        if let Some(has_ended) = definitive(listing) {
            return Some(has_ended);
        }
        let request = CheckSessionRequest { session_id };
        match self.auth.clone().check_session(request).await {
            Ok(answer) => Some(!answer.into_inner().alive),
            Err(_silent) => without_auth(listing),
        }
    }

    /// As [`Self::has_ended`] for each of `sessions`, a thousand per round trip.
    pub async fn have_ended(&self, sessions: &[String]) -> Vec<Option<bool>> {
        let mut answers = Vec::with_capacity(sessions.len());
        for slice in sessions.chunks(BATCH) {
            let listed = self.list.look_up(slice).await;
            let unlisted: Vec<String> = std::iter::zip(slice, &listed)
                .filter(|(_, listing)| definitive(**listing).is_none())
                .map(|(session, _)| session.clone())
                .collect();
            let alive = self.alive_in_auth(unlisted).await;
            let of = |(session, listing): (&String, &Listing)| {
                definitive(*listing).or_else(|| match &alive {
                    Some(alive) => Some(!alive.contains(session)),
                    None => without_auth(*listing),
                })
            };
            answers.extend(std::iter::zip(slice, &listed).map(of));
        }
        answers
    }

    /// The sessions that are alive; `None` if auth does not respond.
    async fn alive_in_auth(&self, session_ids: Vec<String>) -> Option<HashSet<String>> {
        if session_ids.is_empty() {
            return Some(HashSet::new());
        }
        let request = CheckSessionsRequest { session_ids };
        let answer = self.auth.clone().check_sessions(request).await;
        Some(
            answer
                .ok()?
                .into_inner()
                .alive_session_ids
                .into_iter()
                .collect(),
        )
    }
}

/// The result if the list alone decides.
fn definitive(listing: Listing) -> Option<bool> {
    match listing {
        Listing::Ended => Some(true),
        Listing::Alive => Some(false),
        Listing::Stale | Listing::Unknown => None,
    }
}

/// The result without auth: only auth ends sessions, so a list that was complete when auth stopped
/// lacks hardly any.
fn without_auth(listing: Listing) -> Option<bool> {
    (listing == Listing::Stale).then_some(false)
}
