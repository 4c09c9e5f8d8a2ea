use kernel::{AssetKind, MarketCode};
use proto::convert::{InvalidField, to_instant};
use proto::market::v1::MarketAlertFired;
use rust_decimal::Decimal;

use super::{InvalidNotice, decimal};
use crate::domain::NotificationType;
use crate::notifications::Notice;
use crate::notifications::words::{day_and_time, is, number, price};

pub(super) fn alert_fired(event: &MarketAlertFired) -> Result<Vec<Notice>, InvalidNotice> {
    let is_dollar = match event.currency.as_str() {
        "USD" => true,
        "KRW" => false,
        _ => return Err(InvalidField("currency").into()),
    };
    let value = decimal(&event.value, "value")?;
    let then = price(decimal(&event.price, "price")?, is_dollar);
    let fired_at = to_instant(event.fired_at_us, "fired_at_us")?;
    let name = &event.name;
    let title = match event.kind.as_str() {
        "ABOVE" => format!("{name} {} 이상이에요", price(value, is_dollar)),
        "BELOW" => format!("{name} {} 이하예요", price(value, is_dollar)),
        "PERCENT" => {
            let moved = if value < Decimal::ZERO {
                "내렸어요"
            } else {
                "올랐어요"
            };
            format!("{name} {}% 넘게 {moved}", number(value.abs()))
        }
        _ => return Err(InvalidField("kind").into()),
    };
    let key = format!("alert:{}", event.alert_id);
    let notice = Notice::once(event.member_id, NotificationType::Price, key);
    // It may be read in the morning, when the price is another.
    let body = format!("{} 가격은 {}.", day_and_time(fired_at), is(&then));
    Ok(vec![Notice {
        occurred_at: Some(fired_at),
        ..notice
            .text(title, body)
            .link(item_link(&event.market_code, &event.code)?)
    }])
}

/// The item's page. Codes are letters, digits and `-`.
fn item_link(market: &str, code: &str) -> Result<String, InvalidField> {
    let is_letter = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'.' | b'_');
    if code.is_empty() || !code.bytes().all(is_letter) {
        return Err(InvalidField("code"));
    }
    let market = MarketCode::parse(market).ok_or(InvalidField("market_code"))?;
    Ok(match market.asset_kind() {
        AssetKind::Stock => format!("/invest-v2/stock/{code}"),
        AssetKind::Etf => format!("/invest-v2/stock-etf/{code}"),
        AssetKind::Coin => format!("/invest-v2/coin/{code}?refMarketCode=coin"),
        AssetKind::Gold => format!("/invest-v2/gold/{code}"),
    })
}
