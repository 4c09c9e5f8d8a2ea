//! The loop of one connection: it feeds the socket-free [`Client`] and does what that decides.

use std::fmt::Display;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_http::ws::ProtocolError;
use futures_util::{Stream, StreamExt};
use tokio::sync::watch;

use crate::Edge;
use crate::client::{Asked, Client, Due};
use crate::private::{self, Admitted, Private, PrivateNews};
use crate::protocol::{self, AuthFailure, Close, Destination};
use crate::slots::Slot;
use crate::wire::{Heard, Outgoing};

/// The sending half of a socket; tests stand in for it.
pub(crate) trait Session {
    type Gone: Display;
    async fn text(&mut self, text: &str) -> Result<(), Self::Gone>;
    /// Texts and behind them a ping.
    async fn texts_and_ping(&mut self, texts: &[String], ping: &[u8]) -> Result<(), Self::Gone>;
    async fn pong(&mut self, payload: &[u8]) -> Result<(), Self::Gone>;
    async fn close(self, close: Close);
}

impl Session for Outgoing {
    type Gone = io::Error;

    async fn text(&mut self, text: &str) -> io::Result<()> {
        Outgoing::text(self, text).await
    }

    async fn texts_and_ping(&mut self, texts: &[String], ping: &[u8]) -> io::Result<()> {
        Outgoing::texts_and_ping(self, texts, ping).await
    }

    async fn pong(&mut self, payload: &[u8]) -> io::Result<()> {
        Outgoing::pong(self, payload).await
    }

    async fn close(self, close: Close) {
        // Closing a socket that is gone already is no failure.
        let _gone = Outgoing::close(self, close).await;
    }
}

type Checking = Pin<Box<dyn Future<Output = Result<Admitted, AuthFailure>>>>;
type Choosing = Pin<Box<dyn Future<Output = Vec<Arc<Slot>>>>>;

/// Why a loop ends.
enum End {
    /// The client or the network ended it.
    Gone,
    /// We end it.
    Close(Close),
}

struct Connection<S> {
    edge: Arc<Edge>,
    session: S,
    client: Client,
    news: [Option<watch::Receiver<()>>; 4],
    stale: watch::Receiver<bool>,
    checking: Option<(Checking, Option<i64>)>,
    choosing: Option<Choosing>,
    private: Option<Box<Private>>,
}

/// Serves one socket to its end.
pub(crate) async fn serve<S: Session>(
    edge: Arc<Edge>,
    session: S,
    messages: impl Stream<Item = Result<Heard, ProtocolError>> + Unpin,
) {
    let client = Client::new(edge.board.clone(), edge.timing, Instant::now());
    let mut connection = Connection {
        stale: edge.state.watch_stale(),
        edge,
        session,
        client,
        news: [None, None, None, None],
        checking: None,
        choosing: None,
        private: None,
    };
    if let End::Close(close) = connection.run(messages).await {
        metrics::counter!("edge_closes_total", "code" => close.code().to_string()).increment(1);
        let limit = connection.edge.timing.write_limit;
        // A client that takes nothing does not take a close frame either.
        let _late = tokio::time::timeout(limit, connection.session.close(close)).await;
    }
}

