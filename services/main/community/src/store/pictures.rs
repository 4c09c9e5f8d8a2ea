//! Pictures: their rows, and which text has them.

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};
use kernel::MemberId;
use sqlx::PgConnection;
use uuid::Uuid;

use super::Store;
use crate::error::CommunityError;

/// How long a picture stays that no text has.
const UNUSED_FOR: TimeDelta = TimeDelta::days(7);
/// Uploads of a member in a day, with those that fail: all posts of a day, with all their pictures,
/// and some that are not used.
const UPLOADS_PER_DAY: i32 = 200;
/// Pictures of a day that are in no text and never were: those of ten posts that are being written.
const UNUSED_PER_DAY: i64 = 50;
/// After which files are removed of which a write failed: it may still be under way in a store that
/// was given up.
pub(super) const WRITING_FOR: TimeDelta = TimeDelta::hours(1);
/// After which files are tried again that could not be removed.
const REMOVED_AGAIN_AFTER: TimeDelta = TimeDelta::minutes(5);

#[derive(Clone, Debug)]
pub struct NewPicture {
    pub id: Uuid,
    pub member: MemberId,
    pub width: i32,
    pub height: i32,
    pub placeholder: String,
}

/// A picture as readers of its text get it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, sqlx::FromRow)]
pub struct PictureRow {
    pub id: Uuid,
    pub width: i32,
    pub height: i32,
    pub placeholder: String,
    pub alt_text: String,
}

/// A picture of a text that is being written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenPicture {
    pub id: Uuid,
    pub alt_text: String,
}

/// The text that has a picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextOfPictures {
    pub(super) post: i64,
    pub(super) comment: Option<i64>,
}

