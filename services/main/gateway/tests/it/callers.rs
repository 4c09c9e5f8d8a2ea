//! Authentication and rate limits on every route: invalid tokens, responses of other members, floods.

use chrono::TimeDelta;
use futures_util::future::join_all;
use gateway::endpoint::{Endpoint, Subject};
use gateway::routes::endpoints;
use reqwest::{Method, RequestBuilder};
use serde_json::json;
use testkit::keys::{access_claims, sign, sise_token};

use crate::fakes::{ENDED_SESSION, MEMBER};
use crate::requests::Sample;
use crate::test_gateway::{Answer, TestGateway, answer};

/// Invalid values of the Authorization header.
fn worthless(gateway: &TestGateway) -> Vec<(&'static str, Vec<u8>)> {
    let good = gateway.token(MEMBER);
    let claims = |change: fn(&mut testkit::keys::Claims)| {
        let mut claims = access_claims(MEMBER, gateway.now());
        change(&mut claims);
        sign("at+jwt", &claims).into_bytes()
    };
    let bearer = |token: &[u8]| [b"Bearer ", token].concat();
    let parts: Vec<&str> = good.split('.').collect();
    vec![
        ("nothing behind the scheme", b"Bearer".to_vec()),
        ("another scheme", format!("Basic {good}").into_bytes()),
        ("the scheme in small", format!("bearer {good}").into_bytes()),
        ("no token", bearer(b"a.b.c")),
        ("no text", bearer(b"\xff\xfe")),
        ("cut off", bearer(&good.as_bytes()[..60])),
        (
            "no algorithm",
            bearer(format!("eyJhbGciOiJub25lIn0.{}.", parts[1]).as_bytes()),
        ),
        (
            "for the other backend",
            bearer(sise_token(MEMBER, gateway.now()).as_bytes()),
        ),
        (
            "for somebody else",
            bearer(&claims(|claims| claims.aud = vec!["x".to_owned()])),
        ),
        (
            "by somebody else",
            bearer(&claims(|claims| claims.iss = "x".to_owned())),
        ),
        (
            "of tomorrow",
            bearer(&claims(|claims| claims.nbf += 86_400)),
        ),
        (
            "of a session that ended",
            bearer(&claims(|claims| {
                claims.sid = Some(ENDED_SESSION.to_owned())
            })),
        ),
        ("very long", bearer("a".repeat(10_000).as_bytes())),
    ]
}

#[actix_web::test]
async fn invalid_tokens_open_no_route() {
    let gateway = TestGateway::open().await;
    for endpoint in endpoints() {
        let spec = &endpoint.spec;
        let requests = worthless(&gateway).into_iter().map(|(what, header)| {
            let request = Sample::of(spec, MEMBER).on(&gateway);
            (what, request.header("Authorization", header))
        });
        let good = format!("Bearer {}", gateway.token(MEMBER));
        let twice = Sample::of(spec, MEMBER).on(&gateway);
        let twice = twice
            .header("Authorization", &good)
            .header("Authorization", &good);
        for (what, request) in requests.chain([("two of them", twice)]) {
            let answer = answer(request).await;
            match spec.subject {
                Subject::Public | Subject::Anyone => {
                    assert!(
                        answer.status.is_success(),
                        "{} {what}: {answer:?}",
                        spec.path
                    );
                    gateway.scenario.take_business_calls();
                }
                Subject::Path(_)
                | Subject::Query(_)
                | Subject::Body(_)
                | Subject::QueryOrNobody(_)
                | Subject::BodyOrNobody(_)
                | Subject::PublicOrSelf(_)
                | Subject::Owner => {
                    assert_eq!(
                        answer.status_and_code(),
                        (401, 1205),
                        "{} {what}",
                        spec.path
                    );
                    answer.assert_problem(401, 1205);
                    let calls = gateway.scenario.take_business_calls();
                    assert!(calls.is_empty(), "{} {what}: {calls:?}", spec.path);
                }
            }
        }
    }
}

/// Two members whose ids occur nowhere else in a response.
const ONE: i64 = 765_431_001;
const ANOTHER: i64 = 765_431_002;

