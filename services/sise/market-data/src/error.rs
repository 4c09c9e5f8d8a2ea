//! Errors of market-data and their gRPC statuses.

use bootstrap::database::Outage;
use bootstrap::problem;
use kernel::Won;
use messaging::consumer::HandlerError;
use tonic::{Code, Status};

/// `Display` of a variant that members can cause is the message they read.
#[derive(Debug, thiserror::Error)]
pub enum MarketError {
    #[error("종목을 찾을 수 없어요.")]
    InstrumentNotFound { code: String },
    /// The instrument has no company.
    #[error("기업 개요가 없는 종목이에요.")]
    OutlineNotFound { code: String },
    #[error("지금은 차트를 볼 수 없어요.")]
    CandlesUnavailable,
    /// Trades before the instant may still come.
    #[error("아직 끝나지 않은 날이에요.")]
    DayNotOver,
    /// The item is of another kind than the request says.
    #[error("종목의 종류가 달라요.")]
    ItemKindMismatch { code: String },
    #[error("관심 목록에는 {limit}개까지 담을 수 있어요.")]
    TooManyLikes { limit: i64 },
    #[error("상품을 찾을 수 없어요.")]
    ProductNotFound { product_id: i64 },
    /// The amount is outside the product's limits.
    #[error("{least}부터 {most}까지 가입할 수 있어요.")]
    InvalidAmount { least: Won, most: Won },
    #[error("이 상품에 없는 기간이에요.")]
    TermNotOffered {
        /// Terms of the product in months.
        offered: Vec<i32>,
    },
    /// No price that the instrument can have, or one that is not believed to come.
    #[error("알림을 받을 수 없는 가격이에요.")]
    AlertPrice,
    /// Zero, more than a day of the instrument allows, or with too many decimals.
    #[error("알림을 받을 수 없는 등락률이에요.")]
    AlertPercent,
    /// An alert would fire at once.
    #[error("지금 가격이 이미 그 조건이에요. 다른 값을 정해 주세요.")]
    AlertAlreadyTrue,
    #[error("가격 알림은 {limit}개까지 받을 수 있어요.")]
    TooManyAlerts { limit: i64 },
    /// All members together have as many as the watcher may keep in memory.
    #[error("지금은 가격 알림이 가득 찼어요. 나중에 다시 만들어 주세요.")]
    AlertsFull,
    #[error("가격 알림을 찾을 수 없어요.")]
    AlertNotFound { alert_id: i64 },
    #[error("다른 요청에 쓴 요청 번호예요.")]
    RequestIdReused,
    /// The instrument has no price yet.
    #[error("지금은 시세를 확인할 수 없어요.")]
    PriceUnknown,
    #[error("로그인 시간이 지났어요.")]
    TokenExpired,
    /// The main access token is not valid.
    #[error("로그인이 필요해요.")]
    TokenInvalid,
    /// The keys or the state of the session are unavailable.
    #[error("지금은 로그인을 확인할 수 없어요. 잠시 뒤에 다시 해 주세요.")]
    AuthUnavailable,
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    /// A row has an invalid value.
    #[error("row {key} of {table} is unreadable: {fault}")]
    CorruptRow {
        table: &'static str,
        key: String,
        fault: String,
    },
    /// The database was created with another clock or feed.
    #[error(
        "this database holds a market on the {had_clock} clock with the {had_feed} feed, \
         and the settings ask for {wants_clock} and {wants_feed}: `make reset` starts anew"
    )]
    OtherMarket {
        had_clock: String,
        had_feed: String,
        wants_clock: String,
        wants_feed: String,
    },
    /// The stored progress of the watcher is beyond this process's.
    #[error("another process has watched prices beyond this offset of the tick log")]
    WatchOvertaken,
    #[error("{0}")]
    Internal(String),
}

impl From<MarketError> for HandlerError {
    fn from(error: MarketError) -> Self {
        if let MarketError::Database(error) = error {
            return error.into();
        }
        Self::failed(error)
    }
}

impl From<MarketError> for Status {
    fn from(error: MarketError) -> Self {
        if let Some((code, reason)) = error.reason() {
            return problem::status(code, reason, error.to_string(), error.facts());
        }
        if let MarketError::Database(source) = &error
            && source.may_pass()
        {
            tracing::warn!(%error, "Database unavailable");
            return Self::unavailable("database");
        }
        tracing::error!(%error, "Call failed");
        Self::internal("internal error")
    }
}

