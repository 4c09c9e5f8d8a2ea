//! The JSON of a fill notice: order and fill have the form of the gateway's API.

use kernel::ExactNumber;
use proto::common::v1::{self as common, Currency, Market};
use proto::convert::to_instant;
use proto::trading::v1::{Fill, FillNotice, Order, OrderCategory, OrderSide, OrderStatus};
use serde::Serialize;

use crate::json;
use crate::protocol::korean_time;

#[derive(Serialize)]
struct NoticeJson<'a> {
    seq: i64,
    order: Option<OrderJson<'a>>,
    fill: Option<FillJson<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OrderJson<'a> {
    order_sid: i64,
    orig_order_sid: Option<i64>,
    acno: &'a str,
    isu_srt_cd: &'a str,
    isu_kor_nm: &'a str,
    market_code: &'a str,
    currency: &'a str,
    side: &'a str,
    order_gb: &'a str,
    order_category: &'a str,
    status: &'a str,
    status_name: &'a str,
    ju_prc: Option<ExactNumber>,
    ju_qty: Option<ExactNumber>,
    order_amount: Option<i64>,
    filled_qty: Option<ExactNumber>,
    remain_qty: Option<ExactNumber>,
    avg_prc: Option<ExactNumber>,
    filled_amount: i64,
    fee: i64,
    tax: i64,
    held_amount: i64,
    end_reason: Option<&'a str>,
    waiting_for_price: bool,
    order_time: Option<String>,
    expire_time: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FillJson<'a> {
    fill_sid: i64,
    order_sid: i64,
    tick_seq: i64,
    event_time: Option<String>,
    tick_prc: Option<ExactNumber>,
    rule: &'a str,
    slippage_ticks: i32,
    slippage: Option<i64>,
    cap_qty: Option<ExactNumber>,
    fill_qty: Option<ExactNumber>,
    fill_prc: Option<ExactNumber>,
    amount: i64,
    fee: i64,
    tax: i64,
    fx_rate: Option<ExactNumber>,
    applied_fx_rate: Option<ExactNumber>,
    exchange_cost: Option<i64>,
    profit: Option<i64>,
    bid_prc: Option<ExactNumber>,
    ask_prc: Option<ExactNumber>,
    model_version: &'a str,
}

#[must_use]
pub(crate) fn notice(notice: &FillNotice) -> String {
    json::text(&NoticeJson {
        seq: notice.seq,
        order: notice.order.as_ref().map(order),
        fill: notice.fill.as_ref().map(fill),
    })
}

fn order(order: &Order) -> OrderJson<'_> {
    let (side, kind) = match order.side() {
        OrderSide::Sell => ("SELL", "매도주문"),
        OrderSide::Buy | OrderSide::Unspecified => ("BUY", "매수주문"),
    };
    let (status, status_name) = status(order.status());
    OrderJson {
        order_sid: order.order_id,
        orig_order_sid: (order.orig_order_id > 0).then_some(order.orig_order_id),
        acno: &order.account_no,
        isu_srt_cd: &order.instrument_code,
        isu_kor_nm: &order.instrument_name,
        market_code: market(order.market()),
        currency: currency(order.currency()),
        side,
        order_gb: kind,
        order_category: category(order.category()),
        status,
        status_name,
        ju_prc: number(order.price.as_ref()),
        ju_qty: number(order.quantity.as_ref()),
        order_amount: order.order_amount_won,
        filled_qty: number(order.filled_quantity.as_ref()),
        remain_qty: number(order.remaining_quantity.as_ref()),
        avg_prc: number(order.average_price.as_ref()),
        filled_amount: order.filled_amount_won,
        fee: order.fee_won,
        tax: order.tax_won,
        held_amount: order.held_won,
        end_reason: non_empty(&order.end_reason),
        waiting_for_price: order.waiting_for_price,
        order_time: time(order.placed_at_us),
        expire_time: time(order.expires_at_us),
    }
}

fn fill(fill: &Fill) -> FillJson<'_> {
    FillJson {
        fill_sid: fill.fill_id,
        order_sid: fill.order_id,
        tick_seq: fill.tick_seq,
        event_time: time(fill.event_time_us),
        tick_prc: number(fill.tick_price.as_ref()),
        rule: &fill.rule,
        slippage_ticks: fill.slippage_ticks,
        slippage: fill.slippage_won,
        cap_qty: number(fill.cap_quantity.as_ref()),
        fill_qty: number(fill.quantity.as_ref()),
        fill_prc: number(fill.price.as_ref()),
        amount: fill.amount_won,
        fee: fill.fee_won,
        tax: fill.tax_won,
        fx_rate: number(fill.fx_rate.as_ref()),
        applied_fx_rate: number(fill.applied_fx_rate.as_ref()),
        exchange_cost: fill.exchange_cost_won,
        profit: fill.profit_won,
        bid_prc: number(fill.bid.as_ref()),
        ask_prc: number(fill.ask.as_ref()),
        model_version: &fill.model_version,
    }
}

