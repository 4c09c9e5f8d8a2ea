//! Posts as clients see them.

use std::collections::BTreeSet;

use proto::community::v1 as community;
use proto::convert::InvalidField;
use serde::Serialize;
use utoipa::ToSchema;

use super::people::People;
use super::post_tags::{InstrumentNames, PostTag};
use super::words::{PostCategory, TextStatus, pictures};
use crate::error::ApiError;
use crate::routes::file::Picture;
use crate::state::AppState;
use crate::wire::item::non_empty;
use crate::wire::rows::decode_rows;
use crate::wire::time::{utc, utc_if_set};

/// A post as the caller sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Post {
    sid: i64,
    writer_id: i64,
    nickname: String,
    /// Null while it is not known.
    level: Option<i32>,
    /// Won at which the author's level begins; null while it is not known.
    asset_total: Option<i64>,
    /// Pictures of what the author wears; null for nothing.
    frame: Option<String>,
    plate: Option<String>,
    is_operator: bool,
    category: PostCategory,
    content: String,
    /// URLs with commas between them; empty for none.
    content_img: String,
    /// The same pictures in the same order.
    images: Vec<Picture>,
    tags: Vec<PostTag>,
    /// UTC.
    reg_date: String,
    /// Of the last change of what is written, UTC; null before one.
    mod_date: Option<String>,
    is_like: bool,
    like_count: i64,
    /// Whether there are comments.
    is_comment: bool,
    comment_count: i64,
    is_mine: bool,
    /// Whether the caller wants to hear nothing of it.
    is_muted: bool,
    status: TextStatus,
}

/// Part of a list of posts.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PostPage {
    posts: Vec<Post>,
    /// Of the next page; null on the last one.
    cursor: Option<String>,
}

/// A post with what its reader and its names add to it.
struct PostForViewer<'a> {
    post: community::Post,
    viewer: i64,
    people: &'a People,
    instruments: &'a InstrumentNames,
}

pub(super) async fn page(
    state: &AppState,
    viewer: i64,
    page: community::PostPage,
) -> Result<PostPage, ApiError> {
    Ok(PostPage {
        posts: rows(state, viewer, page.posts).await?,
        cursor: non_empty(page.cursor),
    })
}

/// With one call for all names of members and one for all of instruments.
pub(super) async fn rows(
    state: &AppState,
    viewer: i64,
    posts: Vec<community::Post>,
) -> Result<Vec<Post>, ApiError> {
    let authors = posts.iter().map(|post| post.author_id).collect();
    let (people, instruments) = tokio::join!(
        People::read(state, authors),
        InstrumentNames::read(state, &posts)
    );
    let people = people?;
    let rows = posts.into_iter().map(|post| PostForViewer {
        post,
        viewer,
        people: &people,
        instruments: &instruments,
    });
    Ok(decode_rows(rows.collect()))
}

pub(super) async fn one(
    state: &AppState,
    viewer: i64,
    post: community::Post,
) -> Result<Post, ApiError> {
    let posts = std::slice::from_ref(&post);
    let (people, instruments) = tokio::join!(
        People::read(state, BTreeSet::from([post.author_id])),
        InstrumentNames::read(state, posts)
    );
    let post = PostForViewer {
        viewer,
        people: &people?,
        instruments: &instruments,
        post,
    };
    Ok(Post::try_from(post)?)
}

/// A post that the viewer has just written.
pub(super) async fn written(
    state: &AppState,
    viewer: i64,
    post: community::Post,
    instruments: &InstrumentNames,
) -> Result<Post, ApiError> {
    let authors = BTreeSet::from([post.author_id]);
    let post = PostForViewer {
        viewer,
        people: &People::read_if_possible(state, authors).await,
        instruments,
        post,
    };
    Ok(Post::try_from(post)?)
}

impl TryFrom<PostForViewer<'_>> for Post {
    type Error = InvalidField;

    fn try_from(source: PostForViewer<'_>) -> Result<Self, InvalidField> {
        let post = source.post;
        let author = source.people.author(post.author_id);
        let tags = post.tags.iter().cloned();
        let (images, content_img) = pictures(post.pictures.clone());
        Ok(Self {
            sid: post.id,
            writer_id: post.author_id,
            nickname: author.nickname,
            level: author.level,
            asset_total: author.level_from,
            frame: author.frame,
            plate: author.plate,
            is_operator: author.is_operator,
            category: post.category().try_into()?,
            status: post.publication().try_into()?,
            content_img,
            images,
            tags: tags.map(|tag| source.instruments.tag(tag)).collect(),
            reg_date: utc(post.created_at_us, "created_at_us")?,
            mod_date: utc_if_set(post.modified_at_us, "modified_at_us")?,
            is_like: post.is_liked,
            like_count: post.like_count,
            is_comment: post.comment_count > 0,
            comment_count: post.comment_count,
            is_mine: post.author_id != 0 && post.author_id == source.viewer,
            is_muted: post.is_muted,
            content: post.content,
        })
    }
}
