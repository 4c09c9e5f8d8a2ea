//! Pure rules: valid emails, passwords and nicknames, session lifetimes, and the reuse of refresh
//! tokens. No I/O and no clock.

pub mod birth_year;
pub mod consent;
pub mod email;
pub mod gender;
pub mod mail;
pub mod mailed_secret;
pub mod nickname;
pub mod password;
pub mod platform;
pub mod push;
pub mod quiz_filter;
pub mod recommend_code;
pub mod refresh_token;
pub mod secret;
pub mod session;
pub mod slot;
pub mod throttle;

pub use birth_year::BirthYear;
pub use consent::Consents;
pub use email::Email;
pub use gender::Gender;
pub use mail::MailKind;
pub use mailed_secret::{MailedSecret, ResetToken};
pub use nickname::Nickname;
pub use password::{NewPassword, Password};
pub use platform::Platform;
pub use push::PushKind;
pub use quiz_filter::QuizFilter;
pub use recommend_code::RecommendCode;
pub use refresh_token::{RefreshToken, SuccessorSecret, SuccessorSecrets};
pub use session::{EndCause, TokenState};
pub use slot::Slot;
