//! Tells members of events: inbox, pushes that wait for their time, and the event for open pages, in
//! one transaction.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::MemberId;
use kernel::clock::KST;
use messaging::{inbox, outbox};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, FromQueryResult, Statement};
use uuid::Uuid;

use super::Store;
use super::edited_notices::edited_body;
use super::inbox::unread;
use super::withdrawn_notices::{is_withdrawn, share_post};
use crate::domain::{Channels, NotificationType, QuietHours};
use crate::error::AuthError;
use crate::events;
use crate::notifications::notice::{COUNT, NICKNAME};
use crate::notifications::{Batching, Notice};

/// Name in the inbox of events.
const CONSUMER: &str = "notices";
/// The collapse key of digests.
pub(super) const DIGEST: &str = "digest";
/// After its time a push is news for a day.
const NEWS_FOR: TimeDelta = TimeDelta::days(1);
/// Who is not a member any more.
const NOBODY: &str = "탈퇴한 사용자";

/// What decides where a notice arrives.
#[derive(FromQueryResult)]
struct RecipientSettings {
    inbox: Option<bool>,
    push: Option<bool>,
    quiet_from: Option<i16>,
    quiet_until: Option<i16>,
    digest: Option<bool>,
    nickname: Option<String>,
}

/// The row of a notice after it was put into the inbox.
#[derive(FromQueryResult)]
struct StoredNotification {
    id: i64,
    is_new: bool,
    /// As it was before the people of this notice.
    batch: i32,
}

