//! The enumerations of orders.

use super::variants::{from_proto, to_proto};
use proto::trading::v1 as trading;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

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

to_proto!(pub(crate) OrderCategory => trading::OrderCategory { Stock, Coin, Gold });
from_proto!(trading::OrderCategory => OrderCategory { Stock, Coin, Gold }, "category");

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

from_proto!(trading::OrderStatus => OrderStatus {
    Queued, Accepted, Partial, Filled, Canceled, Expired, Replaced, Rejected
}, "status");

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
