//! The words of the wire that have a fixed list, and parameters with a shape of their own.

use std::collections::HashSet;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeZone, Utc};
use kernel::clock::KST;
use proto::common::v1 as common;
use proto::market::v1 as market;
use proto::trading::v1 as trading;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Where an instrument is listed; `stocks` are US stocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) enum MarketCode {
    #[serde(rename = "KOSPI")]
    Kospi,
    #[serde(rename = "KOSDAQ")]
    Kosdaq,
    #[serde(rename = "stocks")]
    Global,
    #[serde(rename = "COIN")]
    Coin,
    #[serde(rename = "GOLD")]
    Gold,
    #[serde(rename = "ETF")]
    Etf,
}

impl MarketCode {
    pub(crate) fn to_proto(self) -> common::Market {
        match self {
            Self::Kospi => common::Market::Kospi,
            Self::Kosdaq => common::Market::Kosdaq,
            Self::Global => common::Market::Global,
            Self::Coin => common::Market::Coin,
            Self::Gold => common::Market::Gold,
            Self::Etf => common::Market::Etf,
        }
    }
}

impl From<kernel::MarketCode> for MarketCode {
    fn from(code: kernel::MarketCode) -> Self {
        match code {
            kernel::MarketCode::Kospi => Self::Kospi,
            kernel::MarketCode::Kosdaq => Self::Kosdaq,
            kernel::MarketCode::Global => Self::Global,
            kernel::MarketCode::Coin => Self::Coin,
            kernel::MarketCode::Gold => Self::Gold,
            kernel::MarketCode::Etf => Self::Etf,
        }
    }
}

/// The currency an instrument is quoted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Currency {
    Krw,
    Usd,
}

impl From<kernel::Currency> for Currency {
    fn from(currency: kernel::Currency) -> Self {
        match currency {
            kernel::Currency::Krw => Self::Krw,
            kernel::Currency::Usd => Self::Usd,
        }
    }
}

/// Whether an instrument trades at this moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum MarketSession {
    Open,
    Auction,
    Closed,
    Halted,
}

impl From<market::SessionState> for MarketSession {
    fn from(state: market::SessionState) -> Self {
        match state {
            market::SessionState::Open => Self::Open,
            market::SessionState::Auction => Self::Auction,
            market::SessionState::Halted => Self::Halted,
            market::SessionState::Closed | market::SessionState::Unspecified => Self::Closed,
        }
    }
}

/// The kind of client a member uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Platform {
    Ios,
    Android,
    Web,
}

impl Platform {
    /// The word that auth knows it by.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Ios => "ios",
            Self::Android => "android",
            Self::Web => "web",
        }
    }
}

/// Which side of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Side {
    Buy,
    Sell,
}

/// Kind of an order request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) enum OrderGb {
    #[serde(rename = "매수주문")]
    Buy,
    #[serde(rename = "매도주문")]
    Sell,
    #[serde(rename = "매수취소")]
    CancelBuy,
    #[serde(rename = "매도취소")]
    CancelSell,
    #[serde(rename = "매수정정")]
    ModifyBuy,
    #[serde(rename = "매도정정")]
    ModifySell,
}

/// Kind of what is ordered. ETFs are ordered as STOCK.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum OrderCategory {
    Stock,
    Coin,
    Gold,
}

impl OrderCategory {
    pub(crate) fn to_proto(self) -> trading::OrderCategory {
        match self {
            Self::Stock => trading::OrderCategory::Stock,
            Self::Coin => trading::OrderCategory::Coin,
            Self::Gold => trading::OrderCategory::Gold,
        }
    }
}

/// What a modification changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum OrderModification {
    Price,
    Qty,
    Both,
}

/// Where an order stands. The last five never change again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum OrderStatus {
    Queued,
    Accepted,
    Partial,
    Filled,
    Canceled,
    Expired,
    Replaced,
    Rejected,
}

impl OrderStatus {
    /// The status as members read it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Queued => "예약",
            Self::Accepted => "미체결",
            Self::Partial => "일부 체결",
            Self::Filled => "체결",
            Self::Canceled => "취소",
            Self::Expired => "기간 만료",
            Self::Replaced => "정정됨",
            Self::Rejected => "거부",
        }
    }
}

/// The period of a chart: 1-minute candles of a day, 10-minute of a week, daily of three months
/// and of a year, weekly of five years.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum CandleType {
    #[default]
    Day,
    Weekly,
    ThreeMonth,
    Year,
    FiveYear,
}

impl CandleType {
    pub(crate) fn to_proto(self) -> market::CandlePeriod {
        match self {
            Self::Day => market::CandlePeriod::Day,
            Self::Weekly => market::CandlePeriod::Weekly,
            Self::ThreeMonth => market::CandlePeriod::ThreeMonth,
            Self::Year => market::CandlePeriod::Year,
            Self::FiveYear => market::CandlePeriod::FiveYear,
        }
    }

    /// Whether its candles are shorter than a day and carry a time.
    pub(crate) fn is_intraday(self) -> bool {
        match self {
            Self::Day | Self::Weekly => true,
            Self::ThreeMonth | Self::Year | Self::FiveYear => false,
        }
    }
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ItemSort {
    MarketCap,
    Name,
    RateUp,
    RateDown,
    #[default]
    Value,
    Price,
}

impl ItemSort {
    pub(crate) fn to_proto(self) -> market::ItemSort {
        match self {
            Self::MarketCap => market::ItemSort::MarketCap,
            Self::Name => market::ItemSort::Name,
            Self::RateUp => market::ItemSort::RateUp,
            Self::RateDown => market::ItemSort::RateDown,
            Self::Value => market::ItemSort::TradedValue,
            Self::Price => market::ItemSort::Price,
        }
    }
}

/// What an item is to a member: its kind among likes and searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum ItemKind {
    Stock,
    Etf,
    Coin,
    Gold,
    Product,
}

