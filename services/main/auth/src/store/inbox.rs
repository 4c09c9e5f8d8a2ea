use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use kernel::MemberId;
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult};

use super::Store;
use super::notices::sql;
use crate::domain::NotificationType;
use crate::error::AuthError;

const PAGE: usize = 20;
/// Unread notifications that are counted.
const MOST_UNREAD: i64 = 100;
const KEPT: TimeDelta = TimeDelta::days(90);
/// Rows of a transaction that cleans up.
const SLICE: i64 = 1_000;
/// Before the id in a cursor, for another form one day.
const CURSOR_VERSION: u8 = 1;

/// A row of the inbox.
#[derive(Clone, Debug, PartialEq, Eq, FromQueryResult)]
pub struct Notification {
    pub id: i64,
    /// A later release may have written a type that this one does not know.
    pub r#type: String,
    pub title: String,
    pub body: String,
    pub link: String,
    /// Pages are in the order of telling: an event that came late says its own time further up.
    pub occurred_at: DateTime<Utc>,
    pub is_read: bool,
}

#[derive(Clone, Debug, Default)]
pub struct InboxPage {
    /// Newest first.
    pub notifications: Vec<Notification>,
    /// Empty after the last page.
    pub cursor: String,
}

/// How many are unread, up to a hundred, and how many of these of each type.
pub type Unread = (i32, Vec<(String, i32)>);

/// What a member has read.
#[derive(Clone, Debug)]
pub enum ReadMark {
    /// Those of other members are passed over.
    Some(Vec<i64>),
    All,
}

impl Store {
    /// # Errors
    /// [`AuthError::CursorUnknown`], and those of the database.
    pub async fn notifications(
        &self,
        member: MemberId,
        kind: Option<NotificationType>,
        cursor: &str,
    ) -> Result<InboxPage, AuthError> {
        let before = decode_cursor(cursor)?;
        let of_type = if kind.is_some() { "and type = $3" } else { "" };
        let mut values: Vec<sea_orm::Value> = vec![member.into(), before.into()];
        values.extend(kind.map(|kind| kind.as_str().into()));
        let read = sql(
            format!(
                "select id, type, title, body, link, \
                 coalesce(occurred_at, created_at) as occurred_at, \
                 read_at is not null as is_read from notification \
                 where member_id = $1 and id < $2 {of_type} order by id desc limit 21"
            ),
            values,
        );
        let rows = Notification::find_by_statement(read);
        let mut notifications = rows.all(&self.database).await?;
        let has_more = notifications.len() > PAGE;
        notifications.truncate(PAGE);
        let last = notifications.last().filter(|_| has_more);
        let cursor = last.map(|last| encode_cursor(last.id));
        Ok(InboxPage {
            cursor: cursor.unwrap_or_default(),
            notifications,
        })
    }

    /// # Errors
    /// When the database fails.
    pub async fn unread(&self, member: MemberId) -> Result<Unread, AuthError> {
        Ok(unread(&self.database, member).await?)
    }

