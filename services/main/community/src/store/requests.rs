//! Creating requests that are repeated: the id of what the first one wrote.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::{MemberId, RequestId};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;

use super::Store;
use crate::error::CommunityError;

/// What a repeated request has in common with the first, besides its key.
#[derive(Clone, Debug)]
pub(super) struct RequestDigest {
    pub(super) kind: &'static str,
    pub(super) body_hash: Vec<u8>,
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

    /// What the first request with this key wrote; `None` for the first.
    pub(super) async fn written(
        &self,
        connection: &mut PgConnection,
        member: MemberId,
        request: &RequestId,
    ) -> Result<Option<i64>, CommunityError> {
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
            return Err(CommunityError::RequestIdReused);
        }
        let id = answer.try_into().map(i64::from_be_bytes);
        Ok(Some(id.ok().ok_or(CommunityError::RequestIdReused)?))
    }

    /// Stores the answer, in the transaction of what was written.
    pub(super) async fn store(
        &self,
        connection: &mut PgConnection,
        (member, request): (MemberId, &RequestId),
        written: i64,
        now: DateTime<Utc>,
    ) -> Result<(), CommunityError> {
        sqlx::query(
            "insert into request (member_id, request_id, kind, body_hash, answer, created_at) \
             values ($1, $2, $3, $4, $5, $6)",
        )
        .bind(member.0)
        .bind(request.as_str())
        .bind(self.kind)
        .bind(&self.body_hash)
        .bind(written.to_be_bytes().to_vec())
        .bind(now)
        .execute(connection)
        .await?;
        Ok(())
    }
}

impl Store {
    /// Deletes a batch of requests that are too old to be repeated, and tells whether more may be
    /// left.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn forget_requests(&self) -> Result<bool, CommunityError> {
        let deleted = sqlx::query(
            "delete from request where ctid = any(array( \
             select ctid from request where created_at < $1 order by created_at limit 500))",
        )
        .bind(self.now() - KEPT)
        .execute(&self.pool)
        .await?;
        Ok(deleted.rows_affected() == 500)
    }
}

const KEPT: TimeDelta = TimeDelta::days(30);
