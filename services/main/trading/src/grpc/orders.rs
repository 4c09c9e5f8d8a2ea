//! `OrderService`: modifies orders, closes requests, order history and previews.

use bootstrap::grpc::Reply;
use chrono::DateTime;
use kernel::{OrderId, Price};
use proto::convert::to_optional_decimal;
use proto::trading::v1 as wire;
use proto::trading::v1::order_service_server::OrderService;
use tonic::{Request, Response};

use super::Service;
use super::call::{member, with_timeout};
use super::{parse, view};
use crate::error::TradingError;
use crate::orders::history::{HistoryFilter, HistoryKind};
use crate::orders::order::Side;
use crate::orders::validation::OrderSize;

const DEFAULT_PAGE: u64 = 20;
const MAX_PAGE: u64 = 100;

#[tonic::async_trait]
impl OrderService for Service {
    async fn modify_order(
        &self,
        request: Request<wire::ModifyOrderRequest>,
    ) -> Reply<wire::OrderReply> {
        let modify = parse::modify(&request.into_inner())?;
        let store = self.store.clone();
        let modified = with_timeout(async move { store.modify_order(&modify).await });
        Ok(Response::new(modified.await?))
    }

    async fn close_request(
        &self,
        request: Request<wire::CloseRequestRequest>,
    ) -> Reply<wire::OrderReply> {
        let (member_id, request_id) = parse::close(&request.into_inner())?;
        let store = self.store.clone();
        let reply = with_timeout(async move { store.close_request(member_id, request_id).await });
        Ok(Response::new(reply.await?))
    }

    async fn list_order_history(
        &self,
        request: Request<wire::ListOrderHistoryRequest>,
    ) -> Reply<wire::OrderPage> {
        let request = request.into_inner();
        let member_id = member(request.member_id)?;
        let filter = history(&request)?;
        let store = self.store.clone();
        let page = with_timeout(async move { store.order_history(member_id, &filter).await });
        Ok(Response::new(view::order_page(page.await?)))
    }

    async fn preview_order(
        &self,
        request: Request<wire::PreviewOrderRequest>,
    ) -> Reply<wire::OrderPreview> {
        let request = request.into_inner();
        let member_id = member(request.member_id)?;
        let account = parse::account(&request.account_no)?;
        let code = parse::code(&request.instrument_code)?;
        let side = parse::side(request.side())?;
        let terms = terms(&request, side)?;
        let store = self.store.clone();
        let preview = with_timeout(async move {
            let preview = store.preview(member_id, &account, &code, side, terms);
            preview.await
        });
        Ok(Response::new(view::order_preview(&preview.await?)))
    }
}

fn terms(
    request: &wire::PreviewOrderRequest,
    side: Side,
) -> Result<(Option<Price>, OrderSize), TradingError> {
    let price = to_optional_decimal(request.price.as_ref(), "price")
        .and_then(|price| parse::bounded(price, "price"))?;
    let quantity = to_optional_decimal(request.quantity.as_ref(), "quantity")
        .and_then(|quantity| parse::bounded(quantity, "quantity"))?;
    let price = price.filter(|price| !price.is_zero()).map(Price);
    let size = parse::size(side, price, quantity, request.order_amount_won)?;
    Ok((price, size))
}

fn history(request: &wire::ListOrderHistoryRequest) -> Result<HistoryFilter, TradingError> {
    let instant = |micros: Option<i64>, field: &'static str| {
        micros
            .map(|micros| {
                DateTime::from_timestamp_micros(micros).ok_or(TradingError::Malformed(field))
            })
            .transpose()
    };
    let kind = match request.kind() {
        wire::OrderHistoryKind::Unspecified => return Err(TradingError::Malformed("kind")),
        wire::OrderHistoryKind::All => HistoryKind::All,
        wire::OrderHistoryKind::Filled => HistoryKind::Filled,
        wire::OrderHistoryKind::Wait => HistoryKind::Wait,
        wire::OrderHistoryKind::Canceled => HistoryKind::Canceled,
    };
    let size = match request.size {
        0 => DEFAULT_PAGE,
        size => u64::try_from(size)
            .ok()
            .filter(|size| *size <= MAX_PAGE)
            .ok_or(TradingError::Malformed("size"))?,
    };
    Ok(HistoryFilter {
        season: parse::season(request.season)?,
        account: parse::optional_account(&request.account_no)?,
        category: parse::optional_category(request.category())?
            .ok_or(TradingError::Malformed("category"))?,
        kind,
        from: instant(request.placed_from_us, "placed_from_us")?,
        before: instant(request.placed_before_us, "placed_before_us")?,
        older_than: Some(request.before_order_id)
            .filter(|id| *id != 0)
            .map(OrderId),
        size,
    })
}