/// The response to a request of `caller` about themselves, which must not be cacheable.
async fn own_answer(gateway: &TestGateway, endpoint: &Endpoint, caller: Option<i64>) -> Answer {
    let request = Sample::of(&endpoint.spec, caller.unwrap_or(0)).on(gateway);
    // Headers that a cache could send.
    let request = request
        .header("If-None-Match", "*")
        .header("If-Modified-Since", "Sat, 21 Nov 2037 00:00:00 GMT");
    let request = match caller {
        Some(member) => request.bearer_auth(gateway.token(member)),
        None => request,
    };
    let answer = answer(request).await;
    let path = endpoint.spec.path;
    for kept in ["etag", "last-modified", "age", "expires"] {
        assert_eq!(answer.header(kept), "", "{path}: {answer:?}");
    }
    assert_eq!(
        answer.header("cache-control"),
        "private, no-store",
        "{path}"
    );
    assert!(
        answer.header("vary").contains("Authorization"),
        "{path}: {answer:?}"
    );
    for call in gateway.scenario.take_business_calls() {
        for other in [ONE, ANOTHER] {
            let about_other = Some(other) != caller && call.contains(&other.to_string());
            assert!(!about_other, "{path} asked {call} for {caller:?}");
        }
    }
    answer
}

#[actix_web::test]
async fn no_route_returns_the_response_of_another_caller() {
    let gateway = TestGateway::open().await;
    let reads = endpoints().into_iter();
    // Files are everybody's, and cached.
    let reads = reads.filter(|endpoint| !endpoint.spec.serves_files);
    for endpoint in reads.filter(|endpoint| endpoint.spec.method == Method::GET.as_str()) {
        let path = endpoint.spec.path;
        let nobody_may_ask = !endpoint.spec.subject.needs_token();
        let mut first = None;
        for round in 0..2 {
            let mine = own_answer(&gateway, &endpoint, Some(ONE)).await;
            let theirs = own_answer(&gateway, &endpoint, Some(ANOTHER)).await;
            assert_eq!(
                (mine.status.as_u16(), theirs.status.as_u16()),
                (200, 200),
                "{path}"
            );
            let nobodys = own_answer(&gateway, &endpoint, None).await;
            let expected = if nobody_may_ask { 200 } else { 401 };
            assert_eq!(nobodys.status, expected, "{path} {round}");
            let text = mine.text.clone();
            assert_eq!(*first.get_or_insert(text), mine.text, "{path}");
            assert!(
                !theirs.text.contains(&ONE.to_string()),
                "{path}: {theirs:?}"
            );
            assert!(
                !nobodys.text.contains(&ONE.to_string()),
                "{path}: {nobodys:?}"
            );
            // The other member cannot read the URL that the first one just read.
            let stolen = Sample::of(&endpoint.spec, ONE).on(&gateway);
            let stolen = answer(stolen.bearer_auth(gateway.token(ANOTHER))).await;
            match endpoint.spec.subject {
                Subject::Path(_)
                | Subject::Query(_)
                | Subject::QueryOrNobody(_)
                | Subject::PublicOrSelf(_) => {
                    stolen.assert_problem(403, 2001);
                }
                Subject::Body(_)
                | Subject::BodyOrNobody(_)
                | Subject::Owner
                | Subject::Public
                | Subject::Anyone => assert_eq!(stolen.status, 200, "{path}"),
            }
            gateway.scenario.take_business_calls();
        }
    }
}

/// A request about `member` from an address of their own.
fn from_home(gateway: &TestGateway, endpoint: &Endpoint, member: i64) -> RequestBuilder {
    let [.., high, low] = member.to_be_bytes();
    let mut sample = Sample::of(&endpoint.spec, member);
    if endpoint.spec.takes_refresh_token {
        sample.body = Some(json!({"refreshToken": format!("refresh-{member}")}));
    }
    sample
        .on(gateway)
        .header("X-Forwarded-For", format!("10.20.{high}.{low}"))
        .bearer_auth(gateway.token(member))
}

