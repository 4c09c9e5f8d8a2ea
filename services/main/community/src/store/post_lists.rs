//! Lists of posts: each is one statement along an index, with tags and likes of the page alone.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::MemberId;
use sqlx::types::Json;
use sqlx::{AssertSqlSafe, PgExecutor, PgPool};

use super::Store;
use super::erasures::erased;
use super::pictures::{PictureRow, pictures_of};
use super::visible::{not_blocked, post_visible};
use crate::domain::cursor::{CursorKind, Key};
use crate::domain::post::{Category, Tag};
use crate::error::CommunityError;

/// A post as a member sees it.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct PostRow {
    pub id: i64,
    pub author_id: i64,
    pub category: String,
    pub content: String,
    pub publication: String,
    pub created_at: DateTime<Utc>,
    pub modified_at: Option<DateTime<Utc>>,
    pub like_count: i32,
    pub comment_count: i32,
    pub rank: i64,
    pub is_liked: bool,
    pub is_muted: bool,
    /// The author left for good, and has no name.
    pub is_author_erased: bool,
    pub tags: Json<Vec<Tag>>,
    pub pictures: Json<Vec<PictureRow>>,
    /// By which the list is ordered, where that is neither the post's time nor its rank.
    #[sqlx(default)]
    pub listed_at: Option<DateTime<Utc>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PostOrder {
    /// Together with the viewer's own that are not published.
    Latest,
    /// A page by cursor may miss a post whose rank changes meanwhile, or show it twice.
    Hot,
    /// Latest first, those about an instrument.
    Item(String),
    /// Latest first, those of the newest thousand members whom the viewer follows.
    Followed,
}

#[derive(Clone, Debug)]
pub struct PostQuery {
    pub viewer: MemberId,
    /// `None` for all.
    pub category: Option<Category>,
    pub order: PostOrder,
    pub after: Key,
    pub skipped: i64,
    pub size: usize,
}

#[derive(Clone, Debug, Default)]
pub struct PostPage {
    pub posts: Vec<PostRow>,
    /// Empty after the last page.
    pub cursor: String,
}

impl PostOrder {
    #[must_use]
    pub fn cursor_kind(&self) -> CursorKind {
        match self {
            Self::Latest | Self::Item(_) | Self::Followed => CursorKind::Latest,
            Self::Hot => CursorKind::Rank,
        }
    }
}

impl Store {
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn posts(&self, query: &PostQuery) -> Result<PostPage, CommunityError> {
        let category = query.category.map(Category::as_str);
        // Separate statements, because one for both would be planned for neither.
        let is_of_category = match category {
            Some(_) => "p.category = $2",
            None => "$2::text is null",
        };
        let kind = query.order.cursor_kind();
        let page = select(&inner(&query.order, is_of_category), order_of(kind));
        let statement = sqlx::query_as(AssertSqlSafe(page)).bind(query.viewer.0);
        let statement = statement.bind(category);
        let statement = match kind {
            CursorKind::Rank => statement.bind(query.after.rank()),
            CursorKind::Latest | CursorKind::Oldest => statement.bind(query.after.time()),
        };
        let statement = statement.bind(query.after.id).bind(query.skipped);
        let statement = match &query.order {
            PostOrder::Item(code) => statement.bind(code),
            PostOrder::Latest | PostOrder::Hot | PostOrder::Followed => statement,
        };
        let rows = statement.fetch_all(&self.pool).await?;
        Ok(PostPage::of(rows, query.size, kind))
    }

    /// The highest ranks of the last 72 hours.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn top_posts(
        &self,
        viewer: MemberId,
        category: Option<Category>,
    ) -> Result<Vec<PostRow>, CommunityError> {
        let category = category.map(Category::as_str);
        let is_of_category = match category {
            Some(_) => "p.category = $2",
            None => "$2::text is null",
        };
        let unblocked = not_blocked("p.author_id");
        let inner = format!(
            "select p.* from post p where {PUBLISHED} and p.rank > 0 and {is_of_category} \
             and p.created_at > $3 and {unblocked} order by p.rank desc, p.id desc limit 3"
        );
        let rows = sqlx::query_as(AssertSqlSafe(select(&inner, "p.rank desc, p.id desc")))
            .bind(viewer.0)
            .bind(category)
            .bind(self.now() - TOP_AGE)
            .fetch_all(&self.pool)
            .await?;
        Ok(rows)
    }

    /// # Errors
    /// [`CommunityError::PostNotFound`], and [`CommunityError::PostDeleted`] for one that the viewer
    /// could see before.
    pub async fn post(&self, viewer: MemberId, post: i64) -> Result<PostRow, CommunityError> {
        match visible_post(&self.pool, viewer, post).await? {
            Some(row) => Ok(row),
            None => Err(missing_post(&self.pool, viewer, post).await?),
        }
    }

    /// How many published posts others wrote after a post, at most 20; none after an unknown one.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn count_new_posts(
        &self,
        viewer: MemberId,
        category: Option<Category>,
        after: i64,
    ) -> Result<i64, CommunityError> {
        let category = category.map(Category::as_str);
        let is_of_category = match category {
            Some(_) => "p.category = $2",
            None => "$2::text is null",
        };
        let count = AssertSqlSafe(format!(
            "select count(*) from (select from post p where {PUBLISHED} and {is_of_category} \
             and (p.created_at, p.id) > ((select created_at from post where id = $3), $3) \
             and p.author_id <> $1 and {} order by p.created_at desc, p.id desc limit 20) new",
            not_blocked("p.author_id")
        ));
        let count = sqlx::query_scalar(count)
            .bind(viewer.0)
            .bind(category)
            .bind(after)
            .fetch_one(&self.pool)
            .await?;
        Ok(count)
    }
}

