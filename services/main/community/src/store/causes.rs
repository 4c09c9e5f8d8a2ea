//! The causes for which a text is hidden, and the one place where they decide whether it is shown.

use chrono::{DateTime, Utc};
use sqlx::types::Json;
use sqlx::{AssertSqlSafe, PgConnection};

use super::appeals::grant_appeal;
use super::texts::{LockedText, Step, TextRef, publish, record};
use crate::domain::causes::{Cause, Causes, StepKind};
use crate::domain::moderation::RESTRICTED_FOR;
use crate::domain::post::Publication;
use crate::error::CommunityError;

/// A step that no later one of its kind, by a moderator or by the service, replaces.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
pub(super) struct NewestStep {
    pub(super) id: i64,
    kind: String,
    pub(super) rule: String,
    pub(super) reason: String,
    /// `None` for the service.
    pub(super) operator: Option<String>,
}

#[derive(Clone, Debug, sqlx::FromRow)]
pub(super) struct OpenRestriction {
    pub(super) id: i64,
    /// That is claimed to violate rights, or that a moderator has read since.
    pub(super) version: i32,
    publication_after: String,
}

/// What hides a text, under its lock.
pub(super) struct LockedCauses {
    pub(super) causes: Causes,
    pub(super) restriction: Option<OpenRestriction>,
    pub(super) steps: Vec<NewestStep>,
    /// What `causes` knows and the history does not.
    unrecorded: Vec<StepKind>,
}

impl NewestStep {
    pub(super) fn kind(&self) -> Option<StepKind> {
        StepKind::parse(&self.kind)
    }
}

impl LockedCauses {
    /// Adds a step of the service, which is recorded before the next one.
    pub(super) fn add(&mut self, kind: StepKind) {
        self.causes = self.causes.after(kind);
        self.unrecorded.push(kind);
    }

    /// Whether the judge of writing has ever held it, as far as is known.
    pub(super) fn was_kept_back(&self) -> bool {
        let recorded = self.steps.iter().filter_map(NewestStep::kind);
        let mut kinds = recorded.chain(self.unrecorded.iter().copied());
        kinds.any(|kind| kind.cause() == Some(Cause::Writing))
    }

    /// What a moderator decided last about a cause.
    pub(super) fn last_decision(&self, cause: Cause) -> Option<&NewestStep> {
        let is_about = |step: &&NewestStep| {
            step.operator.is_some() && step.kind().and_then(StepKind::cause) == Some(cause)
        };
        self.steps.iter().rev().find(is_about)
    }
}

/// As SQL, the newest steps of the text that `column` names `id`, oldest first.
pub(super) fn newest_steps(column: &str, id: &str) -> String {
    format!(
        "coalesce((select json_agg(s order by s.id) from (select distinct on \
         (kind, operator is null) id, kind, rule, reason, operator from moderation_step \
         where {column} = {id} order by kind, operator is null, id desc) s), '[]')"
    )
}

pub(super) fn causes_of(steps: &[NewestStep]) -> Causes {
    Causes::of(steps.iter().filter_map(NewestStep::kind))
}

pub(super) async fn standing(
    connection: &mut PgConnection,
    (text, locked): (TextRef, &LockedText),
) -> Result<LockedCauses, CommunityError> {
    let column = text.column();
    let restriction: Option<OpenRestriction> = sqlx::query_as(AssertSqlSafe(format!(
        "select id, version, publication_after from restriction \
         where {column} = $1 and ended_at is null"
    )))
    .bind(text.id())
    .fetch_optional(&mut *connection)
    .await?;
    let statement = format!("select {}", newest_steps(column, "$1"));
    let steps: Json<Vec<NewestStep>> = sqlx::query_scalar(AssertSqlSafe(statement))
        .bind(text.id())
        .fetch_one(connection)
        .await?;
    let Json(steps) = steps;
    let after = restriction.as_ref().map(|open| &open.publication_after);
    let shown = after.and_then(|after| Publication::parse(after));
    let shown = shown.unwrap_or(locked.publication());
    let mut standing = LockedCauses {
        causes: causes_of(&steps),
        restriction,
        steps,
        unrecorded: Vec::new(),
    };
    if let Some(kind) = standing.causes.unrecorded(shown) {
        standing.add(kind);
    }
    Ok(standing)
}

