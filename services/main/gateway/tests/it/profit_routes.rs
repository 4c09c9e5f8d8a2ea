//! Profit and loss: JSON, spans, pages, ownership.

use insta::assert_snapshot;
use serde_json::json;
use tonic::Code;

use crate::test_gateway::TestGateway;

const PATH: &str = "/api/v1/invest/ALL/profit-loss-list/100000";

#[actix_web::test]
async fn sums_and_rows_are_exact_to_the_won() {
    let gateway = TestGateway::open().await;
    let body = gateway.get(PATH).await.json();
    assert_eq!(
        body["rows"][0],
        json!({"key": "AAPL", "date": "2026-11-21", "name": "애플", "code": "AAPL",
            "marketCode": "stocks", "currency": "USD", "qty": 2, "buyAvg": 230.5,
            "sellPrc": 231.37, "pnl": 1_001, "rate": 0.15, "pricePart": 2_557, "fxPart": 1_320,
            "income": 0, "cost": 2_876, "paid": 678_000, "orderSid": null, "saleCount": 1})
    );
    let interest = &body["rows"][1];
    for none in [
        "marketCode",
        "currency",
        "qty",
        "buyAvg",
        "sellPrc",
        "rate",
        "orderSid",
    ] {
        assert_eq!(interest[none], json!(null), "{none}");
    }
    assert_eq!(interest["pnl"], 58);
    assert_eq!(
        body["summary"],
        json!({"realized": 3_877, "unrealized": -500, "income": 68, "fee": 1_700, "tax": 510,
            "fx": 678, "total": 557, "rate": 0.06, "thisMonth": 1_001})
    );
    assert_eq!(body["flows"]["items"], -100_000);
    assert_eq!(body["nextCursor"], "20261120-000000004205");
    assert_eq!(
        (&body["totalCount"], &body["season"]),
        (&json!(3), &json!(1))
    );
    assert_eq!(
        (&body["startDate"], &body["endDate"]),
        (&json!(null), &json!("2026-11-21"))
    );
    let calls = gateway.scenario.take_calls();
    assert_snapshot!(calls.last().unwrap(), @r#"list_profits ListProfitsRequest { member_id: 100000, scope: Unspecified, kind: Unspecified, grouping: Unspecified, window: Unspecified, from_day: 0, to_day: 0, account_no: "", instrument_code: "", season: 0, page: 0, size: 0, after_day: 0, after_key: "" }"#);
}

#[actix_web::test]
async fn every_filter_reaches_trading() {
    let gateway = TestGateway::open().await;
    let path = "/api/v1/invest/COIN/profit-loss-list/100000?kind=REALIZED&dateType=THREE_MONTH\
                &groupBy=SALE&startDate=2026-11-01T23:00:00&endDate=20261121&acno=00&code=KRW-BTC\
                &season=1&page=2&pageSize=7&cursor=20261120-0000000000000001234";
    gateway.get(path).await;
    let calls = gateway.scenario.take_calls();
    assert_snapshot!(calls.last().unwrap(), @r#"list_profits ListProfitsRequest { member_id: 100000, scope: Coin, kind: Realized, grouping: Sale, window: ThreeMonths, from_day: 20261101, to_day: 20261121, account_no: "00", instrument_code: "KRW-BTC", season: 1, page: 2, size: 7, after_day: 20261120, after_key: "0000000000000001234" }"#);
    for (word, window) in [
        ("WEEK", "Week"),
        ("WEEKLY", "Week"),
        ("MONTH", "Month"),
        ("FIVE_YEAR", "FiveYears"),
        ("ALL", "Unspecified"),
    ] {
        gateway.get(&format!("{PATH}?dateType={word}")).await;
        let calls = gateway.scenario.take_calls().join("\n");
        assert!(calls.contains(&format!("window: {window},")), "{calls}");
    }
}

#[actix_web::test]
async fn bad_filters_and_lists_of_other_members_are_rejected() {
    let gateway = TestGateway::open().await;
    gateway.get("/api/v1/member/100000").await;
    gateway.scenario.take_business_calls();
    for query in [
        "kind=realized",
        "dateType=DAILY",
        "groupBy=WEEK",
        "startDate=2026-11-31",
        "startDate=2026-11-02&endDate=2026-11-01",
        "page=-1",
        "page=10001",
        "pageSize=0",
        "pageSize=101",
        "season=0",
        "cursor=20261131-A",
        "cursor=20261121",
        "acno=1",
        "code=a%20b",
    ] {
        gateway
            .get(&format!("{PATH}?{query}"))
            .await
            .assert_problem(400, 9001);
    }
    let unknown = PATH.replace("ALL", "BOND");
    gateway.get(&unknown).await.assert_problem(400, 9001);
    let other = PATH.replace("100000", "100001");
    gateway.get(&other).await.assert_problem(403, 2001);
    gateway
        .get_anonymously(PATH)
        .await
        .assert_problem(401, 1205);
    assert!(gateway.scenario.take_business_calls().is_empty());
}

#[actix_web::test]
async fn a_season_that_there_is_not_is_not_found() {
    let gateway = TestGateway::open().await;
    let refusal = bootstrap::problem::status(
        Code::NotFound,
        "SEASON_NOT_FOUND",
        "그런 시즌이 없어요.",
        [],
    );
    gateway.scenario.refuse("list_profits", refusal);
    let answer = gateway.get(&format!("{PATH}?season=2")).await;
    answer.assert_problem(404, 3055);
}
