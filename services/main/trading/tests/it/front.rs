//! The real gateway in front of the service of a test, so that orders arrive over HTTP, and its
//! database behind a proxy that can fail.

use std::net::{SocketAddr, TcpListener};
use std::ops::Range;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use clap::Parser;
use fault_proxy::FaultProxy;
use futures_util::future::join_all;
use gateway::config::Config;
use kernel::{Clock, FixedClock};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use proto::auth::v1 as auth;
use proto::auth::v1::auth_service_server::{AuthService, AuthServiceServer};
use reqwest::{Method, RequestBuilder};
use secrecy::SecretString;
use serde_json::{Value, json};
use sqlx::PgPool;
use testkit::Served;
use tokio_util::sync::{CancellationToken, DropGuard};
use tonic::service::Routes;
use tonic::{Request, Response, Status};
use trading::grpc::Trading;
use trading::orders::committer::Committer;

use crate::world::{SAMSUNG, World};

/// As many as the service has in production.
pub(crate) const CONNECTIONS: u32 = 6;
/// Every test ends, also on a machine that is busy with something else.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

pub(crate) static METRICS: LazyLock<PrometheusHandle> =
    LazyLock::new(|| PrometheusBuilder::new().install_recorder().unwrap());

/// The test's database as the service connects to it, behind a network that can fail.
pub(crate) async fn behind_a_proxy(pool: &PgPool) -> (FaultProxy, PgPool) {
    let options = pool.connect_options();
    let url = testkit::database_url(options.get_database().unwrap());
    let (proxy, url) = FaultProxy::for_url(&url).await.unwrap();
    let (through, _) = bootstrap::database::connect(&SecretString::from(url), CONNECTIONS)
        .await
        .unwrap();
    (proxy, through)
}

/// What a request was answered: the status, and the public code, which is 0 of a success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OrderResponse {
    pub(crate) status: u16,
    pub(crate) code: u64,
    says_when: bool,
}

impl OrderResponse {
    /// Whether it was done. Otherwise it must be a refusal that says when to come again: nothing
    /// else may be seen of what is wrong inside.
    #[track_caller]
    pub(crate) fn is_done(self) -> bool {
        let is_refused = self.status == 503 && self.says_when && matches!(self.code, 9007 | 9008);
        assert!(self.status == 200 || is_refused, "{self:?}");
        self.status == 200
    }
}

pub(crate) struct Front {
    address: SocketAddr,
    client: reqwest::Client,
    clock: FixedClock,
    _auth: Served,
    _stop: DropGuard,
}

impl Front {
    pub(crate) async fn before(world: &World) -> Self {
        LazyLock::force(&METRICS);
        // Fails when a provider is there already, which is as good.
        let _installed = rustls::crypto::ring::default_provider().install_default();
        let stop = CancellationToken::new();
        let trading = serve(world, stop.clone()).await;
        let auth = testkit::serve(Routes::new(AuthServiceServer::new(Doorman))).await;
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let config = Config::parse_from([
            "gateway",
            &format!("--auth-url={}", auth.url),
            &format!("--trading-url={trading}"),
            "--admin-addr=127.0.0.1:0",
            // Nobody listens there: the gateway must do without.
            "--market-url=http://127.0.0.1:1",
            "--redis-url=redis://127.0.0.1:1/",
            "--rate-limit-per-second=10000",
            "--rate-limit-per-minute=100000",
        ]);
        let clock = Arc::new(world.clock.clone());
        let serving = gateway::run(config, listener, clock, stop.clone());
        tokio::spawn(async move { serving.await.unwrap() });
        Self {
            address,
            client: reqwest::Client::new(),
            clock: world.clock.clone(),
            _auth: auth,
            _stop: stop.drop_guard(),
        }
    }

    /// A buy of each member that will wait, all at once. The same name is the same request.
    pub(crate) async fn orders(&self, members: Range<i64>, name: &str) -> Vec<OrderResponse> {
        join_all(members.map(|member| self.order(member, name))).await
    }

