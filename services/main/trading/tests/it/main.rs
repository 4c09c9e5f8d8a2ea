//! The trading service against a real PostgreSQL (and RabbitMQ where the log itself matters).
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test that cannot go on must stop, and says where"
)]

mod audit_checks;
mod audit_size;
mod books;
mod broker_away;
mod by_amount;
mod cash;
mod clocks;
mod competitions;
mod concentration;
mod connected;
mod contracts;
mod crowd;
mod day_change;
mod delisted;
mod dividend_failures;
mod dividend_slices;
mod dividends;
mod edges_of_days;
mod education_events;
mod equity;
mod faults;
mod front;
mod happy_path;
mod held_database;
mod history;
mod identity;
mod items;
mod ledger;
mod levels;
mod locked_account;
mod lost_log;
mod lost_replies;
mod missed_splits;
mod modify;
mod newer;
mod no_instruments;
mod order_rate;
mod outbox;
mod plans;
mod points;
mod profits;
mod program;
mod random;
mod rejections;
mod repeated_batches;
mod repeats;
mod schema_before;
mod schema_steps;
mod seasons;
mod sessions;
mod settlement;
mod slow_database;
mod split_window;
mod stale_positions;
mod stream;
mod sub_accounts;
mod tables;
mod transfers;
mod units;
mod world;
