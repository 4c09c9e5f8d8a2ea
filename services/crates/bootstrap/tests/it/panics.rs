//! Panics in handlers of a gRPC server.

use std::time::Duration;

use bootstrap::{grpc, problem};
use proto::market::v1::trend_service_client::TrendServiceClient;
use proto::market::v1::trend_service_server::{TrendService, TrendServiceServer};
use proto::market::v1::{
    CommodityPrice, GetCommodityPriceRequest, GetGoldTrendRequest, GetTrendRequest, GoldTrend,
    IndexConstituents, ListIndexConstituentsRequest, ListSparklinesRequest, Sparklines, Trend,
    TrendKind,
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use tonic::{Code, Request, Response, Status};

/// Responds to one kind of trend and panics for any other.
struct Careless;

#[tonic::async_trait]
impl TrendService for Careless {
    async fn get_trend(
        &self,
        request: Request<GetTrendRequest>,
    ) -> Result<Response<Trend>, Status> {
        tokio::task::yield_now().await;
        assert_eq!(request.into_inner().kind(), TrendKind::Kospi, "a mistake");
        Ok(Response::new(Trend::default()))
    }

    async fn get_gold_trend(
        &self,
        _request: Request<GetGoldTrendRequest>,
    ) -> Result<Response<GoldTrend>, Status> {
        panic!("a mistake")
    }

    async fn get_commodity_price(
        &self,
        _request: Request<GetCommodityPriceRequest>,
    ) -> Result<Response<CommodityPrice>, Status> {
        panic!("a mistake")
    }

    async fn list_index_constituents(
        &self,
        _request: Request<ListIndexConstituentsRequest>,
    ) -> Result<Response<IndexConstituents>, Status> {
        panic!("a mistake")
    }

    async fn list_sparklines(
        &self,
        _request: Request<ListSparklinesRequest>,
    ) -> Result<Response<Sparklines>, Status> {
        panic!("a mistake")
    }
}

#[tokio::test]
async fn a_panic_fails_its_call_and_no_other_of_the_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let stop = CancellationToken::new();
    let serving = tokio::spawn(grpc::serve(
        listener,
        Routes::new(TrendServiceServer::new(Careless)),
        stop.clone(),
        Duration::from_secs(1),
    ));
    let client = TrendServiceClient::new(grpc::channel(&url).unwrap());
    let trend = async |kind: TrendKind| {
        let kind = kind.into();
        let answer = client.clone().get_trend(GetTrendRequest { kind }).await;
        answer.map(Response::into_inner)
    };
    for _ in 0..3 {
        let (failed, answered) = tokio::join!(trend(TrendKind::Coin), trend(TrendKind::Kospi));
        let status = failed.unwrap_err();
        assert_eq!(status.code(), Code::Internal, "{status:?}");
        assert_eq!(problem::of(&status).unwrap().reason, "INTERNAL");
        assert!(!status.message().contains("mistake"), "{status:?}");
        assert_eq!(answered.unwrap(), Trend::default());
        let asked = client.clone().get_gold_trend(GetGoldTrendRequest {}).await;
        assert_eq!(asked.unwrap_err().code(), Code::Internal);
    }
    stop.cancel();
    serving.await.unwrap().unwrap();
}
