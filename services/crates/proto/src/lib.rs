//! The generated gRPC and event types, and the conversions between them and `kernel`.
//!
//! The package modules are generated at build time from `proto/` in the repository's root;
//! [`convert`] and what a tick becomes at the start of a day are hand-written.

pub mod convert;
mod day;

macro_rules! packages {
    ($($(#[$doc:meta])* $package:ident)+) => {$(
        $(#[$doc])*
        pub mod $package {
            #[allow(clippy::all, reason = "generated code")]
            pub mod v1 {
                include!(concat!(env!("OUT_DIR"), "/seedup.", stringify!($package), ".v1.rs"));
            }
        }
    )+};
}

packages! {
    /// Values shared by every package.
    common
    /// Members, credentials and sessions.
    auth
    /// Instruments, quotes, candles and the tick log.
    market
    /// Accounts, orders, fills and holdings.
    trading
    /// Quizzes, articles, and what members learn.
    education
    /// Posts, comments, and what members are to each other.
    community
}
