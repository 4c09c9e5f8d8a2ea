//! Session checks with the list and with auth.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bootstrap::ended_sessions::EndedSessions;
use bootstrap::redis::{self, Redis};
use bootstrap::session_check::SessionCheck;
use proto::auth::v1 as wire;
use proto::auth::v1::auth_service_server::{AuthService, AuthServiceServer};
use testkit::{Served, TempRedis};
use tonic::service::Routes;
use tonic::{Request, Response, Status};
use uuid::Uuid;

/// A fake auth service with some alive sessions that counts its calls.
#[derive(Clone, Default)]
struct Auth {
    alive: Arc<HashSet<String>>,
    asked: Arc<AtomicUsize>,
}

impl Auth {
    async fn knowing(alive: &[Uuid]) -> (Self, Served) {
        let auth = Self {
            alive: Arc::new(alive.iter().map(Uuid::to_string).collect()),
            asked: Arc::default(),
        };
        let served = testkit::serve(Routes::new(AuthServiceServer::new(auth.clone()))).await;
        (auth, served)
    }

    fn times_asked(&self) -> usize {
        self.asked.swap(0, Ordering::SeqCst)
    }
}

fn check(url: &str, redis: Redis) -> SessionCheck {
    SessionCheck::new(bootstrap::grpc::channel(url).unwrap(), redis)
}

const NOWHERE: &str = "http://127.0.0.1:1";

#[tokio::test]
async fn auth_is_asked_when_the_list_is_not_confirmed() {
    let server = TempRedis::claim();
    let redis = redis::connect(&server.url).with_timeout(testkit::PATIENCE);
    let list = EndedSessions::new(redis.clone());
    let [ended, alive, unlisted] = [Uuid::new_v4(), Uuid::new_v4(), Uuid::new_v4()];
    let (auth, served) = Auth::knowing(&[alive]).await;
    let both = check(&served.url, redis.clone());
    let alone = check(NOWHERE, redis);
    let names = [ended, alive, unlisted].map(|session| session.to_string());

    // Without a list auth decides; without auth the state is unknown.
    assert_eq!(both.has_ended(&names[1]).await, Some(false));
    assert_eq!(both.has_ended(&names[2]).await, Some(true));
    assert_eq!(auth.times_asked(), 2);
    let all = [Some(true), Some(false), Some(true)];
    assert_eq!(both.have_ended(&names).await, all);
    assert_eq!(auth.times_asked(), 1, "many are asked about in one call");
    assert_eq!(alone.has_ended(&names[1]).await, None);
    assert_eq!(alone.have_ended(&names).await, [None, None, None]);

    // A confirmed list decides without auth.
    let rebuild = list.begin_rebuild().await.unwrap();
    assert!(list.add(&[ended]).await);
    assert_eq!(list.finish_rebuild(rebuild).await, Some(true));
    let listed = [Some(true), Some(false), Some(false)];
    assert_eq!(alone.have_ended(&names).await, listed);
    assert_eq!(both.has_ended(&names[0]).await, Some(true));
    assert_eq!(both.has_ended(&names[1]).await, Some(false));
    assert_eq!(auth.times_asked(), 0);

    // A list with an expired confirmation is used only while auth does not respond.
    let _known: i64 = server.run(&["ZADD", "ended-sessions", "1", "whole"]);
    assert_eq!(alone.have_ended(&names).await, listed);
    assert_eq!(alone.has_ended(&names[2]).await, Some(false));
    assert_eq!(both.have_ended(&names).await, all);
    assert_eq!(both.has_ended(&names[2]).await, Some(true));
    assert_eq!(auth.times_asked(), 2);
}

#[tokio::test]
async fn more_sessions_than_fit_into_a_call_are_checked_in_several() {
    let sessions: Vec<Uuid> = (0..2_500).map(|_| Uuid::new_v4()).collect();
    let (auth, served) = Auth::knowing(&sessions[1..]).await;
    let names: Vec<String> = sessions.iter().map(Uuid::to_string).collect();
    let answers = check(&served.url, Redis::absent()).have_ended(&names).await;
    assert_eq!(answers.len(), names.len());
    assert_eq!(answers[0], Some(true));
    assert!(answers[1..].iter().all(|ended| *ended == Some(false)));
    assert_eq!(auth.times_asked(), 3);
}

type Answer<T> = Result<Response<T>, Status>;

fn unasked<T>() -> Answer<T> {
    Err(Status::unimplemented("nobody asks for it here"))
}

#[tonic::async_trait]
impl AuthService for Auth {
    async fn check_session(
        &self,
        request: Request<wire::CheckSessionRequest>,
    ) -> Answer<wire::CheckSessionResponse> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let alive = self.alive.contains(&request.into_inner().session_id);
        Ok(Response::new(wire::CheckSessionResponse { alive }))
    }

    async fn check_sessions(
        &self,
        request: Request<wire::CheckSessionsRequest>,
    ) -> Answer<wire::CheckSessionsResponse> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let mut alive_session_ids = request.into_inner().session_ids;
        alive_session_ids.retain(|session| self.alive.contains(session));
        Ok(Response::new(wire::CheckSessionsResponse {
            alive_session_ids,
        }))
    }

    async fn join(&self, _: Request<wire::JoinRequest>) -> Answer<wire::Session> {
        unasked()
    }

    async fn login(&self, _: Request<wire::LoginRequest>) -> Answer<wire::Session> {
        unasked()
    }

    async fn refresh(&self, _: Request<wire::RefreshRequest>) -> Answer<wire::Session> {
        unasked()
    }

    async fn issue_access_token(&self, _: Request<wire::RefreshRequest>) -> Answer<wire::Session> {
        unasked()
    }

    async fn logout(&self, _: Request<wire::LogoutRequest>) -> Answer<wire::LogoutResponse> {
        unasked()
    }

    async fn get_member(&self, _: Request<wire::GetMemberRequest>) -> Answer<wire::Member> {
        unasked()
    }

    async fn get_jwks(&self, _: Request<wire::GetJwksRequest>) -> Answer<wire::Jwks> {
        unasked()
    }
}
