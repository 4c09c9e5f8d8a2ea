//! The loop of one connection: passes input to the socket-free [`Client`] and carries out its
//! actions.

use std::fmt::Display;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_http::ws::ProtocolError;
use futures_util::{Stream, StreamExt};
use tokio::sync::watch;

use crate::Edge;
use crate::client::{Action, Client, Reply};
use crate::price_cache::Slot;
use crate::private::{self, Authenticated, ChannelEvent, PrivateChannel};
use crate::protocol::{self, AuthFailure, Close, Destination};
use crate::wire::{ClientFrame, SocketWriter};

/// The sending half of a socket; mocked in tests.
pub(crate) trait SocketSink {
    type Error: Display;
    async fn text(&mut self, text: &str) -> Result<(), Self::Error>;
    /// Sends texts followed by a ping.
    async fn texts_and_ping(&mut self, texts: &[String], ping: &[u8]) -> Result<(), Self::Error>;
    async fn pong(&mut self, payload: &[u8]) -> Result<(), Self::Error>;
    async fn close(self, close: Close);
}

impl SocketSink for SocketWriter {
    type Error = io::Error;

    async fn text(&mut self, text: &str) -> io::Result<()> {
        SocketWriter::text(self, text).await
    }

    async fn texts_and_ping(&mut self, texts: &[String], ping: &[u8]) -> io::Result<()> {
        SocketWriter::texts_and_ping(self, texts, ping).await
    }

    async fn pong(&mut self, payload: &[u8]) -> io::Result<()> {
        SocketWriter::pong(self, payload).await
    }

    async fn close(self, close: Close) {
        // The socket may be closed already.
        let _error = SocketWriter::close(self, close).await;
    }
}

type Authenticating = Pin<Box<dyn Future<Output = Result<Authenticated, AuthFailure>>>>;
type LoadingDefaults = Pin<Box<dyn Future<Output = Vec<Arc<Slot>>>>>;

enum End {
    /// The peer closed the connection, or it broke.
    Disconnected,
    Close(Close),
}

struct Connection<S> {
    edge: Arc<Edge>,
    sink: S,
    client: Client,
    changes: [Option<watch::Receiver<()>>; 4],
    stale: watch::Receiver<bool>,
    authenticating: Option<(Authenticating, Option<i64>)>,
    loading_defaults: Option<LoadingDefaults>,
    private: Option<Box<PrivateChannel>>,
}

pub(crate) async fn serve<S: SocketSink>(
    edge: Arc<Edge>,
    sink: S,
    messages: impl Stream<Item = Result<ClientFrame, ProtocolError>> + Unpin,
) {
    let client = Client::new(edge.cache.clone(), edge.timing, Instant::now());
    let mut connection = Connection {
        stale: edge.state.watch_stale(),
        edge,
        sink,
        client,
        changes: [None, None, None, None],
        authenticating: None,
        loading_defaults: None,
        private: None,
    };
    if let End::Close(close) = connection.run(messages).await {
        metrics::counter!("edge_closes_total", "code" => close.code().to_string()).increment(1);
        let limit = connection.edge.timing.write_limit;
        // A client that does not read may not read the close frame either.
        let _elapsed = tokio::time::timeout(limit, connection.sink.close(close)).await;
    }
}

impl<S: SocketSink> Connection<S> {
    /// Says it if prices are stale, then waits for the first of: shutdown, a client frame, a change
    /// at a subscribed destination, a change of staleness, the result of an authentication, the
    /// popular items, an event of the private channel, and the time that the client state set.
    async fn run(
        &mut self,
        mut messages: impl Stream<Item = Result<ClientFrame, ProtocolError>> + Unpin,
    ) -> End {
        let shutdown = self.edge.shutdown.clone();
        let is_stale = *self.stale.borrow();
        if is_stale && let Err(end) = self.send_stale().await {
            return end;
        }
        loop {
            let wake_at = match self.run_actions().await {
                Ok(wake_at) => wake_at,
                Err(end) => return end,
            };
            let may_wait = !self.client.has_changes();
            let step = tokio::select! {
                biased;
                () = shutdown.cancelled() => Err(End::Close(Close::GoingAway)),
                message = messages.next() => match message {
                    Some(message) => self.on_message(message).await,
                    None => Err(End::Disconnected),
                },
                () = any_change(&mut self.changes), if may_wait => {
                    self.client.mark_changed();
                    Ok(())
                }
                changed = self.stale.changed() => match changed {
                    Ok(()) => self.send_stale().await,
                    Err(_ended) => Err(End::Close(Close::GoingAway)),
                },
                result = authenticated(&mut self.authenticating) => self.on_authenticated(result).await,
                slots = loaded_defaults(&mut self.loading_defaults) => {
                    self.client.subscribe_defaults(slots);
                    self.update_subscriptions();
                    Ok(())
                }
                changes = next_channel_event(&mut self.private) => self.on_channel_event(changes).await,
                () = tokio::time::sleep_until(wake_at.into()) => Ok(()),
            };
            if let Err(end) = step {
                return end;
            }
        }
    }

