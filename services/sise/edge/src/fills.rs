//! Delivers fills to the sockets of their member, each once and in order, and notices of new
//! notifications.

use std::collections::{BTreeSet, HashMap};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;
use proto::trading::v1::MemberFills;
use tokio::sync::mpsc;
use uuid::Uuid;

use crate::fill_json;

/// Queue length per socket. After an overflow the socket fetches its fills from trading.
const QUEUE_LENGTH: usize = 16;

/// Private channels that a member may have open at once, on all sockets.
pub const MAX_CHANNELS_PER_MEMBER: usize = 20;
/// Private channels that a member may open a minute, on all sockets.
pub const CHANNELS_PER_MINUTE: NonZeroU32 = NonZeroU32::new(60).unwrap();

/// A fill, serialised once for all sockets of its member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FillPush {
    /// Increases by one per member.
    pub seq: i64,
    /// One element of a payload.
    pub json: Arc<str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FillSignal {
    Fill(FillPush),
    /// A new notification, as one element of a payload.
    Notice(Arc<str>),
    /// Fills may have been missed and must be fetched from trading.
    Missed,
    /// The session ended; the channel must close.
    SessionEnded,
}

struct Subscriber {
    id: u64,
    session_id: Uuid,
    /// Counts against [`MAX_CHANNELS_PER_MEMBER`].
    is_admitted: bool,
    sender: mpsc::Sender<FillSignal>,
    flags: Arc<Flags>,
}

/// Signals that must not be lost when the queue is full.
#[derive(Default)]
struct Flags {
    overflowed: AtomicBool,
    ended: AtomicBool,
}

#[derive(Default)]
pub struct FillHub {
    members: Mutex<HashMap<i64, Vec<Subscriber>>>,
    next_id: AtomicU64,
}

impl FillHub {
    /// Subscribes to a member's fills and to the end of the session until the [`FillSubscription`]
    /// is dropped.
    pub fn subscribe(self: &Arc<Self>, member_id: i64, session_id: Uuid) -> FillSubscription {
        let (sender, received) = mpsc::channel(QUEUE_LENGTH);
        let flags = Arc::<Flags>::default();
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let subscriber = Subscriber {
            id,
            session_id,
            is_admitted: false,
            sender,
            flags: flags.clone(),
        };
        self.members
            .lock()
            .entry(member_id)
            .or_default()
            .push(subscriber);
        FillSubscription {
            hub: self.clone(),
            member_id,
            id,
            received,
            flags,
        }
    }

    /// Sends a fill to all sockets of its member, without waiting.
    pub fn push(&self, member_id: i64, fill: &FillPush) {
        if let Some(subscribers) = self.members.lock().get(&member_id) {
            for subscriber in subscribers {
                signal(subscriber, FillSignal::Fill(fill.clone()));
            }
        }
    }

    /// Sends a notice to all sockets of its member, without waiting. A socket that does not read loses
    /// it.
    pub fn push_notice(&self, member_id: i64, notice: &Arc<str>) {
        if let Some(subscribers) = self.members.lock().get(&member_id) {
            for subscriber in subscribers {
                signal(subscriber, FillSignal::Notice(Arc::clone(notice)));
            }
        }
    }

    pub fn notify_missed(&self) {
        for subscriber in self.members.lock().values().flatten() {
            signal(subscriber, FillSignal::Missed);
        }
    }

    pub fn end_session(&self, member_id: i64, session_id: Uuid) {
        let members = self.members.lock();
        let subscribers = members.get(&member_id).into_iter().flatten();
        for subscriber in subscribers.filter(|subscriber| subscriber.session_id == session_id) {
            subscriber.flags.ended.store(true, Ordering::Release);
            signal(subscriber, FillSignal::SessionEnded);
        }
    }

    /// The subscribed members and their sessions.
    #[must_use]
    pub fn sessions(&self) -> BTreeSet<(i64, Uuid)> {
        let members = self.members.lock();
        let of_member = |(member_id, subscribers): (&i64, &Vec<Subscriber>)| {
            let member_id = *member_id;
            let sessions = subscribers.iter().map(|subscriber| subscriber.session_id);
            sessions
                .map(move |session| (member_id, session))
                .collect::<Vec<_>>()
        };
        members.iter().flat_map(of_member).collect()
    }
}

fn signal(subscriber: &Subscriber, received: FillSignal) {
    if subscriber.sender.try_send(received).is_err() {
        subscriber.flags.overflowed.store(true, Ordering::Release);
    }
}

/// The subscription of one socket.
pub struct FillSubscription {
    hub: Arc<FillHub>,
    member_id: i64,
    id: u64,
    received: mpsc::Receiver<FillSignal>,
    flags: Arc<Flags>,
}

