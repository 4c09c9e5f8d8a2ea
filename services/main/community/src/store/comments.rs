//! Writing, changing and deleting comments and replies.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::{MemberId, RequestId};
use sqlx::{AssertSqlSafe, PgConnection};

use super::Store;
use super::causes::republished;
use super::comment_lists::{Thread, own_comment};
use super::edits::forget_edits_of;
use super::members::joined_at;
use super::pictures::{ChosenPicture, TextOfPictures, picture_fields, set_pictures};
use super::posts::RECENT_TEXTS;
use super::requests::RequestDigest;
use super::texts::TextRef;
use super::visible::{comment_visible, not_blocked, post_visible};
use crate::domain::post::Publication;
use crate::domain::writing::{History, Kind, judge_change, judge_new};
use crate::error::CommunityError;

/// Under what a comment is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    Post(i64),
    /// A reply to a comment, which may speak to one of the thread's authors.
    Comment {
        id: i64,
        tagged: Option<MemberId>,
    },
}

impl Subject {
    fn missing(self) -> CommunityError {
        match self {
            Self::Post(_) => CommunityError::PostNotFound,
            Self::Comment { .. } => CommunityError::CommentNotFound,
        }
    }
}

#[derive(Clone, Debug)]
pub struct NewComment {
    pub member: MemberId,
    pub request: RequestId,
    pub subject: Subject,
    pub content: String,
    pub pictures: Vec<ChosenPicture>,
}

#[derive(Clone, Debug)]
pub struct CommentChange {
    pub member: MemberId,
    pub comment: i64,
    pub content: String,
    /// `None` leaves them as they are.
    pub pictures: Option<Vec<ChosenPicture>>,
}

#[derive(sqlx::FromRow)]
struct OwnComment {
    post_id: i64,
    parent_id: Option<i64>,
    publication: String,
}

#[derive(sqlx::FromRow)]
struct EditedComment {
    #[sqlx(flatten)]
    own: OwnComment,
    /// Its content is what the change says.
    is_same: bool,
}

impl Store {
    /// Writes a comment or reply and returns it, or that of an earlier request with the same key and
    /// body and `true`.
    ///
    /// # Errors
    /// [`CommunityError::PostNotFound`], [`CommunityError::CommentNotFound`],
    /// [`CommunityError::TagUnknown`], and the reasons for which a text is not stored.
    pub async fn create_comment(&self, new: &NewComment) -> Result<(Thread, bool), CommunityError> {
        let now = self.now();
        let key = (new.member, &new.request);
        let digest = digest(new);
        let mut transaction = self.begin_writing(new.member).await?;
        if let Some(id) = digest.written(&mut transaction, key.0, key.1).await? {
            return Ok((own_comment(&mut transaction, new.member, id).await?, true));
        }
        self.check_may_write(&mut transaction, new.member).await?;
        let (post, parent) = find_subject(&mut transaction, new.member, new.subject).await?;
        let history = self.history_of_comments(&mut transaction, new.member, None, now);
        let history = history.await?;
        let judged = judge_new(Kind::Comment, &new.content, &history, &self.limits, now)?;
        let tagged = match new.subject {
            Subject::Comment { tagged, .. } => tagged.map(|member| member.0),
            Subject::Post(_) => None,
        };
        let id: i64 = sqlx::query_scalar(
            "insert into comment (post_id, parent_id, author_id, tagged_member_id, content, \
             publication, created_at) values ($1, $2, $3, $4, $5, $6, $7) returning id",
        )
        .bind(post)
        .bind(parent)
        .bind(new.member.0)
        .bind(tagged)
        .bind(&judged.text)
        .bind(judged.publication.as_str())
        .bind(now)
        .fetch_one(&mut *transaction)
        .await?;
        let own = TextOfPictures {
            post,
            comment: Some(id),
        };
        if !new.pictures.is_empty() {
            if !lock_above(&mut transaction, (post, parent)).await? {
                return Err(new.subject.missing());
            }
            set_pictures(&mut transaction, new.member, own, &new.pictures, now).await?;
        }
        digest.store(&mut transaction, key, id, now).await?;
        if judged.publication == Publication::Published {
            count(&mut transaction, (post, parent), 1, now).await?;
            self.tell_comment(&mut transaction, id, now).await?;
        }
        let written = own_comment(&mut transaction, new.member, id).await?;
        transaction.commit().await?;
        let publication = judged.publication.as_str();
        metrics::counter!("community_comments_total", "publication" => publication).increment(1);
        Ok((written, false))
    }