    /// Marks as read, and says what is unread then. Idempotent. All are read in slices from the newest
    /// on, each a transaction of its own.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn read(&self, member: MemberId, mark: ReadMark) -> Result<Unread, AuthError> {
        match mark {
            ReadMark::Some(ids) => {
                let update = sql(
                    "update notification set read_at = $2 where member_id = $1 \
                     and read_at is null and id = any($3)",
                    [member.into(), self.clock.now().into(), ids.into()],
                );
                self.database.execute_raw(update).await?;
            }
            ReadMark::All => {
                let mut before = Some(i64::MAX);
                while let Some(id) = before {
                    before = self.read_slice(member, id).await?;
                }
            }
        }
        Ok(unread(&self.database, member).await?)
    }

    /// Marks the newest with ids below `before`; returns the id of the oldest of these, or `None` when
    /// no more are unread.
    async fn read_slice(&self, member: MemberId, before: i64) -> Result<Option<i64>, DbErr> {
        let update = sql(
            "with read as (update notification set read_at = $2 where id = any(array( \
               select id from notification where member_id = $1 and read_at is null and id < $3 \
               order by id desc limit $4)) and read_at is null returning id) \
             select min(id) as oldest from read",
            [
                member.into(),
                self.clock.now().into(),
                before.into(),
                SLICE.into(),
            ],
        );
        let row = self.database.query_one_raw(update).await?;
        row.map_or(Ok(None), |row| row.try_get("", "oldest"))
    }

    /// Deletes some notifications of more than 90 days ago with their pushes, then some pushes that old
    /// which have no notification, and what was taken back or edited that long ago; returns how many.
    /// Those who are counted in one go before it, and in slices too.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_old_notifications(&self) -> Result<u64, AuthError> {
        let people = sql(
            "delete from notification_liker where ctid = any(array(select l.ctid from ( \
               select id from notification where created_at < $1 order by created_at limit $2) n \
             cross join lateral (select ctid from notification_liker \
               where notification_id = n.id limit $2) l limit $2))",
            [(self.clock.now() - KEPT).into(), SLICE.into()],
        );
        let mut deleted = self.database.execute_raw(people).await?.rows_affected();
        if deleted > 0 {
            return Ok(deleted);
        }
        for table in ["notification", "push_delivery"] {
            let delete = sql(
                format!(
                    "delete from {table} where id = any(array( \
                     select id from {table} where created_at < $1 order by created_at limit $2))"
                ),
                [(self.clock.now() - KEPT).into(), SLICE.into()],
            );
            deleted += self.database.execute_raw(delete).await?.rows_affected();
        }
        for (table, time) in [
            ("withdrawn_notice", "withdrawn_at"),
            ("withdrawn_post", "withdrawn_at"),
            ("edited_notice", "edited_at"),
        ] {
            let old = sql(
                format!(
                    "delete from {table} where ctid = any(array(select ctid from {table} \
                     where {time} < $1 order by {time} limit $2))"
                ),
                [(self.clock.now() - KEPT).into(), SLICE.into()],
            );
            deleted += self.database.execute_raw(old).await?.rows_affected();
        }
        Ok(deleted)
    }

    /// Forgets some events that were told of more than 90 days ago; returns how many.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn forget_events(&self) -> Result<u64, AuthError> {
        let before = self.clock.now() - KEPT;
        Ok(messaging::inbox::forget(&self.database, before, SLICE).await?)
    }
}

/// The newest ones are counted.
pub(super) async fn unread(
    connection: &impl ConnectionTrait,
    member: MemberId,
) -> Result<Unread, DbErr> {
    let count = sql(
        "select type, count(*)::integer as unread from (select type from notification \
         where member_id = $1 and read_at is null order by id desc limit $2) as newest \
         group by type order by type",
        [member.into(), MOST_UNREAD.into()],
    );
    let rows = connection.query_all_raw(count).await?;
    let by_type = rows
        .iter()
        .map(|row| Ok((row.try_get("", "type")?, row.try_get("", "unread")?)))
        .collect::<Result<Vec<(String, i32)>, DbErr>>()?;
    Ok((by_type.iter().map(|(_, unread)| unread).sum(), by_type))
}

fn encode_cursor(id: i64) -> String {
    let mut bytes = vec![CURSOR_VERSION];
    bytes.extend(id.to_be_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The id before which a page begins; an empty text is the newest page.
fn decode_cursor(text: &str) -> Result<i64, AuthError> {
    if text.is_empty() {
        return Ok(i64::MAX);
    }
    let bytes = URL_SAFE_NO_PAD.decode(text).ok();
    let id = bytes.as_deref().and_then(|bytes| {
        let id: [u8; 8] = bytes.strip_prefix(&[CURSOR_VERSION])?.try_into().ok()?;
        Some(i64::from_be_bytes(id)).filter(|id| *id > 0)
    });
    id.ok_or(AuthError::CursorUnknown)
}
