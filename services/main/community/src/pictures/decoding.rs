//! Decodes pictures on threads of their own. Few are decoded at a time, and a large one alone, so that
//! memory is bounded whatever arrives.
//!
//! Idle threads do it, so that a crowd of uploads slows no other request. On a machine that stays
//! busy they would hardly proceed: one that had to wait for a core when its work came hands it to a
//! standby, a thread of low priority, and what an idle thread does not finish in time a standby
//! does a second time, where that keeps the bound.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bootstrap::priority;
use bytes::Bytes;
use crossbeam_channel::{Receiver, Sender};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::render::{Header, Rendered, Unusable, render};
use crate::error::CommunityError;

/// Megapixels that are decoded at a time.
const DECODING: u32 = 40;
/// Counted for a small picture.
const LEAST: u32 = 20;
const THREADS: u32 = DECODING / LEAST;
/// An idle thread that is given a core later than this will get little of it.
const STARVED_AFTER: Duration = Duration::from_millis(50);
/// Twice what the largest picture takes.
const STUCK_AFTER: Duration = Duration::from_secs(1);

#[derive(Clone, Debug)]
pub struct Decoders {
    /// Headers that are read at a time: what waits elsewhere is dropped with its upload.
    headers: Arc<Semaphore>,
    megapixels: Arc<Semaphore>,
    // The threads end when all senders are dropped.
    to_idle: Sender<Job>,
    to_standbys: Sender<Job>,
}

struct Job {
    offered: Instant,
    work: Box<dyn FnOnce() + Send>,
}

impl Decoders {
    /// # Errors
    /// When a thread cannot be spawned.
    pub fn start() -> io::Result<Self> {
        // Bounded by the semaphores.
        let (to_idle, offered) = crossbeam_channel::unbounded();
        let (to_standbys, passed_on) = crossbeam_channel::unbounded();
        for _ in 0..THREADS {
            let named = |name: &str| std::thread::Builder::new().name(name.to_owned());
            let (offered, to_standbys) = (offered.clone(), to_standbys.clone());
            let passed_on: Receiver<Job> = passed_on.clone();
            named("picture").spawn(move || run_idle(&offered, &to_standbys))?;
            named("picture-standby").spawn(move || run_standby(&passed_on))?;
        }
        let places = |count: u32| Arc::new(Semaphore::new(usize::try_from(count).unwrap_or(1)));
        Ok(Self {
            headers: places(THREADS),
            megapixels: places(DECODING),
            to_idle,
            to_standbys,
        })
    }

    /// Reads the header and refuses what would be too large; then makes it into pictures of ours.
    ///
    /// # Errors
    /// The reasons for which a picture is not taken.
    pub async fn render(&self, bytes: Vec<u8>) -> Result<Rendered, CommunityError> {
        let bytes = Bytes::from(bytes);
        let header = self.read_header(bytes.clone()).await?;
        let megapixels = u32::try_from(header.pixels().div_ceil(1_000_000)).unwrap_or(DECODING);
        let share = megapixels.clamp(LEAST, DECODING);
        let place = Arc::clone(&self.megapixels).acquire_many_owned(share).await;
        let place = place.map_err(|_closed| CommunityError::FilesUnavailable)?;
        let mut first = pin!(decode(&self.to_idle, place, &bytes, header));
        if let Ok(rendered) = tokio::time::timeout(STUCK_AFTER, &mut first).await {
            return Ok(rendered?);
        }
        let Ok(place) = Arc::clone(&self.megapixels).try_acquire_many_owned(share) else {
            return Ok(first.await?);
        };
        let second = decode(&self.to_standbys, place, &bytes, header);
        tokio::select! {
            rendered = first => Ok(rendered?),
            rendered = second => Ok(rendered?),
        }
    }

    async fn read_header(&self, bytes: Bytes) -> Result<Header, CommunityError> {
        let place = Arc::clone(&self.headers).acquire_owned().await;
        let place = place.map_err(|_closed| CommunityError::FilesUnavailable)?;
        let reading = move || {
            let _place = place;
            Header::read(&bytes)
        };
        Ok(work(&self.to_idle, reading).await?)
    }
}

