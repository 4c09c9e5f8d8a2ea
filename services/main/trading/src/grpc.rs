//! The service: translate, call the store, translate.

mod dividends;
mod orders;
mod parse;
pub mod view;

use std::sync::Arc;
use std::time::Duration;

use kernel::{MemberId, OrderId};
use messaging::trace;
use proto::convert::{InvalidField, to_optional_decimal};
use proto::trading::v1 as wire;
use proto::trading::v1::trading_service_server::{TradingService, TradingServiceServer};
use tonic::{Request, Response, Status};

use crate::error::TradingError;
use crate::orders::committer::Committer;
use crate::orders::waiting::OrderFilter;
use crate::store::Store;

pub use dividends::DividendList;
pub use orders::Orders;

/// How long a repeated request waits for the first one, and everything else for the database.
const TIMEOUT: Duration = Duration::from_secs(4);

/// The trading service.
pub struct Trading {
    store: Store,
    committer: Committer,
}

impl Trading {
    /// The service on `store`, whose orders are committed by `committer`.
    #[must_use]
    pub fn server(store: Store, committer: Committer) -> TradingServiceServer<Self> {
        TradingServiceServer::from_arc(Arc::new(Self { store, committer }))
    }
}

type Answer<T> = Result<Response<T>, Status>;

/// Members are numbered from one; nobody (0) has no account.
fn member(id: i64) -> Result<MemberId, TradingError> {
    if id > 0 {
        Ok(MemberId(id))
    } else {
        Err(TradingError::Malformed("member_id"))
    }
}

/// Waits for an answer no longer than a caller would. The work itself is a task of its own: a
/// caller who hangs up must not cut a transaction in two.
async fn patiently<T: Send + 'static>(
    work: impl Future<Output = Result<T, TradingError>> + Send + 'static,
) -> Result<T, TradingError> {
    let patience = bootstrap::deadline::remaining().map_or(TIMEOUT, |left| left.min(TIMEOUT));
    let task = match trace::current() {
        Some(context) => tokio::spawn(trace::scope(context, work)),
        None => tokio::spawn(work),
    };
    match tokio::time::timeout(patience, task).await {
        Ok(answer) => answer?,
        Err(_elapsed) => Err(TradingError::DeadlinePassed),
    }
}

#[tonic::async_trait]
impl TradingService for Trading {
    async fn place_order(
        &self,
        request: Request<wire::PlaceOrderRequest>,
    ) -> Answer<wire::OrderReply> {
        let mut order = parse::place(request.into_inner())?;
        order.trace = trace::current();
        // Handing it in is enough: the committer's own task decides and commits.
        let patience = bootstrap::deadline::remaining().unwrap_or(TIMEOUT);
        match tokio::time::timeout(patience, self.committer.place(order)).await {
            Ok(reply) => Ok(Response::new(reply?)),
            Err(_elapsed) => Err(TradingError::DeadlinePassed.into()),
        }
    }

    async fn cancel_order(
        &self,
        request: Request<wire::CancelOrderRequest>,
    ) -> Answer<wire::OrderReply> {
        let cancel = parse::cancel(&request.into_inner())?;
        let store = self.store.clone();
        let canceled = patiently(async move { store.cancel_order(&cancel).await });
        Ok(Response::new(canceled.await?))
    }

    async fn list_waiting_orders(
        &self,
        request: Request<wire::ListWaitingOrdersRequest>,
    ) -> Answer<wire::Orders> {
        let wanted = request.into_inner();
        let filter = OrderFilter {
            account: parse::optional_account(&wanted.account_no)?,
            category: parse::optional_category(wanted.category())?,
            instrument_code: parse::optional_code(&wanted.instrument_code)?,
        };
        let member_id = member(wanted.member_id)?;
        let store = self.store.clone();
        let orders = patiently(async move { store.waiting_orders(member_id, &filter).await });
        let orders = orders.await?;
        Ok(Response::new(wire::Orders { orders }))
    }

    async fn get_order(
        &self,
        request: Request<wire::GetOrderRequest>,
    ) -> Answer<wire::OrderDetail> {
        let wanted = request.into_inner();
        let member_id = member(wanted.member_id)?;
        let order_id = OrderId(wanted.order_id);
        let store = self.store.clone();
        let detail = patiently(async move { store.order_detail(member_id, order_id).await });
        Ok(Response::new(detail.await?))
    }

    async fn list_holdings(
        &self,
        request: Request<wire::ListHoldingsRequest>,
    ) -> Answer<wire::Holdings> {
        let wanted = request.into_inner();
        let filter = OrderFilter {
            account: parse::optional_account(&wanted.account_no)?,
            category: parse::optional_category(wanted.category())?,
            instrument_code: parse::optional_code(&wanted.instrument_code)?,
        };
        let member_id = member(wanted.member_id)?;
        let store = self.store.clone();
        let holdings = patiently(async move { store.holdings(member_id, &filter).await });
        let holdings = holdings.await?;
        Ok(Response::new(wire::Holdings { holdings }))
    }

    async fn get_account_summary(
        &self,
        request: Request<wire::GetAccountSummaryRequest>,
    ) -> Answer<wire::AccountSummary> {
        let member_id = member(request.into_inner().member_id)?;
        let store = self.store.clone();
        let summary = patiently(async move { store.account_summary(member_id).await });
        Ok(Response::new(summary.await?))
    }

    async fn get_order_capacity(
        &self,
        request: Request<wire::GetOrderCapacityRequest>,
    ) -> Answer<wire::OrderCapacity> {
        let wanted = request.into_inner();
        let member_id = member(wanted.member_id)?;
        let account = parse::account(&wanted.account_no)?;
        let price = to_optional_decimal(wanted.price.as_ref(), "price")
            .and_then(|price| parse::bounded(price, "price"))
            .map_err(|error: InvalidField| TradingError::from(error))?;
        let price = price.filter(|price| !price.is_zero()).map(kernel::Price);
        let code = parse::code(&wanted.instrument_code)?;
        let store = self.store.clone();
        let capacity = patiently(async move {
            let capacity = store.order_capacity(member_id, &account, &code, price);
            capacity.await
        });
        Ok(Response::new(capacity.await?))
    }

    async fn get_balances(
        &self,
        request: Request<wire::GetBalancesRequest>,
    ) -> Answer<wire::Balances> {
        let member_id = member(request.into_inner().member_id)?;
        let store = self.store.clone();
        let balances = patiently(async move { store.balances(member_id).await });
        Ok(Response::new(balances.await?))
    }

    async fn list_member_fills(
        &self,
        request: Request<wire::ListMemberFillsRequest>,
    ) -> Answer<wire::MemberFills> {
        let wanted = request.into_inner();
        let member_id = member(wanted.member_id)?;
        let store = self.store.clone();
        let fills = patiently(async move { store.member_fills(member_id, wanted.after_seq).await });
        Ok(Response::new(fills.await?))
    }
}

#[cfg(test)]
mod tests {
    use tonic::Code;

    use super::*;

    #[tokio::test]
    async fn work_that_breaks_off_is_our_fault_and_not_a_rush() {
        let broken = patiently::<()>(async { panic!("on purpose") }).await;
        assert_eq!(Status::from(broken.unwrap_err()).code(), Code::Internal);
    }
}
