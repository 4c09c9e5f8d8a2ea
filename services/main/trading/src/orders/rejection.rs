//! Why an order is rejected: the reason code, the sentence for the member, and its numbers.

use kernel::{Price, Quantity, Won};

/// Why an order is rejected. `Display` is the sentence for the member.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrderRejection {
    /// The account is not the member's, is closed, or does not exist: one reason for all.
    #[error("사용할 수 없는 계좌예요.")]
    AccountForbidden,
    /// A competition account trades only stocks and ETFs.
    #[error("대회 계좌에서는 주식과 ETF만 거래할 수 있어요.")]
    CompetitionOnlyStockEtf,
    /// The event has not begun, or is over.
    #[error("대회 기간에만 주문할 수 있어요.")]
    CompetitionNotOngoing,
    /// In a competition cheap items cannot be bought.
    #[error("대회에서는 1,000원이나 1달러보다 싼 종목을 살 수 없어요.")]
    CompetitionPrice,
    /// In a competition items with a warning cannot be bought.
    #[error("대회에서는 투자 경고·위험 종목을 살 수 없어요.")]
    CompetitionWarning,
    /// More than a tenth of a day's volume of the item, with what was ordered today.
    #[error("대회에서는 하루 거래량의 10%까지만 주문할 수 있어요. 지금은 {most}주까지예요.")]
    CompetitionVolume { most: Quantity },
    /// More than 40 % of the account in one item.
    #[error("대회에서는 한 종목에 자산의 40%까지만 담을 수 있어요. 지금은 {most}까지예요.")]
    CompetitionConcentration { most: Won },
    /// Unknown, listed without trading, or sent to the route of another category.
    #[error("거래할 수 없는 종목이에요.")]
    NotTradable,
    #[error("거래가 정지된 종목이에요.")]
    Halted,
    /// No price, session or exchange rate is known yet.
    #[error("시세 대기 중이에요. 잠시 후 다시 시도해 주세요.")]
    PriceAwaited,
    /// The instrument has a warning that the member did not accept.
    #[error("투자 경고·위험 종목이에요. 위험을 확인한 뒤 주문해 주세요.")]
    RiskAckRequired,
    /// Not positive, not a multiple of the step, or above the maximum.
    #[error("주문 수량을 확인해 주세요. {step} 단위로 주문할 수 있어요.")]
    InvalidQuantity {
        step: Quantity,
        most: Option<Quantity>,
    },
    /// The price is between two ticks.
    #[error("호가 단위에 맞지 않아요. {}{above} 중에서 골라 주세요.", below_text(.below))]
    InvalidTick {
        /// `None` under the lowest tick.
        below: Option<Price>,
        above: Price,
    },
    /// The price is outside the day's limits.
    #[error("오늘은 {lower}부터 {upper}까지만 주문할 수 있어요.")]
    PriceLimit {
        /// 하한가.
        lower: Price,
        /// 상한가.
        upper: Price,
    },
    #[error("최소 주문 금액은 {least}이에요.")]
    MinAmount { least: Won },
    #[error("한 번에 {most}까지 주문할 수 있어요.")]
    MaxAmount { most: Won },
    /// The last price is too far from the one on the member's screen.
    #[error("보던 가격과 현재가가 5% 넘게 달라요. 현재가 {last}를 확인해 주세요.")]
    SlippageGuard { last: Price },
    #[error("주문가능금액이 부족해요. {need} 필요, {have} 보유.")]
    InsufficientCash {
        /// The hold of the order.
        need: Won,
        have: Won,
    },
    #[error("판매 가능 수량이 부족해요. {need} 필요, {have} 보유.")]
    InsufficientQuantity { need: Quantity, have: Quantity },
    #[error("대기 중인 주문은 {most}건까지 둘 수 있어요.")]
    TooManyOpenOrders { most: i32 },
    /// A modification that changes nothing.
    #[error("바뀐 내용이 없어요. 가격이나 수량을 바꿔 주세요.")]
    ModifyNothing,
    /// A market order has no price to change.
    #[error("시장가 주문은 가격을 정정할 수 없어요. 수량만 바꿔 주세요.")]
    ModifyMarketPrice,
    /// An order by amount changes only by being canceled.
    #[error("금액으로 한 주문은 정정할 수 없어요. 취소하고 다시 주문해 주세요.")]
    ModifyOrderAmount,
    #[error("주문이 너무 잦아요. 잠시 후 다시 시도해 주세요.")]
    OrderRate {
        /// Seconds until another order is accepted.
        retry_after_s: i64,
    },
}

