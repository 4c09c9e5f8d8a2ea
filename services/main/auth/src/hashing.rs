//! Password hashing on dedicated low-priority threads.
//!
//! One argon2id hash takes 19 MiB and tens of milliseconds of a core. Half of the cores hash
//! concurrently and fifty requests queue; further ones are rejected before any lookup. The threads
//! run only when no other thread wants the core, so that a login storm does not slow orders. Where
//! the kernel schedules by session or container first, that holds within auth only; therefore they
//! also sleep after each hash for as long as it took, which limits hashing to a quarter of the
//! machine.

mod threads;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use crossbeam_channel::Sender;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit, oneshot};

use crate::domain::Password;

/// One hash runs per so many cores.
const CORES_PER_HASH: usize = 2;
/// Requests that may queue for a thread.
const QUEUE_LENGTH: usize = 50;

/// Memory in KiB, passes and lanes (OWASP ASVS 5, appendix C).
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

#[derive(Clone)]
pub struct Hasher {
    params: Params,
    /// For running and queued hashes.
    permits: Arc<Semaphore>,
    /// The hashing threads end when all senders are dropped.
    to_threads: Sender<threads::HashJob>,
    /// Checked for an unknown address, so that it takes as long as a known one.
    decoy: Arc<str>,
    checks: Arc<AtomicU64>,
}

/// Permits one running or queued hash.
#[derive(Debug)]
pub struct HashPermit {
    _held: OwnedSemaphorePermit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PasswordCheck {
    /// Wrong password, or no such member.
    Wrong,
    Right {
        /// The hash has weaker parameters than the current ones and should be replaced.
        outdated: bool,
    },
}

#[derive(Debug, thiserror::Error)]
pub enum HashingError {
    #[error("too many password hashes are waiting")]
    Busy,
    /// A damaged hash in the database, or no memory.
    #[error("argon2: {0}")]
    Argon2(String),
}

impl Hasher {
    /// Uses the current parameters.
    ///
    /// # Errors
    /// [`HashingError::Argon2`] when a hash cannot be computed.
    pub fn new() -> Result<Self, HashingError> {
        Self::with_cost(MEMORY_KIB, PASSES)
    }

    /// Uses other costs: memory in KiB, and passes.
    ///
    /// # Errors
    /// [`HashingError::Argon2`] when the costs are out of range.
    pub fn with_cost(memory_kib: u32, passes: u32) -> Result<Self, HashingError> {
        let params = Params::new(memory_kib, passes, LANES, None).map_err(argon2_error)?;
        let decoy = hash(&params, b"nobody has this password")?.into();
        let to_threads = threads::start(concurrency()).map_err(argon2_error)?;
        Ok(Self {
            params,
            permits: Arc::new(Semaphore::new(concurrency() + QUEUE_LENGTH)),
            to_threads,
            decoy,
            checks: Arc::default(),
        })
    }

    /// Acquire the permit before any other work for a request.
    ///
    /// # Errors
    /// [`HashingError::Busy`] when the queue is full.
    pub fn acquire(&self) -> Result<HashPermit, HashingError> {
        let permit = Arc::clone(&self.permits).try_acquire_owned();
        match permit {
            Ok(held) => Ok(HashPermit { _held: held }),
            Err(_full) => {
                metrics::counter!("auth_hashing_refused_total").increment(1);
                Err(HashingError::Busy)
            }
        }
    }

    /// Returns a PHC string.
    ///
    /// # Errors
    /// [`HashingError`] as its variants say.
    pub async fn hash(&self, password: &Password) -> Result<String, HashingError> {
        let (params, password) = (self.params.clone(), password.clone());
        self.work(self.acquire()?, move || hash(&params, password.expose()))
            .await
    }

    /// As [`Hasher::verify_with`], with a permit of its own.
    ///
    /// # Errors
    /// [`HashingError`] as its variants say.
    pub async fn verify(
        &self,
        password: &Password,
        phc: Option<&str>,
    ) -> Result<PasswordCheck, HashingError> {
        self.verify_with(self.acquire()?, password, phc).await
    }

    /// Checks a password against the PHC string of a member, or against a decoy without one: one
    /// hash either way.
    ///
    /// # Errors
    /// [`HashingError::Argon2`].
    pub async fn verify_with(
        &self,
        permit: HashPermit,
        password: &Password,
        phc: Option<&str>,
    ) -> Result<PasswordCheck, HashingError> {
        let known = phc.is_some();
        let phc: Arc<str> = phc.map_or_else(|| Arc::clone(&self.decoy), Arc::from);
        let password = password.clone();
        let params = self.params.clone();
        self.checks.fetch_add(1, Ordering::Relaxed);
        self.work(permit, move || {
            let parsed = PasswordHash::new(&phc).map_err(argon2_error)?;
            let right = Argon2::default()
                .verify_password(password.expose(), &parsed)
                .is_ok();
            let used = Params::try_from(&parsed).map_err(argon2_error)?;
            let outdated = used.m_cost() < params.m_cost() || used.t_cost() < params.t_cost();
            Ok(if right && known {
                PasswordCheck::Right { outdated }
            } else {
                PasswordCheck::Wrong
            })
        })
        .await
    }

