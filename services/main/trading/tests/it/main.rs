//! The trading service against a real PostgreSQL (and RabbitMQ where the log itself matters).
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test that cannot go on must stop, and says where"
)]

mod books;
mod broker_away;
mod clocks;
mod connected;
mod crowd;
mod dividends;
mod edges_of_days;
mod faults;
mod front;
mod happy_path;
mod held_database;
mod history;
mod identity;
mod modify;
mod newer;
mod random;
mod refusals;
mod repeats;
mod sessions;
mod slow_database;
mod stream;
mod tables;
mod world;
