//! The end of restrictions that nobody decided.

use kernel::MemberId;
use messaging::outbox;

use super::Store;
use super::appeals::grant_appeal;
use super::causes::{standing, take};
use super::texts::{Step, TextRef, lock};
use crate::decision_events::{AuthorDecision, AuthorNotice, DecidedText, post_hidden};
use crate::domain::causes::StepKind;
use crate::domain::post::Publication;
use crate::error::CommunityError;

impl Store {
    /// Ends a restriction whose time is over, and tells whether more may be left. Another process
    /// that does the same takes another one.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn end_restriction(&self) -> Result<bool, CommunityError> {
        let now = self.now();
        let mut connection = self.pool.acquire().await?;
        let due: Option<(i64, Option<i64>, Option<i64>)> = sqlx::query_as(
            "select id, post_id, comment_id from restriction \
             where ended_at is null and ends_at <= $1 order by ends_at limit 1",
        )
        .bind(now)
        .fetch_optional(&mut *connection)
        .await?;
        drop(connection);
        let Some((restriction, post, comment)) = due else {
            return Ok(false);
        };
        let Some(text) = TextRef::of(post, comment) else {
            return Ok(false);
        };
        // The text before its restriction, as decisions lock them.
        let mut transaction = self.pool.begin().await?;
        let locked = lock(&mut transaction, text).await?;
        let mut standing = standing(&mut transaction, (text, &locked)).await?;
        let open = standing.restriction.as_ref();
        let Some(open) = open.filter(|open| open.id == restriction) else {
            return Ok(true);
        };
        // What its author wrote meanwhile nobody has read.
        let is_changed = open.version != locked.version;
        let ended = standing.causes.after(StepKind::Expired).publication();
        if is_changed && ended == Publication::Published {
            standing.add(StepKind::Held);
        }
        let step = Step {
            kind: StepKind::Expired,
            version: locked.version,
            rule: None,
            reason: "",
            operator: None,
        };
        let (step, publication) =
            take(&mut transaction, (text, &locked), &standing, &step, now).await?;
        let shown = (text, &locked);
        self.tell_if_kept_back(&mut transaction, shown, &standing, publication, now)
            .await?;
        // Nothing is shown of what its author deleted.
        if publication == Publication::Published && !locked.is_deleted {
            let decision = AuthorDecision {
                step,
                author: MemberId(locked.author_id),
                text: DecidedText {
                    post: locked.post_id,
                    comment: text.comment(),
                },
                notice: AuthorNotice::Expired,
                rule: "",
                may_appeal: false,
                decided_at: now,
            };
            outbox::append_all(&mut transaction, [post_hidden(&decision, &*self.clock)]).await?;
        }
        if publication == Publication::Published {
            grant_appeal(&mut transaction, text, now).await?;
        }
        transaction.commit().await?;
        Ok(true)
    }
}
