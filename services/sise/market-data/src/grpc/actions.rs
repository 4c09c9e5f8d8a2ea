use bootstrap::grpc::Reply;
use proto::market::v1 as wire;
use proto::market::v1::corporate_action_service_server::CorporateActionService;
use tonic::{Request, Response};

use super::Market;
use crate::error::MarketError;

#[tonic::async_trait]
impl CorporateActionService for Market {
    async fn list_dividends(
        &self,
        request: Request<wire::ListDividendsRequest>,
    ) -> Reply<wire::Dividends> {
        let dividends = self
            .candles
            .dividends(&request.into_inner())
            .await
            .map_err(MarketError::from)?;
        Ok(Response::new(wire::Dividends { dividends }))
    }

    async fn list_splits(&self, request: Request<wire::ListSplitsRequest>) -> Reply<wire::Splits> {
        let splits = self
            .candles
            .splits(&request.into_inner())
            .await
            .map_err(MarketError::from)?;
        Ok(Response::new(wire::Splits { splits }))
    }
}