impl<S: Session> Connection<S> {
    /// Waits for the first of eight things: a frame of the client, news at a subscribed
    /// destination, prices becoming stale or fresh, a checked token, the popular items, news of
    /// the member, the time the client state asked for, the end of the process.
    async fn run(
        &mut self,
        mut messages: impl Stream<Item = Result<Heard, ProtocolError>> + Unpin,
    ) -> End {
        let shutdown = self.edge.shutdown.clone();
        loop {
            let wake_at = match self.do_what_is_due().await {
                Ok(wake_at) => wake_at,
                Err(end) => return end,
            };
            let listens = !self.client.has_news();
            let step = tokio::select! {
                biased;
                () = shutdown.cancelled() => Err(End::Close(Close::GoingAway)),
                message = messages.next() => match message {
                    Some(message) => self.take_message(message).await,
                    None => Err(End::Gone),
                },
                () = any_news(&mut self.news), if listens => {
                    self.client.note_news();
                    Ok(())
                }
                changed = self.stale.changed() => match changed {
                    Ok(()) => self.tell_stale().await,
                    Err(_ended) => Err(End::Close(Close::GoingAway)),
                },
                checked = check(&mut self.checking) => self.take_identity(checked).await,
                slots = choose(&mut self.choosing) => {
                    self.client.use_defaults(slots);
                    self.watch_what_is_subscribed();
                    Ok(())
                }
                news = private_news(&mut self.private) => self.take_private(news).await,
                () = tokio::time::sleep_until(wake_at.into()) => Ok(()),
            };
            if let Err(end) = step {
                return end;
            }
        }
    }

    async fn do_what_is_due(&mut self) -> Result<Instant, End> {
        loop {
            match self.client.due(Instant::now()) {
                Due::Nothing(wake_at) => return Ok(wake_at),
                Due::Close(close) => return Err(End::Close(close)),
                Due::Frames(frames, ping) => {
                    let sending = self.session.texts_and_ping(&frames, &ping);
                    bounded(self.edge.timing.write_limit, sending).await?;
                }
                Due::Defaults => {
                    let edge = self.edge.clone();
                    self.choosing = Some(Box::pin(async move {
                        let codes = edge.popular.codes().await;
                        codes
                            .iter()
                            .filter_map(|code| edge.board.find(code))
                            .collect()
                    }));
                }
            }
        }
    }

    async fn take_message(&mut self, message: Result<Heard, ProtocolError>) -> Result<(), End> {
        let now = Instant::now();
        match message.map_err(end_of)? {
            Heard::Text(text) => {
                let asked = self.client.hear(&text, now).map_err(End::Close)?;
                self.watch_what_is_subscribed();
                self.answer(asked).await
            }
            Heard::Part => self.client.count_frame(now).map_err(End::Close),
            Heard::Binary => Err(End::Close(Close::Binary)),
            Heard::Ping(payload) => {
                self.client.count_frame(now).map_err(End::Close)?;
                bounded(self.edge.timing.write_limit, self.session.pong(&payload)).await
            }
            Heard::Pong(payload) => {
                let heard = self.client.hear_pong(&payload, now);
                heard.map_err(End::Close)
            }
            Heard::Close => Err(End::Gone),
        }
    }

    async fn answer(&mut self, asked: Asked) -> Result<(), End> {
        match asked {
            Asked::Nothing => Ok(()),
            Asked::Pong => {
                let state = &self.edge.state;
                let now = self.edge.clock.now();
                self.say(protocol::pong(now, state.open(), state.is_stale()))
                    .await
            }
            Asked::Auth {
                token,
                last_fill_seq,
            } => {
                let checking: Checking = Box::pin(private::admit(self.edge.clone(), token));
                self.checking = Some((checking, last_fill_seq));
                Ok(())
            }
        }
    }

    async fn take_identity(
        &mut self,
        (checked, last_fill_seq): (Result<Admitted, AuthFailure>, Option<i64>),
    ) -> Result<(), End> {
        self.checking = None;
        match checked {
            Ok(admitted) => {
                let identity = admitted.identity;
                // What this socket has been sent of the same member need not be sent again.
                let after = match (last_fill_seq, self.private.take()) {
                    (None, Some(before)) if before.member_id() == identity.member_id => {
                        before.seen()
                    }
                    (asked, _) => asked,
                };
                let private = Private::open(&self.edge, admitted, after);
                self.private = Some(Box::new(private));
                self.say(protocol::auth_ok(identity.expires_at)).await
            }
            Err(failure) => {
                self.private = None;
                self.say(protocol::auth_error(failure)).await
            }
        }
    }

