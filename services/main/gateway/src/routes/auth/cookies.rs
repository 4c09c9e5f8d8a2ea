//! The cookies of a session.

use actix_web::cookie::time::Duration;
use actix_web::cookie::{Cookie, SameSite};

use crate::config::Config;

/// A refresh token expires this long after its last use.
const REFRESH_TOKEN_AGE_S: i64 = 864_000;

pub(super) fn refresh_cookie(config: &Config, token: String) -> Cookie<'static> {
    token_cookie(config, refresh_cookie_name(config), "/api/v1/auth", token)
}

/// Holds the refresh token of a session whose logout did not reach auth; only the logout route
/// receives it.
pub(super) fn pending_logout_cookie(config: &Config, token: String) -> Cookie<'static> {
    let name = pending_logout_name(config);
    token_cookie(config, name, "/api/v1/auth/logout", token)
}

fn token_cookie(
    config: &Config,
    name: &'static str,
    path: &'static str,
    token: String,
) -> Cookie<'static> {
    Cookie::build(name, token)
        .path(path)
        .http_only(true)
        .secure(config.is_secure())
        .same_site(SameSite::Lax)
        .max_age(Duration::seconds(REFRESH_TOKEN_AGE_S))
        .finish()
}

pub(super) fn cleared(mut cookie: Cookie<'static>) -> Cookie<'static> {
    cookie.set_max_age(Duration::ZERO);
    cookie
}

/// Browsers reject the prefix over plain HTTP.
pub(super) fn refresh_cookie_name(config: &Config) -> &'static str {
    if config.is_secure() {
        "__Secure-refresh_token"
    } else {
        "refresh_token"
    }
}

pub(super) fn pending_logout_name(config: &Config) -> &'static str {
    if config.is_secure() {
        "__Secure-pending_logout"
    } else {
        "pending_logout"
    }
}