    /// Checks since the start.
    #[must_use]
    pub fn checks(&self) -> u64 {
        self.checks.load(Ordering::Relaxed)
    }

    async fn work<T: Send + 'static>(
        &self,
        permit: HashPermit,
        work: impl Fn() -> Result<T, HashingError> + Send + Sync + 'static,
    ) -> Result<T, HashingError> {
        let (reply, replied) = oneshot::channel();
        // The job owns the permit, because it continues when the caller has disconnected.
        let pending = Mutex::new(Some((reply, permit)));
        let hash = move || {
            let result = work();
            let first = pending
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take();
            if let Some((reply, permit)) = first {
                drop(permit);
                let _disconnected = reply.send(result);
            }
        };
        self.to_threads.send(Arc::new(hash)).map_err(argon2_error)?;
        replied.await.map_err(argon2_error)?
    }

    /// Takes every permit, as a login storm does.
    #[doc(hidden)]
    pub async fn occupy(&self) -> Option<SemaphorePermit<'_>> {
        let all = u32::try_from(concurrency() + QUEUE_LENGTH).ok()?;
        self.permits.acquire_many(all).await.ok()
    }
}

fn concurrency() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (cores / CORES_PER_HASH).max(1)
}

fn hash(params: &Params, password: &[u8]) -> Result<String, HashingError> {
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone());
    let phc: PasswordHash = argon2.hash_password(password).map_err(argon2_error)?;
    Ok(phc.to_string())
}

fn argon2_error(error: impl std::fmt::Display) -> HashingError {
    HashingError::Argon2(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn password(text: &str) -> Password {
        Password::parse(text).unwrap()
    }

    #[tokio::test]
    async fn the_hash_is_argon2id_with_the_parameters_of_the_standard() {
        let hasher = Hasher::new().unwrap();
        let phc = hasher.hash(&password("a long password")).await.unwrap();
        assert!(phc.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{phc}");
        assert_ne!(
            phc,
            hasher.hash(&password("a long password")).await.unwrap()
        );
    }

    #[tokio::test]
    async fn a_check_finds_right_wrong_and_outdated() {
        let weak = Hasher::with_cost(8_192, 1).unwrap();
        let hasher = Hasher::with_cost(8_192, 2).unwrap();
        let old = weak.hash(&password("a long password")).await.unwrap();
        let new = hasher.hash(&password("a long password")).await.unwrap();
        let check = async |text: &str, phc: Option<&str>| {
            hasher.verify(&password(text), phc).await.unwrap()
        };
        assert_eq!(
            check("a long password", Some(&new)).await,
            PasswordCheck::Right { outdated: false }
        );
        assert_eq!(
            check("a long password", Some(&old)).await,
            PasswordCheck::Right { outdated: true }
        );
        assert_eq!(
            check("another password", Some(&new)).await,
            PasswordCheck::Wrong
        );
        assert_eq!(
            check("nobody has this password", None).await,
            PasswordCheck::Wrong
        );
        assert_eq!(hasher.checks(), 4);
        assert!(
            hasher
                .verify(&password("a long password"), Some("damaged"))
                .await
                .is_err()
        );
    }

    #[tokio::test]
    async fn requests_beyond_the_queue_are_rejected() {
        let hasher = Hasher::with_cost(8_192, 2).unwrap();
        let everyone: Vec<_> = (0..60)
            .map(|_| {
                let hasher = hasher.clone();
                async move { hasher.hash(&password("a long password")).await }
            })
            .collect();
        let results = futures_util::future::join_all(everyone).await;
        let refused = results
            .iter()
            .filter(|result| matches!(result, Err(HashingError::Busy)))
            .count();
        assert_eq!(refused, 60 - concurrency() - QUEUE_LENGTH);
        assert!(hasher.hash(&password("a long password")).await.is_ok());
    }

    #[tokio::test]
    async fn a_panic_in_one_hash_does_not_affect_others() {
        let hasher = Hasher::with_cost(8_192, 1).unwrap();
        for _ in 0..=concurrency() {
            let permit = hasher.acquire().unwrap();
            let panicked = hasher.work::<()>(permit, || panic!("a mistake")).await;
            assert!(matches!(panicked, Err(HashingError::Argon2(_))));
        }
        assert!(hasher.hash(&password("a long password")).await.is_ok());
        assert_eq!(
            hasher.permits.available_permits(),
            concurrency() + QUEUE_LENGTH
        );
    }
}
