//! Overload: what is shed first, and what never.

use std::time::Duration;

use actix_web::http::Method;
use futures_util::future::join_all;
use gateway::endpoint::Class;
use gateway::routes::endpoints;
use reqwest::StatusCode;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::fakes::MEMBER;
use crate::test_gateway::TestGateway;

const SEARCH: &str = "/api/v1/stock/search/get-stock-list?searchTxt=a";
const QUOTE: &str = "/api/v1/stock/real/code/005930";

#[test]
fn less_important_classes_have_lower_limits() {
    let classes = [Class::Search, Class::Browse, Class::Read, Class::Order];
    let limits = classes.map(Class::max_concurrency);
    assert!(limits.is_sorted_by(|low, high| low < high), "{limits:?}");
}

#[test]
fn orders_and_sessions_are_the_most_important_class() {
    for endpoint in endpoints() {
        let spec = &endpoint.spec;
        let path = spec.path;
        let acts = spec.method != Method::GET;
        if acts && (path.ends_with("/order") || path.starts_with("/api/v1/auth/")) {
            assert_eq!(spec.class, Class::Order, "{path}");
        }
        if path.contains("/search/get-") {
            assert_eq!(spec.class, Class::Search, "{path}");
        }
    }
}

#[test]
fn routes_that_check_or_set_a_password_are_limited_besides() {
    let endpoints = endpoints();
    let hashing = endpoints
        .iter()
        .filter(|endpoint| endpoint.spec.hashes_password());
    let hashing: Vec<(&str, u32)> = hashing
        .map(|endpoint| (endpoint.spec.path, endpoint.spec.password_hashes))
        .collect();
    assert_eq!(
        hashing,
        [
            ("/api/v1/auth/join", 1),
            ("/api/v1/auth/login", 1),
            ("/api/v1/auth/password", 2),
            ("/api/v1/auth/password/reset", 1),
        ]
    );
}

#[actix_web::test]
async fn a_login_storm_is_shed_before_auth_and_costs_no_order() {
    const CROWD: usize = 200;
    let gateway = TestGateway::with(&[
        ("rate-limit-per-second", "1000000"),
        ("rate-limit-per-minute", "100000000"),
    ])
    .await;
    gateway.scenario.delay("login", Duration::from_secs(2));
    let login = json!({"email": "kim@example.com", "password": "long enough to pass"});
    let draft = json!({
        "isuSrtCd": "005930", "juQty": 1, "memberSid": MEMBER, "orderGb": "매수주문",
        "orderCategory": "STOCK",
    });
    let crowd = join_all((0..CROWD).map(|_| gateway.post("/api/v1/auth/login", &login)));
    let orders = async {
        for _ in 0..30 {
            let ordered = gateway.post("/api/v1/stock/order", &draft).await;
            assert_eq!(ordered.status, StatusCode::OK, "{ordered:?}");
        }
    };
    let (answers, ()) = tokio::join!(crowd, orders);
    let (good, refused): (Vec<_>, Vec<_>) = answers
        .into_iter()
        .partition(|answer| answer.status == StatusCode::OK);
    for answer in &refused {
        answer.assert_problem(503, 1005);
        assert_eq!(answer.header("retry-after"), "1");
    }
    assert!(!good.is_empty(), "some are admitted");
    assert!(refused.len() > CROWD / 2, "{} refused", refused.len());
    let calls = gateway.scenario.take_calls();
    let asked = calls.iter().filter(|call| call.starts_with("login "));
    assert_eq!(
        asked.count(),
        good.len(),
        "who is refused does not reach auth"
    );
}

#[actix_web::test]
async fn an_overload_of_searches_and_reads_costs_no_order() {
    let gateway = TestGateway::with(&[
        ("rate-limit-per-second", "1000000"),
        ("rate-limit-per-minute", "100000000"),
    ])
    .await;
    for rpc in ["search_items", "get_quotes"] {
        gateway.scenario.delay(rpc, Duration::from_secs(30));
    }
    let draft = json!({
        "isuSrtCd": "005930", "juQty": 1, "memberSid": MEMBER, "orderGb": "매수주문",
        "orderCategory": "STOCK",
    });
    for (path, class) in [(SEARCH, Class::Search), (QUOTE, Class::Read)] {
        // Requests above the limit are shed at once, the others fail at their deadline.
        let crowd = async {
            let asked = (0..class.max_concurrency() + 30).map(|_| gateway.get(path));
            for answer in join_all(asked).await {
                assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{answer:?}");
                assert!(!answer.header("retry-after").is_empty(), "{answer:?}");
                assert_eq!(answer.header("x-content-type-options"), "nosniff");
                assert_eq!(answer.json()["traceId"], answer.header("x-trace-id"));
            }
        };
        let orders = async {
            for _ in 0..30 {
                let ordered = gateway.post("/api/v1/stock/order", &draft).await;
                assert_eq!(ordered.status, StatusCode::OK, "{ordered:?}");
            }
        };
        tokio::join!(crowd, orders);
    }
}

#[actix_web::test]
async fn bodies_that_do_not_arrive_cost_no_order_and_no_refresh() {
    const SILENT: usize = 1_100;
    let gateway = TestGateway::with(&[("trusted-proxies", "1")]).await;
    let mut sockets = Vec::with_capacity(SILENT);
    for number in 0..SILENT {
        // As many networks as take all permits of the class at the default rate limit.
        let network = number % 41;
        let head = format!(
            "POST /api/v1/auth/access-token HTTP/1.1\r\nHost: x\r\n\
             X-Forwarded-For: 10.40.0.{network}\r\nContent-Type: application/json\r\n\
             Content-Length: 10\r\n\r\n"
        );
        let mut socket = TcpStream::connect(gateway.address).await.unwrap();
        socket.write_all(head.as_bytes()).await.unwrap();
        sockets.push(socket);
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    let draft = json!({
        "isuSrtCd": "005930", "juQty": 1, "memberSid": MEMBER, "orderGb": "매수주문",
        "orderCategory": "STOCK",
    });
    let refresh = json!({"refreshToken": "refresh-1"});
    for _ in 0..10 {
        for (path, body) in [
            ("/api/v1/stock/order", &draft),
            ("/api/v1/auth/access-token", &refresh),
        ] {
            let answer = gateway.post(path, body).await;
            assert_eq!(answer.status, StatusCode::OK, "{path}: {answer:?}");
        }
    }
    let mut first = sockets.swap_remove(0);
    let mut answer = Vec::new();
    first.read_to_end(&mut answer).await.unwrap();
    let answer = String::from_utf8(answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
}