    async fn take_private(&mut self, news: PrivateNews) -> Result<(), End> {
        match news {
            PrivateNews::Nothing => Ok(()),
            PrivateNews::Over(failure) => {
                self.private = None;
                self.say(protocol::auth_error(failure)).await
            }
            PrivateNews::Fills {
                gap,
                fills,
                is_live,
            } => {
                if let Some((from, to)) = gap {
                    self.say(protocol::gap(from, to)).await?;
                }
                if fills.is_empty() {
                    return Ok(());
                }
                let payload: Vec<_> = fills.into_iter().map(|fill| fill.json).collect();
                let seq = self.client.next_seq();
                self.say(protocol::frame(protocol::FILLS, seq, !is_live, &payload))
                    .await
            }
        }
    }

    async fn tell_stale(&mut self) -> Result<(), End> {
        let stale = *self.stale.borrow_and_update();
        self.say(protocol::stale(stale)).await
    }

    /// Whatever is written has the write limit; the socket of a client that does not take it ends.
    async fn say(&mut self, text: String) -> Result<(), End> {
        bounded(self.edge.timing.write_limit, self.session.text(&text)).await
    }

    fn watch_what_is_subscribed(&mut self) {
        for destination in Destination::ALL {
            if let Some(news) = self.news.get_mut(destination.index()) {
                if !self.client.watches(destination) {
                    *news = None;
                } else if news.is_none() {
                    *news = self.edge.board.watch(destination);
                    // Codes that were unknown a moment ago may have arrived since.
                    self.client.note_news();
                }
            }
        }
    }
}

async fn bounded<G>(
    limit: Duration,
    written: impl Future<Output = Result<(), G>>,
) -> Result<(), End> {
    match tokio::time::timeout(limit, written).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_gone)) => Err(End::Gone),
        Err(_late) => Err(End::Close(Close::TooSlow)),
    }
}

async fn any_news(news: &mut [Option<watch::Receiver<()>>; 4]) {
    async fn one(news: &mut Option<watch::Receiver<()>>) {
        match news {
            Some(receiver) => {
                if receiver.changed().await.is_err() {
                    std::future::pending().await
                }
            }
            None => std::future::pending().await,
        }
    }
    let [stock, global, coin, commodity] = news;
    tokio::select! {
        () = one(stock) => {}
        () = one(global) => {}
        () = one(coin) => {}
        () = one(commodity) => {}
    }
}

async fn check(
    checking: &mut Option<(Checking, Option<i64>)>,
) -> (Result<Admitted, AuthFailure>, Option<i64>) {
    match checking {
        Some((checking, last_fill_seq)) => (checking.await, *last_fill_seq),
        None => std::future::pending().await,
    }
}

async fn choose(choosing: &mut Option<Choosing>) -> Vec<Arc<Slot>> {
    let Some(chosen) = choosing else {
        return std::future::pending().await;
    };
    let slots = chosen.await;
    *choosing = None;
    slots
}

async fn private_news(private: &mut Option<Box<Private>>) -> PrivateNews {
    match private {
        Some(private) => private.next().await,
        None => std::future::pending().await,
    }
}

/// What a frame that breaks the protocol leads to.
fn end_of(error: ProtocolError) -> End {
    match error {
        ProtocolError::UnmaskedFrame
        | ProtocolError::MaskedFrame
        | ProtocolError::InvalidOpcode(_)
        | ProtocolError::InvalidLength(_)
        | ProtocolError::BadOpCode
        | ProtocolError::ContinuationNotStarted
        | ProtocolError::ContinuationStarted
        | ProtocolError::ContinuationFragment(_) => End::Close(Close::Protocol),
        ProtocolError::Overflow => End::Close(Close::TooBig),
        ProtocolError::Io(error) if error.kind() == std::io::ErrorKind::InvalidData => {
            End::Close(Close::Unreadable)
        }
        ProtocolError::Io(_) => End::Gone,
    }
}

#[cfg(test)]
#[path = "handler/tests.rs"]
mod tests;
