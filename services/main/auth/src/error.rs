//! The errors of the service, and their mapping to gRPC statuses.

use bootstrap::database::Outage;
use bootstrap::problem;
use chrono::{DateTime, Utc};
use kernel::clock::KST;
use messaging::consumer::HandlerError;
use sea_orm::DbErr;
use tonic::{Code, Status};

use crate::domain::birth_year::InvalidBirthYear;
use crate::domain::consent::ConsentMissing;
use crate::domain::email::InvalidEmail;
use crate::domain::gender::InvalidGender;
use crate::domain::nickname::InvalidNickname;
use crate::domain::password::InvalidPassword;
use crate::domain::platform::UnknownPlatform;
use crate::domain::push::InvalidSubscription;
use crate::domain::quiz_filter::InvalidQuizFilter;
use crate::hashing::HashingError;

/// The text is shown to members.
#[derive(Debug, thiserror::Error)]
pub enum AuthError {
    #[error("이메일 형식을 확인해주세요")]
    InvalidEmail,
    /// Shorter than 10 or longer than 128 characters.
    #[error("비밀번호는 10자부터 128자까지 쓸 수 있어요")]
    PasswordLength,
    /// The password contains the address or the nickname.
    #[error("이메일이나 닉네임이 들어 있지 않은 비밀번호로 정해주세요")]
    PasswordPersonal,
    #[error("짐작하기 쉬운 비밀번호예요. 다른 비밀번호로 정해주세요")]
    PasswordGuessable,
    #[error("닉네임은 한글, 영문, 숫자로 2자부터 12자까지 쓸 수 있어요")]
    NicknameShape,
    /// The nickname impersonates the operator.
    #[error("이 닉네임은 쓸 수 없어요. 다른 닉네임으로 정해주세요")]
    NicknameReserved,
    /// In the future or before 1900.
    #[error("출생연도를 확인해주세요")]
    InvalidBirthYear,
    /// Neither `M`, `F` nor empty.
    #[error("성별을 확인해주세요")]
    InvalidGender,
    /// Neither `ios`, `android`, `web` nor empty.
    #[error("앱의 종류를 알 수 없어요")]
    UnknownPlatform,
    /// A required consent is missing.
    #[error("필수 약관에 동의해주세요")]
    ConsentRequired,
    #[error("이미 가입한 이메일이에요")]
    EmailTaken,
    #[error("이미 쓰고 있는 닉네임이에요. 다른 닉네임으로 정해주세요")]
    NicknameTaken,
    /// Unknown address or wrong password; the error does not say which.
    #[error("이메일이나 비밀번호가 맞지 않아요. 다시 확인해주세요.")]
    LoginFailed,
    #[error("로그인을 여러 번 시도했어요. {retry_after_s}초 뒤에 다시 시도해주세요")]
    TooManyAttempts {
        /// Until the next attempt is accepted.
        retry_after_s: i64,
    },
    /// Too many joins from this address.
    #[error("이 인터넷 주소에서 가입이 너무 많았어요. {}분 뒤에 다시 시도해주세요", minutes(*retry_after_s))]
    TooManyJoins {
        /// Until the next join is accepted.
        retry_after_s: i64,
    },
    /// Too many changes of the member's password, also such that were not stored.
    #[error("비밀번호를 너무 자주 바꿨어요. {} 뒤에 다시 시도해주세요", wait(*retry_after_s))]
    TooManyPasswordChanges {
        /// Until the next change is accepted.
        retry_after_s: i64,
    },
    /// The queue for password hashes is full.
    #[error("지금 접속이 몰리고 있어요. 잠시 뒤에 다시 시도해주세요")]
    Busy,
    #[error("로그인한 지 오래돼서 다시 로그인해주세요")]
    SessionExpired,
    /// The session was ended; its refresh token was valid before.
    #[error("로그인이 풀렸어요. 다시 로그인해주세요")]
    SessionEnded,
    /// Unknown refresh token.
    #[error("로그인이 필요해요. 다시 로그인해주세요")]
    SessionInvalid,
    /// The nickname was changed less than 30 days ago.
    #[error("닉네임은 30일에 한 번 바꿀 수 있어요")]
    NicknameTooSoon { changeable_at: DateTime<Utc> },
    #[error("지금 쓰는 비밀번호가 맞지 않아요. 다시 확인해주세요")]
    WrongPassword,
    /// The link was used, is unknown or has expired.
    #[error("이미 썼거나 오래된 링크예요. 메일을 다시 받아주세요")]
    ResetLinkInvalid,
    /// A wrong code, or no valid code exists.
    #[error("{}", code_sentence(*tries_left))]
    CodeInvalid {
        /// Remaining tries; at 0 a new code is needed.
        tries_left: i32,
    },
    /// A mail of this kind was requested just before, or too often within an hour.
    #[error("메일을 방금 보냈어요. {} 뒤에 다시 시도해주세요", wait(*retry_after_s))]
    MailTooSoon { retry_after_s: i64 },
    /// Too many or too long themes, or unknown levels.
    #[error("고를 수 없는 퀴즈 조건이에요")]
    InvalidQuizFilter,
    /// The item was not bought, or is worn elsewhere.
    #[error("가진 아이템만 쓸 수 있어요")]
    ItemNotOwned,
    /// An unknown kind, an endpoint that nobody else can reach, or keys that are none.
    #[error("이 기기의 알림 주소를 확인할 수 없어요. 알림을 다시 켜주세요")]
    InvalidSubscription,
    /// The installation has no key of this kind of push.
    #[error("지금은 이 기기로 알림을 보낼 수 없어요")]
    PushUnavailable,
    #[error("알 수 없는 알림 종류예요")]
    InvalidNotificationType,
    #[error("방해 금지 시간을 확인해주세요")]
    InvalidQuietHours,
    /// More than one request may mark as read.
    #[error("한 번에 100개까지 읽을 수 있어요")]
    TooManyNotifications,
    #[error("이어 볼 자리가 올바르지 않아요. 처음부터 다시 불러와 주세요")]
    CursorUnknown,
    #[error("회원을 찾을 수 없어요")]
    MemberNotFound,
    #[error("잠시 문제가 생겼어요. 조금 뒤에 다시 시도해주세요")]
    Database(#[from] DbErr),
    #[error("잠시 문제가 생겼어요. 조금 뒤에 다시 시도해주세요")]
    Hashing(#[source] HashingError),
    #[error("잠시 문제가 생겼어요. 조금 뒤에 다시 시도해주세요")]
    Signing(#[from] jsonwebtoken::errors::Error),
    /// The operating system returned no random bytes.
    #[error("잠시 문제가 생겼어요. 조금 뒤에 다시 시도해주세요")]
    Randomness(String),
}

impl AuthError {
    /// The status code, and the reason that the gateway maps to a public code.
    fn code_and_reason(&self) -> (Code, &'static str) {
        match self {
            Self::InvalidEmail => (Code::InvalidArgument, "INVALID_EMAIL"),
            Self::PasswordLength | Self::PasswordPersonal | Self::PasswordGuessable => {
                (Code::InvalidArgument, "WEAK_PASSWORD")
            }
            Self::NicknameShape | Self::NicknameReserved => {
                (Code::InvalidArgument, "INVALID_NICKNAME")
            }
            Self::InvalidBirthYear => (Code::InvalidArgument, "INVALID_BIRTH_YEAR"),
            Self::InvalidGender => (Code::InvalidArgument, "INVALID_GENDER"),
            Self::UnknownPlatform => (Code::InvalidArgument, "MALFORMED"),
            Self::ConsentRequired => (Code::FailedPrecondition, "CONSENT_REQUIRED"),
            Self::EmailTaken => (Code::AlreadyExists, "EMAIL_TAKEN"),
            Self::NicknameTaken => (Code::AlreadyExists, "NICKNAME_TAKEN"),
            Self::LoginFailed => (Code::Unauthenticated, "LOGIN_FAILED"),
            Self::TooManyAttempts { .. }
            | Self::TooManyJoins { .. }
            | Self::TooManyPasswordChanges { .. } => (Code::ResourceExhausted, "TOO_MANY_ATTEMPTS"),
            Self::Busy => (Code::Unavailable, "AUTH_BUSY"),
            Self::SessionExpired | Self::SessionEnded => (Code::Unauthenticated, "Expired"),
            Self::SessionInvalid => (Code::Unauthenticated, "Authentication is invalid"),
            Self::NicknameTooSoon { .. } => (Code::FailedPrecondition, "NICKNAME_TOO_SOON"),
            Self::WrongPassword => (Code::Unauthenticated, "WRONG_PASSWORD"),
            Self::ResetLinkInvalid => (Code::FailedPrecondition, "RESET_LINK_INVALID"),
            Self::CodeInvalid { .. } => (Code::FailedPrecondition, "CODE_INVALID"),
            Self::MailTooSoon { .. } => (Code::ResourceExhausted, "TOO_MANY_ATTEMPTS"),
            Self::InvalidQuizFilter => (Code::InvalidArgument, "INVALID_QUIZ_FILTER"),
            Self::ItemNotOwned => (Code::FailedPrecondition, "ITEM_NOT_OWNED"),
            Self::InvalidSubscription => (Code::InvalidArgument, "INVALID_PUSH_SUBSCRIPTION"),
            Self::PushUnavailable => (Code::FailedPrecondition, "PUSH_UNAVAILABLE"),
            Self::InvalidNotificationType => (Code::InvalidArgument, "INVALID_NOTIFICATION_TYPE"),
            Self::InvalidQuietHours => (Code::InvalidArgument, "INVALID_QUIET_HOURS"),
            Self::TooManyNotifications => (Code::InvalidArgument, "TOO_MANY_NOTIFICATIONS"),
            Self::CursorUnknown => (Code::InvalidArgument, "CURSOR_UNKNOWN"),
            Self::MemberNotFound => (Code::NotFound, "MEMBER_NOT_FOUND"),
            // Says nothing about the session, so it must not end one.
            Self::Database(error) if error.may_pass() => (Code::Unavailable, "UNAVAILABLE"),
            Self::Database(_) | Self::Hashing(_) | Self::Signing(_) | Self::Randomness(_) => {
                (Code::Internal, "INTERNAL")
            }
        }
    }

    /// Whether the failure is technical and not the caller's.
    #[must_use]
    pub fn is_ours(&self) -> bool {
        let (code, _) = self.code_and_reason();
        matches!(code, Code::Unavailable | Code::Internal)
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::TooManyAttempts { retry_after_s }
            | Self::TooManyJoins { retry_after_s }
            | Self::TooManyPasswordChanges { retry_after_s }
            | Self::MailTooSoon { retry_after_s } => {
                vec![("retryAfterS", retry_after_s.to_string())]
            }
            Self::Busy => vec![("retryAfterS", "1".to_owned())],
            Self::NicknameTooSoon { changeable_at } => {
                let there = changeable_at.with_timezone(&KST);
                vec![(
                    "changeableAt",
                    there.format("%Y-%m-%dT%H:%M:%S%:z").to_string(),
                )]
            }
            Self::CodeInvalid { tries_left } => vec![("triesLeft", tries_left.to_string())],
            Self::InvalidEmail
            | Self::PasswordLength
            | Self::PasswordPersonal
            | Self::PasswordGuessable
            | Self::NicknameShape
            | Self::NicknameReserved
            | Self::InvalidBirthYear
            | Self::InvalidGender
            | Self::UnknownPlatform
            | Self::ConsentRequired
            | Self::EmailTaken
            | Self::NicknameTaken
            | Self::LoginFailed
            | Self::SessionExpired
            | Self::SessionEnded
            | Self::SessionInvalid
            | Self::WrongPassword
            | Self::ResetLinkInvalid
            | Self::InvalidQuizFilter
            | Self::ItemNotOwned
            | Self::InvalidSubscription
            | Self::PushUnavailable
            | Self::InvalidNotificationType
            | Self::InvalidQuietHours
            | Self::TooManyNotifications
            | Self::CursorUnknown
            | Self::MemberNotFound
            | Self::Database(_)
            | Self::Hashing(_)
            | Self::Signing(_)
            | Self::Randomness(_) => Vec::new(),
        }
    }
}

fn wait(seconds: i64) -> String {
    match seconds {
        ..=60 => format!("{seconds}초"),
        _ => format!("{}분", minutes(seconds)),
    }
}

fn minutes(seconds: i64) -> i64 {
    (seconds + 59) / 60
}

fn code_sentence(tries_left: i32) -> String {
    if tries_left > 0 {
        format!("인증번호가 맞지 않아요. {tries_left}번 더 입력할 수 있어요")
    } else {
        "더는 쓸 수 없는 인증번호예요. 새 인증번호를 받아주세요".to_owned()
    }
}

impl From<AuthError> for Status {
    fn from(error: AuthError) -> Self {
        let (code, reason) = error.code_and_reason();
        if let Some(source) = std::error::Error::source(&error) {
            tracing::error!(reason, error = %source, "A request failed");
        }
        problem::status(code, reason, error.to_string(), error.facts())
    }
}

impl From<AuthError> for HandlerError {
    fn from(error: AuthError) -> Self {
        if let AuthError::Database(error) = error {
            return error.into();
        }
        Self::failed(error)
    }
}

impl From<HashingError> for AuthError {
    fn from(error: HashingError) -> Self {
        match error {
            HashingError::Busy => Self::Busy,
            HashingError::Argon2(_) => Self::Hashing(error),
        }
    }
}

impl From<InvalidEmail> for AuthError {
    fn from(_: InvalidEmail) -> Self {
        Self::InvalidEmail
    }
}

impl From<InvalidPassword> for AuthError {
    fn from(reason: InvalidPassword) -> Self {
        match reason {
            InvalidPassword::Length => Self::PasswordLength,
            InvalidPassword::Personal => Self::PasswordPersonal,
            InvalidPassword::Guessable => Self::PasswordGuessable,
        }
    }
}

impl From<InvalidNickname> for AuthError {
    fn from(reason: InvalidNickname) -> Self {
        match reason {
            InvalidNickname::Shape => Self::NicknameShape,
            InvalidNickname::Reserved => Self::NicknameReserved,
        }
    }
}

impl From<UnknownPlatform> for AuthError {
    fn from(_: UnknownPlatform) -> Self {
        Self::UnknownPlatform
    }
}

impl From<InvalidSubscription> for AuthError {
    fn from(_: InvalidSubscription) -> Self {
        Self::InvalidSubscription
    }
}

impl From<InvalidQuizFilter> for AuthError {
    fn from(_: InvalidQuizFilter) -> Self {
        Self::InvalidQuizFilter
    }
}

impl From<InvalidBirthYear> for AuthError {
    fn from(_: InvalidBirthYear) -> Self {
        Self::InvalidBirthYear
    }
}

impl From<InvalidGender> for AuthError {
    fn from(_: InvalidGender) -> Self {
        Self::InvalidGender
    }
}

impl From<ConsentMissing> for AuthError {
    fn from(_: ConsentMissing) -> Self {
        Self::ConsentRequired
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_that_is_away_is_no_verdict_about_the_session() {
        let away = AuthError::from(DbErr::ConnectionAcquire(sea_orm::ConnAcquireErr::Timeout));
        assert_eq!(Status::from(away).code(), Code::Unavailable);
        let broken = AuthError::from(DbErr::Type("not a number".to_owned()));
        let status = Status::from(broken);
        assert_eq!(status.code(), Code::Internal);
        assert!(!status.message().contains("number"));
    }

    #[test]
    fn the_two_ends_of_a_session_have_the_spelling_of_the_product() {
        let reason = |error: AuthError| problem::of(&Status::from(error)).unwrap().reason;
        assert_eq!(reason(AuthError::SessionExpired), "Expired");
        assert_eq!(reason(AuthError::SessionEnded), "Expired");
        assert_eq!(
            reason(AuthError::SessionInvalid),
            "Authentication is invalid"
        );
        let wait = Status::from(AuthError::TooManyAttempts { retry_after_s: 20 });
        assert_eq!(problem::of(&wait).unwrap().facts["retryAfterS"], "20");
    }
}
