//! What many requests read at the same moment: a popular instrument, and the likes of a member
//! whose screen asks for several things. Those who ask together share one call.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use actix_web::web::Bytes;
use futures_util::future::join_all;
use kernel::MemberId;
use proto::market::v1::{self as wire, GetQuotesRequest, ListLikesRequest};

use super::liked::Liked;
use super::shape::item::Item;
use crate::error::{ApiError, Reason};
use crate::state::{Likes, Market};
use crate::together::Together;

/// Codes, and members, that one call may name. After an outage more than that may wait.
const MOST_NAMED: usize = 1_000;

/// An instrument, and the member who wants to know of it.
type Asked = (String, Option<MemberId>);

/// An instrument with its price, the same for everybody who asked and does not like it.
pub(super) struct Priced {
    pub(super) item: Item,
    json: OnceLock<Bytes>,
}

impl Priced {
    /// The item as it is sent, written once for all.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn json(&self) -> Result<Bytes, ApiError> {
        if let Some(json) = self.json.get() {
            return Ok(json.clone());
        }
        let json = serde_json::to_vec(&self.item).map_err(|error| {
            tracing::error!(%error, "an instrument cannot be written");
            ApiError::from(Reason::Internal)
        })?;
        Ok(self.json.get_or_init(|| json.into()).clone())
    }
}

/// The answer to one who asked.
#[derive(Clone)]
pub(super) struct Quoted {
    pub(super) priced: Arc<Priced>,
    /// Whether the member likes it; nothing when that was not at hand, or nobody's.
    pub(super) is_liked: Option<bool>,
}

/// Reads that are shared.
pub(crate) struct SharedReads {
    quotes: Together<Asked, Result<Quoted, ApiError>>,
    likes: Together<MemberId, Result<Arc<Liked>, ApiError>>,
}

impl SharedReads {
    pub(crate) fn new(market: Arc<Market>, likes: Arc<Likes>) -> Self {
        Self {
            quotes: Together::new(move |asked| quotes(Arc::clone(&market), asked)),
            likes: Together::each(move |member| liked(Arc::clone(&likes), member)),
        }
    }

    /// An instrument with its price, for `member`.
    pub(super) async fn quote(
        &self,
        code: &str,
        member: Option<MemberId>,
    ) -> Result<Quoted, ApiError> {
        let answer = self.quotes.ask((code.to_owned(), member)).await;
        answer.unwrap_or_else(|| Err(Reason::Deadline.into()))
    }

    /// What a member likes.
    pub(super) async fn liked(&self, member: MemberId) -> Result<Arc<Liked>, ApiError> {
        let answer = self.likes.ask(member).await;
        answer.unwrap_or_else(|| Err(Reason::Deadline.into()))
    }
}

/// The answer to each of `asked`, as many of them in one call as it may name.
async fn quotes(market: Arc<Market>, asked: Vec<Asked>) -> Vec<Result<Quoted, ApiError>> {
    let calls = asked.chunks(MOST_NAMED).map(|some| call(&market, some));
    join_all(calls).await.concat()
}

async fn call(market: &Market, asked: &[Asked]) -> Vec<Result<Quoted, ApiError>> {
    let codes: BTreeSet<&String> = asked.iter().map(|(code, _)| code).collect();
    let members: BTreeSet<MemberId> = asked.iter().filter_map(|(_, member)| *member).collect();
    let request = GetQuotesRequest {
        codes: codes.into_iter().cloned().collect(),
        member_ids: members.into_iter().map(|member| member.0).collect(),
    };
    let found = market
        .read(async |mut market| market.get_quotes(request.clone()).await)
        .await
        .map(Found::from);
    let answer = |asked| match &found {
        Ok(found) => found.of(asked),
        Err(error) => Err(error.clone()),
    };
    asked.iter().map(answer).collect()
}

/// What one call brought.
struct Found {
    items: HashMap<String, Result<Arc<Priced>, ApiError>>,
    liked: HashMap<MemberId, HashSet<String>>,
}

impl Found {
    fn of(&self, (code, member): &Asked) -> Result<Quoted, ApiError> {
        let priced = match self.items.get(code) {
            Some(priced) => priced.clone()?,
            None => return Err(Reason::InstrumentNotFound.into()),
        };
        let liked = member.and_then(|member| self.liked.get(&member));
        let is_liked = liked.map(|liked| liked.contains(code));
        Ok(Quoted { priced, is_liked })
    }
}

impl From<wire::Items> for Found {
    fn from(found: wire::Items) -> Self {
        let items = found.items.into_iter();
        let liked = found.liked.into_iter();
        Self {
            items: items
                .filter_map(|item| Some((item.instrument.as_ref()?.code.clone(), item)))
                .map(|(code, item)| (code.clone(), readable(code, item)))
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

fn readable(code: String, item: wire::Item) -> Result<Arc<Priced>, ApiError> {
    let item = Item::try_from(item).map_err(|error| {
        tracing::warn!(%error, code, "an instrument has no readable price");
        ApiError::from(Reason::MarketUnavailable)
    })?;
    let json = OnceLock::new();
    Ok(Arc::new(Priced { item, json }))
}

async fn liked(likes: Arc<Likes>, member: MemberId) -> Result<Arc<Liked>, ApiError> {
    let request = ListLikesRequest {
        member_id: member.0,
    };
    let found = likes
        .read(async |mut likes| likes.list_likes(request).await)
        .await?;
    Ok(Arc::new(found.into()))
}
