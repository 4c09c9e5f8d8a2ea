//! Password hashes, made by a few threads that do nothing else.
//!
//! One argon2id hash takes 19 MiB and tens of milliseconds of a core. Half of the cores hash at
//! once and fifty requests wait; whoever comes beyond that is told to try again before anything is
//! looked up for them. The threads that hash stand back for every other thread, so that a storm of
//! logins takes the time that orders leave over. Where the kernel shares its time among sessions or
//! containers first, that holds within auth's own only, so they also rest after each hash as long
//! as it took: passwords get no more than a quarter of the machine.

mod threads;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use crossbeam_channel::Sender;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit, oneshot};

use crate::domain::Password;

/// Of so many cores one hashes.
const CORES_FOR_ONE: usize = 2;
/// Requests that may wait for their turn.
const WAITING: usize = 50;

/// Memory in KiB, passes and lanes (OWASP ASVS 5, appendix C).
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// Hashes and checks passwords.
#[derive(Clone)]
pub struct Hasher {
    params: Params,
    /// Everyone inside: working or waiting.
    places: Arc<Semaphore>,
    /// To the threads that hash, which end when nobody can send to them any more.
    to_threads: Sender<threads::Work>,
    /// Checked when there is no member, so that an unknown address costs what a known one costs.
    decoy: Arc<str>,
    checks: Arc<AtomicU64>,
}

/// A place among those whose password is or will be hashed.
#[derive(Debug)]
pub struct Place {
    _held: OwnedSemaphorePermit,
}

/// What a check found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Another password, or there is no member.
    Wrong,
    /// The password of the hash.
    Right {
        /// The hash was made with weaker parameters than today's and should be replaced.
        outdated: bool,
    },
}

/// No hash could be made.
#[derive(Debug, thiserror::Error)]
pub enum HashingError {
    /// Too many wait already.
    #[error("too many password hashes are waiting")]
    Busy,
    /// The library refused: a damaged hash in the database or no memory.
    #[error("argon2: {0}")]
    Argon2(String),
}

impl Hasher {
    /// A hasher with today's parameters.
    ///
    /// # Errors
    /// [`HashingError::Argon2`] when the machine cannot make one hash.
    pub fn new() -> Result<Self, HashingError> {
        Self::with_cost(MEMORY_KIB, PASSES)
    }

    /// A hasher with other costs (memory in KiB, passes).
    ///
    /// # Errors
    /// [`HashingError::Argon2`] when the costs are out of range.
    pub fn with_cost(memory_kib: u32, passes: u32) -> Result<Self, HashingError> {
        let params = Params::new(memory_kib, passes, LANES, None).map_err(refused)?;
        let decoy = hash(&params, b"nobody has this password")?.into();
        let to_threads = threads::start(at_once()).map_err(refused)?;
        Ok(Self {
            params,
            places: Arc::new(Semaphore::new(at_once() + WAITING)),
            to_threads,
            decoy,
            checks: Arc::default(),
        })
    }

    /// A place for one hash, to be had before anything else is done for a request.
    ///
    /// # Errors
    /// [`HashingError::Busy`] when all are taken.
    pub fn enter(&self) -> Result<Place, HashingError> {
        let place = Arc::clone(&self.places).try_acquire_owned();
        match place {
            Ok(held) => Ok(Place { _held: held }),
            Err(_full) => {
                metrics::counter!("auth_hashing_refused_total").increment(1);
                Err(HashingError::Busy)
            }
        }
    }

    /// Hashes a new password into a PHC string.
    ///
    /// # Errors
    /// [`HashingError`] as its variants say.
    pub async fn hash(&self, password: &Password) -> Result<String, HashingError> {
        let (params, password) = (self.params.clone(), password.clone());
        self.work(self.enter()?, move || hash(&params, password.expose()))
            .await
    }

    /// Checks a password as [`Hasher::verify_at`] does, for whom no place was taken yet.
    ///
    /// # Errors
    /// [`HashingError`] as its variants say.
    pub async fn verify(
        &self,
        password: &Password,
        phc: Option<&str>,
    ) -> Result<Verdict, HashingError> {
        self.verify_at(self.enter()?, password, phc).await
    }

