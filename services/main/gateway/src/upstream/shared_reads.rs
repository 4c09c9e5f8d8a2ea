//! Reads that many requests make at the same moment: quotes of popular instruments, and the likes of a
//! member whose screen sends several requests at once.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use actix_web::web::Bytes;
use futures_util::future::join_all;
use kernel::MemberId;
use proto::market::v1::{self as market, GetQuotesRequest, ListLikesRequest};

use super::clients;
use super::coalescer::Coalescer;
use crate::authentication::Caller;
use crate::error::{ApiError, Reason};
use crate::wire::item::Item;
use crate::wire::likes::Likes;

/// Codes and members in one call. After an outage more may be waiting.
const MAX_BATCH: usize = 1_000;

/// A code, and the member whose like is wanted with it.
type QuoteKey = (String, Option<MemberId>);

/// An item shared by all requests for it, without anybody's like.
pub(crate) struct QuotedItem {
    pub(crate) item: Item,
    json: OnceLock<Bytes>,
}

impl QuotedItem {
    /// The item as JSON, serialized once.
    pub(crate) fn json(&self) -> Result<Bytes, ApiError> {
        if let Some(json) = self.json.get() {
            return Ok(json.clone());
        }
        let json = serde_json::to_vec(&self.item).map_err(|error| {
            tracing::error!(%error, "cannot serialize an item");
            ApiError::from(Reason::Internal)
        })?;
        Ok(self.json.get_or_init(|| json.into()).clone())
    }
}

#[derive(Clone)]
pub(crate) struct Quote {
    pub(crate) item: Arc<QuotedItem>,
    /// `None` without a member, or when market-data did not have the likes at hand.
    pub(crate) is_liked: Option<bool>,
}

pub(crate) struct SharedReads {
    quotes: Coalescer<QuoteKey, Result<Quote, ApiError>>,
    likes: Coalescer<MemberId, Result<Arc<Likes>, ApiError>>,
}

impl SharedReads {
    pub(crate) fn new(market: Arc<clients::Market>, likes: Arc<clients::Likes>) -> Self {
        Self {
            quotes: Coalescer::batched(move |keys| get_quotes(Arc::clone(&market), keys)),
            likes: Coalescer::single_flight(move |member| list_likes(Arc::clone(&likes), member)),
        }
    }

    pub(crate) async fn quote(
        &self,
        code: &str,
        member: Option<MemberId>,
    ) -> Result<Quote, ApiError> {
        let quote = self.quotes.get((code.to_owned(), member)).await;
        quote.unwrap_or_else(|| Err(Reason::Deadline.into()))
    }

    /// The likes of `caller`, to mark rows with. A response never fails for want of them: without a
    /// caller and while they cannot be read there are none.
    pub(crate) async fn likes(&self, caller: Option<&Caller>) -> Arc<Likes> {
        let Some(caller) = caller else {
            return Arc::default();
        };
        let likes = self.likes.get(caller.member_id).await;
        likes
            .unwrap_or_else(|| Err(Reason::Deadline.into()))
            .unwrap_or_else(|error| {
                tracing::warn!(%error, "rows are shown without likes");
                Arc::default()
            })
    }
}

async fn get_quotes(
    market: Arc<clients::Market>,
    keys: Vec<QuoteKey>,
) -> Vec<Result<Quote, ApiError>> {
    let calls = keys.chunks(MAX_BATCH).map(|keys| get_batch(&market, keys));
    join_all(calls).await.concat()
}

async fn get_batch(market: &clients::Market, keys: &[QuoteKey]) -> Vec<Result<Quote, ApiError>> {
    let codes: BTreeSet<&String> = keys.iter().map(|(code, _)| code).collect();
    let members: BTreeSet<MemberId> = keys.iter().filter_map(|(_, member)| *member).collect();
    let request = GetQuotesRequest {
        codes: codes.into_iter().cloned().collect(),
        member_ids: members.into_iter().map(|member| member.0).collect(),
    };
    let batch = market
        .call_idempotent(async |mut market| market.get_quotes(request.clone()).await)
        .await
        .map(QuoteBatch::from);
    let quote = |key| match &batch {
        Ok(batch) => batch.quote(key),
        Err(error) => Err(error.clone()),
    };
    keys.iter().map(quote).collect()
}

struct QuoteBatch {
    items: HashMap<String, Result<Arc<QuotedItem>, ApiError>>,
    liked: HashMap<MemberId, HashSet<String>>,
}

impl QuoteBatch {
    fn quote(&self, (code, member): &QuoteKey) -> Result<Quote, ApiError> {
        let item = match self.items.get(code) {
            Some(item) => item.clone()?,
            None => return Err(Reason::InstrumentNotFound.into()),
        };
        let liked = member.and_then(|member| self.liked.get(&member));
        let is_liked = liked.map(|liked| liked.contains(code));
        Ok(Quote { item, is_liked })
    }
}

impl From<market::Items> for QuoteBatch {
    fn from(items: market::Items) -> Self {
        let liked = items.liked.into_iter();
        let items = items.items.into_iter();
        Self {
            items: items
                .filter_map(|item| Some((item.instrument.as_ref()?.code.clone(), item)))
                .map(|(code, item)| (code.clone(), quoted_item(code, item)))
                .collect(),
            liked: liked
                .map(|liked| {
                    let codes = liked.codes.into_iter().collect();
                    (MemberId(liked.member_id), codes)
                })
                .collect(),
        }
    }
}

fn quoted_item(code: String, item: market::Item) -> Result<Arc<QuotedItem>, ApiError> {
    let item = Item::try_from(item).map_err(|error| {
        tracing::warn!(%error, code, "an instrument has no readable price");
        ApiError::from(Reason::MarketUnavailable)
    })?;
    let json = OnceLock::new();
    Ok(Arc::new(QuotedItem { item, json }))
}

async fn list_likes(likes: Arc<clients::Likes>, member: MemberId) -> Result<Arc<Likes>, ApiError> {
    let request = ListLikesRequest {
        member_id: member.0,
    };
    let listed = likes
        .call_idempotent(async |mut likes| likes.list_likes(request).await)
        .await?;
    Ok(Arc::new(listed.into()))
}