impl FillSubscription {
    /// Counts this subscription against its member's limit; false at the limit. Not when
    /// subscribing, because its session may turn out to have ended, and a token of an ended session
    /// must not use up the channels of its member.
    #[must_use]
    pub fn admit(&self) -> bool {
        let mut members = self.hub.members.lock();
        let Some(subscribers) = members.get_mut(&self.member_id) else {
            return false;
        };
        let admitted = subscribers.iter().filter(|one| one.is_admitted).count();
        if admitted >= MAX_CHANNELS_PER_MEMBER {
            return false;
        }
        if let Some(this) = subscribers.iter_mut().find(|one| one.id == self.id) {
            this.is_admitted = true;
        }
        true
    }

    /// The next thing received. Cancelling loses nothing.
    pub async fn next(&mut self) -> FillSignal {
        let received = self.received.recv().await;
        if self.flags.ended.load(Ordering::Acquire) {
            return FillSignal::SessionEnded;
        }
        if self.flags.overflowed.swap(false, Ordering::AcqRel) {
            return FillSignal::Missed;
        }
        match received {
            Some(received) => received,
            None => std::future::pending().await,
        }
    }
}

impl Drop for FillSubscription {
    fn drop(&mut self) {
        let mut members = self.hub.members.lock();
        if let Some(subscribers) = members.get_mut(&self.member_id) {
            subscribers.retain(|subscriber| subscriber.id != self.id);
            if subscribers.is_empty() {
                members.remove(&self.member_id);
            }
        }
    }
}

/// The position of a socket in its member's sequence of fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// `None` until the newest sequence number is known.
    last: Option<i64>,
    /// `last` comes from the client and is not confirmed by trading.
    is_claimed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SequenceCheck {
    /// The next fill in sequence.
    Next,
    Duplicate,
    /// Earlier fills are missing and must be fetched from trading.
    Gap,
}

/// What to send after fetching fills from trading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatchUp {
    /// First and last fill that trading no longer lists.
    pub gap: Option<(i64, i64)>,
    /// Oldest first.
    pub fills: Vec<FillPush>,
}

impl Sequence {
    /// A client that has every fill up to `last`; with `None` it wants new fills only.
    #[must_use]
    pub fn after(last: Option<i64>) -> Self {
        Self {
            last,
            is_claimed: last.is_some(),
        }
    }

    /// The newest fill that was sent or need not be sent.
    #[must_use]
    pub fn last(self) -> Option<i64> {
        self.last
    }

    /// The fetch starts after this fill; beyond the newest one when only new fills are wanted.
    #[must_use]
    pub fn fetch_after(self) -> i64 {
        self.last.unwrap_or(i64::MAX)
    }

    pub fn check(&mut self, seq: i64) -> SequenceCheck {
        match self.last {
            // The client's number may be beyond the newest fill.
            Some(last) if seq <= last && self.is_claimed => SequenceCheck::Gap,
            Some(last) if seq <= last => SequenceCheck::Duplicate,
            Some(last) if seq > last + 1 => SequenceCheck::Gap,
            Some(_) | None => {
                self.last = Some(seq);
                self.is_claimed = false;
                SequenceCheck::Next
            }
        }
    }

