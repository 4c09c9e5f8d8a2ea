//! What many requests read at the same moment: a popular instrument, and the likes of a member
//! whose screen asks for several things. Those who ask together share one call.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use kernel::MemberId;
use proto::market::v1::{self as wire, GetQuotesRequest, ListLikesRequest};

use super::liked::Liked;
use super::shape::item::Item;
use crate::error::{ApiError, Reason};
use crate::state::{Likes, Market};
use crate::together::Together;

/// Reads that are shared.
pub(crate) struct SharedReads {
    quotes: Together<String, Result<Item, ApiError>>,
    likes: Together<MemberId, Result<Arc<Liked>, ApiError>>,
}

impl SharedReads {
    pub(crate) fn new(market: Arc<Market>, likes: Arc<Likes>) -> Self {
        Self {
            quotes: Together::new(move |codes| quotes(Arc::clone(&market), codes)),
            likes: Together::each(move |member| liked(Arc::clone(&likes), member)),
        }
    }

    /// An instrument with its price.
    pub(super) async fn quote(&self, code: &str) -> Result<Item, ApiError> {
        let answer = self.quotes.ask(code.to_owned()).await;
        answer.unwrap_or_else(|| Err(Reason::Deadline.into()))
    }

    /// What a member likes.
    pub(super) async fn liked(&self, member: MemberId) -> Result<Arc<Liked>, ApiError> {
        let answer = self.likes.ask(member).await;
        answer.unwrap_or_else(|| Err(Reason::Deadline.into()))
    }
}

/// The answer to each of `codes`, all of them asked for in one call.
async fn quotes(market: Arc<Market>, codes: Vec<String>) -> Vec<Result<Item, ApiError>> {
    let different: BTreeSet<&String> = codes.iter().collect();
    let request = GetQuotesRequest {
        codes: different.into_iter().cloned().collect(),
    };
    let asked = market.read(async |mut market| market.get_quotes(request.clone()).await);
    let found = asked.await.map(|found| {
        let known = found.items.into_iter();
        known
            .filter_map(|item| Some((item.instrument.as_ref()?.code.clone(), item)))
            .map(|(code, item)| (code.clone(), readable(code, item)))
            .collect::<HashMap<_, _>>()
    });
    let answer = |code| match &found {
        Ok(found) => match found.get(code) {
            Some(answer) => answer.clone(),
            None => Err(Reason::InstrumentNotFound.into()),
        },
        Err(error) => Err(error.clone()),
    };
    codes.iter().map(answer).collect()
}

fn readable(code: String, item: wire::Item) -> Result<Item, ApiError> {
    Item::try_from(item).map_err(|error| {
        tracing::warn!(%error, code, "an instrument has no readable price");
        Reason::MarketUnavailable.into()
    })
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
