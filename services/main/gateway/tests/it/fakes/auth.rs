//! The auth service of a test.

use std::sync::Arc;

use proto::auth::v1::auth_service_server::AuthService;
use proto::auth::v1::{
    CheckSessionRequest, CheckSessionResponse, CheckSessionsRequest, CheckSessionsResponse,
    GetJwksRequest, GetMemberRequest, JoinRequest, Jwks, LoginRequest, LogoutRequest,
    LogoutResponse, Member, RefreshRequest, Session,
};

use super::{Scenario, fake, samples};

pub(crate) struct Fake(pub(crate) Arc<Scenario>);

fake! { AuthService:
    join(JoinRequest) -> Session = |_| samples::session("refresh-1");
    login(LoginRequest) -> Session = |_| samples::session("refresh-1");
    refresh(RefreshRequest) -> Session = |_| samples::session("refresh-2");
    issue_access_token(RefreshRequest) -> Session = |_| samples::session("");
    logout(LogoutRequest) -> LogoutResponse = |_| LogoutResponse {};
    get_member(GetMemberRequest) -> Member = |request| samples::member(request.member_id);
    get_jwks(GetJwksRequest) -> Jwks = |_| Jwks { json: testkit::keys::jwks() };
    check_session(CheckSessionRequest) -> CheckSessionResponse = |request| CheckSessionResponse {
        alive: request.session_id != samples::ENDED_SESSION,
    };
    check_sessions(CheckSessionsRequest) -> CheckSessionsResponse = |request| {
        let mut alive_session_ids = request.session_ids;
        alive_session_ids.retain(|session| session != samples::ENDED_SESSION);
        CheckSessionsResponse { alive_session_ids }
    };
}
