//! Decisions of moderators, each one transaction: the text, its reports, the appeal, the sanction of
//! its author, the history and what is told of it.

use chrono::{DateTime, Utc};
use kernel::MemberId;
use messaging::outbox;
use sqlx::{AssertSqlSafe, PgConnection};

use super::Store;
use super::sanctions::{Given, lift, sanction};
use super::texts::{LockedText, Step, TextRef, author_of, leading_rule, lock, publish, record};
use crate::decision_events::{AuthorNotice, AuthorTold, ToldText, author_told};
use crate::domain::moderation::{
    Case, Decision, Misfit, Outcome, RESTRICTED_FOR, Rule, StepKind, decide,
};
use crate::domain::post::Publication;
use crate::domain::writing::clean;
use crate::error::CommunityError;

/// What a moderator asks for.
#[derive(Clone, Debug)]
pub struct NewDecision {
    pub text: TextRef,
    pub decision: Decision,
    /// That the moderator read.
    pub version: i32,
    /// `None` takes that of most reports.
    pub rule: Option<Rule>,
    /// The author reads it.
    pub reason: String,
    pub operator: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    pub step: i64,
    /// Somebody decided alike before, and nothing was changed.
    pub is_repeated: bool,
    /// Whether others see the text now.
    pub publication: Publication,
    /// Of the author, if the decision gave one.
    pub sanction: Option<Given>,
}

#[derive(Debug, thiserror::Error)]
pub enum ModerationError {
    #[error("there is no such text")]
    NotFound,
    #[error("a reason is 1 to 500 characters")]
    Reason,
    #[error("the name of an operator is 2 to 40 characters")]
    Operator,
    #[error("reports of what the operator wrote can only be dismissed")]
    OfOperator,
    #[error("the author changed the text meanwhile: read version {0}")]
    Changed(i32),
    #[error("{operator} has decided {kind} (step {step})")]
    Decided {
        step: i64,
        kind: String,
        operator: String,
    },
    #[error("it does not fit: {0}")]
    Misfit(#[from] Misfit),
    #[error(transparent)]
    Community(CommunityError),
}

/// What is known of a text besides its row.
#[derive(sqlx::FromRow)]
struct Facts {
    has_reports: bool,
    appeal_id: Option<i64>,
    was_appealed: bool,
    hidden_by: Option<String>,
    restriction_id: Option<i64>,
    publication_after: Option<String>,
    last_id: Option<i64>,
    last_kind: Option<String>,
    last_operator: Option<String>,
}

impl Store {
    /// Decides about a version of a text. A repeat changes nothing, and of two at once one decides.
    ///
    /// # Errors
    /// [`ModerationError`]: nothing was decided.
    pub async fn decide(&self, new: &NewDecision) -> Result<Decided, ModerationError> {
        let new = checked(new)?;
        let now = self.now();
        let mut connection = self.pool.acquire().await?;
        let author = author_of(&mut connection, new.text).await?;
        drop(connection);
        // Members may report it, in vain.
        if author == MemberId::OPERATOR && new.decision != Decision::Dismiss {
            return Err(ModerationError::OfOperator);
        }
        // The author's lock: of two decisions about two texts of one author, the second is the
        // higher rung, and nothing is written between a sanction and its effect.
        let mut transaction = self.begin_writing(author).await?;
        let locked = lock(&mut transaction, new.text).await?;
        let facts = facts(&mut transaction, new.text).await?;
        let case = case(&locked, &facts);
        let outcome = match decide(new.decision, &case) {
            Ok(outcome) => outcome,
            Err(Misfit::Repeated) => {
                return Ok(Decided {
                    step: facts.last_id.unwrap_or_default(),
                    is_repeated: true,
                    publication: locked.publication(),
                    sanction: None,
                });
            }
            Err(misfit) => return Err(refused(&facts, misfit)),
        };
        if locked.version != new.version {
            return Err(ModerationError::Changed(locked.version));
        }
        let case = Undecided {
            new: &new,
            locked: &locked,
            facts: &facts,
            outcome,
        };
        let decided = self.apply(&mut transaction, &case, now).await?;
        transaction.commit().await?;
        let kind = new.decision.step().as_str();
        metrics::counter!("community_decisions_total", "kind" => kind).increment(1);
        Ok(decided)
    }