    pub(crate) async fn order(&self, member: i64, name: &str) -> OrderResponse {
        let draft = json!({
            "isuSrtCd": SAMSUNG, "juPrc": 70_000, "juQty": 1, "memberSid": member,
            "orderGb": "매수주문", "orderCategory": "STOCK", "reqSid": format!("{name}-{member}"),
        });
        let request = self.request(member, Method::POST, "/api/v1/stock/order");
        send(request.json(&draft)).await
    }

    /// Reads the orders of a member that wait.
    pub(crate) async fn waiting(&self, member: i64) -> OrderResponse {
        let path = format!("/api/v1/stock/wait/member/{member}");
        send(self.request(member, Method::GET, &path)).await
    }

    /// How often the gateway answered for the service because that kept failing.
    pub(crate) fn breaker_refusals(&self) -> u64 {
        let wanted = "gateway_breaker_refusals_total{service=\"trading\"} ";
        let metrics = METRICS.render();
        let found = metrics.lines().find_map(|line| line.strip_prefix(wanted));
        found.map_or(0, |count| count.parse().unwrap())
    }

    fn request(&self, member: i64, method: Method, path: &str) -> RequestBuilder {
        let token = testkit::keys::access_token(member, self.clock.now());
        let url = format!("http://{}{path}", self.address);
        self.client.request(method, url).bearer_auth(token)
    }
}

async fn send(request: RequestBuilder) -> OrderResponse {
    // Who is never answered would never come out of this.
    let answer = tokio::time::timeout(TIMEOUT, request.send()).await;
    let answer = answer.unwrap().unwrap();
    let status = answer.status().as_u16();
    let says_when = answer.headers().contains_key("retry-after");
    let body: Value = answer.json().await.unwrap();
    OrderResponse {
        status,
        code: body["code"].as_u64().unwrap_or(0),
        says_when,
    }
}

/// The world's service as its process serves it: with the deadlines of its callers.
async fn serve(world: &World, stop: CancellationToken) -> String {
    let committer = Committer::start(&world.store);
    let routes = Routes::new(Trading::server(world.store.clone(), committer));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(bootstrap::grpc::serve(
        listener,
        routes,
        stop,
        Duration::ZERO,
    ));
    url
}

/// An auth service that knows the key of the tests, and that every session lives.
struct Doorman;

type Answer<T> = Result<Response<T>, Status>;

fn absent<T>() -> Answer<T> {
    Err(Status::unimplemented("nobody asks for it here"))
}

#[tonic::async_trait]
impl AuthService for Doorman {
    async fn get_jwks(&self, _: Request<auth::GetJwksRequest>) -> Answer<auth::Jwks> {
        let json = testkit::keys::jwks();
        Ok(Response::new(auth::Jwks { json }))
    }

    async fn check_session(
        &self,
        _: Request<auth::CheckSessionRequest>,
    ) -> Answer<auth::CheckSessionResponse> {
        Ok(Response::new(auth::CheckSessionResponse { alive: true }))
    }

    async fn check_sessions(
        &self,
        request: Request<auth::CheckSessionsRequest>,
    ) -> Answer<auth::CheckSessionsResponse> {
        let alive_session_ids = request.into_inner().session_ids;
        Ok(Response::new(auth::CheckSessionsResponse {
            alive_session_ids,
        }))
    }

    async fn join(&self, _: Request<auth::JoinRequest>) -> Answer<auth::Session> {
        absent()
    }

    async fn login(&self, _: Request<auth::LoginRequest>) -> Answer<auth::Session> {
        absent()
    }

    async fn refresh(&self, _: Request<auth::RefreshRequest>) -> Answer<auth::Session> {
        absent()
    }

    async fn issue_access_token(&self, _: Request<auth::RefreshRequest>) -> Answer<auth::Session> {
        absent()
    }

    async fn logout(&self, _: Request<auth::LogoutRequest>) -> Answer<auth::LogoutResponse> {
        absent()
    }

    async fn get_member(&self, _: Request<auth::GetMemberRequest>) -> Answer<auth::Member> {
        absent()
    }
}
