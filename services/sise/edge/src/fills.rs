//! Fills on their way to the sockets of their member, and the order in which one socket may see
//! them.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;
use proto::trading::v1::MemberFills;
use tokio::sync::mpsc;
use uuid::Uuid;

use crate::fill_json;

/// Fills that may wait for one socket; a socket that is further behind asks trading for them.
const WAITING: usize = 16;

/// A fill, serialised once for all sockets of its member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FillPush {
    /// Per member, rising by one.
    pub seq: i64,
    /// One element of a payload.
    pub json: Arc<str>,
}

/// What a member's socket is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// A fill happened.
    Fill(FillPush),
    /// Fills may have been missed: ask trading.
    Missed,
    /// The session ended: nothing more for this socket.
    Ended,
}

struct Listener {
    id: u64,
    session_id: Uuid,
    sender: mpsc::Sender<Told>,
    flags: Arc<Flags>,
}

/// What a socket must learn however full its queue is.
#[derive(Default)]
struct Flags {
    overflown: AtomicBool,
    ended: AtomicBool,
}

/// Which sockets belong to which member.
#[derive(Default)]
pub struct FillHub {
    members: Mutex<HashMap<i64, Vec<Listener>>>,
    next_id: AtomicU64,
}

impl FillHub {
    /// Listens for the fills of a member, and for the end of the session, until the
    /// [`Registration`] is dropped.
    pub fn register(self: &Arc<Self>, member_id: i64, session_id: Uuid) -> Registration {
        let (sender, told) = mpsc::channel(WAITING);
        let flags = Arc::<Flags>::default();
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let listener = Listener {
            id,
            session_id,
            sender,
            flags: flags.clone(),
        };
        self.members
            .lock()
            .entry(member_id)
            .or_default()
            .push(listener);
        Registration {
            hub: self.clone(),
            member_id,
            id,
            told,
            flags,
        }
    }

    /// Hands a fill to the sockets of its member. Never waits.
    pub fn push(&self, member_id: i64, fill: &FillPush) {
        if let Some(listeners) = self.members.lock().get(&member_id) {
            for listener in listeners {
                tell(listener, Told::Fill(fill.clone()));
            }
        }
    }

    /// Tells every socket that fills may have been missed.
    pub fn tell_missed(&self) {
        for listener in self.members.lock().values().flatten() {
            tell(listener, Told::Missed);
        }
    }

    /// Tells the member's sockets of that session that it ended.
    pub fn end_session(&self, member_id: i64, session_id: Uuid) {
        let members = self.members.lock();
        let listeners = members.get(&member_id).into_iter().flatten();
        for listener in listeners.filter(|listener| listener.session_id == session_id) {
            listener.flags.ended.store(true, Ordering::Release);
            tell(listener, Told::Ended);
        }
    }

    /// Whose sockets there are, by member and session.
    #[must_use]
    pub fn sessions(&self) -> BTreeSet<(i64, Uuid)> {
        let members = self.members.lock();
        let of_member = |(member_id, listeners): (&i64, &Vec<Listener>)| {
            let member_id = *member_id;
            let sessions = listeners.iter().map(|listener| listener.session_id);
            sessions
                .map(move |session| (member_id, session))
                .collect::<Vec<_>>()
        };
        members.iter().flat_map(of_member).collect()
    }
}

fn tell(listener: &Listener, told: Told) {
    if listener.sender.try_send(told).is_err() {
        listener.flags.overflown.store(true, Ordering::Release);
    }
}

/// One socket's ear.
pub struct Registration {
    hub: Arc<FillHub>,
    member_id: i64,
    id: u64,
    told: mpsc::Receiver<Told>,
    flags: Arc<Flags>,
}

impl Registration {
    /// The member.
    #[must_use]
    pub fn member_id(&self) -> i64 {
        self.member_id
    }

    /// The next thing told. Cancelling loses nothing.
    pub async fn next(&mut self) -> Told {
        let told = self.told.recv().await;
        if self.flags.ended.load(Ordering::Acquire) {
            return Told::Ended;
        }
        if self.flags.overflown.swap(false, Ordering::AcqRel) {
            return Told::Missed;
        }
        match told {
            Some(told) => told,
            None => std::future::pending().await,
        }
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let mut members = self.hub.members.lock();
        if let Some(listeners) = members.get_mut(&self.member_id) {
            listeners.retain(|listener| listener.id != self.id);
            if listeners.is_empty() {
                members.remove(&self.member_id);
            }
        }
    }
}

/// Where a socket stands in its member's sequence of fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// `None` until it is known where the sequence stands.
    last: Option<i64>,
    /// `last` is what the client says, and trading has not confirmed it yet.
    is_claimed: bool,
}

/// What to do with a fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Send it.
    Next,
    /// It was sent before.
    Repeat,
    /// Others come before it: ask trading.
    Early,
}

/// What trading's answer means for a socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaughtUp {
    /// Fills that are lost to this socket, first and last.
    pub gap: Option<(i64, i64)>,
    /// Fills to send, oldest first.
    pub fills: Vec<FillPush>,
}

impl Sequence {
    /// A socket whose client has seen everything up to `last`; `None` wants only what comes now.
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

    /// After which fill trading should list; beyond the newest one when only what comes now is
    /// wanted.
    #[must_use]
    pub fn ask_after(self) -> i64 {
        self.last.unwrap_or(i64::MAX)
    }

