//! The table `request`: answers to requests with a key, so that a repeated one changes nothing and
//! reads the same. Its statements are in `schema/request.sql`.

use chrono::{DateTime, Utc};
use kernel::{MemberId, RequestId};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;

/// What a repeated request has in common with the first, besides its key.
#[derive(Clone, Debug)]
pub struct RequestDigest {
    kind: &'static str,
    body_hash: Vec<u8>,
}

/// What is stored with the key of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stored {
    Nothing,
    /// The answer to the first request, of the same kind and body.
    Answer(Vec<u8>),
    /// The key was used for something else.
    Other,
}

impl RequestDigest {
    /// `fields` are those of the request except its key, always in the same order.
    #[must_use]
    pub fn new<'a>(kind: &'static str, fields: impl IntoIterator<Item = &'a str>) -> Self {
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

    /// # Errors
    /// [`sqlx::Error`] of the database.
    pub async fn stored(
        &self,
        connection: &mut PgConnection,
        member: MemberId,
        request: &RequestId,
    ) -> Result<Stored, sqlx::Error> {
        let stored: Option<(Vec<u8>, Vec<u8>)> = sqlx::query_as(
            "select body_hash, answer from request where member_id = $1 and request_id = $2",
        )
        .bind(member.0)
        .bind(request.as_str())
        .fetch_optional(connection)
        .await?;
        Ok(match stored {
            None => Stored::Nothing,
            Some((body_hash, answer)) if body_hash == self.body_hash => Stored::Answer(answer),
            Some(_) => Stored::Other,
        })
    }

    /// Stores the answer, in the transaction of what it tells.
    ///
    /// # Errors
    /// [`sqlx::Error`] of the database, also when another request with this key came first.
    pub async fn store(
        &self,
        connection: &mut PgConnection,
        (member, request): (MemberId, &RequestId),
        answer: Vec<u8>,
        now: DateTime<Utc>,
    ) -> Result<(), sqlx::Error> {
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