impl MarketError {
    /// The status and reason of what a member can cause or wait out; `None` for faults of the service.
    fn reason(&self) -> Option<(Code, &'static str)> {
        let reason = match self {
            Self::InstrumentNotFound { .. } => (Code::NotFound, "INSTRUMENT_NOT_FOUND"),
            Self::OutlineNotFound { .. } => (Code::NotFound, "OUTLINE_NOT_FOUND"),
            Self::CandlesUnavailable => (Code::Unavailable, "CANDLES_UNAVAILABLE"),
            Self::DayNotOver => (Code::FailedPrecondition, "DAY_NOT_OVER"),
            Self::ItemKindMismatch { .. } => (Code::FailedPrecondition, "ITEM_KIND_MISMATCH"),
            Self::TooManyLikes { .. } => (Code::FailedPrecondition, "TOO_MANY_LIKES"),
            Self::ProductNotFound { .. } => (Code::NotFound, "PRODUCT_NOT_FOUND"),
            Self::InvalidAmount { .. } => (Code::FailedPrecondition, "INVALID_AMOUNT"),
            Self::TermNotOffered { .. } => (Code::FailedPrecondition, "TERM_NOT_OFFERED"),
            Self::AlertPrice | Self::AlertPercent => (Code::FailedPrecondition, "ALERT_VALUE"),
            Self::AlertAlreadyTrue => (Code::FailedPrecondition, "ALERT_ALREADY_TRUE"),
            Self::TooManyAlerts { .. } => (Code::FailedPrecondition, "TOO_MANY_ALERTS"),
            Self::AlertsFull => (Code::FailedPrecondition, "ALERTS_FULL"),
            Self::AlertNotFound { .. } => (Code::NotFound, "ALERT_NOT_FOUND"),
            Self::RequestIdReused => (Code::AlreadyExists, "REQ_SID_REUSED"),
            Self::PriceUnknown => (Code::Unavailable, "MARKET_UNAVAILABLE"),
            Self::TokenExpired => (Code::Unauthenticated, "Authentication is expired"),
            Self::TokenInvalid => (Code::Unauthenticated, "Authentication is invalid"),
            Self::AuthUnavailable => (Code::Unavailable, "UNAVAILABLE"),
            Self::Database(_)
            | Self::CorruptRow { .. }
            | Self::OtherMarket { .. }
            | Self::WatchOvertaken
            | Self::Internal(_) => return None,
        };
        Some(reason)
    }

    /// What a sentence of the client needs besides the reason.
    fn facts(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::InstrumentNotFound { code }
            | Self::OutlineNotFound { code }
            | Self::ItemKindMismatch { code } => vec![("code", code.clone())],
            Self::TooManyLikes { limit } | Self::TooManyAlerts { limit } => {
                vec![("limit", limit.to_string())]
            }
            Self::ProductNotFound { product_id } => vec![("productSid", product_id.to_string())],
            Self::InvalidAmount { least, most } => {
                vec![("least", least.0.to_string()), ("most", most.0.to_string())]
            }
            Self::TermNotOffered { offered } => {
                let mut offered = offered.clone();
                offered.sort_unstable();
                offered.dedup();
                let offered: Vec<String> = offered.iter().map(i32::to_string).collect();
                vec![("offered", offered.join(","))]
            }
            Self::AlertNotFound { alert_id } => vec![("sid", alert_id.to_string())],
            Self::CandlesUnavailable
            | Self::DayNotOver
            | Self::AlertPrice
            | Self::AlertPercent
            | Self::AlertAlreadyTrue
            | Self::AlertsFull
            | Self::RequestIdReused
            | Self::PriceUnknown
            | Self::TokenExpired
            | Self::TokenInvalid
            | Self::AuthUnavailable
            | Self::Database(_)
            | Self::CorruptRow { .. }
            | Self::OtherMarket { .. }
            | Self::WatchOvertaken
            | Self::Internal(_) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_carries_its_reason_and_sentence() {
        let status = Status::from(MarketError::InstrumentNotFound {
            code: "999999".to_owned(),
        });
        let problem = problem::of(&status).unwrap();
        assert_eq!(status.code(), Code::NotFound);
        assert_eq!(problem.reason, "INSTRUMENT_NOT_FOUND");
        assert_eq!(problem.message, "종목을 찾을 수 없어요.");
        assert_eq!(problem.facts["code"], "999999");
    }

    #[test]
    fn internal_errors_hide_their_details() {
        let status = Status::from(MarketError::Internal("secret".to_owned()));
        assert_eq!(status.message(), "internal error");
        let busy = Status::from(MarketError::Database(sqlx::Error::PoolTimedOut));
        assert_eq!(busy.code(), Code::Unavailable);
    }
}
