//! The built client, its runtime configuration, and the headers of every response.

use chrono::TimeDelta;
use reqwest::Method;

use crate::test_gateway::{ClientFolder, TestGateway, answer};

async fn gateway(folder: &ClientFolder) -> TestGateway {
    let path = folder.path().to_str().unwrap().to_owned();
    TestGateway::with(&[
        ("client-dir", &path),
        ("sise-origin", "http://localhost:8081"),
    ])
    .await
}

#[actix_web::test]
async fn every_screen_is_the_index_page_and_files_are_served_as_they_are() {
    let folder = ClientFolder::new();
    let gateway = gateway(&folder).await;
    for path in [
        "/",
        "/index.html",
        "/login",
        "/invest-v2/stock",
        "/invest-v2/stock/005930",
    ] {
        let answer = gateway.get_anonymously(path).await;
        assert!(answer.text.contains("시드업"), "{path}: {answer:?}");
        assert_eq!(answer.header("cache-control"), "no-cache");
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    }
    let icon = gateway.get_anonymously("/favicon.svg").await;
    assert_eq!(icon.text, "<svg/>");
    assert_eq!(icon.header("cache-control"), "public, max-age=3600");
    let head = gateway.request(Method::HEAD, "/favicon.svg");
    let head = answer(head).await;
    assert_eq!((head.status.as_u16(), head.text.as_str()), (200, ""));
}

#[actix_web::test]
async fn precompressed_files_are_served_to_clients_that_accept_them() {
    let folder = ClientFolder::new();
    let gateway = gateway(&folder).await;
    for (accepted, encoding, content) in [
        ("br, gzip", "br", "brotli"),
        ("gzip, deflate", "gzip", "gzip"),
        ("br;q=0, gzip;q=1.0", "gzip", "gzip"),
        ("identity", "", "plain"),
        ("", "", "plain"),
    ] {
        let request = gateway
            .request(Method::GET, "/assets/main.0123456789.js")
            .header("Accept-Encoding", accepted);
        let answer = answer(request).await;
        assert_eq!(answer.header("content-encoding"), encoding, "{accepted}");
        assert_eq!(answer.text, content);
        assert!(answer.header("content-type").starts_with("text/javascript"));
        assert_eq!(
            answer.header("cache-control"),
            "public, max-age=31536000, immutable"
        );
        assert!(
            answer
                .header("vary")
                .to_lowercase()
                .contains("accept-encoding")
        );
    }
}

#[actix_web::test]
async fn files_outside_the_folder_and_hidden_files_are_not_served() {
    let folder = ClientFolder::new();
    let gateway = gateway(&folder).await;
    for path in [
        "/.secret",
        "/assets/../.secret",
        "/assets/%2e%2e/.secret",
        "/..%2f..%2f..%2fetc/passwd",
        "//etc/passwd",
        "/assets/gone.0123456789.js",
        "/index.html%00.js",
        "/api/v1/nothing",
    ] {
        let answer = gateway.get_anonymously(path).await;
        let status = answer.status.as_u16();
        assert!(matches!(status, 404 | 400), "{path}: {answer:?}");
    }
    let posted = gateway.request(Method::POST, "/login").body("x");
    answer(posted).await.assert_problem(405, 9003);
}