    /// Applies the fills that trading lists. A client whose number is beyond the newest fill
    /// (another member's, or from before a restored backup) gets a gap and continues from the
    /// newest one.
    pub fn catch_up(&mut self, answer: &MemberFills) -> CatchUp {
        let Some(last) = self.last else {
            self.last = Some(answer.last_seq);
            return CatchUp {
                gap: None,
                fills: Vec::new(),
            };
        };
        if std::mem::take(&mut self.is_claimed) && last > answer.last_seq {
            self.last = Some(answer.last_seq);
            return CatchUp {
                gap: Some((answer.last_seq + 1, last)),
                fills: Vec::new(),
            };
        }
        let missing = answer.notices.iter().filter(|notice| notice.seq > last);
        let fills: Vec<FillPush> = missing
            .map(|notice| FillPush {
                seq: notice.seq,
                json: fill_json::notice(notice).into(),
            })
            .collect();
        let gap = match fills.first() {
            Some(first) if answer.gap && first.seq > last + 1 => Some((last + 1, first.seq - 1)),
            Some(_) | None => None,
        };
        let newest = fills.last().map_or(last, |fill| fill.seq);
        self.last = Some(newest.max(last));
        CatchUp { gap, fills }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proto::trading::v1::FillNotice;

    fn push(seq: i64) -> FillPush {
        FillPush {
            seq,
            json: seq.to_string().into(),
        }
    }

    fn answer(seqs: impl IntoIterator<Item = i64>, last_seq: i64, gap: bool) -> MemberFills {
        let notices = seqs.into_iter().map(|seq| FillNotice {
            seq,
            ..FillNotice::default()
        });
        MemberFills {
            notices: notices.collect(),
            last_seq,
            gap,
        }
    }

    #[test]
    fn each_fill_is_sent_once_and_in_order() {
        let mut sequence = Sequence::after(Some(4));
        assert!(sequence.catch_up(&answer([], 4, false)).fills.is_empty());
        assert_eq!(sequence.check(4), SequenceCheck::Duplicate);
        assert_eq!(sequence.check(5), SequenceCheck::Next);
        assert_eq!(sequence.check(8), SequenceCheck::Gap);
        assert_eq!(sequence.fetch_after(), 5);
        let caught_up = sequence.catch_up(&answer([5, 6, 7, 8], 8, false));
        let seqs: Vec<i64> = caught_up.fills.iter().map(|fill| fill.seq).collect();
        assert_eq!((seqs, caught_up.gap), (vec![6, 7, 8], None));
        assert_eq!(sequence.check(8), SequenceCheck::Duplicate);
        assert_eq!(sequence.check(9), SequenceCheck::Next);
    }

    #[test]
    fn what_is_too_old_to_be_listed_is_a_gap() {
        let mut sequence = Sequence::after(Some(10));
        let caught_up = sequence.catch_up(&answer(151..=250, 250, true));
        assert_eq!(caught_up.gap, Some((11, 150)));
        assert_eq!(caught_up.fills.len(), 100);
        assert_eq!(sequence.check(251), SequenceCheck::Next);
    }

    #[test]
    fn without_a_last_seq_only_new_fills_count() {
        let mut sequence = Sequence::after(None);
        assert_eq!(sequence.fetch_after(), i64::MAX);
        assert!(sequence.catch_up(&answer([], 7, false)).fills.is_empty());
        assert_eq!(sequence.check(7), SequenceCheck::Duplicate);
        // A fill that comes before the answer is sent, and the answer does not skip another.
        let mut sequence = Sequence::after(None);
        assert_eq!(sequence.check(6), SequenceCheck::Next);
        assert!(sequence.catch_up(&answer([], 7, false)).fills.is_empty());
        assert_eq!(sequence.check(7), SequenceCheck::Next);
    }

    #[test]
    fn a_client_that_claims_a_later_fill_starts_at_the_newest_one() {
        let mut sequence = Sequence::after(Some(50));
        // Before trading has answered, a lower number is not a duplicate.
        assert_eq!(sequence.check(11), SequenceCheck::Gap);
        let caught_up = sequence.catch_up(&answer([], 10, false));
        assert_eq!((caught_up.gap, caught_up.fills), (Some((11, 50)), vec![]));
        assert_eq!(sequence.fetch_after(), 10);
        assert_eq!(sequence.check(11), SequenceCheck::Next);

        // A correct number causes no gap, even if the answer is older than a live fill.
        let mut sequence = Sequence::after(Some(10));
        assert_eq!(sequence.check(11), SequenceCheck::Next);
        assert_eq!(sequence.catch_up(&answer([], 10, false)).gap, None);
        assert_eq!(sequence.check(12), SequenceCheck::Next);
        let mut sequence = Sequence::after(Some(i64::MAX));
        let caught_up = sequence.catch_up(&answer([], 0, false));
        assert_eq!(caught_up.gap, Some((1, i64::MAX)));
    }

    #[tokio::test]
    async fn the_end_of_a_session_reaches_its_sockets_and_no_other() {
        let hub = Arc::new(FillHub::default());
        let (mine, elsewhere) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let mut full = hub.subscribe(1, mine);
        let mut other = hub.subscribe(1, elsewhere);
        assert_eq!(hub.sessions(), BTreeSet::from([(1, mine), (1, elsewhere)]));
        for seq in 0..100 {
            hub.push(1, &push(seq));
        }
        hub.end_session(1, mine);
        hub.end_session(2, elsewhere);
        assert_eq!(full.next().await, FillSignal::SessionEnded);
        assert_eq!(full.next().await, FillSignal::SessionEnded);
        assert_eq!(other.next().await, FillSignal::Missed);
    }

    #[test]
    fn a_member_has_a_bounded_number_of_channels() {
        let hub = Arc::new(FillHub::default());
        let subscribe = |member_id| hub.subscribe(member_id, Uuid::from_u128(1));
        let unchecked: Vec<_> = (0..100).map(|_| subscribe(1)).collect();
        let mut open: Vec<_> = (0..MAX_CHANNELS_PER_MEMBER).map(|_| subscribe(1)).collect();
        assert!(open.iter().all(FillSubscription::admit));
        assert!(unchecked.iter().all(|subscription| !subscription.admit()));
        assert!(subscribe(2).admit(), "another member is not affected");
        open.pop();
        assert!(unchecked[0].admit());
        assert!(!unchecked[1].admit());
    }

    #[tokio::test]
    async fn a_full_queue_signals_missed_fills() {
        let hub = Arc::new(FillHub::default());
        let mut subscription = hub.subscribe(1, Uuid::from_u128(1));
        let mut other = hub.subscribe(2, Uuid::from_u128(2));
        for seq in 0..100 {
            hub.push(1, &push(seq));
        }
        assert_eq!(subscription.next().await, FillSignal::Missed);
        assert_eq!(subscription.next().await, FillSignal::Fill(push(1)));
        hub.notify_missed();
        assert_eq!(other.next().await, FillSignal::Missed);
        drop((subscription, other));
        assert!(hub.members.lock().is_empty());
    }
}
