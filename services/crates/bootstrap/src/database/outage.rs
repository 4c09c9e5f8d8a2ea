//! Which errors of the database pass by themselves.

use sea_orm::{DbErr, RuntimeErr};

/// The SQLSTATE lock_not_available: a lock timeout has passed.
pub const LOCK_NOT_AVAILABLE: &str = "55P03";

/// Beginnings of the SQLSTATEs of a server that executes nothing now: connections, resources,
/// shutdown and start, a server that only reads.
const AWAY: [&str; 4] = ["08", "53", "57P", "25006"];
/// SQLSTATEs of a stopped statement: by a timeout or an operator, by another transaction, by a lock, or
/// because its transaction was idle for too long before it.
const STOPPED: [&str; 4] = ["57", "40", LOCK_NOT_AVAILABLE, "25P03"];

/// Tells an error of the moment from one of the statement.
pub trait Outage {
    /// Whether no statement could succeed now.
    fn is_outage(&self) -> bool;

    /// Whether the same statement may succeed later: in an outage, and when it was stopped, which
    /// may be its own fault.
    fn may_pass(&self) -> bool;
}

impl Outage for sqlx::Error {
    fn is_outage(&self) -> bool {
        has_state(self, &AWAY)
            || matches!(
                self,
                Self::Io(_)
                    | Self::Tls(_)
                    | Self::PoolTimedOut
                    | Self::PoolClosed
                    | Self::WorkerCrashed
            )
    }

    fn may_pass(&self) -> bool {
        self.is_outage() || has_state(self, &STOPPED)
    }
}

impl Outage for DbErr {
    fn is_outage(&self) -> bool {
        matches!(self, Self::ConnectionAcquire(_)) || source(self).is_some_and(Outage::is_outage)
    }

    fn may_pass(&self) -> bool {
        self.is_outage() || source(self).is_some_and(Outage::may_pass)
    }
}

/// The error of sqlx that sea-orm carries.
pub(super) fn source(error: &DbErr) -> Option<&sqlx::Error> {
    if let DbErr::Exec(RuntimeErr::SqlxError(source))
    | DbErr::Query(RuntimeErr::SqlxError(source))
    | DbErr::Conn(RuntimeErr::SqlxError(source)) = error
    {
        Some(source)
    } else {
        None
    }
}

fn has_state(error: &sqlx::Error, beginnings: &[&str]) -> bool {
    let state = error.as_database_error().and_then(|error| error.code());
    state.is_some_and(|state| beginnings.iter().any(|one| state.starts_with(one)))
}
