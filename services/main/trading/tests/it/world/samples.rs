//! Instruments with their prices, orders, and what is read of messages.

use chrono::{DateTime, Utc};
use kernel::{Currency, MarketCode, MemberId, Price, WarningCode};
use market_rules::{PriceBand, TickClass, TickTable, daily_limits};
use proto::common::v1::Decimal as WireDecimal;
use proto::trading::v1 as wire;
use rust_decimal::Decimal;
use tonic::Status;
use trading::domain::market::Listing;

use super::{APPLE, BITCOIN, GOLD, SAMSUNG};

pub(crate) fn morning() -> DateTime<Utc> {
    "2026-11-20T01:00:00Z".parse().unwrap()
}

pub(crate) fn listing(code: &str) -> Listing {
    let (name, market, currency, tick_class) = match code {
        SAMSUNG => (
            "삼성전자",
            MarketCode::Kospi,
            Currency::Krw,
            TickClass::KrxStock,
        ),
        APPLE => (
            "애플",
            MarketCode::Global,
            Currency::Usd,
            TickClass::UsStock,
        ),
        BITCOIN => (
            "비트코인",
            MarketCode::Coin,
            Currency::Krw,
            TickClass::UpbitKrw,
        ),
        GOLD => (
            "금 99.99_1Kg",
            MarketCode::Gold,
            Currency::Krw,
            TickClass::KrxGold,
        ),
        other => panic!("no instrument {other}"),
    };
    Listing {
        code: code.to_owned(),
        name: name.to_owned(),
        market,
        currency,
        tick_class,
        warning: WarningCode::None,
        tradable: true,
    }
}

pub(crate) fn base_price(code: &str) -> Decimal {
    let text = match code {
        SAMSUNG => "71300",
        APPLE => "230.50",
        BITCOIN => "150000000",
        GOLD => "190000",
        other => panic!("no instrument {other}"),
    };
    text.parse().unwrap()
}

pub(crate) fn band(code: &str) -> Option<PriceBand> {
    let listing = listing(code);
    let table = TickTable::for_class(listing.tick_class, code);
    daily_limits(listing.market, 1, Price(base_price(code)), &table)
}

pub(crate) fn dec(text: &str) -> Option<WireDecimal> {
    Some(WireDecimal {
        value: text.to_owned(),
    })
}

pub(crate) fn number(value: &Option<WireDecimal>) -> Decimal {
    value.as_ref().unwrap().value.parse().unwrap()
}

pub(crate) fn reason(status: &Status) -> String {
    bootstrap::problem::of(status)
        .map(|problem| problem.reason)
        .unwrap_or_else(|| format!("no problem in {status:?}"))
}

/// A buy or sell; `price` empty = market order.
pub(crate) fn order(
    member: i64,
    code: &str,
    side: wire::OrderSide,
    price: &str,
    quantity: &str,
) -> wire::PlaceOrderRequest {
    let category = match listing(code).market {
        MarketCode::Coin => wire::OrderCategory::Coin,
        MarketCode::Gold => wire::OrderCategory::Gold,
        MarketCode::Kospi | MarketCode::Kosdaq | MarketCode::Global | MarketCode::Etf => {
            wire::OrderCategory::Stock
        }
    };
    wire::PlaceOrderRequest {
        member_id: member,
        instrument_code: code.to_owned(),
        side: side.into(),
        category: category.into(),
        price: dec(price).filter(|price| !price.value.is_empty()),
        quantity: dec(quantity),
        ..wire::PlaceOrderRequest::default()
    }
}

pub(crate) fn buy(member: i64, code: &str, price: &str, quantity: &str) -> wire::PlaceOrderRequest {
    order(member, code, wire::OrderSide::Buy, price, quantity)
}

pub(crate) fn sell(
    member: i64,
    code: &str,
    price: &str,
    quantity: &str,
) -> wire::PlaceOrderRequest {
    order(member, code, wire::OrderSide::Sell, price, quantity)
}

pub(crate) fn member(id: i64) -> MemberId {
    MemberId(id)
}