impl Store {
    /// Counts an upload, whatever becomes of it.
    ///
    /// # Errors
    /// Those of a member who may not write, and [`CommunityError::UploadLimit`] after too many uploads in
    /// a Korean day, or too many that are not used; then nothing is counted.
    pub async fn count_upload(&self, member: MemberId) -> Result<(), CommunityError> {
        let mut transaction = self.begin_writing(member).await?;
        self.check_may_write(&mut transaction, member).await?;
        let counted = sqlx::query(
            "with unused as (select count(*) as pictures from (select from picture \
               where member_id = $1 and created_at > $3 and post_id is null \
               and removing_at is null limit $4) recent) \
             insert into upload_count as c (member_id, day, uploads) \
             select $1, $2, 1 from unused where pictures < $4 \
             on conflict (member_id) do update set day = excluded.day, \
               uploads = case when c.day = excluded.day then c.uploads + 1 else 1 end \
             where c.day <> excluded.day or c.uploads < $5",
        )
        .bind(member.0)
        .bind(self.clock.today_kst())
        .bind(self.now() - TimeDelta::days(1))
        .bind(UNUSED_PER_DAY)
        .bind(UPLOADS_PER_DAY)
        .execute(&mut *transaction)
        .await?;
        if counted.rows_affected() == 0 {
            return Err(CommunityError::UploadLimit);
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Deletes a batch of counts of past days, and tells whether more may be left. Another process
    /// that does the same takes other rows.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn forget_upload_counts(&self) -> Result<bool, CommunityError> {
        let deleted = sqlx::query(
            "delete from upload_count where member_id = any(array( \
             select member_id from upload_count where day < $1 \
             order by day limit 500 for update skip locked))",
        )
        .bind(self.clock.today_kst())
        .execute(&self.pool)
        .await?;
        Ok(deleted.rows_affected() == 500)
    }

    /// Notes a picture whose files are written next.
    ///
    /// # Errors
    /// Those of a member who may not write, also where that began during the upload.
    pub async fn begin_picture(&self, new: &NewPicture) -> Result<(), CommunityError> {
        let mut transaction = self.begin_writing(new.member).await?;
        self.check_may_write(&mut transaction, new.member).await?;
        sqlx::query(
            "insert into picture \
             (id, member_id, width, height, placeholder, created_at, unused_since) \
             values ($1, $2, $3, $4, $5, $6, $6)",
        )
        .bind(new.id)
        .bind(new.member.0)
        .bind(new.width)
        .bind(new.height)
        .bind(&new.placeholder)
        .bind(self.now())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Notes that the files are stored.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn finish_picture(&self, id: Uuid) -> Result<(), CommunityError> {
        sqlx::query("update picture set stored_at = $2 where id = $1")
            .bind(id)
            .bind(self.now())
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Has a picture removed whose files could not all be stored, once no write of them is under way.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn give_up_picture(&self, id: Uuid) -> Result<(), CommunityError> {
        sqlx::query("update picture set removing_at = $2 where id = $1")
            .bind(id)
            .bind(self.now() + WRITING_FOR)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Whether the files of a picture are shown: it is in a text that everybody sees, or in none yet and
    /// its member may write.
    ///
    /// # Errors
    /// [`CommunityError::PictureNotFound`] when they are not.
    pub async fn check_shown(&self, id: Uuid) -> Result<(), CommunityError> {
        let is_shown: bool = sqlx::query_scalar(
            "select exists (select from picture f \
             left join post p on p.id = f.post_id left join comment c on c.id = f.comment_id \
             where f.id = $1 and f.stored_at is not null and f.removing_at is null \
             and (f.post_id is null and not exists (select from sanction s \
             where s.member_id = f.member_id and s.lifted_at is null \
             and (s.ends_at is null or s.ends_at > $2)) \
             or f.place is not null \
             and p.publication = 'PUBLISHED' and p.deleted_at is null \
             and (f.comment_id is null \
             or c.publication = 'PUBLISHED' and c.deleted_at is null)))",
        )
        .bind(id)
        .bind(self.now())
        .fetch_one(&self.pool)
        .await?;
        if is_shown {
            Ok(())
        } else {
            Err(CommunityError::PictureNotFound)
        }
    }

    /// Nobody sees it from now on, also in the text that has it. One of a text is kept for moderators as
    /// long as one that an edit takes out. A repeat changes nothing until its row is gone.
    ///
    /// # Errors
    /// [`CommunityError::PictureNotFound`] for one that is not the member's.
    pub async fn delete_picture(&self, member: MemberId, id: Uuid) -> Result<(), CommunityError> {
        let deleted = sqlx::query(
            "update picture set place = null, unused_since = coalesce(unused_since, $3), \
             removing_at = case when post_id is null then coalesce(removing_at, $3) \
               else removing_at end \
             where id = $1 and member_id = $2 and stored_at is not null",
        )
        .bind(id)
        .bind(member.0)
        .bind(self.now())
        .execute(&self.pool)
        .await?;
        if deleted.rows_affected() == 0 {
            return Err(CommunityError::PictureNotFound);
        }
        Ok(())
    }

    /// Releases a batch of pictures of comments whose post was deleted, which nobody sees since then, and
    /// tells whether more may be left. Another process that does the same takes other rows.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn release_pictures(&self) -> Result<bool, CommunityError> {
        let mut changed = 0;
        for statement in [RELEASED, RELEASED_POSTS] {
            let done = sqlx::query(statement).execute(&self.pool).await?;
            changed += done.rows_affected();
        }
        Ok(changed > 0)
    }

    /// Marks a batch of pictures that no text has had for a week, and tells whether more may be left.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn mark_unused_pictures(&self) -> Result<bool, CommunityError> {
        let now = self.now();
        let marked = sqlx::query(
            "update picture set removing_at = $1 where id = any(array( \
             select id from picture where unused_since < $2 and removing_at is null \
             order by unused_since limit 100 for update skip locked))",
        )
        .bind(now)
        .bind(now - UNUSED_FOR)
        .execute(&self.pool)
        .await?;
        Ok(marked.rows_affected() > 0)
    }

    /// A batch of pictures whose files are to be removed now.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn pictures_to_remove(&self) -> Result<Vec<Uuid>, CommunityError> {
        let ids = sqlx::query_scalar(
            "select id from picture where removing_at <= $1 order by removing_at limit 100",
        )
        .bind(self.now())
        .fetch_all(&self.pool)
        .await?;
        Ok(ids)
    }

    /// Puts a picture off whose files could not be removed.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn remove_picture_later(&self, id: Uuid) -> Result<(), CommunityError> {
        sqlx::query("update picture set removing_at = $2 where id = $1")
            .bind(id)
            .bind(self.now() + REMOVED_AGAIN_AFTER)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Deletes the rows of pictures whose files are gone. Those that somebody else works on are left
    /// to the next round, so that nobody waits for two of them crosswise.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn forget_pictures(&self, ids: &[Uuid]) -> Result<(), CommunityError> {
        sqlx::query(
            "delete from picture where id = any(array(select id from picture \
             where id = any($1) and removing_at is not null for update skip locked))",
        )
        .bind(ids)
        .execute(&self.pool)
        .await?;
        Ok(())
    }
}

