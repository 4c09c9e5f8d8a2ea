//! What a member did in the community.

use std::collections::BTreeSet;

use actix_web::web;
use kernel::MemberId;
use proto::community::v1 as community;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::comment_view::{self, Comment};
use super::people::People;
use super::post_view::{self, Post};
use super::viewer;
use super::words::{CallerQuery, Cursor, Sid, ViewerQuery, cursor};
use crate::authentication::Caller;
use crate::endpoint::{Endpoint, Subject};
use crate::error::Reason;
use crate::extract::Query;
use crate::routes::{Reply, State};
use crate::state::AppState;
use crate::wire::item::non_empty;
use crate::wire::time::kst_month_if_set;
use crate::wire::variants::to_proto;

#[derive(OpenApi)]
#[openapi(paths(community_member, member_activity, own_activity))]
pub(super) struct Document;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(
            "/api/v1/community/community-member-info",
            Subject::QueryOrNobody("memberSid"),
            community_member,
        ),
        Endpoint::get(
            "/api/v1/community/community-member-action",
            Subject::Query("memberSid"),
            member_activity,
        ),
        Endpoint::get(
            "/api/v1/community/my-comments-and-likes",
            Subject::Query("memberSid"),
            own_activity,
        ),
    ]
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct MemberQuery {
    /// Who is looked at.
    #[param(inline)]
    user_sid: Sid,
}

/// What others see of a member.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum PublicActivityType {
    #[default]
    Post,
    /// Comments and replies.
    Comment,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum ActivityType {
    #[default]
    Post,
    /// Comments and replies.
    Comment,
    /// Posts that the member likes.
    Like,
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct MemberActivityQuery {
    /// Who is looked at.
    #[param(inline)]
    user_sid: Sid,
    /// Absent = POST.
    #[serde(rename = "type")]
    #[param(inline)]
    kind: Option<PublicActivityType>,
    #[param(inline)]
    cursor: Option<Cursor>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct OwnActivityQuery {
    /// Absent = POST.
    #[serde(rename = "type")]
    #[param(inline)]
    kind: Option<ActivityType>,
    #[param(inline)]
    cursor: Option<Cursor>,
}

/// A member as the community knows them.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CommunityMember {
    user_sid: i64,
    nickname: String,
    /// Null while it is not known.
    level: Option<i32>,
    /// Pictures of what the member wears; null for nothing.
    frame: Option<String>,
    plate: Option<String>,
    post_count: i64,
    comment_count: i64,
    received_likes: i64,
    /// As `2026-11`; null while it is not known.
    joined_month: Option<String>,
    /// By the caller.
    is_followed: bool,
    /// By the caller.
    is_blocked: bool,
}

/// Part of what a member did, latest first.
#[derive(Debug, Serialize, ToSchema)]
struct Activity {
    #[serde(rename = "type")]
    kind: ActivityType,
    /// Of POST and LIKE.
    posts: Vec<Post>,
    /// Of COMMENT.
    comments: Vec<Comment>,
    /// Of the next page; null on the last one.
    cursor: Option<String>,
}

/// A member, with what they did in figures.
#[utoipa::path(get, path = "/api/v1/community/community-member-info", tag = "community",
    params(MemberQuery, ViewerQuery),
    responses((status = 200, description = "The member.", body = CommunityMember)))]
async fn community_member(
    state: State,
    caller: Option<Caller>,
    Query(query): Query<MemberQuery>,
) -> Reply<CommunityMember> {
    let Sid(user_sid) = query.user_sid;
    if user_sid == MemberId::OPERATOR.0 {
        return Err(Reason::MemberNotFound.into());
    }
    let request = community::GetActivityRequest {
        viewer_id: viewer(caller.as_ref()),
        member_id: user_sid,
    };
    let counting = state
        .people
        .call_idempotent(async |mut people| people.get_activity(request).await);
    let (counted, people) =
        tokio::join!(counting, People::read(&state, BTreeSet::from([user_sid])));
    let (counted, people) = (counted?, people?);
    if !people.knows(user_sid) {
        return Err(Reason::MemberNotFound.into());
    }
    let author = people.author(user_sid);
    Ok(web::Json(CommunityMember {
        user_sid,
        nickname: author.nickname,
        level: author.level,
        frame: author.frame,
        plate: author.plate,
        post_count: counted.post_count,
        comment_count: counted.comment_count,
        received_likes: counted.received_likes,
        joined_month: kst_month_if_set(counted.joined_at_us, "joined_at_us")?,
        is_followed: counted.is_followed,
        is_blocked: counted.is_blocked,
    }))
}

/// Posts or comments of a member.
#[utoipa::path(get, path = "/api/v1/community/community-member-action", tag = "community",
    params(MemberActivityQuery, CallerQuery),
    responses((status = 200, description = "A page of 20.", body = Activity)))]
async fn member_activity(
    state: State,
    caller: Caller,
    Query(query): Query<MemberActivityQuery>,
) -> Reply<Activity> {
    let kind = match query.kind.unwrap_or_default() {
        PublicActivityType::Post => ActivityType::Post,
        PublicActivityType::Comment => ActivityType::Comment,
    };
    list(&state, &caller, query.user_sid.0, kind, query.cursor).await
}

/// What the caller wrote or likes.
#[utoipa::path(get, path = "/api/v1/community/my-comments-and-likes", tag = "community",
    params(OwnActivityQuery, CallerQuery),
    responses((status = 200, description = "A page of 20.", body = Activity)))]
async fn own_activity(
    state: State,
    caller: Caller,
    Query(query): Query<OwnActivityQuery>,
) -> Reply<Activity> {
    let kind = query.kind.unwrap_or_default();
    list(&state, &caller, caller.member_id.0, kind, query.cursor).await
}

async fn list(
    state: &AppState,
    caller: &Caller,
    member_id: i64,
    kind: ActivityType,
    from: Option<Cursor>,
) -> Reply<Activity> {
    let viewer_id = caller.member_id.0;
    let request = community::ListActivityRequest {
        viewer_id,
        member_id,
        kind: kind.to_proto().into(),
        cursor: cursor(from),
    };
    let page = state
        .people
        .call_idempotent(async |mut people| people.list_activity(request.clone()).await)
        .await?;
    let (posts, comments) = tokio::join!(
        post_view::rows(state, viewer_id, page.posts),
        comment_view::rows(state, viewer_id, page.comments)
    );
    Ok(web::Json(Activity {
        kind,
        posts: posts?,
        comments: comments?,
        cursor: non_empty(page.cursor),
    }))
}

to_proto!(ActivityType => community::ActivityKind { Post, Comment, Like });