impl ItemKind {
    pub(crate) fn to_proto(self) -> market::ItemKind {
        match self {
            Self::Stock => market::ItemKind::Stock,
            Self::Etf => market::ItemKind::Etf,
            Self::Coin => market::ItemKind::Coin,
            Self::Gold => market::ItemKind::Gold,
            Self::Product => market::ItemKind::Product,
        }
    }
}

macro_rules! text_parameter {
    ($(#[$doc:meta])* $name:ident($($schema:tt)*), $message:literal, $accepts:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
        #[serde(try_from = "String")]
        #[schema(value_type = String, $($schema)*)]
        pub(crate) struct $name(String);

        impl $name {
            pub(crate) fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = &'static str;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                let accepts: fn(&str) -> bool = $accepts;
                let read = Self(text);
                if accepts(read.as_str()) { Ok(read) } else { Err($message) }
            }
        }

        impl From<$name> for String {
            fn from(read: $name) -> Self {
                read.0
            }
        }
    };
}

text_parameter!(
    /// An instrument's code, for example `005930`, `AAPL`, `KRW-BTC`.
    Code(pattern = "^[A-Za-z0-9.-]{1,20}$"),
    "종목 코드가 올바르지 않아요",
    |text| (1..=20).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte))
);

text_parameter!(
    /// Codes of instruments with commas between them: at most 100, each once.
    Codes(pattern = "^[A-Za-z0-9.-]{1,20}(,[A-Za-z0-9.-]{1,20}){0,99}$"),
    "종목 코드는 서로 다른 것으로 100개까지 쉼표로 나눠 보내 주세요",
    |text| {
        let codes: Vec<&str> = text.split(',').collect();
        let distinct: HashSet<&str> = codes.iter().copied().collect();
        let are_codes = codes.iter().all(|code| Code::try_from((*code).to_owned()).is_ok());
        are_codes && codes.len() <= 100 && distinct.len() == codes.len()
    }
);

text_parameter!(
    /// An account: twelve digits, or `00` for one's basic and `99` for one's competition account.
    Acno(pattern = "^(00|99|[0-9]{12})$"),
    "계좌번호가 올바르지 않아요",
    |text| text == "00" || text == "99" || kernel::AccountNo::parse(text).is_ok()
);

text_parameter!(
    /// What is searched for: at most 50 characters.
    SearchText(max_length = 50),
    "검색어는 50자까지예요",
    |text| text.chars().count() <= 50 && !text.contains('\0')
);

/// A page from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(try_from = "i64")]
#[schema(value_type = i32, minimum = 1, maximum = 10_000)]
pub(crate) struct Page(pub(crate) i32);

impl Default for Page {
    fn default() -> Self {
        Self(1)
    }
}

impl TryFrom<i64> for Page {
    type Error = &'static str;

    fn try_from(number: i64) -> Result<Self, Self::Error> {
        match i32::try_from(number) {
            Ok(page) if (1..=10_000).contains(&page) => Ok(Self(page)),
            _ => Err("쪽 번호가 올바르지 않아요"),
        }
    }
}

/// An exclusive end: `2026-11-21T09:03:00+09:00`, without an offset Korean time, or a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Until(pub(crate) DateTime<Utc>);

impl TryFrom<String> for Until {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        // A plus sign that a client did not escape arrives as a space.
        let text = text.trim_end().replace(' ', "+");
        let instant = DateTime::parse_from_rfc3339(&text)
            .map(|instant| instant.to_utc())
            .ok()
            .or_else(|| korean_time(&text));
        let years = 1990..=2100;
        instant
            .filter(|instant| years.contains(&chrono::Datelike::year(instant)))
            .map(Self)
            .ok_or("날짜가 올바르지 않아요")
    }
}

fn korean_time(text: &str) -> Option<DateTime<Utc>> {
    let date = |format| NaiveDate::parse_from_str(text, format).ok();
    let local = NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S")
        .ok()
        .or_else(|| date("%Y-%m-%d").map(|day| day.and_time(NaiveTime::MIN)))
        .or_else(|| date("%Y%m%d").map(|day| day.and_time(NaiveTime::MIN)))?;
    Some(KST.from_local_datetime(&local).single()?.to_utc())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_every_market_are_codes() {
        for good in ["005930", "AAPL", "BRK.B", "KRW-BTC", "04020000", "0000D0"] {
            assert!(Code::try_from(good.to_owned()).is_ok(), "{good}");
        }
        for bad in [
            "",
            "a/b",
            "a b",
            "삼성전자",
            "';--",
            "\0",
            "A".repeat(21).as_str(),
        ] {
            assert!(Code::try_from(bad.to_owned()).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn an_end_is_an_instant_a_korean_time_or_a_date() {
        let instant =
            |text: &str| Until::try_from(text.to_owned()).map(|until| until.0.to_string());
        let nine = Ok("2026-11-21 00:03:00 UTC".to_owned());
        assert_eq!(instant("2026-11-21T09:03:00+09:00"), nine);
        assert_eq!(instant("2026-11-21T09:03:00 09:00"), nine);
        assert_eq!(instant("2026-11-21T09:03:00"), nine);
        assert_eq!(
            instant("2026-11-21"),
            Ok("2026-11-20 15:00:00 UTC".to_owned())
        );
        assert_eq!(
            instant("20261121"),
            Ok("2026-11-20 15:00:00 UTC".to_owned())
        );
        for bad in ["", "2024-02-30", "0000-00-00", "1e9", "9999-01-01", "now"] {
            assert!(instant(bad).is_err(), "{bad}");
        }
    }
}