impl Store {
    /// Tells what one event says, once. Members who do not exist any more are passed over.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn tell(
        &self,
        event_id: Uuid,
        occurred_at: DateTime<Utc>,
        mut notices: Vec<Notice>,
    ) -> Result<(), AuthError> {
        // In one order, so that two events never wait for each other.
        notices.sort_by_key(|notice| notice.member);
        let transaction = self.begin().await?;
        if !inbox::first_time(&transaction, CONSUMER, event_id, &*self.clock).await? {
            return Ok(());
        }
        for notice in notices.iter().filter(|notice| notice.kind.is_of_post()) {
            share_post(&transaction, &notice.link).await?;
        }
        for mut notice in notices {
            notice.occurred_at = notice.occurred_at.or(Some(occurred_at));
            self.tell_one(&transaction, notice).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    async fn tell_one(
        &self,
        transaction: &DatabaseTransaction,
        mut notice: Notice,
    ) -> Result<(), AuthError> {
        let Some(recipient) = recipient(transaction, &notice).await? else {
            return Ok(());
        };
        let now = self.clock.now();
        if (notice.actor.is_some() || notice.kind.is_of_post())
            && is_withdrawn(transaction, &notice, happened_at(&notice, now)).await?
        {
            return Ok(());
        }
        if notice.actor.is_some() {
            let nickname = recipient.nickname.as_deref().unwrap_or(NOBODY);
            notice.title = notice.title.replace(NICKNAME, nickname);
            if let Some(body) = edited_body(transaction, &notice.dedupe_key).await? {
                notice.body = body;
            }
        }
        let defaults = notice.kind.default_channels();
        let channels = Channels {
            inbox: recipient.inbox.unwrap_or(defaults.inbox),
            push: recipient.push.unwrap_or(defaults.push),
        };
        let mut notification = None;
        if channels.inbox {
            let stored = put(transaction, &mut notice, now).await?;
            if let Some(stored) = &stored
                && stored.is_new
                && notice.kind.is_live()
            {
                let (unread, _) = unread(transaction, notice.member).await?;
                let created = events::notification_created(
                    notice.member,
                    stored.id,
                    notice.kind,
                    unread,
                    &*self.clock,
                );
                outbox::append(transaction, created).await?;
            }
            if stored.is_none() {
                // It is told already, or something newer of the same is.
                return Ok(());
            }
            notification = stored.map(|stored| stored.id);
        }
        if channels.push {
            queue_push(transaction, &notice, notification, &recipient, now).await?;
        }
        Ok(())
    }
}

impl RecipientSettings {
    fn quiet(&self) -> QuietHours {
        QuietHours::chosen(self.quiet_from, self.quiet_until)
    }
}

/// `None` if there is no such member. One who has the page open is told of one notice after another,
/// because each says how many are unread.
async fn recipient(
    transaction: &DatabaseTransaction,
    notice: &Notice,
) -> Result<Option<RecipientSettings>, DbErr> {
    let lock = if notice.kind.is_live() {
        "no key update"
    } else {
        "key share"
    };
    let read = sql(
        format!(
            "select s.inbox, s.push, p.quiet_from, p.quiet_until, p.digest, \
         (select nickname from member where id = $3) as nickname from member m \
         left join notification_setting s on s.member_id = m.id and s.type = $2 \
         left join notification_preference p on p.member_id = m.id \
         where m.id = $1 for {lock} of m"
        ),
        [
            notice.member.into(),
            notice.kind.as_str().into(),
            notice.actor.map(|actor| actor.0).into(),
        ],
    );
    RecipientSettings::find_by_statement(read)
        .one(transaction)
        .await
}

/// A clock elsewhere may be ahead.
fn happened_at(notice: &Notice, now: DateTime<Utc>) -> DateTime<Utc> {
    notice.occurred_at.map_or(now, |at| at.min(now))
}

/// Puts a notice into the inbox. `None` if it is there and stays as it is.
async fn put(
    transaction: &DatabaseTransaction,
    notice: &mut Notice,
    now: DateTime<Utc>,
) -> Result<Option<StoredNotification>, DbErr> {
    let on_conflict = match &notice.batching {
        Batching::Once => "do nothing",
        Batching::Newest => {
            "(member_id, dedupe_key) do update set title = excluded.title, body = excluded.body, \
             batch = notification.batch + 1, position = excluded.position \
             where notification.position < excluded.position"
        }
        // Takes the lock of the row; its people are counted next.
        Batching::Counted { .. } => "(member_id, dedupe_key) do update set body = excluded.body",
    };
    let insert = sql(
        format!(
            "insert into notification \
             (member_id, type, title, body, link, dedupe_key, created_at, position, occurred_at, \
             actor_id) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict {on_conflict} \
             returning id, xmax = 0 as is_new, batch"
        ),
        [
            notice.member.into(),
            notice.kind.as_str().into(),
            notice.title.as_str().into(),
            notice.body.as_str().into(),
            notice.link.as_str().into(),
            notice.dedupe_key.as_str().into(),
            now.into(),
            notice.position.into(),
            happened_at(notice, now).into(),
            notice.actor.map(|actor| actor.0).into(),
        ],
    );
    let stored = StoredNotification::find_by_statement(insert)
        .one(transaction)
        .await?;
    if let Some(stored) = &stored
        && let Batching::Counted { people } = &notice.batching
    {
        // A row that is new counts nobody yet.
        let before = if stored.is_new { 0 } else { stored.batch };
        let count = before + add_people(transaction, stored.id, people).await?;
        notice.title = notice.title.replace(COUNT, &count.to_string());
        let update = sql(
            "update notification set title = $2, batch = $3 where id = $1",
            [stored.id.into(), notice.title.as_str().into(), count.into()],
        );
        transaction.execute_raw(update).await?;
    }
    Ok(stored)
}

/// Adds people to a notification that counts them; returns how many of them are new. Counting all of them
/// each time would cost the square of their number.
async fn add_people(
    transaction: &DatabaseTransaction,
    notification: i64,
    people: &[MemberId],
) -> Result<i32, DbErr> {
    let ids: Vec<i64> = people.iter().map(|person| person.0).collect();
    let add = sql(
        "insert into notification_liker (notification_id, liker_id) \
         select $1, unnest($2::bigint[]) on conflict do nothing",
        [notification.into(), ids.into()],
    );
    let added = transaction.execute_raw(add).await?.rows_affected();
    Ok(i32::try_from(added).unwrap_or(i32::MAX))
}

/// Queues a push for its time. One that waits takes the newer text; one that was sent is not sent again.
async fn queue_push(
    transaction: &DatabaseTransaction,
    notice: &Notice,
    notification: Option<i64>,
    recipient: &RecipientSettings,
    now: DateTime<Utc>,
) -> Result<(), DbErr> {
    let urgent = notice.kind.is_urgent();
    if !urgent && recipient.digest.unwrap_or(false) {
        return queue_digest(transaction, notice, notification, recipient.quiet(), now).await;
    }
    let not_before = if urgent {
        now
    } else {
        recipient.quiet().end(now)
    };
    let expires_at = notice.until.unwrap_or(not_before + NEWS_FOR);
    if expires_at <= not_before {
        return Ok(());
    }
    let (on_conflict, people) = match &notice.batching {
        Batching::Once => ("do nothing".to_owned(), 1),
        Batching::Newest => (
            "(member_id, dedupe_key) do update set title = excluded.title, body = excluded.body, \
             batch = push_delivery.batch + 1, position = excluded.position \
             where push_delivery.sent_at is null and push_delivery.position < excluded.position"
                .to_owned(),
            1,
        ),
        // Without an inbox nothing else counts them.
        Batching::Counted { people } => (
            format!(
                "(member_id, dedupe_key) do update set body = excluded.body, \
                 title = replace($4, '{COUNT}', (push_delivery.batch + excluded.batch)::text), \
                 batch = push_delivery.batch + excluded.batch where push_delivery.sent_at is null"
            ),
            i32::try_from(people.len()).unwrap_or(i32::MAX),
        ),
    };
    let insert = sql(
        format!(
            "insert into push_delivery (notification_id, member_id, type, title, body, link, \
             collapse_key, urgent, not_before, expires_at, created_at, dedupe_key, position, \
             actor_id, batch, occurred_at) values ($1, $2, $3, \
             replace($4, '{COUNT}', $15::integer::text), $5, $6, \
             $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) on conflict {on_conflict}"
        ),
        [
            notification.into(),
            notice.member.into(),
            notice.kind.as_str().into(),
            notice.title.as_str().into(),
            notice.body.as_str().into(),
            notice.link.as_str().into(),
            notice.collapse_key.as_str().into(),
            urgent.into(),
            not_before.into(),
            expires_at.into(),
            now.into(),
            notice.dedupe_key.as_str().into(),
            notice.position.into(),
            notice.actor.map(|actor| actor.0).into(),
            people.into(),
            happened_at(notice, now).into(),
        ],
    );
    transaction.execute_raw(insert).await?;
    Ok(())
}

/// One push at the end of quiet hours. What waits is counted when it is sent: notifications that are
/// unread then, and what is in no inbox and was not taken back.
async fn queue_digest(
    transaction: &DatabaseTransaction,
    notice: &Notice,
    notification: Option<i64>,
    quiet: QuietHours,
    now: DateTime<Utc>,
) -> Result<(), DbErr> {
    let morning = quiet.next_end(now);
    let key = morning.with_timezone(&KST).format("%Y%m%d%H%M");
    let insert = sql(
        "insert into push_delivery (member_id, type, title, body, link, collapse_key, urgent, \
         not_before, expires_at, created_at, dedupe_key, batch) \
         values ($1, $2, '새 알림을 모았어요', '알림이 기다리고 있어요.', '/notifications', \
         $3, false, $4, $5, $6, $7, 0) on conflict (member_id, dedupe_key) do update set \
         batch = push_delivery.batch where push_delivery.sent_at is null returning id",
        [
            notice.member.into(),
            NotificationType::Notice.as_str().into(),
            DIGEST.into(),
            morning.into(),
            (morning + NEWS_FOR).into(),
            now.into(),
            format!("digest:{key}").into(),
        ],
    );
    let Some(digest) = transaction.query_one_raw(insert).await? else {
        return Ok(());
    };
    let digest: i64 = digest.try_get("", "id")?;
    let Some(notification) = notification else {
        return add_to_digest(transaction, notice, digest, now).await;
    };
    let update = sql(
        "update notification set digest_id = $2 where id = $1",
        [notification.into(), digest.into()],
    );
    transaction.execute_raw(update).await?;
    Ok(())
}

/// Remembers for a digest what is in no inbox, as a push that is over: it is found where it is taken
/// back, and is told once. Without a collapse key, so that no push is older than it.
async fn add_to_digest(
    transaction: &DatabaseTransaction,
    notice: &Notice,
    digest: i64,
    now: DateTime<Utc>,
) -> Result<(), DbErr> {
    // One that still waits is sent by itself.
    let on_conflict = match &notice.batching {
        Batching::Once => "do nothing",
        Batching::Newest => {
            "(member_id, dedupe_key) do update set digest_id = excluded.digest_id, \
             position = excluded.position where push_delivery.sent_at is not null \
             and push_delivery.position < excluded.position"
        }
        Batching::Counted { .. } => {
            "(member_id, dedupe_key) do update set digest_id = excluded.digest_id \
             where push_delivery.sent_at is not null"
        }
    };
    let insert = sql(
        format!(
            "insert into push_delivery (member_id, type, title, body, link, collapse_key, urgent, \
             not_before, expires_at, created_at, sent_at, dedupe_key, position, actor_id, \
             occurred_at, digest_id) values ($1, $2, '', '', $3, '', false, $4, $4, $4, $4, $5, \
             $6, $7, $8, $9) on conflict {on_conflict}"
        ),
        [
            notice.member.into(),
            notice.kind.as_str().into(),
            notice.link.as_str().into(),
            now.into(),
            notice.dedupe_key.as_str().into(),
            notice.position.into(),
            notice.actor.map(|actor| actor.0).into(),
            happened_at(notice, now).into(),
            digest.into(),
        ],
    );
    transaction.execute_raw(insert).await?;
    Ok(())
}

pub(super) fn sql<T: Into<String>>(
    text: T,
    values: impl IntoIterator<Item = sea_orm::Value>,
) -> Statement {
    Statement::from_sql_and_values(DbBackend::Postgres, text, values)
}
