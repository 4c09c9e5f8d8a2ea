//! Authorization: every route, requested by and about each kind of member.

use chrono::TimeDelta;
use gateway::endpoint::{Endpoint, Subject};
use gateway::routes::endpoints;
use serde_json::json;

use crate::fakes::{MEMBER, OTHER};
use crate::requests::Sample;
use crate::test_gateway::{Answer, TestGateway, answer};

const OPERATOR: i64 = 23_488;

async fn ask(
    gateway: &TestGateway,
    endpoint: &Endpoint,
    about: i64,
    token: Option<&str>,
) -> Answer {
    let request = Sample::of(&endpoint.spec, about).on(gateway);
    answer(match token {
        Some(token) => request.bearer_auth(token),
        None => request,
    })
    .await
}

#[actix_web::test]
async fn a_member_reaches_their_own_data_on_every_route() {
    let gateway = TestGateway::open().await;
    let token = gateway.token(MEMBER);
    for endpoint in endpoints() {
        let answer = ask(&gateway, &endpoint, MEMBER, Some(&token)).await;
        assert!(
            answer.status.is_success(),
            "{}: {answer:?}",
            endpoint.spec.path
        );
    }
}

#[actix_web::test]
async fn another_member_is_rejected_on_every_route_before_any_call() {
    let gateway = TestGateway::open().await;
    let token = gateway.token(MEMBER);
    gateway.scenario.take_business_calls();
    for endpoint in endpoints() {
        for about in [OTHER, OPERATOR, i64::MAX] {
            let answer = ask(&gateway, &endpoint, about, Some(&token)).await;
            let calls = gateway.scenario.take_business_calls();
            match endpoint.spec.subject {
                Subject::Path(_)
                | Subject::Query(_)
                | Subject::Body(_)
                | Subject::QueryOrNobody(_)
                | Subject::BodyOrNobody(_)
                | Subject::PublicOrSelf(_) => {
                    answer.assert_problem(403, 2001);
                    assert!(calls.is_empty(), "{}: {calls:?}", endpoint.spec.path);
                }
                // The call names the caller, whoever the request names.
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
async fn without_a_valid_token_only_public_data_is_served() {
    let gateway = TestGateway::open().await;
    let expired = gateway.token(MEMBER);
    gateway.clock.advance(TimeDelta::minutes(17));
    for endpoint in endpoints() {
        let path = endpoint.spec.path;
        let anonymous = ask(&gateway, &endpoint, MEMBER, None).await;
        let expired = ask(&gateway, &endpoint, MEMBER, Some(&expired)).await;
        match endpoint.spec.subject {
            Subject::Public | Subject::Anyone => {
                assert!(anonymous.status.is_success(), "{path}: {anonymous:?}");
                assert!(expired.status.is_success(), "{path}: {expired:?}");
            }
            Subject::PublicOrSelf(_) | Subject::QueryOrNobody(_) | Subject::BodyOrNobody(_) => {
                anonymous.assert_problem(401, 1205);
                expired.assert_problem(401, 1203);
                let nobody = ask(&gateway, &endpoint, 0, None).await;
                assert!(nobody.status.is_success(), "{path}: {nobody:?}");
            }
            Subject::Path(_) | Subject::Query(_) | Subject::Body(_) | Subject::Owner => {
                anonymous.assert_problem(401, 1205);
                expired.assert_problem(401, 1203);
            }
        }
    }
    let calls = gateway.scenario.take_business_calls().join("\n");
    // Posts have an order of their own.
    let is_about_orders = calls.contains("_order") || calls.contains("order_id");
    assert!(!is_about_orders, "{calls}");
    assert!(!calls.contains("get_member"), "{calls}");
}

#[actix_web::test]
async fn an_operators_token_opens_only_their_own_data() {
    let gateway = TestGateway::open().await;
    let operator = gateway.token(OPERATOR);
    for endpoint in endpoints() {
        if matches!(
            endpoint.spec.subject,
            Subject::Path(_) | Subject::Query(_) | Subject::Body(_)
        ) {
            let other = ask(&gateway, &endpoint, MEMBER, Some(&operator)).await;
            other.assert_problem(403, 2001);
            let own = ask(&gateway, &endpoint, OPERATOR, Some(&operator)).await;
            assert!(own.status.is_success(), "{own:?}");
        }
    }
}

#[actix_web::test]
async fn a_second_member_anywhere_in_the_request_is_rejected() {
    let gateway = TestGateway::open().await;
    let token = gateway.token(MEMBER);
    gateway.scenario.take_business_calls();
    for endpoint in endpoints() {
        let subject = endpoint.spec.subject;
        let is_optional = matches!(
            subject,
            Subject::QueryOrNobody(_) | Subject::BodyOrNobody(_)
        );
        if !subject.needs_token() && !is_optional {
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
            let refused = answer(sample.on(&gateway).bearer_auth(&token)).await;
            let (status, _) = refused.status_and_code();
            assert!(matches!(status, 403 | 400), "{}: {refused:?}", sample.url());
            assert!(
                gateway.scenario.take_business_calls().is_empty(),
                "{}",
                sample.url()
            );
        }
    }
}

#[actix_web::test]
async fn a_member_number_is_digits() {
    let gateway = TestGateway::open().await;
    let token = gateway.token(MEMBER);
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
            let request = gateway
                .request(reqwest::Method::GET, &path)
                .bearer_auth(&token);
            answer(request).await.assert_problem(400, 9001);
        }
    }
    for path in [
        "/api/v1/auth/cash",
        "/api/v1/auth/cash?member_sid=100000&member_sid=100001",
    ] {
        gateway.get(path).await.assert_problem(400, 9001);
    }
    gateway
        .get("/api/v1/member/0")
        .await
        .assert_problem(403, 2001);
}

#[actix_web::test]
async fn other_headers_and_cookies_name_no_member() {
    let gateway = TestGateway::open().await;
    for (name, value) in [
        ("X-User-Id", "100000"),
        ("X-Member-Id", "100000"),
        ("X-Forwarded-User", "100000"),
        ("Cookie", "memberSid=100000; access_token=whatever"),
    ] {
        let request = gateway
            .request(reqwest::Method::GET, "/api/v1/member/100000")
            .header(name, value);
        answer(request).await.assert_problem(401, 1205);
    }
}
