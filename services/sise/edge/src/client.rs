//! What one connection knows and decides, without a socket: subscriptions, limits, when to send
//! what, when to give up. Time is an argument.
//!
//! One group of price frames is on its way at a time. Behind it goes a websocket ping, and only
//! its pong, which every client answers by itself, lets the next group be composed, from the
//! values that are newest then. So nothing stale waits anywhere between us and the phone, and a
//! phone that takes nothing for the write limit is let go.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::protocol::{ClientMessage, Close, Destination, frame};
use crate::slots::{Board, Slot};

/// Most codes on one socket.
pub const MAX_CODES_PER_SOCKET: usize = 300;
/// Most values in one group of frames, which bounds what a stalled client keeps busy.
const MAX_VALUES_PER_FLIGHT: usize = 50;
/// Five frames a second go on for ever.
pub const FRAME_INTERVAL: Duration = Duration::from_millis(200);
/// Frames that a client which has been quiet may send at once, as it does when it opens.
pub const FRAME_BURST: u32 = 10;
/// Longer texts are no codes.
const MAX_CODE_BYTES: usize = 20;

/// The time limits of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Least time between two groups of frames; zero sends every value.
    pub conflation: Duration,
    /// A client that says nothing for this long is gone.
    pub silence: Duration,
    /// A client that takes nothing for this long is gone.
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
    /// The version that was sent; 0 = none, so the next frame is a snapshot.
    sent: u64,
}

/// What the handler must do for a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Nothing more.
    Nothing,
    /// Answer with a pong.
    Pong,
    /// Check the token.
    Auth {
        /// A sise token.
        token: String,
        /// Newest fill the client has seen.
        last_fill_seq: Option<i64>,
    },
}

/// What is due now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Due {
    /// Nothing before this moment, unless something happens.
    Nothing(Instant),
    /// Send these texts and then a ping with this payload.
    Frames(Vec<String>, [u8; 8]),
    /// Find the popular items and hand them to [`Client::use_defaults`].
    Defaults,
    /// End the connection.
    Close(Close),
}

/// The state of one connection.
pub struct Client {
    board: Arc<Board>,
    timing: Timing,
    subscriptions: Vec<Subscription>,
    /// Codes that no instrument has (yet): the market may not have answered so far.
    unknown: Vec<(Destination, Box<str>)>,
    generation: u64,
    /// Where the next group of frames begins, so that no code always comes last.
    cursor: usize,
    seq: u64,
    has_news: bool,
    next_frames_at: Instant,
    /// The ping that has no pong yet, and when it left.
    in_flight: Option<(u64, Instant)>,
    flights: u64,
    last_heard: Instant,
    /// When the frames heard so far are paid for, at one per [`FRAME_INTERVAL`].
    paid_until: Instant,
    defaults: Defaults,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Defaults {
    /// They are given at this moment if nothing is subscribed.
    At(Instant),
    /// They are being found.
    Asked,
    /// They are what is subscribed.
    Given,
    /// The client chooses for itself.
    Declined,
}

impl Client {
    /// A connection that opens at `now`.
    #[must_use]
    pub fn new(board: Arc<Board>, timing: Timing, now: Instant) -> Self {
        let generation = board.generation();
        Self {
            board,
            timing,
            subscriptions: Vec::new(),
            unknown: Vec::new(),
            generation,
            cursor: 0,
            seq: 0,
            has_news: false,
            next_frames_at: now,
            in_flight: None,
            flights: 0,
            last_heard: now,
            paid_until: now,
            defaults: Defaults::At(now + timing.defaults_after),
        }
    }

    /// A text frame came.
    ///
    /// # Errors
    /// [`Close`] when the connection must end.
    pub fn hear(&mut self, text: &str, now: Instant) -> Result<Asked, Close> {
        self.count_frame(now)?;
        match ClientMessage::parse(text)? {
            ClientMessage::Ping => return Ok(Asked::Pong),
            ClientMessage::Auth {
                token,
                last_fill_seq,
            } => {
                return Ok(Asked::Auth {
                    token,
                    last_fill_seq,
                });
            }
            ClientMessage::Subscribe(destination, codes) => self.subscribe(destination, codes)?,
            ClientMessage::Unsubscribe(destination, codes) => self.unsubscribe(destination, &codes),
        }
        Ok(Asked::Nothing)
    }

    /// A frame of any kind came that the client chose to send.
    ///
    /// # Errors
    /// [`Close::TooFast`] when there are too many of them.
    pub fn count_frame(&mut self, now: Instant) -> Result<(), Close> {
        self.last_heard = now;
        self.pay_for_frame(now)
    }

    fn pay_for_frame(&mut self, now: Instant) -> Result<(), Close> {
        self.paid_until = self.paid_until.max(now) + FRAME_INTERVAL;
        if self.paid_until > now + FRAME_INTERVAL * FRAME_BURST {
            return Err(Close::TooFast);
        }
        Ok(())
    }

    /// A websocket pong came. Only the newest one counts; one that nobody asked for costs what any
    /// frame does, and is no sign of life.
    ///
    /// # Errors
    /// [`Close::TooFast`] when there are too many of those.
    pub fn hear_pong(&mut self, payload: &[u8], now: Instant) -> Result<(), Close> {
        match self.in_flight {
            Some((flight, _)) if payload == flight.to_be_bytes() => {
                self.in_flight = None;
                Ok(())
            }
            Some(_) | None => self.pay_for_frame(now),
        }
    }