#[actix_web::test]
async fn every_route_is_rate_limited_per_caller() {
    let settings = [("rate-limit-per-minute", "1"), ("trusted-proxies", "1")];
    let gateway = TestGateway::with(&settings).await;
    let mut member = 200_000;
    // A page has dozens of pictures: their limit is another one, and generous.
    let limited = endpoints().into_iter();
    for endpoint in limited.filter(|endpoint| !endpoint.spec.serves_files) {
        let path = endpoint.spec.path;
        let (busy, calm) = (member, member + 1);
        member += 2;
        let first = answer(from_home(&gateway, &endpoint, busy)).await;
        assert!(first.status.is_success(), "{path}: {first:?}");
        gateway.scenario.take_business_calls();
        for _ in 0..3 {
            let refused = answer(from_home(&gateway, &endpoint, busy)).await;
            refused.assert_problem(429, 9006);
            let wait_s: u64 = refused.header("retry-after").parse().unwrap();
            assert!((1..=60).contains(&wait_s), "{path}: {refused:?}");
        }
        let calls = gateway.scenario.take_business_calls();
        assert!(calls.is_empty(), "{path}: {calls:?}");
        let other = answer(from_home(&gateway, &endpoint, calm)).await;
        assert!(other.status.is_success(), "{path}: {other:?}");
    }
}

#[actix_web::test]
async fn a_flood_of_one_caller_is_stopped_also_with_forged_addresses() {
    let settings = [
        ("rate-limit-per-second", "1000"),
        ("rate-limit-per-minute", "20"),
    ];
    let gateway = TestGateway::with(&settings).await;
    let joins = (0..200).map(|number| {
        let endpoint = endpoints()
            .into_iter()
            .find(|endpoint| endpoint.spec.path == "/api/v1/auth/join")
            .unwrap();
        let request = Sample::of(&endpoint.spec, MEMBER).on(&gateway);
        answer(
            request
                .header("X-Forwarded-For", format!("10.30.0.{number}"))
                .header("X-Real-IP", format!("10.30.1.{number}"))
                .header("Forwarded", format!("for=10.30.2.{number}")),
        )
    });
    let answers = join_all(joins).await;
    let joined = answers
        .iter()
        .filter(|answer| answer.status.is_success())
        .count();
    // The limit regains a request every three seconds; a slow machine may see some of them.
    assert!((20..60).contains(&joined), "{joined} joined");
    for refused in answers.iter().filter(|answer| !answer.status.is_success()) {
        refused.assert_problem(429, 9006);
        assert_ne!(refused.header("retry-after"), "");
    }
    assert_eq!(gateway.scenario.take_business_calls().len(), joined);
    assert_eq!(gateway.get("/api/v1/member/100000").await.status, 200);
}

const DEFAULT_LIMITS: [(&str, &str); 2] = [
    ("rate-limit-per-second", "20"),
    ("rate-limit-per-minute", "300"),
];

/// A token of `member` that has just expired.
fn expired_token(gateway: &TestGateway, member: i64) -> String {
    let issued = gateway.now() - TimeDelta::minutes(17);
    sign("at+jwt", &access_claims(member, issued))
}

fn refresh(gateway: &TestGateway, token: &str) -> RequestBuilder {
    gateway
        .request(Method::POST, "/api/v1/auth/refresh-refresh-token")
        .json(&json!({"refreshToken": token}))
}

#[actix_web::test]
async fn phones_that_wake_behind_one_address_with_expired_tokens_refresh_them() {
    let gateway = TestGateway::with(&DEFAULT_LIMITS).await;
    let phones = (300_000..300_400).map(async |member: i64| {
        for _ in 0..2 {
            let path = format!("/api/v1/member/{member}");
            let token = expired_token(&gateway, member);
            let get = gateway.request(Method::GET, &path).bearer_auth(token);
            answer(get).await.assert_problem(401, 1203);
        }
        let refreshed = answer(refresh(&gateway, &format!("refresh-{member}"))).await;
        assert_eq!(refreshed.status, 200, "{refreshed:?}");
    });
    join_all(phones).await;
}

#[actix_web::test]
async fn an_expired_token_counts_for_its_member_and_costs_the_valid_one_nothing() {
    let gateway = TestGateway::with(&[("rate-limit-per-minute", "1")]).await;
    let path = format!("/api/v1/member/{MEMBER}");
    let token = expired_token(&gateway, MEMBER);
    for status in [401, 429] {
        let get = gateway.request(Method::GET, &path).bearer_auth(&token);
        assert_eq!(answer(get).await.status, status);
    }
    assert_eq!(gateway.get(&path).await.status, 200);
}

