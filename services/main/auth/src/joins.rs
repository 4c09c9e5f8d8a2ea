//! Limits joins per address and hour.
//!
//! The limit is generous, because a classroom shares an address. A join counts once its form is
//! valid, even if the email is taken, so that the limit also covers probing for addresses.

use std::net::IpAddr;
use std::sync::Arc;

use bootstrap::caller;
use bootstrap::redis::Redis;
use kernel::Clock;

use crate::error::AuthError;
use crate::hourly_limit::{CountedAct, HourlyLimit};

#[derive(Clone)]
pub struct Joins(HourlyLimit);

impl Joins {
    /// `per_hour` is per address; zero counts as one.
    #[must_use]
    pub fn new(redis: Redis, per_hour: usize, clock: Arc<dyn Clock>) -> Self {
        Self(HourlyLimit::new(redis, "rl:join", per_hour, clock))
    }

    /// Counts a join. One without an address is not counted; the gateway always sends it.
    ///
    /// # Errors
    /// [`AuthError::TooManyJoins`] while the address has to wait.
    pub async fn begin(&self, ip: Option<IpAddr>) -> Result<Option<CountedAct>, AuthError> {
        let Some(network) = ip.map(caller::network) else {
            return Ok(None);
        };
        match self.0.begin(network.to_string()).await {
            Ok(join) => Ok(Some(join)),
            Err(retry_after_s) => {
                metrics::counter!("auth_joins_refused_total").increment(1);
                Err(AuthError::TooManyJoins { retry_after_s })
            }
        }
    }
}