    /// # Errors
    /// [`CommunityError::CommentNotFound`] for one that is not the member's, deleted, or below a post
    /// that the member does not see, and the reasons for which a text is not stored.
    pub async fn update_comment(&self, change: &CommentChange) -> Result<Thread, CommunityError> {
        let now = self.now();
        let mut transaction = self.begin_writing(change.member).await?;
        self.check_may_write(&mut transaction, change.member)
            .await?;
        let changed = Some(change.comment);
        let history = self.history_of_comments(&mut transaction, change.member, changed, now);
        let judged = judge_change(Kind::Comment, &change.content, &history.await?, now)?;
        let own = AssertSqlSafe(format!(
            "select c.post_id, c.parent_id, c.publication, c.content = $3 as is_same \
             from comment c join post p on p.id = c.post_id \
             where c.id = $2 and c.author_id = $1 and c.deleted_at is null \
             and {} for no key update of c",
            post_visible()
        ));
        let edited: Option<EditedComment> = sqlx::query_as(own)
            .bind(change.member.0)
            .bind(change.comment)
            .bind(&judged.text)
            .fetch_optional(&mut *transaction)
            .await?;
        let EditedComment { own, is_same } = edited.ok_or(CommunityError::CommentNotFound)?;
        let of_comment = TextRef::Comment(change.comment);
        let states = (&*own.publication, judged.publication);
        let publication = republished(&mut transaction, of_comment, states, now).await?;
        let text = TextOfPictures {
            post: own.post_id,
            comment: changed,
        };
        let above = (own.post_id, own.parent_id);
        let has_other_pictures = match &change.pictures {
            None => false,
            Some(pictures) => {
                if !lock_above(&mut transaction, above).await? {
                    return Err(CommunityError::CommentNotFound);
                }
                set_pictures(&mut transaction, change.member, text, pictures, now).await?
            }
        };
        let is_modified = has_other_pictures || !is_same;
        if is_modified {
            self.note_edit(&mut transaction, of_comment, now).await?;
        }
        sqlx::query(
            "update comment set content = $2, publication = $3, \
             modified_at = case when $5 then $4 else modified_at end where id = $1",
        )
        .bind(change.comment)
        .bind(&judged.text)
        .bind(publication.as_str())
        .bind(now)
        .bind(is_modified)
        .execute(&mut *transaction)
        .await?;
        let step = counted(publication.as_str()) - counted(&own.publication);
        if step != 0 {
            count(&mut transaction, above, step, now).await?;
        }
        let id = change.comment;
        match step {
            1 => self.tell_comment(&mut transaction, id, now).await?,
            -1 => self.withdraw(&mut transaction, of_comment).await?,
            _ if !is_same => self.tell_edit(&mut transaction, id, now).await?,
            _ => {}
        }
        let changed = own_comment(&mut transaction, change.member, id).await?;
        transaction.commit().await?;
        Ok(changed)
    }

    /// A repeat changes nothing.
    ///
    /// # Errors
    /// [`CommunityError::CommentNotFound`] for one that is not the member's.
    pub async fn delete_comment(
        &self,
        member: MemberId,
        comment: i64,
    ) -> Result<(), CommunityError> {
        let now = self.now();
        let mut transaction = self.begin_writing(member).await?;
        let own: Option<OwnComment> = sqlx::query_as(
            "select post_id, parent_id, publication from comment \
             where id = $1 and author_id = $2 and deleted_at is null for no key update",
        )
        .bind(comment)
        .bind(member.0)
        .fetch_optional(&mut *transaction)
        .await?;
        if let Some(own) = own {
            let above = (own.post_id, own.parent_id);
            // The deletion releases its pictures, also where the post is gone.
            lock_above(&mut transaction, above).await?;
            sqlx::query("update comment set deleted_at = $2 where id = $1")
                .bind(comment)
                .bind(now)
                .execute(&mut *transaction)
                .await?;
            if counted(&own.publication) == 1 {
                count(&mut transaction, above, -1, now).await?;
            }
            forget_edits_of(&mut transaction, TextRef::Comment(comment)).await?;
            self.withdraw(&mut transaction, TextRef::Comment(comment))
                .await?;
        } else {
            let is_own = "select exists (select from comment where id = $1 and author_id = $2)";
            let is_own: bool = sqlx::query_scalar(is_own)
                .bind(comment)
                .bind(member.0)
                .fetch_one(&mut *transaction)
                .await?;
            if !is_own {
                return Err(CommunityError::CommentNotFound);
            }
        }
        transaction.commit().await?;
        Ok(())
    }

