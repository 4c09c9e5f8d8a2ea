//! The tables of the catalogue and the members: each public method is one transaction.

mod alert_watch;
mod alerts;
mod catalogue;
mod erasures;
mod holders;
mod identity;
mod likes;
mod members;
mod openings;
mod outline;
mod requests;
mod savings;
mod searches;
mod seeding;

pub use alert_watch::{AlertChange, InstrumentSplit};
pub use alerts::{Alert, Baseline, Firing, MAX_ALERTS, NewAlert};
pub use holders::HoldingChange;
pub use likes::MAX_LIKES;
pub use savings::RateChange;
use sqlx::PgPool;

/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    pool: PgPool,
}

impl Store {
    #[must_use]
    pub fn new(pool: PgPool) -> Self {
        Self { pool }
    }
}