    async fn apply(
        &self,
        connection: &mut PgConnection,
        case: &Undecided<'_>,
        now: DateTime<Utc>,
    ) -> Result<Decided, CommunityError> {
        let Undecided {
            new,
            locked,
            facts,
            outcome,
        } = case;
        let (text, author) = (new.text, MemberId(locked.author_id));
        let rule = match new.rule {
            Some(rule) => Some(rule),
            None => leading_rule(connection, text).await?,
        };
        let step = Step {
            kind: new.decision.step(),
            version: locked.version,
            rule,
            reason: &new.reason,
            operator: Some(&new.operator),
        };
        let step = record(connection, text, &step, now).await?;
        let publication = restrict(connection, case, now).await?;
        publish(connection, (text, locked), publication, now).await?;
        // Nobody was told of a comment while it was held.
        if let (TextRef::Comment(comment), Publication::Held, Publication::Published) =
            (text, locked.publication(), publication)
            && !locked.is_deleted
        {
            self.tell_comment(connection, comment, now).await?;
        }
        decide_reports(connection, new, step).await?;
        if let (Some(appeal), Some(is_upheld)) = (facts.appeal_id, outcome.appeal_upheld) {
            sqlx::query("update appeal set decided_at = $2, is_upheld = $3 where id = $1")
                .bind(appeal)
                .bind(now)
                .bind(is_upheld)
                .execute(&mut *connection)
                .await?;
        }
        let given = match new.decision {
            Decision::Uphold => {
                let why = (rule, new.reason.as_str());
                sanction(connection, (text, author), why, now).await?
            }
            Decision::Dismiss => {
                lift(connection, text, now).await?;
                None
            }
            Decision::Publish
            | Decision::Refuse
            | Decision::Restrict
            | Decision::Lift
            | Decision::Remove => None,
        };
        if let Some(notice) = notice(case, publication, given, now) {
            let told = AuthorTold {
                step,
                author,
                text: ToldText {
                    post: locked.post_id,
                    comment: text.comment(),
                },
                notice,
                rule: rule.map(Rule::as_str).unwrap_or_default(),
                may_appeal: publication == Publication::Hidden
                    && !facts.was_appealed
                    && !locked.is_deleted,
                decided_at: now,
            };
            outbox::append_all(connection, [author_told(&told, &*self.clock)]).await?;
        }
        Ok(Decided {
            step,
            is_repeated: false,
            publication,
            sanction: given,
        })
    }
}

/// A decision and what it is about.
struct Undecided<'a> {
    new: &'a NewDecision,
    locked: &'a LockedText,
    facts: &'a Facts,
    outcome: Outcome,
}

fn checked(new: &NewDecision) -> Result<NewDecision, ModerationError> {
    let reason = clean(&new.reason);
    if !(1..=500).contains(&reason.chars().count()) {
        return Err(ModerationError::Reason);
    }
    let operator = clean(&new.operator);
    if !(2..=40).contains(&operator.chars().count()) {
        return Err(ModerationError::Operator);
    }
    Ok(NewDecision {
        reason,
        operator,
        ..new.clone()
    })
}

async fn facts(connection: &mut PgConnection, text: TextRef) -> Result<Facts, CommunityError> {
    let column = text.column();
    let statement = format!(
        "select exists (select from report where {column} = $1 and upheld is null) as has_reports, \
         (select id from appeal where {column} = $1 and decided_at is null) as appeal_id, \
         exists (select from appeal where {column} = $1) as was_appealed, \
         (select kind from moderation_step where {column} = $1 \
         and kind in ('HIDDEN', 'UPHELD', 'REFUSED', 'REMOVED') \
         order by id desc limit 1) as hidden_by, \
         r.id as restriction_id, r.publication_after, \
         last.id as last_id, last.kind as last_kind, last.operator as last_operator \
         from (select) one \
         left join restriction r on r.{column} = $1 and r.ended_at is null \
         left join lateral (select id, kind, operator from moderation_step \
         where {column} = $1 and operator is not null order by id desc limit 1) last on true"
    );
    let facts = sqlx::query_as(AssertSqlSafe(statement)).bind(text.id());
    Ok(facts.fetch_one(connection).await?)
}

fn case(locked: &LockedText, facts: &Facts) -> Case {
    let after = facts.publication_after.as_deref();
    let after = after.and_then(Publication::parse);
    // Whatever the author changed meanwhile, the moderator has read.
    let publication = after.unwrap_or(locked.publication());
    let kind = |text: &Option<String>| text.as_deref().and_then(StepKind::parse);
    // What reports hid before there was a history has no step.
    let hidden_by = kind(&facts.hidden_by).unwrap_or(StepKind::Hidden);
    Case {
        publication,
        is_restricted: facts.restriction_id.is_some(),
        has_reports: facts.has_reports,
        has_appeal: facts.appeal_id.is_some(),
        hidden_by: (publication == Publication::Hidden).then_some(hidden_by),
        last: kind(&facts.last_kind),
    }
}