    async fn history_of_comments(
        &self,
        connection: &mut PgConnection,
        member: MemberId,
        changed: Option<i64>,
        now: DateTime<Utc>,
    ) -> Result<History, CommunityError> {
        let history = format!(
            "select {}, \
             array(select created_at from comment where author_id = $1 and created_at > $2 \
             order by created_at desc, id desc limit $3), \
             array((select content from comment where author_id = $1 and id is distinct from $6 \
             and deleted_at is null order by created_at desc, id desc limit $4) \
             union all (select content from comment \
             where author_id = $1 and id is distinct from $6 and deleted_at > $5 \
             order by deleted_at desc limit $4))",
            joined_at("$7")
        );
        let (joined_at, written_at, recent_texts) = sqlx::query_as(AssertSqlSafe(history))
            .bind(member.0)
            .bind(now - TimeDelta::minutes(1))
            .bind(i64::from(self.limits.longest_history(Kind::Comment)))
            .bind(RECENT_TEXTS)
            .bind(now - TimeDelta::days(1))
            .bind(changed)
            .bind(now)
            .fetch_one(connection)
            .await?;
        Ok(History {
            joined_at,
            written_at,
            recent_texts,
        })
    }
}

/// Locks what is above a comment as [`count`] does, before the pictures of the comment change, and
/// tells whether the post is still there. Whoever deletes the post has the same lock, so that no comment
/// below a deleted post gets a picture.
async fn lock_above(
    connection: &mut PgConnection,
    (post, parent): (i64, Option<i64>),
) -> Result<bool, CommunityError> {
    if let Some(parent) = parent {
        sqlx::query("select from comment where id = $1 for no key update")
            .bind(parent)
            .execute(&mut *connection)
            .await?;
    }
    let post: Option<bool> =
        sqlx::query_scalar("select deleted_at is null from post where id = $1 for no key update")
            .bind(post)
            .fetch_optional(connection)
            .await?;
    Ok(post == Some(true))
}

/// Adds `step` to the counters above a comment: replies first, then the post, as every writer locks
/// them.
pub(super) async fn count(
    connection: &mut PgConnection,
    (post, parent): (i64, Option<i64>),
    step: i32,
    now: DateTime<Utc>,
) -> Result<(), CommunityError> {
    if let Some(parent) = parent {
        sqlx::query("update comment set reply_count = reply_count + $2 where id = $1")
            .bind(parent)
            .bind(step)
            .execute(&mut *connection)
            .await?;
    }
    sqlx::query(
        "update post set comment_count = comment_count + $2, \
         rank = hot_rank(like_count, comment_count + $2, created_at, $3) where id = $1",
    )
    .bind(post)
    .bind(step)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

/// 1 for what is counted.
pub(super) fn counted(publication: &str) -> i32 {
    i32::from(publication == Publication::Published.as_str())
}

/// The post and, for a reply, the comment.
async fn find_subject(
    connection: &mut PgConnection,
    member: MemberId,
    subject: Subject,
) -> Result<(i64, Option<i64>), CommunityError> {
    match subject {
        Subject::Post(post) => {
            let found = AssertSqlSafe(format!(
                "select p.id from post p where p.id = $2 and {}",
                post_visible()
            ));
            let found: Option<i64> = sqlx::query_scalar(found)
                .bind(member.0)
                .bind(post)
                .fetch_optional(connection)
                .await?;
            Ok((found.ok_or(CommunityError::PostNotFound)?, None))
        }
        Subject::Comment { id, tagged } => {
            let found = AssertSqlSafe(format!(
                "select p.id, $3::bigint is null or ({} and ($3 = c.author_id \
                 or exists (select from comment r where r.parent_id = c.id \
                 and r.author_id = $3 and r.deleted_at is null \
                 and r.publication = 'PUBLISHED'))) \
                 from comment c join post p on p.id = c.post_id \
                 where c.id = $2 and c.parent_id is null \
                 and c.publication = 'PUBLISHED' and {} and {}",
                not_blocked("$3"),
                comment_visible(),
                post_visible()
            ));
            let found: Option<(i64, bool)> = sqlx::query_as(found)
                .bind(member.0)
                .bind(id)
                .bind(tagged.map(|tagged| tagged.0))
                .fetch_optional(connection)
                .await?;
            match found.ok_or(CommunityError::CommentNotFound)? {
                (post, true) => Ok((post, Some(id))),
                (_, false) => Err(CommunityError::TagUnknown),
            }
        }
    }
}

fn digest(new: &NewComment) -> RequestDigest {
    let pictures = picture_fields(&new.pictures);
    let pictures = pictures.iter().map(String::as_str);
    match new.subject {
        Subject::Post(post) => {
            let post = post.to_string();
            let fields = [post.as_str(), &new.content];
            RequestDigest::new("comment", fields.into_iter().chain(pictures))
        }
        Subject::Comment { id, tagged } => {
            let tagged = tagged.map(|member| member.to_string());
            let tagged = tagged.unwrap_or_default();
            let id = id.to_string();
            let fields = [id.as_str(), &new.content, &tagged];
            RequestDigest::new("reply", fields.into_iter().chain(pictures))
        }
    }
}
