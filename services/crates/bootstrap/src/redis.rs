//! Redis as something that may be gone at any moment: every use has 30 ms and a way without it.

use std::fmt::Display;
use std::time::Duration;

use deadpool_redis::{Config, Connection, Pool, Runtime};

pub use deadpool_redis::redis::{AsyncCommands, Cmd, Pipeline, RedisError, RedisResult, cmd, pipe};

const OPERATION_TIMEOUT: Duration = Duration::from_millis(30);

/// Redis, or its absence. Cheap to clone.
#[derive(Clone)]
pub struct Redis {
    pool: Option<Pool>,
    patience: Duration,
}

/// Remembers the address; connections are made when they are needed.
///
/// An address that is malformed, like a server that is down, means running without Redis; it is
/// logged here.
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
            patience: OPERATION_TIMEOUT,
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
    /// No Redis at all.
    #[must_use]
    pub fn absent() -> Self {
        Self {
            pool: None,
            patience: OPERATION_TIMEOUT,
        }
    }

    /// Waits for answers longer than a service may, or shorter: whoever judges what Redis knows,
    /// and not how fast it is, must not take a busy machine for one without Redis.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// Runs `operation` on a connection. `None` when Redis is absent, fails, or takes longer than
    /// 30 ms (or what it was given): the caller goes on as if the answer had not been there.
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
        match tokio::time::timeout(self.patience, answer).await {
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
