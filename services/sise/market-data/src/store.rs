//! The catalogue's tables: one public method is one transaction.

mod catalogue;
mod identity;
mod members;
mod openings;
mod outline;
mod seeding;

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
