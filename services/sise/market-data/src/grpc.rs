//! The gRPC services: convert the request, call the module, convert the result.

mod actions;
mod alerts;
mod closes;
mod company;
mod items;
mod likes;
mod membership;
mod products;
mod searches;
mod trends;

use std::sync::Arc;

use bootstrap::grpc::Reply;
use kernel::Clock;
use proto::market::v1 as wire;
use proto::market::v1::alert_service_server::AlertServiceServer;
use proto::market::v1::close_service_server::CloseServiceServer;
use proto::market::v1::corporate_action_service_server::CorporateActionServiceServer;
use proto::market::v1::like_service_server::LikeServiceServer;
use proto::market::v1::market_service_server::{MarketService, MarketServiceServer};
use proto::market::v1::product_service_server::ProductServiceServer;
use proto::market::v1::search_history_service_server::SearchHistoryServiceServer;
use proto::market::v1::trend_service_server::TrendServiceServer;
use tonic::service::Routes;
use tonic::{Request, Response};

use crate::candles::CandleStore;
use crate::catalogue::{Catalogue, Instrument};
use crate::closes::Closes;
use crate::config::{MarketClock, MarketFeed};
use crate::exchange::ExchangeRates;
use crate::feed::LatestRates;
use crate::likes::Likes;
use crate::popular::Popular;
use crate::quotes::QuoteBoard;
use crate::savings::Savings;
use crate::search::SearchIndex;
use crate::sise::{AccessVerifier, SiseSigner};
use crate::sparklines::Sparklines;
use crate::store::Store;
use crate::trends::Trends;

/// The dependencies of the services.
pub struct Market {
    pub catalogue: Catalogue,
    pub board: QuoteBoard,
    pub store: Store,
    pub likes: Likes,
    pub search: SearchIndex<Instrument>,
    pub savings: Savings,
    pub trends: Trends,
    pub sparklines: Sparklines,
    pub popular: Popular,
    pub candles: CandleStore,
    pub closes: Closes,
    pub exchange: ExchangeRates,
    /// Index values of the feed.
    pub rates: LatestRates,
    pub verifier: AccessVerifier,
    pub signer: SiseSigner,
    pub market_clock: MarketClock,
    pub feed: MarketFeed,
    /// Price alerts of all members that may wait at a time.
    pub price_alerts_max: u32,
    pub clock: Arc<dyn Clock>,
}

impl Market {
    #[must_use]
    pub fn into_routes(self) -> Routes {
        let market = Arc::new(self);
        Routes::new(MarketServiceServer::from_arc(Arc::clone(&market)))
            .add_service(AlertServiceServer::from_arc(Arc::clone(&market)))
            .add_service(LikeServiceServer::from_arc(Arc::clone(&market)))
            .add_service(SearchHistoryServiceServer::from_arc(Arc::clone(&market)))
            .add_service(ProductServiceServer::from_arc(Arc::clone(&market)))
            .add_service(CorporateActionServiceServer::from_arc(Arc::clone(&market)))
            .add_service(CloseServiceServer::from_arc(Arc::clone(&market)))
            .add_service(TrendServiceServer::from_arc(market))
    }
}

#[tonic::async_trait]
impl MarketService for Market {
    async fn list_instruments(
        &self,
        _request: Request<wire::ListInstrumentsRequest>,
    ) -> Reply<wire::ListInstrumentsResponse> {
        Ok(Response::new(self.instruments()))
    }

    async fn get_instrument(
        &self,
        request: Request<wire::GetInstrumentRequest>,
    ) -> Reply<wire::InstrumentDetail> {
        let item = self.item(&request.into_inner().code)?;
        Ok(Response::new(wire::InstrumentDetail {
            instrument: item.instrument,
            quote: item.quote,
        }))
    }

    async fn get_snapshot(
        &self,
        request: Request<wire::GetSnapshotRequest>,
    ) -> Reply<wire::Snapshot> {
        let codes = request.into_inner().codes;
        Ok(Response::new(self.board.snapshot(&codes)))
    }

    async fn browse_items(
        &self,
        request: Request<wire::BrowseItemsRequest>,
    ) -> Reply<wire::ItemPage> {
        Ok(Response::new(self.browse(&request.into_inner())?))
    }

    async fn list_popular(
        &self,
        request: Request<wire::ListPopularRequest>,
    ) -> Reply<wire::ItemPage> {
        Ok(Response::new(
            self.most_popular(&request.into_inner()).await?,
        ))
    }

    async fn search_items(
        &self,
        request: Request<wire::SearchItemsRequest>,
    ) -> Reply<wire::ItemPage> {
        Ok(Response::new(self.find(&request.into_inner()).await?))
    }

    async fn get_quotes(&self, request: Request<wire::GetQuotesRequest>) -> Reply<wire::Items> {
        Ok(Response::new(self.items(&request.into_inner())?))
    }

    async fn get_candles(&self, request: Request<wire::GetCandlesRequest>) -> Reply<wire::Candles> {
        Ok(Response::new(self.chart(&request.into_inner()).await?))
    }

    async fn get_company_outline(
        &self,
        request: Request<wire::GetCompanyOutlineRequest>,
    ) -> Reply<wire::CompanyOutline> {
        let code = request.into_inner().code;
        Ok(Response::new(self.company_outline(&code).await?))
    }

    async fn get_exchange_rates(
        &self,
        _request: Request<wire::GetExchangeRatesRequest>,
    ) -> Reply<wire::ExchangeRates> {
        let rates = self.exchange.all(self.clock.now().timestamp_micros());
        Ok(Response::new(wire::ExchangeRates { rates }))
    }

    async fn get_market_info(
        &self,
        _request: Request<wire::GetMarketInfoRequest>,
    ) -> Reply<wire::MarketInfo> {
        Ok(Response::new(wire::MarketInfo {
            clock: self.market_clock.as_str().to_owned(),
            feed: self.feed.as_str().to_owned(),
            simulated: self.feed.is_simulated(),
            market_time_us: self.board.progress().market_time_us,
            venues: self.board.venues(),
        }))
    }

    async fn note_item_opened(
        &self,
        request: Request<wire::NoteItemOpenedRequest>,
    ) -> Reply<wire::NoteItemOpenedResponse> {
        self.record_opening(&request.into_inner()).await;
        Ok(Response::new(wire::NoteItemOpenedResponse {}))
    }

    async fn register_sise_member(
        &self,
        request: Request<wire::SiseTokenRequest>,
    ) -> Reply<wire::SiseMember> {
        let token = request.into_inner().main_access_token;
        Ok(Response::new(self.register(&token).await?))
    }

    async fn issue_sise_token(
        &self,
        request: Request<wire::SiseTokenRequest>,
    ) -> Reply<wire::SiseToken> {
        let token = request.into_inner().main_access_token;
        Ok(Response::new(self.issue_token(&token).await?))
    }

    async fn get_sise_jwks(
        &self,
        _request: Request<wire::GetSiseJwksRequest>,
    ) -> Reply<wire::SiseJwks> {
        let json = self.signer.jwks().to_owned();
        Ok(Response::new(wire::SiseJwks { json }))
    }
}
