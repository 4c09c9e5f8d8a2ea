//! Ended sessions, from a real Redis while auth keeps its list current, and otherwise from auth.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bootstrap::ended_sessions::EndedSessions;
use bootstrap::redis;
use chrono::TimeDelta;
use fault_proxy::{DirectionFaults, FaultProxy, Faults};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;
use testkit::TempRedis;
use testkit::keys::{access_claims, sign};
use tonic::Status;
use uuid::Uuid;

use crate::fakes::{self, ENDED_SESSION, MEMBER, Scenario};
use crate::test_gateway::{TestGateway, answer};

const PATH: &str = "/api/v1/member/100000";
const SOON: Duration = Duration::from_secs(10);
/// Longer than the gateway caches the state of a session.
const FORGOTTEN: Duration = Duration::from_millis(300);
const INVALID: (u16, u64) = (401, 1205);

/// The list as auth writes it, in a Redis of this test alone.
struct List {
    redis: TempRedis,
    list: EndedSessions,
}

impl List {
    fn new() -> Self {
        let redis = TempRedis::claim();
        let patient = redis::connect(&redis.url).with_timeout(testkit::PATIENCE);
        let list = EndedSessions::new(patient);
        Self { redis, list }
    }

    /// Replaces the list, which stays current for `holds_s`.
    async fn complete(&self, ended: &[Uuid], holds_s: i64) {
        let rebuild = self.list.begin_rebuild().await.unwrap();
        assert!(self.list.add(ended).await);
        assert_eq!(self.list.finish_rebuild(rebuild).await, Some(true));
        let (now, _us): (i64, i64) = self.redis.run(&["TIME"]);
        let until = (now + holds_s).to_string();
        let _known: i64 = self.redis.run(&["ZADD", "ended-sessions", &until, "whole"]);
    }
}

/// A token of this session.
fn token_of(gateway: &TestGateway, session: Uuid) -> String {
    let mut claims = access_claims(MEMBER, gateway.now());
    claims.sid = Some(session.to_string());
    sign("at+jwt", &claims)
}

async fn ask(gateway: &TestGateway, token: &str) -> (u16, u64) {
    let request = gateway.request(Method::GET, PATH).bearer_auth(token);
    answer(request).await.status_and_code()
}

fn ended_by_auth() -> Uuid {
    ENDED_SESSION.parse().unwrap()
}

fn checks(scenario: &Scenario) -> Vec<String> {
    let mut calls = scenario.take_calls();
    calls.retain(|call| call.starts_with("check_session"));
    calls
}

#[actix_web::test]
async fn auth_is_not_called_while_its_list_is_current() {
    let list = List::new();
    let ended = Uuid::new_v4();
    list.complete(&[ended], 60).await;
    let gateway = TestGateway::with(&[("redis-url", &list.redis.url)]).await;
    // The first use connects, for which 30 ms may be too short.
    let first = token_of(&gateway, Uuid::new_v4());
    testkit::eventually(SOON, async || {
        tokio::time::sleep(FORGOTTEN).await;
        ask(&gateway, &first).await;
        checks(&gateway.scenario).is_empty()
    })
    .await;
    for _ in 0..20 {
        let token = token_of(&gateway, Uuid::new_v4());
        assert_eq!(ask(&gateway, &token).await.0, 200);
    }
    assert_eq!(ask(&gateway, &token_of(&gateway, ended)).await, INVALID);
    // On a busy machine Redis may time out now and then.
    assert!(checks(&gateway.scenario).len() <= 2);
}

#[actix_web::test]
async fn emptying_redis_under_load_ends_no_session_and_hides_no_ended_one() {
    const SESSIONS: usize = 40;
    const ROUNDS: usize = 12;
    let list = List::new();
    list.complete(&[ended_by_auth()], 60).await;
    let gateway = TestGateway::with(&[("redis-url", &list.redis.url)]).await;
    gateway
        .scenario
        .delay("check_sessions", Duration::from_millis(20));
    let ended = token_of(&gateway, ended_by_auth());
    let tokens: Vec<String> = (0..SESSIONS)
        .map(|_| token_of(&gateway, Uuid::new_v4()))
        .collect();
    let round = async || {
        let all = join_all(tokens.iter().map(|token| ask(&gateway, token)));
        let (all, over) = tokio::join!(all, ask(&gateway, &ended));
        assert!(all.iter().all(|(status, _code)| *status == 200), "{all:?}");
        assert_eq!(over, INVALID);
    };
    round().await;
    checks(&gateway.scenario);
    list.redis.empty();
    for _ in 0..ROUNDS {
        tokio::time::sleep(FORGOTTEN).await;
        round().await;
    }
    // One call at a time for each thread, with all sessions that were requested meanwhile.
    let calls = checks(&gateway.scenario).len();
    let asked = ROUNDS * (SESSIONS + 1);
    assert!(
        (1..asked / 4).contains(&calls),
        "{calls} calls for {asked} questions"
    );

    list.complete(&[ended_by_auth()], 60).await;
    testkit::eventually(SOON, async || {
        tokio::time::sleep(FORGOTTEN).await;
        round().await;
        checks(&gateway.scenario).is_empty()
    })
    .await;
}

