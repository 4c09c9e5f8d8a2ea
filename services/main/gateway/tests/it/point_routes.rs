//! Points, cash and items: JSON, what reaches trading, refusals.

use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};
use tonic::Code;

use crate::test_gateway::{Answer, TestGateway, answer, shown};

const TRANSFER: &str = "/api/v1/account/educationPoint/100000";

async fn put(gateway: &TestGateway, path: &str, body: &Value) -> Answer {
    let request = gateway.request(Method::PUT, path);
    answer(request.bearer_auth(gateway.token(100_000)).json(body)).await
}

#[actix_web::test]
async fn points_are_shown_with_their_sums_and_their_multiplier() {
    let gateway = TestGateway::open().await;
    let path = "/api/v1/member/education-point?member_sid=100000";
    assert_snapshot!(shown(&gateway.get(path).await), @r#"
    {
      "memberSid": 100000,
      "educationPoint": 120,
      "earned": 200,
      "moved": 30,
      "spent": 50,
      "today": {
        "earned": 40,
        "cap": 100
      },
      "multiplier": 1.3,
      "level": 4,
      "levelName": "중산층",
      "popup": true
    }
    "#);
}

#[actix_web::test]
async fn a_history_leaves_out_what_it_does_not_know() {
    let gateway = TestGateway::open().await;
    let path = "/api/v1/member/education-point/history/100000?cursor=12&size=3";
    assert_snapshot!(shown(&gateway.get(path).await), @r#"
    {
      "changes": [
        {
          "sid": 9,
          "type": "MOVED",
          "point": -30,
          "reason": "",
          "won": 39000,
          "multiplier": 1.3,
          "time": "2026-11-21T09:03:00+09:00"
        },
        {
          "sid": 7,
          "type": "EARNED",
          "point": 10,
          "reason": "QUIZ",
          "won": null,
          "multiplier": null,
          "time": "2026-11-21T09:03:00+09:00"
        }
      ],
      "nextCursor": "7"
    }
    "#);
    let calls = gateway.scenario.take_calls();
    assert_snapshot!(calls.last().unwrap(), @"list_point_changes ListPointChangesRequest { member_id: 100000, before_id: 12, size: 3 }");
}

#[actix_web::test]
async fn a_transfer_says_what_it_did_and_whether_it_is_a_replay() {
    let gateway = TestGateway::open().await;
    let first = gateway.post(TRANSFER, &json!({"transPoint": 3})).await;
    assert_snapshot!(shown(&first), @r#"
    {
      "transPoint": 3,
      "won": 3900,
      "multiplier": 1.3,
      "level": 4,
      "deposit": 5003900,
      "educationPoint": 117,
      "message": "계좌에 3,900원을 넣었어요"
    }
    "#);
    assert_eq!(first.header("idempotent-replayed"), "");
    let repeated = json!({"transPoint": 3, "reqSid": "seen-before"});
    let again = gateway.post(TRANSFER, &repeated).await;
    assert_eq!(again.header("idempotent-replayed"), "true");
}

#[actix_web::test]
async fn a_failed_transfer_has_the_products_sentence() {
    let gateway = TestGateway::open().await;
    let reused = bootstrap::problem::status(Code::AlreadyExists, "REQ_SID_REUSED", "다른 문장", []);
    gateway.scenario.refuse("move_points", reused);
    let answer = gateway.post(TRANSFER, &json!({"transPoint": 3})).await;
    answer.assert_problem(409, 3017);
    let sentence = "학습포인트 이전에 실패했습니다: 이미 처리된 요청";
    assert_eq!(answer.json()["message"], sentence);
    let sentence = "학습포인트 이전에 실패했습니다: 잔액 부족";
    let facts = [("need", "3".to_owned()), ("have", "2".to_owned())];
    let code = Code::FailedPrecondition;
    let short = bootstrap::problem::status(code, "INSUFFICIENT_POINTS", sentence, facts);
    gateway.scenario.refuse("move_points", short);
    let answer = gateway.post(TRANSFER, &json!({"transPoint": 3})).await;
    answer.assert_problem(422, 3040);
    assert_eq!(answer.json()["message"], sentence);
    assert_eq!(answer.json()["facts"], json!({"need": 3, "have": 2}));
}

#[actix_web::test]
async fn an_amount_has_bounds_that_its_refusal_says() {
    let gateway = TestGateway::open().await;
    gateway.scenario.take_business_calls();
    for amount in [0, -1, i64::MIN, 1_000_000_000_001] {
        let transfer = gateway.post(TRANSFER, &json!({"transPoint": amount})).await;
        transfer.assert_problem(400, 9001);
        let sentence = "1부터 1000000000000까지 보내 주세요";
        assert_eq!(transfer.json()["fields"][0]["message"], sentence);
        let body = json!({"memberSid": 100_000, "cash": amount});
        let exchange = put(&gateway, "/api/v1/auth/change-cash", &body).await;
        exchange.assert_problem(400, 9001);
    }
    for quantity in [0, -1, 101] {
        let body = json!({"memberSid": 100_000, "itemSid": 10, "quantity": quantity});
        let bought = gateway.post("/api/v1/invest/buy-item", &body).await;
        bought.assert_problem(400, 9001);
    }
    assert!(gateway.scenario.take_business_calls().is_empty());
}

#[actix_web::test]
async fn cash_becomes_won() {
    let gateway = TestGateway::open().await;
    let body = json!({"memberSid": 100_000, "cash": 2, "reqSid": "seen-before"});
    let changed = put(&gateway, "/api/v1/auth/change-cash", &body).await;
    assert_snapshot!(shown(&changed), @r#"
    {
      "cash": 8,
      "changedCash": 2,
      "won": 2000,
      "deposit": 5002000,
      "message": "캐시 2개로 2,000원을 넣었어요"
    }
    "#);
    assert_eq!(changed.header("idempotent-replayed"), "true");
}

#[actix_web::test]
async fn the_shop_has_a_catalogue_what_is_owned_and_purchases() {
    let gateway = TestGateway::open().await;
    let path = "/api/v1/invest/buy-item-list?memberSid=100000";
    assert_snapshot!(shown(&gateway.get(path).await), @r#"
    {
      "catalogue": [
        {
          "itemSid": 10,
          "name": "새싹 테두리",
          "category": "COLLECTIBLE",
          "slot": "FRAME",
          "currency": "KRW",
          "price": 100000,
          "effect": "프로필에 새싹 테두리를 둘러요.",
          "image": "frame-sprout",
          "limitPerMember": 1,
          "stock": 100,
          "left": 3,
          "saleFrom": null,
          "saleTo": "2026-11-21T09:03:00+09:00",
          "buyDeposit": null,
          "onSale": true
        }
      ],
      "owned": [
        {
          "itemSid": 10,
          "quantity": 1
        }
      ],
      "purchases": [
        {
          "purchaseSid": 31,
          "itemSid": 10,
          "name": "새싹 테두리",
          "quantity": 1,
          "currency": "KRW",
          "spent": 100000,
          "status": "COMPLETED",
          "time": "2026-11-21T09:03:00+09:00",
          "refundTime": null
        }
      ],
      "nextCursor": null
    }
    "#);
    let body = json!({"memberSid": 100_000, "itemSid": 10, "quantity": 1});
    let bought = gateway.post("/api/v1/invest/buy-item", &body).await;
    assert_snapshot!(shown(&bought), @r#"
    {
      "purchaseSid": 31,
      "itemSid": 10,
      "quantity": 1,
      "spent": 100000,
      "currency": "KRW",
      "owned": 1,
      "deposit": 4900000,
      "cash": 8,
      "message": "새싹 테두리를 샀어요"
    }
    "#);
    let sold_out = bootstrap::problem::status(Code::FailedPrecondition, "SOLD_OUT", "", []);
    gateway.scenario.refuse("buy_item", sold_out);
    let refused = gateway.post("/api/v1/invest/buy-item", &body).await;
    refused.assert_problem(422, 3046);
}
