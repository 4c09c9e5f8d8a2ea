//! Comments of a post, their replies, and one of them.

use actix_web::web;
use proto::community::v1 as community;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::comment_view::{self, Comment};
use super::viewer;
use super::words::{Cursor, Sid, ViewerQuery, cursor};
use crate::authentication::Caller;
use crate::endpoint::{Endpoint, Subject};
use crate::extract::Query;
use crate::routes::{Reply, State};
use crate::wire::item::non_empty;

#[derive(OpenApi)]
#[openapi(paths(comments, answers, comment_detail))]
pub(super) struct Document;

pub(super) fn endpoints() -> Vec<Endpoint> {
    let subject = Subject::QueryOrNobody("memberSid");
    vec![
        Endpoint::get("/api/v1/community/comment", subject, comments),
        Endpoint::get("/api/v1/community/answer", subject, answers),
        Endpoint::get("/api/v1/community/comment-detail", subject, comment_detail),
    ]
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct CommentsQuery {
    /// The post.
    #[param(inline)]
    board_sid: Sid,
    #[param(inline)]
    cursor: Option<Cursor>,
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct AnswersQuery {
    #[param(inline)]
    comment_sid: Sid,
    #[param(inline)]
    cursor: Option<Cursor>,
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct CommentQuery {
    #[param(inline)]
    comment_sid: Sid,
}

#[derive(Debug, Serialize, ToSchema)]
struct CommentPage {
    /// Oldest first.
    comments: Vec<Comment>,
    /// Of the next page; null on the last one.
    cursor: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
struct AnswerPage {
    /// Oldest first.
    answers: Vec<Comment>,
    /// Of the next page; null on the last one.
    cursor: Option<String>,
}

/// Comments of a post, each with its first three replies.
#[utoipa::path(get, path = "/api/v1/community/comment", tag = "community",
    params(CommentsQuery, ViewerQuery),
    responses((status = 200, description = "A page of 20.", body = CommentPage)))]
async fn comments(
    state: State,
    caller: Option<Caller>,
    Query(query): Query<CommentsQuery>,
) -> Reply<CommentPage> {
    let viewer_id = viewer(caller.as_ref());
    let request = community::ListCommentsRequest {
        viewer_id,
        post_id: query.board_sid.0,
        cursor: cursor(query.cursor),
    };
    let page = state
        .comments
        .call_idempotent(async |mut comments| comments.list_comments(request.clone()).await)
        .await?;
    Ok(web::Json(CommentPage {
        comments: comment_view::rows(&state, viewer_id, page.comments).await?,
        cursor: non_empty(page.cursor),
    }))
}

/// Replies to a comment.
#[utoipa::path(get, path = "/api/v1/community/answer", tag = "community",
    params(AnswersQuery, ViewerQuery),
    responses((status = 200, description = "A page of 20.", body = AnswerPage)))]
async fn answers(
    state: State,
    caller: Option<Caller>,
    Query(query): Query<AnswersQuery>,
) -> Reply<AnswerPage> {
    let viewer_id = viewer(caller.as_ref());
    let request = community::ListRepliesRequest {
        viewer_id,
        comment_id: query.comment_sid.0,
        cursor: cursor(query.cursor),
    };
    let page = state
        .comments
        .call_idempotent(async |mut comments| comments.list_replies(request.clone()).await)
        .await?;
    Ok(web::Json(AnswerPage {
        answers: comment_view::rows(&state, viewer_id, page.comments).await?,
        cursor: non_empty(page.cursor),
    }))
}

/// One comment or reply.
#[utoipa::path(get, path = "/api/v1/community/comment-detail", tag = "community",
    params(CommentQuery, ViewerQuery),
    responses((status = 200, description = "The comment.", body = Comment)))]
async fn comment_detail(
    state: State,
    caller: Option<Caller>,
    Query(query): Query<CommentQuery>,
) -> Reply<Comment> {
    let viewer_id = viewer(caller.as_ref());
    let request = community::GetCommentRequest {
        viewer_id,
        comment_id: query.comment_sid.0,
    };
    let comment = state
        .comments
        .call_idempotent(async |mut comments| comments.get_comment(request).await)
        .await?;
    let comment = comment_view::one(&state, viewer_id, comment).await?;
    Ok(web::Json(comment))
}
