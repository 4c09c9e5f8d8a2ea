//! A gRPC client of trading, as the gateway is one.

pub(crate) mod acts;

use std::time::Duration;

use bootstrap::deadline::{self, Deadline};
use bootstrap::{grpc, problem};
use proto::common::v1::Decimal as WireDecimal;
use proto::trading::v1 as wire;
use proto::trading::v1::competition_service_client::CompetitionServiceClient;
use proto::trading::v1::contract_service_client::ContractServiceClient;
use proto::trading::v1::item_service_client::ItemServiceClient;
use proto::trading::v1::order_service_client::OrderServiceClient;
use proto::trading::v1::season_service_client::SeasonServiceClient;
use proto::trading::v1::trading_service_client::TradingServiceClient;
use proto::trading::v1::transfer_service_client::TransferServiceClient;
use rust_decimal::Decimal;
use tonic::{Code, Response, Status};

use crate::acts::competitions::Event;
use crate::order::{
    Action, Cost, OrderCategory, OrderRequest, OrderResponse, OrderSheet, OrderSide, OrderView,
    Outcome,
};

const CALL_TIMEOUT: Duration = Duration::from_secs(3);

#[derive(Clone)]
pub(crate) struct TradingClient {
    trading: TradingServiceClient<grpc::Client>,
    orders: OrderServiceClient<grpc::Client>,
    transfers: TransferServiceClient<grpc::Client>,
    items: ItemServiceClient<grpc::Client>,
    contracts: ContractServiceClient<grpc::Client>,
    seasons: SeasonServiceClient<grpc::Client>,
    competitions: CompetitionServiceClient<grpc::Client>,
}

impl TradingClient {
    pub(crate) fn new(trading_url: &str) -> anyhow::Result<Self> {
        let channel = grpc::channel(trading_url)?;
        Ok(Self {
            trading: TradingServiceClient::new(channel.clone()),
            orders: OrderServiceClient::new(channel.clone()),
            transfers: TransferServiceClient::new(channel.clone()),
            items: ItemServiceClient::new(channel.clone()),
            contracts: ContractServiceClient::new(channel.clone()),
            seasons: SeasonServiceClient::new(channel.clone()),
            competitions: CompetitionServiceClient::new(channel),
        })
    }

    pub(crate) async fn send(&self, request: &OrderRequest) -> Outcome {
        let (mut trading, mut orders) = (self.trading.clone(), self.orders.clone());
        let response = match request.action {
            Action::Place => call(trading.place_order(place_request(request))).await,
            Action::Cancel(order_id) => {
                call(trading.cancel_order(cancel_request(request, order_id))).await
            }
            Action::Modify(order_id) => {
                call(orders.modify_order(modify_request(request, order_id))).await
            }
        };
        match response {
            Ok(reply) => match reply.order.as_ref().and_then(view) {
                Some(reply) => Outcome::Final(OrderResponse::Order(Box::new(reply))),
                None => Outcome::Unknown("a response without an order".to_owned()),
            },
            Err(status) => match rejection_reason(&status) {
                Some(reason) => Outcome::Final(OrderResponse::Rejected(reason)),
                None => Outcome::Unknown(status.to_string()),
            },
        }
    }

    pub(crate) async fn sheet(&self, member_id: i64, code: &str) -> Option<OrderSheet> {
        let request = wire::GetOrderCapacityRequest {
            member_id,
            instrument_code: code.to_owned(),
            ..wire::GetOrderCapacityRequest::default()
        };
        let mut trading = self.trading.clone();
        let sheet = call(trading.get_order_capacity(request)).await.ok()?;
        let bands = sheet.tick_table.iter();
        Some(OrderSheet {
            last: decimal(sheet.last_price.as_ref())?,
            step: decimal(sheet.quantity_step.as_ref())?,
            upper: decimal(sheet.upper_limit.as_ref()),
            rate: decimal(sheet.fx_rate.as_ref()).unwrap_or(Decimal::ONE),
            is_won: sheet.currency() == proto::common::v1::Currency::Krw,
            fee_rate: decimal(sheet.fee_rate.as_ref())?,
            ticks: bands
                .filter_map(|band| {
                    Some((decimal(band.from.as_ref())?, decimal(band.tick.as_ref())?))
                })
                .collect(),
        })
    }

    /// Codes with the quantity of each that the member can sell.
    pub(crate) async fn sellable(&self, member_id: i64) -> Option<Vec<(String, Decimal)>> {
        // Without accounts: those of the present mode.
        let request = wire::ListHoldingsRequest {
            member_id,
            ..wire::ListHoldingsRequest::default()
        };
        let mut trading = self.trading.clone();
        let holdings = call(trading.list_holdings(request)).await.ok()?.holdings;
        let sellable = holdings.into_iter().filter_map(|holding| {
            let quantity = decimal(holding.quantity.as_ref())?;
            let held = decimal(holding.held_quantity.as_ref())?;
            Some((holding.instrument_code, quantity - held))
        });
        Some(sellable.collect())
    }

    pub(crate) async fn preview(&self, request: &OrderRequest) -> Option<Cost> {
        let request = wire::PreviewOrderRequest {
            member_id: request.member_id,
            account_no: String::new(),
            instrument_code: request.code.clone(),
            side: side(request.side).into(),
            price: request.price.map(proto::convert::decimal),
            quantity: request.quantity.map(proto::convert::decimal),
            order_amount_won: request.amount_won,
        };
        let mut orders = self.orders.clone();
        let preview = call(orders.preview_order(request)).await.ok()?;
        Some(Cost {
            amount_won: preview.amount_won,
            fee_won: preview.fee_won,
            tax_won: preview.tax_won,
            fx_rate: decimal(preview.fx_rate.as_ref()),
        })
    }

