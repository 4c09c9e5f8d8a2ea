//! Takes notices back, slice by slice, each in one transaction: from the inbox, from the pushes that
//! wait, from the count of open pages, and from what is told later of the same.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use kernel::{Clock, MemberId};
use messaging::outbox;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, Value};

use super::Store;
use super::inbox::unread;
use super::notices::sql;
use crate::error::AuthError;
use crate::events;
use crate::notifications::Notice;
use crate::notifications::withdrawals::{Withdrawal, Withdrawn, WithdrawnPost};

/// The types of which [`NotificationType::is_of_post`](crate::domain::NotificationType::is_of_post)
/// speaks, as the indexes name them.
const OF_POSTS: &str = "type in ('COMMENT', 'REPLY', 'LIKE')";
/// Notices that a transaction takes back, with their pushes.
const SLICE: u64 = 200;
/// People of those notices that it takes back: one of likes may count very many.
const PEOPLE: u64 = 5_000;
/// What a deletion of notifications says of each; see [`DeletedNotification`].
const DELETED: &str = "returning member_id, read_at is null as was_unread";

#[derive(FromQueryResult)]
struct DeletedNotification {
    member_id: i64,
    was_unread: bool,
}

impl Store {
    /// Takes back a slice of what one member shall not see any more, and tells whether more may be left.
    /// What comes later of it is not told, from the first slice on. A push that is on its way arrives.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn withdraw(&self, withdrawal: &Withdrawal) -> Result<bool, AuthError> {
        let (member, withdrawn_at) = (withdrawal.member, withdrawal.withdrawn_at);
        let transaction = self.begin().await?;
        // As who tells locks it: a notice is either here already or finds what this leaves.
        let lock = sql(
            "select id from member where id = $1 for no key update",
            [member.into()],
        );
        if transaction.query_one_raw(lock).await?.is_none() {
            return Ok(false);
        }
        let (key, actor) = match &withdrawal.notices {
            Withdrawn::Key(key) => (key.as_str(), 0),
            Withdrawn::Actor(actor) => ("", actor.0),
        };
        let remember = sql(
            "insert into withdrawn_notice (member_id, dedupe_key, actor_id, withdrawn_at) \
             values ($1, $2, $3, $4) on conflict on constraint withdrawn_notice_once do update \
             set withdrawn_at = greatest(withdrawn_notice.withdrawn_at, excluded.withdrawn_at)",
            [member.into(), key.into(), actor.into(), withdrawn_at.into()],
        );
        transaction.execute_raw(remember).await?;
        let (condition, values): (&str, Vec<Value>) = match &withdrawal.notices {
            Withdrawn::Key(_) => (
                "member_id = $1 and dedupe_key = $2",
                vec![member.into(), key.into()],
            ),
            Withdrawn::Actor(_) => (
                "member_id = $1 and actor_id = $2 and coalesce(occurred_at, created_at) <= $3",
                vec![member.into(), actor.into(), withdrawn_at.into()],
            ),
        };
        let has_more = take_slice(&transaction, condition, &values, &*self.clock).await?;
        if let Withdrawn::Key(_) = withdrawal.notices {
            forget_edits(&transaction, "dedupe_key = $1", [key.into()]).await?;
        }
        transaction.commit().await?;
        Ok(has_more)
    }

    /// Takes back a slice of what members were told of a post's comments and likes, and tells whether
    /// more may be left. What comes later of the time before is told nobody. A push that is on its way
    /// arrives.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn withdraw_post(&self, post: &WithdrawnPost) -> Result<bool, AuthError> {
        let WithdrawnPost { link, withdrawn_at } = post;
        let transaction = self.begin().await?;
        // Who tells of the post holds it shared: a notice is either here already or finds what this
        // leaves.
        lock_post(&transaction, link, "pg_advisory_xact_lock").await?;
        let remember = sql(
            "insert into withdrawn_post (link, withdrawn_at) values ($1, $2) \
             on conflict (link) do update \
             set withdrawn_at = greatest(withdrawn_post.withdrawn_at, excluded.withdrawn_at)",
            [link.as_str().into(), (*withdrawn_at).into()],
        );
        transaction.execute_raw(remember).await?;
        let condition =
            format!("link = $1 and {OF_POSTS} and coalesce(occurred_at, created_at) <= $2");
        let values: [Value; 2] = [link.as_str().into(), (*withdrawn_at).into()];
        // Before the notifications, whose deletion would take all of them along in one statement.
        let people = sql(
            format!(
                "delete from notification_liker where ctid = any(array(select l.ctid from ( \
                   select id from notification where {condition} order by id limit {SLICE}) n \
                 cross join lateral (select ctid from notification_liker \
                   where notification_id = n.id limit {PEOPLE}) l limit {PEOPLE}))"
            ),
            values.clone(),
        );
        if transaction.execute_raw(people).await?.rows_affected() >= PEOPLE {
            transaction.commit().await?;
            return Ok(true);
        }
        let has_notices = take_slice(&transaction, &condition, &values, &*self.clock).await?;
        let of_post = "link = $1 and edited_at <= $2";
        let has_edits = forget_edits(&transaction, of_post, values).await?;
        transaction.commit().await?;
        Ok(has_notices || has_edits)
    }
}

