//! The environment of a test: a running service and its clients.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use auth::attempts::Attempts;
use auth::config::{Config, PushConfig};
use auth::deny_list::DenyList;
use auth::domain::MailedSecret;
use auth::grpc::Service;
use auth::hashing::Hasher;
use auth::joins::Joins;
use auth::mailer::Mailer;
use auth::password_changes::PasswordChanges;
use auth::push::Providers;
use auth::push::sender::PushSender;
use auth::signing::Signer;
use auth::store::Store;
use bootstrap::problem;
use bootstrap::redis::{self, Redis};
use bootstrap::service::{DatabaseConfig, ServiceConfig};
use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::EncodePrivateKey;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use kernel::{Clock, FixedClock};
use proto::auth::v1 as wire;
use proto::auth::v1::auth_service_client::AuthServiceClient;
use proto::auth::v1::credential_service_client::CredentialServiceClient;
use proto::auth::v1::member_service_client::MemberServiceClient;
use proto::auth::v1::notification_service_client::NotificationServiceClient;
use proto::auth::v1::push_service_client::PushServiceClient;
use sea_orm::SqlxPostgresConnector;
use sqlx::PgPool;
use telemetry::LogFormat;
use testkit::Served;
use tonic::Status;
use tonic::transport::{Channel, Endpoint};

/// Limit of joins per address and hour.
pub(crate) const JOINS_PER_HOUR: usize = 5;

pub(crate) const PASSWORD: &str = "a quiet harbour at dawn";

pub(crate) struct World {
    pub(crate) pool: PgPool,
    pub(crate) clock: FixedClock,
    pub(crate) hasher: Hasher,
    pub(crate) store: Store,
    pub(crate) deny_list: DenyList,
    pub(crate) client: AuthServiceClient<Channel>,
    pub(crate) members: MemberServiceClient<Channel>,
    pub(crate) credentials: CredentialServiceClient<Channel>,
    pub(crate) push: PushServiceClient<Channel>,
    providers: Providers,
    pub(crate) notifications: NotificationServiceClient<Channel>,
    secret: MailedSecret,
    served: Served,
}

pub(crate) struct Setup {
    pub(crate) redis: Redis,
    pub(crate) hasher: Hasher,
    pub(crate) clock: FixedClock,
    pub(crate) key: String,
    pub(crate) previous_key: Option<String>,
    pub(crate) push: PushConfig,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            redis: Redis::absent(),
            hasher: Hasher::with_cost(64, 1).unwrap(),
            clock: FixedClock::at("2026-11-21T00:00:00Z".parse().unwrap()),
            key: signing_key(1),
            previous_key: None,
            push: push_config(),
        }
    }
}

impl World {
    /// Without Redis and with cheap hashes.
    pub(crate) async fn new(pool: PgPool) -> Self {
        Self::with(pool, Setup::default()).await
    }

    /// With the shared Redis of the tests.
    pub(crate) async fn with_redis(pool: PgPool) -> Self {
        let redis = redis::connect(&testkit::redis_url()).with_timeout(testkit::PATIENCE);
        let setup = Setup {
            redis,
            ..Setup::default()
        };
        Self::with(pool, setup).await
    }

    pub(crate) async fn with(pool: PgPool, setup: Setup) -> Self {
        let clock: Arc<dyn Clock> = Arc::new(setup.clock.clone());
        let database = SqlxPostgresConnector::from_sqlx_postgres_pool(pool.clone());
        let store = Store::new(database, Arc::clone(&clock));
        let signer = Signer::from_pem(&setup.key, setup.previous_key.as_deref()).unwrap();
        let secret = signer.mailed_secret().clone();
        let deny_list = DenyList::new(setup.redis.clone());
        let providers = Providers::new(&setup.push, &clock).unwrap();
        let service = Service {
            store: store.clone(),
            hasher: setup.hasher.clone(),
            signer: Arc::new(signer),
            attempts: Attempts::new(setup.redis.clone(), Arc::clone(&clock)),
            joins: Joins::new(setup.redis.clone(), JOINS_PER_HOUR, Arc::clone(&clock)),
            password_changes: PasswordChanges::new(setup.redis, Arc::clone(&clock)),
            deny_list: deny_list.clone(),
            push: providers.clone(),
            clock,
        };
        let served = testkit::serve(service.into_routes()).await;
        let channel = Endpoint::from_shared(served.url.clone())
            .unwrap()
            .connect_lazy();
        Self {
            pool,
            clock: setup.clock,
            hasher: setup.hasher,
            store,
            deny_list,
            client: AuthServiceClient::new(channel.clone()),
            members: MemberServiceClient::new(channel.clone()),
            notifications: NotificationServiceClient::new(channel.clone()),
            credentials: CredentialServiceClient::new(channel.clone()),
            push: PushServiceClient::new(channel),
            providers,
            secret,
            served,
        }
    }

    pub(crate) async fn join(&self, request: wire::JoinRequest) -> Result<wire::Session, Status> {
        Ok(self.client.clone().join(request).await?.into_inner())
    }

    pub(crate) async fn login(&self, request: wire::LoginRequest) -> Result<wire::Session, Status> {
        Ok(self.client.clone().login(request).await?.into_inner())
    }