    /// Official events, with whether they run.
    pub(crate) async fn official_events(&self, member_id: i64) -> Option<Vec<Event>> {
        let mut competitions = self.competitions.clone();
        let request = wire::ListCompetitionsRequest {
            member_id,
            ..wire::ListCompetitionsRequest::default()
        };
        let list = call(competitions.list_competitions(request)).await.ok()?;
        let official = list
            .competitions
            .iter()
            .filter(|one| one.kind() == wire::CompetitionKind::Official && one.can_join);
        Some(
            official
                .map(|one| Event {
                    id: one.competition_id,
                    was_running: one.status() == wire::CompetitionStatus::Ongoing,
                })
                .collect(),
        )
    }

    /// Cash of the basic account, including what open orders hold.
    pub(crate) async fn deposit_won(&self, member_id: i64) -> Option<i64> {
        let request = wire::GetAccountSummaryRequest { member_id };
        let mut trading = self.trading.clone();
        let summary = call(trading.get_account_summary(request)).await.ok()?;
        Some(summary.accounts.first()?.deposit_won)
    }
}

pub(crate) fn view(order: &wire::Order) -> Option<OrderView> {
    let status = order.status().as_str_name();
    Some(OrderView {
        order_id: order.order_id,
        replaced_id: order.orig_order_id,
        code: order.instrument_code.clone(),
        side: match order.side() {
            wire::OrderSide::Buy => OrderSide::Buy,
            wire::OrderSide::Sell => OrderSide::Sell,
            wire::OrderSide::Unspecified => return None,
        },
        status: status.trim_start_matches("ORDER_STATUS_").to_owned(),
        price: decimal(order.price.as_ref()),
        quantity: decimal(order.quantity.as_ref())?,
        filled: decimal(order.filled_quantity.as_ref())?,
        held_won: order.held_won,
        amount_won: order.order_amount_won,
    })
}

async fn call<T>(call: impl Future<Output = Result<Response<T>, Status>>) -> Result<T, Status> {
    let response = deadline::scope(Deadline::within(CALL_TIMEOUT), call).await;
    response.map(Response::into_inner)
}

fn place_request(request: &OrderRequest) -> wire::PlaceOrderRequest {
    wire::PlaceOrderRequest {
        member_id: request.member_id,
        request_id: request.key.clone(),
        account: Some(wire::AccountRef {
            account_no: request.account().to_owned(),
        }),
        instrument_code: request.code.clone(),
        side: side(request.side).into(),
        category: category(request.category()).into(),
        price: request.price.map(proto::convert::decimal),
        quantity: request.quantity.map(proto::convert::decimal),
        risk_acknowledged: true,
        order_amount_won: request.amount_won,
        ..wire::PlaceOrderRequest::default()
    }
}

fn cancel_request(request: &OrderRequest, order_id: i64) -> wire::CancelOrderRequest {
    wire::CancelOrderRequest {
        member_id: request.member_id,
        request_id: request.key.clone(),
        order_id,
        side: side(request.side).into(),
        category: category(request.category()).into(),
    }
}

fn modify_request(request: &OrderRequest, order_id: i64) -> wire::ModifyOrderRequest {
    wire::ModifyOrderRequest {
        member_id: request.member_id,
        request_id: request.key.clone(),
        order_id,
        side: side(request.side).into(),
        category: category(request.category()).into(),
        instrument_code: request.code.clone(),
        price: request.price.map(proto::convert::decimal),
        quantity: request.quantity.map(proto::convert::decimal),
        risk_acknowledged: true,
        seen_remaining_quantity: None,
    }
}

/// Transient reasons, which are not stored: a retry with the same key may succeed.
const RETRIED_REASONS: [&str; 4] = [
    "REQ_SID_IN_PROGRESS",
    "UNAVAILABLE",
    "MARKET_UNAVAILABLE",
    "ORDER_RATE",
];

/// The reason of a final rejection; `None` for a call that has to be retried.
fn rejection_reason(status: &Status) -> Option<String> {
    let again = [
        Code::Unavailable,
        Code::DeadlineExceeded,
        Code::Internal,
        Code::Unknown,
        Code::Cancelled,
    ];
    let reason = problem::of(status)?.reason;
    let is_retried = again.contains(&status.code()) || RETRIED_REASONS.contains(&reason.as_str());
    (!is_retried).then_some(reason)
}

fn decimal(value: Option<&WireDecimal>) -> Option<Decimal> {
    value?.value.parse().ok()
}

fn side(side: OrderSide) -> wire::OrderSide {
    match side {
        OrderSide::Buy => wire::OrderSide::Buy,
        OrderSide::Sell => wire::OrderSide::Sell,
    }
}

fn category(category: OrderCategory) -> wire::OrderCategory {
    match category {
        OrderCategory::Stock => wire::OrderCategory::Stock,
        OrderCategory::Coin => wire::OrderCategory::Coin,
        OrderCategory::Gold => wire::OrderCategory::Gold,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason_of(code: Code, reason: &str) -> Option<String> {
        rejection_reason(&problem::status(code, reason, "", []))
    }

    #[test]
    fn a_transient_rejection_is_retried() {
        for reason in RETRIED_REASONS {
            assert_eq!(reason_of(Code::FailedPrecondition, reason), None);
        }
        let final_reason = reason_of(Code::FailedPrecondition, "INSUFFICIENT_CASH");
        assert_eq!(final_reason.as_deref(), Some("INSUFFICIENT_CASH"));
    }
}
