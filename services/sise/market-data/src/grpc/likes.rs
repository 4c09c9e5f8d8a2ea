use bootstrap::grpc::Reply;
use kernel::{MarketCode, MemberId};
use proto::convert::InvalidField;
use proto::market::v1 as wire;
use proto::market::v1::like_service_server::LikeService;
use tonic::{Request, Response};

use super::items::{markets, not_found};
use super::{Market, products};
use crate::error::MarketError;

#[tonic::async_trait]
impl LikeService for Market {
    async fn set_item_like(
        &self,
        request: Request<wire::SetItemLikeRequest>,
    ) -> Reply<wire::SetLikeResponse> {
        let request = request.into_inner();
        let member = member(request.member_id)?;
        let code = &request.code;
        let instrument = self.catalogue.get(code).ok_or_else(|| not_found(code))?;
        if request.kind() != kind_of(instrument.market) {
            let code = request.code;
            return Err(MarketError::ItemKindMismatch { code }.into());
        }
        let clock = self.clock.as_ref();
        self.likes
            .set_item(member, code, request.liked, clock)
            .await?;
        Ok(Response::new(wire::SetLikeResponse {}))
    }

    async fn set_product_like(
        &self,
        request: Request<wire::SetProductLikeRequest>,
    ) -> Reply<wire::SetLikeResponse> {
        let request = request.into_inner();
        let member = member(request.member_id)?;
        let product_id = self.offer(request.product_id)?.product.id;
        let clock = self.clock.as_ref();
        self.likes
            .set_product(member, product_id, request.liked, clock)
            .await?;
        Ok(Response::new(wire::SetLikeResponse {}))
    }

    async fn list_likes(&self, request: Request<wire::ListLikesRequest>) -> Reply<wire::Likes> {
        let member = member(request.into_inner().member_id)?;
        let liked = self.likes.of(member).await?;
        Ok(Response::new(wire::Likes {
            codes: liked.codes.clone(),
            product_ids: liked.product_ids.clone(),
        }))
    }

    async fn list_liked_items(
        &self,
        request: Request<wire::ListLikedItemsRequest>,
    ) -> Reply<wire::ItemPage> {
        let request = request.into_inner();
        let markets = markets(&request.markets)?;
        let liked = self.likes.of(member(request.member_id)?).await?;
        let liked = liked
            .codes
            .iter()
            .filter_map(|code| self.catalogue.get(code));
        let wanted: Vec<_> = liked
            .filter(|instrument| markets.is_empty() || markets.contains(&instrument.market))
            .collect();
        Ok(Response::new(self.all_of(&wanted)))
    }

    async fn list_liked_products(
        &self,
        request: Request<wire::ListLikedProductsRequest>,
    ) -> Reply<wire::Products> {
        let member = member(request.into_inner().member_id)?;
        let liked = self.likes.of(member).await?;
        let offers = liked
            .product_ids
            .iter()
            .filter_map(|id| self.savings.get(*id));
        Ok(Response::new(wire::Products {
            products: offers.map(|offer| products::to_wire(offer)).collect(),
        }))
    }
}

/// Refuses ids that are not positive.
pub(super) fn member(id: i64) -> Result<MemberId, InvalidField> {
    Some(MemberId(id))
        .filter(|member| member.0 > 0)
        .ok_or(InvalidField("member_id"))
}

fn kind_of(market: MarketCode) -> wire::ItemKind {
    match market {
        MarketCode::Kospi | MarketCode::Kosdaq | MarketCode::Global => wire::ItemKind::Stock,
        MarketCode::Etf => wire::ItemKind::Etf,
        MarketCode::Coin => wire::ItemKind::Coin,
        MarketCode::Gold => wire::ItemKind::Gold,
    }
}
