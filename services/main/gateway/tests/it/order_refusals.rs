//! Orders that the gateway or trading rejects.

use prost::Message;
use proto::common::v1::Problem;
use proto::trading::v1::OrderStatus;
use serde_json::{Value, json};
use tonic::Code;

use crate::fakes::samples::trading as samples;
use crate::order_routes::draft;
use crate::test_gateway::TestGateway;

#[actix_web::test]
async fn a_replayed_rejection_is_marked_and_has_the_conflicting_order() {
    let gateway = TestGateway::open().await;
    let problem = Problem {
        reason: "ORDER_ALREADY_FILLED".to_owned(),
        message: "이미 체결된 주문이에요.".to_owned(),
        facts: [("orderSid".to_owned(), "7001".to_owned())].into(),
        subject: samples::order(OrderStatus::Filled).encode_to_vec(),
        replayed: true,
    };
    gateway.scenario.refuse(
        "cancel_order",
        bootstrap::problem::carry(Code::Aborted, problem.clone()),
    );
    let cancel = draft(&json!({"orderGb": "매수취소", "orderSid": 7_001}));
    let answer = gateway.post("/api/v1/stock/order", &cancel).await;
    answer.assert_problem(409, 3015);
    assert_eq!(answer.header("idempotent-replayed"), "true");
    let shown = gateway.get("/api/v1/invest/order/7001").await.json();
    assert_eq!(answer.json()["order"], shown["order"]);
    assert_eq!(answer.json()["facts"]["orderSid"], 7_001);

    // Not a replay the first time; an unreadable order is left out.
    let changed = Problem {
        reason: "ORDER_CHANGED".to_owned(),
        subject: vec![255],
        replayed: false,
        ..problem
    };
    gateway.scenario.refuse(
        "modify_order",
        bootstrap::problem::carry(Code::Aborted, changed),
    );
    let modify = draft(&json!({"orderGb": "매수정정", "orderSid": 7_001, "remainQty": 3}));
    let answer = gateway.post("/api/v1/stock/order", &modify).await;
    answer.assert_problem(409, 3023);
    assert_eq!(answer.header("idempotent-replayed"), "");
    assert_eq!(answer.json()["order"], json!(null));
}

#[actix_web::test]
async fn an_order_above_the_rate_gets_retry_after() {
    let gateway = TestGateway::open().await;
    let wait = [("retryAfterS", "42".to_owned())];
    let refusal = bootstrap::problem::status(Code::ResourceExhausted, "ORDER_RATE", "", wait);
    gateway.scenario.refuse("place_order", refusal);
    let answer = gateway
        .post("/api/v1/stock/order", &draft(&json!({})))
        .await;
    answer.assert_problem(429, 3012);
    assert_eq!(answer.header("retry-after"), "42");
    let refusal = bootstrap::problem::status(
        Code::FailedPrecondition,
        "MARKET_UNAVAILABLE",
        "시세 대기 중이에요.",
        [],
    );
    gateway.scenario.refuse("place_order", refusal);
    let answer = gateway
        .post("/api/v1/stock/order", &draft(&json!({})))
        .await;
    answer.assert_problem(503, 3020);
    assert_eq!(answer.header("retry-after"), "1");
}

#[actix_web::test]
async fn invalid_orders_never_reach_trading() {
    let gateway = TestGateway::open().await;
    gateway.get("/api/v1/member/100000").await;
    gateway.scenario.take_calls();
    let long = "9".repeat(40);
    let mut refused: Vec<(&str, Value)> = vec![
        ("juQty", json!(null)),
        ("juQty", json!(-1)),
        ("juQty", json!("3")),
        ("juQty", json!(0.000_000_001)),
        ("juQty", json!(9_007_199_254_740_993_i64)),
        ("juQty", json!(u64::MAX)),
        ("juQty", json!([3])),
        ("juPrc", json!(-71_300)),
        ("juPrc", json!("71,300")),
        ("juPrc", json!("７１３００")),
        ("juPrc", json!(" 10 ")),
        ("juPrc", json!({"value": 1})),
        ("juPrc", json!(true)),
        ("juPrc", serde_json::from_str(&long).unwrap()),
        ("acno", json!("")),
        ("acno", json!("00000000420")),
        ("acno", json!(0)),
        ("isuSrtCd", json!("a/b")),
        ("isuSrtCd", json!("가".repeat(100))),
        ("isuSrtCd", json!(5930)),
        ("orderGb", json!("BUY")),
        ("orderGb", json!("매수")),
        ("orderCategory", json!("COIN")),
        ("orderCategory", json!("stock")),
        ("orderMoficationType", json!("PRIZE")),
        ("orderSid", json!("7001")),
        ("riskAck", json!("true")),
        ("remainQty", json!("3")),
        ("memberSid", json!("100000")),
        ("memberSid", json!(null)),
        ("memberSid", json!(1e5)),
    ];
    for id in [
        "short",
        "with space",
        "한국어한국어한국어",
        &"a".repeat(300),
    ] {
        refused.push(("reqSid", json!(id)));
    }
    for (field, value) in refused {
        let draft = draft(&json!({field: value}));
        let answer = gateway.post("/api/v1/stock/order", &draft).await;
        assert_eq!(
            answer.status_and_code(),
            (400, 9001),
            "{field}: {value}: {answer:?}"
        );
        assert_eq!(answer.json()["fields"][0]["field"], field, "{value}");
    }
    let calls = gateway.scenario.take_calls();
    assert!(
        calls.iter().all(|call| call.starts_with("check_session")),
        "{calls:?}"
    );
}

#[actix_web::test]
async fn a_cancellation_without_an_order_is_malformed() {
    let gateway = TestGateway::open().await;
    let draft = draft(&json!({"orderGb": "매수취소"}));
    gateway
        .post("/api/v1/stock/order", &draft)
        .await
        .assert_problem(400, 9001);
}

#[actix_web::test]
async fn world_commodities_cannot_be_ordered() {
    let gateway = TestGateway::open().await;
    let sentence = "거래할 수 없는 종목이에요.";
    let refusal =
        bootstrap::problem::status(Code::FailedPrecondition, "NOT_TRADABLE", sentence, []);
    for rpc in ["place_order", "preview_order", "get_order_capacity"] {
        gateway.scenario.refuse(rpc, refusal.clone());
    }
    let order = json!({
        "isuSrtCd": "XAUUSD", "isuKorNm": "국제 금(현물)", "juPrc": null, "juQty": 1,
        "memberSid": 100_000, "orderGb": "매수주문", "orderCategory": "GOLD", "acno": "00",
    });
    let preview = json!({
        "memberSid": 100_000, "isuSrtCd": "XAUUSD", "side": "BUY", "juPrc": null, "juQty": 1,
    });
    for answer in [
        gateway.post("/api/v1/commodity/order", &order).await,
        gateway.post("/api/v1/invest/preview", &preview).await,
        gateway
            .get("/api/v1/invest/member/100000/code/XAUUSD")
            .await,
    ] {
        answer.assert_problem(422, 3003);
        assert_eq!(answer.json()["reason"], "NOT_TRADABLE");
        assert_eq!(answer.json()["message"], sentence);
    }
    let calls = gateway.scenario.take_business_calls().join("\n");
    assert!(calls.contains("instrument_code: \"XAUUSD\""), "{calls}");
    assert!(calls.contains("category: Gold"), "{calls}");
}
