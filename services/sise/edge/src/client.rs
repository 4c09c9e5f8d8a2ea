//! The state of one connection, without a socket: subscriptions, limits, and when to send what or
//! to give up. Time is an argument.
//!
//! At most one group of price frames is unacknowledged. A websocket ping follows it, and the next
//! group is composed, from the newest values, only after the pong, which every websocket client
//! sends by itself. So no stale prices queue up on the way, and a client that reads nothing for the
//! write limit is disconnected.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::price_cache::{PriceCache, Slot};
use crate::protocol::{ClientMessage, Close, Destination, frame};

pub const MAX_CODES_PER_SOCKET: usize = 300;
/// Bounds the values that an unacknowledged group keeps in memory.
const MAX_VALUES_PER_GROUP: usize = 50;
/// The sustained rate of client frames is one per interval.
pub const FRAME_INTERVAL: Duration = Duration::from_millis(200);
/// Frames that a client may send at once after a pause, as it does when it connects.
pub const FRAME_BURST: u32 = 10;
/// The sustained rate of AUTH frames is one per interval.
pub const AUTH_INTERVAL: Duration = Duration::from_secs(10);
/// AUTH frames that a client may send at once. Our client repeats one that was refused after half a
/// second at the earliest, and then doubles the pause: six within sixteen seconds.
pub const AUTH_BURST: u32 = 8;
/// Longer strings are not instrument codes.
const MAX_CODE_BYTES: usize = 20;

#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Minimum time between two groups of frames; zero sends every value.
    pub conflation: Duration,
    /// A connection without any client frame for this long is closed.
    pub silence: Duration,
    /// A client that reads nothing for this long is disconnected.
    pub write_limit: Duration,
    /// A client that subscribes to nothing for this long gets the popular items.
    pub defaults_after: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            conflation: Duration::from_millis(200),
            silence: Duration::from_secs(75),
            write_limit: Duration::from_secs(5),
            defaults_after: Duration::from_secs(3),
        }
    }
}

struct Subscription {
    slot: Arc<Slot>,
    /// The version last sent; 0 = none, so the next frame is a snapshot.
    sent: u64,
}

/// What the handler does in reply to a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    None,
    Pong,
    /// Check the token and report the outcome.
    Authenticate {
        /// A sise token.
        token: String,
        /// Sequence number of the newest fill that the client has.
        last_fill_seq: Option<i64>,
    },
}

/// What the handler must do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing until this instant, unless a message or a change arrives.
    WaitUntil(Instant),
    /// Send these texts, then a ping with this payload.
    SendFrames(Vec<String>, [u8; 8]),
    /// Fetch the popular items for [`Client::subscribe_defaults`].
    LoadDefaults,
    Close(Close),
}

pub struct Client {
    cache: Arc<PriceCache>,
    timing: Timing,
    subscriptions: Vec<Subscription>,
    /// Codes without an instrument; the next snapshot may list them.
    unknown: Vec<(Destination, Box<str>)>,
    generation: u64,
    /// Where the next group starts, so that every code gets its turn.
    cursor: usize,
    seq: u64,
    has_changes: bool,
    next_frames_at: Instant,
    /// The unanswered ping and when it was sent.
    in_flight: Option<(u64, Instant)>,
    last_ping: u64,
    last_frame_at: Instant,
    frames: FrameRate,
    auths: FrameRate,
    defaults: Defaults,
}

/// A leaky bucket of frames.
struct FrameRate {
    interval: Duration,
    burst: u32,
    /// When the frames received so far have used up their rate.
    paid_until: Instant,
}

impl FrameRate {
    fn new(interval: Duration, burst: u32, now: Instant) -> Self {
        Self {
            interval,
            burst,
            paid_until: now,
        }
    }

