//! Orders: their JSON, and what reaches trading.

use insta::assert_snapshot;
use serde_json::{Value, json};
use tonic::Code;

use crate::test_gateway::{TestGateway, shown};

/// The body of an order, with `changes`.
pub(crate) fn draft(changes: &Value) -> Value {
    let mut draft = json!({
        "acno": "00",
        "isuSrtCd": "005930",
        "isuKorNm": "삼성전자",
        "juPrc": 71_300,
        "juQty": 3,
        "memberSid": 100_000,
        "orderGb": "매수주문",
        "orderCategory": "STOCK",
        "reqSid": "request-0001",
    });
    for (name, value) in changes.as_object().unwrap() {
        draft[name] = value.clone();
    }
    draft
}

#[actix_web::test]
async fn an_order_reply_has_the_order_and_its_fills() {
    let gateway = TestGateway::open().await;
    let draft =
        draft(&json!({"bookPrc": 71_250.5, "riskAck": true, "cash": 1, "status": "FILLED"}));
    let answer = gateway.post("/api/v1/stock/order", &draft).await;
    assert_snapshot!(shown(&answer), @r#"
    {
      "orderSid": 7001,
      "origOrderSid": null,
      "status": "FILLED",
      "filledQty": 1,
      "remainQty": 2,
      "avgPrc": 71250.5,
      "fee": 10,
      "tax": 0,
      "message": "삼성전자 구매 주문 완료",
      "order": {
        "orderSid": 7001,
        "origOrderSid": null,
        "acno": "000000004200",
        "isuSrtCd": "005930",
        "isuKorNm": "삼성전자",
        "marketCode": "KOSPI",
        "currency": "KRW",
        "side": "BUY",
        "orderGb": "매수주문",
        "orderCategory": "STOCK",
        "status": "FILLED",
        "statusName": "체결",
        "juPrc": 71300,
        "juQty": 3,
        "orderAmount": null,
        "filledQty": 1,
        "remainQty": 2,
        "avgPrc": 71250.5,
        "filledAmount": 71251,
        "fee": 10,
        "tax": 0,
        "heldAmount": 142621,
        "endReason": null,
        "waitingForPrice": false,
        "orderTime": "2026-11-21T09:03:00+09:00",
        "expireTime": null
      },
      "fills": [
        {
          "fillSid": 9001,
          "orderSid": 7001,
          "tickSeq": 42,
          "eventTime": "2026-11-21T09:03:00+09:00",
          "tickPrc": 71200,
          "rule": "MARKET_ONE_TICK_WORSE",
          "slippageTicks": 1,
          "slippage": 100,
          "capQty": null,
          "fillQty": 1,
          "fillPrc": 71300,
          "amount": 71300,
          "fee": 10,
          "tax": 0,
          "fxRate": null,
          "appliedFxRate": null,
          "exchangeCost": null,
          "profit": null,
          "bidPrc": null,
          "askPrc": null,
          "modelVersion": "v1"
        }
      ]
    }
    "#);
    assert_eq!(answer.header("idempotent-replayed"), "");
    let calls = gateway.scenario.take_calls();
    assert_snapshot!(calls.last().unwrap(), @r#"place_order PlaceOrderRequest { member_id: 100000, account: Some(AccountRef { account_no: "00" }), request_id: "request-0001", instrument_code: "005930", side: Buy, category: Stock, price: Some(Decimal { value: "71300" }), quantity: Some(Decimal { value: "3" }), seen_price: Some(Decimal { value: "71250.5" }), risk_acknowledged: true, order_amount_won: None }"#);
}

#[actix_web::test]
async fn a_replayed_reply_is_marked() {
    let gateway = TestGateway::open().await;
    let draft = draft(&json!({"reqSid": "seen-before"}));
    let answer = gateway.post("/api/v1/stock/order", &draft).await;
    assert_eq!(answer.header("idempotent-replayed"), "true");
}

#[actix_web::test]
async fn a_lost_reply_is_requested_by_its_idempotency_key() {
    let gateway = TestGateway::open().await;
    let path = "/api/v1/invest/close-request";
    let asked = json!({"memberSid": 100_000, "reqSid": "request-0001"});
    let answer = gateway.post(path, &asked).await;
    assert_eq!(answer.json()["order"]["orderSid"], 7_001);
    assert_eq!(answer.header("idempotent-replayed"), "true");
    let calls = gateway.scenario.take_calls();
    assert_snapshot!(calls.last().unwrap(), @r#"close_request CloseRequestRequest { member_id: 100000, request_id: "request-0001" }"#);
    for wrong in [json!("short"), json!(null), json!(7), json!("with space")] {
        let asked = json!({"memberSid": 100_000, "reqSid": wrong});
        gateway.post(path, &asked).await.assert_problem(400, 9001);
    }
    let other = json!({"memberSid": 100_001, "reqSid": "request-0001"});
    gateway.post(path, &other).await.assert_problem(403, 2001);
    let sentence = "주문이 접수되지 않았어요. 다시 주문해 주세요.";
    let refusal =
        bootstrap::problem::status(Code::FailedPrecondition, "ORDER_NOT_RECEIVED", sentence, []);
    gateway.scenario.refuse("close_request", refusal);
    gateway.post(path, &asked).await.assert_problem(422, 3024);
}

#[actix_web::test]
async fn no_price_and_price_zero_are_market_orders() {
    let gateway = TestGateway::open().await;
    for price in [json!(null), json!(0), json!(-0.0)] {
        let draft = draft(&json!({"juPrc": price, "acno": null, "reqSid": null}));
        assert_eq!(
            gateway.post("/api/v1/stock/order", &draft).await.status,
            200
        );
        let calls = gateway.scenario.take_calls();
        let order = calls.last().unwrap();
        assert!(
            order.contains("price: None, quantity: Some(Decimal { value: \"3\" })"),
            "{order}"
        );
        // Without an idempotency key the gateway generates one.
        assert!(!order.contains("request_id: \"\""), "{order}");
    }
}

#[actix_web::test]
async fn a_market_buy_by_amount_needs_no_quantity() {
    let gateway = TestGateway::open().await;
    let by_amount =
        |changes: &Value| draft(&json!({"juPrc": null, "juQty": null, "orderAmount": changes}));
    for (quantity, sent) in [
        (json!(null), "quantity: None"),
        (json!(7), "quantity: Some(Decimal { value: \"7\" })"),
    ] {
        let mut draft = by_amount(&json!(500_000));
        draft["juQty"] = quantity;
        let answer = gateway.post("/api/v1/stock/order", &draft).await;
        assert_eq!(answer.status, 200);
        let calls = gateway.scenario.take_calls();
        let call = calls.last().unwrap();
        assert!(call.contains(sent), "{call}");
        assert!(call.contains("order_amount_won: Some(500000)"), "{call}");
    }
    for wrong in [
        json!(0),
        json!(-1),
        json!(0.5),
        json!(1e18),
        json!("500000"),
        json!(true),
    ] {
        let answer = gateway
            .post("/api/v1/stock/order", &by_amount(&wrong))
            .await;
        answer.assert_problem(400, 9001);
    }
    let limit_or_sale = [
        json!({"juPrc": 71_300}),
        json!({"juPrc": null, "orderGb": "매도주문"}),
        json!({"juPrc": null, "orderGb": "매수정정", "orderSid": 7_001}),
        json!({"juPrc": null, "orderGb": "매수취소", "orderSid": 7_001}),
    ];
    for mut changes in limit_or_sale {
        changes["orderAmount"] = json!(500_000);
        let answer = gateway.post("/api/v1/stock/order", &draft(&changes)).await;
        answer.assert_problem(400, 9001);
        let field = &answer.json()["fields"][0];
        assert_eq!(field["field"], "orderAmount");
        assert_eq!(field["message"], "금액은 시장가 구매에만 쓸 수 있어요");
    }
    // Without either, the quantity is missing.
    let neither = draft(&json!({"juPrc": null, "juQty": null}));
    let answer = gateway.post("/api/v1/stock/order", &neither).await;
    answer.assert_problem(400, 9001);
    let calls = gateway.scenario.take_calls();
    let reached = calls.iter().find(|call| call.contains("_order "));
    assert_eq!(reached, None);
}

#[actix_web::test]
async fn a_cancellation_names_its_order() {
    let gateway = TestGateway::open().await;
    let cancel = json!({
        "isuSrtCd": "KRW-BTC", "memberSid": 100_000, "orderGb": "매도취소",
        "orderCategory": "COIN", "orderSid": 7_001, "reqSid": "cancel-0001",
    });
    let answer = gateway.post("/api/v1/coin/order", &cancel).await;
    assert_eq!(answer.json()["status"], "CANCELED");
    assert_eq!(answer.json()["order"]["statusName"], "취소");
    let calls = gateway.scenario.take_calls();
    assert_snapshot!(calls.last().unwrap(), @r#"cancel_order CancelOrderRequest { member_id: 100000, request_id: "cancel-0001", order_id: 7001, side: Sell, category: Coin }"#);
}

#[actix_web::test]
async fn a_modification_changes_what_its_type_names() {
    let gateway = TestGateway::open().await;
    let ask = |kind: serde_json::Value, changed: serde_json::Value| {
        json!({
            "isuSrtCd": "04020000", "memberSid": 100_000, "orderGb": kind,
            "orderCategory": "GOLD", "orderSid": 7_001, "reqSid": "modify-0001",
            "orderMoficationType": changed, "juPrc": 190_000, "juQty": 2, "remainQty": 5,
        })
    };
    let answer = gateway
        .post(
            "/api/v1/commodity/order",
            &ask(json!("매수정정"), json!("QTY")),
        )
        .await;
    assert_eq!(answer.json()["status"], "ACCEPTED");
    let calls = gateway.scenario.take_calls();
    let call = calls.last().unwrap();
    assert!(call.starts_with("modify_order"), "{call}");
    // The price was sent too, but the type names only the quantity.
    assert!(
        call.contains("price: None, quantity: Some(Decimal { value: \"2\" })"),
        "{call}"
    );
    let seen = "seen_remaining_quantity: Some(Decimal { value: \"5\" })";
    assert!(call.contains(seen), "{call}");
    for (changed, missing) in [("PRICE", "juPrc"), ("QTY", "juQty"), ("BOTH", "juPrc")] {
        let mut draft = ask(json!("매도정정"), json!(changed));
        draft[missing] = json!(null);
        gateway
            .post("/api/v1/commodity/order", &draft)
            .await
            .assert_problem(400, 9001);
    }
}

#[actix_web::test]
async fn a_history_is_read_by_days_and_cursor() {
    let gateway = TestGateway::open().await;
    let path = "/api/v1/orderHistory/coin/member/100000/CANCELED?startDate=2026-11-20T10:00:00\
                &endDate=2026-11-21&cursor=7002&size=50";
    let answer = gateway.get(path).await;
    assert_eq!(answer.json()["nextCursor"], "7001");
    assert_eq!(answer.json()["orders"][0]["orderSid"], 7_001);
    let calls = gateway.scenario.take_calls();
    let call = calls.last().unwrap();
    for part in [
        "category: Coin, kind: Canceled",
        "placed_from_us: Some(1795100400000000), placed_before_us: Some(1795273200000000)",
        "before_order_id: 7002, size: 50",
    ] {
        assert!(call.contains(part), "{call}");
    }
    for query in [
        "size=0",
        "size=101",
        "cursor=x",
        "startDate=soon",
        "startDate=2026-11-21&endDate=2026-11-20",
    ] {
        let path = format!("/api/v1/orderHistory/stock/member/100000/ALL?{query}");
        gateway.get(&path).await.assert_problem(400, 9001);
    }
    let other = "/api/v1/orderHistory/stock/member/100001/ALL";
    gateway.get(other).await.assert_problem(403, 2001);
}

#[actix_web::test]
async fn a_preview_shows_what_a_fill_would_charge() {
    let gateway = TestGateway::open().await;
    let draft = json!({
        "memberSid": 100_000, "isuSrtCd": "005930", "side": "BUY", "juPrc": null, "juQty": 3,
    });
    let answer = gateway.post("/api/v1/invest/preview", &draft).await;
    assert_eq!(answer.json()["total"], 213_931);
    assert_eq!(answer.json()["hold"], 224_633);
    assert_eq!(answer.json()["costOfSale"], json!(null));
    assert_eq!(answer.json()["appliedFxRate"], json!(null));
    assert_eq!(answer.json()["juQty"], 3);
    let by_amount = |side: &str, price: Value| {
        json!({
            "memberSid": 100_000, "isuSrtCd": "005930", "side": side, "juPrc": price,
            "orderAmount": 500_000,
        })
    };
    gateway.scenario.take_calls();
    let path = "/api/v1/invest/preview";
    let answer = gateway.post(path, &by_amount("BUY", json!(null))).await;
    assert_eq!(answer.status, 200);
    let calls = gateway.scenario.take_calls();
    let sent = "quantity: None, order_amount_won: Some(500000)";
    assert!(calls.last().unwrap().contains(sent), "{calls:?}");
    for wrong in [
        by_amount("SELL", json!(null)),
        by_amount("BUY", json!(71_300)),
    ] {
        gateway.post(path, &wrong).await.assert_problem(400, 9001);
    }
    let neither = json!({"memberSid": 100_000, "isuSrtCd": "005930", "side": "BUY"});
    gateway.post(path, &neither).await.assert_problem(400, 9001);
}

#[actix_web::test]
async fn waiting_orders_are_listed() {
    let gateway = TestGateway::open().await;
    for (path, asked) in [
        (
            "/api/v1/stock/wait/member/100000",
            "account_no: \"\", category: Stock, instrument_code: \"\"",
        ),
        (
            "/api/v1/stock/wait/member/100000/code/005930?acno=00",
            "account_no: \"00\", category: Stock, instrument_code: \"005930\"",
        ),
        (
            "/api/v1/coin/wait/member/100000?acno=000000004200",
            "account_no: \"000000004200\", category: Coin, instrument_code: \"\"",
        ),
        (
            "/api/v1/coin/wait/member/100000/code/KRW-BTC",
            "account_no: \"\", category: Coin, instrument_code: \"KRW-BTC\"",
        ),
    ] {
        gateway.scenario.take_calls();
        let answer = gateway.get(path).await;
        assert_eq!(answer.json()[0]["statusName"], "미체결");
        let calls = gateway.scenario.take_calls().join("\n");
        assert!(calls.contains(asked), "{calls}");
    }
}

#[actix_web::test]
async fn a_receipt_is_the_order_with_its_fills() {
    let gateway = TestGateway::open().await;
    let body = gateway.get("/api/v1/invest/order/7001").await.json();
    assert_eq!(body["order"]["orderSid"], 7_001);
    assert_eq!(body["fills"][0]["rule"], "MARKET_ONE_TICK_WORSE");
    for unknown in ["0", "-1"] {
        let path = format!("/api/v1/invest/order/{unknown}");
        gateway.get(&path).await.assert_problem(404, 3016);
    }
}
