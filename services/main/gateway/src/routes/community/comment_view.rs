//! Comments and their replies as clients see them.

use std::collections::BTreeSet;

use proto::community::v1 as community;
use proto::convert::InvalidField;
use serde::Serialize;
use utoipa::ToSchema;

use super::people::People;
use super::words::{TextStatus, pictures};
use crate::error::ApiError;
use crate::routes::file::Picture;
use crate::state::AppState;
use crate::wire::rows::decode_rows;
use crate::wire::time::{utc, utc_if_set};

/// Of a comment that is kept for its replies.
const DELETED: &str = "삭제된 댓글입니다";
const BLOCKED: &str = "차단한 사용자의 댓글이에요";

/// A comment or a reply as the caller sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Comment {
    sid: i64,
    /// As `sid`.
    comment_sid: i64,
    /// The post.
    board_sid: i64,
    /// As `boardSid`.
    bd_sid: i64,
    /// The comment that a reply answers; null for a comment.
    parent_sid: Option<i64>,
    /// 0 where the author is not shown.
    user_sid: i64,
    /// Empty where the author is not shown.
    user_nick_name: String,
    /// Null while it is not known.
    level: Option<i32>,
    /// Won at which the author's level begins; null while it is not known.
    asset_total: Option<i64>,
    /// Pictures of what the author wears; null for nothing.
    frame: Option<String>,
    plate: Option<String>,
    is_operator: bool,
    content: String,
    /// URLs with commas between them; empty for none.
    content_img: String,
    /// The same pictures in the same order.
    images: Vec<Picture>,
    /// UTC.
    reg_date: String,
    /// Of the last change, UTC; null before one.
    mod_date: Option<String>,
    is_like: bool,
    like_count: i64,
    /// To whom a reply speaks; null for nobody in particular.
    tag_user_sid: Option<i64>,
    tag_user_nick_name: Option<String>,
    answer_count: i64,
    /// The first three replies of a comment.
    #[schema(no_recursion)]
    answers: Vec<Comment>,
    is_mine: bool,
    /// Deleted, and kept for its replies.
    is_deleted: bool,
    /// Of a member whom the caller blocked, and kept for its replies.
    is_blocked: bool,
    status: TextStatus,
}

/// A comment with what its reader and the names add to it.
struct CommentForViewer<'a> {
    comment: community::Comment,
    viewer: i64,
    people: &'a People,
}

/// With one call for the names of all members.
pub(super) async fn rows(
    state: &AppState,
    viewer: i64,
    comments: Vec<community::Comment>,
) -> Result<Vec<Comment>, ApiError> {
    let people = People::read(state, named_in(&comments)).await?;
    let rows = comments.into_iter().map(|comment| CommentForViewer {
        comment,
        viewer,
        people: &people,
    });
    Ok(decode_rows(rows.collect()))
}

pub(super) async fn one(
    state: &AppState,
    viewer: i64,
    comment: community::Comment,
) -> Result<Comment, ApiError> {
    let people = People::read(state, named_in(std::slice::from_ref(&comment))).await?;
    view(viewer, comment, &people)
}

/// A comment that the viewer has just written.
pub(super) async fn written(
    state: &AppState,
    viewer: i64,
    comment: community::Comment,
) -> Result<Comment, ApiError> {
    let named = named_in(std::slice::from_ref(&comment));
    let people = People::read_if_possible(state, named).await;
    view(viewer, comment, &people)
}

fn view(viewer: i64, comment: community::Comment, people: &People) -> Result<Comment, ApiError> {
    let comment = CommentForViewer {
        comment,
        viewer,
        people,
    };
    Ok(Comment::try_from(comment)?)
}

/// Everybody who is shown by name.
fn named_in(comments: &[community::Comment]) -> BTreeSet<i64> {
    let texts = comments
        .iter()
        .flat_map(|comment| comment.replies.iter().chain([comment]));
    let shown = texts.filter(|text| !is_covered(text));
    shown
        .flat_map(|text| [text.author_id, text.tagged_member_id])
        .collect()
}

/// Whether only its place is shown.
fn is_covered(comment: &community::Comment) -> bool {
    comment.is_deleted || comment.is_blocked
}

impl TryFrom<CommentForViewer<'_>> for Comment {
    type Error = InvalidField;

    fn try_from(source: CommentForViewer<'_>) -> Result<Self, InvalidField> {
        let CommentForViewer {
            mut comment,
            viewer,
            people,
        } = source;
        let replies = std::mem::take(&mut comment.replies).into_iter();
        let replies = replies.map(|reply| CommentForViewer {
            comment: reply,
            viewer,
            people,
        });
        let answers = decode_rows(replies.collect());
        let is_shown = !is_covered(&comment);
        if !is_shown {
            comment = covered(comment);
        }
        let (images, content_img) = pictures(std::mem::take(&mut comment.pictures));
        let author = people.author(comment.author_id);
        let tagged = Some(comment.tagged_member_id).filter(|member| *member != 0);
        Ok(Self {
            sid: comment.id,
            comment_sid: comment.id,
            board_sid: comment.post_id,
            bd_sid: comment.post_id,
            parent_sid: Some(comment.parent_id).filter(|parent| *parent != 0),
            user_sid: comment.author_id,
            user_nick_name: if is_shown {
                author.nickname
            } else {
                String::new()
            },
            level: author.level,
            asset_total: author.level_from,
            frame: author.frame,
            plate: author.plate,
            is_operator: author.is_operator,
            status: comment.publication().try_into()?,
            content_img,
            images,
            reg_date: utc(comment.created_at_us, "created_at_us")?,
            mod_date: utc_if_set(comment.modified_at_us, "modified_at_us")?,
            is_like: comment.is_liked,
            like_count: comment.like_count,
            tag_user_sid: tagged,
            tag_user_nick_name: tagged.map(|member| people.author(member).nickname),
            answer_count: comment.reply_count,
            answers,
            is_mine: comment.author_id != 0 && comment.author_id == viewer,
            is_deleted: comment.is_deleted,
            is_blocked: comment.is_blocked,
            content: comment.content,
        })
    }
}

/// The place of a text without the text and its author.
fn covered(comment: community::Comment) -> community::Comment {
    let content = if comment.is_deleted { DELETED } else { BLOCKED };
    community::Comment {
        author_id: 0,
        content: content.to_owned(),
        pictures: Vec::new(),
        tagged_member_id: 0,
        modified_at_us: 0,
        like_count: 0,
        is_liked: false,
        publication: community::Publication::Published.into(),
        ..comment
    }
}
