//! The catalogue's tables: one public method is one transaction.

mod catalogue;
mod holders;
mod identity;
mod likes;
mod members;
mod openings;
mod outline;
mod savings;
mod searches;
mod seeding;

pub use likes::MOST_LIKES;
pub use savings::RateChange;
use sqlx::PgPool;

/// The catalogue's tables. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    pool: PgPool,
}

impl Store {
    /// The tables behind `pool`.
    #[must_use]
    pub fn new(pool: PgPool) -> Self {
        Self { pool }
    }
}
