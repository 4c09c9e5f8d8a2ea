//! Whose data a request is about: every route of the registry, asked by and about everybody.

use chrono::TimeDelta;
use gateway::endpoint::{Endpoint, Subject};
use gateway::routes::endpoints;
use serde_json::json;

use crate::fakes::{MEMBER, OTHER};
use crate::requests::Sample;
use crate::stage::{Answer, Stage, answer};

const OPERATOR: i64 = 23_488;

async fn ask(stage: &Stage, endpoint: &Endpoint, about: i64, token: Option<&str>) -> Answer {
    let request = Sample::of(&endpoint.spec, about).on(stage);
    answer(match token {
        Some(token) => request.bearer_auth(token),
        None => request,
    })
    .await
}

#[actix_web::test]
async fn a_member_reaches_what_is_theirs_on_every_route() {
    let stage = Stage::open().await;
    let token = stage.token(MEMBER);
    for endpoint in endpoints() {
        let answer = ask(&stage, &endpoint, MEMBER, Some(&token)).await;
        assert!(
            answer.status.is_success(),
            "{}: {answer:?}",
            endpoint.spec.path
        );
    }
}

#[actix_web::test]
async fn another_member_is_refused_on_every_route_and_nothing_is_asked_for() {
    let stage = Stage::open().await;
    let token = stage.token(MEMBER);
    stage.script.take_business_calls();
    for endpoint in endpoints() {
        for about in [OTHER, OPERATOR, i64::MAX] {
            let answer = ask(&stage, &endpoint, about, Some(&token)).await;
            let calls = stage.script.take_business_calls();
            match endpoint.spec.subject {
                Subject::Path(_)
                | Subject::Query(_)
                | Subject::Body(_)
                | Subject::BodyOrNobody(_)
                | Subject::PublicOrSelf(_) => {
                    answer.must_be_problem(403, 2001);
                    assert!(calls.is_empty(), "{}: {calls:?}", endpoint.spec.path);
                }
                // The service is asked for the caller's own row, whoever is named.
                Subject::Owner => {
                    assert!(
                        calls[0].contains(&format!("member_id: {MEMBER}")),
                        "{calls:?}"
                    );
                }
                Subject::Public | Subject::Anyone => assert!(answer.status.is_success()),
            }
        }
    }
}

#[actix_web::test]
async fn without_a_good_token_only_what_is_nobodys_is_answered() {
    let stage = Stage::open().await;
    let expired = stage.token(MEMBER);
    stage.clock.advance(TimeDelta::minutes(17));
    for endpoint in endpoints() {
        let path = endpoint.spec.path;
        let anonymous = ask(&stage, &endpoint, MEMBER, None).await;
        let expired = ask(&stage, &endpoint, MEMBER, Some(&expired)).await;
        match endpoint.spec.subject {
            Subject::Public | Subject::Anyone => {
                assert!(anonymous.status.is_success(), "{path}: {anonymous:?}");
                assert!(expired.status.is_success(), "{path}: {expired:?}");
            }
            Subject::PublicOrSelf(_) | Subject::BodyOrNobody(_) => {
                anonymous.must_be_problem(401, 1205);
                expired.must_be_problem(401, 1203);
                let nobody = ask(&stage, &endpoint, 0, None).await;
                assert!(nobody.status.is_success(), "{path}: {nobody:?}");
            }
            Subject::Path(_) | Subject::Query(_) | Subject::Body(_) | Subject::Owner => {
                anonymous.must_be_problem(401, 1205);
                expired.must_be_problem(401, 1203);
            }
        }
    }
    let calls = stage.script.take_business_calls().join("\n");
    assert!(!calls.contains("order"), "{calls}");
    assert!(!calls.contains("get_member"), "{calls}");
}

#[actix_web::test]
async fn the_operators_token_opens_only_the_operators_own() {
    let stage = Stage::open().await;
    let operator = stage.token(OPERATOR);
    for endpoint in endpoints() {
        if matches!(
            endpoint.spec.subject,
            Subject::Path(_) | Subject::Query(_) | Subject::Body(_)
        ) {
            let other = ask(&stage, &endpoint, MEMBER, Some(&operator)).await;
            other.must_be_problem(403, 2001);
            let own = ask(&stage, &endpoint, OPERATOR, Some(&operator)).await;
            assert!(own.status.is_success(), "{own:?}");
        }
    }
}

#[actix_web::test]
async fn a_second_member_anywhere_in_the_request_is_refused() {
    let stage = Stage::open().await;
    let token = stage.token(MEMBER);
    stage.script.take_business_calls();
    for endpoint in endpoints() {
        let subject = endpoint.spec.subject;
        if !subject.needs_token() && !matches!(subject, Subject::BodyOrNobody(_)) {
            continue;
        }
        let good = || Sample::of(&endpoint.spec, MEMBER);
        let mut disagreeing = Vec::new();
        for name in ["memberSid", "member_sid"] {
            let mut sample = good();
            let joint = if sample.query.is_empty() { "" } else { "&" };
            sample.query = format!("{}{joint}{name}={OTHER}", sample.query);
            disagreeing.push(sample);
            let mut sample = good();
            if let Some(body) = sample.body.as_mut() {
                body[name] = json!(OTHER);
                disagreeing.push(sample);
            }
        }
        for sample in disagreeing {
            let refused = answer(sample.on(&stage).bearer_auth(&token)).await;
            let (status, _) = refused.verdict();
            assert!(matches!(status, 403 | 400), "{}: {refused:?}", sample.url());
            assert!(
                stage.script.take_business_calls().is_empty(),
                "{}",
                sample.url()
            );
        }
    }
}

#[actix_web::test]
async fn a_member_number_is_digits() {
    let stage = Stage::open().await;
    let token = stage.token(MEMBER);
    for bad in [
        "abc",
        "-1",
        "1e3",
        "%201",
        "1;DROP",
        "99999999999999999999",
        "１",
        "0x10",
    ] {
        for path in [
            format!("/api/v1/member/{bad}"),
            format!("/api/v1/stock/member/{bad}"),
            format!("/api/v1/stock/popular/member/{bad}"),
            format!("/api/v1/auth/cash?member_sid={bad}"),
        ] {
            let request = stage
                .request(reqwest::Method::GET, &path)
                .bearer_auth(&token);
            answer(request).await.must_be_problem(400, 9001);
        }
    }
    for path in [
        "/api/v1/auth/cash",
        "/api/v1/auth/cash?member_sid=100000&member_sid=100001",
    ] {
        stage.get(path).await.must_be_problem(400, 9001);
    }
    stage
        .get("/api/v1/member/0")
        .await
        .must_be_problem(403, 2001);
}

#[actix_web::test]
async fn the_address_bar_of_a_proxy_names_nobody() {
    let stage = Stage::open().await;
    for (name, value) in [
        ("X-User-Id", "100000"),
        ("X-Member-Id", "100000"),
        ("X-Forwarded-User", "100000"),
        ("Cookie", "memberSid=100000; access_token=whatever"),
    ] {
        let request = stage
            .request(reqwest::Method::GET, "/api/v1/member/100000")
            .header(name, value);
        answer(request).await.must_be_problem(401, 1205);
    }
}
