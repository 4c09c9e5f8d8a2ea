//! Contracts of deposits and savings plans over HTTP.

use bootstrap::problem;
use prost::Message;
use proto::common::v1::Problem;
use reqwest::Method;
use serde_json::json;
use tonic::Code;

use crate::fakes::{MEMBER, contracts};
use crate::test_gateway::{TestGateway, answer};

#[actix_web::test]
async fn a_contract_is_opened_and_listed() {
    let gateway = TestGateway::open().await;
    let token = gateway.token(MEMBER);
    let open = gateway
        .request(Method::POST, "/api/v1/product")
        .bearer_auth(&token)
        .json(&json!({
            "memberSid": MEMBER, "productSid": 28, "saveTrm": 12, "amount": 1_000_000,
            "maturityAction": "RENEW", "preferential": true, "reqSid": "seen-before",
        }));
    let opened = answer(open).await;
    assert_eq!(opened.status, 200);
    assert_eq!(opened.header("Idempotent-Replayed"), "true");
    let body = opened.json();
    assert_eq!(body["contract"]["kind"], "DEPOSIT");
    assert_eq!(body["contract"]["maturesOn"], "2027-11-21");
    assert_eq!(body["contract"]["nextPaymentOn"], json!(null));
    let calls = gateway.scenario.take_business_calls().join("\n");
    assert!(calls.contains("term_months: 12"), "{calls}");
    assert!(calls.contains("maturity_action: Renew"), "{calls}");
    let list = gateway
        .request(Method::GET, &format!("/api/v1/product/member/{MEMBER}"))
        .bearer_auth(&token);
    let listed = answer(list).await.json();
    assert_eq!(listed[1]["rsrvType"], "F");
    assert_eq!(listed[1]["payable"], 200_000);
    assert_eq!(listed[0]["monthlyCap"], json!(null));
}

#[actix_web::test]
async fn a_payout_that_has_changed_is_shown_anew() {
    let gateway = TestGateway::open().await;
    let token = gateway.token(MEMBER);
    let changed = Problem {
        reason: "PAYOUT_CHANGED".to_owned(),
        message: "그사이 받을 금액이 달라졌어요. 확인하고 다시 해지해 주세요.".to_owned(),
        subject: contracts::cancel_info().encode_to_vec(),
        ..Problem::default()
    };
    let status = problem::carry(Code::Aborted, changed);
    gateway.scenario.refuse("close_contract", status);
    let close = gateway
        .request(Method::DELETE, "/api/v1/product")
        .bearer_auth(&token)
        .json(&json!({"memberSid": MEMBER, "acno": "000000004203", "payout": 1_000_000}));
    let refused = answer(close).await;
    refused.assert_problem(409, 3051);
    assert_eq!(refused.json()["cancelInfo"]["payout"], 1_000_366);
}

#[actix_web::test]
async fn numbers_out_of_their_bounds_never_reach_trading() {
    let gateway = TestGateway::open().await;
    let token = gateway.token(MEMBER);
    gateway.scenario.take_business_calls();
    for (field, value) in [
        ("amount", json!(0)),
        ("amount", json!(1_000_000_000_001_i64)),
        ("saveTrm", json!(0)),
        ("transferDay", json!(32)),
        ("transferDay", json!(0)),
        ("productSid", json!(0)),
        ("maturityAction", json!("BURN")),
    ] {
        let mut body = json!({
            "memberSid": MEMBER, "productSid": 28, "saveTrm": 12, "amount": 1_000_000,
        });
        body[field] = value;
        let open = gateway
            .request(Method::POST, "/api/v1/product")
            .bearer_auth(&token)
            .json(&body);
        answer(open).await.assert_problem(400, 9001);
    }
    assert_eq!(gateway.scenario.take_business_calls(), Vec::<String>::new());
}
