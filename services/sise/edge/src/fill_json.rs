//! The JSON of a fill notice: order and fill have the form of the gateway's API.

use proto::common::v1::{self as common, Currency, Market};
use proto::convert::to_instant;
use proto::trading::v1::{Fill, FillNotice, Order, OrderCategory, OrderSide, OrderStatus};
use rust_decimal::Decimal;

use crate::json::Object;
use crate::protocol::korean_time;

/// `{seq, order, fill}`.
#[must_use]
pub(crate) fn notice(notice: &FillNotice) -> String {
    let order = notice.order.as_ref().map(order);
    let fill = notice.fill.as_ref().map(fill);
    Object::new()
        .plain("seq", notice.seq)
        .raw("order", order.as_deref().unwrap_or("null"))
        .raw("fill", fill.as_deref().unwrap_or("null"))
        .end()
}

fn order(order: &Order) -> String {
    let orig_order_id = (order.orig_order_id > 0).then(|| Decimal::from(order.orig_order_id));
    let (side, kind) = match order.side() {
        OrderSide::Sell => ("SELL", "매도주문"),
        OrderSide::Buy | OrderSide::Unspecified => ("BUY", "매수주문"),
    };
    let (status, status_name) = status(order.status());
    Object::new()
        .plain("orderSid", order.order_id)
        .decimal_or_null("origOrderSid", orig_order_id)
        .text("acno", &order.account_no)
        .text("isuSrtCd", &order.instrument_code)
        .text("isuKorNm", &order.instrument_name)
        .text("marketCode", market(order.market()))
        .text("currency", currency(order.currency()))
        .text("side", side)
        .text("orderGb", kind)
        .text("orderCategory", category(order.category()))
        .text("status", status)
        .text("statusName", status_name)
        .decimal_or_null("juPrc", number(order.price.as_ref()))
        .decimal_or_null("juQty", number(order.quantity.as_ref()))
        .decimal_or_null("filledQty", number(order.filled_quantity.as_ref()))
        .decimal_or_null("remainQty", number(order.remaining_quantity.as_ref()))
        .decimal_or_null("avgPrc", number(order.average_price.as_ref()))
        .plain("filledAmount", order.filled_amount_won)
        .plain("fee", order.fee_won)
        .plain("tax", order.tax_won)
        .plain("heldAmount", order.held_won)
        .text_or_null("endReason", &order.end_reason)
        .plain("waitingForPrice", order.waiting_for_price)
        .text_or_null("orderTime", &time(order.placed_at_us))
        .text_or_null("expireTime", &time(order.expires_at_us))
        .end()
}

fn fill(fill: &Fill) -> String {
    Object::new()
        .plain("fillSid", fill.fill_id)
        .plain("orderSid", fill.order_id)
        .plain("tickSeq", fill.tick_seq)
        .text_or_null("eventTime", &time(fill.event_time_us))
        .decimal_or_null("tickPrc", number(fill.tick_price.as_ref()))
        .text("rule", &fill.rule)
        .plain("slippageTicks", fill.slippage_ticks)
        .decimal_or_null("capQty", number(fill.cap_quantity.as_ref()))
        .decimal_or_null("fillQty", number(fill.quantity.as_ref()))
        .decimal_or_null("fillPrc", number(fill.price.as_ref()))
        .plain("amount", fill.amount_won)
        .plain("fee", fill.fee_won)
        .plain("tax", fill.tax_won)
        .decimal_or_null("fxRate", number(fill.fx_rate.as_ref()))
        .decimal_or_null("appliedFxRate", number(fill.applied_fx_rate.as_ref()))
        .decimal_or_null("profit", fill.profit_won.map(Decimal::from))
        .decimal_or_null("bidPrc", number(fill.bid.as_ref()))
        .decimal_or_null("askPrc", number(fill.ask.as_ref()))
        .text("modelVersion", &fill.model_version)
        .end()
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

fn number(value: Option<&common::Decimal>) -> Option<Decimal> {
    value.and_then(|value| value.value.parse().ok())
}

/// Empty if the instant is not set.
fn time(micros: i64) -> String {
    match to_instant(micros, "time") {
        Ok(instant) if micros > 0 => korean_time(instant),
        Ok(_) | Err(_) => String::new(),
    }
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
        insta::assert_snapshot!(notice(&sent), @r#"{"seq":7,"order":{"orderSid":11,"origOrderSid":null,"acno":"000000000100","isuSrtCd":"BTC","isuKorNm":"비트코인","marketCode":"COIN","currency":"KRW","side":"SELL","orderGb":"매도주문","orderCategory":"COIN","status":"FILLED","statusName":"체결","juPrc":null,"juQty":0.0001,"filledQty":0.0001,"remainQty":0,"avgPrc":142000000,"filledAmount":14200,"fee":7,"tax":0,"heldAmount":0,"endReason":null,"waitingForPrice":false,"orderTime":"2026-11-21T09:03:05+09:00","expireTime":null},"fill":{"fillSid":3,"orderSid":11,"tickSeq":99,"eventTime":null,"tickPrc":null,"rule":"MARKET_BID_ASK","slippageTicks":0,"capQty":null,"fillQty":0.0001,"fillPrc":142000000,"amount":14200,"fee":7,"tax":0,"fxRate":null,"appliedFxRate":null,"profit":-57,"bidPrc":null,"askPrc":null,"modelVersion":"1"}}"#);
    }
}
