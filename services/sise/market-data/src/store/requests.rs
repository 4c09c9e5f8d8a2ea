//! Replies to creating requests, so that a repeated one changes nothing and reads the same.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, MemberId, RequestId};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use sqlx::PgConnection;

use super::Store;
use crate::candles::retention::clear;
use crate::error::MarketError;

const KEPT_FOR: TimeDelta = TimeDelta::days(30);

/// What a repeated request has in common with the first, besides its key.
pub(super) struct RequestDigest {
    kind: &'static str,
    body_hash: Vec<u8>,
}

impl RequestDigest {
    /// `fields` are those of the request except its key, always in the same order.
    pub(super) fn new<'a>(kind: &'static str, fields: impl IntoIterator<Item = &'a str>) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(kind);
        for field in fields {
            hasher.update(field.len().to_be_bytes());
            hasher.update(field);
        }
        Self {
            kind,
            body_hash: hasher.finalize().to_vec(),
        }
    }

    /// The reply to the first request with this key; `None` for the first.
    pub(super) async fn reply<R: DeserializeOwned>(
        &self,
        connection: &mut PgConnection,
        member: MemberId,
        request: &RequestId,
    ) -> Result<Option<R>, MarketError> {
        let stored: Option<(Vec<u8>, Vec<u8>)> = sqlx::query_as(
            "select body_hash, answer from request where member_id = $1 and request_id = $2",
        )
        .bind(member.0)
        .bind(request.as_str())
        .fetch_optional(connection)
        .await?;
        let Some((body_hash, answer)) = stored else {
            return Ok(None);
        };
        if body_hash != self.body_hash {
            return Err(MarketError::RequestIdReused);
        }
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
        (member, request): (MemberId, &RequestId),
        reply: &impl Serialize,
        now: DateTime<Utc>,
    ) -> Result<(), MarketError> {
        let answer = serde_json::to_vec(reply);
        let answer = answer.map_err(|error| MarketError::Internal(error.to_string()))?;
        sqlx::query(
            "insert into request (member_id, request_id, kind, body_hash, answer, created_at) \
             values ($1, $2, $3, $4, $5, $6)",
        )
        .bind(member.0)
        .bind(request.as_str())
        .bind(self.kind)
        .bind(&self.body_hash)
        .bind(answer)
        .bind(now)
        .execute(connection)
        .await?;
        Ok(())
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