#[actix_web::test]
async fn refreshes_are_limited_per_token_and_per_address() {
    let settings = [
        ("rate-limit-per-minute", "2"),
        ("refreshes-per-minute", "6"),
        ("trusted-proxies", "1"),
    ];
    let gateway = TestGateway::with(&settings).await;
    let statuses = async |tokens: [&str; 4], address: &str| {
        let mut statuses = Vec::new();
        for token in tokens {
            let asked = refresh(&gateway, token).header("X-Forwarded-For", address);
            statuses.push(answer(asked).await.status.as_u16());
        }
        statuses
    };
    assert_eq!(statuses(["a"; 4], "10.0.0.1").await, [200, 200, 429, 429]);
    let others = ["b", "c", "d", "e"];
    assert_eq!(statuses(others, "10.0.0.1").await, [200, 200, 429, 429]);
    assert_eq!(statuses(others, "10.0.0.2").await, [200; 4]);
    assert_eq!(statuses(["a"; 4], "10.0.0.2").await, [429; 4]);
}

fn login() -> Endpoint {
    endpoints()
        .into_iter()
        .find(|endpoint| endpoint.spec.path == "/api/v1/auth/login")
        .unwrap()
}

#[actix_web::test]
async fn hashed_passwords_are_limited_per_address_whoever_asks() {
    // A change of a password counts as two.
    let settings = [("hashes-per-minute", "5"), ("trusted-proxies", "1")];
    let gateway = TestGateway::with(&settings).await;
    let endpoints: Vec<Endpoint> = endpoints()
        .into_iter()
        .filter(|endpoint| endpoint.spec.hashes_password())
        .collect();
    assert_eq!(endpoints.len(), 4);
    let ask = async |endpoint: &Endpoint, member: i64, address: &str| {
        let request = Sample::of(&endpoint.spec, member).on(&gateway);
        let request = request
            .header("X-Forwarded-For", address)
            .bearer_auth(gateway.token(member));
        answer(request).await
    };
    for (endpoint, member) in endpoints.iter().zip(400_000..) {
        let passed = ask(endpoint, member, "10.50.0.1").await;
        assert!(passed.status.is_success(), "{passed:?}");
    }
    gateway.scenario.take_business_calls();
    for (endpoint, member) in endpoints.iter().zip(400_100..) {
        let refused = ask(endpoint, member, "10.50.0.1").await;
        refused.assert_problem(429, 9006);
        assert_ne!(refused.header("retry-after"), "");
    }
    assert!(gateway.scenario.take_business_calls().is_empty());
    for (endpoint, member) in endpoints.iter().zip(400_200..) {
        let passed = ask(endpoint, member, "10.50.0.2").await;
        assert!(passed.status.is_success(), "{passed:?}");
    }
    // What hashes nothing has its own limits.
    let read = gateway.request(Method::GET, "/api/v1/member/400000");
    let read = read
        .header("X-Forwarded-For", "10.50.0.1")
        .bearer_auth(gateway.token(400_000));
    assert_eq!(answer(read).await.status, 200);
}

#[actix_web::test]
async fn hashed_passwords_are_limited_per_site_of_many_networks() {
    let settings = [("hashes-per-minute", "4"), ("trusted-proxies", "1")];
    let gateway = TestGateway::with(&settings).await;
    let login = login();
    let ask = async |address: &str| {
        let request = Sample::of(&login.spec, MEMBER).on(&gateway);
        answer(request.header("X-Forwarded-For", address)).await
    };
    for network in 1..=8 {
        let passed = ask(&format!("2001:db8:1:{network}::1")).await;
        assert!(passed.status.is_success(), "{network}: {passed:?}");
    }
    gateway.scenario.take_business_calls();
    for network in [1, 8, 9] {
        let refused = ask(&format!("2001:db8:1:{network}::1")).await;
        refused.assert_problem(429, 9006);
    }
    assert!(gateway.scenario.take_business_calls().is_empty());
    let passed = ask("2001:db8:2:1::1").await;
    assert!(passed.status.is_success(), "{passed:?}");
}

#[actix_web::test]
async fn requests_that_hash_no_password_count_for_none() {
    let gateway = TestGateway::with(&[("hashes-per-minute", "4")]).await;
    let login = login();
    let ask = || Sample::of(&login.spec, MEMBER).on(&gateway);
    for _ in 0..300 {
        let foreign = ask().header("Origin", "https://evil.example");
        assert_eq!(answer(foreign).await.status, 403);
        let malformed = ask().body("{");
        assert_eq!(answer(malformed).await.status, 400);
    }
    gateway.scenario.take_business_calls();
    let passed = answer(ask()).await;
    assert!(passed.status.is_success(), "{passed:?}");
    assert_eq!(gateway.scenario.take_business_calls().len(), 1);
}
