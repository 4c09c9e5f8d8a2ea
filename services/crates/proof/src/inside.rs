//! The door of our own processes: calls straight to trading.

use std::time::Duration;

use bootstrap::deadline::{self, Deadline};
use bootstrap::{grpc, problem};
use proto::common::v1::Decimal as WireDecimal;
use proto::trading::v1 as wire;
use proto::trading::v1::order_service_client::OrderServiceClient;
use proto::trading::v1::trading_service_client::TradingServiceClient;
use rust_decimal::Decimal;
use tonic::{Code, Response, Status};

use crate::wish::{Act, Answer, Category, Cost, Outcome, Reply, Sheet, Side, Wish};

const CALL_TIMEOUT: Duration = Duration::from_secs(3);

/// Calls to trading.
#[derive(Clone)]
pub(crate) struct Inside {
    trading: TradingServiceClient<grpc::Client>,
    orders: OrderServiceClient<grpc::Client>,
}

impl Inside {
    pub(crate) fn new(trading_url: &str) -> anyhow::Result<Self> {
        let channel = grpc::channel(trading_url)?;
        Ok(Self {
            trading: TradingServiceClient::new(channel.clone()),
            orders: OrderServiceClient::new(channel),
        })
    }

    pub(crate) async fn ask(&self, wish: &Wish) -> Outcome {
        let (mut trading, mut orders) = (self.trading.clone(), self.orders.clone());
        let answer = match wish.act {
            Act::Place => within(trading.place_order(placement(wish))).await,
            Act::Cancel(order_id) => {
                within(trading.cancel_order(cancellation(wish, order_id))).await
            }
            Act::Modify(order_id) => {
                within(orders.modify_order(modification(wish, order_id))).await
            }
        };
        match answer {
            Ok(reply) => match reply.order.as_ref().and_then(read) {
                Some(reply) => Outcome::Told(Answer::Done(Box::new(reply))),
                None => Outcome::Unknown("an answer without an order".to_owned()),
            },
            Err(status) => match refusal(&status) {
                Some(reason) => Outcome::Told(Answer::Refused(reason)),
                None => Outcome::Unknown(status.to_string()),
            },
        }
    }

