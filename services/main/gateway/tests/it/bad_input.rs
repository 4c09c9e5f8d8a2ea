//! Bad input on every route: rejected, never a 500.

use gateway::routes::endpoints;
use reqwest::Method;

use crate::fakes::MEMBER;
use crate::requests::Sample;
use crate::test_gateway::{TestGateway, answer};

fn samples_with_bodies() -> Vec<Sample> {
    endpoints()
        .iter()
        .map(|endpoint| Sample::of(&endpoint.spec, MEMBER))
        .filter(|sample| sample.body.is_some())
        .collect()
}

#[actix_web::test]
async fn a_body_is_one_strict_json_object() {
    let gateway = TestGateway::open().await;
    let token = gateway.token(MEMBER);
    let endless = "[".repeat(10_000);
    let deep = format!("{{\"a\":{}1{}}}", "[".repeat(100), "]".repeat(100));
    for sample in samples_with_bodies() {
        let good = sample.body.as_ref().unwrap().to_string();
        for bad in [
            String::new(),
            "null".to_owned(),
            "[]".to_owned(),
            "1".to_owned(),
            "\"x\"".to_owned(),
            good[..good.len() - 1].to_owned(),
            format!("{good}x"),
            format!("{good}{good}"),
            format!("\u{feff}{good}"),
            good.replacen('{', "{\"memberSid\":1,\"memberSid\":100000,", 1),
            good.replacen('{', "{\"x\":{\"a\":1,\"a\":1},", 1),
            good.replacen('{', "{\"x\":1e309,", 1),
            good.replacen('{', "{\"x\":NaN,", 1),
            good.replacen('{', "{\"x\":Infinity,", 1),
            good.replacen('{', "{\"x\":\"\\u0000\",", 1),
            good.replacen('{', "{\"x\":\"\\ud800\",", 1),
            good.replacen('{', "{'x':1,", 1),
            endless.clone(),
            deep.clone(),
        ] {
            let request = gateway
                .request(sample.method.clone(), &sample.url())
                .bearer_auth(&token)
                .header("Content-Type", "application/json")
                .body(bad.clone());
            let answer = answer(request).await;
            assert_eq!(
                answer.status_and_code(),
                (400, 9001),
                "{} {bad:.60}",
                sample.path
            );
            answer.assert_problem(400, 9001);
        }
    }
}

#[actix_web::test]
async fn only_plain_json_is_accepted() {
    let gateway = TestGateway::open().await;
    let token = gateway.token(MEMBER);
    for sample in samples_with_bodies() {
        let body = sample.body.as_ref().unwrap().to_string();
        for kind in [
            "",
            "text/plain",
            "text/xml",
            "application/xml",
            "application/jsonx",
            "application/json; charset=utf-16",
            "multipart/form-data; boundary=x",
        ] {
            let request = gateway
                .request(sample.method.clone(), &sample.url())
                .bearer_auth(&token)
                .header("Content-Type", kind)
                .body(body.clone());
            answer(request).await.assert_problem(415, 9005);
        }
        let packed = gateway
            .request(sample.method.clone(), &sample.url())
            .bearer_auth(&token)
            .header("Content-Type", "application/json")
            .header("Content-Encoding", "gzip")
            .body(body.clone());
        answer(packed).await.assert_problem(415, 9005);
        let named = gateway
            .request(sample.method.clone(), &sample.url())
            .bearer_auth(&token)
            .header("Content-Type", "Application/JSON; charset=UTF-8")
            .body(body);
        assert!(answer(named).await.status.is_success());
    }
}

#[actix_web::test]
async fn large_bodies_uris_and_headers_are_rejected() {
    let gateway = TestGateway::open().await;
    let token = gateway.token(MEMBER);
    let large = format!("{{\"x\":\"{}\"}}", "a".repeat(65 * 1024));
    for sample in samples_with_bodies() {
        let request = gateway
            .request(sample.method.clone(), &sample.url())
            .bearer_auth(&token)
            .header("Content-Type", "application/json")
            .body(large.clone());
        let answer = answer(request).await;
        answer.assert_problem(413, 9004);
        assert_eq!(answer.header("connection"), "close");
    }
    let path = format!("/api/v1/stock/list?x={}", "a".repeat(5_000));
    gateway.get(&path).await.assert_problem(414, 9010);
    let cookie = gateway
        .request(Method::GET, "/api/v1/stock/list")
        .header("Cookie", "a".repeat(20_000));
    answer(cookie).await.assert_problem(431, 9011);
    let mut many = gateway.request(Method::GET, "/api/v1/stock/list");
    for number in 0..60 {
        many = many.header(format!("x-{number}"), "a".repeat(1_000));
    }
    answer(many).await.assert_problem(431, 9011);
}

#[actix_web::test]
async fn other_methods_are_rejected_on_every_route() {
    let gateway = TestGateway::open().await;
    for endpoint in endpoints() {
        let sample = Sample::of(&endpoint.spec, MEMBER);
        let all = endpoints();
        let allowed: Vec<&str> = all
            .iter()
            .filter(|other| other.spec.path == endpoint.spec.path)
            .map(|other| other.spec.method.as_str())
            .collect();
        for method in [
            "GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "OPTIONS", "PURGE",
        ] {
            if allowed.contains(&method) {
                continue;
            }
            let request = gateway
                .request(method.parse().unwrap(), &sample.path)
                .header("X-HTTP-Method-Override", endpoint.spec.method.as_str());
            let answer = answer(request).await;
            answer.assert_problem(405, 9003);
            assert_eq!(answer.header("allow"), allowed.join(", "));
        }
    }
}

#[actix_web::test]
async fn odd_paths_are_not_found_or_malformed() {
    let gateway = TestGateway::open().await;
    for path in [
        "/api",
        "/api/",
        "/api/v1",
        "/api/v1/nothing",
        "/api/v2/stock/list",
        "/api/v1/stock/list/",
        "/api/v1//stock/list",
        "//api/v1/stock/list",
        "/api/v1/stock/list;x=1",
        "/api/v1/stock/list.",
        "/API/V1/stock/list",
        "/api/v1/stock/real/code/",
        "/api/v1/stock/real/code/%00",
        "/api/v1/stock/real/code/%2e%2e",
        "/api/v1/stock/real/code/..%2f..%2fetc",
        "/api/v1/stock/real/code/a%252fb",
        "/api/v1/stock/real/code/%ff",
        "/api/v1/stock/real/code/%EC%82%BC",
        "/api/v1/stock/real/code/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "/api/v1/product/abc",
        "/api/v1/product/0",
        "/api/v1/product/-1",
        "/api/v1/product/99999999999999999999",
        "/api/v1/market-trend/stocks/kospi",
        "/api/v1/market-trend/stocks/PRODUCT",
        "/api/v1/search/member/0/type/stock",
        "/api/v1/invest/order/abc",
        "/api/v1/invest/order/99999999999999999999",
        "/%00",
        "/..%2f..%2fetc/passwd",
    ] {
        let answer = gateway.get(path).await;
        let status = answer.status.as_u16();
        assert!(matches!(status, 400 | 404), "{path}: {answer:?}");
        answer.assert_problem(status, answer.status_and_code().1);
    }
}
