//! The gRPC services: convert the request, call the store, convert the result.

mod credential;
mod join;
mod member;
mod notification;
mod profile;
mod push;
mod session;

use std::sync::Arc;

use bootstrap::grpc::Reply;
use kernel::{Clock, MemberId};
use proto::auth::v1 as wire;
use proto::auth::v1::auth_service_server::{AuthService, AuthServiceServer};
use proto::auth::v1::credential_service_server::CredentialServiceServer;
use proto::auth::v1::member_service_server::MemberServiceServer;
use proto::auth::v1::notification_service_server::NotificationServiceServer;
use proto::auth::v1::push_service_server::PushServiceServer;
use rand::TryRngCore;
use rand::rngs::OsRng;
use tonic::service::Routes;
use tonic::{Request, Response};
use uuid::Uuid;

use crate::attempts::Attempts;
use crate::deny_list::DenyList;
use crate::domain::RefreshToken;
use crate::domain::session::ACCESS_TOKEN_S;
use crate::error::AuthError;
use crate::hashing::Hasher;
use crate::joins::Joins;
use crate::password_changes::PasswordChanges;
use crate::push::Providers;
use crate::signing::Signer;
use crate::store::{Device, Store};

/// Characters of a user agent that are stored.
const USER_AGENT_CHARS: usize = 256;

pub struct Service {
    pub store: Store,
    pub hasher: Hasher,
    pub signer: Arc<Signer>,
    pub attempts: Attempts,
    pub joins: Joins,
    pub password_changes: PasswordChanges,
    pub deny_list: DenyList,
    pub push: Providers,
    pub clock: Arc<dyn Clock>,
}

impl Service {
    #[must_use]
    pub fn into_routes(self) -> Routes {
        let service = Arc::new(self);
        Routes::new(AuthServiceServer::from_arc(Arc::clone(&service)))
            .add_service(MemberServiceServer::from_arc(Arc::clone(&service)))
            .add_service(NotificationServiceServer::from_arc(Arc::clone(&service)))
            .add_service(CredentialServiceServer::from_arc(Arc::clone(&service)))
            .add_service(PushServiceServer::from_arc(service))
    }

    fn session(
        &self,
        member: MemberId,
        session: Uuid,
        refresh_token: Option<&RefreshToken>,
    ) -> Result<wire::Session, AuthError> {
        Ok(wire::Session {
            member_id: member.0,
            access_token: self
                .signer
                .access_token(member, session, self.clock.now())?,
            refresh_token: refresh_token.map(RefreshToken::to_text).unwrap_or_default(),
            expires_in_s: ACCESS_TOKEN_S,
        })
    }
}

#[tonic::async_trait]
impl AuthService for Service {
    async fn join(&self, request: Request<wire::JoinRequest>) -> Reply<wire::Session> {
        Ok(Response::new(self.join_member(request.into_inner()).await?))
    }

    async fn login(&self, request: Request<wire::LoginRequest>) -> Reply<wire::Session> {
        Ok(Response::new(self.log_in(request.into_inner()).await?))
    }

    async fn refresh(&self, request: Request<wire::RefreshRequest>) -> Reply<wire::Session> {
        Ok(Response::new(self.rotate(request.into_inner()).await?))
    }

    async fn issue_access_token(
        &self,
        request: Request<wire::RefreshRequest>,
    ) -> Reply<wire::Session> {
        Ok(Response::new(self.issue(request.into_inner()).await?))
    }

    async fn logout(&self, request: Request<wire::LogoutRequest>) -> Reply<wire::LogoutResponse> {
        self.log_out(request.into_inner()).await?;
        Ok(Response::new(wire::LogoutResponse {}))
    }

    async fn get_member(&self, request: Request<wire::GetMemberRequest>) -> Reply<wire::Member> {
        let member = MemberId(request.into_inner().member_id);
        Ok(Response::new(self.find_member(member).await?))
    }

    async fn get_jwks(&self, _request: Request<wire::GetJwksRequest>) -> Reply<wire::Jwks> {
        let json = self.signer.jwks().to_owned();
        Ok(Response::new(wire::Jwks { json }))
    }

    async fn check_session(
        &self,
        request: Request<wire::CheckSessionRequest>,
    ) -> Reply<wire::CheckSessionResponse> {
        let alive = self.is_alive(&request.into_inner().session_id).await?;
        Ok(Response::new(wire::CheckSessionResponse { alive }))
    }

    async fn check_sessions(
        &self,
        request: Request<wire::CheckSessionsRequest>,
    ) -> Reply<wire::CheckSessionsResponse> {
        let alive_session_ids = self.alive(request.into_inner().session_ids).await?;
        Ok(Response::new(wire::CheckSessionsResponse {
            alive_session_ids,
        }))
    }
}

/// 256 bits from the operating system.
fn new_refresh_token() -> Result<RefreshToken, AuthError> {
    let mut bytes = [0_u8; 32];
    OsRng
        .try_fill_bytes(&mut bytes)
        .map_err(|error| AuthError::Randomness(error.to_string()))?;
    Ok(RefreshToken::from_random(bytes))
}

fn device(device: Option<wire::Device>) -> Device {
    let device = device.unwrap_or_default();
    let user_agent: String = device
        .user_agent
        .chars()
        .filter(|symbol| !symbol.is_control())
        .take(USER_AGENT_CHARS)
        .collect();
    Device {
        ip: device.ip.parse().ok(),
        user_agent: (!user_agent.is_empty()).then_some(user_agent),
    }
}
