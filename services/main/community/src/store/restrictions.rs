//! The end of restrictions that nobody decided.

use kernel::MemberId;
use messaging::outbox;

use super::Store;
use super::texts::{Step, TextRef, lock, publish, record};
use crate::decision_events::{AuthorNotice, AuthorTold, ToldText, author_told};
use crate::domain::moderation::{StepKind, after_restriction};
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
        let ended: Option<(String, i32)> = sqlx::query_as(
            "update restriction set ended_at = $2 where id = $1 and ended_at is null \
             returning publication_after, version",
        )
        .bind(restriction)
        .bind(now)
        .fetch_optional(&mut *transaction)
        .await?;
        let Some((after, version)) = ended else {
            return Ok(true);
        };
        let after = Publication::parse(&after).unwrap_or(Publication::Hidden);
        let publication = after_restriction(after, version != locked.version);
        publish(&mut transaction, (text, &locked), publication, now).await?;
        let step = Step {
            kind: StepKind::Expired,
            version: locked.version,
            rule: None,
            reason: "",
            operator: None,
        };
        let step = record(&mut transaction, text, &step, now).await?;
        if publication == Publication::Published {
            let told = AuthorTold {
                step,
                author: MemberId(locked.author_id),
                text: ToldText {
                    post: locked.post_id,
                    comment: text.comment(),
                },
                notice: AuthorNotice::Restored,
                rule: "",
                may_appeal: false,
                decided_at: now,
            };
            outbox::append_all(&mut transaction, [author_told(&told, &*self.clock)]).await?;
            // The author has what they appealed for.
            let statement = match text {
                TextRef::Post(_) => {
                    "update appeal set decided_at = $2, is_upheld = true \
                     where post_id = $1 and decided_at is null"
                }
                TextRef::Comment(_) => {
                    "update appeal set decided_at = $2, is_upheld = true \
                     where comment_id = $1 and decided_at is null"
                }
            };
            sqlx::query(statement)
                .bind(text.id())
                .bind(now)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(true)
    }
}
