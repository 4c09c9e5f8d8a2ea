//! The search history of the caller.

use actix_web::web;
use proto::market::v1 as market;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::like::acting_member;
use crate::authentication::Caller;
use crate::endpoint::{Class, Endpoint, Subject};
use crate::error::ApiError;
use crate::extract::{Json, Path};
use crate::routes::{Reply, State};
use crate::wire::code::SearchText;
use crate::wire::item::ItemKind;

#[derive(OpenApi)]
#[openapi(paths(searches, note_search, forget_search))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    use Subject::{BodyOrNobody, PublicOrSelf};
    vec![
        Endpoint::get(
            "/api/v1/search/member/{sid}/type/{type}",
            PublicOrSelf("sid"),
            searches,
        ),
        Endpoint::post(
            "/api/v1/search/search",
            BodyOrNobody("memberSid"),
            note_search,
        )
        .class(Class::Read),
        Endpoint::delete(
            "/api/v1/search/history",
            BodyOrNobody("memberSid"),
            forget_search,
        )
        .class(Class::Read),
    ]
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct HistoryPath {
    /// The caller, or 0 for nobody.
    #[serde(rename = "sid")]
    _sid: i64,
    #[serde(rename = "type")]
    #[param(inline)]
    kind: ItemKind,
}

/// A text that was searched for.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SearchDraft {
    /// The caller; 0 or absent is nobody, and then nothing changes.
    member_sid: Option<i64>,
    #[schema(inline)]
    search_txt: SearchText,
    #[serde(rename = "type")]
    kind: ItemKind,
}

/// What a member searched for among one kind.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SearchHistory {
    /// 0 is nobody.
    member_sid: i64,
    #[serde(rename = "type")]
    kind: ItemKind,
    /// At most 20, newest first, each once.
    search_txt_list: Vec<String>,
}

/// What the caller searched for.
#[utoipa::path(get, path = "/api/v1/search/member/{sid}/type/{type}", tag = "search",
    params(HistoryPath),
    responses((status = 200, description = "Newest first; empty for nobody.", body = SearchHistory)))]
async fn searches(
    state: State,
    caller: Option<Caller>,
    path: Path<HistoryPath>,
) -> Reply<SearchHistory> {
    let kind = path.0.kind;
    let member = caller.map(|caller| caller.member_id.0);
    history(member, kind, async |member_id| {
        let request = market::ListSearchesRequest {
            member_id,
            kind: kind.to_proto().into(),
        };
        state
            .searches
            .call_idempotent(async |mut searches| searches.list_searches(request).await)
            .await
    })
    .await
}

/// Remember a text that the caller searched for. Without a login nothing is remembered.
#[utoipa::path(post, path = "/api/v1/search/search", tag = "search",
    request_body = SearchDraft,
    responses((status = 200, description = "The history after it.", body = SearchHistory)))]
async fn note_search(
    state: State,
    caller: Option<Caller>,
    draft: Json<SearchDraft>,
) -> Reply<SearchHistory> {
    let Json(draft) = draft;
    let member = acting_member(caller.as_ref(), draft.member_sid);
    history(member, draft.kind, async |member_id| {
        let request = market::NoteSearchRequest {
            member_id,
            kind: draft.kind.to_proto().into(),
            text: draft.search_txt.as_str().trim().to_owned(),
        };
        // Idempotent: a text is in the history once.
        state
            .searches
            .call_idempotent(async |mut searches| searches.note_search(request.clone()).await)
            .await
    })
    .await
}

/// Forget one text, or all of a kind when the text is empty.
#[utoipa::path(delete, path = "/api/v1/search/history", tag = "search",
    request_body = SearchDraft,
    responses((status = 200, description = "The history after it.", body = SearchHistory)))]
async fn forget_search(
    state: State,
    caller: Option<Caller>,
    draft: Json<SearchDraft>,
) -> Reply<SearchHistory> {
    let Json(draft) = draft;
    let member = acting_member(caller.as_ref(), draft.member_sid);
    history(member, draft.kind, async |member_id| {
        let request = market::ForgetSearchRequest {
            member_id,
            kind: draft.kind.to_proto().into(),
            text: draft.search_txt.as_str().trim().to_owned(),
        };
        state
            .searches
            .call_idempotent(async |mut searches| searches.forget_search(request.clone()).await)
            .await
    })
    .await
}

/// The history that `call` returns for the member; empty for nobody.
async fn history(
    member: Option<i64>,
    kind: ItemKind,
    call: impl AsyncFnOnce(i64) -> Result<market::SearchHistory, ApiError>,
) -> Reply<SearchHistory> {
    let texts = match member {
        Some(member_id) => call(member_id).await?.texts,
        None => Vec::new(),
    };
    Ok(web::Json(SearchHistory {
        member_sid: member.unwrap_or(0),
        kind,
        search_txt_list: texts,
    }))
}
