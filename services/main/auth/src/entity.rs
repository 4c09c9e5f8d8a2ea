//! Entities with typed columns.

pub mod consent;
pub mod credential;
pub mod email_code;
pub mod mail;
pub mod member;
pub mod password_reset;
pub mod push_subscription;
pub mod quiz_filter;
pub mod refresh_token;
pub mod session;
pub mod wearable;
