//! Price alerts: JSON, replays, refusals.

use reqwest::Method;
use serde_json::json;
use tonic::Code;

use crate::fakes::MEMBER;
use crate::test_gateway::TestGateway;

const ALERT: &str = "/api/v1/market/alert";

#[actix_web::test]
async fn an_alert_is_created_exactly_as_asked() {
    let gateway = TestGateway::open().await;
    let body = json!({"memberSid": MEMBER, "code": "KRW-BTC", "kind": "BELOW",
        "value": 99_000_000.5, "reqSid": "alert-me-1"});
    let answer = gateway.post(ALERT, &body).await;
    assert_eq!(answer.status, 200);
    assert!(!answer.headers.contains_key("idempotent-replayed"));
    assert_eq!(
        answer.json(),
        json!({"sid": 81, "isuSrtCd": "KRW-BTC", "isuKorNm": "비트코인", "marketCode": "COIN",
            "currency": "KRW", "kind": "BELOW", "value": 99_000_000.5,
            "createdAt": "2026-11-21T09:03:00+09:00",
            "firedAt": null, "firedPrice": null, "tickSeq": null})
    );
    let calls = gateway.scenario.take_calls().join("\n");
    assert!(
        calls.contains(
            "CreateAlertRequest { member_id: 100000, request_id: \"alert-me-1\", \
             code: \"KRW-BTC\", kind: Below, value: Some(Decimal { value: \"99000000.5\" }) }"
        ),
        "{calls}"
    );
    let again = json!({"memberSid": MEMBER, "code": "005930", "kind": "PERCENT", "value": -3.5,
        "reqSid": "again-and-again"});
    let answer = gateway.post(ALERT, &again).await;
    assert_eq!(answer.header("idempotent-replayed"), "true");
    assert_eq!(answer.json()["value"], json!(-3.5));
}

#[actix_web::test]
async fn active_and_fired_ones_are_apart() {
    let gateway = TestGateway::open().await;
    let body = gateway.get(&format!("{ALERT}/{MEMBER}")).await.json();
    assert_eq!(body["active"][0]["sid"], json!(81));
    assert_eq!(body["active"][0]["firedAt"], json!(null));
    assert_eq!(
        body["fired"],
        json!([{"sid": 80, "isuSrtCd": "KRW-BTC", "isuKorNm": "비트코인", "marketCode": "COIN",
            "currency": "KRW", "kind": "PERCENT", "value": -3.5,
            "createdAt": "2026-11-21T09:03:00+09:00", "firedAt": "2026-11-21T09:03:00+09:00",
            "firedPrice": 99_000_000.5, "tickSeq": 77}])
    );
}

#[actix_web::test]
async fn a_deletion_names_the_caller() {
    let gateway = TestGateway::open().await;
    let body = json!({"memberSid": MEMBER, "sid": 81});
    let answer = gateway.send(Method::DELETE, ALERT, &body).await;
    assert_eq!(answer.json(), json!({"sid": 81}));
    let calls = gateway.scenario.take_calls().join("\n");
    assert!(
        calls.contains("DeleteAlertRequest { member_id: 100000, alert_id: 81 }"),
        "{calls}"
    );
    let refusal = bootstrap::problem::status(Code::NotFound, "ALERT_NOT_FOUND", "없어요.", []);
    gateway.scenario.refuse("delete_alert", refusal);
    let answer = gateway.send(Method::DELETE, ALERT, &body).await;
    answer.assert_problem(404, 4013);
}

#[actix_web::test]
async fn refusals_keep_their_reason_and_sentence() {
    let gateway = TestGateway::open().await;
    let body = json!({"memberSid": MEMBER, "code": "005930", "kind": "ABOVE", "value": 1});
    for (reason, grpc, status, code) in [
        ("ALERT_VALUE", Code::FailedPrecondition, 422, 4010),
        ("ALERT_ALREADY_TRUE", Code::FailedPrecondition, 422, 4011),
        ("TOO_MANY_ALERTS", Code::FailedPrecondition, 422, 4012),
        ("ALERTS_FULL", Code::FailedPrecondition, 422, 4014),
        ("INSTRUMENT_NOT_FOUND", Code::NotFound, 404, 4001),
        ("REQ_SID_REUSED", Code::AlreadyExists, 409, 3017),
        ("MARKET_UNAVAILABLE", Code::Unavailable, 503, 3020),
    ] {
        let refusal = bootstrap::problem::status(grpc, reason, "안 돼요.", []);
        gateway.scenario.refuse("create_alert", refusal);
        let answer = gateway.post(ALERT, &body).await;
        answer.assert_problem(status, code);
        assert_eq!(answer.json()["reason"], reason);
        assert_eq!(answer.json()["message"], "안 돼요.");
    }
}
