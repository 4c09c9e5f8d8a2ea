//! Lists of posts, and one post.

use actix_web::web;
use proto::community::v1 as community;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::post_view::{self, Post, PostPage};
use super::viewer;
use super::words::{CategoryFilter, Cursor, Sid, ViewerQuery, cursor};
use crate::authentication::Caller;
use crate::endpoint::{Class, Endpoint, Subject};
use crate::error::{ApiError, Reason};
use crate::extract::Query;
use crate::extract::params::empty_is_absent;
use crate::routes::{Reply, State};
use crate::wire::amount::within;
use crate::wire::code::Code;
use crate::wire::variants::to_proto;

const MAX_PAGE: i32 = 100;
const PAGE_SIZE: i32 = 20;

#[derive(OpenApi)]
#[openapi(paths(community_posts, top_posts, post_detail, new_post_count))]
pub(super) struct Document;

pub(super) fn endpoints() -> Vec<Endpoint> {
    let subject = Subject::QueryOrNobody("memberSid");
    vec![
        Endpoint::get("/api/v1/community/list", subject, community_posts).class(Class::Browse),
        Endpoint::get("/api/v1/community/top-3", subject, top_posts).class(Class::Browse),
        Endpoint::get("/api/v1/community/get-post-detail", subject, post_detail),
        Endpoint::get("/api/v1/community/new-count", subject, new_post_count)
            .class(Class::Browse)
            .extension(),
    ]
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum PostOrder {
    #[default]
    Latest,
    Hot,
    /// Those about `code`, latest first.
    Item,
    /// Those of members whom the caller follows, latest first.
    Follow,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ListQuery {
    /// Absent = ALL.
    #[serde(default, deserialize_with = "empty_is_absent")]
    #[param(inline)]
    category: Option<CategoryFilter>,
    /// Absent = LATEST.
    #[serde(rename = "type", default, deserialize_with = "empty_is_absent")]
    #[param(inline)]
    order: Option<PostOrder>,
    /// From 0. A cursor goes on further.
    #[param(minimum = 0, maximum = 100)]
    page: Option<i32>,
    /// Absent = 20.
    #[param(minimum = 1, maximum = 20)]
    size: Option<i32>,
    /// `cursor` of the page before, instead of `page`.
    #[param(inline)]
    cursor: Option<Cursor>,
    /// The instrument of ITEM.
    #[serde(default, deserialize_with = "empty_is_absent")]
    #[param(inline)]
    code: Option<Code>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct TopQuery {
    /// Absent = ALL.
    #[serde(default, deserialize_with = "empty_is_absent")]
    #[param(inline)]
    category: Option<CategoryFilter>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct DetailQuery {
    #[param(inline)]
    sid: Sid,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct NewQuery {
    /// Absent = ALL.
    #[serde(default, deserialize_with = "empty_is_absent")]
    #[param(inline)]
    category: Option<CategoryFilter>,
    /// The newest post that is shown.
    #[param(inline)]
    after: Sid,
}

#[derive(Debug, Serialize, ToSchema)]
struct TopPosts {
    posts: Vec<Post>,
}

#[derive(Debug, Serialize, ToSchema)]
struct NewPosts {
    /// At most 20.
    count: i32,
}

/// Posts of a category.
#[utoipa::path(get, path = "/api/v1/community/list", tag = "community",
    params(ListQuery, ViewerQuery),
    responses((status = 200, description = "A page.", body = PostPage)))]
async fn community_posts(
    state: State,
    caller: Option<Caller>,
    Query(query): Query<ListQuery>,
) -> Reply<PostPage> {
    let viewer_id = viewer(caller.as_ref());
    let request = query.into_request(viewer_id)?;
    let page = state
        .posts
        .call_idempotent(async |mut posts| posts.list_posts(request.clone()).await)
        .await?;
    Ok(web::Json(post_view::page(&state, viewer_id, page).await?))
}

/// The three posts of the last 72 hours that rank highest.
#[utoipa::path(get, path = "/api/v1/community/top-3", tag = "community",
    params(TopQuery, ViewerQuery),
    responses((status = 200, description = "Highest first.", body = TopPosts)))]
async fn top_posts(
    state: State,
    caller: Option<Caller>,
    Query(query): Query<TopQuery>,
) -> Reply<TopPosts> {
    let viewer_id = viewer(caller.as_ref());
    let request = community::ListTopPostsRequest {
        viewer_id,
        category: query.category.unwrap_or_default().to_proto().into(),
    };
    let page = state
        .posts
        .call_idempotent(async |mut posts| posts.list_top_posts(request).await)
        .await?;
    let posts = post_view::rows(&state, viewer_id, page.posts).await?;
    Ok(web::Json(TopPosts { posts }))
}

/// One post.
#[utoipa::path(get, path = "/api/v1/community/get-post-detail", tag = "community",
    params(DetailQuery, ViewerQuery),
    responses((status = 200, description = "The post.", body = Post)))]
async fn post_detail(
    state: State,
    caller: Option<Caller>,
    Query(query): Query<DetailQuery>,
) -> Reply<Post> {
    let viewer_id = viewer(caller.as_ref());
    let request = community::GetPostRequest {
        viewer_id,
        post_id: query.sid.0,
    };
    let post = state
        .posts
        .call_idempotent(async |mut posts| posts.get_post(request).await)
        .await?;
    Ok(web::Json(post_view::one(&state, viewer_id, post).await?))
}

/// How many posts others have written since a list was read.
#[utoipa::path(get, path = "/api/v1/community/new-count", tag = "community",
    params(NewQuery, ViewerQuery),
    responses((status = 200, description = "Their number.", body = NewPosts)))]
async fn new_post_count(
    state: State,
    caller: Option<Caller>,
    Query(query): Query<NewQuery>,
) -> Reply<NewPosts> {
    let request = community::CountNewPostsRequest {
        viewer_id: viewer(caller.as_ref()),
        category: query.category.unwrap_or_default().to_proto().into(),
        after_post_id: query.after.0,
    };
    let new = state
        .posts
        .call_idempotent(async |mut posts| posts.count_new_posts(request).await)
        .await?;
    Ok(web::Json(NewPosts { count: new.count }))
}

impl ListQuery {
    fn into_request(self, viewer_id: i64) -> Result<community::ListPostsRequest, ApiError> {
        let page = self.page.unwrap_or(0);
        if page > MAX_PAGE {
            return Err(Reason::PageTooFar.into());
        }
        let order = self.order.unwrap_or_default();
        if order == PostOrder::Follow && viewer_id == 0 {
            return Err(Reason::InvalidAuthentication.into());
        }
        let code = self.code.filter(|_| order == PostOrder::Item);
        if order == PostOrder::Item && code.is_none() {
            return Err(ApiError::field("code", "종목 코드를 보내 주세요"));
        }
        Ok(community::ListPostsRequest {
            viewer_id,
            category: self.category.unwrap_or_default().to_proto().into(),
            order: order.to_proto().into(),
            instrument_code: code.map(String::from).unwrap_or_default(),
            page: within("page", page, 0, MAX_PAGE)?,
            size: within("size", self.size.unwrap_or(PAGE_SIZE), 1, PAGE_SIZE)?,
            cursor: cursor(self.cursor),
        })
    }
}

to_proto!(PostOrder => community::PostOrder { Latest, Hot, Item, Follow });
