//! Errors of trading, and their translation into gRPC statuses.

use bootstrap::database::{self, HasDbErr, LOCK_NOT_AVAILABLE, Outage};
use bootstrap::problem;
use messaging::consumer::HandlerError;
use prost::Message;
use proto::common::v1::Problem;
use proto::convert::InvalidField;
use proto::trading::v1 as wire;
use sea_orm::{DbErr, TransactionError};
use tokio::task::JoinError;
use tonic::{Code, Status as GrpcStatus};

use crate::ledger::LedgerError;
use crate::matching::balances::SettlementError;
use crate::orders::order::Status;
use crate::orders::rejection::OrderRejection;
use crate::refusal::Refusal;

#[derive(Debug, thiserror::Error)]
pub enum TradingError {
    #[error(transparent)]
    Rejected(#[from] OrderRejection),
    /// A rule refuses a request that is not an order.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The stored rejection of an earlier request with the same id.
    #[error("{}", .0.problem.message)]
    Stored(Box<StoredRejection>),
    /// The request id was used for a request with another body.
    #[error("이미 다른 요청에 쓰인 요청 번호예요.")]
    RequestIdReused,
    /// A request with the same id is in flight.
    #[error("같은 요청을 처리하고 있어요. 잠시 후 다시 확인해 주세요.")]
    RequestInProgress,
    /// The member has no such order.
    #[error("주문을 찾을 수 없어요.")]
    OrderNotFound,
    #[error("{}", final_sentence(*.status))]
    OrderFinal {
        status: Status,
        order: Box<wire::Order>,
    },
    /// The remaining quantity differs from the one on the member's screen.
    #[error("그사이 주문의 남은 수량이 달라졌어요. 확인하고 다시 정정해 주세요.")]
    OrderChanged(Box<wire::Order>),
    /// The request was closed before it arrived.
    #[error("주문이 접수되지 않았어요. 다시 주문해 주세요.")]
    OrderNotReceived,
    /// The named field has an invalid value.
    #[error("요청 형식이 올바르지 않아요: {0}")]
    Malformed(&'static str),
    /// Another transaction has locked the account.
    #[error("계좌의 다른 처리를 마무리하고 있어요. 잠시 후 다시 시도해 주세요.")]
    AccountLocked,
    /// Many want a part of the same thing: limited stock, the places of an event.
    #[error("지금은 신청이 몰려 있어요. 잠시 후 다시 시도해 주세요.")]
    Crowded,
    /// Many read long lists.
    #[error("지금은 조회가 몰려 있어요. 잠시 후 다시 시도해 주세요.")]
    ManyReaders,
    /// Too many orders are queued for the database.
    #[error("지금은 주문이 몰려 있어요. 잠시 후 다시 시도해 주세요.")]
    Busy,
    #[error("처리 시간이 지났어요.")]
    DeadlinePassed,
    #[error("database: {0}")]
    Database(#[from] DbErr),
    /// What fills would do does not fit the locked balances.
    #[error("settlement: {0}")]
    Settlement(#[from] SettlementError),
    /// The ledger rejected a journal.
    #[error("ledger: {0}")]
    Ledger(LedgerError),
    /// The task panicked.
    #[error("the task failed: {0}")]
    TaskFailed(#[from] JoinError),
}

/// A rejection as stored with its request id.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredRejection {
    pub code: Code,
    pub problem: Problem,
}

fn final_sentence(status: Status) -> &'static str {
    match status {
        Status::Filled => "이미 체결된 주문이에요.",
        Status::Canceled => "이미 취소된 주문이에요.",
        Status::Expired => "기간이 만료된 주문이에요.",
        Status::Replaced => "이미 정정된 주문이에요.",
        Status::Rejected => "거부된 주문이에요.",
        Status::Queued | Status::Accepted | Status::Partial => "주문이 아직 대기 중이에요.",
    }
}

impl TradingError {
    /// The status code, the reason code and the numbers of the error.
    fn parts(&self) -> (Code, &'static str, Vec<(&'static str, String)>) {
        match self {
            Self::Rejected(rejection) => (
                rejection_code(rejection),
                rejection.reason(),
                rejection.facts(),
            ),
            Self::Refused(refusal) => (refusal.code(), refusal.reason(), refusal.facts().to_vec()),
            Self::Stored(stored) => (stored.code, "", Vec::new()),
            Self::RequestIdReused => (Code::AlreadyExists, "REQ_SID_REUSED", Vec::new()),
            Self::RequestInProgress => (Code::Aborted, "REQ_SID_IN_PROGRESS", Vec::new()),
            Self::OrderNotFound => (Code::NotFound, "ORDER_NOT_FOUND", Vec::new()),
            Self::OrderFinal { order, status } => {
                let reason = if *status == Status::Filled {
                    "ORDER_ALREADY_FILLED"
                } else {
                    "ORDER_STATE"
                };
                let facts = vec![
                    ("orderSid", order.order_id.to_string()),
                    ("status", status.as_str().to_owned()),
                ];
                (Code::Aborted, reason, facts)
            }
            Self::OrderChanged(order) => {
                let facts = vec![("orderSid", order.order_id.to_string())];
                (Code::Aborted, "ORDER_CHANGED", facts)
            }
            Self::OrderNotReceived => (Code::FailedPrecondition, "ORDER_NOT_RECEIVED", Vec::new()),
            Self::Malformed(field) => (
                Code::InvalidArgument,
                "MALFORMED",
                vec![("field", (*field).to_owned())],
            ),
            // Not `Unavailable`: one locked account must not open the circuit breaker of a caller.
            Self::AccountLocked | Self::Crowded | Self::ManyReaders => {
                (Code::Aborted, "UNAVAILABLE", Vec::new())
            }
            Self::Busy => (Code::Unavailable, "UNAVAILABLE", Vec::new()),
            Self::DeadlinePassed => (Code::DeadlineExceeded, "DEADLINE", Vec::new()),
            Self::Database(error) => {
                if error.may_pass() {
                    (Code::Unavailable, "UNAVAILABLE", Vec::new())
                } else {
                    (Code::Internal, "INTERNAL", Vec::new())
                }
            }
            Self::Settlement(_) | Self::Ledger(_) | Self::TaskFailed(_) => {
                (Code::Internal, "INTERNAL", Vec::new())
            }
        }
    }

    /// Whether no connection to the database could be had, so that nothing was executed.
    #[must_use]
    pub fn is_without_connection(&self) -> bool {
        matches!(
            self,
            Self::Database(DbErr::ConnectionAcquire(_) | DbErr::Conn(_))
        )
    }

    /// What is stored with a request id: rejections that stay true. Transient ones, failures and
    /// malformed requests are not stored.
    #[must_use]
    pub fn to_stored(&self) -> Option<StoredRejection> {
        match self {
            Self::Rejected(rejection) if rejection.passes_with_time() => None,
            Self::Refused(refusal) if refusal.passes_with_time() => None,
            Self::Rejected(_)
            | Self::Refused(_)
            | Self::OrderNotFound
            | Self::OrderFinal { .. }
            | Self::OrderChanged(_)
            | Self::OrderNotReceived => {
                let (code, problem) = self.problem();
                Some(StoredRejection { code, problem })
            }
            Self::Stored(_)
            | Self::RequestIdReused
            | Self::RequestInProgress
            | Self::Malformed(_)
            | Self::AccountLocked
            | Self::Crowded
            | Self::ManyReaders
            | Self::Busy
            | Self::DeadlinePassed
            | Self::Database(_)
            | Self::Settlement(_)
            | Self::Ledger(_)
            | Self::TaskFailed(_) => None,
        }
    }

    fn problem(&self) -> (Code, Problem) {
        let (code, reason, facts) = self.parts();
        let subject = if let Self::OrderFinal { order, .. } | Self::OrderChanged(order) = self {
            order.encode_to_vec()
        } else if let Self::Refused(refusal) = self {
            refusal.subject().to_vec()
        } else {
            Vec::new()
        };
        let problem = Problem {
            reason: reason.to_owned(),
            message: self.to_string(),
            facts: facts
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            subject,
            replayed: false,
        };
        (code, problem)
    }
}

fn rejection_code(rejection: &OrderRejection) -> Code {
    match rejection {
        OrderRejection::AccountForbidden => Code::PermissionDenied,
        OrderRejection::OrderRate { .. } => Code::ResourceExhausted,
        OrderRejection::CompetitionOnlyStockEtf
        | OrderRejection::CompetitionNotOngoing
        | OrderRejection::CompetitionPrice
        | OrderRejection::CompetitionWarning
        | OrderRejection::CompetitionVolume { .. }
        | OrderRejection::CompetitionConcentration { .. }
        | OrderRejection::NotTradable
        | OrderRejection::Halted
        | OrderRejection::PriceAwaited
        | OrderRejection::RiskAckRequired
        | OrderRejection::ModifyNothing
        | OrderRejection::ModifyMarketPrice
        | OrderRejection::ModifyOrderAmount
        | OrderRejection::InvalidQuantity { .. }
        | OrderRejection::InvalidTick { .. }
        | OrderRejection::PriceLimit { .. }
        | OrderRejection::MinAmount { .. }
        | OrderRejection::MaxAmount { .. }
        | OrderRejection::SlippageGuard { .. }
        | OrderRejection::InsufficientCash { .. }
        | OrderRejection::InsufficientQuantity { .. }
        | OrderRejection::TooManyOpenOrders { .. } => Code::FailedPrecondition,
    }
}

impl From<TradingError> for GrpcStatus {
    fn from(error: TradingError) -> Self {
        if let TradingError::Stored(stored) = error {
            let replayed = Problem {
                replayed: true,
                ..stored.problem
            };
            return problem::carry(stored.code, replayed);
        }
        let (code, mut problem) = error.problem();
        if code == Code::Internal {
            tracing::error!(%error, "Call failed");
            "문제가 생겼어요. 잠시 후 다시 시도해 주세요.".clone_into(&mut problem.message);
        }
        if code == Code::Unavailable {
            tracing::warn!(%error, "Call rejected as unavailable");
            "잠시 후 다시 시도해 주세요.".clone_into(&mut problem.message);
        }
        problem::carry(code, problem)
    }
}

impl From<InvalidField> for TradingError {
    fn from(error: InvalidField) -> Self {
        Self::Malformed(error.0)
    }
}

impl From<LedgerError> for TradingError {
    fn from(error: LedgerError) -> Self {
        match error {
            LedgerError::Database(error) => Self::Database(error),
            refused @ (LedgerError::Unbalanced { .. }
            | LedgerError::AlreadyPosted
            | LedgerError::Insufficient
            | LedgerError::NoBalance { .. }) => Self::Ledger(refused),
        }
    }
}

impl From<TransactionError<Self>> for TradingError {
    fn from(error: TransactionError<Self>) -> Self {
        match error {
            TransactionError::Connection(error) => Self::Database(error),
            TransactionError::Transaction(error) => error,
        }
    }
}

impl From<TradingError> for HandlerError {
    fn from(error: TradingError) -> Self {
        if let TradingError::Database(error) = error {
            return error.into();
        }
        Self::failed(error)
    }
}

impl HasDbErr for TradingError {
    fn db_err(&self) -> Option<&DbErr> {
        match self {
            Self::Database(error) => Some(error),
            Self::Rejected(_)
            | Self::Refused(_)
            | Self::Stored(_)
            | Self::RequestIdReused
            | Self::RequestInProgress
            | Self::OrderNotFound
            | Self::OrderFinal { .. }
            | Self::OrderChanged(_)
            | Self::OrderNotReceived
            | Self::Malformed(_)
            | Self::AccountLocked
            | Self::Crowded
            | Self::ManyReaders
            | Self::Busy
            | Self::DeadlinePassed
            | Self::Settlement(_)
            | Self::Ledger(_)
            | Self::TaskFailed(_) => None,
        }
    }
}

/// Whether a row lock timed out.
#[must_use]
pub fn is_lock_timeout(error: &DbErr) -> bool {
    database::sql_state(error).as_deref() == Some(LOCK_NOT_AVAILABLE)
}