    async fn run_actions(&mut self) -> Result<Instant, End> {
        loop {
            match self.client.next_action(Instant::now()) {
                Action::WaitUntil(wake_at) => return Ok(wake_at),
                Action::Close(close) => return Err(End::Close(close)),
                Action::SendFrames(frames, ping) => {
                    let sending = self.sink.texts_and_ping(&frames, &ping);
                    within_write_limit(self.edge.timing.write_limit, sending).await?;
                }
                Action::LoadDefaults => {
                    let edge = self.edge.clone();
                    self.loading_defaults = Some(Box::pin(async move {
                        let codes = edge.popular.codes().await;
                        codes
                            .iter()
                            .filter_map(|code| edge.cache.find(code))
                            .collect()
                    }));
                }
            }
        }
    }

    async fn on_message(&mut self, message: Result<ClientFrame, ProtocolError>) -> Result<(), End> {
        let now = Instant::now();
        match message.map_err(end_for)? {
            ClientFrame::Text(text) => {
                let reply = self.client.on_text(&text, now).map_err(End::Close)?;
                self.update_subscriptions();
                self.reply(reply).await
            }
            ClientFrame::Fragment => self.client.on_frame(now).map_err(End::Close),
            ClientFrame::Binary => Err(End::Close(Close::Binary)),
            ClientFrame::Ping(payload) => {
                self.client.on_frame(now).map_err(End::Close)?;
                within_write_limit(self.edge.timing.write_limit, self.sink.pong(&payload)).await
            }
            ClientFrame::Pong(payload) => {
                let outcome = self.client.on_pong(&payload, now);
                outcome.map_err(End::Close)
            }
            ClientFrame::Close => Err(End::Disconnected),
        }
    }

    async fn reply(&mut self, reply: Reply) -> Result<(), End> {
        match reply {
            Reply::None => Ok(()),
            Reply::Pong => {
                let state = &self.edge.state;
                let now = self.edge.clock.now();
                self.send_text(protocol::pong(now, state.open(), state.is_stale()))
                    .await
            }
            Reply::Authenticate {
                token,
                last_fill_seq,
            } => {
                let open = self.private.as_ref().map(|private| private.identity());
                let authenticating: Authenticating =
                    Box::pin(private::authenticate(self.edge.clone(), token, open));
                self.authenticating = Some((authenticating, last_fill_seq));
                Ok(())
            }
        }
    }

    async fn on_authenticated(
        &mut self,
        (checked, last_fill_seq): (Result<Authenticated, AuthFailure>, Option<i64>),
    ) -> Result<(), End> {
        self.authenticating = None;
        let outcome = checked.and_then(|authenticated| {
            let identity = authenticated.identity;
            self.open_channel(authenticated, last_fill_seq)?;
            Ok(identity.expires_at)
        });
        match outcome {
            Ok(expires_at) => self.send_text(protocol::auth_ok(expires_at)).await,
            Err(failure) => {
                self.private = None;
                self.send_text(protocol::auth_error(failure)).await
            }
        }
    }

