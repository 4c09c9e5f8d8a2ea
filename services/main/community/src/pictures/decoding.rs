//! Decodes pictures on threads of their own. Few are decoded at a time, and a large one alone, so that
//! memory is bounded whatever arrives.
//!
//! The threads have a low priority, so that a crowd of uploads slows no other request; idle ones would
//! hardly proceed on a machine that stays busy.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use bootstrap::priority;
use bytes::Bytes;
use crossbeam_channel::{Receiver, Sender};
use tokio::sync::{Semaphore, oneshot};

use super::render::{Header, Rendered, Unusable, render};
use crate::error::CommunityError;

/// Megapixels that are decoded at a time.
const DECODING: u32 = 40;
/// Counted for a small picture.
const LEAST: u32 = 20;
const THREADS: u32 = DECODING / LEAST;

#[derive(Clone, Debug)]
pub struct Decoders {
    /// Headers that are read at a time: what waits elsewhere is dropped with its upload.
    headers: Arc<Semaphore>,
    megapixels: Arc<Semaphore>,
    // The threads end when all senders are dropped.
    jobs: Sender<Job>,
}

type Job = Box<dyn FnOnce() + Send>;

impl Decoders {
    /// # Errors
    /// When a thread cannot be spawned.
    pub fn start() -> io::Result<Self> {
        // Bounded by the semaphores.
        let (jobs, waiting) = crossbeam_channel::unbounded();
        for _ in 0..THREADS {
            let waiting = waiting.clone();
            let named = std::thread::Builder::new().name("picture".to_owned());
            named.spawn(move || run(&waiting))?;
        }
        let places = |count: u32| Arc::new(Semaphore::new(usize::try_from(count).unwrap_or(1)));
        Ok(Self {
            headers: places(THREADS),
            megapixels: places(DECODING),
            jobs,
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
        // Kept until it is done, also when nobody waits for the picture any more.
        let decoding = move || {
            let _place = place;
            render(&bytes, header)
        };
        Ok(self.work(decoding).await?)
    }

    async fn read_header(&self, bytes: Bytes) -> Result<Header, CommunityError> {
        let place = Arc::clone(&self.headers).acquire_owned().await;
        let place = place.map_err(|_closed| CommunityError::FilesUnavailable)?;
        let reading = move || {
            let _place = place;
            Header::read(&bytes)
        };
        Ok(self.work(reading).await?)
    }

    /// Has a thread work. A file that makes it panic is no picture.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Unusable> + Send + 'static,
    ) -> Result<T, Unusable> {
        let (reply, done) = oneshot::channel();
        let job = move || {
            // Of an upload that was given up meanwhile nothing is begun.
            if !reply.is_closed() {
                let _gone = reply.send(work());
            }
        };
        // The threads live as long as their sender.
        let _sent = self.jobs.send(Box::new(job));
        done.await.unwrap_or(Err(Unusable::Broken))
    }
}

fn run(waiting: &Receiver<Job>) {
    priority::become_low();
    for job in waiting {
        // Whoever waits for it is told by its end; the thread goes on with the next.
        let _panicked = catch_unwind(AssertUnwindSafe(job));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::future::join_all;

    use super::*;

    #[tokio::test]
    async fn a_decoder_that_panics_refuses_its_file_and_goes_on() {
        let decoders = Decoders::start().unwrap();
        for _ in 0..2 * THREADS {
            let panicking = || -> Result<(), Unusable> { panic!("an odd file") };
            let refused = decoders.work(panicking).await;
            assert_eq!(refused, Err(Unusable::Broken));
        }
        assert_eq!(decoders.work(|| Ok(7)).await, Ok(7));
    }

    #[tokio::test]
    async fn what_nobody_waits_for_is_not_begun() {
        let decoders = Decoders::start().unwrap();
        let (release, held) = crossbeam_channel::bounded::<()>(0);
        let busy = (0..THREADS).map(|_| {
            let held = held.clone();
            decoders.work(move || Ok(held.recv().is_ok()))
        });
        let (count, counted) = crossbeam_channel::unbounded();
        let given_up = async {
            let counting = decoders.work(move || Ok(count.send(()).is_ok()));
            let waited = tokio::time::timeout(Duration::from_millis(20), counting).await;
            assert!(waited.is_err());
            for _ in 0..THREADS {
                release.send(()).unwrap();
            }
        };
        let (busy, ()) = tokio::join!(join_all(busy), given_up);
        assert!(busy.iter().all(|done| *done == Ok(true)), "{busy:?}");
        decoders.work(|| Ok(())).await.unwrap();
        assert!(counted.try_recv().is_err());
    }
}
