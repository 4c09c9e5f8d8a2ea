//! The private channel of one socket: its member's fills, each once and in order, and notices of new
//! notifications, until the token expires or its session ends.

use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bootstrap::grpc;
use bootstrap::session_check::SessionCheck;
use messaging::backoff::Backoff;
use proto::trading::v1::trading_service_client::TradingServiceClient;
use proto::trading::v1::{ListMemberFillsRequest, MemberFills};
use tonic::{Response, Status};

use crate::Edge;
use crate::fills::{FillPush, FillSignal, FillSubscription, Sequence, SequenceCheck};
use crate::protocol::AuthFailure;
use crate::tokens::Identity;

const MAX_RETRY_DELAY: Duration = Duration::from_secs(10);

/// The list of ended sessions is complete within less than this. A session that ended just before
/// the member was authenticated and was missing from the list is found by a second check.
const SESSION_RECHECK_DELAY: Duration = Duration::from_secs(7);

/// Spreads the fetches of sockets that were notified together.
const FETCH_JITTER: Duration = Duration::from_secs(1);

type Pending<T> = Pin<Box<dyn Future<Output = T>>>;
type Fills = Result<Response<MemberFills>, Status>;

pub(crate) struct PrivateChannel {
    trading: TradingServiceClient<grpc::Client>,
    /// Who the newest token names.
    identity: Identity,
    subscription: FillSubscription,
    sequence: Sequence,
    expires_at: Instant,
    /// The second check of the session.
    session_recheck: Option<Pending<bool>>,
    fetch: Option<Pending<Fills>>,
    fetch_at: Option<Instant>,
    backoff: Backoff,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ChannelEvent {
    Nothing,
    /// Fills, oldest first, after a gap that trading no longer lists.
    Fills {
        gap: Option<(i64, i64)>,
        fills: Vec<FillPush>,
        /// False when they were fetched from trading.
        is_live: bool,
    },
    /// A new notification, as one element of a payload.
    Notice(Arc<str>),
    Closed(AuthFailure),
}

/// A member with a valid token and session.
pub(crate) struct Authenticated {
    pub(crate) identity: Identity,
    /// `None` when the socket has a channel of the same session, which is subscribed already.
    pub(crate) subscription: Option<FillSubscription>,
}

/// `open` is whose channel the socket has.
pub(crate) async fn authenticate(
    edge: Arc<Edge>,
    token: String,
    open: Option<Identity>,
) -> Result<Authenticated, AuthFailure> {
    let identity = edge.tokens.identify(&token).await?;
    let (member_id, session_id) = (identity.member_id, identity.session_id);
    let is_open =
        open.is_some_and(|open| (open.member_id, open.session_id) == (member_id, session_id));
    // Subscribed before the session is checked, so that its end cannot be missed.
    let subscription = (!is_open).then(|| edge.fills.subscribe(member_id, session_id));
    match edge.sessions.has_ended(&session_id.to_string()).await {
        Some(false) => {}
        Some(true) => return Err(AuthFailure::Invalid),
        None => return Err(AuthFailure::Unavailable),
    }
    // Every new channel makes trading list fills.
    let is_admitted = subscription
        .as_ref()
        .is_none_or(|new| edge.rate_limits.allow_channel(member_id) && new.admit());
    if !is_admitted {
        metrics::counter!("edge_channels_limited_total").increment(1);
        return Err(AuthFailure::Unavailable);
    }
    Ok(Authenticated {
        identity,
        subscription,
    })
}

impl PrivateChannel {
    /// `after` is the newest fill that the client has.
    pub(crate) fn open(
        edge: &Edge,
        identity: Identity,
        subscription: FillSubscription,
        after: Option<i64>,
    ) -> Self {
        let remaining = edge.tokens.remaining(identity);
        let session = identity.session_id.to_string();
        Self {
            trading: edge.trading.clone(),
            identity,
            subscription,
            sequence: Sequence::after(after),
            expires_at: Instant::now() + remaining,
            session_recheck: Some(Box::pin(recheck_session(edge.sessions.clone(), session))),
            fetch: None,
            fetch_at: Some(Instant::now()),
            backoff: Backoff::new(Duration::from_millis(500), MAX_RETRY_DELAY),
        }
    }

