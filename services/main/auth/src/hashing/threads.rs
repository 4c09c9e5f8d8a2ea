//! The hashing threads: idle threads, which run on a core only while nothing else wants it, and a
//! standby of low priority for each, which takes over when the idle one gets no processor time.
//!
//! Idle threads alone would starve: beside one busy thread a hash of 17 ms takes an idle thread six
//! seconds or more, and a standby a fifth of a second.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use bootstrap::priority;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use rustix::time::{ClockId, clock_gettime};

/// Computes one hash and sends it to the caller. May be called twice; the first result counts.
pub(super) type HashJob = Arc<dyn Fn() + Send + Sync>;

/// The standby computes a hash that has not finished after this time, many times the usual one.
const STANDBY_AFTER: Duration = Duration::from_millis(250);

/// A job that an idle thread has started.
struct StartedJob {
    at: Instant,
    /// Alive until the job is done.
    job: Weak<dyn Fn() + Send + Sync>,
}

/// Starts `count` idle threads and their standbys; they end when the returned sender is dropped.
///
/// # Errors
/// When a thread cannot be spawned.
pub(super) fn start(count: usize) -> std::io::Result<Sender<HashJob>> {
    // Bounded by the permits.
    let (to_threads, waiting) = crossbeam_channel::unbounded();
    for _ in 0..count {
        let (started_jobs, started) = crossbeam_channel::unbounded();
        let for_standby = waiting.clone();
        let waiting = waiting.clone();
        let named = |name: &str| std::thread::Builder::new().name(name.to_owned());
        named("hash").spawn(move || run_idle(&waiting, &started_jobs))?;
        named("hash-standby").spawn(move || run_standby(&started, &for_standby))?;
    }
    Ok(to_threads)
}

/// Runs jobs one after another, sleeping in between, until all senders are dropped.
fn run_idle(waiting: &Receiver<HashJob>, started_jobs: &Sender<StartedJob>) {
    priority::become_idle();
    for job in waiting {
        let started = StartedJob {
            at: Instant::now(),
            job: Arc::downgrade(&job),
        };
        // The standby outlives this thread.
        let _sent = started_jobs.send(started);
        let before = thread_cpu_time();
        run_job(&job);
        drop(job);
        // Only the time this thread used: time that others took is no reason to sleep.
        std::thread::sleep(thread_cpu_time().saturating_sub(before));
    }
}

/// Runs jobs that are stuck, and those queued behind them.
fn run_standby(started: &Receiver<StartedJob>, waiting: &Receiver<HashJob>) {
    priority::become_low();
    for StartedJob { at, job } in started {
        std::thread::sleep((at + STANDBY_AFTER).saturating_duration_since(Instant::now()));
        let Some(stuck) = job.upgrade() else {
            continue;
        };
        metrics::counter!("auth_hashing_standby_total").increment(1);
        run_job(&stuck);
        drop(stuck);
        while job.strong_count() > 0 {
            match waiting.recv_timeout(STANDBY_AFTER) {
                Ok(next) => run_job(&next),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }
}

fn run_job(job: &HashJob) {
    // The caller's channel is dropped; the thread continues with the next job.
    let _panicked = catch_unwind(AssertUnwindSafe(|| job()));
}

fn thread_cpu_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn the_standby_runs_a_stuck_job_and_those_queued_behind_it() {
        let to_threads = start(1).unwrap();
        let (release, held) = crossbeam_channel::bounded::<()>(0);
        let (done, finished) = crossbeam_channel::unbounded();
        let calls = AtomicUsize::new(0);
        let stuck_done = done.clone();
        let stuck: HashJob = Arc::new(move || {
            // The idle thread is first and blocks until it is released.
            if calls.fetch_add(1, Ordering::Relaxed) == 0 {
                let _released = held.recv();
            } else {
                stuck_done.send("stuck").unwrap();
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
    fn a_job_that_proceeds_runs_once() {
        let to_threads = start(1).unwrap();
        let calls = Arc::new(AtomicUsize::new(0));
        for _ in 0..20 {
            let calls = Arc::clone(&calls);
            let once = move || {
                calls.fetch_add(1, Ordering::Relaxed);
            };
            to_threads.send(Arc::new(once)).unwrap();
        }
        std::thread::sleep(STANDBY_AFTER * 2);
        assert_eq!(calls.load(Ordering::Relaxed), 20);
    }
}
