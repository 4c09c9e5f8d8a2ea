//! Ended sessions, told to the gateways through Redis so that an access token dies before it
//! expires. The session's row is the truth; a lost entry only means that the token lives on for
//! the rest of its fifteen minutes wherever the row is not asked.

use bootstrap::redis::{Redis, cmd};
use uuid::Uuid;

/// Longer than any access token lives, with the leeway of those who check it.
const KEPT_S: i64 = 1_200;

/// Writes the deny-list.
#[derive(Clone)]
pub struct DenyList {
    redis: Redis,
}

impl DenyList {
    /// A deny-list in this Redis.
    #[must_use]
    pub fn new(redis: Redis) -> Self {
        Self { redis }
    }

    /// Adds a session, as well as it can.
    pub async fn add(&self, session: Uuid) {
        let written: Option<()> = self
            .redis
            .run(|mut connection| async move {
                cmd("SET")
                    .arg(format!("deny:sid:{session}"))
                    .arg(1)
                    .arg("EX")
                    .arg(KEPT_S)
                    .query_async(&mut connection)
                    .await
            })
            .await;
        if written.is_none() {
            metrics::counter!("auth_deny_list_missed_total").increment(1);
        }
    }
}