/// Adds a step to the history of a text, and shows or hides the text by the causes that stand after
/// it. Returns the step, and what became of the text.
pub(super) async fn take(
    connection: &mut PgConnection,
    (text, locked): (TextRef, &LockedText),
    standing: &LockedCauses,
    step: &Step<'_>,
    now: DateTime<Utc>,
) -> Result<(i64, Publication), CommunityError> {
    let (id, _added) = add_step(connection, text, standing, step, now).await?;
    let publication = show(connection, (text, locked), standing, step.kind, now).await?;
    Ok((id, publication))
}

/// The first half of [`take`], for which the text need not be locked. Returns the step, and how many
/// were added with it that the history lacked.
pub(super) async fn add_step(
    connection: &mut PgConnection,
    text: TextRef,
    standing: &LockedCauses,
    step: &Step<'_>,
    now: DateTime<Utc>,
) -> Result<(i64, i64), CommunityError> {
    let mut added = 1;
    for kind in &standing.unrecorded {
        if kind.cause() == step.kind.cause() {
            continue;
        }
        let missing = Step {
            kind: *kind,
            version: step.version,
            rule: None,
            reason: "",
            operator: None,
        };
        record(connection, text, &missing, now).await?;
        added += 1;
    }
    Ok((record(connection, text, step, now).await?, added))
}

/// The second half of [`take`], under the lock of the text.
pub(super) async fn show(
    connection: &mut PgConnection,
    (text, locked): (TextRef, &LockedText),
    standing: &LockedCauses,
    step: StepKind,
    now: DateTime<Utc>,
) -> Result<Publication, CommunityError> {
    let causes = standing.causes.after(step);
    restrict(connection, (text, locked), standing, causes, now).await?;
    let publication = causes.publication();
    publish(connection, (text, locked), publication, now).await?;
    Ok(publication)
}

/// What is seen of a text after a change by its author, which was `before` and is judged anew. Only a
/// decision shows again what was hidden, or what a restriction has left held because nobody has read it.
pub(super) async fn republished(
    connection: &mut PgConnection,
    text: TextRef,
    (before, judged): (&str, Publication),
    now: DateTime<Utc>,
) -> Result<Publication, CommunityError> {
    let before = Publication::parse(before);
    if before == Some(Publication::Hidden) {
        return Ok(Publication::Hidden);
    }
    if before != Some(Publication::Held) || judged != Publication::Published {
        return Ok(judged);
    }
    let column = text.column();
    let waits_to_be_read: bool = sqlx::query_scalar(AssertSqlSafe(format!(
        "select exists (select from moderation_step h join moderation_step e \
           on e.{column} = h.{column} and e.kind = 'EXPIRED' and e.created_at = h.created_at \
         where h.{column} = $1 and h.kind = 'HELD' and not exists ( \
           select from moderation_step l where l.{column} = $1 and l.id > h.id \
           and l.kind in ('PUBLISHED', 'REFUSED')))"
    )))
    .bind(text.id())
    .fetch_one(&mut *connection)
    .await?;
    if waits_to_be_read {
        return Ok(Publication::Held);
    }
    grant_appeal(connection, text, now).await?;
    Ok(Publication::Published)
}

/// Begins, changes or ends the restriction of a text.
async fn restrict(
    connection: &mut PgConnection,
    (text, locked): (TextRef, &LockedText),
    standing: &LockedCauses,
    causes: Causes,
    now: DateTime<Utc>,
) -> Result<(), CommunityError> {
    let after = causes.without_claim().publication();
    let open = standing.restriction.as_ref();
    match (open, causes.contains(StepKind::Restricted)) {
        (None, false) => {}
        (None, true) => {
            sqlx::query(
                "insert into restriction \
                 (post_id, comment_id, version, publication_after, begins_at, ends_at) \
                 values ($1, $2, $3, $4, $5, $6)",
            )
            .bind(text.post())
            .bind(text.comment())
            .bind(locked.version)
            .bind(after.as_str())
            .bind(now)
            .bind(now + RESTRICTED_FOR)
            .execute(connection)
            .await?;
        }
        (Some(open), true) => {
            // The moderator has read this version.
            sqlx::query(
                "update restriction set publication_after = $2, version = $3 where id = $1",
            )
            .bind(open.id)
            .bind(after.as_str())
            .bind(locked.version)
            .execute(connection)
            .await?;
        }
        (Some(open), false) => {
            sqlx::query("update restriction set ended_at = $2 where id = $1")
                .bind(open.id)
                .bind(now)
                .execute(connection)
                .await?;
        }
    }
    Ok(())
}
