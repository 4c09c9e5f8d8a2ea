//! Dividends: JSON, pages, ownership.

use insta::assert_snapshot;
use serde_json::json;

use crate::test_gateway::{TestGateway, shown};

const PATH: &str = "/api/v1/invest/dividend/member/100000";

#[actix_web::test]
async fn paid_dividends_are_exact_to_the_won() {
    let gateway = TestGateway::open().await;
    let path = format!("{PATH}?state=PAID&cursor=502&size=1");
    let answer = gateway.get(&path).await;
    assert_snapshot!(shown(&answer), @r#"
    {
      "announced": [],
      "dividends": [
        {
          "dividendSid": 501,
          "acno": "000000004200",
          "isuSrtCd": "AAPL",
          "isuKorNm": "애플",
          "marketCode": "stocks",
          "currency": "USD",
          "status": "PAID",
          "exDay": "2026-11-09",
          "payDay": "2026-11-21",
          "qty": 11,
          "amount": 0.26,
          "gross": 4199,
          "tax": 629,
          "net": 3570,
          "fxRate": 1470,
          "paidTime": "2026-11-21T09:03:00+09:00"
        }
      ],
      "nextCursor": "501"
    }
    "#);
    let calls = gateway.scenario.take_calls();
    assert_snapshot!(calls.last().unwrap(), @"list_dividends ListDividendsRequest { member_id: 100000, before_id: 502, size: 1, state: Paid }");
}

#[actix_web::test]
async fn future_dividends_are_estimates_or_unknown() {
    let gateway = TestGateway::open().await;
    let body = gateway.get(&format!("{PATH}?state=DUE")).await.json();
    let announced = &body["announced"][0];
    assert_eq!(announced["status"], "ANNOUNCED");
    assert_eq!(announced["dividendSid"], json!(null));
    assert_eq!(announced["net"], 3_570);
    let due = &body["dividends"][0];
    assert_eq!(due["status"], "DUE");
    assert_eq!(due["dividendSid"], 501);
    for unknown in ["gross", "tax", "net", "fxRate", "paidTime"] {
        assert_eq!(due[unknown], json!(null), "{unknown}");
    }
    assert_eq!(body["nextCursor"], json!(null));
    let calls = gateway.scenario.take_calls().join("\n");
    assert!(
        calls.contains("before_id: 0, size: 0, state: Due"),
        "{calls}"
    );
    gateway.get(PATH).await;
    let calls = gateway.scenario.take_calls().join("\n");
    assert!(calls.contains("state: Unspecified"), "{calls}");
}

#[actix_web::test]
async fn invalid_cursors_and_lists_of_other_members_are_rejected() {
    let gateway = TestGateway::open().await;
    gateway.get("/api/v1/member/100000").await;
    gateway.scenario.take_business_calls();
    for query in [
        "cursor=x",
        "cursor=0",
        "cursor=-1",
        "cursor=9999999999999999999",
        "size=0",
        "size=101",
        "state=ANNOUNCED",
        "state=paid",
    ] {
        let refused = gateway.get(&format!("{PATH}?{query}")).await;
        refused.assert_problem(400, 9001);
    }
    let other = "/api/v1/invest/dividend/member/100001";
    gateway.get(other).await.assert_problem(403, 2001);
    gateway
        .get_anonymously(PATH)
        .await
        .assert_problem(401, 1205);
    assert!(gateway.scenario.take_business_calls().is_empty());
}
