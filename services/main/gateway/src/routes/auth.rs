//! Joining, logging in and out, and refreshing tokens.
//!
//! A browser keeps its refresh token in a cookie that scripts cannot read and that only these routes
//! receive. Native apps send it in the body.

mod cash;
mod cookies;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, ResponseError, web};
use proto::auth::v1 as auth;
use serde::{Deserialize, Serialize};
use utoipa::{OpenApi, ToSchema};

use cookies::{
    cleared, pending_logout_cookie, pending_logout_name, refresh_cookie, refresh_cookie_name,
};

use crate::authentication::Caller;
use crate::config::Config;
use crate::endpoint::{Endpoint, Subject};
use crate::error::{ApiError, Reason};
use crate::extract::Json;
use crate::middleware::authorize::client_address;
use crate::middleware::rate_limit::RateLimitKey;
use crate::routes::{Reply, State};
use crate::state::AppState;
use crate::wire::item::non_empty;
use crate::wire::member::Platform;

/// Characters that are stored.
const MAX_USER_AGENT: usize = 256;

#[derive(OpenApi)]
#[openapi(paths(
    join,
    login,
    refresh,
    access_token,
    logout,
    cash::cash,
    cash::change_cash
))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::post("/api/v1/auth/join", Subject::Public, join).hashes_passwords(1),
        Endpoint::post("/api/v1/auth/login", Subject::Public, login).hashes_passwords(1),
        Endpoint::post(
            "/api/v1/auth/refresh-refresh-token",
            Subject::Public,
            refresh,
        )
        .takes_refresh_token(),
        Endpoint::post("/api/v1/auth/access-token", Subject::Public, access_token)
            .takes_refresh_token(),
        Endpoint::post("/api/v1/auth/logout", Subject::Anyone, logout).extension(),
        Endpoint::get(
            "/api/v1/auth/cash",
            Subject::Query("member_sid"),
            cash::cash,
        ),
        Endpoint::put(
            "/api/v1/auth/change-cash",
            Subject::Body("memberSid"),
            cash::change_cash,
        ),
    ]
}

/// A session.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Session)]
struct AuthSession {
    member_sid: i64,
    /// Bearer token of the other calls.
    access_token: String,
    /// Null when the one at hand stays valid.
    refresh_token: Option<String>,
    /// Seconds the access token lives.
    expires_in: i64,
}

impl From<auth::Session> for AuthSession {
    fn from(session: auth::Session) -> Self {
        Self {
            member_sid: session.member_id,
            access_token: session.access_token,
            refresh_token: non_empty(session.refresh_token),
            expires_in: session.expires_in_s,
        }
    }
}

/// A new membership.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct JoinBody {
    email: String,
    /// 10 to 128 characters, any.
    password: String,
    /// 2 to 12 characters: 한글, English letters, digits.
    nickname: String,
    birth_year: i32,
    /// M or F.
    gender: Option<String>,
    os: Option<Platform>,
    terms_agreed: bool,
    privacy_agreed: bool,
    /// 만 14세 이상이에요.
    age14: bool,
    marketing_agreed: Option<bool>,
    recomm_code: Option<String>,
}

/// Become a member. Sets the refresh cookie.
#[utoipa::path(post, path = "/api/v1/auth/join", tag = "auth", request_body = JoinBody,
    responses((status = 200, description = "The session of the new member.", body = AuthSession)))]
async fn join(
    request: HttpRequest,
    state: State,
    body: Json<JoinBody>,
) -> Result<HttpResponse, ApiError> {
    let Json(body) = body;
    let join = auth::JoinRequest {
        email: body.email,
        password: body.password,
        nickname: body.nickname,
        birth_year: body.birth_year,
        gender: body.gender.unwrap_or_default(),
        os: body.os.map(Platform::as_str).unwrap_or_default().to_owned(),
        terms_agreed: body.terms_agreed,
        privacy_agreed: body.privacy_agreed,
        age14: body.age14,
        marketing_agreed: body.marketing_agreed.unwrap_or_default(),
        recommend_code: body.recomm_code.unwrap_or_default(),
        device: Some(device(&request, &state.config)),
    };
    let session = state.auth.call(async |mut auth| auth.join(join).await);
    Ok(with_cookie(&state.config, session.await?))
}

/// Credentials.
#[derive(Deserialize, ToSchema)]
struct LoginBody {
    email: String,
    password: String,
}

/// Log in. Sets the refresh cookie.
#[utoipa::path(post, path = "/api/v1/auth/login", tag = "auth", request_body = LoginBody,
    responses((status = 200, description = "A new session.", body = AuthSession)))]
async fn login(
    request: HttpRequest,
    state: State,
    body: Json<LoginBody>,
) -> Result<HttpResponse, ApiError> {
    let Json(body) = body;
    let login = auth::LoginRequest {
        email: body.email,
        password: body.password,
        device: Some(device(&request, &state.config)),
    };
    let session = state.auth.call(async |mut auth| auth.login(login).await);
    Ok(with_cookie(&state.config, session.await?))
}

/// A refresh token. Browsers leave it out: theirs is in a cookie that scripts cannot read.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RefreshBody {
    refresh_token: Option<String>,
}

/// Exchange the refresh token for a new pair of tokens. Sets the refresh cookie.
#[utoipa::path(post, path = "/api/v1/auth/refresh-refresh-token", tag = "auth",
    request_body = RefreshBody,
    responses((status = 200, description = "The session with new tokens.", body = AuthSession)))]