/// Whoever tells of a post, until the end of the transaction. Before any member is locked.
pub(super) async fn share_post(transaction: &DatabaseTransaction, link: &str) -> Result<(), DbErr> {
    lock_post(transaction, link, "pg_advisory_xact_lock_shared").await
}

async fn lock_post(transaction: &DatabaseTransaction, link: &str, lock: &str) -> Result<(), DbErr> {
    let lock = sql(
        format!("select {lock}(hashtextextended($1, 0))"),
        [link.into()],
    );
    transaction.execute_raw(lock).await?;
    Ok(())
}

/// Deletes a slice of the notifications and pushes that a condition finds, in the order of their ids as
/// everybody who takes back, and tells whether more may be left.
async fn take_slice(
    transaction: &DatabaseTransaction,
    condition: &str,
    values: &[Value],
    clock: &dyn Clock,
) -> Result<bool, DbErr> {
    // A notification takes its pushes along; others have none.
    let notifications = sql(
        format!(
            "delete from notification where id = any(array(select id from notification \
             where {condition} order by id limit {SLICE} for update)) {DELETED}"
        ),
        values.iter().cloned(),
    );
    let notifications = DeletedNotification::find_by_statement(notifications)
        .all(transaction)
        .await?;
    let pushes = sql(
        format!(
            "delete from push_delivery where id = any(array(select id from push_delivery \
             where notification_id is null and {condition} \
             order by id limit {SLICE} for update))"
        ),
        values.iter().cloned(),
    );
    let pushes = transaction.execute_raw(pushes).await?.rows_affected();
    tell_unread(transaction, &notifications, clock).await?;
    Ok(pushes > 0 || !notifications.is_empty())
}

/// Forgets a slice of the texts that comments have since they were edited, and tells whether more may
/// be left.
async fn forget_edits(
    transaction: &DatabaseTransaction,
    condition: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<bool, DbErr> {
    let forget = sql(
        format!(
            "delete from edited_notice where dedupe_key = any(array( \
             select dedupe_key from edited_notice where {condition} limit {SLICE}))"
        ),
        values,
    );
    Ok(transaction.execute_raw(forget).await?.rows_affected() > 0)
}

/// Tells open pages how many are unread where that has changed. Members of a post are not locked: of two
/// counts at once the later one may be told first, and pages read the number again whatever it says.
async fn tell_unread(
    transaction: &DatabaseTransaction,
    deleted: &[DeletedNotification],
    clock: &dyn Clock,
) -> Result<(), DbErr> {
    let were_unread = deleted.iter().filter(|row| row.was_unread);
    let members: BTreeSet<i64> = were_unread.map(|row| row.member_id).collect();
    for member in members.into_iter().map(MemberId) {
        let (count, _) = unread(transaction, member).await?;
        let changed = events::unread_changed(member, count, clock);
        outbox::append(transaction, changed).await?;
    }
    Ok(())
}

/// Whether a notice of somebody or of a post was taken back before it came. Under the lock of its
/// member, and that of the post. By its key whatever the times say, because clocks differ: the
/// community tells of a comment once, so nothing of its key happens after it was withdrawn.
pub(super) async fn is_withdrawn(
    transaction: &DatabaseTransaction,
    notice: &Notice,
    occurred_at: DateTime<Utc>,
) -> Result<bool, DbErr> {
    let find = sql(
        "select 1 as found where exists (select from withdrawn_notice \
           where member_id = $1 and (dedupe_key = $2 and actor_id = 0 \
           or dedupe_key = '' and actor_id = $3 and withdrawn_at >= $4)) \
         or exists (select from withdrawn_post where link = $5 and withdrawn_at >= $4)",
        [
            notice.member.into(),
            notice.dedupe_key.as_str().into(),
            notice.actor.map_or(0, |actor| actor.0).into(),
            occurred_at.into(),
            notice.link.as_str().into(),
        ],
    );
    Ok(transaction.query_one_raw(find).await?.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::NotificationType;

    #[test]
    fn the_statements_name_all_types_that_go_with_a_post() {
        for kind in NotificationType::ALL {
            let word = format!("'{}'", kind.as_str());
            assert_eq!(OF_POSTS.contains(&word), kind.is_of_post(), "{word}");
        }
    }
}
