//! Writing, changing, deleting and liking comments and replies.

use actix_web::{HttpResponse, web};
use proto::community::v1 as community;
use proto::convert::InvalidField;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::comment_view::{self, Comment};
use super::words::{
    CallerQuery, ImageAlt, ImageUrls, Sid, WrittenText, changed_images, either, image_alts, images,
};
use crate::authentication::Caller;
use crate::endpoint::{Endpoint, Subject};
use crate::error::ApiError;
use crate::extract::{Json, Query};
use crate::routes::{Reply, State, repeatable};
use crate::state::AppState;
use crate::wire::member::NothingBody;
use crate::wire::request_id::request_id;

#[derive(OpenApi)]
#[openapi(paths(
    write_comment,
    write_answer,
    change_comment,
    delete_comment,
    like_comment,
    unlike_comment
))]
pub(super) struct Document;

pub(super) fn endpoints() -> Vec<Endpoint> {
    use Subject::{Body, Owner, Query};
    const COMMENT: &str = "/api/v1/community/comment";
    vec![
        Endpoint::post(COMMENT, Body("memberSid"), write_comment),
        Endpoint::put(COMMENT, Owner, change_comment),
        Endpoint::delete(COMMENT, Owner, delete_comment),
        Endpoint::post("/api/v1/community/answer", Body("memberSid"), write_answer).extension(),
        Endpoint::post(
            "/api/v1/community/comment-like-up",
            Query("memberSid"),
            like_comment,
        ),
        Endpoint::post(
            "/api/v1/community/comment-like-down",
            Query("memberSid"),
            unlike_comment,
        ),
    ]
}

/// What is written below a post.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CommentDraft {
    #[schema(inline)]
    board_sid: Sid,
    /// The caller.
    #[serde(rename = "memberSid")]
    #[schema(rename = "memberSid")]
    _member_sid: i64,
    #[schema(inline)]
    content: WrittenText,
    #[schema(inline)]
    content_img: Option<ImageUrls>,
    /// Of each of these images in turn; those that are missing have none.
    #[schema(inline)]
    image_alts: Option<Vec<ImageAlt>>,
    /// Retry key: 8 to 64 letters, digits, `_` or `-`. The same key never writes twice.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    req_sid: Option<String>,
}

/// What is written below a comment, maybe to one of its thread's authors (`tagUserSid`).
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AnswerDraft {
    #[schema(inline)]
    comment_sid: Sid,
    /// The caller.
    #[serde(rename = "memberSid")]
    #[schema(rename = "memberSid")]
    _member_sid: i64,
    #[schema(inline)]
    content: WrittenText,
    #[schema(inline)]
    content_img: Option<ImageUrls>,
    /// Of each of these images in turn; those that are missing have none.
    #[schema(inline)]
    image_alts: Option<Vec<ImageAlt>>,
    #[schema(inline)]
    tag_user_sid: Option<Sid>,
    /// Retry key: 8 to 64 letters, digits, `_` or `-`. The same key never writes twice.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    req_sid: Option<String>,
}

/// A comment or reply of the caller as it will be.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CommentChange {
    #[schema(inline)]
    comment_sid: Sid,
    #[schema(inline)]
    content: WrittenText,
    /// URLs of uploaded images with commas between them; empty for none, absent for those that it has.
    #[schema(inline)]
    content_img: Option<ImageUrls>,
    /// Of each of these images in turn; those that are missing have none.
    #[schema(inline)]
    image_alts: Option<Vec<ImageAlt>>,
}

/// Which comment, unless the address says so.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CommentToDelete {
    #[schema(inline)]
    comment_sid: Option<Sid>,
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct DeleteQuery {
    /// A comment or reply of the caller, unless the body says which.
    #[param(inline)]
    comment_sid: Option<Sid>,
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct LikeQuery {
    #[param(inline)]
    comment_sid: Sid,
    /// Ignored: the token says who likes.
    #[serde(rename = "memberName")]
    #[param(rename = "memberName")]
    _member_name: Option<String>,
    /// Ignored: a comment has one post.
    #[serde(rename = "bdSid")]
    #[param(rename = "bdSid")]
    _post: Option<i64>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DeletedComment {
    comment_sid: i64,
}

/// How the like stands.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CommentLike {
    comment_sid: i64,
    is_like: bool,
    like_count: i64,
}

/// Comment on a post.
#[utoipa::path(post, path = "/api/v1/community/comment", tag = "community",
    request_body = CommentDraft,
    responses((status = 200, description = "The comment.", body = Comment)))]
async fn write_comment(
    state: State,
    caller: Caller,
    Json(draft): Json<CommentDraft>,
) -> Result<HttpResponse, ApiError> {
    let request = community::CreateCommentRequest {
        member_id: caller.member_id.0,
        request_id: request_id(draft.req_sid.as_deref())?.to_string(),
        post_id: draft.board_sid.0,
        content: draft.content.into(),
        images: images(draft.content_img),
        image_alts: image_alts(draft.image_alts),
    };
    let written = state
        .comments
        .call(async |mut comments| comments.create_comment(request).await)
        .await?;
    reply(&state, &caller, written).await
}

