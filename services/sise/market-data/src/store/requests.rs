//! Replies to creating requests, so that a repeated one changes nothing and reads the same.

use bootstrap::request::{self, Stored};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, MemberId, RequestId};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::PgConnection;

use super::Store;
use crate::candles::retention::clear;
use crate::error::MarketError;

const KEPT_FOR: TimeDelta = TimeDelta::days(30);

/// Of a request whose reply is stored as JSON.
pub(super) struct RequestDigest(request::RequestDigest);

impl RequestDigest {
    /// As [`request::RequestDigest::new`].
    pub(super) fn new<'a>(kind: &'static str, fields: impl IntoIterator<Item = &'a str>) -> Self {
        Self(request::RequestDigest::new(kind, fields))
    }

    /// The reply to the first request with this key; `None` for the first.
    pub(super) async fn reply<R: DeserializeOwned>(
        &self,
        connection: &mut PgConnection,
        member: MemberId,
        request: &RequestId,
    ) -> Result<Option<R>, MarketError> {
        let answer = match self.0.stored(connection, member, request).await? {
            Stored::Nothing => return Ok(None),
            Stored::Answer(answer) => answer,
            Stored::Other => return Err(MarketError::RequestIdReused),
        };
        let reply = serde_json::from_slice(&answer);
        Ok(Some(reply.map_err(|error| MarketError::CorruptRow {
            table: "request",
            key: format!("{} {request}", member.0),
            fault: error.to_string(),
        })?))
    }

    /// Stores the reply, in the transaction of what it tells.
    pub(super) async fn store(
        &self,
        connection: &mut PgConnection,
        key: (MemberId, &RequestId),
        reply: &impl Serialize,
        now: DateTime<Utc>,
    ) -> Result<(), MarketError> {
        let answer = serde_json::to_vec(reply);
        let answer = answer.map_err(|error| MarketError::Internal(error.to_string()))?;
        Ok(self.0.store(connection, key, answer, now).await?)
    }
}

impl Store {
    /// Deletes replies that are too old to be asked for again.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn delete_old_requests(&self, clock: &dyn Clock) -> Result<u64, MarketError> {
        let requests = "delete from request where ctid = any(array( \
             select ctid from request where created_at < $1 order by created_at limit $2))";
        Ok(clear(&self.pool, requests, clock.now() - KEPT_FOR).await?)
    }
}
