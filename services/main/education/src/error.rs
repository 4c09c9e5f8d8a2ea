//! The errors of the service, and their mapping to gRPC statuses.

use bootstrap::database::Outage;
use bootstrap::problem;
use messaging::consumer::HandlerError;
use tonic::{Code, Status};

use crate::domain::grading::InvalidAnswer;
use crate::domain::points;

/// The text is shown to members.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// Unknown, another member's, or no longer part of the content.
    #[error("찾을 수 없는 학습이에요")]
    NotFound,
    /// Handed out by a newer release.
    #[error("잠시 문제가 생겼어요. 조금 뒤에 다시 시도해주세요")]
    NotYetKnown,
    #[error("{answer_count}개까지만 고를 수 있어요")]
    TooManyAnswers { answer_count: usize },
    #[error("고를 수 없는 답이에요")]
    InvalidAnswer,
    #[error("{seconds_left}초 더 읽은 뒤에 끝낼 수 있어요")]
    ReadingTooShort { seconds_left: i64 },
    #[error("글을 다 읽은 뒤에 알려 주세요")]
    ArticleNotCompleted,
    #[error("지금은 되살릴 기록이 없어요")]
    RepairNotPossible,
    #[error("요청 형식이 올바르지 않아요")]
    Malformed,
    #[error("잠시 문제가 생겼어요. 조금 뒤에 다시 시도해주세요")]
    Database(#[from] sqlx::Error),
    /// The review schedule rejected a stored memory.
    #[error("잠시 문제가 생겼어요. 조금 뒤에 다시 시도해주세요")]
    Schedule,
    /// Trading's answer to a payment.
    #[error("{}", .0.message())]
    Payment(Status),
}

impl StudyError {
    pub(crate) fn invalid(error: InvalidAnswer, answer_count: usize) -> Self {
        match error {
            InvalidAnswer::UnknownOption => Self::InvalidAnswer,
            InvalidAnswer::TooMany => Self::TooManyAnswers { answer_count },
        }
    }
}

impl From<StudyError> for Status {
    fn from(error: StudyError) -> Self {
        let (code, reason, facts) = match &error {
            StudyError::NotFound => (Code::NotFound, "STUDY_NOT_FOUND", vec![]),
            StudyError::NotYetKnown => (Code::Unavailable, "UNAVAILABLE", vec![]),
            StudyError::TooManyAnswers { answer_count } => (
                Code::FailedPrecondition,
                "TOO_MANY_ANSWERS",
                vec![("answerCount", answer_count.to_string())],
            ),
            StudyError::InvalidAnswer => (Code::FailedPrecondition, "INVALID_ANSWER", vec![]),
            StudyError::ReadingTooShort { seconds_left } => (
                Code::FailedPrecondition,
                "READING_TOO_SHORT",
                vec![("secondsLeft", seconds_left.to_string())],
            ),
            StudyError::ArticleNotCompleted => {
                (Code::FailedPrecondition, "ARTICLE_NOT_COMPLETED", vec![])
            }
            StudyError::RepairNotPossible => (
                Code::FailedPrecondition,
                "REPAIR_NOT_POSSIBLE",
                vec![("points", points::REPAIR.to_string())],
            ),
            StudyError::Malformed => (Code::InvalidArgument, "MALFORMED", vec![]),
            StudyError::Payment(status) => return status.clone(),
            StudyError::Database(source) if source.may_pass() => {
                tracing::warn!(error = %source, "Database unavailable");
                (Code::Unavailable, "UNAVAILABLE", vec![])
            }
            StudyError::Database(source) => {
                tracing::error!(error = %source, "A request failed");
                (Code::Internal, "INTERNAL", vec![])
            }
            StudyError::Schedule => {
                tracing::error!("A review could not be scheduled");
                (Code::Internal, "INTERNAL", vec![])
            }
        };
        problem::status(code, reason, error.to_string(), facts)
    }
}

impl From<StudyError> for HandlerError {
    fn from(error: StudyError) -> Self {
        if let StudyError::Database(error) = error {
            return error.into();
        }
        Self::failed(error)
    }
}
