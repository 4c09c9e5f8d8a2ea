//! Which sessions go on: by a real Redis while auth vouches for its list, and otherwise by auth.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bootstrap::ended_sessions::EndedSessions;
use bootstrap::redis;
use chrono::TimeDelta;
use fault_proxy::{FaultProxy, Faults, Way};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;
use testkit::TempRedis;
use testkit::keys::{access_claims, sign};
use tonic::Status;
use uuid::Uuid;

use crate::fakes::{self, ENDED_SESSION, MEMBER, Script};
use crate::stage::{Stage, answer};

const PATH: &str = "/api/v1/member/100000";
const SOON: Duration = Duration::from_secs(10);
/// Long enough for the gateway to forget what it knew of a session.
const FORGOTTEN: Duration = Duration::from_millis(300);
const INVALID: (u16, u64) = (401, 1205);

/// The list as auth writes it, in a Redis of this test's own.
struct List {
    redis: TempRedis,
    list: EndedSessions,
}

impl List {
    fn new() -> Self {
        let redis = TempRedis::claim();
        let patient = redis::connect(&redis.url).with_patience(testkit::PATIENCE);
        let list = EndedSessions::new(patient);
        Self { redis, list }
    }

    /// Makes it whole with these sessions, and auth's word for it last for `holds_s`.
    async fn complete(&self, ended: &[Uuid], holds_s: i64) {
        let rebuild = self.list.begin().await.unwrap();
        assert!(self.list.add(ended).await);
        assert_eq!(self.list.complete(rebuild).await, Some(true));
        let (now, _us): (i64, i64) = self.redis.run(&["TIME"]);
        let until = (now + holds_s).to_string();
        let _known: i64 = self.redis.run(&["ZADD", "ended-sessions", &until, "whole"]);
    }
}

/// A token of this session.
fn token_of(stage: &Stage, session: Uuid) -> String {
    let mut claims = access_claims(MEMBER, stage.now());
    claims.sid = Some(session.to_string());
    sign("at+jwt", &claims)
}

async fn ask(stage: &Stage, token: &str) -> (u16, u64) {
    let request = stage.request(Method::GET, PATH).bearer_auth(token);
    answer(request).await.verdict()
}

fn ended_by_auth() -> Uuid {
    ENDED_SESSION.parse().unwrap()
}

fn checks(script: &Script) -> Vec<String> {
    let mut calls = script.take_calls();
    calls.retain(|call| call.starts_with("check_session"));
    calls
}

#[actix_web::test]
async fn while_auth_vouches_for_the_list_it_is_not_asked() {
    let list = List::new();
    let ended = Uuid::new_v4();
    list.complete(&[ended], 60).await;
    let stage = Stage::with(&[("redis-url", &list.redis.url)]).await;
    // The first use connects, for which 30 ms may be too short.
    let first = token_of(&stage, Uuid::new_v4());
    testkit::eventually(SOON, async || {
        tokio::time::sleep(FORGOTTEN).await;
        ask(&stage, &first).await;
        checks(&stage.script).is_empty()
    })
    .await;
    for _ in 0..20 {
        let token = token_of(&stage, Uuid::new_v4());
        assert_eq!(ask(&stage, &token).await.0, 200);
    }
    assert_eq!(ask(&stage, &token_of(&stage, ended)).await, INVALID);
    // On a busy machine Redis may now and then be too slow to be asked.
    assert!(checks(&stage.script).len() <= 2);
}

#[actix_web::test]
async fn a_redis_that_was_emptied_under_load_ends_nothing_and_hides_no_end() {
    const SESSIONS: usize = 40;
    const ROUNDS: usize = 12;
    let list = List::new();
    list.complete(&[ended_by_auth()], 60).await;
    let stage = Stage::with(&[("redis-url", &list.redis.url)]).await;
    stage
        .script
        .delay("check_sessions", Duration::from_millis(20));
    let ended = token_of(&stage, ended_by_auth());
    let tokens: Vec<String> = (0..SESSIONS)
        .map(|_| token_of(&stage, Uuid::new_v4()))
        .collect();
    let round = async || {
        let all = join_all(tokens.iter().map(|token| ask(&stage, token)));
        let (all, over) = tokio::join!(all, ask(&stage, &ended));
        assert!(all.iter().all(|(status, _code)| *status == 200), "{all:?}");
        assert_eq!(over, INVALID);
    };
    round().await;
    checks(&stage.script);
    list.redis.empty();
    for _ in 0..ROUNDS {
        tokio::time::sleep(FORGOTTEN).await;
        round().await;
    }
    // One call at a time for each thread, and each takes along all who came meanwhile.
    let calls = checks(&stage.script).len();
    let asked = ROUNDS * (SESSIONS + 1);
    assert!(
        (1..asked / 4).contains(&calls),
        "{calls} calls for {asked} questions"
    );

    list.complete(&[ended_by_auth()], 60).await;
    testkit::eventually(SOON, async || {
        tokio::time::sleep(FORGOTTEN).await;
        round().await;
        checks(&stage.script).is_empty()
    })
    .await;
}

