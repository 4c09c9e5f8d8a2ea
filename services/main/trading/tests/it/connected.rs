//! A second client of a world's service, for what happens at the same time.

use proto::trading::v1 as wire;
use proto::trading::v1::trading_service_client::TradingServiceClient;
use tonic::Status;
use tonic::transport::Channel;

/// A client of a world's service.
#[derive(Clone)]
pub(crate) struct Connected {
    pub(crate) client: TradingServiceClient<Channel>,
}

impl Connected {
    pub(crate) async fn place(
        &self,
        request: wire::PlaceOrderRequest,
    ) -> Result<wire::OrderReply, Status> {
        self.client
            .clone()
            .place_order(request)
            .await
            .map(tonic::Response::into_inner)
    }

    pub(crate) async fn cancel(
        &self,
        order: &wire::Order,
        member: i64,
    ) -> Result<wire::OrderReply, Status> {
        let request = wire::CancelOrderRequest {
            member_id: member,
            request_id: String::new(),
            order_id: order.order_id,
            side: order.side,
            category: order.category,
        };
        self.client
            .clone()
            .cancel_order(request)
            .await
            .map(tonic::Response::into_inner)
    }
}
