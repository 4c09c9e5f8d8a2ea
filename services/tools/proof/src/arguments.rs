//! What a run of random orders is told.

use std::path::PathBuf;

use clap::Parser;
use secrecy::SecretString;

use crate::splits::Splits;

#[derive(Clone, Debug, Parser)]
pub(crate) struct Arguments {
    #[arg(long, env = "TRADING_URL", default_value = "http://127.0.0.1:9102")]
    pub(crate) trading_url: String,
    #[arg(long, env = "EDUCATION_URL", default_value = "http://127.0.0.1:9105")]
    pub(crate) education_url: String,
    /// Education's database, for the checks; without it nobody studies.
    #[arg(long, env = "EDUCATION_DATABASE_URL", hide_env_values = true)]
    pub(crate) education_database_url: Option<SecretString>,
    /// Clients that do nothing but answer quizzes.
    #[arg(long, env = "PROOF_STUDENTS", default_value_t = 4)]
    pub(crate) students: u64,
    /// Public origin of the gateway.
    #[arg(long, env = "PUBLIC_ORIGIN", default_value = "http://localhost:8080")]
    pub(crate) public_origin: String,
    /// Public origin of the edge.
    #[arg(long, env = "SISE_ORIGIN", default_value = "http://localhost:8081")]
    pub(crate) sise_origin: String,
    /// Trading's database, for the checks.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub(crate) database_url: SecretString,
    /// URL of the broker; the checks wait until the matcher has read its tick log.
    #[arg(long, env = "AMQP_URL", hide_env_values = true)]
    pub(crate) amqp_url: SecretString,
    /// Operations of all clients together.
    #[arg(long, env = "PROOF_OPERATIONS", default_value_t = 20_000)]
    pub(crate) operations: u64,
    /// Clients that act at the same time, each for members of its own.
    #[arg(long, env = "PROOF_CLIENTS", default_value_t = 32)]
    pub(crate) clients: u64,
    /// Clients of these that join as members and use HTTP.
    #[arg(long, env = "PROOF_PHONES", default_value_t = 16)]
    pub(crate) phones: u64,
    /// Members for whom the gRPC clients act.
    #[arg(long, env = "PROOF_MEMBERS", default_value_t = 400)]
    pub(crate) members: u64,
    /// Sockets that subscribe to prices.
    #[arg(long, env = "PROOF_WATCHERS", default_value_t = 3)]
    pub(crate) watchers: u64,
    /// Seed of the random numbers.
    #[arg(long, env = "PROOF_SEED", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Codes of the traded instruments.
    #[arg(
        long,
        env = "PROOF_CODES",
        value_delimiter = ',',
        default_value = "005930,000660,035420,069500,AAPL,NVDA,KRW-BTC,KRW-XRP,04020000"
    )]
    pub(crate) codes: Vec<String>,
    /// Ends the load after this many seconds even if operations remain.
    #[arg(long, env = "PROOF_SECONDS_MAX", default_value_t = 3_600)]
    pub(crate) seconds_max: u64,
    /// Open orders far from the market, placed before the load begins.
    #[arg(long, env = "PROOF_RESTING", default_value_t = 0)]
    pub(crate) resting: u64,
    /// When the markets close, in Unix seconds; the load continues for 25 seconds after it.
    #[arg(long, env = "PROOF_CLOSE_AT")]
    pub(crate) close_at: Option<i64>,
    /// Splits at that close: `split CODE DAY NEW/OLD; …`.
    #[arg(long, env = "PROOF_SPLITS", default_value = "")]
    pub(crate) splits: Splits,
    /// Market days by which the caller then moves the product on: it is told `proof: move DAYS days`.
    #[arg(long, env = "PROOF_MOVES", value_delimiter = ',')]
    pub(crate) moves: Vec<u64>,
    /// Ends the load when this file exists, even if operations remain.
    #[arg(long, env = "PROOF_UNTIL")]
    pub(crate) until: Option<PathBuf>,
    /// Seconds that one operation is retried without a response.
    #[arg(long, env = "PROOF_TIMEOUT_S", default_value_t = 180)]
    pub(crate) timeout_s: u64,
}
