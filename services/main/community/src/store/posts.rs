//! Writing, changing and deleting posts.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::{MemberId, RequestId};
use sqlx::types::Json;
use sqlx::{AssertSqlSafe, PgConnection};

use super::Store;
use super::causes::republished;
use super::edits::forget_edits_of;
use super::members::joined_at;
use super::pictures::{ChosenPicture, TextOfPictures, picture_fields, set_pictures};
use super::post_lists::{PostRow, visible_post};
use super::requests::RequestDigest;
use super::texts::TextRef;
use crate::domain::post::{Category, Publication, Tag};
use crate::domain::writing::{History, Kind, judge_change, judge_new};
use crate::error::CommunityError;

#[derive(Clone, Debug)]
pub struct PostText {
    pub category: Category,
    pub content: String,
    pub tags: Vec<Tag>,
    pub pictures: Vec<ChosenPicture>,
}

#[derive(Clone, Debug)]
pub struct NewPost {
    pub member: MemberId,
    pub request: RequestId,
    pub text: PostText,
}

#[derive(Clone, Debug)]
pub struct PostChange {
    pub member: MemberId,
    pub post: i64,
    pub category: Category,
    pub content: String,
    pub tags: Vec<Tag>,
    /// `None` leaves them as they are.
    pub pictures: Option<Vec<ChosenPicture>>,
    /// Codes of which the author still allows to say that they were held.
    pub still_shown: Vec<String>,
}

#[derive(sqlx::FromRow)]
struct OwnPost {
    category: String,
    content: String,
    publication: String,
    created_at: DateTime<Utc>,
    tags: Json<Vec<Tag>>,
}

impl Store {
    /// Writes a post and returns its id, or that of an earlier request with the same key and body
    /// and `true`.
    ///
    /// # Errors
    /// The reasons for which a text is not stored.
    pub async fn create_post(&self, new: &NewPost) -> Result<(i64, bool), CommunityError> {
        let NewPost {
            member,
            request,
            text,
        } = new;
        let now = self.now();
        // Whether an item is held is found out anew for each repeat, and may have changed.
        let tags = text.tags.iter().map(code);
        let fields = [text.category.as_str(), &text.content].into_iter();
        let pictures = picture_fields(&text.pictures);
        let pictures = pictures.iter().map(String::as_str);
        let digest = RequestDigest::new("post", fields.chain(tags).chain(pictures));
        let mut transaction = self.begin_writing(*member).await?;
        if let Some(id) = digest.written(&mut transaction, *member, request).await? {
            return Ok((id, true));
        }
        self.check_may_write(&mut transaction, *member).await?;
        let history = self
            .history_of_posts(&mut transaction, *member, None, now)
            .await?;
        let judged = judge_new(Kind::Post, &text.content, &history, &self.limits, now)?;
        let id: i64 = sqlx::query_scalar(
            "insert into post \
             (author_id, category, content, publication, created_at, rank, ranked_at) \
             values ($1, $2, $3, $4, $5, hot_rank(0, 0, $5, $5), $5) returning id",
        )
        .bind(member.0)
        .bind(text.category.as_str())
        .bind(&judged.text)
        .bind(judged.publication.as_str())
        .bind(now)
        .fetch_one(&mut *transaction)
        .await?;
        insert_tags(&mut transaction, id, (text.category, &text.tags), now).await?;
        let own = TextOfPictures {
            post: id,
            comment: None,
        };
        set_pictures(&mut transaction, *member, own, &text.pictures, now).await?;
        digest
            .store(&mut transaction, (*member, request), id, now)
            .await?;
        transaction.commit().await?;
        let publication = judged.publication.as_str();
        metrics::counter!("community_posts_total", "publication" => publication).increment(1);
        Ok((id, false))
    }