    /// Judges a live fill.
    pub fn judge(&mut self, seq: i64) -> Verdict {
        match self.last {
            // The client may claim fills that are yet to happen.
            Some(last) if seq <= last && self.is_claimed => Verdict::Early,
            Some(last) if seq <= last => Verdict::Repeat,
            Some(last) if seq > last + 1 => Verdict::Early,
            Some(_) | None => {
                self.last = Some(seq);
                self.is_claimed = false;
                Verdict::Next
            }
        }
    }

    /// Takes trading's answer. A client that claims fills beyond the newest one (another member's,
    /// or those of before a restored backup) is told a gap, and hears from the newest one on.
    pub fn catch_up(&mut self, answer: &MemberFills) -> CaughtUp {
        let Some(last) = self.last else {
            self.last = Some(answer.last_seq);
            return CaughtUp {
                gap: None,
                fills: Vec::new(),
            };
        };
        if std::mem::take(&mut self.is_claimed) && last > answer.last_seq {
            self.last = Some(answer.last_seq);
            return CaughtUp {
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
        CaughtUp { gap, fills }
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
        assert_eq!(sequence.judge(4), Verdict::Repeat);
        assert_eq!(sequence.judge(5), Verdict::Next);
        assert_eq!(sequence.judge(8), Verdict::Early);
        assert_eq!(sequence.ask_after(), 5);
        let caught_up = sequence.catch_up(&answer([5, 6, 7, 8], 8, false));
        let seqs: Vec<i64> = caught_up.fills.iter().map(|fill| fill.seq).collect();
        assert_eq!((seqs, caught_up.gap), (vec![6, 7, 8], None));
        assert_eq!(sequence.judge(8), Verdict::Repeat);
        assert_eq!(sequence.judge(9), Verdict::Next);
    }

    #[test]
    fn what_is_too_old_to_be_listed_is_a_gap() {
        let mut sequence = Sequence::after(Some(10));
        let caught_up = sequence.catch_up(&answer(151..=250, 250, true));
        assert_eq!(caught_up.gap, Some((11, 150)));
        assert_eq!(caught_up.fills.len(), 100);
        assert_eq!(sequence.judge(251), Verdict::Next);
    }

    #[test]
    fn without_a_last_seq_only_new_fills_count() {
        let mut sequence = Sequence::after(None);
        assert_eq!(sequence.ask_after(), i64::MAX);
        assert!(sequence.catch_up(&answer([], 7, false)).fills.is_empty());
        assert_eq!(sequence.judge(7), Verdict::Repeat);
        // A fill that comes before the answer is sent, and the answer does not skip another.
        let mut sequence = Sequence::after(None);
        assert_eq!(sequence.judge(6), Verdict::Next);
        assert!(sequence.catch_up(&answer([], 7, false)).fills.is_empty());
        assert_eq!(sequence.judge(7), Verdict::Next);
    }

    #[test]
    fn a_client_that_claims_a_later_fill_starts_at_the_newest_one() {
        let mut sequence = Sequence::after(Some(50));
        // Whatever comes before trading has answered is not taken for a repetition.
        assert_eq!(sequence.judge(11), Verdict::Early);
        let caught_up = sequence.catch_up(&answer([], 10, false));
        assert_eq!((caught_up.gap, caught_up.fills), (Some((11, 50)), vec![]));
        assert_eq!(sequence.ask_after(), 10);
        assert_eq!(sequence.judge(11), Verdict::Next);

        // What is true is no gap, also when the answer is older than a fill that came meanwhile.
        let mut sequence = Sequence::after(Some(10));
        assert_eq!(sequence.judge(11), Verdict::Next);
        assert_eq!(sequence.catch_up(&answer([], 10, false)).gap, None);
        assert_eq!(sequence.judge(12), Verdict::Next);
        let mut sequence = Sequence::after(Some(i64::MAX));
        let caught_up = sequence.catch_up(&answer([], 0, false));
        assert_eq!(caught_up.gap, Some((1, i64::MAX)));
    }

    #[tokio::test]
    async fn the_end_of_a_session_reaches_its_sockets_and_no_other() {
        let hub = Arc::new(FillHub::default());
        let (mine, elsewhere) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let mut full = hub.register(1, mine);
        let mut other = hub.register(1, elsewhere);
        assert_eq!(hub.sessions(), BTreeSet::from([(1, mine), (1, elsewhere)]));
        for seq in 0..100 {
            hub.push(1, &push(seq));
        }
        hub.end_session(1, mine);
        hub.end_session(2, elsewhere);
        assert_eq!(full.next().await, Told::Ended);
        assert_eq!(full.next().await, Told::Ended);
        assert_eq!(other.next().await, Told::Missed);
    }

    #[tokio::test]
    async fn a_full_ear_hears_that_it_missed_something() {
        let hub = Arc::new(FillHub::default());
        let mut ear = hub.register(1, Uuid::from_u128(1));
        let mut other = hub.register(2, Uuid::from_u128(2));
        for seq in 0..100 {
            hub.push(1, &push(seq));
        }
        assert_eq!(ear.next().await, Told::Missed);
        assert_eq!(ear.next().await, Told::Fill(push(1)));
        hub.tell_missed();
        assert_eq!(other.next().await, Told::Missed);
        drop((ear, other));
        assert!(hub.members.lock().is_empty());
    }
}