/// Keeps its place until it is done, also when nobody waits for the picture any more.
async fn decode(
    threads: &Sender<Job>,
    place: OwnedSemaphorePermit,
    bytes: &Bytes,
    header: Header,
) -> Result<Rendered, Unusable> {
    let bytes = bytes.clone();
    let decoding = move || {
        let _place = place;
        render(&bytes, header)
    };
    work(threads, decoding).await
}

/// Has a thread work. A file that makes it panic is no picture.
async fn work<T: Send + 'static>(
    threads: &Sender<Job>,
    work: impl FnOnce() -> Result<T, Unusable> + Send + 'static,
) -> Result<T, Unusable> {
    let (reply, done) = oneshot::channel();
    let job = Job {
        offered: Instant::now(),
        work: Box::new(move || {
            // Of an upload that was given up meanwhile nothing is begun.
            if !reply.is_closed() {
                let _gone = reply.send(work());
            }
        }),
    };
    // The threads live as long as their sender.
    let _sent = threads.send(job);
    done.await.unwrap_or(Err(Unusable::Broken))
}

fn run_idle(offered: &Receiver<Job>, to_standbys: &Sender<Job>) {
    priority::become_idle();
    let mut free_since = Instant::now();
    for job in offered {
        if is_starved(job.offered, free_since) {
            metrics::counter!("community_decoding_standby_total").increment(1);
            // The standbys live as long as this thread.
            let _sent = to_standbys.send(job);
        } else {
            run(job);
        }
        free_since = Instant::now();
    }
}

/// Whether a free thread had to wait for a core.
fn is_starved(offered: Instant, free_since: Instant) -> bool {
    offered.max(free_since).elapsed() > STARVED_AFTER
}

fn run_standby(passed_on: &Receiver<Job>) {
    priority::become_low();
    for job in passed_on {
        run(job);
    }
}

fn run(job: Job) {
    // Whoever waits for it is told by its end; the thread goes on with the next.
    let _panicked = catch_unwind(AssertUnwindSafe(job.work));
}

#[cfg(test)]
mod tests {
    use futures_util::future::join_all;

    use super::*;

    #[tokio::test]
    async fn a_decoder_that_panics_refuses_its_file_and_goes_on() {
        let decoders = Decoders::start().unwrap();
        for _ in 0..2 * THREADS {
            let panicking = || -> Result<(), Unusable> { panic!("an odd file") };
            let refused = work(&decoders.to_idle, panicking).await;
            assert_eq!(refused, Err(Unusable::Broken));
        }
        assert_eq!(work(&decoders.to_idle, || Ok(7)).await, Ok(7));
    }

    #[tokio::test]
    async fn what_nobody_waits_for_is_not_begun() {
        let decoders = Decoders::start().unwrap();
        let (release, held) = crossbeam_channel::bounded::<()>(0);
        // Also for the standbys, in case that the machine is busy.
        let busy = (0..2 * THREADS).map(|_| {
            let held = held.clone();
            work(&decoders.to_idle, move || Ok(held.recv().is_ok()))
        });
        let (count, counted) = crossbeam_channel::unbounded();
        let given_up = async {
            let counting = work(&decoders.to_idle, move || Ok(count.send(()).is_ok()));
            let waited = tokio::time::timeout(Duration::from_millis(20), counting).await;
            assert!(waited.is_err());
            for _ in 0..2 * THREADS {
                release.send(()).unwrap();
            }
        };
        let (busy, ()) = tokio::join!(join_all(busy), given_up);
        assert!(busy.iter().all(|done| *done == Ok(true)), "{busy:?}");
        work(&decoders.to_idle, || Ok(())).await.unwrap();
        assert!(counted.try_recv().is_err());
    }

    #[tokio::test]
    async fn standbys_do_what_is_handed_on() {
        let decoders = Decoders::start().unwrap();
        let works = (0..2 * THREADS).map(|n| work(&decoders.to_standbys, move || Ok(n)));
        let done: Result<Vec<_>, _> = join_all(works).await.into_iter().collect();
        assert_eq!(done.unwrap(), (0..2 * THREADS).collect::<Vec<_>>());
    }

    #[test]
    fn a_thread_is_starved_that_was_free_and_waited() {
        let now = Instant::now();
        let before = now.checked_sub(STARVED_AFTER * 2).unwrap();
        assert!(is_starved(before, before));
        assert!(!is_starved(before, now), "it was busy");
        assert!(!is_starved(now, before));
    }
}