    /// Something changed at a destination that is subscribed.
    pub fn note_news(&mut self) {
        self.has_news = true;
    }

    /// Whether it is already known that something changed: no need to listen for more.
    #[must_use]
    pub fn has_news(&self) -> bool {
        self.has_news
    }

    /// Whether a destination is subscribed.
    #[must_use]
    pub fn watches(&self, destination: Destination) -> bool {
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

    /// The popular items, for a client that has asked for nothing.
    pub fn use_defaults(&mut self, slots: Vec<Arc<Slot>>) {
        if self.defaults != Defaults::Asked {
            return;
        }
        self.defaults = Defaults::Given;
        for slot in slots.into_iter().take(MAX_CODES_PER_SOCKET) {
            self.add(slot);
        }
    }

    /// The number of the next frame.
    pub fn next_seq(&mut self) -> u64 {
        self.seq += 1;
        self.seq
    }

    /// What must be done at `now`.
    pub fn due(&mut self, now: Instant) -> Due {
        let silent_at = self.last_heard + self.timing.silence;
        if now >= silent_at {
            return Due::Close(Close::Silent);
        }
        let mut wake_at = silent_at;
        if let Defaults::At(at) = self.defaults {
            if now >= at {
                self.defaults = Defaults::Asked;
                return Due::Defaults;
            }
            wake_at = wake_at.min(at);
        }
        if let Some((_, left)) = self.in_flight {
            let late_at = left + self.timing.write_limit;
            if now >= late_at {
                return Due::Close(Close::TooSlow);
            }
            return Due::Nothing(wake_at.min(late_at));
        }
        self.begin_again_if_told();
        if !self.has_news {
            return Due::Nothing(wake_at);
        }
        if now < self.next_frames_at {
            return Due::Nothing(wake_at.min(self.next_frames_at));
        }
        self.next_frames_at = now + self.timing.conflation;
        let frames = self.compose(now);
        if frames.is_empty() {
            return Due::Nothing(wake_at);
        }
        self.flights += 1;
        self.in_flight = Some((self.flights, now));
        Due::Frames(frames, self.flights.to_be_bytes())
    }

    fn subscribe(&mut self, destination: Destination, codes: Vec<String>) -> Result<(), Close> {
        if matches!(self.defaults, Defaults::Given) {
            self.subscriptions.clear();
        }
        self.defaults = Defaults::Declined;
        for code in codes {
            match self.board.find(&code) {
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
        let goes = |of: Destination, code: &str| {
            of == destination && codes.iter().any(|unwanted| unwanted == code)
        };
        self.subscriptions.retain(|subscription| {
            !goes(subscription.slot.destination(), subscription.slot.code())
        });
        self.unknown.retain(|(of, code)| !goes(*of, code));
    }

    fn add(&mut self, slot: Arc<Slot>) {
        let is_there = |subscription: &Subscription| Arc::ptr_eq(&subscription.slot, &slot);
        if !self.subscriptions.iter().any(is_there) {
            self.subscriptions.push(Subscription { slot, sent: 0 });
            // A snapshot does not wait for the interval.
            self.has_news = true;
            self.next_frames_at = self.last_heard.min(self.next_frames_at);
        }
    }

    /// After a hole or a new log everything is sent again, and codes that were unknown may exist.
    fn begin_again_if_told(&mut self) {
        let generation = self.board.generation();
        if generation == self.generation {
            return;
        }
        self.generation = generation;
        for subscription in &mut self.subscriptions {
            subscription.sent = 0;
        }
        for (destination, code) in std::mem::take(&mut self.unknown) {
            match self.board.find(&code) {
                Some(slot) if slot.destination() == destination => self.add(slot),
                Some(_) => {}
                None => self.unknown.push((destination, code)),
            }
        }
        self.has_news = true;
    }

    /// The frames of what changed, grouped by destination and kind.
    fn compose(&mut self, now: Instant) -> Vec<String> {
        let count = self.subscriptions.len();
        let mut groups: Vec<(Destination, bool, Vec<Arc<str>>)> = Vec::new();
        let mut taken = 0;
        let mut visited = 0;
        while visited < count && taken < MAX_VALUES_PER_FLIGHT {
            let place = (self.cursor + visited) % count;
            visited += 1;
            let Some(subscription) = self.subscriptions.get_mut(place) else {
                break;
            };
            if subscription.slot.version() == subscription.sent {
                continue;
            }
            let is_snapshot = subscription.sent == 0;
            let key = (subscription.slot.destination(), is_snapshot);
            let at = groups
                .iter()
                .position(|(destination, kind, _)| (*destination, *kind) == key);
            let at = at.unwrap_or_else(|| {
                groups.push((key.0, key.1, Vec::new()));
                groups.len() - 1
            });
            let Some((_, _, values)) = groups.get_mut(at) else {
                break;
            };
            let before = values.len();
            if is_snapshot {
                // Only the newest: what came before is history to someone who just arrived.
                if let Some((version, value)) = subscription.slot.latest() {
                    subscription.sent = version;
                    values.push(value);
                }
            } else {
                subscription.sent = subscription.slot.take_after(subscription.sent, values);
            }
            taken += values.len() - before;
        }
        if count > 0 {
            self.cursor = (self.cursor + visited) % count;
        }
        self.has_news = visited < count;
        if self.has_news {
            // The rest follows as soon as this group has arrived.
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
