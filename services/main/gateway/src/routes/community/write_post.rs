//! Writing, changing, deleting and liking posts.

use actix_web::{HttpResponse, web};
use proto::community::v1 as community;
use proto::convert::InvalidField;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::post_tags::{self, PostTagDraft};
use super::post_view::{self, Post};
use super::words::{
    ImageAlt, ImageUrls, PostCategory, Sid, WrittenText, changed_images, either, image_alts, images,
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
#[openapi(paths(write_post, change_post, delete_post, like_post, unlike_post))]
pub(super) struct Document;

pub(super) fn endpoints() -> Vec<Endpoint> {
    use Subject::{Body, Owner};
    const POST: &str = "/api/v1/community/post";
    vec![
        Endpoint::post(POST, Body("memberSid"), write_post).extension(),
        Endpoint::put(POST, Body("memberSid"), change_post).extension(),
        Endpoint::delete("/api/v1/community/delete-post", Owner, delete_post),
        Endpoint::put("/api/v1/community/like-up", Owner, like_post),
        Endpoint::put("/api/v1/community/like-down", Owner, unlike_post),
    ]
}

/// What is written.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PostDraft {
    /// The caller.
    #[serde(rename = "memberSid")]
    #[schema(rename = "memberSid")]
    _member_sid: i64,
    category: PostCategory,
    #[schema(inline)]
    content: WrittenText,
    #[schema(inline)]
    content_img: Option<ImageUrls>,
    /// Of each of these images in turn; those that are missing have none.
    #[schema(inline)]
    image_alts: Option<Vec<ImageAlt>>,
    /// At most 5, each once.
    tags: Option<Vec<PostTagDraft>>,
    /// Retry key: 8 to 64 letters, digits, `_` or `-`. The same key never writes twice.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    req_sid: Option<String>,
}

/// A post of the caller as it will be.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PostChange {
    #[schema(inline)]
    sid: Sid,
    /// The caller.
    #[serde(rename = "memberSid")]
    #[schema(rename = "memberSid")]
    _member_sid: i64,
    category: PostCategory,
    #[schema(inline)]
    content: WrittenText,
    /// URLs of uploaded images with commas between them; empty for none, absent for those that it has.
    #[schema(inline)]
    content_img: Option<ImageUrls>,
    /// Of each of these images in turn; those that are missing have none.
    #[schema(inline)]
    image_alts: Option<Vec<ImageAlt>>,
    /// At most 5, each once.
    tags: Option<Vec<PostTagDraft>>,
}

/// Which post, unless the address says so.
#[derive(Deserialize, ToSchema)]
struct PostToDelete {
    #[schema(inline)]
    sid: Option<Sid>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct DeleteQuery {
    /// A post of the caller, unless the body says which.
    #[param(inline)]
    sid: Option<Sid>,
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct LikeQuery {
    /// The post.
    #[param(inline)]
    sid: Option<Sid>,
    /// Another name of `sid`.
    #[param(inline)]
    post_sid: Option<Sid>,
    /// Ignored: the token says who likes.
    #[serde(rename = "userName")]
    #[param(rename = "userName")]
    _user_name: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
struct DeletedPost {
    sid: i64,
}

/// How the like stands.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PostLike {
    sid: i64,
    is_like: bool,
    like_count: i64,
}

/// Write a post. A doubtful one is HELD, which only its author sees.
#[utoipa::path(post, path = "/api/v1/community/post", tag = "community",
    request_body = PostDraft,
    responses((status = 200, description = "The post.", body = Post)))]
async fn write_post(
    state: State,
    caller: Caller,
    Json(draft): Json<PostDraft>,
) -> Result<HttpResponse, ApiError> {
    let request_id = request_id(draft.req_sid.as_deref())?.to_string();
    let drafts = draft.tags.unwrap_or_default();
    let (tags, instruments) = post_tags::check(&state, &caller, drafts).await?;
    let request = community::CreatePostRequest {
        member_id: caller.member_id.0,
        request_id,
        category: draft.category.to_proto().into(),
        content: draft.content.into(),
        images: images(draft.content_img),
        image_alts: image_alts(draft.image_alts),
        tags,
    };
    let written = state
        .posts
        .call(async |mut posts| posts.create_post(request).await)
        .await?;
    let post = written.post.ok_or(InvalidField("post"))?;
    let post = post_view::written(&state, caller.member_id.0, post, &instruments).await?;
    Ok(repeatable::reply(written.replayed, post))
}

