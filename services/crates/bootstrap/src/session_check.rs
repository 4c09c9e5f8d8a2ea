//! Whether a session has ended: the list in Redis while auth vouches for it, and otherwise auth.

use std::collections::HashSet;

use proto::auth::v1::auth_service_client::AuthServiceClient;
use proto::auth::v1::{CheckSessionRequest, CheckSessionsRequest};

use crate::ended_sessions::{EndedSessions, Listing};
use crate::grpc;
use crate::redis::Redis;

/// Sessions that are asked about in one call.
const MOST_ASKED: usize = 1_000;

/// Asks about one session for each token, or about many that are known already. Cheap to clone.
#[derive(Clone)]
pub struct SessionCheck {
    list: EndedSessions,
    auth: AuthServiceClient<grpc::Client>,
}

impl SessionCheck {
    /// Believes the list in `redis` and the auth service behind `auth`.
    #[must_use]
    pub fn new(auth: grpc::Client, redis: Redis) -> Self {
        Self {
            list: EndedSessions::new(redis),
            auth: AuthServiceClient::new(auth),
        }
    }

    /// Whether the session has ended. `None` when nobody can say.
    pub async fn has_ended(&self, session: &str) -> Option<bool> {
        let session_id = session.to_owned();
        let listed = self.list.look_up(std::slice::from_ref(&session_id)).await;
        let listing = listed.first().copied().unwrap_or(Listing::Unknown);
        if let Some(has_ended) = known(listing) {
            return Some(has_ended);
        }
        let request = CheckSessionRequest { session_id };
        match self.auth.clone().check_session(request).await {
            Ok(answer) => Some(!answer.into_inner().alive),
            Err(_silent) => believed(listing),
        }
    }

    /// The same for each of `sessions`, a thousand to a round trip.
    pub async fn have_ended(&self, sessions: &[String]) -> Vec<Option<bool>> {
        let mut answers = Vec::with_capacity(sessions.len());
        for slice in sessions.chunks(MOST_ASKED) {
            let listed = self.list.look_up(slice).await;
            let unlisted: Vec<String> = std::iter::zip(slice, &listed)
                .filter(|(_, listing)| known(**listing).is_none())
                .map(|(session, _)| session.clone())
                .collect();
            let alive = self.ask_auth(unlisted).await;
            let of = |(session, listing): (&String, &Listing)| {
                known(*listing).or_else(|| match &alive {
                    Some(alive) => Some(!alive.contains(session)),
                    None => believed(*listing),
                })
            };
            answers.extend(std::iter::zip(slice, &listed).map(of));
        }
        answers
    }

    /// Those that go on; `None` while auth is silent.
    async fn ask_auth(&self, session_ids: Vec<String>) -> Option<HashSet<String>> {
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

/// What the list says for sure.
fn known(listing: Listing) -> Option<bool> {
    match listing {
        Listing::Ended => Some(true),
        Listing::Alive => Some(false),
        Listing::Stale | Listing::Unknown => None,
    }
}

/// What to make of the list while auth is silent: only auth ends sessions, so hardly any can be
/// missing on a list that was whole.
fn believed(listing: Listing) -> Option<bool> {
    (listing == Listing::Stale).then_some(false)
}
