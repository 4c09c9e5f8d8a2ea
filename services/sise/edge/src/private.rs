//! The private channel of one socket: its member's fills, each once and in order, until the
//! token's time is up or its session ends.

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
use crate::fills::{FillPush, Registration, Sequence, Told, Verdict};
use crate::protocol::AuthFailure;
use crate::tokens::Identity;

/// The longest wait before trading is asked again.
const LONGEST_RETRY: Duration = Duration::from_secs(10);

/// Auth's word that no ended session is missing on the list holds for less than this. A session that
/// ended just before its member was let in, and was missing, is found then.
const LOOK_AGAIN: Duration = Duration::from_secs(7);

/// Over this time sockets that were told together ask.
const SPREAD: Duration = Duration::from_secs(1);

type Answer<T> = Pin<Box<dyn Future<Output = T>>>;
type Fills = Result<Response<MemberFills>, Status>;

/// The channel of one socket.
pub(crate) struct Private {
    trading: TradingServiceClient<grpc::Client>,
    ear: Registration,
    sequence: Sequence,
    expires_at: Instant,
    /// Whether the session had ended when its member was let in.
    looking: Option<Answer<bool>>,
    asking: Option<Answer<Fills>>,
    ask_at: Option<Instant>,
    backoff: Backoff,
}

/// What the channel has for its socket.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PrivateNews {
    /// Nothing to say.
    Nothing,
    /// Fills, oldest first, after a gap that cannot be filled.
    Fills {
        gap: Option<(i64, i64)>,
        fills: Vec<FillPush>,
        /// False when they were missed and fetched.
        is_live: bool,
    },
    /// The channel is over.
    Over(AuthFailure),
}

/// A member whose token and session are good, and who listens already.
pub(crate) struct Admitted {
    pub(crate) identity: Identity,
    ear: Registration,
}

/// Checks a token and the session it comes from.
pub(crate) async fn admit(edge: Arc<Edge>, token: String) -> Result<Admitted, AuthFailure> {
    let identity = edge.tokens.identify(&token).await?;
    // Listening begins before the session is asked after, so its end cannot fall in between.
    let ear = edge.fills.register(identity.member_id, identity.session_id);
    let session = identity.session_id.to_string();
    match edge.sessions.has_ended(&session).await {
        Some(false) => Ok(Admitted { identity, ear }),
        Some(true) => Err(AuthFailure::Invalid),
        None => Err(AuthFailure::Unavailable),
    }
}

impl Private {
    /// Opens the channel of a member who has seen the fills up to `after`.
    pub(crate) fn open(edge: &Edge, admitted: Admitted, after: Option<i64>) -> Self {
        let left = edge.tokens.left(admitted.identity);
        let session = admitted.identity.session_id.to_string();
        Self {
            trading: edge.trading.clone(),
            ear: admitted.ear,
            sequence: Sequence::after(after),
            expires_at: Instant::now() + left,
            looking: Some(Box::pin(look_again(edge.sessions.clone(), session))),
            asking: None,
            ask_at: Some(Instant::now()),
            backoff: Backoff::new(Duration::from_millis(500), LONGEST_RETRY),
        }
    }

    pub(crate) fn member_id(&self) -> i64 {
        self.ear.member_id()
    }

    /// The newest fill this socket was sent or need not be sent.
    pub(crate) fn seen(&self) -> Option<i64> {
        self.sequence.last()
    }

    /// The next news. Cancelling loses nothing.
    pub(crate) async fn next(&mut self) -> PrivateNews {
        let is_asking = self.asking.is_some();
        let ask_at = self.ask_at.unwrap_or(self.expires_at);
        tokio::select! {
            () = tokio::time::sleep_until(self.expires_at.into()) => {
                PrivateNews::Over(AuthFailure::Expired)
            }
            has_ended = answered(&mut self.looking) => {
                self.looking = None;
                if has_ended {
                    PrivateNews::Over(AuthFailure::Invalid)
                } else {
                    PrivateNews::Nothing
                }
            }
            answer = answered(&mut self.asking) => self.take_answer(answer),
            told = self.ear.next() => self.take_told(told),
            () = tokio::time::sleep_until(ask_at.into()), if !is_asking && self.ask_at.is_some() => {
                self.ask();
                PrivateNews::Nothing
            }
        }
    }

    fn ask(&mut self) {
        let mut trading = self.trading.clone();
        let request = ListMemberFillsRequest {
            member_id: self.member_id(),
            after_seq: self.sequence.ask_after(),
        };
        self.ask_at = None;
        self.asking = Some(Box::pin(
            async move { trading.list_member_fills(request).await },
        ));
    }

    fn take_answer(&mut self, answer: Fills) -> PrivateNews {
        self.asking = None;
        match answer {
            Ok(answer) => {
                self.backoff.reset();
                let caught_up = self.sequence.catch_up(answer.get_ref());
                PrivateNews::Fills {
                    gap: caught_up.gap,
                    fills: caught_up.fills,
                    is_live: false,
                }
            }
            Err(status) => {
                tracing::warn!(code = ?status.code(), "Missed fills cannot be fetched yet");
                self.ask_at = Some(Instant::now() + self.backoff.next_delay());
                PrivateNews::Nothing
            }
        }
    }

    fn take_told(&mut self, told: Told) -> PrivateNews {
        let fill = match told {
            Told::Fill(fill) => fill,
            Told::Ended => return PrivateNews::Over(AuthFailure::Invalid),
            Told::Missed => {
                // Every socket is told at once; trading is not asked by all of them at once.
                let pause = Backoff::new(SPREAD, SPREAD).next_delay();
                self.ask_at.get_or_insert(Instant::now() + pause);
                return PrivateNews::Nothing;
            }
        };
        match self.sequence.judge(fill.seq) {
            Verdict::Repeat => PrivateNews::Nothing,
            Verdict::Next => PrivateNews::Fills {
                gap: None,
                fills: vec![fill],
                is_live: true,
            },
            Verdict::Early => {
                // After the answer that is on its way, if there is one: it may be older than
                // this fill.
                self.ask_at = Some(Instant::now());
                PrivateNews::Nothing
            }
        }
    }
}

async fn answered<T>(asking: &mut Option<Answer<T>>) -> T {
    match asking {
        Some(asking) => asking.await,
        None => std::future::pending().await,
    }
}

/// Asks once more whether a session has ended, until somebody can say.
async fn look_again(sessions: SessionCheck, session: String) -> bool {
    loop {
        tokio::time::sleep(LOOK_AGAIN).await;
        if let Some(has_ended) = sessions.has_ended(&session).await {
            return has_ended;
        }
    }
}
