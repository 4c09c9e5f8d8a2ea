//! The instruments that a post is about: their names, and whether its author holds them.

use std::collections::{BTreeSet, HashMap, HashSet};

use proto::community::v1 as community;
use proto::convert::to_required_decimal;
use proto::market::v1 as market;
use proto::trading::v1 as trading;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::authentication::Caller;
use crate::error::{ApiError, Reason};
use crate::state::AppState;
use crate::wire::code::Code;

const MAX_TAGS: usize = 5;

/// An instrument that a post is about.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PostTag {
    code: String,
    name: String,
    /// The author held it when writing, and wanted that to be seen.
    is_held: bool,
}

/// An instrument that a post will be about.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PostTagDraft {
    #[schema(inline)]
    code: Code,
    /// Show that the caller holds it, if that is so.
    #[serde(default)]
    is_held: bool,
}

/// Korean names by code.
#[derive(Default)]
pub(super) struct InstrumentNames(HashMap<String, String>);

/// The tags to be stored, with their names. Fails with TAG_UNKNOWN for a code that no market has.
pub(super) async fn check(
    state: &AppState,
    caller: &Caller,
    drafts: Vec<PostTagDraft>,
) -> Result<(Vec<community::InstrumentTag>, InstrumentNames), ApiError> {
    if drafts.len() > MAX_TAGS {
        let message = format!("종목은 {MAX_TAGS}개까지 붙일 수 있어요");
        return Err(ApiError::field("tags", message));
    }
    let codes = drafts.iter().map(|draft| draft.code.as_str().to_owned());
    let is_wished = drafts.iter().any(|draft| draft.is_held);
    let (names, held) = tokio::join!(read_names(state, codes.collect()), async {
        if is_wished {
            held_codes(state, caller).await
        } else {
            HashSet::new()
        }
    });
    let names = names?;
    let tag = |draft: PostTagDraft| {
        let code = String::from(draft.code);
        if !names.0.contains_key(&code) {
            return Err(ApiError::from(Reason::TagUnknown));
        }
        let is_held = draft.is_held && held.contains(&code);
        Ok(community::InstrumentTag { code, is_held })
    };
    let tags = drafts.into_iter().map(tag).collect::<Result<_, _>>()?;
    Ok((tags, names))
}

/// Codes that the caller wants to be seen as held.
pub(super) fn shown_codes(drafts: &[PostTagDraft]) -> Vec<String> {
    let shown = drafts.iter().filter(|draft| draft.is_held);
    shown.map(|draft| draft.code.as_str().to_owned()).collect()
}

impl InstrumentNames {
    /// Of all tags of `posts` in one call. Posts are shown with codes while market-data is away.
    pub(super) async fn read(state: &AppState, posts: &[community::Post]) -> Self {
        let tags = posts.iter().flat_map(|post| &post.tags);
        let codes = tags.map(|tag| tag.code.clone()).collect();
        read_names(state, codes).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "posts are shown without names of instruments");
            Self::default()
        })
    }

    pub(super) fn tag(&self, tag: community::InstrumentTag) -> PostTag {
        PostTag {
            name: self.0.get(&tag.code).unwrap_or(&tag.code).clone(),
            code: tag.code,
            is_held: tag.is_held,
        }
    }
}

async fn read_names(
    state: &AppState,
    codes: BTreeSet<String>,
) -> Result<InstrumentNames, ApiError> {
    if codes.is_empty() {
        return Ok(InstrumentNames::default());
    }
    let request = market::GetQuotesRequest {
        codes: codes.into_iter().collect(),
        member_ids: Vec::new(),
    };
    let quoted = state
        .market
        .call_idempotent(async |mut market| market.get_quotes(request.clone()).await)
        .await?;
    let instruments = quoted.items.into_iter().filter_map(|item| item.instrument);
    let named = instruments.map(|instrument| (instrument.code, instrument.korean_name));
    Ok(InstrumentNames(named.collect()))
}

/// Nothing while trading is away: a badge is never worth losing a text.
async fn held_codes(state: &AppState, caller: &Caller) -> HashSet<String> {
    let request = trading::ListHoldingsRequest {
        member_id: caller.member_id.0,
        ..trading::ListHoldingsRequest::default()
    };
    let listed = state
        .trading
        .call_idempotent(async |mut trading| trading.list_holdings(request.clone()).await)
        .await
        .unwrap_or_else(|error| {
            tracing::warn!(%error, "a post is written without what its author holds");
            trading::Holdings::default()
        });
    let is_held = |holding: &trading::Holding| {
        let quantity = to_required_decimal(holding.quantity.as_ref(), "quantity");
        quantity.is_ok_and(|quantity| quantity.is_sign_positive() && !quantity.is_zero())
    };
    let held = listed.holdings.into_iter().filter(is_held);
    held.map(|holding| holding.instrument_code).collect()
}
