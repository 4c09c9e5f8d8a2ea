//! The generated gRPC and event types, and the conversions between them and `kernel`.
//!
//! The package modules are generated at build time from `proto/` in the repository's root;
//! [`convert`] is hand-written.

pub mod convert;

/// Values shared by every package.
pub mod common {
    #[allow(clippy::all, reason = "generated code")]
    pub mod v1 {
        tonic::include_proto!("seedup.common.v1");
    }
}

/// Members, credentials and sessions.
pub mod auth {
    #[allow(clippy::all, reason = "generated code")]
    pub mod v1 {
        tonic::include_proto!("seedup.auth.v1");
    }
}

/// Instruments, quotes, candles and the tick log.
pub mod market {
    #[allow(clippy::all, reason = "generated code")]
    pub mod v1 {
        tonic::include_proto!("seedup.market.v1");
    }
}

/// Accounts, orders, fills and holdings.
pub mod trading {
    #[allow(clippy::all, reason = "generated code")]
    pub mod v1 {
        tonic::include_proto!("seedup.trading.v1");
    }
}