    /// Opens the private channel. One of the same session continues instead, without a fetch: its
    /// fills were sent to this socket, whatever the client says it has.
    fn open_channel(
        &mut self,
        authenticated: Authenticated,
        last_fill_seq: Option<i64>,
    ) -> Result<(), AuthFailure> {
        let identity = authenticated.identity;
        let Some(subscription) = authenticated.subscription else {
            // The channel may have ended while the token was checked.
            let open = self.private.as_mut().ok_or(AuthFailure::Unavailable)?;
            open.prolong(&self.edge, identity);
            return Ok(());
        };
        // Fills that this socket has sent for the same member need not be sent again.
        let after = match (last_fill_seq, self.private.take()) {
            (None, Some(previous)) if previous.identity().member_id == identity.member_id => {
                previous.last_seq()
            }
            (last_fill_seq, _) => last_fill_seq,
        };
        let private = PrivateChannel::open(&self.edge, identity, subscription, after);
        self.private = Some(Box::new(private));
        Ok(())
    }

    async fn on_channel_event(&mut self, event: ChannelEvent) -> Result<(), End> {
        match event {
            ChannelEvent::Nothing => Ok(()),
            ChannelEvent::Closed(failure) => {
                self.private = None;
                self.send_text(protocol::auth_error(failure)).await
            }
            ChannelEvent::Notice(notice) => {
                let seq = self.client.next_seq();
                self.send_text(protocol::frame(protocol::NOTICES, seq, false, &[notice]))
                    .await
            }
            ChannelEvent::Fills {
                gap,
                fills,
                is_live,
            } => {
                if let Some((from, to)) = gap {
                    self.send_text(protocol::gap(from, to)).await?;
                }
                if fills.is_empty() {
                    return Ok(());
                }
                let payload: Vec<_> = fills.into_iter().map(|fill| fill.json).collect();
                let seq = self.client.next_seq();
                self.send_text(protocol::frame(protocol::FILLS, seq, !is_live, &payload))
                    .await
            }
        }
    }

    async fn send_stale(&mut self) -> Result<(), End> {
        let stale = *self.stale.borrow_and_update();
        self.send_text(protocol::stale(stale)).await
    }

    /// A client that does not read within the write limit is disconnected.
    async fn send_text(&mut self, text: String) -> Result<(), End> {
        within_write_limit(self.edge.timing.write_limit, self.sink.text(&text)).await
    }

    fn update_subscriptions(&mut self) {
        for destination in Destination::ALL {
            if let Some(changes) = self.changes.get_mut(destination.index()) {
                if !self.client.is_subscribed_to(destination) {
                    *changes = None;
                } else if changes.is_none() {
                    *changes = self.edge.cache.subscribe(destination);
                    // Codes that were unknown may be listed now.
                    self.client.mark_changed();
                }
            }
        }
    }
}

async fn within_write_limit<G>(
    limit: Duration,
    write: impl Future<Output = Result<(), G>>,
) -> Result<(), End> {
    match tokio::time::timeout(limit, write).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_error)) => Err(End::Disconnected),
        Err(_elapsed) => Err(End::Close(Close::TooSlow)),
    }
}

async fn any_change(changes: &mut [Option<watch::Receiver<()>>; 4]) {
    async fn one(changes: &mut Option<watch::Receiver<()>>) {
        match changes {
            Some(receiver) => {
                if receiver.changed().await.is_err() {
                    std::future::pending().await
                }
            }
            None => std::future::pending().await,
        }
    }
    let [stock, global, coin, commodity] = changes;
    tokio::select! {
        () = one(stock) => {}
        () = one(global) => {}
        () = one(coin) => {}
        () = one(commodity) => {}
    }
}

async fn authenticated(
    authenticating: &mut Option<(Authenticating, Option<i64>)>,
) -> (Result<Authenticated, AuthFailure>, Option<i64>) {
    match authenticating {
        Some((authenticating, last_fill_seq)) => (authenticating.await, *last_fill_seq),
        None => std::future::pending().await,
    }
}

async fn loaded_defaults(loading_defaults: &mut Option<LoadingDefaults>) -> Vec<Arc<Slot>> {
    let Some(loading) = loading_defaults else {
        return std::future::pending().await;
    };
    let slots = loading.await;
    *loading_defaults = None;
    slots
}

async fn next_channel_event(private: &mut Option<Box<PrivateChannel>>) -> ChannelEvent {
    match private {
        Some(private) => private.next().await,
        None => std::future::pending().await,
    }
}

fn end_for(error: ProtocolError) -> End {
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
            End::Close(Close::InvalidMessage)
        }
        ProtocolError::Io(_) => End::Disconnected,
    }
}

#[cfg(test)]
#[path = "handler/tests.rs"]
mod tests;
