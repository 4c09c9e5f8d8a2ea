//! Orders: their rules (pure), the transactions that place and change them, and their lists.

pub mod buying_power;
pub mod by_amount;
pub mod cancel;
pub mod capacity;
pub mod change;
pub mod close;
pub mod committer;
pub mod estimate;
pub mod fills;
pub mod history;
pub(crate) mod message;
pub mod modify;
pub mod order;
pub mod place;
pub mod preview;
pub mod rejection;
pub(crate) mod rejection_limit;
pub mod request;
pub mod reserve;
pub mod snapshot;
pub mod validation;
pub mod waiting;
