//! The process with real servers: migration, serving, publishing, shutdown and restart.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use auth::config::Config;
use bootstrap::database;
use bootstrap::ended_sessions::{EndedSessions, Listing};
use bootstrap::service::Process;
use messaging::Amqp;
use messaging::consumer::{Broadcast, run_broadcast};
use parking_lot::Mutex;
use prost::Message;
use proto::auth::v1 as wire;
use proto::auth::v1::auth_service_client::AuthServiceClient;
use sqlx::{ConnectOptions, PgPool};
use testkit::{TempRedis, schema};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::transport::Channel;

use crate::world::{database_config, person, push_config, service_config, session_id, signing_key};

async fn start(
    config: &Config,
) -> (
    AuthServiceClient<Channel>,
    CancellationToken,
    JoinHandle<anyhow::Result<()>>,
) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let shutdown = CancellationToken::new();
    let running = tokio::spawn(auth::run(
        config.clone(),
        Process::new(listener, shutdown.clone()),
    ));
    (
        AuthServiceClient::connect(url).await.unwrap(),
        shutdown,
        running,
    )
}

#[sqlx::test]
async fn a_restarted_process_keeps_sessions_and_publishes_events(pool: PgPool) {
    let _installed = rustls::crypto::ring::default_provider().install_default();
    let url = pool.connect_options().to_url_lossy().to_string();
    let owner = url.clone().into();
    database::migrate(&owner, &auth::MIGRATOR).await.unwrap();
    database::migrate(&owner, &auth::MIGRATOR).await.unwrap();

    let key_file = std::env::temp_dir().join(testkit::unique("auth-key"));
    std::fs::write(&key_file, signing_key(3)).unwrap();
    let redis = TempRedis::claim();
    let config = Config {
        service: service_config(),
        database: database_config(url),
        redis_url: redis.url.clone().into(),
        amqp_url: testkit::amqp_url().into(),
        signing_key_file: key_file.clone(),
        previous_signing_key_file: None,
        smtp_url: None,
        mail_from: "시드업 <no-reply@seedup.invalid>".to_owned(),
        public_origin: "http://localhost:8080".to_owned(),
        joins_per_hour: 100,
        session_retention_days: 30,
        push: push_config(),
    };
    let nickname = testkit::unique("n")[2..14].to_owned();
    let heard = listen(&nickname).await;

    let (mut client, shutdown, running) = start(&config).await;
    let email = format!("{nickname}@example.com");
    let session = client
        .join(person(&email, &nickname))
        .await
        .unwrap()
        .into_inner();
    testkit::eventually(Duration::from_secs(10), async || heard.lock().len() == 1).await;
    shutdown.cancel();
    running.await.unwrap().unwrap();

    let (mut client, shutdown, running) = start(&config).await;
    let refresh = wire::RefreshRequest {
        refresh_token: session.refresh_token,
        device: None,
    };
    let carried = client.refresh(refresh).await.unwrap().into_inner();
    assert_eq!(carried.member_id, session.member_id);
    // Events of other tests are told here, too.
    testkit::eventually(Duration::from_secs(30), async || {
        let left = sqlx::query_scalar("select count(*) from outbox");
        let left: i64 = left.fetch_one(&pool).await.unwrap();
        left == 0
    })
    .await;
    assert_eq!(*heard.lock(), [session.member_id]);
    ends_are_listed(&mut client, &redis, &carried).await;
    shutdown.cancel();
    running.await.unwrap().unwrap();
    std::fs::remove_file(&key_file).unwrap();
}

/// The running process keeps the list of ended sessions.
async fn ends_are_listed(
    client: &mut AuthServiceClient<Channel>,
    redis: &TempRedis,
    session: &wire::Session,
) {
    let connection = bootstrap::redis::connect(&redis.url).with_timeout(testkit::PATIENCE);
    let list = EndedSessions::new(connection);
    let id = [session_id(session)];
    let is = async |listing: Listing| list.look_up(&id).await == [listing];
    let soon = Duration::from_secs(10);
    testkit::eventually(soon, async || is(Listing::Alive).await).await;
    let logout = wire::LogoutRequest {
        refresh_token: session.refresh_token.clone(),
        session_id: String::new(),
    };
    client.logout(logout).await.unwrap();
    redis.empty();
    testkit::eventually(soon, async || is(Listing::Ended).await).await;
}

/// Published joins with this nickname.
async fn listen(nickname: &str) -> Arc<Mutex<Vec<i64>>> {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let connected = Arc::new(Mutex::new(false));
    let (members, ready, nickname) = (heard.clone(), connected.clone(), nickname.to_owned());
    let amqp = Amqp::new(&testkit::amqp_url()).unwrap();
    let handler = move |received: Broadcast| {
        match received {
            Broadcast::Connected => *ready.lock() = true,
            Broadcast::Event(event) => {
                let joined = wire::MemberJoined::decode(event.body).unwrap();
                if joined.nickname == nickname {
                    members.lock().push(joined.member_id);
                }
            }
        }
        std::future::ready(())
    };
    tokio::spawn(run_broadcast(
        amqp,
        &["auth.member.joined.v1"],
        handler,
        CancellationToken::new(),
    ));
    testkit::eventually(Duration::from_secs(10), async || *connected.lock()).await;
    heard
}

#[sqlx::test(migrations = false)]
async fn the_program_migrates_becomes_ready_and_drains(pool: PgPool) {
    let url = pool.connect_options().to_url_lossy().to_string();
    let key_file = std::env::temp_dir().join(testkit::unique("auth-key"));
    std::fs::write(&key_file, signing_key(3)).unwrap();
    let redis = TempRedis::claim();
    let program = env!("CARGO_BIN_EXE_auth");
    testkit::program::migrate(program, &url).await;
    let environment = [
        ("DATABASE_URL", url.as_str()),
        ("REDIS_URL", redis.url.as_str()),
        ("SIGNING_KEY_FILE", key_file.to_str().unwrap()),
    ];
    testkit::program::assert_becomes_ready_and_drains(program, &environment).await;
    std::fs::remove_file(&key_file).unwrap();
}

#[sqlx::test(migrator = "auth::MIGRATOR")]
async fn common_tables_are_declared_alike(pool: PgPool) {
    schema::assert_declared_alike(&pool, &[schema::OUTBOX, schema::INBOX]).await;
}
