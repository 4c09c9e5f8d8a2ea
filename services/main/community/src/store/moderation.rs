//! Decisions of moderators, each one transaction: the text, its reports, the appeal, the sanction of
//! its author, the history and what is told of it.

mod effects;

use chrono::{DateTime, Utc};
use kernel::MemberId;
use messaging::outbox;
use sqlx::{AssertSqlSafe, PgConnection};

use self::effects::{change_sanction, decide_appeal, decide_reports, forget_weight, notice};
use super::Store;
use super::causes::{LockedCauses, NewestStep, add_step, show, standing};
use super::sanctions::GivenSanction;
use super::texts::{LockedText, Step, TextRef, author_of, count_steps, leading_rule, lock, read};
use crate::decision_events::{AuthorDecision, DecidedText, post_hidden};
use crate::domain::causes::{Cause, StepKind};
use crate::domain::moderation::{Case, Decision, DecisionEffect, DecisionError, Rule, decide};
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
    /// The sanction that the decision gave the author, if any.
    pub sanction: Option<GivenSanction>,
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
    Decision(#[from] DecisionError),
    #[error(transparent)]
    Community(CommunityError),
}

/// What is known of a text besides its row and what hides it.
#[derive(sqlx::FromRow)]
struct Facts {
    has_reports: bool,
    appeal_id: Option<i64>,
    was_appealed: bool,
}

impl Store {
    /// Decides about a version of a text. A repeat changes nothing, and of two at once one decides.
    ///
    /// # Errors
    /// [`ModerationError`]: nothing was decided.
    pub async fn decide(&self, new: &NewDecision) -> Result<Decided, ModerationError> {
        let new = checked(new)?;
        let mut connection = self.pool.acquire().await?;
        let author = author_of(&mut connection, new.text).await?;
        drop(connection);
        // Members may report it, in vain.
        if author == MemberId::OPERATOR && new.decision != Decision::Dismiss {
            return Err(ModerationError::OfOperator);
        }
        // Reports may be very many, and nobody likes or comments on a post while it is locked.
        let mut begins_locked = !new.is_about_reports();
        loop {
            if let Some(decided) = self.decide_once(&new, author, begins_locked).await? {
                return Ok(decided);
            }
            begins_locked = true;
        }
    }

    /// Where it `begins_locked`, the text is locked before it is looked at, else after its reports are
    /// decided: then `None`, with nothing decided, says that the decision does not fit what was seen, or
    /// that something became of the text meanwhile.
    async fn decide_once(
        &self,
        new: &NewDecision,
        author: MemberId,
        begins_locked: bool,
    ) -> Result<Option<Decided>, ModerationError> {
        let now = self.now();
        let text = new.text;
        // The author's lock: of two decisions about two texts of one author, the second is the
        // higher rung, and nothing is written between a sanction and its effect.
        let mut transaction = self.begin_writing(author).await?;
        let locked = if begins_locked {
            lock(&mut transaction, text).await?
        } else {
            read(&mut transaction, text).await?
        };
        let steps_before = count_steps(&mut transaction, text).await?;
        let standing = standing(&mut transaction, (text, &locked)).await?;
        let facts = facts(&mut transaction, text).await?;
        let (case, last) = case_of(new.decision, &standing, &facts);
        let outcome = decide(new.decision, &case);
        if !begins_locked && (outcome.is_err() || locked.version != new.version) {
            transaction.rollback().await?;
            return Ok(None);
        }
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(DecisionError::Repeated) => {
                return Ok(Some(Decided {
                    step: last.map(|step| step.id).unwrap_or_default(),
                    is_repeated: true,
                    publication: locked.publication(),
                    sanction: None,
                }));
            }
            Err(error) => return Err(refused(last, error)),
        };
        if locked.version != new.version {
            return Err(ModerationError::Changed(locked.version));
        }
        let case = Undecided {
            new,
            locked: &locked,
            standing: &standing,
            facts: &facts,
            outcome,
        };
        let recorded = record_decision(&mut transaction, &case, now).await?;
        let newest = decide_reports(&mut transaction, new, recorded.step, 0).await?;
        if !begins_locked {
            let is_same = lock(&mut transaction, text).await? == locked
                && count_steps(&mut transaction, text).await? == steps_before + recorded.added;
            if !is_same {
                transaction.rollback().await?;
                return Ok(None);
            }
            // Who reports a text locks it, so that its later reports have higher ids.
            decide_reports(&mut transaction, new, recorded.step, newest).await?;
        }
        let decided = self.apply(&mut transaction, &case, &recorded, now).await?;
        transaction.commit().await?;
        let kind = new.decision.step().as_str();
        metrics::counter!("community_decisions_total", "kind" => kind).increment(1);
        Ok(Some(decided))
    }

    async fn apply(
        &self,
        connection: &mut PgConnection,
        case: &Undecided<'_>,
        recorded: &RecordedDecision,
        now: DateTime<Utc>,
    ) -> Result<Decided, CommunityError> {
        let Undecided {
            new,
            locked,
            standing,
            facts,
            ..
        } = case;
        let text = new.text;
        let RecordedDecision { step, rule, .. } = *recorded;
        let kind = new.decision.step();
        let publication = show(connection, (text, locked), standing, kind, now).await?;
        self.tell_if_kept_back(connection, (text, locked), standing, publication, now)
            .await?;
        let is_hidden =
            publication == Publication::Hidden && locked.publication() != Publication::Hidden;
        if is_hidden {
            self.withdraw(connection, text).await?;
        }
        forget_weight(connection, new).await?;
        decide_appeal(connection, case, now).await?;
        let given = change_sanction(connection, case, rule, now).await?;
        if let Some(notice) = notice(case, publication, given, now) {
            let decision = AuthorDecision {
                step,
                author: MemberId(locked.author_id),
                text: DecidedText {
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
            outbox::append_all(connection, [post_hidden(&decision, &*self.clock)]).await?;
        }
        Ok(Decided {
            step,
            is_repeated: false,
            publication,
            sanction: given,
        })
    }

    /// Nobody was told of a comment while it was held or refused, and who was is not told again.
    pub(super) async fn tell_if_kept_back(
        &self,
        connection: &mut PgConnection,
        (text, locked): (TextRef, &LockedText),
        standing: &LockedCauses,
        publication: Publication,
        now: DateTime<Utc>,
    ) -> Result<(), CommunityError> {
        let is_shown = publication == Publication::Published
            && locked.publication() != Publication::Published
            && !locked.is_deleted;
        match text {
            TextRef::Comment(comment) if is_shown && standing.was_kept_back() => {
                self.tell_comment(connection, comment, now).await
            }
            TextRef::Comment(_) | TextRef::Post(_) => Ok(()),
        }
    }
}

/// A decision and what it is about.
struct Undecided<'a> {
    new: &'a NewDecision,
    locked: &'a LockedText,
    standing: &'a LockedCauses,
    facts: &'a Facts,
    outcome: DecisionEffect,
}

