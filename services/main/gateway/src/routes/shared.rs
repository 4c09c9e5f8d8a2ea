//! What many requests read at the same moment: a popular instrument, and the likes of a member
//! whose screen asks for several things. Those who ask together share one call.

use std::sync::Arc;

use kernel::MemberId;
use proto::market::v1::{GetQuoteRequest, ListLikesRequest};

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
            quotes: Together::each(move |code| quote(Arc::clone(&market), code)),
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

async fn quote(market: Arc<Market>, code: String) -> Result<Item, ApiError> {
    let request = GetQuoteRequest { code };
    let found = market
        .read(async |mut market| market.get_quote(request.clone()).await)
        .await?;
    Item::try_from(found).map_err(|error| {
        let code = request.code;
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