async fn refresh(
    request: HttpRequest,
    state: State,
    body: Json<RefreshBody>,
) -> Result<HttpResponse, ApiError> {
    let refresh = refresh_request(&request, &state, body.0).await?;
    let session = state
        .auth
        .call(async |mut auth| auth.refresh(refresh).await);
    Ok(with_cookie(&state.config, session.await?))
}

/// A new access token; the refresh token stays valid.
#[utoipa::path(post, path = "/api/v1/auth/access-token", tag = "auth",
    request_body = RefreshBody,
    responses((status = 200, description = "The session with a new access token.", body = AuthSession)))]
async fn access_token(
    request: HttpRequest,
    state: State,
    body: Json<RefreshBody>,
) -> Reply<AuthSession> {
    let refresh = refresh_request(&request, &state, body.0).await?;
    let session = state
        .auth
        .call(async |mut auth| auth.issue_access_token(refresh).await)
        .await?;
    Ok(web::Json(session.into()))
}

/// End the session on this device. Clears the refresh cookie; a session that is over already is
/// no error. After a failure the browser keeps what a repeat needs to name the session, good for
/// nothing else.
#[utoipa::path(post, path = "/api/v1/auth/logout", tag = "auth", request_body = RefreshBody,
    responses((status = 204, description = "The session is over.")))]
async fn logout(
    request: HttpRequest,
    state: State,
    body: Json<RefreshBody>,
    caller: Option<Caller>,
) -> Result<HttpResponse, ApiError> {
    let config = &state.config;
    let from_cookie = cookie(&request, refresh_cookie_name(config));
    // Of a session before the last login whose logout did not reach auth.
    let earlier = cookie(&request, pending_logout_name(config));
    let this = auth::LogoutRequest {
        refresh_token: token_of(body.0)
            .or_else(|| from_cookie.clone())
            .unwrap_or_default(),
        session_id: caller.map(|caller| caller.session_id).unwrap_or_default(),
    };
    let before = auth::LogoutRequest {
        refresh_token: earlier.clone().unwrap_or_default(),
        session_id: String::new(),
    };
    let (this, before) = tokio::join!(end(&state, this), end(&state, before));
    // Only one fits: that of this session comes first.
    let pending = this
        .is_err()
        .then_some(from_cookie)
        .flatten()
        .or_else(|| before.as_ref().err().and(earlier));
    let mut response = match this.and(before) {
        Ok(()) => HttpResponse::NoContent().finish(),
        Err(error) => error.error_response(),
    };
    // Also while auth is away: this browser must not log the member in again.
    let mut cookies = vec![cleared(refresh_cookie(config, String::new()))];
    if let Some(token) = pending {
        cookies.push(pending_logout_cookie(config, token));
    } else if request.cookie(pending_logout_name(config)).is_some() {
        cookies.push(cleared(pending_logout_cookie(config, String::new())));
    }
    for cookie in &cookies {
        response
            .add_cookie(cookie)
            .map_err(|_unwritable| ApiError::from(Reason::Internal))?;
    }
    Ok(response)
}

/// Does nothing when `logout` names no session.
async fn end(state: &AppState, logout: auth::LogoutRequest) -> Result<(), ApiError> {
    if logout.refresh_token.is_empty() && logout.session_id.is_empty() {
        return Ok(());
    }
    let ended = state.auth.call(async |mut auth| auth.logout(logout).await);
    ended.await.map(|_nothing| ())
}

pub(super) fn device(request: &HttpRequest, config: &Config) -> auth::Device {
    let user_agent = request
        .headers()
        .get(header::USER_AGENT)
        .map(|value| String::from_utf8_lossy(value.as_bytes()))
        .unwrap_or_default();
    auth::Device {
        ip: client_address(request, config.trusted_proxies).to_string(),
        user_agent: user_agent.chars().take(MAX_USER_AGENT).collect(),
    }
}

/// Counts against the rate limit of the refresh token.
async fn refresh_request(
    request: &HttpRequest,
    state: &AppState,
    body: RefreshBody,
) -> Result<auth::RefreshRequest, ApiError> {
    let config = &state.config;
    let refresh_token =
        refresh_token(request, config, body).ok_or(Reason::InvalidAuthentication)?;
    let key = RateLimitKey::refresh_token(&refresh_token);
    state.rate_limits.check(key).await?;
    Ok(auth::RefreshRequest {
        refresh_token,
        device: Some(device(request, config)),
    })
}

/// Of the body, or else of the cookie.
fn refresh_token(request: &HttpRequest, config: &Config, body: RefreshBody) -> Option<String> {
    token_of(body).or_else(|| cookie(request, refresh_cookie_name(config)))
}

fn token_of(body: RefreshBody) -> Option<String> {
    body.refresh_token.filter(|token| !token.is_empty())
}

fn cookie(request: &HttpRequest, name: &str) -> Option<String> {
    let cookie = request.cookie(name)?;
    Some(cookie.value().to_owned()).filter(|value| !value.is_empty())
}

fn with_cookie(config: &Config, session: auth::Session) -> HttpResponse {
    let cookie = refresh_cookie(config, session.refresh_token.clone());
    HttpResponse::Ok()
        .cookie(cookie)
        .json(AuthSession::from(session))
}
