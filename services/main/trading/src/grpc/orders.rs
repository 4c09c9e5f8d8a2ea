//! The service of what else a member does with orders: modify, look back, look ahead.

use std::sync::Arc;

use chrono::DateTime;
use kernel::{OrderId, Price, Quantity};
use proto::convert::{InvalidField, to_optional_decimal, to_required_decimal};
use proto::trading::v1 as wire;
use proto::trading::v1::order_service_server::{OrderService, OrderServiceServer};
use tonic::{Request, Response};

use super::{Answer, member, parse, patiently};
use crate::error::TradingError;
use crate::orders::history::{HistoryFilter, HistoryKind};
use crate::store::Store;

const PAGE: u64 = 20;
const LARGEST_PAGE: u64 = 100;

/// The order service.
pub struct Orders {
    store: Store,
}

impl Orders {
    /// The service on `store`.
    #[must_use]
    pub fn server(store: Store) -> OrderServiceServer<Self> {
        OrderServiceServer::from_arc(Arc::new(Self { store }))
    }
}

#[tonic::async_trait]
impl OrderService for Orders {
    async fn modify_order(
        &self,
        request: Request<wire::ModifyOrderRequest>,
    ) -> Answer<wire::OrderReply> {
        let modify = parse::modify(&request.into_inner())?;
        let store = self.store.clone();
        let modified = patiently(async move { store.modify_order(&modify).await });
        Ok(Response::new(modified.await?))
    }

    async fn close_request(
        &self,
        request: Request<wire::CloseRequestRequest>,
    ) -> Answer<wire::OrderReply> {
        let (member_id, request_id) = parse::close(&request.into_inner())?;
        let store = self.store.clone();
        let answer = patiently(async move { store.close_request(member_id, request_id).await });
        Ok(Response::new(answer.await?))
    }

    async fn list_order_history(
        &self,
        request: Request<wire::ListOrderHistoryRequest>,
    ) -> Answer<wire::OrderPage> {
        let wanted = request.into_inner();
        let member_id = member(wanted.member_id)?;
        let filter = history(&wanted)?;
        let store = self.store.clone();
        let page = patiently(async move { store.order_history(member_id, &filter).await });
        Ok(Response::new(page.await?))
    }

    async fn preview_order(
        &self,
        request: Request<wire::PreviewOrderRequest>,
    ) -> Answer<wire::OrderPreview> {
        let wanted = request.into_inner();
        let member_id = member(wanted.member_id)?;
        let account = parse::account(&wanted.account_no)?;
        let code = parse::code(&wanted.instrument_code)?;
        let side = parse::side(wanted.side())?;
        let terms = terms(&wanted).map_err(TradingError::from)?;
        let store = self.store.clone();
        let preview = patiently(async move {
            let preview = store.preview(member_id, &account, &code, side, terms);
            preview.await
        });
        Ok(Response::new(preview.await?))
    }
}

fn terms(wanted: &wire::PreviewOrderRequest) -> Result<(Option<Price>, Quantity), InvalidField> {
    let price = to_optional_decimal(wanted.price.as_ref(), "price")
        .and_then(|price| parse::bounded(price, "price"))?;
    let quantity = to_required_decimal(wanted.quantity.as_ref(), "quantity")
        .and_then(|quantity| parse::bounded(Some(quantity), "quantity"))?;
    let price = price.filter(|price| !price.is_zero()).map(Price);
    Ok((price, Quantity(quantity.unwrap_or_default())))
}

fn history(wanted: &wire::ListOrderHistoryRequest) -> Result<HistoryFilter, TradingError> {
    let instant = |micros: Option<i64>, field: &'static str| {
        micros
            .map(|micros| {
                DateTime::from_timestamp_micros(micros).ok_or(TradingError::Malformed(field))
            })
            .transpose()
    };
    let kind = match wanted.kind() {
        wire::OrderHistoryKind::Unspecified => return Err(TradingError::Malformed("kind")),
        wire::OrderHistoryKind::All => HistoryKind::All,
        wire::OrderHistoryKind::Filled => HistoryKind::Filled,
        wire::OrderHistoryKind::Wait => HistoryKind::Wait,
        wire::OrderHistoryKind::Canceled => HistoryKind::Canceled,
    };
    let size = match wanted.size {
        0 => PAGE,
        size => u64::try_from(size)
            .ok()
            .filter(|size| *size <= LARGEST_PAGE)
            .ok_or(TradingError::Malformed("size"))?,
    };
    Ok(HistoryFilter {
        category: parse::optional_category(wanted.category())?
            .ok_or(TradingError::Malformed("category"))?,
        kind,
        from: instant(wanted.placed_from_us, "placed_from_us")?,
        before: instant(wanted.placed_before_us, "placed_before_us")?,
        older_than: Some(wanted.before_order_id)
            .filter(|id| *id != 0)
            .map(OrderId),
        size,
    })
}