#[actix_web::test]
async fn a_list_nobody_vouches_for_hides_no_end() {
    let list = List::new();
    list.complete(&[], -1).await;
    let stage = Stage::with(&[("redis-url", &list.redis.url)]).await;
    let (ended, alive) = (token_of(&stage, ended_by_auth()), stage.token(MEMBER));
    assert_eq!(ask(&stage, &ended).await, INVALID);
    assert_eq!(ask(&stage, &alive).await.0, 200);

    // Nobody is waited for who says that he cannot say, and only the list is left.
    stage
        .script
        .refuse("check_sessions", Status::unavailable("gone"));
    tokio::time::sleep(FORGOTTEN).await;
    assert_eq!(ask(&stage, &alive).await.0, 200);
    list.redis.empty();
    tokio::time::sleep(FORGOTTEN).await;
    assert_eq!(ask(&stage, &alive).await, (503, 9007));
    stage.script.allow("check_sessions");
    testkit::eventually(SOON, async || ask(&stage, &alive).await.0 == 200).await;
    assert_eq!(ask(&stage, &ended).await, INVALID);
}

#[actix_web::test]
async fn an_auth_of_the_release_before_is_asked_about_each_session() {
    let stage = Stage::open().await;
    let unknown = Status::unimplemented("no such call");
    stage.script.refuse("check_sessions", unknown);
    let tokens: Vec<String> = (0..30).map(|_| token_of(&stage, Uuid::new_v4())).collect();
    let asked = join_all(tokens.iter().map(|token| ask(&stage, token)));
    let ended = token_of(&stage, ended_by_auth());
    let (all, over) = tokio::join!(asked, ask(&stage, &ended));
    assert!(all.iter().all(|(status, _code)| *status == 200), "{all:?}");
    assert_eq!(over, INVALID);
}

/// A gateway whose auth service alone is behind a network that can fail.
async fn before_a_network(list: &List) -> (Stage, Arc<Script>, FaultProxy, testkit::Served) {
    let script = Arc::<Script>::default();
    let services = testkit::serve(fakes::routes(&script)).await;
    let (proxy, auth_url) = FaultProxy::before_url(&services.url).await.unwrap();
    let settings = [
        ("auth-url", auth_url.as_str()),
        ("trading-url", &services.url),
        ("market-url", &services.url),
        ("redis-url", &list.redis.url),
    ];
    let stage = Stage::with(&settings).await;
    (stage, script, proxy, services)
}

#[actix_web::test]
async fn orders_go_on_while_auth_hangs_for_eleven_minutes() {
    let list = List::new();
    list.complete(&[], 2).await;
    let (stage, script, proxy, _services) = before_a_network(&list).await;
    let order = async |number: usize| {
        let draft = json!({
            "isuSrtCd": "005930", "juQty": 1, "memberSid": MEMBER, "orderGb": "매수주문",
            "orderCategory": "STOCK", "reqSid": format!("hanging-{number}"),
        });
        // Each with a token of its own, whose signature has to be checked.
        let token = token_of(&stage, Uuid::new_v4());
        let request = stage.request(Method::POST, "/api/v1/stock/order");
        let started = Instant::now();
        let answer = answer(request.bearer_auth(token).json(&draft)).await;
        assert_eq!(answer.status, 200, "order {number}: {answer:?}");
        started.elapsed()
    };
    testkit::eventually(SOON, async || {
        let request = stage.request(Method::GET, PATH);
        answer(request.bearer_auth(stage.token(MEMBER)))
            .await
            .status
            == 200
    })
    .await;

    proxy.set(Faults::both(Way::silent()));
    // Auth's word for the list lapses, and the keys become old.
    tokio::time::sleep(Duration::from_secs(3)).await;
    let mut took = Vec::new();
    for number in 0..66 {
        stage.clock.advance(TimeDelta::seconds(10));
        took.push(order(number).await);
    }
    let waited = took
        .iter()
        .filter(|time| **time > Duration::from_millis(500));
    // Only until auth is known to be silent; one more may be that of a busy machine.
    assert!(waited.count() <= 5, "{took:?}");

    script.take_calls();
    proxy.heal();
    proxy.reset();
    // Auth decides again, and the keys are fetched behind the requests.
    let ended = token_of(&stage, ended_by_auth());
    testkit::eventually(SOON, async || {
        tokio::time::sleep(FORGOTTEN).await;
        ask(&stage, &ended).await == INVALID
    })
    .await;
    let mut number = 100;
    testkit::eventually(SOON, async || {
        stage.clock.advance(TimeDelta::seconds(6));
        number += 1;
        order(number).await;
        let calls = script.take_calls();
        calls.iter().any(|call| call.starts_with("get_jwks"))
    })
    .await;
}
