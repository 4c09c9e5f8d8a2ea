//! Creating requests that are repeated: the id of what the first one wrote.

use bootstrap::request::{self, Stored};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{MemberId, RequestId};
use sqlx::PgConnection;

use super::Store;
use crate::error::CommunityError;

/// Of a request whose answer is the id of what it wrote.
pub(super) struct RequestDigest(request::RequestDigest);

impl RequestDigest {
    /// As [`request::RequestDigest::new`].
    pub(super) fn new<'a>(kind: &'static str, fields: impl IntoIterator<Item = &'a str>) -> Self {
        Self(request::RequestDigest::new(kind, fields))
    }

    /// What the first request with this key wrote; `None` for the first.
    pub(super) async fn written(
        &self,
        connection: &mut PgConnection,
        member: MemberId,
        request: &RequestId,
    ) -> Result<Option<i64>, CommunityError> {
        let answer = match self.0.stored(connection, member, request).await? {
            Stored::Nothing => return Ok(None),
            Stored::Answer(answer) => answer,
            Stored::Other => return Err(CommunityError::RequestIdReused),
        };
        let id = answer.try_into().map(i64::from_be_bytes);
        Ok(Some(id.ok().ok_or(CommunityError::RequestIdReused)?))
    }

    /// Stores the answer, in the transaction of what was written.
    pub(super) async fn store(
        &self,
        connection: &mut PgConnection,
        key: (MemberId, &RequestId),
        written: i64,
        now: DateTime<Utc>,
    ) -> Result<(), CommunityError> {
        let answer = written.to_be_bytes().to_vec();
        Ok(self.0.store(connection, key, answer, now).await?)
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