/// Reply to a comment.
#[utoipa::path(post, path = "/api/v1/community/answer", tag = "community",
    request_body = AnswerDraft,
    responses((status = 200, description = "The reply.", body = Comment)))]
async fn write_answer(
    state: State,
    caller: Caller,
    Json(draft): Json<AnswerDraft>,
) -> Result<HttpResponse, ApiError> {
    let request = community::CreateReplyRequest {
        member_id: caller.member_id.0,
        request_id: request_id(draft.req_sid.as_deref())?.to_string(),
        comment_id: draft.comment_sid.0,
        content: draft.content.into(),
        images: images(draft.content_img),
        image_alts: image_alts(draft.image_alts),
        tagged_member_id: draft.tag_user_sid.map_or(0, |member| member.0),
    };
    let written = state
        .comments
        .call(async |mut comments| comments.create_reply(request).await)
        .await?;
    reply(&state, &caller, written).await
}

/// Change a comment or a reply of one's own.
#[utoipa::path(put, path = "/api/v1/community/comment", tag = "community",
    request_body = CommentChange,
    responses((status = 200, description = "The comment as it now is.", body = Comment)))]
async fn change_comment(
    state: State,
    caller: Caller,
    Json(change): Json<CommentChange>,
) -> Reply<Comment> {
    let pictures = changed_images(change.content_img, change.image_alts)?;
    let request = community::UpdateCommentRequest {
        member_id: caller.member_id.0,
        comment_id: change.comment_sid.0,
        content: change.content.into(),
        images: pictures.images,
        image_alts: pictures.image_alts,
        keeps_images: pictures.keeps_images,
    };
    let written = state
        .comments
        .call(async |mut comments| comments.update_comment(request).await)
        .await?;
    Ok(web::Json(shown(&state, &caller, written).await?))
}

/// Delete a comment or a reply of one's own. With replies its place stays.
#[utoipa::path(delete, path = "/api/v1/community/comment", tag = "community",
    params(DeleteQuery), request_body = CommentToDelete,
    responses((status = 200, description = "It is gone.", body = DeletedComment)))]
async fn delete_comment(
    state: State,
    caller: Caller,
    Query(query): Query<DeleteQuery>,
    Json(body): Json<CommentToDelete>,
) -> Reply<DeletedComment> {
    let comment_sid = either("commentSid", query.comment_sid, body.comment_sid)?;
    let request = community::DeleteCommentRequest {
        member_id: caller.member_id.0,
        comment_id: comment_sid,
    };
    // Idempotent: it stays deleted.
    state
        .comments
        .call_idempotent(async |mut comments| comments.delete_comment(request).await)
        .await?;
    Ok(web::Json(DeletedComment { comment_sid }))
}

/// Like a comment or a reply.
#[utoipa::path(post, path = "/api/v1/community/comment-like-up", tag = "community",
    params(LikeQuery, CallerQuery), request_body = NothingBody,
    responses((status = 200, description = "How the like stands.", body = CommentLike)))]
async fn like_comment(
    state: State,
    caller: Caller,
    Query(query): Query<LikeQuery>,
    Json(NothingBody {}): Json<NothingBody>,
) -> Reply<CommentLike> {
    set_like(&state, &caller, query.comment_sid, true).await
}

/// Like a comment or a reply no more.
#[utoipa::path(post, path = "/api/v1/community/comment-like-down", tag = "community",
    params(LikeQuery, CallerQuery), request_body = NothingBody,
    responses((status = 200, description = "How the like stands.", body = CommentLike)))]
async fn unlike_comment(
    state: State,
    caller: Caller,
    Query(query): Query<LikeQuery>,
    Json(NothingBody {}): Json<NothingBody>,
) -> Reply<CommentLike> {
    set_like(&state, &caller, query.comment_sid, false).await
}

async fn reply(
    state: &AppState,
    caller: &Caller,
    written: community::WrittenComment,
) -> Result<HttpResponse, ApiError> {
    let is_replayed = written.replayed;
    let comment = shown(state, caller, written).await?;
    Ok(repeatable::reply(is_replayed, comment))
}

async fn shown(
    state: &AppState,
    caller: &Caller,
    written: community::WrittenComment,
) -> Result<Comment, ApiError> {
    let comment = written.comment.ok_or(InvalidField("comment"))?;
    comment_view::written(state, caller.member_id.0, comment).await
}

async fn set_like(
    state: &AppState,
    caller: &Caller,
    Sid(comment_sid): Sid,
    liked: bool,
) -> Reply<CommentLike> {
    let request = community::LikeCommentRequest {
        member_id: caller.member_id.0,
        comment_id: comment_sid,
        liked,
    };
    // Idempotent: it sets a state.
    let likes = state
        .comments
        .call_idempotent(async |mut comments| comments.like_comment(request).await)
        .await?;
    Ok(web::Json(CommentLike {
        comment_sid,
        is_like: likes.is_liked,
        like_count: likes.count,
    }))
}
