//! Accounts, the one ledger, orders, fills and holdings.

pub mod domain;