fn status(status: OrderStatus) -> (&'static str, &'static str) {
    match status {
        OrderStatus::Queued => ("QUEUED", "예약"),
        OrderStatus::Unspecified | OrderStatus::Accepted => ("ACCEPTED", "미체결"),
        OrderStatus::Partial => ("PARTIAL", "일부 체결"),
        OrderStatus::Filled => ("FILLED", "체결"),
        OrderStatus::Canceled => ("CANCELED", "취소"),
        OrderStatus::Expired => ("EXPIRED", "기간 만료"),
        OrderStatus::Replaced => ("REPLACED", "정정됨"),
        OrderStatus::Rejected => ("REJECTED", "거부"),
    }
}

fn category(category: OrderCategory) -> &'static str {
    match category {
        OrderCategory::Unspecified | OrderCategory::Stock => "STOCK",
        OrderCategory::Coin => "COIN",
        OrderCategory::Gold => "GOLD",
    }
}

fn market(market: Market) -> &'static str {
    market.to_kernel().map_or("", |market| market.as_str())
}

fn currency(currency: Currency) -> &'static str {
    currency
        .to_kernel()
        .map_or("KRW", |currency| currency.as_str())
}

fn number(value: Option<&common::Decimal>) -> Option<ExactNumber> {
    value.and_then(|value| value.value.parse().ok().map(ExactNumber))
}

fn non_empty(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

/// `None` if the instant is not set.
fn time(micros: i64) -> Option<String> {
    let instant = to_instant(micros, "time").ok()?;
    (micros > 0).then(|| korean_time(instant))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Option<common::Decimal> {
        Some(common::Decimal {
            value: text.to_owned(),
        })
    }

    #[test]
    fn a_notice_has_the_shape_of_the_gateway() {
        let sent = FillNotice {
            seq: 7,
            member_id: 100_000,
            order: Some(Order {
                order_id: 11,
                account_no: "000000000100".to_owned(),
                instrument_code: "BTC".to_owned(),
                instrument_name: "비트코인".to_owned(),
                market: Market::Coin.into(),
                side: OrderSide::Sell.into(),
                category: OrderCategory::Coin.into(),
                status: OrderStatus::Filled.into(),
                quantity: decimal("0.00010000"),
                filled_quantity: decimal("0.0001"),
                remaining_quantity: decimal("0"),
                average_price: decimal("142000000"),
                filled_amount_won: 14_200,
                fee_won: 7,
                placed_at_us: 1_795_219_385_000_000,
                currency: Currency::Krw.into(),
                ..Order::default()
            }),
            fill: Some(Fill {
                fill_id: 3,
                order_id: 11,
                tick_seq: 99,
                rule: "MARKET_BID_ASK".to_owned(),
                price: decimal("142000000"),
                quantity: decimal("0.0001"),
                amount_won: 14_200,
                fee_won: 7,
                profit_won: Some(-57),
                model_version: "1".to_owned(),
                ..Fill::default()
            }),
        };
        insta::assert_snapshot!(notice(&sent), @r#"{"seq":7,"order":{"orderSid":11,"origOrderSid":null,"acno":"000000000100","isuSrtCd":"BTC","isuKorNm":"비트코인","marketCode":"COIN","currency":"KRW","side":"SELL","orderGb":"매도주문","orderCategory":"COIN","status":"FILLED","statusName":"체결","juPrc":null,"juQty":0.0001,"orderAmount":null,"filledQty":0.0001,"remainQty":0,"avgPrc":142000000,"filledAmount":14200,"fee":7,"tax":0,"heldAmount":0,"endReason":null,"waitingForPrice":false,"orderTime":"2026-11-21T09:03:05+09:00","expireTime":null},"fill":{"fillSid":3,"orderSid":11,"tickSeq":99,"eventTime":null,"tickPrc":null,"rule":"MARKET_BID_ASK","slippageTicks":0,"slippage":null,"capQty":null,"fillQty":0.0001,"fillPrc":142000000,"amount":14200,"fee":7,"tax":0,"fxRate":null,"appliedFxRate":null,"exchangeCost":null,"profit":-57,"bidPrc":null,"askPrc":null,"modelVersion":"1"}}"#);
    }
}
