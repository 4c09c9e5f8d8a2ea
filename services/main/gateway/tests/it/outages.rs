//! Services that are away, slow or faulty, and rate limits.

use std::time::{Duration, Instant};

use serde_json::json;
use tonic::{Code, Status};

use crate::fakes::{MEMBER, OTHER};
use crate::test_gateway::{TestGateway, answer};

const QUOTE: &str = "/api/v1/stock/real/code/005930";

fn count(gateway: &TestGateway, rpc: &str) -> usize {
    let calls = gateway.scenario.take_calls();
    calls.iter().filter(|call| call.starts_with(rpc)).count()
}

#[actix_web::test]
async fn reads_are_retried_once_and_orders_never() {
    let gateway = TestGateway::open().await;
    gateway
        .scenario
        .refuse("get_quotes", Status::unavailable("gone"));
    let refused = gateway.get(QUOTE).await;
    refused.assert_problem(503, 9007);
    assert_eq!(refused.header("retry-after"), "1");
    assert_eq!(count(&gateway, "get_quotes"), 2);

    gateway
        .scenario
        .refuse("place_order", Status::unavailable("gone"));
    let draft = json!({
        "isuSrtCd": "005930", "juQty": 1, "memberSid": MEMBER, "orderGb": "매수주문",
        "orderCategory": "STOCK",
    });
    gateway
        .post("/api/v1/stock/order", &draft)
        .await
        .assert_problem(503, 9007);
    assert_eq!(count(&gateway, "place_order"), 1);

    // A rejection is not retried.
    gateway
        .scenario
        .refuse("get_quotes", Status::not_found("no such row"));
    gateway.get(QUOTE).await.assert_problem(404, 9002);
    assert_eq!(count(&gateway, "get_quotes"), 1);
}

#[actix_web::test]
async fn a_service_that_keeps_failing_opens_the_breaker() {
    let gateway = TestGateway::open().await;
    gateway
        .scenario
        .refuse("get_quotes", Status::unavailable("gone"));
    for _ in 0..30 {
        gateway
            .get_anonymously(QUOTE)
            .await
            .assert_problem(503, 9007);
    }
    let asked = count(&gateway, "get_quotes");
    assert_eq!(asked, 20, "then the breaker opened");

    gateway.scenario.allow("get_quotes");
    gateway
        .get_anonymously(QUOTE)
        .await
        .assert_problem(503, 9007);
    tokio::time::sleep(Duration::from_millis(2_050)).await;
    assert_eq!(gateway.get_anonymously(QUOTE).await.status, 200);
}

#[actix_web::test]
async fn a_slow_service_fails_at_the_deadline() {
    let gateway = TestGateway::open().await;
    gateway
        .scenario
        .delay("search_items", Duration::from_secs(30));
    gateway
        .scenario
        .delay("get_quotes", Duration::from_secs(30));
    for (path, limit_ms) in [
        (
            "/api/v1/stock/search/get-stock-list?searchTxt=a",
            1_000..2_500,
        ),
        (QUOTE, 3_000..4_500),
    ] {
        let started = Instant::now();
        gateway
            .get_anonymously(path)
            .await
            .assert_problem(503, 9008);
        let took_ms = started.elapsed().as_millis();
        assert!(
            (limit_ms.start - 50..limit_ms.end).contains(&took_ms),
            "{path}: {took_ms} ms"
        );
    }
}

#[actix_web::test]
async fn internal_errors_reveal_nothing() {
    let gateway = TestGateway::open().await;
    let secret = "relation \"orders\" does not exist at 10.0.0.7:5432";
    for code in [
        Code::Internal,
        Code::Unknown,
        Code::DataLoss,
        Code::Unimplemented,
    ] {
        gateway
            .scenario
            .refuse("get_quotes", Status::new(code, secret));
        let answer = gateway.get_anonymously(QUOTE).await;
        answer.assert_problem(500, 9009);
        assert!(!answer.text.contains("orders") && !answer.text.contains("10.0.0.7"));
    }
    let unknown = bootstrap::problem::status(Code::NotFound, "NO_SUCH_REASON", secret, []);
    gateway.scenario.refuse("get_quotes", unknown);
    let answer = gateway.get_anonymously(QUOTE).await;
    answer.assert_problem(404, 9002);
    assert!(!answer.text.contains("orders"));
}

