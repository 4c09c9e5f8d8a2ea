//! Education points (EP): credited for what education says was learned, turned into won of the BASIC
//! account, or spent.
//!
//! A row of `point_change` says why a balance changed and is what its journal is posted for;
//! `point_total` keeps the sums that the screens show. Points belong to the BASIC account, so its
//! row lock orders all changes of a member's points.

mod change;
pub(crate) mod credit;
pub mod earn;
pub mod history;
pub mod overview;
pub mod spend;
pub mod transfer;

pub use change::PointChangeKind;
