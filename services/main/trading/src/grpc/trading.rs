//! `TradingService`: places and cancels orders, lists orders, fills, holdings and accounts.

use std::sync::Arc;

use bootstrap::deadline::{self, Deadline};
use bootstrap::grpc::Reply;
use kernel::{MemberId, OrderId};
use proto::convert::{InvalidField, to_optional_decimal};
use proto::trading::v1 as wire;
use proto::trading::v1::trading_service_server::{TradingService, TradingServiceServer};
use telemetry::trace;
use tonic::{Request, Response};

use super::call::{TIMEOUT, member, with_timeout};
use super::{account_view, parse, view};
use crate::error::TradingError;
use crate::orders::committer::Committer;
use crate::orders::message;
use crate::store::Store;

/// Members whose levels are told at once.
const MOST_LEVELS: usize = 200;

pub struct Trading {
    store: Store,
    committer: Committer,
}

impl Trading {
    #[must_use]
    pub fn server(store: Store, committer: Committer) -> TradingServiceServer<Self> {
        TradingServiceServer::from_arc(Arc::new(Self { store, committer }))
    }
}

#[tonic::async_trait]
impl TradingService for Trading {
    async fn place_order(
        &self,
        request: Request<wire::PlaceOrderRequest>,
    ) -> Reply<wire::OrderReply> {
        let mut order = parse::place(request.into_inner())?;
        order.trace = trace::current();
        // No task of its own: the task of the committer validates and commits the order.
        let timeout = deadline::remaining().unwrap_or(TIMEOUT);
        order.deadline = Some(Deadline::within(timeout));
        match tokio::time::timeout(timeout, self.committer.place(order)).await {
            Ok(reply) => Ok(Response::new(reply?)),
            Err(_elapsed) => Err(TradingError::DeadlinePassed.into()),
        }
    }

    async fn cancel_order(
        &self,
        request: Request<wire::CancelOrderRequest>,
    ) -> Reply<wire::OrderReply> {
        let cancel = parse::cancel(&request.into_inner())?;
        let store = self.store.clone();
        let canceled = with_timeout(async move { store.cancel_order(&cancel).await });
        Ok(Response::new(canceled.await?))
    }

    async fn list_waiting_orders(
        &self,
        request: Request<wire::ListWaitingOrdersRequest>,
    ) -> Reply<wire::Orders> {
        let request = request.into_inner();
        let (account_no, code) = (&request.account_no, &request.instrument_code);
        let filter = parse::list_filter(account_no, request.category(), code)?;
        let member_id = member(request.member_id)?;
        let store = self.store.clone();
        let orders = with_timeout(async move { store.waiting_orders(member_id, &filter).await });
        let orders = orders.await?.into_iter();
        let orders = orders.map(message::order_snapshot).collect();
        Ok(Response::new(wire::Orders { orders }))
    }

    async fn get_order(&self, request: Request<wire::GetOrderRequest>) -> Reply<wire::OrderDetail> {
        let request = request.into_inner();
        let member_id = member(request.member_id)?;
        let order_id = OrderId(request.order_id);
        let store = self.store.clone();
        let detail = with_timeout(async move { store.order_detail(member_id, order_id).await });
        Ok(Response::new(message::order_detail(detail.await?)))
    }

    async fn list_holdings(
        &self,
        request: Request<wire::ListHoldingsRequest>,
    ) -> Reply<wire::Holdings> {
        let request = request.into_inner();
        let (account_no, code) = (&request.account_no, &request.instrument_code);
        let filter = parse::list_filter(account_no, request.category(), code)?;
        let member_id = member(request.member_id)?;
        let store = self.store.clone();
        let holdings = with_timeout(async move { store.holdings(member_id, &filter).await });
        let holdings = holdings.await?.into_iter();
        let holdings = holdings.map(account_view::holding).collect();
        Ok(Response::new(wire::Holdings { holdings }))
    }

    async fn get_account_summary(
        &self,
        request: Request<wire::GetAccountSummaryRequest>,
    ) -> Reply<wire::AccountSummary> {
        let member_id = member(request.into_inner().member_id)?;
        let store = self.store.clone();
        let summary = with_timeout(async move { store.account_summary(member_id).await });
        Ok(Response::new(account_view::summary(summary.await?)))
    }

    async fn get_order_capacity(
        &self,
        request: Request<wire::GetOrderCapacityRequest>,
    ) -> Reply<wire::OrderCapacity> {
        let request = request.into_inner();
        let member_id = member(request.member_id)?;
        let account = parse::account(&request.account_no)?;
        let price = to_optional_decimal(request.price.as_ref(), "price")
            .and_then(|price| parse::bounded(price, "price"))
            .map_err(|error: InvalidField| TradingError::from(error))?;
        let price = price.filter(|price| !price.is_zero()).map(kernel::Price);
        let code = parse::code(&request.instrument_code)?;
        let store = self.store.clone();
        let capacity = with_timeout(async move {
            let capacity = store.order_capacity(member_id, &account, &code, price);
            capacity.await
        });
        Ok(Response::new(view::order_capacity(capacity.await?)))
    }

    async fn list_levels(&self, request: Request<wire::ListLevelsRequest>) -> Reply<wire::Levels> {
        let ids = request.into_inner().member_ids.into_iter();
        let members: Vec<MemberId> = ids.take(MOST_LEVELS).map(MemberId).collect();
        let store = self.store.clone();
        let levels = with_timeout(async move { store.levels(&members).await });
        let levels = levels.await?.into_iter();
        let levels = levels.map(|(member_id, level)| wire::MemberLevel {
            member_id: member_id.0,
            level: level.number.into(),
            level_name: level.name.to_owned(),
            from_won: level.from.0,
        });
        Ok(Response::new(wire::Levels {
            levels: levels.collect(),
        }))
    }

    async fn get_balances(
        &self,
        request: Request<wire::GetBalancesRequest>,
    ) -> Reply<wire::Balances> {
        let member_id = member(request.into_inner().member_id)?;
        let store = self.store.clone();
        let balances = with_timeout(async move { store.balances(member_id).await });
        Ok(Response::new(account_view::balances(balances.await?)))
    }

    async fn list_member_fills(
        &self,
        request: Request<wire::ListMemberFillsRequest>,
    ) -> Reply<wire::MemberFills> {
        let request = request.into_inner();
        let member_id = member(request.member_id)?;
        let store = self.store.clone();
        let fills =
            with_timeout(async move { store.member_fills(member_id, request.after_seq).await });
        Ok(Response::new(view::member_fills(fills.await?, member_id)))
    }
}
