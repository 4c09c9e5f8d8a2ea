//! Passwords, mailed links and mailed codes.

use actix_web::{HttpRequest, HttpResponse, web};
use proto::auth::v1::{
    AskPasswordResetRequest, ChangePasswordRequest, ResetPasswordRequest, SendEmailCodeRequest,
    VerifyEmailRequest,
};
use serde::Deserialize;
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::auth::device;
use super::member::competition_mode::with_mode;
use crate::authentication::Caller;
use crate::endpoint::{Endpoint, Subject};
use crate::error::ApiError;
use crate::extract::{Json, Path};
use crate::routes::{Reply, State};
use crate::wire::member::{Member, NothingBody};

#[derive(OpenApi)]
#[openapi(paths(
    change_password,
    ask_password_reset,
    reset_password,
    send_email_code,
    verify_email
))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::put(
            "/api/v1/auth/password",
            Subject::Body("memberSid"),
            change_password,
        )
        // The old one is checked first.
        .hashes_passwords(2),
        Endpoint::put(
            "/api/v1/auth/password/reset",
            Subject::Public,
            reset_password,
        )
        .hashes_passwords(1)
        .extension(),
        Endpoint::put(
            "/api/v1/auth/password/email/{email}",
            Subject::Public,
            ask_password_reset,
        ),
        Endpoint::post(
            "/api/v1/auth/email/code",
            Subject::Body("memberSid"),
            send_email_code,
        )
        .extension(),
        Endpoint::post(
            "/api/v1/auth/email/verify",
            Subject::Body("memberSid"),
            verify_email,
        )
        .extension(),
    ]
}

/// Another password instead of the one in use.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PasswordBody {
    /// The caller.
    #[expect(dead_code, reason = "read by the authorization; this describes it")]
    member_sid: i64,
    /// The one in use.
    password: String,
    /// 10 to 128 characters, any.
    new_password: String,
}

/// Change the password. Every other session of the member ends.
#[utoipa::path(put, path = "/api/v1/auth/password", tag = "auth", request_body = PasswordBody,
    responses((status = 204, description = "The new password is in force.")))]
async fn change_password(
    request: HttpRequest,
    state: State,
    caller: Caller,
    Json(body): Json<PasswordBody>,
) -> Result<HttpResponse, ApiError> {
    let change = ChangePasswordRequest {
        member_id: caller.member_id.0,
        session_id: caller.session_id,
        old_password: body.password,
        new_password: body.new_password,
        device: Some(device(&request, &state.config)),
    };
    state
        .credentials
        .call(async |mut credentials| credentials.change_password(change).await)
        .await?;
    Ok(HttpResponse::NoContent().finish())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct EmailPath {
    /// The address the member logs in with.
    email: String,
}

/// Ask for a link that sets a new password. The answer is the same whether or not somebody has
/// the address.
#[utoipa::path(put, path = "/api/v1/auth/password/email/{email}", tag = "auth",
    params(EmailPath), request_body = NothingBody,
    responses((status = 204, description = "A member with this address gets a mail.")))]
async fn ask_password_reset(
    request: HttpRequest,
    state: State,
    Path(path): Path<EmailPath>,
    Json(NothingBody {}): Json<NothingBody>,
) -> Result<HttpResponse, ApiError> {
    let ask = AskPasswordResetRequest {
        email: path.email,
        device: Some(device(&request, &state.config)),
    };
    state
        .credentials
        .call(async |mut credentials| credentials.ask_password_reset(ask).await)
        .await?;
    Ok(HttpResponse::NoContent().finish())
}

/// The token of a mailed link with the password that shall hold from now on.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ResetBody {
    token: String,
    /// 10 to 128 characters, any.
    new_password: String,
}

/// Set a new password with a mailed link, once. Every session of the member ends.
#[utoipa::path(put, path = "/api/v1/auth/password/reset", tag = "auth",
    request_body = ResetBody,
    responses((status = 204, description = "The new password is in force.")))]
async fn reset_password(
    state: State,
    Json(body): Json<ResetBody>,
) -> Result<HttpResponse, ApiError> {
    let reset = ResetPasswordRequest {
        token: body.token,
        new_password: body.new_password,
    };
    state
        .credentials
        .call(async |mut credentials| credentials.reset_password(reset).await)
        .await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Whose address is to be proved.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CodeBody {
    /// The caller.
    #[expect(dead_code, reason = "read by the authorization; this describes it")]
    member_sid: i64,
}

/// Have a code of six digits mailed, once a minute at most. It is good for ten minutes.
#[utoipa::path(post, path = "/api/v1/auth/email/code", tag = "auth", request_body = CodeBody,
    responses((status = 204, description = "The code is on its way.")))]
async fn send_email_code(
    state: State,
    caller: Caller,
    Json(_body): Json<CodeBody>,
) -> Result<HttpResponse, ApiError> {
    let send = SendEmailCodeRequest {
        member_id: caller.member_id.0,
    };
    state
        .credentials
        .call(async |mut credentials| credentials.send_email_code(send).await)
        .await?;
    Ok(HttpResponse::NoContent().finish())
}

/// The code of a mail.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct VerifyBody {
    /// The caller.
    #[expect(dead_code, reason = "read by the authorization; this describes it")]
    member_sid: i64,
    /// Six digits.
    code: String,
}

/// Prove the address with the mailed code. A code may be tried five times.
#[utoipa::path(post, path = "/api/v1/auth/email/verify", tag = "auth",
    request_body = VerifyBody,
    responses((status = 200, description = "The member, whose address is proved.", body = Member)))]
async fn verify_email(state: State, caller: Caller, Json(body): Json<VerifyBody>) -> Reply<Member> {
    let verify = VerifyEmailRequest {
        member_id: caller.member_id.0,
        code: body.code,
    };
    let member = state
        .credentials
        .call(async |mut credentials| credentials.verify_email(verify).await)
        .await?;
    Ok(web::Json(with_mode(&state, member).await?))
}
