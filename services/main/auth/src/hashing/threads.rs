//! The threads that make hashes: idle ones, which run on a core only while nothing else wants it,
//! and a standby for each, which takes over when the machine leaves the idle one no time.
//!
//! An idle thread is interrupted at once by whoever wakes up beside it. One that merely has a low
//! priority is not: on Linux a thread that wakes up may have to wait for the next tick (4 ms at 250 Hz)
//! until the other goes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use rustix::time::{ClockId, clock_gettime};
use thread_priority::{
    NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy,
    set_thread_priority_and_policy, thread_native_id,
};

/// Makes one hash and answers who asked for it. May be called twice; the first answer counts.
pub(super) type Work = Arc<dyn Fn() + Send + Sync>;

/// A hash that is not there after so long is made by the standby. Many times what one takes.
const PATIENCE: Duration = Duration::from_millis(250);

/// How far a standby stands back (the scale of nice(1)): beside a thread that does not, it gets a
/// tenth of a core, which keeps logins going on a machine that is busy for long.
const NICENESS: i32 = 10;

/// Work that an idle thread has begun.
struct Begun {
    at: Instant,
    /// Alive while it is under way.
    work: Weak<dyn Fn() + Send + Sync>,
}

/// Starts `count` idle threads and their standbys; they end when the returned sender is gone.
///
/// # Errors
/// When the system gives no more threads.
pub(super) fn start(count: usize) -> std::io::Result<Sender<Work>> {
    // Not bounded, because nobody sends without a place.
    let (to_threads, waiting) = crossbeam_channel::unbounded();
    for _ in 0..count {
        let (beginnings, begun) = crossbeam_channel::unbounded();
        let for_standby = waiting.clone();
        let waiting = waiting.clone();
        let named = |name: &str| std::thread::Builder::new().name(name.to_owned());
        named("hash").spawn(move || serve(&waiting, &beginnings))?;
        named("hash-standby").spawn(move || stand_by(&begun, &for_standby))?;
    }
    Ok(to_threads)
}

/// Makes hashes one after the other, with rests between them, until nobody can send any more.
fn serve(waiting: &Receiver<Work>, beginnings: &Sender<Begun>) {
    become_idle();
    for work in waiting {
        let begun = Begun {
            at: Instant::now(),
            work: Arc::downgrade(&work),
        };
        // The standby ends after this thread only.
        let _told = beginnings.send(begun);
        let before = time_of_thread();
        make(&work);
        drop(work);
        // What others took of the core meanwhile is no reason to rest.
        std::thread::sleep(time_of_thread().saturating_sub(before));
    }
}

/// Makes hashes that do not come on, and those that wait behind them.
fn stand_by(begun: &Receiver<Begun>, waiting: &Receiver<Work>) {
    // `None` means the calling thread alone on Linux. Where the system refuses, the standby is as
    // eager as everything else.
    let _as_it_was = rustix::process::setpriority_process(None, NICENESS);
    for Begun { at, work } in begun {
        std::thread::sleep((at + PATIENCE).saturating_duration_since(Instant::now()));
        let Some(stuck) = work.upgrade() else {
            continue;
        };
        metrics::counter!("auth_hashing_standby_total").increment(1);
        make(&stuck);
        drop(stuck);
        while work.strong_count() > 0 {
            match waiting.recv_timeout(PATIENCE) {
                Ok(next) => make(&next),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }
}

fn make(work: &Work) {
    // Who waits for it sees that no answer came; the next one is made as ever.
    let _panicked = catch_unwind(AssertUnwindSafe(|| work()));
}

/// Where the system refuses, hashes are as eager as everything else.
fn become_idle() {
    let _as_it_was = set_thread_priority_and_policy(
        thread_native_id(),
        ThreadPriority::Min,
        ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle),
    );
}

/// The processor time that the calling thread has used.
fn time_of_thread() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_hash_that_does_not_come_on_is_made_by_the_standby_and_so_is_what_waits_behind_it() {
        let to_threads = start(1).unwrap();
        let (release, held) = crossbeam_channel::bounded::<()>(0);
        let (done, finished) = crossbeam_channel::unbounded();
        let calls = AtomicUsize::new(0);
        let told = done.clone();
        let stuck: Work = Arc::new(move || {
            // The idle thread comes first and gets no further until it is released.
            if calls.fetch_add(1, Ordering::Relaxed) == 0 {
                let _released = held.recv();
            } else {
                told.send("stuck").unwrap();
            }
        });
        to_threads.send(stuck).unwrap();
        to_threads
            .send(Arc::new(move || done.send("behind it").unwrap()))
            .unwrap();
        let next = || finished.recv_timeout(Duration::from_secs(20)).unwrap();
        assert_eq!([next(), next()], ["stuck", "behind it"]);
        drop(release);
    }

    #[test]
    fn what_comes_on_is_made_once() {
        let to_threads = start(1).unwrap();
        let calls = Arc::new(AtomicUsize::new(0));
        for _ in 0..20 {
            let calls = Arc::clone(&calls);
            let once = move || {
                calls.fetch_add(1, Ordering::Relaxed);
            };
            to_threads.send(Arc::new(once)).unwrap();
        }
        std::thread::sleep(PATIENCE * 2);
        assert_eq!(calls.load(Ordering::Relaxed), 20);
    }
}
