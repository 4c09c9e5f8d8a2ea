//! Fills, and orders that end without their member.

use proto::common::v1::Currency;
use proto::convert::{InvalidField, to_optional_decimal, to_required_decimal};
use proto::trading::v1::{Order, OrderCategory, OrderEnded, OrderFilled, OrderSide, OrderStatus};
use rust_decimal::Decimal;

use super::InvalidNotice;
use crate::domain::NotificationType;
use crate::notifications::words::{is, number, price, with_particle, won};
use crate::notifications::{Batching, Notice};

const HISTORY: &str = "/my/orders/history";
const WAITING: &str = "/my/orders/wait";
/// Nothing of an order follows its end.
const LAST: i64 = i64::MAX;

/// The order of an event, as its sentences need it.
struct OrderWords {
    order: Order,
    /// `매수` or `매도`.
    side: &'static str,
    /// `샀어요` or `팔았어요`.
    did: &'static str,
    unit: &'static str,
    filled: Decimal,
    /// None of an order by amount whose quantity nobody knows.
    quantity: Option<Decimal>,
}

/// One row for all parts of an order, and one when it is complete.
pub(super) fn filled(event: OrderFilled) -> Result<Vec<Notice>, InvalidNotice> {
    let notice = event.notice.ok_or(InvalidField("notice"))?;
    let member = notice.member_id;
    let order = OrderWords::of(notice.order.ok_or(InvalidField("order"))?)?;
    let is_part = match order.order.status() {
        OrderStatus::Unspecified
        | OrderStatus::Queued
        | OrderStatus::Accepted
        | OrderStatus::Partial => true,
        OrderStatus::Filled
        | OrderStatus::Canceled
        | OrderStatus::Expired
        | OrderStatus::Replaced
        | OrderStatus::Rejected => false,
    };
    if !is_part {
        return Ok(vec![order.complete(member)?]);
    }
    let key = format!("partial:{}", order.order.order_id);
    let partial = Notice::once(member, NotificationType::Partial, key)
        .text(
            format!("{} 일부가 체결됐어요", order.order.instrument_name),
            format!("{}.", order.so_far()),
        )
        .link(WAITING);
    Ok(vec![Notice {
        collapse_key: order.collapse_key(),
        batching: Batching::Newest,
        position: notice.seq,
        ..partial
    }])
}

pub(super) fn ended(event: OrderEnded) -> Result<Vec<Notice>, InvalidNotice> {
    let order = OrderWords::of(event.order.ok_or(InvalidField("order"))?)?;
    let reason = match order.order.end_reason.as_str() {
        // The end of the competition is told by itself.
        "COMPETITION_ENDED" => return Ok(Vec::new()),
        "AMOUNT_REACHED" if !order.filled.is_zero() => {
            return Ok(vec![order.complete(event.member_id)?]);
        }
        "AMOUNT_REACHED" => "주문 금액으로 살 수 있는 수량이 없었어요",
        "SESSION_ENDED" => "장이 끝날 때까지 체결되지 않았어요",
        "TERM_ENDED" => "90일 동안 체결되지 않았어요",
        "SLIPPAGE_GUARD" => "가격이 많이 움직여서 주문을 멈췄어요",
        "STALE_MARKET" => "시세가 한동안 오지 않아서 주문을 취소했어요",
        "INSUFFICIENT_CASH" => "주문 가능 금액이 모자라서 남은 주문을 취소했어요",
        "PRICE_LIMIT" => "가격이 오늘의 범위를 벗어나 주문을 취소했어요",
        _ => "체결되지 않고 끝났어요",
    };
    let body = if order.filled.is_zero() {
        format!("{reason}.")
    } else {
        format!("{reason}. {}.", order.so_far())
    };
    let title = format!(
        "{} {} 주문이 끝났어요",
        order.order.instrument_name, order.side
    );
    let key = format!("order-ended:{}", order.order.order_id);
    let ended = Notice::once(event.member_id, NotificationType::OrderEnded, key);
    Ok(vec![Notice {
        collapse_key: order.collapse_key(),
        position: LAST,
        ..ended.text(title, body).link(HISTORY)
    }])
}

impl OrderWords {
    fn of(order: Order) -> Result<Self, InvalidField> {
        let (side, did) = match order.side() {
            OrderSide::Buy => ("매수", "샀어요"),
            OrderSide::Sell => ("매도", "팔았어요"),
            OrderSide::Unspecified => return Err(InvalidField("side")),
        };
        let unit = match order.category() {
            OrderCategory::Stock => "주",
            OrderCategory::Coin => "개",
            OrderCategory::Gold => "g",
            OrderCategory::Unspecified => return Err(InvalidField("category")),
        };
        if order.order_id <= 0 {
            return Err(InvalidField("order_id"));
        }
        let filled = to_optional_decimal(order.filled_quantity.as_ref(), "filled_quantity")?;
        let quantity = match order.order_amount_won {
            Some(_) => None,
            None => to_optional_decimal(order.quantity.as_ref(), "quantity")?,
        };
        Ok(Self {
            side,
            did,
            unit,
            filled: filled.unwrap_or_default(),
            quantity,
            order,
        })
    }

    fn complete(&self, member: i64) -> Result<Notice, InvalidField> {
        let is_dollar = match self.order.currency() {
            Currency::Usd => true,
            Currency::Krw => false,
            Currency::Unspecified => return Err(InvalidField("currency")),
        };
        let average = to_required_decimal(self.order.average_price.as_ref(), "average_price")?;
        // The average of a coin may have any number of digits, and that of a cheap one is a part of a won.
        let digits = match is_dollar {
            true => 2,
            false if average >= Decimal::ONE_HUNDRED => 0,
            false => 4,
        };
        let average = price(average.round_dp(digits), is_dollar);
        let key = format!("fill:{}", self.order.order_id);
        let title = format!(
            "{} {} {}",
            self.order.instrument_name,
            with_particle(&self.amount(self.filled), "를"),
            self.did
        );
        let sum = is(&won(self.order.filled_amount_won));
        let body = format!("1{} 평균 {average}, 모두 {sum}.", self.unit);
        Ok(Notice {
            collapse_key: self.collapse_key(),
            position: LAST,
            ..Notice::once(member, NotificationType::Fill, key)
                .text(title, body)
                .link(HISTORY)
        })
    }

    fn so_far(&self) -> String {
        let filled = with_particle(&self.amount(self.filled), "를");
        match self.quantity {
            Some(quantity) => format!("{} 중 {filled} {}", self.amount(quantity), self.did),
            None => format!("{filled} {}", self.did),
        }
    }

    fn amount(&self, quantity: Decimal) -> String {
        format!("{}{}", number(quantity), self.unit)
    }

    fn collapse_key(&self) -> String {
        format!("order:{}", self.order.order_id)
    }
}