/// The step of a decision.
struct RecordedDecision {
    step: i64,
    rule: Option<Rule>,
    /// The step, and those that the history lacked.
    added: i64,
}

impl NewDecision {
    fn is_about_reports(&self) -> bool {
        self.decision.step().cause() == Some(Cause::Reports)
    }
}

fn checked(new: &NewDecision) -> Result<NewDecision, ModerationError> {
    let (reason, operator) = checked_words(&new.reason, &new.operator)?;
    Ok(NewDecision {
        reason,
        operator,
        ..new.clone()
    })
}

/// A reason and the name of an operator, as they are stored.
pub(super) fn checked_words(
    reason: &str,
    operator: &str,
) -> Result<(String, String), ModerationError> {
    let reason = clean(reason);
    if !(1..=500).contains(&reason.chars().count()) {
        return Err(ModerationError::Reason);
    }
    let operator = clean(operator);
    if !(2..=40).contains(&operator.chars().count()) {
        return Err(ModerationError::Operator);
    }
    Ok((reason, operator))
}

async fn facts(connection: &mut PgConnection, text: TextRef) -> Result<Facts, CommunityError> {
    let column = text.column();
    let statement = format!(
        "select exists (select from report where {column} = $1 and upheld is null) as has_reports, \
         (select id from appeal where {column} = $1 and decided_at is null) as appeal_id, \
         exists (select from appeal where {column} = $1) as was_appealed"
    );
    let facts = sqlx::query_as(AssertSqlSafe(statement)).bind(text.id());
    Ok(facts.fetch_one(connection).await?)
}

/// What a decision has to fit, and what a moderator decided last about its cause.
fn case_of<'a>(
    decision: Decision,
    standing: &'a LockedCauses,
    facts: &Facts,
) -> (Case, Option<&'a NewestStep>) {
    let last = decision.step().cause();
    let last = last.and_then(|cause| standing.last_decision(cause));
    let case = Case {
        causes: standing.causes,
        has_reports: facts.has_reports,
        has_appeal: facts.appeal_id.is_some(),
        last: last.and_then(NewestStep::kind),
    };
    (case, last)
}

async fn record_decision(
    connection: &mut PgConnection,
    case: &Undecided<'_>,
    now: DateTime<Utc>,
) -> Result<RecordedDecision, CommunityError> {
    let Undecided { new, standing, .. } = case;
    let rule = match new.rule {
        Some(rule) => Some(rule),
        None => leading_rule(connection, new.text).await?,
    };
    let step = Step {
        kind: new.decision.step(),
        version: new.version,
        rule,
        reason: &new.reason,
        operator: Some(&new.operator),
    };
    let (step, added) = add_step(connection, new.text, standing, &step, now).await?;
    Ok(RecordedDecision { step, rule, added })
}

/// Who decided otherwise before, if somebody did.
fn refused(last: Option<&NewestStep>, error: DecisionError) -> ModerationError {
    let decided = last.and_then(|step| Some((step, step.kind()?)));
    // A restriction that nobody decided has ended by itself.
    let decided = decided.filter(|(_, kind)| *kind != StepKind::Restricted);
    let Some((step, kind)) = decided else {
        return ModerationError::Decision(error);
    };
    ModerationError::Decided {
        step: step.id,
        kind: kind.as_str().to_owned(),
        operator: step.operator.clone().unwrap_or_default(),
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
