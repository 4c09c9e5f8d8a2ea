//! Competitions: events in which everybody begins with the same cash on an account of their own.
//!
//! Official events are an operator's, leagues a member's, and the practice league of a month is made by
//! the job and joined by turning the mode on. In competition mode ([`mode`]) orders and lists are of the
//! account of the current event. An account ends when its member leaves ([`leave`]) or when the event is
//! over ([`close`]); what it had then is a row that nothing changes. Entrants are told of the beginning
//! and of their ranks ([`telling`]). Three days later the prizes are awarded ([`prizes`]), unless an objection was upheld ([`objection`], [`operator`]). An event that an
//! operator cancels has neither results nor prizes ([`cancel`]).

mod activity;
pub mod board;
pub mod cancel;
mod claim;
pub(crate) mod close;
pub mod competition;
mod end_prices;
mod ending;
pub(crate) mod entrants;
pub(crate) mod facts;
pub(crate) mod filled;
mod forgetting;
pub mod holdings;
pub mod join;
pub mod league;
pub mod leave;
pub mod list;
pub mod mode;
pub mod objection;
pub mod operator;
mod portfolios;
pub mod prizes;
pub mod ranking;
mod results;
pub mod rules;
mod seeds;
pub mod standings;
pub mod telling;
pub mod valuation;
pub mod worker;

pub use board::{Board, BoardKind, BoardQuery, LiveBoards};
pub use competition::{Competition, CompetitionKind, CompetitionStatus};
pub use telling::Slices;
pub use worker::CompetitionWorker;
