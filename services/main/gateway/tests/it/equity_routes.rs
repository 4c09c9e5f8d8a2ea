//! Days of accounts: JSON beside the market and a deposit, and what is told without these.

use insta::assert_snapshot;
use serde_json::{Value, json};
use tonic::{Code, Status};

use crate::test_gateway::TestGateway;

const PATH: &str = "/api/v1/invest/equity/member/100000";

fn points() -> Value {
    json!([
        {"date": "2026-11-20", "equity": 5_000_000, "base": 5_000_000, "flow": 0},
        {"date": "2026-11-21", "equity": 5_160_000, "base": 5_100_000, "flow": 100_000}])
}

#[actix_web::test]
async fn days_are_told_beside_the_market_and_a_deposit() {
    let gateway = TestGateway::open().await;
    let body = gateway.get(PATH).await.json();
    assert_eq!(
        body,
        json!({"season": 3, "from": null, "to": "2026-11-21", "points": points(),
            "returnRt": 1.1765, "drawdownRt": 0,
            "benchmarks": [{"code": "0001", "name": "코스피", "returnRt": 1.2625, "points": [
                {"date": "2026-11-19", "value": 4000}, {"date": "2026-11-21", "value": 4050.5}]}],
            "deposit": {"rate": 3.65, "returnRt": 0.01}})
    );
    let path = format!("{PATH}?dateType=THREE_MONTH&acno=000000004301&season=2");
    gateway.scenario.take_calls();
    gateway.get(&path).await.json();
    let mut calls = gateway.scenario.take_business_calls();
    calls.sort();
    assert_snapshot!(calls.join("\n"), @r#"
    get_equity GetEquityRequest { member_id: 100000, window: ThreeMonths, account_no: "000000004301", season: 2 }
    get_product_trend GetProductTrendRequest
    list_index_closes ListIndexClosesRequest { from_day: 20261120, to_day: 20261121 }
    "#);
}

#[actix_web::test]
async fn one_day_is_compared_with_nothing() {
    let gateway = TestGateway::open().await;
    let body = gateway.get(&format!("{PATH}?dateType=DAY")).await.json();
    assert_eq!(body["from"], json!("2026-11-21"));
    assert_eq!(body["points"].as_array().unwrap().len(), 1);
    for absent in ["returnRt", "drawdownRt", "deposit"] {
        assert_eq!(body[absent], json!(null), "{absent}");
    }
    assert_eq!(body["benchmarks"], json!([]));
}

#[actix_web::test]
async fn days_are_told_while_the_market_is_away() {
    let gateway = TestGateway::open().await;
    for rpc in ["list_index_closes", "get_product_trend"] {
        gateway
            .scenario
            .refuse(rpc, Status::new(Code::Internal, "broken"));
    }
    let body = gateway.get(PATH).await.json();
    assert_eq!(body["points"], points());
    assert_eq!(body["benchmarks"], json!([]));
    assert_eq!(body["deposit"], json!(null));
}