#[actix_web::test]
async fn facts_of_a_rejection_stay_numbers() {
    let gateway = TestGateway::open().await;
    let facts = [
        ("need", "71311".to_owned()),
        ("have", "1000.5".to_owned()),
        ("code", "005930".to_owned()),
    ];
    let short = bootstrap::problem::status(
        Code::FailedPrecondition,
        "INSUFFICIENT_CASH",
        "잔액이 부족해요",
        facts,
    );
    gateway.scenario.refuse("place_order", short);
    let draft = json!({
        "isuSrtCd": "005930", "juQty": 1, "memberSid": MEMBER, "orderGb": "매수주문",
        "orderCategory": "STOCK",
    });
    let answer = gateway.post("/api/v1/stock/order", &draft).await;
    answer.assert_problem(422, 3009);
    assert_eq!(answer.json()["message"], "잔액이 부족해요");
    assert_eq!(
        answer.json()["facts"],
        json!({"need": 71_311, "have": 1000.5, "code": "005930"})
    );
}

#[actix_web::test]
async fn rate_limits_affect_one_caller_only() {
    // The limit regains a request once a minute, longer than this test takes.
    let gateway = TestGateway::with(&[("rate-limit-per-minute", "1")]).await;
    assert_eq!(gateway.get("/api/v1/member/100000").await.status, 200);
    let refused = gateway.get("/api/v1/member/100000").await;
    refused.assert_problem(429, 9006);
    let wait_s: u64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait_s), "{refused:?}");

    let other = gateway.token(OTHER);
    let request = gateway
        .request(reqwest::Method::GET, "/api/v1/member/100001")
        .bearer_auth(other);
    assert_eq!(answer(request).await.status, 200);
    assert_eq!(gateway.get_anonymously(QUOTE).await.status, 200);
}

#[actix_web::test]
async fn gateways_share_rate_limits_in_redis() {
    let redis_url = testkit::redis_url();
    // Tests share one Redis, so this one uses a member of its own.
    let member = i64::from(uuid::Uuid::new_v4().as_fields().0) + 1_000_000;
    let settings = [
        ("redis-url", redis_url.as_str()),
        ("rate-limit-per-minute", "3"),
    ];
    let (one, two) = (
        TestGateway::with(&settings).await,
        TestGateway::with(&settings).await,
    );
    let ask = async |gateway: &TestGateway| {
        let path = format!("/api/v1/member/{member}");
        let request = gateway.request(reqwest::Method::GET, &path);
        answer(request.bearer_auth(gateway.token(member))).await
    };
    // On a busy machine Redis may time out now and then; local counting goes on.
    let mut passed = 0;
    let refused = loop {
        let answer = ask(if passed % 2 == 0 { &one } else { &two }).await;
        if answer.status != 200 {
            break answer;
        }
        passed += 1;
    };
    assert!((3..6).contains(&passed), "{passed} passed");
    refused.assert_problem(429, 9006);
    // One of three a minute is regained after 20 seconds.
    let wait_s: u64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=20).contains(&wait_s), "{wait_s} s");
}

#[actix_web::test]
async fn running_requests_finish_before_shutdown() {
    let gateway = TestGateway::open().await;
    gateway
        .scenario
        .delay("get_quotes", Duration::from_millis(1_800));
    let slow = gateway.get_anonymously(QUOTE);
    let stopping = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        gateway.stop();
    };
    let (answer, ()) = tokio::join!(slow, stopping);
    assert_eq!(answer.status, 200);
    testkit::eventually(Duration::from_secs(3), async || {
        tokio::net::TcpStream::connect(gateway.address)
            .await
            .is_err()
    })
    .await;
}
