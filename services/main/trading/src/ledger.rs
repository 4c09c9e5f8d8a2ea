//! The ledger: double entry, append-only, one for everything that members own but shares.
//!
//! [`post`] is the only writer of money. A [`Journal`] is one economic fact; its postings sum to
//! zero per asset, and its kind and source make it happen once. [`domain`](crate::domain) decides
//! what is posted.

mod asset;
mod book;
mod journal;
mod part;
mod post;
mod posting;

pub use asset::Asset;
pub use book::Book;
pub use journal::{Journal, JournalKind, Source};
pub use part::{PartOf, Period};
pub(crate) use post::post_with;
pub use post::{HoldChange, LedgerError, amount_of, draw_ids, open_balance, post};
pub use posting::{Party, Posting};