/// Makes `chosen` the pictures of a text, in this order, and tells whether that changed anything.
///
/// # Errors
/// [`CommunityError::ImageUnknown`] when one is not the member's, or another text has it.
pub(super) async fn set_pictures(
    connection: &mut PgConnection,
    member: MemberId,
    text: TextOfPictures,
    chosen: &[ChosenPicture],
    now: DateTime<Utc>,
) -> Result<bool, CommunityError> {
    let before: Vec<(Uuid, String)> = sqlx::query_as(BEFORE)
        .bind(text.post)
        .bind(text.comment)
        .fetch_all(&mut *connection)
        .await?;
    let same = before
        .iter()
        .map(|(id, alt)| (*id, alt.as_str()))
        .eq(chosen.iter().map(|one| (one.id, one.alt_text.as_str())));
    if same {
        return Ok(false);
    }
    let ids: BTreeSet<Uuid> = chosen.iter().map(|one| one.id).collect();
    let ids: Vec<Uuid> = ids.into_iter().collect();
    let own: Vec<Uuid> = sqlx::query_scalar(OWN)
        .bind(&ids)
        .bind(member.0)
        .bind(text.post)
        .bind(text.comment)
        .fetch_all(&mut *connection)
        .await?;
    if own.len() != chosen.len() {
        return Err(CommunityError::ImageUnknown);
    }
    // Those that are left out are kept for a while: an older draft may still have them.
    sqlx::query(
        "update picture set place = null, unused_since = $4 where post_id = $1 \
         and comment_id is not distinct from $2 and place is not null and id <> all($3)",
    )
    .bind(text.post)
    .bind(text.comment)
    .bind(&ids)
    .bind(now)
    .execute(&mut *connection)
    .await?;
    let ids: Vec<Uuid> = chosen.iter().map(|one| one.id).collect();
    let alts: Vec<&str> = chosen.iter().map(|one| one.alt_text.as_str()).collect();
    sqlx::query(
        "update picture f set post_id = $1, comment_id = $2, unused_since = null, \
         place = one.place, alt_text = one.alt \
         from unnest($3::uuid[], $4::text[]) with ordinality as one (id, alt, place) \
         where f.id = one.id",
    )
    .bind(text.post)
    .bind(text.comment)
    .bind(ids)
    .bind(alts)
    .execute(&mut *connection)
    .await?;
    Ok(true)
}

/// What tells requests with other pictures apart; nothing without any, so that requests of before
/// pictures read the same.
pub(super) fn picture_fields(chosen: &[ChosenPicture]) -> Vec<String> {
    let fields = chosen
        .iter()
        .flat_map(|one| [format!("picture {}", one.id), one.alt_text.clone()]);
    fields.collect()
}

/// The pictures of a post or comment with this alias, as JSON.
pub(super) fn pictures_of(condition: &str) -> String {
    format!(
        "coalesce((select json_agg(json_build_object('id', f.id, 'width', f.width, \
         'height', f.height, 'placeholder', f.placeholder, 'alt_text', f.alt_text) \
         order by f.place) from picture f where {condition} and f.place is not null \
         and f.removing_at is null), '[]')"
    )
}

/// Below the first posts that wait, of which no comment gets another picture.
const RELEASED: &str = "update picture set place = null, \
    unused_since = (select deleted_at from post where post.id = picture.post_id) \
    where id = any(array(select f.id from (select post_id from post_to_release \
    order by post_id limit 50) w cross join lateral (select id from picture \
    where post_id = w.post_id and comment_id is not null and unused_since is null \
    limit 100 for update skip locked) f limit 100))";
/// Those of them that wait for no picture any more.
const RELEASED_POSTS: &str = "delete from post_to_release w where w.post_id = any(array( \
    select post_id from post_to_release order by post_id limit 50 for update skip locked)) \
    and (select f.id from picture f where f.post_id = w.post_id \
    and f.comment_id is not null and f.unused_since is null limit 1) is null";
const BEFORE: &str = "select id, alt_text from picture where post_id = $1 \
    and comment_id is not distinct from $2 and place is not null and removing_at is null \
    order by place";
/// In the order of ids, in which everybody locks them.
const OWN: &str = "select id from picture where id = any($1) and member_id = $2 \
    and stored_at is not null and removing_at is null and (post_id is null \
    or post_id = $3 and comment_id is not distinct from $4) order by id for no key update";