    /// Continues until a newer token of the same session expires.
    pub(crate) fn prolong(&mut self, edge: &Edge, identity: Identity) {
        self.identity = identity;
        self.expires_at = Instant::now() + edge.tokens.remaining(identity);
    }

    pub(crate) fn identity(&self) -> Identity {
        self.identity
    }

    /// The newest fill that was sent or need not be sent.
    pub(crate) fn last_seq(&self) -> Option<i64> {
        self.sequence.last()
    }

    /// Cancel safe.
    pub(crate) async fn next(&mut self) -> ChannelEvent {
        let is_fetching = self.fetch.is_some();
        let fetch_at = self.fetch_at.unwrap_or(self.expires_at);
        tokio::select! {
            () = tokio::time::sleep_until(self.expires_at.into()) => {
                ChannelEvent::Closed(AuthFailure::Expired)
            }
            has_ended = completed(&mut self.session_recheck) => {
                self.session_recheck = None;
                if has_ended {
                    ChannelEvent::Closed(AuthFailure::Invalid)
                } else {
                    ChannelEvent::Nothing
                }
            }
            answer = completed(&mut self.fetch) => self.on_fetched(answer),
            signal = self.subscription.next() => self.on_signal(signal),
            () = tokio::time::sleep_until(fetch_at.into()), if !is_fetching && self.fetch_at.is_some() => {
                self.start_fetch();
                ChannelEvent::Nothing
            }
        }
    }

    fn start_fetch(&mut self) {
        let mut trading = self.trading.clone();
        let request = ListMemberFillsRequest {
            member_id: self.identity.member_id,
            after_seq: self.sequence.fetch_after(),
        };
        self.fetch_at = None;
        self.fetch = Some(Box::pin(
            async move { trading.list_member_fills(request).await },
        ));
    }

    fn on_fetched(&mut self, answer: Fills) -> ChannelEvent {
        self.fetch = None;
        match answer {
            Ok(answer) => {
                self.backoff.reset();
                let caught_up = self.sequence.catch_up(answer.get_ref());
                ChannelEvent::Fills {
                    gap: caught_up.gap,
                    fills: caught_up.fills,
                    is_live: false,
                }
            }
            Err(status) => {
                tracing::warn!(code = ?status.code(), "Missed fills could not be fetched");
                self.fetch_at = Some(Instant::now() + self.backoff.next_delay());
                ChannelEvent::Nothing
            }
        }
    }

    fn on_signal(&mut self, signal: FillSignal) -> ChannelEvent {
        let fill = match signal {
            FillSignal::Fill(fill) => fill,
            FillSignal::Notice(notice) => return ChannelEvent::Notice(notice),
            FillSignal::SessionEnded => return ChannelEvent::Closed(AuthFailure::Invalid),
            FillSignal::Missed => {
                // All sockets get this signal at once; the jitter spreads their fetches.
                let pause = Backoff::new(FETCH_JITTER, FETCH_JITTER).next_delay();
                self.fetch_at.get_or_insert(Instant::now() + pause);
                return ChannelEvent::Nothing;
            }
        };
        match self.sequence.check(fill.seq) {
            SequenceCheck::Duplicate => ChannelEvent::Nothing,
            SequenceCheck::Next => ChannelEvent::Fills {
                gap: None,
                fills: vec![fill],
                is_live: true,
            },
            SequenceCheck::Gap => {
                // Fetch again after the current fetch, which may be older than this fill.
                self.fetch_at = Some(Instant::now());
                ChannelEvent::Nothing
            }
        }
    }
}

async fn completed<T>(pending: &mut Option<Pending<T>>) -> T {
    match pending {
        Some(pending) => pending.await,
        None => std::future::pending().await,
    }
}

/// Checks the session again, and retries while its state is unknown.
async fn recheck_session(sessions: SessionCheck, session: String) -> bool {
    loop {
        tokio::time::sleep(SESSION_RECHECK_DELAY).await;
        if let Some(has_ended) = sessions.has_ended(&session).await {
            return has_ended;
        }
    }
}
