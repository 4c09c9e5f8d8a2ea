//! Optional Redis: every operation times out after 30 ms, and every caller works without it.

use std::fmt::Display;
use std::time::Duration;

use deadpool_redis::{Config, Connection, Pool, Runtime};

pub use deadpool_redis::redis::{
    AsyncCommands, Cmd, FromRedisValue, Pipeline, RedisError, RedisResult, cmd, pipe,
};

const OPERATION_TIMEOUT: Duration = Duration::from_millis(30);

/// Cheap to clone.
#[derive(Clone)]
pub struct Redis {
    pool: Option<Pool>,
    timeout: Duration,
}

/// Does not connect; connections are opened on use.
///
/// A malformed address is logged, and the process runs without Redis.
#[must_use]
pub fn connect(url: &str) -> Redis {
    let pool = Config::from_url(url)
        .builder()
        .map_err(|error| error.to_string())
        .and_then(|builder| {
            builder
                .max_size(16)
                .runtime(Runtime::Tokio1)
                .build()
                .map_err(|error| error.to_string())
        });
    match pool {
        Ok(pool) => Redis {
            pool: Some(pool),
            timeout: OPERATION_TIMEOUT,
        },
        Err(error) => {
            tracing::error!(
                error,
                "The Redis address is unusable, running without Redis"
            );
            Redis::absent()
        }
    }
}

impl Redis {
    #[must_use]
    pub fn absent() -> Self {
        Self {
            pool: None,
            timeout: OPERATION_TIMEOUT,
        }
    }

    /// Replaces the timeout of 30 ms, for background tasks and for tests on a busy machine.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Runs `operation` on a connection. `None` when Redis is absent, fails or exceeds the timeout;
    /// the caller then proceeds without it.
    pub async fn run<T, E, F>(&self, operation: impl FnOnce(Connection) -> F) -> Option<T>
    where
        E: Display,
        F: Future<Output = Result<T, E>>,
    {
        let pool = self.pool.as_ref()?;
        let answer = async {
            let connection = pool.get().await.map_err(|error| error.to_string())?;
            operation(connection)
                .await
                .map_err(|error| error.to_string())
        };
        match tokio::time::timeout(self.timeout, answer).await {
            Ok(Ok(value)) => Some(value),
            Ok(Err(error)) => {
                metrics::counter!("redis_errors_total").increment(1);
                tracing::debug!(error, "Redis failed");
                None
            }
            Err(_elapsed) => {
                metrics::counter!("redis_timeouts_total").increment(1);
                None
            }
        }
    }
}
