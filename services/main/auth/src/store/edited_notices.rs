//! Gives notices the text that their comment has since it was edited, in one transaction: in inboxes, in
//! the pushes that wait, and in what is told later of it.

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};

use super::Store;
use super::notices::sql;
use super::withdrawn_notices::share_post;
use crate::error::AuthError;
use crate::notifications::edits::Edit;

impl Store {
    /// Whatever the order of events, the highest version holds; what was taken back has no text any
    /// more. A push that is on its way arrives as it was.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn edit_notices(&self, edit: &Edit) -> Result<(), AuthError> {
        let members: Vec<i64> = edit.members.iter().map(|member| member.0).collect();
        let transaction = self.begin().await?;
        // As who tells and who takes back lock them, in one order: a notice is either here already or
        // finds what this leaves.
        share_post(&transaction, &edit.link).await?;
        let lock = sql(
            "select id from member where id = any($1) order by id for no key update",
            [members.clone().into()],
        );
        if transaction.query_all_raw(lock).await?.is_empty() {
            return Ok(());
        }
        let remember = sql(
            "insert into edited_notice (dedupe_key, link, body, version, edited_at) \
             select $1, $2, $3, $4, $5 where not exists (select from withdrawn_notice \
               where member_id = any($6) and dedupe_key = $1 and actor_id = 0) \
             and not exists (select from withdrawn_post where link = $2 and withdrawn_at >= $5) \
             on conflict (dedupe_key) do update set body = excluded.body, \
             version = excluded.version, edited_at = excluded.edited_at \
             where edited_notice.version < excluded.version",
            [
                edit.dedupe_key.as_str().into(),
                edit.link.as_str().into(),
                edit.body.as_str().into(),
                edit.version.into(),
                edit.edited_at.into(),
                members.clone().into(),
            ],
        );
        if transaction.execute_raw(remember).await?.rows_affected() == 0 {
            return Ok(());
        }
        // Also of a push that was sent: a device that has not taken it yet is sent this text.
        for table in ["notification", "push_delivery"] {
            let update = sql(
                format!(
                    "update {table} set body = $3 where member_id = any($1) and dedupe_key = $2"
                ),
                [
                    members.clone().into(),
                    edit.dedupe_key.as_str().into(),
                    edit.body.as_str().into(),
                ],
            );
            transaction.execute_raw(update).await?;
        }
        transaction.commit().await?;
        Ok(())
    }
}

/// What a notice says instead of what its event says, which is older: the community tells of a comment
/// before it tells of an edit. Under the lock of its member.
pub(super) async fn edited_body(
    transaction: &DatabaseTransaction,
    dedupe_key: &str,
) -> Result<Option<String>, DbErr> {
    let find = sql(
        "select body from edited_notice where dedupe_key = $1",
        [dedupe_key.into()],
    );
    let found = transaction.query_one_raw(find).await?;
    found.map(|row| row.try_get("", "body")).transpose()
}
