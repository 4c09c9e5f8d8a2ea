//! Limits changes of a password per member and hour: each hashes two passwords, also one that is not
//! stored or changes nothing.

use std::sync::Arc;

use bootstrap::redis::Redis;
use kernel::{Clock, MemberId};

use crate::error::AuthError;
use crate::hourly_limit::{CountedAct, HourlyLimit};

const PER_HOUR: usize = 10;

#[derive(Clone)]
pub struct PasswordChanges(HourlyLimit);

impl PasswordChanges {
    #[must_use]
    pub fn new(redis: Redis, clock: Arc<dyn Clock>) -> Self {
        Self(HourlyLimit::new(redis, "rl:password", PER_HOUR, clock))
    }

    /// Counts a change from now on, whatever becomes of it, until it is cancelled.
    ///
    /// # Errors
    /// [`AuthError::TooManyPasswordChanges`] while the member has to wait.
    pub async fn begin(&self, member: MemberId) -> Result<CountedAct, AuthError> {
        let counted = self.0.begin(member.to_string()).await;
        counted.map_err(|retry_after_s| AuthError::TooManyPasswordChanges { retry_after_s })
    }
}