#[actix_web::test]
async fn a_stale_list_hides_no_ended_session() {
    let list = List::new();
    list.complete(&[], -1).await;
    let gateway = TestGateway::with(&[("redis-url", &list.redis.url)]).await;
    let (ended, alive) = (token_of(&gateway, ended_by_auth()), gateway.token(MEMBER));
    assert_eq!(ask(&gateway, &ended).await, INVALID);
    assert_eq!(ask(&gateway, &alive).await.0, 200);

    // Requests do not wait for an auth that reports failure; only the list is left.
    gateway
        .scenario
        .refuse("check_sessions", Status::unavailable("gone"));
    tokio::time::sleep(FORGOTTEN).await;
    assert_eq!(ask(&gateway, &alive).await.0, 200);
    list.redis.empty();
    tokio::time::sleep(FORGOTTEN).await;
    assert_eq!(ask(&gateway, &alive).await, (503, 9007));
    gateway.scenario.allow("check_sessions");
    testkit::eventually(SOON, async || ask(&gateway, &alive).await.0 == 200).await;
    assert_eq!(ask(&gateway, &ended).await, INVALID);
}

#[actix_web::test]
async fn an_auth_of_the_release_before_is_called_for_each_session() {
    let gateway = TestGateway::open().await;
    let unknown = Status::unimplemented("no such call");
    gateway.scenario.refuse("check_sessions", unknown);
    let tokens: Vec<String> = (0..30)
        .map(|_| token_of(&gateway, Uuid::new_v4()))
        .collect();
    let asked = join_all(tokens.iter().map(|token| ask(&gateway, token)));
    let ended = token_of(&gateway, ended_by_auth());
    let (all, over) = tokio::join!(asked, ask(&gateway, &ended));
    assert!(all.iter().all(|(status, _code)| *status == 200), "{all:?}");
    assert_eq!(over, INVALID);
}

/// A gateway whose auth service alone is behind a network that can fail.
async fn before_a_network(
    list: &List,
) -> (TestGateway, Arc<Scenario>, FaultProxy, testkit::Served) {
    let scenario = Arc::<Scenario>::default();
    let services = testkit::serve(fakes::routes(&scenario)).await;
    let (proxy, auth_url) = FaultProxy::for_url(&services.url).await.unwrap();
    let settings = [
        ("auth-url", auth_url.as_str()),
        ("trading-url", &services.url),
        ("market-url", &services.url),
        ("redis-url", &list.redis.url),
    ];
    let gateway = TestGateway::with(&settings).await;
    (gateway, scenario, proxy, services)
}

#[actix_web::test]
async fn orders_work_while_auth_hangs_for_eleven_minutes() {
    let list = List::new();
    list.complete(&[], 2).await;
    let (gateway, scenario, proxy, _services) = before_a_network(&list).await;
    let order = async |number: usize| {
        let draft = json!({
            "isuSrtCd": "005930", "juQty": 1, "memberSid": MEMBER, "orderGb": "매수주문",
            "orderCategory": "STOCK", "reqSid": format!("hanging-{number}"),
        });
        // Each with a new token, whose signature must be verified.
        let token = token_of(&gateway, Uuid::new_v4());
        let request = gateway.request(Method::POST, "/api/v1/stock/order");
        let started = Instant::now();
        let answer = answer(request.bearer_auth(token).json(&draft)).await;
        assert_eq!(answer.status, 200, "order {number}: {answer:?}");
        started.elapsed()
    };
    testkit::eventually(SOON, async || {
        let request = gateway.request(Method::GET, PATH);
        answer(request.bearer_auth(gateway.token(MEMBER)))
            .await
            .status
            == 200
    })
    .await;

    proxy.set(Faults::both(DirectionFaults::silent()));
    // The list becomes stale and the keys expire.
    tokio::time::sleep(Duration::from_secs(3)).await;
    let mut took = Vec::new();
    for number in 0..66 {
        gateway.clock.advance(TimeDelta::seconds(10));
        took.push(order(number).await);
    }
    let waited = took
        .iter()
        .filter(|time| **time > Duration::from_millis(500));
    // Only until auth is known to be unavailable; a busy machine may see one more.
    assert!(waited.count() <= 5, "{took:?}");

    scenario.take_calls();
    proxy.clear();
    proxy.reset();
    // Auth is called again, and the keys are refreshed in the background.
    let ended = token_of(&gateway, ended_by_auth());
    testkit::eventually(SOON, async || {
        tokio::time::sleep(FORGOTTEN).await;
        ask(&gateway, &ended).await == INVALID
    })
    .await;
    let mut number = 100;
    testkit::eventually(SOON, async || {
        gateway.clock.advance(TimeDelta::seconds(6));
        number += 1;
        order(number).await;
        let calls = scenario.take_calls();
        calls.iter().any(|call| call.starts_with("get_jwks"))
    })
    .await;
}