    /// The post as it was changed, whatever becomes of it next.
    ///
    /// # Errors
    /// [`CommunityError::PostNotFound`] for a post that is not the member's or deleted, and the
    /// reasons for which a text is not stored.
    pub async fn update_post(&self, change: &PostChange) -> Result<PostRow, CommunityError> {
        let PostChange { member, post, .. } = change;
        let now = self.now();
        let mut transaction = self.begin_writing(*member).await?;
        self.check_may_write(&mut transaction, *member).await?;
        let history = self.history_of_posts(&mut transaction, *member, Some(*post), now);
        let judged = judge_change(Kind::Post, &change.content, &history.await?, now)?;
        let own: Option<OwnPost> = sqlx::query_as(
            "select category, content, publication, created_at, coalesce((select json_agg( \
             json_build_object('code', code, 'is_held', is_held) order by place) \
             from post_tag where post_id = post.id), '[]') as tags \
             from post where id = $1 and author_id = $2 and deleted_at is null \
             for no key update",
        )
        .bind(post)
        .bind(member.0)
        .fetch_optional(&mut *transaction)
        .await?;
        let own = own.ok_or(CommunityError::PostNotFound)?;
        let tags = changed_tags(&own.tags.0, change);
        let of_post = TextOfPictures {
            post: *post,
            comment: None,
        };
        let has_other_pictures = match &change.pictures {
            None => false,
            Some(pictures) => {
                set_pictures(&mut transaction, *member, of_post, pictures, now).await?
            }
        };
        let is_modified = has_other_pictures
            || !own.tags.0.iter().map(code).eq(tags.iter().map(code))
            || own.content != judged.text;
        if is_modified || own.category != change.category.as_str() {
            self.note_edit(&mut transaction, TextRef::Post(*post), now)
                .await?;
        }
        let states = (&*own.publication, judged.publication);
        let publication = republished(&mut transaction, TextRef::Post(*post), states, now).await?;
        if own.tags.0 != tags || own.category != change.category.as_str() {
            sqlx::query("delete from post_tag where post_id = $1")
                .bind(post)
                .execute(&mut *transaction)
                .await?;
            let category = change.category;
            insert_tags(&mut transaction, *post, (category, &tags), own.created_at).await?;
        }
        sqlx::query(
            "update post set category = $2, content = $3, publication = $4, \
             modified_at = case when $5 then $6 else modified_at end where id = $1",
        )
        .bind(post)
        .bind(change.category.as_str())
        .bind(&judged.text)
        .bind(publication.as_str())
        .bind(is_modified)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        if publication != Publication::Published
            && own.publication == Publication::Published.as_str()
        {
            self.withdraw(&mut transaction, TextRef::Post(*post))
                .await?;
        }
        let changed = visible_post(&mut *transaction, *member, *post).await?;
        transaction.commit().await?;
        changed.ok_or(CommunityError::PostNotFound)
    }

    /// A repeat changes nothing.
    ///
    /// # Errors
    /// [`CommunityError::PostNotFound`] for a post that is not the member's.
    pub async fn delete_post(&self, member: MemberId, post: i64) -> Result<(), CommunityError> {
        let now = self.now();
        let mut transaction = self.begin().await?;
        let was_deleted: Option<bool> = sqlx::query_scalar(
            "select deleted_at is not null from post where id = $1 and author_id = $2 \
             for no key update",
        )
        .bind(post)
        .bind(member.0)
        .fetch_optional(&mut *transaction)
        .await?;
        if was_deleted.ok_or(CommunityError::PostNotFound)? {
            return Ok(());
        }
        sqlx::query("update post set deleted_at = $2 where id = $1")
            .bind(post)
            .bind(now)
            .execute(&mut *transaction)
            .await?;
        forget_edits_of(&mut transaction, TextRef::Post(post)).await?;
        self.withdraw(&mut transaction, TextRef::Post(post)).await?;
        transaction.commit().await?;
        Ok(())
    }

    async fn history_of_posts(
        &self,
        connection: &mut PgConnection,
        member: MemberId,
        changed: Option<i64>,
        now: DateTime<Utc>,
    ) -> Result<History, CommunityError> {
        let history = format!(
            "select {}, \
             array(select created_at from post where author_id = $1 and created_at > $2 \
             order by created_at desc, id desc limit $3), \
             array(select content from post where author_id = $1 and id is distinct from $5 \
             and (deleted_at is null or deleted_at > $2) \
             order by created_at desc, id desc limit $4)",
            joined_at("$6")
        );
        let (joined_at, written_at, recent_texts) = sqlx::query_as(AssertSqlSafe(history))
            .bind(member.0)
            .bind(now - TimeDelta::days(1))
            .bind(i64::from(self.limits.longest_history(Kind::Post)))
            .bind(RECENT_TEXTS)
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

/// What was held when it was written stays so while the author allows it: it may have been sold
/// since, or nobody may know what is held now.
fn changed_tags(before: &[Tag], change: &PostChange) -> Vec<Tag> {
    let was_held = |code: &String| {
        let mut before = before.iter();
        before.any(|tag| tag.is_held && tag.code == *code) && change.still_shown.contains(code)
    };
    let tags = change.tags.iter().map(|tag| Tag {
        is_held: tag.is_held || was_held(&tag.code),
        code: tag.code.clone(),
    });
    tags.collect()
}

fn code(tag: &Tag) -> &str {
    &tag.code
}

async fn insert_tags(
    connection: &mut PgConnection,
    post: i64,
    (category, tags): (Category, &[Tag]),
    created_at: DateTime<Utc>,
) -> Result<(), CommunityError> {
    if tags.is_empty() {
        return Ok(());
    }
    let codes: Vec<&str> = tags.iter().map(code).collect();
    let held: Vec<bool> = tags.iter().map(|tag| tag.is_held).collect();
    sqlx::query(
        "insert into post_tag (post_id, code, place, is_held, created_at, category) \
         select $1, code, place, is_held, $4, $5 from unnest($2::text[], $3::boolean[]) \
         with ordinality as tag (code, is_held, place)",
    )
    .bind(post)
    .bind(codes)
    .bind(held)
    .bind(created_at)
    .bind(category.as_str())
    .execute(connection)
    .await?;
    Ok(())
}

/// The last posts, or comments, of which another one must not be a copy.
pub(super) const RECENT_TEXTS: i64 = 5;