    /// Checks a password against the PHC string of a member, or against a decoy when there is
    /// none: exactly one hash either way.
    ///
    /// # Errors
    /// [`HashingError::Argon2`].
    pub async fn verify_at(
        &self,
        place: Place,
        password: &Password,
        phc: Option<&str>,
    ) -> Result<Verdict, HashingError> {
        let known = phc.is_some();
        let phc: Arc<str> = phc.map_or_else(|| Arc::clone(&self.decoy), Arc::from);
        let password = password.clone();
        let params = self.params.clone();
        self.checks.fetch_add(1, Ordering::Relaxed);
        self.work(place, move || {
            let parsed = PasswordHash::new(&phc).map_err(refused)?;
            let right = Argon2::default()
                .verify_password(password.expose(), &parsed)
                .is_ok();
            let used = Params::try_from(&parsed).map_err(refused)?;
            let outdated = used.m_cost() < params.m_cost() || used.t_cost() < params.t_cost();
            Ok(if right && known {
                Verdict::Right { outdated }
            } else {
                Verdict::Wrong
            })
        })
        .await
    }

    /// How many checks were made since the start.
    #[must_use]
    pub fn checks(&self) -> u64 {
        self.checks.load(Ordering::Relaxed)
    }

    async fn work<T: Send + 'static>(
        &self,
        place: Place,
        work: impl Fn() -> Result<T, HashingError> + Send + Sync + 'static,
    ) -> Result<T, HashingError> {
        let (answer, answered) = oneshot::channel();
        // The place goes along: the hash is made when the caller has hung up, too, and keeps it.
        let unanswered = Mutex::new(Some((answer, place)));
        let hash = move || {
            let result = work();
            let first = unanswered
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take();
            if let Some((answer, place)) = first {
                drop(place);
                let _hung_up = answer.send(result);
            }
        };
        self.to_threads.send(Arc::new(hash)).map_err(refused)?;
        answered.await.map_err(refused)?
    }

    /// Takes every place, as a storm of logins would.
    #[doc(hidden)]
    pub async fn occupy(&self) -> Option<SemaphorePermit<'_>> {
        let all = u32::try_from(at_once() + WAITING).ok()?;
        self.places.acquire_many(all).await.ok()
    }
}

/// Hashes that are worked on at once.
fn at_once() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (cores / CORES_FOR_ONE).max(1)
}

fn hash(params: &Params, password: &[u8]) -> Result<String, HashingError> {
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone());
    let phc: PasswordHash = argon2.hash_password(password).map_err(refused)?;
    Ok(phc.to_string())
}

fn refused(error: impl std::fmt::Display) -> HashingError {
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
    async fn a_check_tells_right_wrong_and_outdated() {
        let weak = Hasher::with_cost(8_192, 1).unwrap();
        let hasher = Hasher::with_cost(8_192, 2).unwrap();
        let old = weak.hash(&password("a long password")).await.unwrap();
        let new = hasher.hash(&password("a long password")).await.unwrap();
        let check = async |text: &str, phc: Option<&str>| {
            hasher.verify(&password(text), phc).await.unwrap()
        };
        assert_eq!(
            check("a long password", Some(&new)).await,
            Verdict::Right { outdated: false }
        );
        assert_eq!(
            check("a long password", Some(&old)).await,
            Verdict::Right { outdated: true }
        );
        assert_eq!(check("another password", Some(&new)).await, Verdict::Wrong);
        assert_eq!(
            check("nobody has this password", None).await,
            Verdict::Wrong
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
    async fn more_than_the_queue_holds_is_refused_at_once() {
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
        assert_eq!(refused, 60 - at_once() - WAITING);
        assert!(hasher.hash(&password("a long password")).await.is_ok());
    }

    #[tokio::test]
    async fn a_mistake_in_one_hash_costs_no_other() {
        let hasher = Hasher::with_cost(8_192, 1).unwrap();
        for _ in 0..=at_once() {
            let place = hasher.enter().unwrap();
            let mistaken = hasher.work::<()>(place, || panic!("a mistake")).await;
            assert!(matches!(mistaken, Err(HashingError::Argon2(_))));
        }
        assert!(hasher.hash(&password("a long password")).await.is_ok());
        assert_eq!(hasher.places.available_permits(), at_once() + WAITING);
    }
}
