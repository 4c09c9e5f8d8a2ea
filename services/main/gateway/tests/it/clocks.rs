//! The gateway's clock five minutes ahead, five minutes behind, and set back while it runs.

use chrono::TimeDelta;
use reqwest::Method;
use serde_json::json;
use testkit::keys::{access_claims, sign};

use crate::fakes::MEMBER;
use crate::test_gateway::{Answer, TestGateway, answer};

const PATH: &str = "/api/v1/member/100000";

/// A token as auth signs it at the present time: valid from five minutes before.
fn signed(gateway: &TestGateway) -> String {
    let mut claims = access_claims(MEMBER, gateway.now());
    claims.nbf -= 300;
    sign("at+jwt", &claims)
}

async fn with(gateway: &TestGateway, token: &str) -> Answer {
    answer(gateway.request(Method::GET, PATH).bearer_auth(token)).await
}

#[actix_web::test]
async fn a_clock_ahead_makes_tokens_expired_but_never_invalid() {
    let gateway = TestGateway::open().await;
    let token = signed(&gateway);
    gateway.clock.advance(TimeDelta::minutes(5));
    assert_eq!(with(&gateway, &token).await.status, 200);
    // Fifteen minutes and a minute of leeway by this clock, eleven by that of auth.
    gateway.clock.advance(TimeDelta::seconds(659));
    assert_eq!(with(&gateway, &token).await.status, 200);
    gateway.clock.advance(TimeDelta::seconds(1));
    with(&gateway, &token).await.assert_problem(401, 1203);
    // Refreshing does not depend on the gateway's clock, and the new token is valid.
    let renewal = json!({"refreshToken": "refresh-1"});
    let renewed = gateway
        .post("/api/v1/auth/refresh-refresh-token", &renewal)
        .await;
    assert_eq!(renewed.status, 200);
    gateway.clock.advance(-TimeDelta::minutes(5));
    let token = signed(&gateway);
    gateway.clock.advance(TimeDelta::minutes(5));
    assert_eq!(with(&gateway, &token).await.status, 200);
}

#[actix_web::test]
async fn a_clock_behind_rejects_no_token() {
    let gateway = TestGateway::open().await;
    let token = signed(&gateway);
    gateway.clock.advance(-TimeDelta::minutes(5));
    assert_eq!(with(&gateway, &token).await.status, 200);
    // Plus the minute of tolerated clock skew.
    gateway.clock.advance(-TimeDelta::seconds(60));
    assert_eq!(with(&gateway, &token).await.status, 200);
    gateway.clock.advance(-TimeDelta::seconds(1));
    with(&gateway, &token).await.assert_problem(401, 1205);
}

#[actix_web::test]
async fn an_expired_token_is_valid_again_when_the_clock_is_corrected() {
    let gateway = TestGateway::open().await;
    let token = signed(&gateway);
    gateway.clock.advance(TimeDelta::minutes(20));
    with(&gateway, &token).await.assert_problem(401, 1203);
    gateway.clock.advance(-TimeDelta::minutes(20));
    assert_eq!(with(&gateway, &token).await.status, 200);
}

#[actix_web::test]
async fn a_rate_limit_lasts_a_minute_at_most_however_the_clock_jumps() {
    let redis_url = testkit::redis_url();
    let gateway = TestGateway::with(&[
        ("redis-url", redis_url.as_str()),
        ("rate-limit-per-minute", "3"),
    ])
    .await;
    // A member of this test alone.
    let member = i64::from(uuid::Uuid::new_v4().as_fields().0) + 1_000_000;
    let path = format!("/api/v1/member/{member}");
    for jump in [0, 300, -300, -300, 600] {
        gateway.clock.advance(TimeDelta::seconds(jump));
        let mut passed = 0;
        let refused = loop {
            let token = gateway.token(member);
            let asked = gateway.request(Method::GET, &path).bearer_auth(token);
            let answer = answer(asked).await;
            if answer.status != 200 {
                break answer;
            }
            passed += 1;
            assert!(passed < 20, "nobody stops the caller");
        };
        refused.assert_problem(429, 9006);
        let wait_s: u64 = refused.header("retry-after").parse().unwrap();
        assert!((1..=60).contains(&wait_s), "{refused:?}");
    }
}

#[actix_web::test]
async fn the_rate_limit_refills_evenly() {
    let redis_url = testkit::redis_url();
    let gateway = TestGateway::with(&[
        ("redis-url", redis_url.as_str()),
        ("rate-limit-per-minute", "60"),
    ])
    .await;
    let member = i64::from(uuid::Uuid::new_v4().as_fields().0) + 1_000_000;
    let path = format!("/api/v1/member/{member}");
    let fill_up = async || {
        let mut passed = 0;
        loop {
            let asked = gateway.request(Method::GET, &path);
            let answer = answer(asked.bearer_auth(gateway.token(member))).await;
            if answer.status != 200 {
                answer.assert_problem(429, 9006);
                return (passed, answer.header("retry-after").to_owned());
            }
            passed += 1;
            assert!(passed <= 60, "nobody stops the caller");
        }
    };
    // One second before a full minute, and one after it.
    gateway.clock.advance(TimeDelta::seconds(59));
    assert_eq!(fill_up().await, (60, "1".to_owned()));
    gateway.clock.advance(TimeDelta::seconds(2));
    assert_eq!(fill_up().await, (2, "1".to_owned()));
    gateway.clock.advance(TimeDelta::seconds(30));
    assert_eq!(fill_up().await.0, 30);
}
