use bootstrap::grpc::Reply;
use kernel::MemberId;
use proto::convert::InvalidField;
use proto::market::v1 as wire;
use proto::market::v1::search_history_service_server::SearchHistoryService;
use tonic::{Request, Response};

use super::Market;
use super::likes::member;
use crate::error::MarketError;

/// In characters.
const MAX_TEXT_LENGTH: usize = 50;

#[tonic::async_trait]
impl SearchHistoryService for Market {
    async fn list_searches(
        &self,
        request: Request<wire::ListSearchesRequest>,
    ) -> Reply<wire::SearchHistory> {
        let request = request.into_inner();
        let kind = kind(request.kind())?;
        Ok(self.history(member(request.member_id)?, kind).await?)
    }

    async fn note_search(
        &self,
        request: Request<wire::NoteSearchRequest>,
    ) -> Reply<wire::SearchHistory> {
        let request = request.into_inner();
        let (member, kind) = (member(request.member_id)?, kind(request.kind())?);
        let text = request.text.trim();
        if text.chars().count() > MAX_TEXT_LENGTH {
            return Err(InvalidField("text").into());
        }
        // An empty search is not recorded.
        if !text.is_empty() {
            let clock = self.clock.as_ref();
            self.store.note_search(member, kind, text, clock).await?;
        }
        Ok(self.history(member, kind).await?)
    }

    async fn forget_search(
        &self,
        request: Request<wire::ForgetSearchRequest>,
    ) -> Reply<wire::SearchHistory> {
        let request = request.into_inner();
        let (member, kind) = (member(request.member_id)?, kind(request.kind())?);
        let text = Some(request.text.trim()).filter(|text| !text.is_empty());
        self.store.forget_search(member, kind, text).await?;
        Ok(self.history(member, kind).await?)
    }
}

impl Market {
    async fn history(
        &self,
        member: MemberId,
        kind: &str,
    ) -> Result<Response<wire::SearchHistory>, MarketError> {
        let texts = self.store.searches(member, kind).await?;
        Ok(Response::new(wire::SearchHistory { texts }))
    }
}

fn kind(kind: wire::ItemKind) -> Result<&'static str, InvalidField> {
    match kind {
        wire::ItemKind::Unspecified => Err(InvalidField("kind")),
        wire::ItemKind::Stock => Ok("STOCK"),
        wire::ItemKind::Etf => Ok("ETF"),
        wire::ItemKind::Coin => Ok("COIN"),
        wire::ItemKind::Gold => Ok("GOLD"),
        wire::ItemKind::Product => Ok("PRODUCT"),
    }
}
