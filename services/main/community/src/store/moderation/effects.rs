//! What a decision does besides its step: to the reports, the appeal and the author.

use chrono::{DateTime, Utc};
use kernel::MemberId;
use sqlx::{AssertSqlSafe, PgConnection};

use super::{NewDecision, Undecided};
use crate::decision_events::AuthorNotice;
use crate::domain::moderation::{Decision, RESTRICTED_FOR, Rule};
use crate::domain::post::Publication;
use crate::error::CommunityError;
use crate::store::sanctions::{GivenSanction, lift, sanction};
use crate::store::texts::TextRef;

/// Reports that a statement decides.
const SLICE: u64 = 5_000;

/// Decides the reports that are newer than the report `after`, and returns the newest of them. A
/// dismissal also takes back what was upheld before an appeal. Who reported is told later, in pages.
/// The reports are decided in slices, because those of a post of the operator have no number at which
/// it is hidden, and a statement ends after five seconds; all or none stay decided.
pub(super) async fn decide_reports(
    connection: &mut PgConnection,
    new: &NewDecision,
    step: i64,
    after: i64,
) -> Result<i64, CommunityError> {
    let (is_upheld, which) = match new.decision {
        Decision::Uphold => (true, "upheld is null"),
        Decision::Dismiss => (false, "upheld is distinct from false"),
        Decision::Publish
        | Decision::Refuse
        | Decision::Restrict
        | Decision::Lift
        | Decision::Remove => return Ok(after),
    };
    // From one slice to the next by id: the transaction would read the old rows of every slice before.
    let column = new.text.column();
    let statement = format!(
        "with decided as (update report set upheld = $2, step_id = $3, told_at = null \
           where id = any(array(select id from report where {column} = $1 and id > $4 and {which} \
           order by id limit {SLICE})) returning id) \
         select max(id) from decided"
    );
    let mut newest = after;
    loop {
        let decided: Option<i64> = sqlx::query_scalar(AssertSqlSafe(statement.clone()))
            .bind(new.text.id())
            .bind(is_upheld)
            .bind(step)
            .bind(newest)
            .fetch_one(&mut *connection)
            .await?;
        let Some(decided) = decided else {
            return Ok(newest);
        };
        newest = decided;
    }
}

/// Reports that are decided weigh nothing any more. Under the lock of the text, with all of them
/// decided.
pub(super) async fn forget_weight(
    connection: &mut PgConnection,
    new: &NewDecision,
) -> Result<(), CommunityError> {
    if !new.is_about_reports() {
        return Ok(());
    }
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

pub(super) async fn decide_appeal(
    connection: &mut PgConnection,
    case: &Undecided<'_>,
    now: DateTime<Utc>,
) -> Result<(), CommunityError> {
    if let (Some(appeal), Some(is_upheld)) = (case.facts.appeal_id, case.outcome.appeal_upheld) {
        sqlx::query("update appeal set decided_at = $2, is_upheld = $3 where id = $1")
            .bind(appeal)
            .bind(now)
            .bind(is_upheld)
            .execute(connection)
            .await?;
    }
    Ok(())
}

/// Gives the author a sanction, which is returned, or lifts that of the text.
pub(super) async fn change_sanction(
    connection: &mut PgConnection,
    case: &Undecided<'_>,
    rule: Option<Rule>,
    now: DateTime<Utc>,
) -> Result<Option<GivenSanction>, CommunityError> {
    let (text, author) = (case.new.text, MemberId(case.locked.author_id));
    match case.new.decision {
        Decision::Uphold => {
            let why = (rule, case.new.reason.as_str());
            sanction(connection, (text, author), why, now).await
        }
        Decision::Dismiss => {
            lift(connection, text, now).await?;
            Ok(None)
        }
        Decision::Publish
        | Decision::Refuse
        | Decision::Restrict
        | Decision::Lift
        | Decision::Remove => Ok(None),
    }
}

/// What the author is told; nothing where nothing changed for them, and of a text that they have deleted
/// only what concerns themselves.
pub(super) fn notice(
    case: &Undecided<'_>,
    publication: Publication,
    given: Option<GivenSanction>,
    now: DateTime<Utc>,
) -> Option<AuthorNotice> {
    let notice = notice_of_change(case, publication, given, now);
    notice.filter(|notice| !case.locked.is_deleted || notice.is_of_author())
}

fn notice_of_change(
    case: &Undecided<'_>,
    publication: Publication,
    given: Option<GivenSanction>,
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
        (Decision::Refuse, Publication::Held, Publication::Hidden) => Some(AuthorNotice::Refused),
        (_, Publication::Published | Publication::Held, Publication::Hidden) => {
            Some(AuthorNotice::Hidden)
        }
        (_, Publication::Hidden, Publication::Hidden) if case.outcome.appeal_upheld.is_some() => {
            Some(AuthorNotice::KeptHidden)
        }
        _ => None,
    }
}
