//! The gateway's clock five minutes ahead, five minutes behind, and set back while it runs.

use chrono::TimeDelta;
use reqwest::Method;
use serde_json::json;
use testkit::keys::{access_claims, sign};

use crate::fakes::MEMBER;
use crate::stage::{Answer, Stage, answer};

const PATH: &str = "/api/v1/member/100000";

/// A token as auth signs it at `stage`'s present time: good from five minutes before.
fn signed(stage: &Stage) -> String {
    let mut claims = access_claims(MEMBER, stage.now());
    claims.nbf -= 300;
    sign("at+jwt", &claims)
}

async fn with(stage: &Stage, token: &str) -> Answer {
    answer(stage.request(Method::GET, PATH).bearer_auth(token)).await
}

#[actix_web::test]
async fn a_clock_ahead_makes_tokens_old_and_nobody_invalid() {
    let stage = Stage::open().await;
    let token = signed(&stage);
    stage.clock.advance(TimeDelta::minutes(5));
    assert_eq!(with(&stage, &token).await.status, 200);
    // Fifteen minutes and a minute of leeway by this clock, eleven by the other.
    stage.clock.advance(TimeDelta::seconds(659));
    assert_eq!(with(&stage, &token).await.status, 200);
    stage.clock.advance(TimeDelta::seconds(1));
    with(&stage, &token).await.must_be_problem(401, 1203);
    // Renewing needs no clock of ours, and the new token is good.
    let renewal = json!({"refreshToken": "refresh-1"});
    let renewed = stage
        .post("/api/v1/auth/refresh-refresh-token", &renewal)
        .await;
    assert_eq!(renewed.status, 200);
    stage.clock.advance(-TimeDelta::minutes(5));
    let token = signed(&stage);
    stage.clock.advance(TimeDelta::minutes(5));
    assert_eq!(with(&stage, &token).await.status, 200);
}

#[actix_web::test]
async fn a_clock_behind_refuses_no_token() {
    let stage = Stage::open().await;
    let token = signed(&stage);
    stage.clock.advance(-TimeDelta::minutes(5));
    assert_eq!(with(&stage, &token).await.status, 200);
    // The minute of leeway comes on top.
    stage.clock.advance(-TimeDelta::seconds(60));
    assert_eq!(with(&stage, &token).await.status, 200);
    stage.clock.advance(-TimeDelta::seconds(1));
    with(&stage, &token).await.must_be_problem(401, 1205);
}

#[actix_web::test]
async fn a_token_that_was_old_is_good_again_when_the_clock_is_set_right() {
    let stage = Stage::open().await;
    let token = signed(&stage);
    stage.clock.advance(TimeDelta::minutes(20));
    with(&stage, &token).await.must_be_problem(401, 1203);
    stage.clock.advance(-TimeDelta::minutes(20));
    assert_eq!(with(&stage, &token).await.status, 200);
}

#[actix_web::test]
async fn whoever_asks_too_often_waits_a_minute_at_most_however_the_clock_jumps() {
    let redis_url = testkit::redis_url();
    let stage = Stage::with(&[
        ("redis-url", redis_url.as_str()),
        ("rate-limit-per-minute", "3"),
    ])
    .await;
    // Nobody else's counters are used.
    let member = i64::from(uuid::Uuid::new_v4().as_fields().0) + 1_000_000;
    let path = format!("/api/v1/member/{member}");
    for jump in [0, 300, -300, -300, 600] {
        stage.clock.advance(TimeDelta::seconds(jump));
        let mut passed = 0;
        let refused = loop {
            let token = stage.token(member);
            let asked = stage.request(Method::GET, &path).bearer_auth(token);
            let answer = answer(asked).await;
            if answer.status != 200 {
                break answer;
            }
            passed += 1;
            assert!(passed < 20, "nobody stops the caller");
        };
        refused.must_be_problem(429, 9006);
        let wait_s: u64 = refused.header("retry-after").parse().unwrap();
        assert!((1..=60).contains(&wait_s), "{refused:?}");
    }
}

#[actix_web::test]
async fn what_was_used_of_a_minute_comes_back_evenly() {
    let redis_url = testkit::redis_url();
    let stage = Stage::with(&[
        ("redis-url", redis_url.as_str()),
        ("rate-limit-per-minute", "60"),
    ])
    .await;
    let member = i64::from(uuid::Uuid::new_v4().as_fields().0) + 1_000_000;
    let path = format!("/api/v1/member/{member}");
    let fill_up = async || {
        let mut passed = 0;
        loop {
            let asked = stage.request(Method::GET, &path);
            let answer = answer(asked.bearer_auth(stage.token(member))).await;
            if answer.status != 200 {
                answer.must_be_problem(429, 9006);
                return (passed, answer.header("retry-after").to_owned());
            }
            passed += 1;
            assert!(passed <= 60, "nobody stops the caller");
        }
    };
    // One second before the turn of a minute, and one after it.
    stage.clock.advance(TimeDelta::seconds(59));
    assert_eq!(fill_up().await, (60, "1".to_owned()));
    stage.clock.advance(TimeDelta::seconds(2));
    assert_eq!(fill_up().await, (2, "1".to_owned()));
    stage.clock.advance(TimeDelta::seconds(30));
    assert_eq!(fill_up().await.0, 30);
}
