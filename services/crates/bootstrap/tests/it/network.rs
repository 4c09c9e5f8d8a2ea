//! Servers behind a network that is slow, silent or broken.

use std::time::Duration;

use bootstrap::deadline::{self, Deadline};
use bootstrap::redis::{self, AsyncCommands, RedisError};
use bootstrap::{database, grpc};
use fault_proxy::{FaultProxy, Faults, Way};
use futures_util::future::join_all;
use secrecy::SecretString;
use sqlx::PgPool;
use tonic::Code;
use tonic::service::Routes;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

const SOON: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_hanging_redis_is_passed_over_and_used_again() {
    let url = testkit::redis_url();
    let server = url.rsplit_once('@').map_or_else(
        || url.trim_start_matches("redis://").to_owned(),
        |(_password, rest)| rest.to_owned(),
    );
    let (server, _database) = server.split_once('/').unwrap();
    let proxy = FaultProxy::before(server).await.unwrap();
    let redis = redis::connect(&url.replace(server, &proxy.address().to_string()));
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
        Faults::both(Way::silent()),
        Faults::both(Way::slow(Duration::from_secs(5))),
    ] {
        proxy.set(faults);
        for _ in 0..20 {
            // Who waits for the answer would never come out of this loop.
            assert!(!tokio::time::timeout(SOON, works()).await.unwrap());
        }
        proxy.heal();
        proxy.reset();
        testkit::eventually(SOON, works).await;
    }
}

/// The test's database behind a network that fails.
async fn behind_a_proxy(pool: &PgPool) -> (FaultProxy, PgPool) {
    let name: String = sqlx::query_scalar("select current_database()")
        .fetch_one(pool)
        .await
        .unwrap();
    let options = pool.connect_options();
    let server = format!("{}:{}", options.get_host(), options.get_port());
    let proxy = FaultProxy::before(&server).await.unwrap();
    let url = testkit::database_url(&name).replace(&server, &proxy.address().to_string());
    let url = SecretString::from(url);
    let (through, _connection) = database::connect(&url, 3).await.unwrap();
    (proxy, through)
}

async fn ask(pool: &PgPool) -> Result<(), sqlx::Error> {
    let asking = sqlx::query("select 1").execute(pool);
    // Who waits for an answer that never comes would never come out of this.
    let answer = tokio::time::timeout(SOON, asking).await.unwrap();
    answer.map(|_row| ())
}

fn refusing() -> Faults {
    Faults {
        refuses: true,
        ..Faults::default()
    }
}

#[sqlx::test]
async fn a_pool_survives_that_its_connections_are_reset(pool: PgPool) {
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
async fn a_crowd_is_refused_while_the_database_is_away_and_served_when_it_is_back(pool: PgPool) {
    let (proxy, through) = behind_a_proxy(&pool).await;
    let crowd = async || join_all((0..200).map(|_| ask(&through))).await;
    for cut in [refusing(), Faults::both(Way::silent())] {
        let all_served = async || crowd().await.iter().all(Result::is_ok);
        testkit::eventually(SOON, all_served).await;
        proxy.set(cut);
        proxy.reset();
        // At first each may find out alone. Then all are told at once, and nobody queues.
        testkit::eventually(SOON, async || {
            let answers = crowd().await;
            let told = answers
                .iter()
                .filter(|answer| matches!(answer, Err(sqlx::Error::Io(_))));
            told.count() == answers.len()
        })
        .await;
        proxy.heal();
        let served = (0..200).map(|_| {
            let answers = async || ask(&through).await.is_ok();
            testkit::eventually(SOON, answers)
        });
        join_all(served).await;
    }
    through.close().await;
}

#[tokio::test]
async fn a_call_over_a_broken_network_ends_and_the_next_one_connects() {
    let served = testkit::serve(Routes::new(tonic_health::server::health_reporter().1)).await;
    let proxy = FaultProxy::before(&served.address.to_string())
        .await
        .unwrap();
    let client = HealthClient::new(grpc::channel(&format!("http://{}", proxy.address())).unwrap());
    let call = async |within_ms: u64| {
        let mut client = client.clone();
        let request = HealthCheckRequest {
            service: String::new(),
        };
        let call = client.check(request);
        let deadline = Deadline::within(Duration::from_millis(within_ms));
        let outcome = deadline::scope(deadline, call).await;
        outcome.map_or_else(|status| status.code(), |_answer| Code::Ok)
    };
    let answers = async || call(5_000).await == Code::Ok;
    testkit::eventually(SOON, answers).await;

    // Slow, but within the deadline; then slower than the deadline.
    proxy.set(Faults::both(Way::slow(Duration::from_millis(300))));
    assert_eq!(call(30_000).await, Code::Ok);
    assert_eq!(call(100).await, Code::DeadlineExceeded);

    // Half open: the answer never comes.
    proxy.set(Faults {
        to_client: Way::silent(),
        ..Faults::default()
    });
    assert_eq!(call(200).await, Code::DeadlineExceeded);
    proxy.reset();
    proxy.heal();
    testkit::eventually(SOON, answers).await;
}
