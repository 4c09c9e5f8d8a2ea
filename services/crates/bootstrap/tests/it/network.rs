//! Servers behind a slow, silent or broken network.

use std::time::Duration;

use bootstrap::deadline::{self, Deadline};
use bootstrap::redis::{self, AsyncCommands, RedisError};
use bootstrap::{database, grpc};
use fault_proxy::{DirectionFaults, FaultProxy, Faults};
use futures_util::future::join_all;
use secrecy::SecretString;
use sqlx::PgPool;
use testkit::Served;
use tonic::Code;
use tonic::service::Routes;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

const SOON: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_hanging_redis_is_skipped_and_used_again() {
    let url = testkit::redis_url();
    let (proxy, url) = FaultProxy::for_url(&url).await.unwrap();
    let redis = redis::connect(&url);
    let key = testkit::unique("network");
    let works = async || {
        let key = key.clone();
        let set = redis.run(async |mut connection| {
            connection.set_ex::<_, _, ()>(key, "value", 60).await?;
            Ok::<(), RedisError>(())
        });
        set.await.is_some()
    };
    testkit::eventually(SOON, works).await;
    for faults in [
        Faults::both(DirectionFaults::silent()),
        Faults::both(DirectionFaults::slow(Duration::from_secs(5))),
    ] {
        proxy.set(faults);
        for _ in 0..20 {
            // Without a timeout this loop would not end.
            assert!(!tokio::time::timeout(SOON, works()).await.unwrap());
        }
        proxy.clear();
        proxy.reset();
        testkit::eventually(SOON, works).await;
    }
}

/// The test's database behind a fault proxy.
async fn behind_a_proxy(pool: &PgPool) -> (FaultProxy, PgPool) {
    let options = pool.connect_options();
    let url = testkit::database_url(options.get_database().unwrap());
    let (proxy, url) = FaultProxy::for_url(&url).await.unwrap();
    let (through, _connection) = database::connect(&SecretString::from(url), 3)
        .await
        .unwrap();
    (proxy, through)
}

async fn ask(pool: &PgPool) -> Result<(), sqlx::Error> {
    let asking = sqlx::query("select 1").execute(pool);
    // Without a timeout this would not end.
    let answer = tokio::time::timeout(SOON, asking).await.unwrap();
    answer.map(|_row| ())
}

fn refusing() -> Faults {
    Faults {
        refuses_connections: true,
        ..Faults::default()
    }
}

#[sqlx::test]
async fn a_pool_survives_connection_resets(pool: PgPool) {
    let (proxy, through) = behind_a_proxy(&pool).await;
    let answers = async || ask(&through).await.is_ok();
    assert!(answers().await);
    for _ in 0..3 {
        proxy.reset();
        testkit::eventually(SOON, answers).await;
    }
    through.close().await;
}

#[sqlx::test]
async fn requests_fail_fast_while_the_database_is_unavailable_and_succeed_afterwards(pool: PgPool) {
    let (proxy, through) = behind_a_proxy(&pool).await;
    let crowd = async || join_all((0..200).map(|_| ask(&through))).await;
    for cut in [refusing(), Faults::both(DirectionFaults::silent())] {
        let all_served = async || crowd().await.iter().all(Result::is_ok);
        testkit::eventually(SOON, all_served).await;
        proxy.set(cut);
        proxy.reset();
        // The first ones may time out; later ones fail fast without queueing.
        testkit::eventually(SOON, async || {
            let answers = crowd().await;
            let told = answers
                .iter()
                .filter(|answer| matches!(answer, Err(sqlx::Error::Io(_))));
            told.count() == answers.len()
        })
        .await;
        proxy.clear();
        let served = (0..200).map(|_| {
            let answers = async || ask(&through).await.is_ok();
            testkit::eventually(SOON, answers)
        });
        join_all(served).await;
    }
    through.close().await;
}

/// Calls through a fault proxy, each with a deadline.
struct Caller {
    proxy: FaultProxy,
    client: HealthClient<grpc::Client>,
    _served: Served,
}

impl Caller {
    async fn new() -> Self {
        let health = tonic_health::server::health_reporter().1;
        let served = testkit::serve(Routes::new(health)).await;
        let (proxy, url) = FaultProxy::for_url(&served.url).await.unwrap();
        let channel = grpc::channel(&url).unwrap();
        let caller = Self {
            proxy,
            client: HealthClient::new(channel),
            _served: served,
        };
        testkit::eventually(SOON, async || caller.is_answered().await).await;
        caller
    }

    async fn call(&self, within_ms: u64) -> Code {
        let mut client = self.client.clone();
        let call = client.check(HealthCheckRequest::default());
        let deadline = Deadline::within(Duration::from_millis(within_ms));
        let outcome = deadline::scope(deadline, call).await;
        outcome.map_or_else(|status| status.code(), |_answer| Code::Ok)
    }

    async fn is_answered(&self) -> bool {
        self.call(5_000).await == Code::Ok
    }
}

#[tokio::test]
async fn a_call_over_a_broken_network_ends_and_the_next_one_reconnects() {
    let caller = Caller::new().await;
    // Slow, but within the deadline; then slower than the deadline.
    let slow = Faults::both(DirectionFaults::slow(Duration::from_millis(300)));
    caller.proxy.set(slow);
    assert_eq!(caller.call(30_000).await, Code::Ok);
    assert_eq!(caller.call(100).await, Code::DeadlineExceeded);

    // The response never arrives.
    caller.proxy.set(Faults {
        to_client: DirectionFaults::silent(),
        ..Faults::default()
    });
    assert_eq!(caller.call(200).await, Code::DeadlineExceeded);
    caller.proxy.reset();
    caller.proxy.clear();
    testkit::eventually(SOON, async || caller.is_answered().await).await;
}

#[tokio::test]
async fn a_half_open_connection_is_detected_and_replaced() {
    let caller = Caller::new().await;
    let connections = caller.proxy.connections();
    caller.proxy.abandon();
    // Until it is detected, each call ends at its deadline.
    assert_eq!(caller.call(200).await, Code::DeadlineExceeded);
    assert_eq!(caller.proxy.connections(), connections);
    // There is no reset: only unanswered pings reveal it.
    testkit::eventually(SOON, async || caller.call(2_000).await == Code::Ok).await;
    assert!(caller.proxy.connections() > connections);
}