/// Who decided otherwise before, if somebody did.
fn refused(facts: &Facts, misfit: Misfit) -> ModerationError {
    match (facts.last_id, &facts.last_kind, &facts.last_operator) {
        (Some(step), Some(kind), Some(operator)) => ModerationError::Decided {
            step,
            kind: kind.clone(),
            operator: operator.clone(),
        },
        _ => ModerationError::Misfit(misfit),
    }
}

/// Begins, changes or ends the text's restriction, and returns what the text becomes.
async fn restrict(
    connection: &mut PgConnection,
    case: &Undecided<'_>,
    now: DateTime<Utc>,
) -> Result<Publication, CommunityError> {
    let after = case.outcome.publication;
    match (case.facts.restriction_id, case.outcome.is_restricted) {
        (None, false) => Ok(after),
        (None, true) => {
            sqlx::query(
                "insert into restriction \
                 (post_id, comment_id, version, publication_after, begins_at, ends_at) \
                 values ($1, $2, $3, $4, $5, $6)",
            )
            .bind(case.new.text.post())
            .bind(case.new.text.comment())
            .bind(case.locked.version)
            .bind(after.as_str())
            .bind(now)
            .bind(now + RESTRICTED_FOR)
            .execute(connection)
            .await?;
            Ok(Publication::Hidden)
        }
        (Some(restriction), true) => {
            // The moderator has read this version.
            sqlx::query(
                "update restriction set publication_after = $2, version = $3 where id = $1",
            )
            .bind(restriction)
            .bind(after.as_str())
            .bind(case.locked.version)
            .execute(connection)
            .await?;
            Ok(Publication::Hidden)
        }
        (Some(restriction), false) => {
            sqlx::query("update restriction set ended_at = $2 where id = $1")
                .bind(restriction)
                .bind(now)
                .execute(connection)
                .await?;
            Ok(after)
        }
    }
}

/// A dismissal also takes back what was upheld before an appeal. Who reported is told later, in
/// pages.
async fn decide_reports(
    connection: &mut PgConnection,
    new: &NewDecision,
    step: i64,
) -> Result<(), CommunityError> {
    let (is_upheld, which) = match new.decision {
        Decision::Uphold => (true, "upheld is null"),
        Decision::Dismiss => (false, "upheld is distinct from false"),
        Decision::Publish
        | Decision::Refuse
        | Decision::Restrict
        | Decision::Lift
        | Decision::Remove => return Ok(()),
    };
    let statement = format!(
        "update report set upheld = $2, step_id = $3, told_at = null where {} = $1 and {which}",
        new.text.column()
    );
    sqlx::query(AssertSqlSafe(statement))
        .bind(new.text.id())
        .bind(is_upheld)
        .bind(step)
        .execute(&mut *connection)
        .await?;
    let statement = match new.text {
        TextRef::Post(_) => "update post set report_weight = 0 where id = $1",
        TextRef::Comment(_) => "update comment set report_weight = 0 where id = $1",
    };
    sqlx::query(statement)
        .bind(new.text.id())
        .execute(connection)
        .await?;
    Ok(())
}

/// What the author is told; nothing where nothing changed for them.
fn notice(
    case: &Undecided<'_>,
    publication: Publication,
    given: Option<Given>,
    now: DateTime<Utc>,
) -> Option<AuthorNotice> {
    let was = case.locked.publication();
    if let Some(given) = given {
        return Some(if given.is_warning() {
            AuthorNotice::Warned
        } else {
            AuthorNotice::Suspended {
                until: given.ends_at,
            }
        });
    }
    match (case.new.decision, was, publication) {
        (Decision::Restrict, _, _) => Some(AuthorNotice::Restricted {
            until: now + RESTRICTED_FOR,
        }),
        (_, Publication::Held, Publication::Published) => Some(AuthorNotice::Published),
        (_, Publication::Hidden, Publication::Published) => Some(AuthorNotice::Restored),
        (_, Publication::Published | Publication::Held, Publication::Hidden) => {
            Some(AuthorNotice::Hidden)
        }
        (_, Publication::Hidden, Publication::Hidden) if case.outcome.appeal_upheld.is_some() => {
            Some(AuthorNotice::KeptHidden)
        }
        _ => None,
    }
}

impl From<CommunityError> for ModerationError {
    fn from(error: CommunityError) -> Self {
        let is_unknown = matches!(
            error,
            CommunityError::PostNotFound | CommunityError::CommentNotFound
        );
        if is_unknown {
            Self::NotFound
        } else {
            Self::Community(error)
        }
    }
}

impl From<sqlx::Error> for ModerationError {
    fn from(error: sqlx::Error) -> Self {
        Self::Community(error.into())
    }
}
