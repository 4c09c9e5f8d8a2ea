//! What authors know of hidden texts of theirs, and what they say against it.

use chrono::{DateTime, Utc};
use kernel::{MemberId, RequestId};
use sqlx::AssertSqlSafe;

use super::Store;
use super::requests::RequestDigest;
use super::texts::{Step, TextRef, lock, record, was_appealed};
use crate::domain::moderation::StepKind;
use crate::domain::post::Publication;
use crate::domain::writing::check_appeal;
use crate::error::CommunityError;

#[derive(Clone, Debug)]
pub struct NewAppeal {
    pub member: MemberId,
    pub request: RequestId,
    pub text: TextRef,
    pub words: String,
}

/// Why others do not see a text, as its author is told.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct HidingRow {
    pub publication: String,
    /// The step that hid it, or kept it hidden.
    pub kind: Option<String>,
    /// As in reports; empty for none.
    pub rule: Option<String>,
    /// Empty where the service did it by itself.
    pub reason: Option<String>,
    /// Of a restriction.
    pub restricted_until: Option<DateTime<Utc>>,
    pub appeal_text: Option<String>,
    pub appealed_at: Option<DateTime<Utc>>,
    pub appeal_decided_at: Option<DateTime<Utc>>,
    pub appeal_upheld: Option<bool>,
}

impl Store {
    /// Appeals against the hiding of a text, once for a text; tells whether this repeats an earlier
    /// request.
    ///
    /// # Errors
    /// Those of a text that is not the member's or deleted, [`CommunityError::NotHidden`],
    /// [`CommunityError::Appealed`], and a text that is empty or too long.
    pub async fn appeal(&self, new: &NewAppeal) -> Result<bool, CommunityError> {
        let now = self.now();
        let words = check_appeal(&new.words)?;
        let id = new.text.id().to_string();
        let digest = RequestDigest::new("appeal", [new.text.column(), &id, &words]);
        let mut transaction = self.begin_writing(new.member).await?;
        let key = (new.member, &new.request);
        if digest
            .written(&mut transaction, key.0, key.1)
            .await?
            .is_some()
        {
            return Ok(true);
        }
        let locked = lock(&mut transaction, new.text).await?;
        if locked.author_id != new.member.0 || locked.is_deleted {
            return Err(new.text.missing());
        }
        if was_appealed(&mut transaction, new.text).await? {
            return Err(CommunityError::Appealed);
        }
        if locked.publication() != Publication::Hidden {
            return Err(CommunityError::NotHidden);
        }
        let appeal: i64 = sqlx::query_scalar(
            "insert into appeal (member_id, post_id, comment_id, text, created_at) \
             values ($1, $2, $3, $4, $5) returning id",
        )
        .bind(new.member.0)
        .bind(new.text.post())
        .bind(new.text.comment())
        .bind(&words)
        .bind(now)
        .fetch_one(&mut *transaction)
        .await?;
        let step = Step {
            kind: StepKind::Appealed,
            version: locked.version,
            rule: None,
            reason: "",
            operator: None,
        };
        record(&mut transaction, new.text, &step, now).await?;
        digest.store(&mut transaction, key, appeal, now).await?;
        transaction.commit().await?;
        metrics::counter!("community_appeals_total").increment(1);
        Ok(false)
    }

    /// # Errors
    /// Those of a text that is not the member's or deleted.
    pub async fn hiding(
        &self,
        member: MemberId,
        text: TextRef,
    ) -> Result<HidingRow, CommunityError> {
        let column = text.column();
        let table = match text {
            TextRef::Post(_) => "post",
            TextRef::Comment(_) => "comment",
        };
        let hiding = AssertSqlSafe(format!(
            "select t.publication, s.kind, s.rule, s.reason, r.ends_at as restricted_until, \
             a.text as appeal_text, a.created_at as appealed_at, \
             a.decided_at as appeal_decided_at, a.is_upheld as appeal_upheld from {table} t \
             left join restriction r on r.{column} = t.id and r.ended_at is null \
             left join lateral (select kind, rule, reason from moderation_step \
             where {column} = t.id and case when r.id is not null then kind = 'RESTRICTED' \
             else kind in ('HIDDEN', 'UPHELD', 'REFUSED', 'REMOVED') end \
             order by id desc limit 1) s on true \
             left join appeal a on a.{column} = t.id \
             where t.id = $2 and t.author_id = $1 and t.deleted_at is null"
        ));
        let hiding: Option<HidingRow> = sqlx::query_as(hiding)
            .bind(member.0)
            .bind(text.id())
            .fetch_optional(&self.pool)
            .await?;
        hiding.ok_or(text.missing())
    }
}