impl PostPage {
    /// `posts` may have one more than the page.
    pub(super) fn of(mut posts: Vec<PostRow>, size: usize, kind: CursorKind) -> Self {
        let has_more = posts.len() > size;
        posts.truncate(size);
        let last = posts.last().filter(|_| has_more);
        let cursor = last.map(|last| {
            let key = match kind {
                CursorKind::Rank => Key::ranked(last.rank, last.id),
                CursorKind::Latest | CursorKind::Oldest => {
                    Key::at(last.listed_at.unwrap_or(last.created_at), last.id)
                }
            };
            key.encode(kind)
        });
        Self {
            cursor: cursor.unwrap_or_default(),
            posts,
        }
    }
}

/// What a page shows of the posts that `inner` selects, with the viewer as `$1`.
pub(super) fn select(inner: &str, order: &str) -> String {
    format!(
        "select p.*, exists (select from post_like l \
         where l.post_id = p.id and l.member_id = $1) as is_liked, \
         exists (select from post_mute m \
         where m.post_id = p.id and m.member_id = $1) as is_muted, \
         {} as is_author_erased, \
         coalesce((select json_agg(json_build_object('code', t.code, 'is_held', t.is_held) \
         order by t.place) from post_tag t where t.post_id = p.id), '[]') as tags, \
         {} as pictures from ({inner}) p order by {order}",
        erased("p.author_id"),
        pictures_of("f.post_id = p.id and f.comment_id is null")
    )
}

fn order_of(kind: CursorKind) -> &'static str {
    match kind {
        CursorKind::Rank => "p.rank desc, p.id desc",
        CursorKind::Latest | CursorKind::Oldest => "p.created_at desc, p.id desc",
    }
}

/// The key is `$3` and `$4`, the rows to pass over `$5`, an instrument `$6`.
fn inner(order: &PostOrder, is_of_category: &str) -> String {
    let shown = format!(
        "{PUBLISHED} and {is_of_category} and {}",
        not_blocked("p.author_id")
    );
    let after = "(p.created_at, p.id) < ($3, $4)";
    let latest = "order by p.created_at desc, p.id desc";
    match order {
        PostOrder::Latest => format!(
            "select * from (\
             (select p.* from post p where {shown} and {after} {latest} limit $5 + {PAGE_AND_NEXT}) \
             union all \
             (select p.* from post p where p.author_id = $1 and p.publication <> 'PUBLISHED' \
             and p.deleted_at is null and {is_of_category} and {after} \
             {latest} limit $5 + {PAGE_AND_NEXT})) p {latest} limit {PAGE_AND_NEXT} offset $5"
        ),
        PostOrder::Hot => format!(
            "select p.* from post p where {shown} and (p.rank, p.id) < ($3, $4) \
             order by p.rank desc, p.id desc limit {PAGE_AND_NEXT} offset $5"
        ),
        // The category of the tag is that of its post, and leads along the index. Without OFFSET 0
        // all posts of an instrument could be joined before the newest are known.
        PostOrder::Item(_) => format!(
            "select p.* from post_tag t cross join lateral ( \
             select p.* from post p where p.id = t.post_id and {shown} offset 0) p \
             where t.code = $6 and (t.created_at, t.post_id) < ($3, $4) and {} \
             order by t.created_at desc, t.post_id desc limit {PAGE_AND_NEXT} offset $5",
            is_of_category.replace("p.", "t.")
        ),
        // Keys alone of everybody, then the rows of the page.
        PostOrder::Followed => format!(
            "select p.* from (select p.created_at, p.id from \
             (select other_id from follow where member_id = $1 \
             order by created_at desc limit 1000) followed \
             cross join lateral (select p.created_at, p.id from post p \
             where p.author_id = followed.other_id and {PUBLISHED} and {is_of_category} \
             and {after} {latest} limit {PAGE_AND_NEXT}) p {latest} limit {PAGE_AND_NEXT} offset $5) page \
             join post p on p.id = page.id where {shown}"
        ),
    }
}

/// `None` for a post that the member does not see.
pub(super) async fn visible_post(
    connection: impl PgExecutor<'_>,
    viewer: MemberId,
    post: i64,
) -> Result<Option<PostRow>, sqlx::Error> {
    let inner = format!(
        "select p.* from post p where p.id = $2 and {}",
        post_visible()
    );
    sqlx::query_as(AssertSqlSafe(select(&inner, "p.id")))
        .bind(viewer.0)
        .bind(post)
        .fetch_optional(connection)
        .await
}

async fn missing_post(
    pool: &PgPool,
    viewer: MemberId,
    post: i64,
) -> Result<CommunityError, CommunityError> {
    let was_seen = AssertSqlSafe(format!(
        "select exists (select from post p where p.id = $2 and p.deleted_at is not null \
         and (p.publication = 'PUBLISHED' or p.author_id = $1) and {})",
        not_blocked("p.author_id")
    ));
    let was_seen: bool = sqlx::query_scalar(was_seen)
        .bind(viewer.0)
        .bind(post)
        .fetch_one(pool)
        .await?;
    Ok(if was_seen {
        CommunityError::PostDeleted
    } else {
        CommunityError::PostNotFound
    })
}

/// The rows of a page, and one more that tells whether there is a next one.
const PAGE_AND_NEXT: usize = 21;
const TOP_AGE: TimeDelta = TimeDelta::hours(72);
const PUBLISHED: &str = "p.publication = 'PUBLISHED' and p.deleted_at is null";
