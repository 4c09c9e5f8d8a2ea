//! What can go wrong when the market is asked, and what callers are told.

use bootstrap::problem;
use kernel::Won;
use tonic::{Code, Status};

/// A refusal or a failure. `Display` is what a member reads where the variant is theirs to see.
#[derive(Debug, thiserror::Error)]
pub enum MarketError {
    /// No instrument has this code.
    #[error("종목을 찾을 수 없어요.")]
    InstrumentNotFound {
        /// The code that was asked for.
        code: String,
    },
    /// The instrument is nothing that has a company.
    #[error("기업 개요가 없는 종목이에요.")]
    OutlineNotFound {
        /// The code that was asked for.
        code: String,
    },
    /// History cannot be read now.
    #[error("지금은 차트를 볼 수 없어요.")]
    CandlesUnavailable,
    /// The item is of another kind than it was taken for.
    #[error("종목의 종류가 달라요.")]
    ItemKindMismatch {
        /// The code that was named.
        code: String,
    },
    /// A member likes as much as anybody may.
    #[error("관심 목록에는 {limit}개까지 담을 수 있어요.")]
    TooManyLikes {
        /// Likes that are allowed.
        limit: i64,
    },
    /// No product has this number.
    #[error("상품을 찾을 수 없어요.")]
    ProductNotFound {
        /// The number that was asked for.
        product_id: i64,
    },
    /// A product does not take the sum.
    #[error("{least}부터 {most}까지 가입할 수 있어요.")]
    InvalidAmount {
        /// Least sum.
        least: Won,
        /// Largest sum.
        most: Won,
    },
    /// A product does not have the term.
    #[error("이 상품에 없는 기간이에요.")]
    TermNotOffered {
        /// Months that it has.
        offered: Vec<i32>,
    },
    /// The main access token has run out.
    #[error("로그인 시간이 지났어요.")]
    TokenExpired,
    /// The main access token is not one of ours.
    #[error("로그인이 필요해요.")]
    TokenInvalid,
    /// The auth service cannot be asked for its keys or for a session, so no token can be judged.
    #[error("지금은 로그인을 확인할 수 없어요. 잠시 뒤에 다시 해 주세요.")]
    AuthUnavailable,
    /// The database failed.
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    /// A row of the database does not say what its columns must.
    #[error("row {key} of {table} is unreadable: {fault}")]
    CorruptRow {
        /// Table of the row.
        table: &'static str,
        /// Its key.
        key: String,
        /// What is wrong.
        fault: String,
    },
    /// The market runs on another clock or feed than this database was begun with.
    #[error(
        "this database holds a market on the {had_clock} clock with the {had_feed} feed, \
         and the settings ask for {wants_clock} and {wants_feed}: `make reset` starts anew"
    )]
    OtherMarket {
        /// Clock of the data.
        had_clock: String,
        /// Feed of the data.
        had_feed: String,
        /// Clock of the settings.
        wants_clock: String,
        /// Feed of the settings.
        wants_feed: String,
    },
    /// Something of ours is broken.
    #[error("{0}")]
    Internal(String),
}

impl From<MarketError> for Status {
    fn from(error: MarketError) -> Self {
        let (code, reason, facts) = match &error {
            MarketError::InstrumentNotFound { code } => (
                Code::NotFound,
                "INSTRUMENT_NOT_FOUND",
                vec![("code", code.clone())],
            ),
            MarketError::OutlineNotFound { code } => (
                Code::NotFound,
                "OUTLINE_NOT_FOUND",
                vec![("code", code.clone())],
            ),
            MarketError::CandlesUnavailable => (Code::Unavailable, "CANDLES_UNAVAILABLE", vec![]),
            MarketError::ItemKindMismatch { code } => (
                Code::FailedPrecondition,
                "ITEM_KIND_MISMATCH",
                vec![("code", code.clone())],
            ),
            MarketError::TooManyLikes { limit } => (
                Code::FailedPrecondition,
                "TOO_MANY_LIKES",
                vec![("limit", limit.to_string())],
            ),
            MarketError::ProductNotFound { product_id } => (
                Code::NotFound,
                "PRODUCT_NOT_FOUND",
                vec![("productSid", product_id.to_string())],
            ),
            MarketError::InvalidAmount { least, most } => (
                Code::FailedPrecondition,
                "INVALID_AMOUNT",
                vec![("least", least.0.to_string()), ("most", most.0.to_string())],
            ),
            MarketError::TermNotOffered { offered } => {
                let mut offered = offered.clone();
                offered.sort_unstable();
                offered.dedup();
                let offered: Vec<String> = offered.iter().map(i32::to_string).collect();
                (
                    Code::FailedPrecondition,
                    "TERM_NOT_OFFERED",
                    vec![("offered", offered.join(","))],
                )
            }
            MarketError::TokenExpired => {
                (Code::Unauthenticated, "Authentication is expired", vec![])
            }
            MarketError::TokenInvalid => {
                (Code::Unauthenticated, "Authentication is invalid", vec![])
            }
            MarketError::AuthUnavailable => (Code::Unavailable, "UNAVAILABLE", vec![]),
            MarketError::Database(
                sqlx::Error::PoolTimedOut | sqlx::Error::Io(_) | sqlx::Error::PoolClosed,
            ) => {
                tracing::warn!(%error, "The database does not answer");
                return Self::unavailable("database");
            }
            MarketError::Database(_)
            | MarketError::CorruptRow { .. }
            | MarketError::OtherMarket { .. }
            | MarketError::Internal(_) => {
                tracing::error!(%error, "A call failed");
                return Self::internal("internal error");
            }
        };
        problem::status(code, reason, error.to_string(), facts)
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
    fn a_failure_says_nothing_of_its_inside() {
        let status = Status::from(MarketError::Internal("secret".to_owned()));
        assert_eq!(status.message(), "internal error");
        let busy = Status::from(MarketError::Database(sqlx::Error::PoolTimedOut));
        assert_eq!(busy.code(), Code::Unavailable);
    }
}