impl OrderRejection {
    /// Whether the same request may be accepted a little later. Such a rejection is not stored as
    /// the reply to the request.
    #[must_use]
    pub fn passes_with_time(&self) -> bool {
        matches!(self, Self::PriceAwaited | Self::OrderRate { .. })
    }

    /// The reason code in UPPER_SNAKE.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        match self {
            Self::AccountForbidden => "ACCOUNT_FORBIDDEN",
            Self::CompetitionOnlyStockEtf => "COMPETITION_ONLY_STOCK_ETF",
            Self::CompetitionNotOngoing => "COMPETITION_NOT_ONGOING",
            Self::CompetitionPrice => "COMPETITION_PRICE",
            Self::CompetitionWarning => "COMPETITION_WARNING",
            Self::CompetitionVolume { .. } => "COMPETITION_VOLUME",
            Self::CompetitionConcentration { .. } => "COMPETITION_CONCENTRATION",
            Self::NotTradable | Self::Halted => "NOT_TRADABLE",
            Self::PriceAwaited => "MARKET_UNAVAILABLE",
            Self::RiskAckRequired => "RISK_ACK_REQUIRED",
            Self::InvalidQuantity { .. } => "INVALID_QUANTITY",
            Self::InvalidTick { .. } => "INVALID_TICK",
            Self::PriceLimit { .. } => "PRICE_LIMIT",
            Self::MinAmount { .. } => "MIN_AMOUNT",
            Self::MaxAmount { .. } => "MAX_AMOUNT",
            Self::SlippageGuard { .. } => "SLIPPAGE_GUARD",
            Self::InsufficientCash { .. } => "INSUFFICIENT_CASH",
            Self::InsufficientQuantity { .. } => "INSUFFICIENT_QTY",
            Self::TooManyOpenOrders { .. } => "TOO_MANY_OPEN_ORDERS",
            Self::ModifyNothing | Self::ModifyMarketPrice | Self::ModifyOrderAmount => {
                "MODIFY_NOTHING"
            }
            Self::OrderRate { .. } => "ORDER_RATE",
        }
    }

    /// The numbers of the rejection, by the names that clients read.
    #[must_use]
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::AccountForbidden
            | Self::CompetitionOnlyStockEtf
            | Self::CompetitionNotOngoing
            | Self::CompetitionPrice
            | Self::CompetitionWarning
            | Self::NotTradable
            | Self::Halted
            | Self::PriceAwaited
            | Self::RiskAckRequired
            | Self::ModifyNothing
            | Self::ModifyMarketPrice
            | Self::ModifyOrderAmount => Vec::new(),
            Self::OrderRate { retry_after_s } => vec![("retryAfterS", retry_after_s.to_string())],
            Self::InvalidQuantity { step, most } => {
                let mut facts = vec![("step", step.to_string())];
                facts.extend(most.map(|most| ("most", most.to_string())));
                facts
            }
            Self::InvalidTick { below, above } => {
                let mut facts = vec![("above", above.to_string())];
                facts.extend(below.map(|below| ("below", below.to_string())));
                facts
            }
            Self::PriceLimit { lower, upper } => {
                vec![("lower", lower.to_string()), ("upper", upper.to_string())]
            }
            Self::MinAmount { least } => vec![("least", least.0.to_string())],
            Self::MaxAmount { most } => vec![("most", most.0.to_string())],
            Self::SlippageGuard { last } => vec![("last", last.to_string())],
            Self::InsufficientCash { need, have } => {
                vec![("need", need.0.to_string()), ("have", have.0.to_string())]
            }
            Self::InsufficientQuantity { need, have } => {
                vec![("need", need.to_string()), ("have", have.to_string())]
            }
            Self::CompetitionVolume { most } => vec![("most", most.to_string())],
            Self::CompetitionConcentration { most } => vec![("most", most.0.to_string())],
            Self::TooManyOpenOrders { most } => vec![("most", most.to_string())],
        }
    }
}

fn below_text(below: &Option<Price>) -> String {
    below.map(|price| format!("{price}, ")).unwrap_or_default()
}