    pub(crate) async fn sheet(&self, member_id: i64, code: &str) -> Option<Sheet> {
        let request = wire::GetOrderCapacityRequest {
            member_id,
            instrument_code: code.to_owned(),
            ..wire::GetOrderCapacityRequest::default()
        };
        let mut trading = self.trading.clone();
        let sheet = within(trading.get_order_capacity(request)).await.ok()?;
        let bands = sheet.tick_table.iter();
        Some(Sheet {
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

    /// Codes and what of each may be sold.
    pub(crate) async fn owned(&self, member_id: i64) -> Option<Vec<(String, Decimal)>> {
        let request = wire::ListHoldingsRequest {
            member_id,
            ..wire::ListHoldingsRequest::default()
        };
        let mut trading = self.trading.clone();
        let holdings = within(trading.list_holdings(request)).await.ok()?.holdings;
        let owned = holdings.into_iter().filter_map(|holding| {
            let owned = decimal(holding.quantity.as_ref())?;
            let held = decimal(holding.held_quantity.as_ref())?;
            Some((holding.instrument_code, owned - held))
        });
        Some(owned.collect())
    }

    pub(crate) async fn preview(&self, wish: &Wish) -> Option<Cost> {
        let request = wire::PreviewOrderRequest {
            member_id: wish.member_id,
            account_no: String::new(),
            instrument_code: wish.code.clone(),
            side: side(wish.side).into(),
            price: wish.price.map(proto::convert::decimal),
            quantity: wish.quantity.map(proto::convert::decimal),
        };
        let mut orders = self.orders.clone();
        let preview = within(orders.preview_order(request)).await.ok()?;
        Some(Cost {
            amount_won: preview.amount_won,
            fee_won: preview.fee_won,
            tax_won: preview.tax_won,
            fx_rate: decimal(preview.fx_rate.as_ref()),
        })
    }

    /// Cash of the basic account, what is held of it included.
    pub(crate) async fn deposit_won(&self, member_id: i64) -> Option<i64> {
        let request = wire::GetAccountSummaryRequest { member_id };
        let mut trading = self.trading.clone();
        let summary = within(trading.get_account_summary(request)).await.ok()?;
        Some(summary.accounts.first()?.deposit_won)
    }
}

/// The order of a reply, as the proof compares it.
pub(crate) fn read(order: &wire::Order) -> Option<Reply> {
    let status = order.status().as_str_name();
    Some(Reply {
        order_id: order.order_id,
        replaced_id: order.orig_order_id,
        code: order.instrument_code.clone(),
        side: match order.side() {
            wire::OrderSide::Buy => Side::Buy,
            wire::OrderSide::Sell => Side::Sell,
            wire::OrderSide::Unspecified => return None,
        },
        status: status.trim_start_matches("ORDER_STATUS_").to_owned(),
        price: decimal(order.price.as_ref()),
        quantity: decimal(order.quantity.as_ref())?,
        filled: decimal(order.filled_quantity.as_ref())?,
        held_won: order.held_won,
    })
}

async fn within<T>(call: impl Future<Output = Result<Response<T>, Status>>) -> Result<T, Status> {
    let answer = deadline::scope(Deadline::within(CALL_TIMEOUT), call).await;
    answer.map(Response::into_inner)
}

fn placement(wish: &Wish) -> wire::PlaceOrderRequest {
    wire::PlaceOrderRequest {
        member_id: wish.member_id,
        request_id: wish.key.clone(),
        instrument_code: wish.code.clone(),
        side: side(wish.side).into(),
        category: category(wish.category()).into(),
        price: wish.price.map(proto::convert::decimal),
        quantity: wish.quantity.map(proto::convert::decimal),
        risk_acknowledged: true,
        ..wire::PlaceOrderRequest::default()
    }
}

fn cancellation(wish: &Wish, order_id: i64) -> wire::CancelOrderRequest {
    wire::CancelOrderRequest {
        member_id: wish.member_id,
        request_id: wish.key.clone(),
        order_id,
        side: side(wish.side).into(),
        category: category(wish.category()).into(),
    }
}

fn modification(wish: &Wish, order_id: i64) -> wire::ModifyOrderRequest {
    wire::ModifyOrderRequest {
        member_id: wish.member_id,
        request_id: wish.key.clone(),
        order_id,
        side: side(wish.side).into(),
        category: category(wish.category()).into(),
        instrument_code: wish.code.clone(),
        price: wish.price.map(proto::convert::decimal),
        quantity: wish.quantity.map(proto::convert::decimal),
        risk_acknowledged: true,
        seen_remaining_quantity: None,
    }
}

/// What passes with time, so that the same key may be answered otherwise later.
const FOR_NOW: [&str; 4] = [
    "REQ_SID_IN_PROGRESS",
    "UNAVAILABLE",
    "MARKET_UNAVAILABLE",
    "ORDER_RATE",
];

/// The reason of a refusal; `None` for a call that has to be asked again.
fn refusal(status: &Status) -> Option<String> {
    let again = [
        Code::Unavailable,
        Code::DeadlineExceeded,
        Code::Internal,
        Code::Unknown,
        Code::Cancelled,
    ];
    let reason = problem::of(status)?.reason;
    let asked_again = again.contains(&status.code()) || FOR_NOW.contains(&reason.as_str());
    (!asked_again).then_some(reason)
}

fn decimal(value: Option<&WireDecimal>) -> Option<Decimal> {
    value?.value.parse().ok()
}

fn side(side: Side) -> wire::OrderSide {
    match side {
        Side::Buy => wire::OrderSide::Buy,
        Side::Sell => wire::OrderSide::Sell,
    }
}

fn category(category: Category) -> wire::OrderCategory {
    match category {
        Category::Stock => wire::OrderCategory::Stock,
        Category::Coin => wire::OrderCategory::Coin,
        Category::Gold => wire::OrderCategory::Gold,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(code: Code, reason: &str) -> Option<String> {
        refusal(&problem::status(code, reason, "", []))
    }

    #[test]
    fn what_passes_with_time_is_asked_again() {
        for reason in FOR_NOW {
            assert_eq!(refused(Code::FailedPrecondition, reason), None);
        }
        let final_reason = refused(Code::FailedPrecondition, "INSUFFICIENT_CASH");
        assert_eq!(final_reason.as_deref(), Some("INSUFFICIENT_CASH"));
    }
}