    pub(crate) async fn refresh(&self, token: &str) -> Result<wire::Session, Status> {
        let request = wire::RefreshRequest {
            refresh_token: token.to_owned(),
            device: None,
        };
        Ok(self.client.clone().refresh(request).await?.into_inner())
    }

    pub(crate) async fn is_alive(&self, session_id: &str) -> bool {
        let request = wire::CheckSessionRequest {
            session_id: session_id.to_owned(),
        };
        let answer = self.client.clone().check_session(request).await.unwrap();
        answer.into_inner().alive
    }

    pub(crate) fn url(&self) -> &str {
        &self.served.url
    }

    /// A mailer that sends to this mail server.
    pub(crate) fn mailer(&self, smtp_url: &str) -> Mailer {
        let config = Config {
            smtp_url: Some(smtp_url.to_owned().into()),
            ..config()
        };
        let clock: Arc<dyn Clock> = Arc::new(self.clock.clone());
        Mailer::new(&config, self.store.clone(), self.secret.clone(), &clock).unwrap()
    }

    /// Another process that sends pushes.
    pub(crate) fn push_sender(&self) -> PushSender {
        let clock: Arc<dyn Clock> = Arc::new(self.clock.clone());
        PushSender::new(&self.store, &self.providers, &clock)
    }

    pub(crate) fn providers(&self) -> &Providers {
        &self.providers
    }

    pub(crate) async fn count(&self, table_and_condition: &str) -> i64 {
        let sql = format!("select count(*) from {table_and_condition}");
        sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
            .fetch_one(&self.pool)
            .await
            .unwrap()
    }
}

/// Every provider is off.
pub(crate) fn push_config() -> PushConfig {
    PushConfig {
        push_vapid_key_file: None,
        push_contact: "mailto:hello@seedup.invalid".to_owned(),
        fcm_service_account_file: None,
        fcm_url: String::new(),
        apns_key_file: None,
        apns_key_id: None,
        apns_team_id: None,
        apns_topic: None,
        apns_url: String::new(),
        push_sink: None,
        push_allow_private: true,
    }
}

/// Only the settings of mails matter.
fn config() -> Config {
    Config {
        service: service_config(),
        database: database_config(String::new()),
        redis_url: String::new().into(),
        amqp_url: String::new().into(),
        signing_key_file: PathBuf::new(),
        previous_signing_key_file: None,
        smtp_url: None,
        mail_from: "시드업 <no-reply@seedup.invalid>".to_owned(),
        public_origin: "http://localhost:8080/,http://127.0.0.1:8080".to_owned(),
        joins_per_hour: JOINS_PER_HOUR,
        session_retention_days: 30,
        push: push_config(),
    }
}

/// On free ports.
pub(crate) fn service_config() -> ServiceConfig {
    ServiceConfig {
        listen_addr: "127.0.0.1:0".parse().unwrap(),
        handover_socket: None,
        admin_addr: "127.0.0.1:0".parse().unwrap(),
        drain_s: 5,
        log_format: LogFormat::Text,
    }
}

pub(crate) fn database_config(url: String) -> DatabaseConfig {
    DatabaseConfig {
        database_url: url.into(),
        database_max_connections: 10,
    }
}

/// A valid join form.
pub(crate) fn person(email: &str, nickname: &str) -> wire::JoinRequest {
    wire::JoinRequest {
        email: email.to_owned(),
        password: PASSWORD.to_owned(),
        nickname: nickname.to_owned(),
        birth_year: 1995,
        gender: "F".to_owned(),
        os: "web".to_owned(),
        terms_agreed: true,
        privacy_agreed: true,
        age14: true,
        marketing_agreed: false,
        recommend_code: String::new(),
        device: None,
    }
}

/// A login from a unique address.
pub(crate) fn attempt(email: &str, password: &str) -> wire::LoginRequest {
    attempt_from(&fresh_ip(), email, password)
}

pub(crate) fn attempt_from(ip: &str, email: &str, password: &str) -> wire::LoginRequest {
    wire::LoginRequest {
        email: email.to_owned(),
        password: password.to_owned(),
        device: Some(wire::Device {
            ip: ip.to_owned(),
            user_agent: "test".to_owned(),
        }),
    }
}

pub(crate) fn fresh_ip() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let run = testkit::unique("ip");
    let word = |at: usize| run[3 + at..7 + at].to_owned();
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("2001:{}:{}:{:x}::1", word(0), word(4), next & 0xffff)
}

pub(crate) fn reason(status: &Status) -> String {
    problem::of(status).unwrap().reason
}

pub(crate) fn signing_key(seed: u8) -> String {
    SigningKey::from_bytes(&[seed; 32])
        .to_pkcs8_pem(LineEnding::LF)
        .unwrap()
        .to_string()
}

/// The claims of an access token, unverified.
pub(crate) fn claims(access_token: &str) -> serde_json::Value {
    use base64::Engine;
    let body = access_token.split('.').nth(1).unwrap();
    let json = base64::engine::general_purpose::URL_SAFE_NO_PAD
        .decode(body)
        .unwrap();
    serde_json::from_slice(&json).unwrap()
}

pub(crate) fn session_id(session: &wire::Session) -> String {
    claims(&session.access_token)["sid"]
        .as_str()
        .unwrap()
        .to_owned()
}
