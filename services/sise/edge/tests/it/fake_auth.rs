use std::collections::HashSet;
use std::sync::Arc;

use parking_lot::Mutex;
use proto::auth::v1::auth_service_server::AuthService;
use proto::auth::v1::*;
use tonic::{Request, Response, Status};

type Answer<T> = Result<Response<T>, Status>;

/// Holds the ended sessions; all others are alive.
#[derive(Clone, Default)]
pub(crate) struct FakeAuth(pub(crate) Arc<Mutex<HashSet<String>>>);

fn unused<T>() -> Answer<T> {
    Err(Status::unimplemented("not used by the edge"))
}

#[tonic::async_trait]
impl AuthService for FakeAuth {
    async fn check_session(
        &self,
        request: Request<CheckSessionRequest>,
    ) -> Answer<CheckSessionResponse> {
        let alive = !self.0.lock().contains(&request.into_inner().session_id);
        Ok(Response::new(CheckSessionResponse { alive }))
    }

    async fn check_sessions(
        &self,
        request: Request<CheckSessionsRequest>,
    ) -> Answer<CheckSessionsResponse> {
        let mut alive_session_ids = request.into_inner().session_ids;
        alive_session_ids.retain(|session| !self.0.lock().contains(session));
        Ok(Response::new(CheckSessionsResponse { alive_session_ids }))
    }

    async fn join(&self, _: Request<JoinRequest>) -> Answer<Session> {
        unused()
    }

    async fn login(&self, _: Request<LoginRequest>) -> Answer<Session> {
        unused()
    }

    async fn refresh(&self, _: Request<RefreshRequest>) -> Answer<Session> {
        unused()
    }

    async fn issue_access_token(&self, _: Request<RefreshRequest>) -> Answer<Session> {
        unused()
    }

    async fn logout(&self, _: Request<LogoutRequest>) -> Answer<LogoutResponse> {
        unused()
    }

    async fn get_member(&self, _: Request<GetMemberRequest>) -> Answer<Member> {
        unused()
    }

    async fn get_jwks(&self, _: Request<GetJwksRequest>) -> Answer<Jwks> {
        unused()
    }
}
