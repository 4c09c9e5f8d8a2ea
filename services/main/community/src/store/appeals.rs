//! What authors know of hidden texts of theirs, and what they say against it.

use chrono::{DateTime, Utc};
use kernel::{MemberId, RequestId};
use sqlx::{AssertSqlSafe, PgConnection};

use super::Store;
use super::causes::{NewestStep, causes_of, newest_steps};
use super::erasures::check_not_erased;
use super::requests::RequestDigest;
use super::texts::{Step, TextRef, lock, record, was_appealed};
use crate::domain::causes::StepKind;
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hiding {
    pub publication: String,
    /// The newest of the steps that hide the text; `None` while it is seen.
    pub step: Option<HidingStep>,
    /// When the text is shown again if nobody decides before.
    pub until: Option<DateTime<Utc>>,
    pub appeal: Option<OwnAppeal>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HidingStep {
    pub kind: StepKind,
    /// As in reports; empty for none.
    pub rule: String,
    /// Empty where the service did it by itself.
    pub reason: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnAppeal {
    pub text: String,
    pub created_at: DateTime<Utc>,
    pub decided_at: Option<DateTime<Utc>>,
    pub is_upheld: Option<bool>,
}

#[derive(sqlx::FromRow)]
struct HidingRow {
    publication: String,
    #[sqlx(json)]
    steps: Vec<NewestStep>,
    restricted_until: Option<DateTime<Utc>>,
    appeal_text: Option<String>,
    appealed_at: Option<DateTime<Utc>>,
    appeal_decided_at: Option<DateTime<Utc>>,
    appeal_upheld: Option<bool>,
}

impl Store {
    /// Appeals against the hiding of a text, once for a text; tells whether this repeats an earlier
    /// request.
    ///
    /// # Errors
    /// Those of a text that is not the member's or deleted, [`CommunityError::NotHidden`],
    /// [`CommunityError::Appealed`], a text that is empty or too long, and
    /// [`CommunityError::MemberNotFound`] for one who left for good.
    pub async fn appeal(&self, new: &NewAppeal) -> Result<bool, CommunityError> {
        let now = self.now();
        let words = check_appeal(&new.words)?;
        let id = new.text.id().to_string();
        let digest = RequestDigest::new("appeal", [new.text.column(), &id, &words]);
        let mut transaction = self.begin_writing(new.member).await?;
        check_not_erased(&mut transaction, &[new.member]).await?;
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
    pub async fn hiding(&self, member: MemberId, text: TextRef) -> Result<Hiding, CommunityError> {
        let column = text.column();
        let table = match text {
            TextRef::Post(_) => "post",
            TextRef::Comment(_) => "comment",
        };
        let hiding = AssertSqlSafe(format!(
            "select t.publication, {} as steps, r.ends_at as restricted_until, \
             a.text as appeal_text, a.created_at as appealed_at, \
             a.decided_at as appeal_decided_at, a.is_upheld as appeal_upheld from {table} t \
             left join restriction r on r.{column} = t.id and r.ended_at is null \
             left join appeal a on a.{column} = t.id \
             where t.id = $2 and t.author_id = $1 and t.deleted_at is null",
            newest_steps(column, "t.id")
        ));
        let hiding: Option<HidingRow> = sqlx::query_as(hiding)
            .bind(member.0)
            .bind(text.id())
            .fetch_optional(&self.pool)
            .await?;
        hiding.map(Hiding::from).ok_or(text.missing())
    }
}

impl From<HidingRow> for Hiding {
    fn from(row: HidingRow) -> Self {
        let causes = causes_of(&row.steps);
        let hides = |kind: &StepKind| *kind != StepKind::Held && causes.contains(*kind);
        let is_hidden = Publication::parse(&row.publication) == Some(Publication::Hidden);
        let hiding = row.steps.into_iter().rev().find_map(|step| {
            Some(HidingStep {
                kind: step.kind().filter(hides)?,
                rule: step.rule,
                reason: step.reason,
            })
        });
        let is_alone = causes.without_claim().publication() != Publication::Hidden;
        let appeal = row.appeal_text.zip(row.appealed_at);
        Self {
            publication: row.publication,
            step: hiding.filter(|_| is_hidden),
            until: row.restricted_until.filter(|_| is_alone),
            appeal: appeal.map(|(text, created_at)| OwnAppeal {
                text,
                created_at,
                decided_at: row.appeal_decided_at,
                is_upheld: row.appeal_upheld,
            }),
        }
    }
}

/// Ends an open appeal of a text that is shown without a decision about it: its author has what they
/// appealed for.
pub(super) async fn grant_appeal(
    connection: &mut PgConnection,
    text: TextRef,
    now: DateTime<Utc>,
) -> Result<(), CommunityError> {
    let statement = format!(
        "update appeal set decided_at = $2, is_upheld = true \
         where {} = $1 and decided_at is null",
        text.column()
    );
    sqlx::query(AssertSqlSafe(statement))
        .bind(text.id())
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}
