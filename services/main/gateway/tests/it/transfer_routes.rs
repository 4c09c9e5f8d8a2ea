//! Transfers: JSON, refusals, ownership.

use insta::assert_snapshot;
use serde_json::json;
use tonic::Code;

use crate::test_gateway::{TestGateway, answer, shown};

const TRANSFER: &str = "/api/v1/invest/transfer";

async fn transfer(gateway: &TestGateway, body: serde_json::Value) -> crate::test_gateway::Answer {
    let request = gateway.request(reqwest::Method::POST, TRANSFER);
    let token = gateway.token(100_000);
    answer(request.bearer_auth(token).json(&body)).await
}

#[actix_web::test]
async fn a_transfer_says_what_both_accounts_have_afterwards() {
    let gateway = TestGateway::open().await;
    let body = json!({"memberSid": 100_000, "fromAcno": "00", "toAcno": "01", "amount": 100_000,
        "reqSid": "seen-before"});
    let answer = transfer(&gateway, body).await;
    assert_eq!(answer.header("Idempotent-Replayed"), "true");
    assert_snapshot!(shown(&answer), @r#"
    {
      "transferSid": 8001,
      "status": "COMPLETED",
      "fromAcno": "000000004200",
      "toAcno": "000000004301",
      "amount": 100000,
      "fromDeposit": 9690000,
      "toDeposit": 100000,
      "at": "2026-11-21T09:03:00+09:00",
      "message": "100,000원을 옮겼어요"
    }
    "#);
    let calls = gateway.scenario.take_calls();
    assert_snapshot!(calls.last().unwrap(), @r#"transfer TransferRequest { member_id: 100000, request_id: "seen-before", from_account_no: "00", to_account_no: "01", amount_won: 100000 }"#);
}

#[actix_web::test]
async fn a_refused_transfer_has_its_figures() {
    let gateway = TestGateway::open().await;
    let refusal = bootstrap::problem::status(
        Code::FailedPrecondition,
        "TRANSFER_LIMIT",
        "이체는 하루에 100번까지 할 수 있어요.",
        [("most", "100".to_owned())],
    );
    gateway.scenario.refuse("transfer", refusal);
    let body = json!({"memberSid": 100_000, "fromAcno": "00", "toAcno": "01", "amount": 1});
    let answer = transfer(&gateway, body).await;
    answer.assert_problem(422, 3027);
    assert_eq!(answer.json()["facts"]["most"], 100);
}

#[actix_web::test]
async fn amounts_and_accounts_are_checked_before_any_call() {
    let gateway = TestGateway::open().await;
    gateway.get("/api/v1/member/100000").await;
    gateway.scenario.take_business_calls();
    for (from, to, amount) in [
        ("01", "00", json!(1)),
        ("00", "03", json!(1)),
        ("00", "", json!(1)),
        ("00", "01", json!(0)),
        ("00", "01", json!(-5)),
        ("00", "01", json!(1.5)),
        ("00", "01", json!("1")),
        ("00", "01", json!(null)),
    ] {
        let body = json!({"memberSid": 100_000, "fromAcno": from, "toAcno": to, "amount": amount});
        transfer(&gateway, body).await.assert_problem(400, 9001);
    }
    assert!(gateway.scenario.take_business_calls().is_empty());
}

#[actix_web::test]
async fn a_sheet_names_accounts_that_are_not_open_by_their_code() {
    let gateway = TestGateway::open().await;
    let path = "/api/v1/invest/transfer/member/100000/account/00";
    let body = gateway.get(path).await.json();
    assert_eq!(
        body["source"],
        json!({"acno": "000000004200", "actNm": "기본 계좌", "deposit": 9_790_000,
            "held": 90_000, "unsettled": 0, "transferable": 9_700_000})
    );
    assert_eq!(
        body["targets"][1],
        json!({"acno": "02", "actNm": "코인 계좌", "deposit": 0, "isOpen": false})
    );
    let path = "/api/v1/invest/transfer-possible/member/100000/account/00";
    assert_eq!(
        gateway.get(path).await.json(),
        json!({"acno": "000000004200", "transferable": 9_700_000, "held": 90_000, "unsettled": 0})
    );
}

#[actix_web::test]
async fn the_history_is_the_callers_with_and_without_a_number() {
    let gateway = TestGateway::open().await;
    let path = "/api/v1/invest/all-transfer-list/member/";
    let query = "?acno=00&cursor=9000&size=2";
    let listed = gateway.get(&format!("{path}{query}")).await;
    let calls = gateway.scenario.take_calls();
    assert_snapshot!(calls.last().unwrap(), @r#"list_cash_movements ListCashMovementsRequest { member_id: 100000, account_no: "00", before_id: 9000, size: 2, season: 0 }"#);
    let named = gateway.get(&format!("{path}100000{query}")).await;
    assert_eq!(listed.text, named.text);
    let body = listed.json();
    assert_eq!(body["nextCursor"], "8000");
    assert_eq!(body["transfers"][0]["fromDeposit"], 9_690_000);
    let dividend = &body["transfers"][1];
    assert_eq!(dividend["kind"], "DIVIDEND_PAID");
    assert_eq!(dividend["fromAcno"], json!(null));
    gateway
        .get(&format!("{path}100001"))
        .await
        .assert_problem(403, 2001);
}