    /// Counts a frame; false above the rate.
    fn charge(&mut self, now: Instant) -> bool {
        self.paid_until = self.paid_until.max(now) + self.interval;
        self.paid_until <= now + self.interval * self.burst
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Defaults {
    /// They are subscribed at this instant unless the client subscribes before.
    At(Instant),
    /// They are being fetched.
    Loading,
    Subscribed,
    /// The client subscribed or unsubscribed by itself.
    Declined,
}

impl Client {
    #[must_use]
    pub fn new(cache: Arc<PriceCache>, timing: Timing, now: Instant) -> Self {
        let generation = cache.generation();
        Self {
            cache,
            timing,
            subscriptions: Vec::new(),
            unknown: Vec::new(),
            generation,
            cursor: 0,
            seq: 0,
            has_changes: false,
            next_frames_at: now,
            in_flight: None,
            last_ping: 0,
            last_frame_at: now,
            frames: FrameRate::new(FRAME_INTERVAL, FRAME_BURST, now),
            auths: FrameRate::new(AUTH_INTERVAL, AUTH_BURST, now),
            defaults: Defaults::At(now + timing.defaults_after),
        }
    }

    /// Handles a text frame.
    ///
    /// # Errors
    /// [`Close`] when the connection must end.
    pub fn on_text(&mut self, text: &str, now: Instant) -> Result<Reply, Close> {
        self.on_frame(now)?;
        match ClientMessage::parse(text)? {
            ClientMessage::Ping => return Ok(Reply::Pong),
            ClientMessage::Auth {
                token,
                last_fill_seq,
            } => {
                if !self.auths.charge(now) {
                    return Err(Close::TooManyAuths);
                }
                return Ok(Reply::Authenticate {
                    token,
                    last_fill_seq,
                });
            }
            ClientMessage::Subscribe(destination, codes) => self.subscribe(destination, codes)?,
            ClientMessage::Unsubscribe(destination, codes) => self.unsubscribe(destination, &codes),
        }
        Ok(Reply::None)
    }

    /// Counts a frame that the client sent by its own choice.
    ///
    /// # Errors
    /// [`Close::TooFast`] above the frame rate.
    pub fn on_frame(&mut self, now: Instant) -> Result<(), Close> {
        self.last_frame_at = now;
        self.charge_frame(now)
    }

    fn charge_frame(&mut self, now: Instant) -> Result<(), Close> {
        if self.frames.charge(now) {
            Ok(())
        } else {
            Err(Close::TooFast)
        }
    }

    /// Handles a websocket pong. One that does not answer the outstanding ping counts towards the
    /// frame rate and does not keep the connection alive.
    ///
    /// # Errors
    /// [`Close::TooFast`] above the frame rate.
    pub fn on_pong(&mut self, payload: &[u8], now: Instant) -> Result<(), Close> {
        match self.in_flight {
            Some((ping, _)) if payload == ping.to_be_bytes() => {
                self.in_flight = None;
                Ok(())
            }
            Some(_) | None => self.charge_frame(now),
        }
    }

    /// Records that something changed at a subscribed destination.
    pub fn mark_changed(&mut self) {
        self.has_changes = true;
    }

    /// While true, the handler need not wait for further changes.
    #[must_use]
    pub fn has_changes(&self) -> bool {
        self.has_changes
    }

    #[must_use]
    pub fn is_subscribed_to(&self, destination: Destination) -> bool {
        let known = self
            .subscriptions
            .iter()
            .any(|subscription| subscription.slot.destination() == destination);
        known
            || self
                .unknown
                .iter()
                .any(|(wanted, _)| *wanted == destination)
    }

    /// Subscribes the popular items, unless the client has chosen codes meanwhile.
    pub fn subscribe_defaults(&mut self, slots: Vec<Arc<Slot>>) {
        if self.defaults != Defaults::Loading {
            return;
        }
        self.defaults = Defaults::Subscribed;
        for slot in slots.into_iter().take(MAX_CODES_PER_SOCKET) {
            self.add(slot);
        }
    }

    pub fn next_seq(&mut self) -> u64 {
        self.seq += 1;
        self.seq
    }

    pub fn next_action(&mut self, now: Instant) -> Action {
        let silent_at = self.last_frame_at + self.timing.silence;
        if now >= silent_at {
            return Action::Close(Close::Idle);
        }
        let mut wake_at = silent_at;
        if let Defaults::At(at) = self.defaults {
            if now >= at {
                self.defaults = Defaults::Loading;
                return Action::LoadDefaults;
            }
            wake_at = wake_at.min(at);
        }
        if let Some((_, sent_at)) = self.in_flight {
            let late_at = sent_at + self.timing.write_limit;
            if now >= late_at {
                return Action::Close(Close::TooSlow);
            }
            return Action::WaitUntil(wake_at.min(late_at));
        }
        self.resnapshot_if_invalidated();
        if !self.has_changes {
            return Action::WaitUntil(wake_at);
        }
        if now < self.next_frames_at {
            return Action::WaitUntil(wake_at.min(self.next_frames_at));
        }
        self.next_frames_at = now + self.timing.conflation;
        let frames = self.compose(now);
        if frames.is_empty() {
            return Action::WaitUntil(wake_at);
        }
        self.last_ping += 1;
        self.in_flight = Some((self.last_ping, now));
        Action::SendFrames(frames, self.last_ping.to_be_bytes())
    }

    fn subscribe(&mut self, destination: Destination, codes: Vec<String>) -> Result<(), Close> {
        if matches!(self.defaults, Defaults::Subscribed) {
            self.subscriptions.clear();
        }
        self.defaults = Defaults::Declined;
        for code in codes {
            match self.cache.find(&code) {
                Some(slot) if slot.destination() == destination => self.add(slot),
                Some(_) => {}
                None if code.len() > MAX_CODE_BYTES || code.is_empty() => {}
                None => {
                    let wanted = (destination, code.into_boxed_str());
                    if !self.unknown.contains(&wanted) {
                        self.unknown.push(wanted);
                    }
                }
            }
            if self.subscriptions.len() + self.unknown.len() > MAX_CODES_PER_SOCKET {
                return Err(Close::TooManyCodes);
            }
        }
        Ok(())
    }

    fn unsubscribe(&mut self, destination: Destination, codes: &[String]) {
        self.defaults = Defaults::Declined;
        let matches = |of: Destination, code: &str| {
            of == destination && codes.iter().any(|unwanted| unwanted == code)
        };
        self.subscriptions.retain(|subscription| {
            !matches(subscription.slot.destination(), subscription.slot.code())
        });
        self.unknown.retain(|(of, code)| !matches(*of, code));
    }

    fn add(&mut self, slot: Arc<Slot>) {
        let is_present = |subscription: &Subscription| Arc::ptr_eq(&subscription.slot, &slot);
        if !self.subscriptions.iter().any(is_present) {
            self.subscriptions.push(Subscription { slot, sent: 0 });
            // The first value is sent without waiting for the conflation interval.
            self.has_changes = true;
            self.next_frames_at = self.last_frame_at.min(self.next_frames_at);
        }
    }

    /// After a gap in the log or a new epoch, sends everything again and looks up the unknown
    /// codes.
    fn resnapshot_if_invalidated(&mut self) {
        let generation = self.cache.generation();
        if generation == self.generation {
            return;
        }
        self.generation = generation;
        for subscription in &mut self.subscriptions {
            subscription.sent = 0;
        }
        for (destination, code) in std::mem::take(&mut self.unknown) {
            match self.cache.find(&code) {
                Some(slot) if slot.destination() == destination => self.add(slot),
                Some(_) => {}
                None => self.unknown.push((destination, code)),
            }
        }
        self.has_changes = true;
    }

    /// The changed values, grouped by destination and kind.
    fn compose(&mut self, now: Instant) -> Vec<String> {
        let count = self.subscriptions.len();
        let mut groups: Vec<(Destination, bool, Vec<Arc<str>>)> = Vec::new();
        let mut value_count = 0;
        let mut visited = 0;
        while visited < count && value_count < MAX_VALUES_PER_GROUP {
            let index = (self.cursor + visited) % count;
            visited += 1;
            let Some(subscription) = self.subscriptions.get_mut(index) else {
                break;
            };
            if subscription.slot.version() == subscription.sent {
                continue;
            }
            let slot = &subscription.slot;
            let destination = slot.destination();
            subscription.sent = slot.read_after(subscription.sent, |is_snapshot, newer| {
                let group = groups
                    .iter_mut()
                    .find(|group| (group.0, group.1) == (destination, is_snapshot));
                let newer = newer.inspect(|_| value_count += 1);
                match group {
                    Some((_, _, values)) => values.extend(newer),
                    None => groups.push((destination, is_snapshot, newer.collect())),
                }
            });
        }
        if count > 0 {
            self.cursor = (self.cursor + visited) % count;
        }
        self.has_changes = visited < count;
        if self.has_changes {
            // Send the rest as soon as this group is acknowledged.
            self.next_frames_at = now;
        }
        groups
            .into_iter()
            .filter(|(_, _, values)| !values.is_empty())
            .map(|(destination, is_snapshot, values)| {
                frame(destination.as_str(), self.next_seq(), is_snapshot, &values)
            })
            .collect()
    }
}

#[cfg(test)]
#[path = "client/tests.rs"]
mod tests;