/// Change a post of one's own.
#[utoipa::path(put, path = "/api/v1/community/post", tag = "community",
    request_body = PostChange,
    responses((status = 200, description = "The post as it now is.", body = Post)))]
async fn change_post(state: State, caller: Caller, Json(change): Json<PostChange>) -> Reply<Post> {
    let pictures = changed_images(change.content_img, change.image_alts)?;
    let drafts = change.tags.unwrap_or_default();
    let still_shown_codes = post_tags::shown_codes(&drafts);
    let (tags, instruments) = post_tags::check(&state, &caller, drafts).await?;
    let request = community::UpdatePostRequest {
        member_id: caller.member_id.0,
        post_id: change.sid.0,
        category: change.category.to_proto().into(),
        content: change.content.into(),
        images: pictures.images,
        image_alts: pictures.image_alts,
        keeps_images: pictures.keeps_images,
        tags,
        still_shown_codes,
    };
    let written = state
        .posts
        .call(async |mut posts| posts.update_post(request).await)
        .await?;
    let post = written.post.ok_or(InvalidField("post"))?;
    let post = post_view::written(&state, caller.member_id.0, post, &instruments).await?;
    Ok(web::Json(post))
}

/// Delete a post of one's own.
#[utoipa::path(delete, path = "/api/v1/community/delete-post", tag = "community",
    params(DeleteQuery), request_body = PostToDelete,
    responses((status = 200, description = "It is gone.", body = DeletedPost)))]
async fn delete_post(
    state: State,
    caller: Caller,
    Query(query): Query<DeleteQuery>,
    Json(body): Json<PostToDelete>,
) -> Reply<DeletedPost> {
    let sid = either("sid", query.sid, body.sid)?;
    let request = community::DeletePostRequest {
        member_id: caller.member_id.0,
        post_id: sid,
    };
    // Idempotent: it stays deleted.
    state
        .posts
        .call_idempotent(async |mut posts| posts.delete_post(request).await)
        .await?;
    Ok(web::Json(DeletedPost { sid }))
}

/// Like a post.
#[utoipa::path(put, path = "/api/v1/community/like-up", tag = "community",
    params(LikeQuery), request_body = NothingBody,
    responses((status = 200, description = "How the like stands.", body = PostLike)))]
async fn like_post(
    state: State,
    caller: Caller,
    Query(query): Query<LikeQuery>,
    Json(NothingBody {}): Json<NothingBody>,
) -> Reply<PostLike> {
    set_like(&state, &caller, query, true).await
}

/// Like a post no more.
#[utoipa::path(put, path = "/api/v1/community/like-down", tag = "community",
    params(LikeQuery), request_body = NothingBody,
    responses((status = 200, description = "How the like stands.", body = PostLike)))]
async fn unlike_post(
    state: State,
    caller: Caller,
    Query(query): Query<LikeQuery>,
    Json(NothingBody {}): Json<NothingBody>,
) -> Reply<PostLike> {
    set_like(&state, &caller, query, false).await
}

async fn set_like(
    state: &AppState,
    caller: &Caller,
    query: LikeQuery,
    liked: bool,
) -> Reply<PostLike> {
    let sid = either("sid", query.sid, query.post_sid)?;
    let request = community::LikePostRequest {
        member_id: caller.member_id.0,
        post_id: sid,
        liked,
    };
    // Idempotent: it sets a state.
    let likes = state
        .posts
        .call_idempotent(async |mut posts| posts.like_post(request).await)
        .await?;
    Ok(web::Json(PostLike {
        sid,
        is_like: likes.is_liked,
        like_count: likes.count,
    }))
}
