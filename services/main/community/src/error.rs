//! The errors of the service, and their mapping to gRPC statuses.

use bootstrap::database::Outage;
use bootstrap::problem;
use chrono::{DateTime, SecondsFormat, Utc};
use kernel::clock::KST;
use messaging::consumer::HandlerError;
use tonic::{Code, Status};

use crate::domain::writing::Refusal;
use crate::pictures::files::FilesError;
use crate::pictures::render::Unusable;

/// The text is shown to members.
#[derive(Debug, thiserror::Error)]
pub enum CommunityError {
    /// Unknown, or not to be seen by the member.
    #[error("찾을 수 없는 글이에요")]
    PostNotFound,
    #[error("삭제된 글이에요")]
    PostDeleted,
    #[error("찾을 수 없는 댓글이에요")]
    CommentNotFound,
    #[error("찾을 수 없는 회원이에요")]
    MemberNotFound,
    #[error("나에게는 할 수 없어요")]
    NotToOneself,
    #[error("여기까지만 볼 수 있어요")]
    PageTooFar,
    #[error("이어 볼 자리가 올바르지 않아요. 처음부터 다시 불러와 주세요")]
    CursorUnknown,
    #[error("공지는 운영자만 쓸 수 있어요")]
    CategoryNotAllowed,
    #[error("붙일 수 없는 태그예요")]
    TagUnknown,
    #[error("붙일 수 없는 사진이에요")]
    ImageUnknown,
    /// `until` is `None` for good.
    #[error("{}", suspended(*.until))]
    Suspended {
        until: Option<DateTime<Utc>>,
        reason: String,
    },
    #[error("가려진 글에만 이의를 제기할 수 있어요")]
    NotHidden,
    #[error("이의 제기는 글마다 한 번 할 수 있어요")]
    Appealed,
    #[error("글에는 사진을 5장, 댓글에는 2장까지 붙일 수 있어요")]
    TooManyImages,
    #[error("JPG, PNG, WebP 사진만 올릴 수 있어요")]
    PictureType,
    #[error("사진이 너무 커요. 5MB, 4,000만 화소까지 올릴 수 있어요")]
    PictureTooLarge,
    #[error("열 수 없는 사진이에요")]
    PictureBroken,
    #[error("찾을 수 없는 사진이에요")]
    PictureNotFound,
    #[error("오늘은 사진을 더 올릴 수 없어요")]
    UploadLimit,
    #[error("지금은 사진을 다룰 수 없어요. 조금 뒤에 다시 시도해주세요")]
    FilesUnavailable,
    /// The request id was used for another text.
    #[error("이미 다른 글에 쓰인 요청 번호예요")]
    RequestIdReused,
    #[error("{0}")]
    Refused(#[from] Refusal),
    #[error("요청 형식이 올바르지 않아요")]
    Malformed,
    #[error("잠시 문제가 생겼어요. 조금 뒤에 다시 시도해주세요")]
    Database(#[from] sqlx::Error),
}

impl From<CommunityError> for Status {
    fn from(error: CommunityError) -> Self {
        let (code, reason, facts) = match &error {
            CommunityError::PostNotFound => (Code::NotFound, "POST_NOT_FOUND", vec![]),
            CommunityError::PostDeleted => (Code::NotFound, "POST_DELETED", vec![]),
            CommunityError::CommentNotFound => (Code::NotFound, "COMMENT_NOT_FOUND", vec![]),
            CommunityError::MemberNotFound => (Code::NotFound, "MEMBER_NOT_FOUND", vec![]),
            CommunityError::NotToOneself => (Code::FailedPrecondition, "NOT_TO_ONESELF", vec![]),
            CommunityError::PageTooFar => (Code::InvalidArgument, "PAGE_TOO_FAR", vec![]),
            CommunityError::CursorUnknown => (Code::InvalidArgument, "CURSOR_UNKNOWN", vec![]),
            CommunityError::CategoryNotAllowed => {
                (Code::PermissionDenied, "CATEGORY_NOT_ALLOWED", vec![])
            }
            CommunityError::TagUnknown => (Code::FailedPrecondition, "TAG_UNKNOWN", vec![]),
            CommunityError::ImageUnknown => (Code::FailedPrecondition, "IMAGE_UNKNOWN", vec![]),
            CommunityError::Suspended { until, reason } => {
                let mut facts = vec![("why", reason.clone())];
                facts.extend(until.map(|until| ("until", utc(until))));
                (Code::FailedPrecondition, "WRITING_SUSPENDED", facts)
            }
            CommunityError::NotHidden => (Code::FailedPrecondition, "NOT_HIDDEN", vec![]),
            CommunityError::Appealed => (Code::FailedPrecondition, "ALREADY_APPEALED", vec![]),
            CommunityError::TooManyImages => (Code::FailedPrecondition, "TOO_MANY_IMAGES", vec![]),
            CommunityError::PictureType => (Code::InvalidArgument, "PICTURE_TYPE", vec![]),
            CommunityError::PictureTooLarge => (Code::InvalidArgument, "PICTURE_TOO_LARGE", vec![]),
            CommunityError::PictureBroken => (Code::InvalidArgument, "PICTURE_BROKEN", vec![]),
            CommunityError::PictureNotFound => (Code::NotFound, "PICTURE_NOT_FOUND", vec![]),
            CommunityError::UploadLimit => (
                Code::ResourceExhausted,
                "UPLOAD_LIMIT",
                vec![("retryAfter", UPLOADS_AGAIN_S.to_string())],
            ),
            CommunityError::FilesUnavailable => (Code::Unavailable, "UNAVAILABLE", vec![]),
            CommunityError::RequestIdReused => (Code::AlreadyExists, "REQ_SID_REUSED", vec![]),
            CommunityError::Refused(refusal) => refused(*refusal),
            CommunityError::Malformed => (Code::InvalidArgument, "MALFORMED", vec![]),
            CommunityError::Database(source) if source.may_pass() => {
                tracing::warn!(error = %source, "Database unavailable");
                (Code::Unavailable, "UNAVAILABLE", vec![])
            }
            CommunityError::Database(source) => {
                tracing::error!(error = %source, "A request failed");
                (Code::Internal, "INTERNAL", vec![])
            }
        };
        problem::status(code, reason, error.to_string(), facts)
    }
}

fn suspended(until: Option<DateTime<Utc>>) -> String {
    match until {
        Some(until) => {
            let until = until.with_timezone(&KST);
            let until = until.format("%-m월 %-d일 %H:%M");
            format!("운영 원칙을 어겨 {until}까지 글과 댓글을 쓸 수 없어요")
        }
        None => "운영 원칙을 여러 번 어겨 더 이상 글과 댓글을 쓸 수 없어요".to_owned(),
    }
}

fn utc(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}

type Answer = (Code, &'static str, Vec<(&'static str, String)>);

fn refused(refusal: Refusal) -> Answer {
    match refusal {
        Refusal::TextLength { max } => (
            Code::FailedPrecondition,
            "TEXT_LENGTH",
            vec![("max", max.to_string())],
        ),
        Refusal::Rate { retry_after } => (
            Code::ResourceExhausted,
            "WRITING_RATE",
            vec![("retryAfter", retry_after.to_string())],
        ),
        Refusal::FirstDayLimit => (Code::FailedPrecondition, "FIRST_DAY_LIMIT", vec![]),
        Refusal::LinkNotAllowed => (Code::FailedPrecondition, "LINK_NOT_ALLOWED", vec![]),
        Refusal::ContactDetails => (Code::FailedPrecondition, "CONTACT_DETAILS", vec![]),
        Refusal::Solicitation => (Code::FailedPrecondition, "SOLICITATION", vec![]),
        Refusal::RepeatedText => (Code::FailedPrecondition, "REPEATED_TEXT", vec![]),
    }
}

/// Where a day of uploads ends is not looked up.
const UPLOADS_AGAIN_S: u32 = 3_600;

impl From<Unusable> for CommunityError {
    fn from(unusable: Unusable) -> Self {
        match unusable {
            Unusable::Type => Self::PictureType,
            Unusable::TooLarge => Self::PictureTooLarge,
            Unusable::Broken => Self::PictureBroken,
        }
    }
}

impl From<FilesError> for CommunityError {
    fn from(error: FilesError) -> Self {
        tracing::warn!(%error, "The file store failed");
        Self::FilesUnavailable
    }
}

impl From<CommunityError> for HandlerError {
    fn from(error: CommunityError) -> Self {
        if let CommunityError::Database(error) = error {
            return error.into();
        }
        Self::failed(error)
    }
}
