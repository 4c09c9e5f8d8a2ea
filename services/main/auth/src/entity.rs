//! Tables with typed columns.

pub mod consent;
pub mod credential;
pub mod member;
pub mod refresh_token;
pub mod session;