#[actix_web::test]
async fn the_sise_origin_is_that_of_the_requested_host() {
    let folder = ClientFolder::new();
    let gateway = TestGateway::with(&[
        ("client-dir", folder.path().to_str().unwrap()),
        (
            "public-origin",
            "http://localhost:8080,http://192.168.0.7:8080",
        ),
        (
            "sise-origin",
            "http://localhost:8081,http://192.168.0.7:8081",
        ),
    ])
    .await;
    for (host, sise) in [
        ("192.168.0.7:8080", "192.168.0.7:8081"),
        ("localhost:8080", "localhost:8081"),
        ("unknown.example", "localhost:8081"),
    ] {
        let of = |path: &str| gateway.request(Method::GET, path).header("Host", host);
        let config = answer(of("/config.json")).await;
        assert_eq!(config.json()["siseOrigin"], format!("http://{sise}"));
        let page = answer(of("/")).await;
        assert!(
            page.text
                .contains(&format!(r#""siseOrigin":"http://{sise}""#)),
            "{page:?}"
        );
        let policy = page.header("content-security-policy");
        let live = format!("connect-src 'self' http://{sise} ws://{sise}");
        assert!(policy.ends_with(&live), "{host}: {policy}");
    }
}

#[actix_web::test]
async fn the_runtime_configuration_describes_the_installation() {
    let folder = ClientFolder::new();
    let gateway = gateway(&folder).await;
    let body = gateway.get_anonymously("/config.json").await.json();
    assert_eq!(body["siseOrigin"], "http://localhost:8081");
    assert_eq!(body["clock"], "practice");
    assert_eq!(body["feed"], "builtin");
    assert_eq!(body["simulated"], true);
    assert_eq!(body["version"], env!("CARGO_PKG_VERSION"));

    gateway.clock.advance(TimeDelta::seconds(1));
    gateway
        .scenario
        .refuse("get_market_info", tonic::Status::unavailable("gone"));
    let body = gateway.get_anonymously("/config.json").await.json();
    assert_eq!(body["siseOrigin"], "http://localhost:8081");
    assert!(body.get("clock").is_none());
    assert_eq!(gateway.get_anonymously("/livez").await.text, "ok");
}

#[actix_web::test]
async fn during_maintenance_the_client_is_served_and_the_api_is_closed() {
    let folder = ClientFolder::new();
    let path = folder.path().to_str().unwrap().to_owned();
    let gateway = TestGateway::with(&[
        ("client-dir", &path),
        ("maintenance-until", "2026-11-21T17:30:00Z"),
        ("least-ios-app", "1.4"),
    ])
    .await;
    for path in ["/api/v1/stock/list", "/api/v1/member/100000"] {
        let answer = gateway.get_anonymously(path).await;
        answer.assert_problem(503, 9014);
        assert_eq!(answer.header("retry-after"), "30");
    }
    assert!(
        gateway
            .get_anonymously("/home")
            .await
            .text
            .contains("시드업")
    );
    let body = gateway.get_anonymously("/config.json").await.json();
    assert_eq!(body["maintenanceUntil"], "2026-11-22T02:30:00+09:00");
    assert_eq!(body["leastApp"], serde_json::json!({ "ios": "1.4" }));
}

#[actix_web::test]
async fn security_headers_restrict_browsers() {
    let folder = ClientFolder::new();
    let gateway = gateway(&folder).await;
    for path in [
        "/",
        "/api/v1/stock/list",
        "/api/v1/nothing",
        "/api/v1/member/100000",
    ] {
        let answer = gateway.get_anonymously(path).await;
        let policy = answer.header("content-security-policy");
        assert!(
            policy.contains("connect-src 'self' http://localhost:8081 ws://localhost:8081"),
            "{policy}"
        );
        assert!(policy.contains("frame-ancestors 'none'") && policy.contains("script-src 'self'"));
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("x-trace-id").len(), 32);
        assert_eq!(answer.header("strict-transport-security"), "");
    }
}

#[actix_web::test]
async fn responses_for_one_member_are_not_cached() {
    let gateway = TestGateway::open().await;
    for member in [100_000, 100_001, 100_000] {
        let path = format!("/api/v1/member/{member}");
        let request = gateway
            .request(Method::GET, &path)
            .bearer_auth(gateway.token(member));
        let answer = answer(request).await;
        assert_eq!(answer.json()["sid"], member);
        assert_eq!(answer.header("cache-control"), "private, no-store");
        assert!(
            answer.header("vary").contains("Authorization"),
            "{answer:?}"
        );
    }
}

#[actix_web::test]
async fn a_trace_continues_that_of_the_request() {
    let gateway = TestGateway::open().await;
    let request = gateway.request(Method::GET, "/livez").header(
        "traceparent",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    );
    let answer = answer(request).await;
    assert_eq!(
        answer.header("x-trace-id"),
        "0af7651916cd43dd8448eb211c80319c"
    );
}

#[actix_web::test]
async fn responses_are_compressed_for_clients_that_accept_it() {
    let gateway = TestGateway::open().await;
    for (accepted, encoding) in [("br", "br"), ("gzip", "gzip"), ("identity", "")] {
        let request = gateway
            .request(Method::GET, "/api/v1/stock/list")
            .header("Accept-Encoding", accepted);
        assert_eq!(answer(request).await.header("content-encoding"), encoding);
    }
}
