//! Trends of markets, and gold on the Korean exchange and in the world.

use insta::assert_snapshot;

use crate::test_gateway::{TestGateway, shown};

#[actix_web::test]
async fn a_market_has_an_index_lists_and_sectors() {
    let gateway = TestGateway::open().await;
    let answer = gateway
        .get_anonymously("/api/v1/market-trend/stocks/KOSPI")
        .await;
    let mut trend = answer.json();
    assert_eq!(trend["gainers"][0]["isuSrtCd"], "005930");
    for list in ["gainers", "losers", "volume", "value"] {
        assert!(trend[list].is_array(), "{list}");
        trend[list].take();
    }
    assert_snapshot!(trend.to_string(), @r#"{"asOf":"2026-11-21T09:03:00+09:00","breadth":{"down":1,"flat":1,"up":2},"gainers":null,"index":{"asOf":"2026-11-21T09:03:00+09:00","delayed":false,"diff":18.93,"name":"코스피","rate":0.33,"value":5800.13},"losers":null,"sectors":[{"code":"0013","name":"전기·전자","rate":1.25}],"type":"KOSPI","value":null,"volume":null}"#);
}

#[actix_web::test]
async fn gold_is_compared_with_the_world() {
    let gateway = TestGateway::open().await;
    let trend = gateway
        .get_anonymously("/api/v1/market-trend/stocks/GOLD")
        .await;
    let trend = trend.json();
    assert_eq!(trend["type"], "GOLD");
    assert_eq!(
        trend["gold"].to_string(),
        r#"{"fxRate":1470,"premiumRate":3,"usdPerOz":3970,"wonPerG":193260}"#
    );
    assert_eq!(trend["index"]["delayed"], true);
    assert_eq!(trend["items"][0]["unit"], "g");
    let price = "/api/v1/commodity/get-commodity-price?isuSrtCd=04020000";
    let price = gateway.get_anonymously(price).await.json();
    assert_eq!(price["item"]["marketCode"], "GOLD");
    assert_eq!(
        price["premium"].to_string(),
        r#"{"asOf":"2026-11-21T09:03:00+09:00","domesticPrc":193260,"fxRate":1470,"rate":3,"worldPrc":187628.54,"worldUsdPerOz":3970}"#
    );
}

#[actix_web::test]
async fn products_have_averages_and_movers() {
    let gateway = TestGateway::open().await;
    let answer = gateway
        .get_anonymously("/api/v1/market-trend/products")
        .await;
    let trend = shown(&answer);
    assert!(trend.contains("\"prdtTcd\": \"04\""), "{trend}");
    assert_eq!(answer.json()["movers"][0]["after"].to_string(), "3.55");
}

#[actix_web::test]
async fn the_chart_of_a_commodity_is_a_post() {
    let gateway = TestGateway::open().await;
    let path = "/api/v1/commodity/commodity_chart";
    for target in ["\"2026-11-21\"", "\"20261121\"", "\"\"", "null"] {
        let body = format!(r#"{{"isuSrtCd":"04020000","type":"DAY","targetDate":{target}}}"#);
        let body: serde_json::Value = serde_json::from_str(&body).unwrap();
        let chart = gateway.post(path, &body).await;
        assert_eq!(chart.status, 200, "{target}: {chart:?}");
        assert_eq!(chart.json()["candles"][0]["volume"], 350);
    }
    let bad = serde_json::json!({"isuSrtCd": "04020000", "type": "DAY", "targetDate": "morgen"});
    gateway.post(path, &bad).await.assert_problem(400, 9001);
}

#[actix_web::test]
async fn an_etf_lists_the_largest_members_of_its_index() {
    let gateway = TestGateway::open().await;
    let path = "/api/v1/stock/index-constituents/069500";
    let index = gateway.get_anonymously(path).await.json();
    assert_eq!(index["total"], 119);
    let told: Vec<_> = index["constituents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|member| {
            let code = member["item"]["isuSrtCd"].as_str().unwrap().to_owned();
            (code, member["weight"].to_string())
        })
        .collect();
    let expected = [("005930", "36.65"), ("000660", "12.5")];
    assert_eq!(
        told,
        expected.map(|(code, weight)| (code.to_owned(), weight.to_owned()))
    );
    gateway
        .get_anonymously("/api/v1/stock/index-constituents/no%20code")
        .await
        .assert_problem(400, 9001);
}

#[actix_web::test]
async fn sparklines_of_several_markets_come_in_one_response() {
    let gateway = TestGateway::open().await;
    let path = "/api/v1/market-trend/sparklines";
    let answer = gateway
        .get_anonymously(&format!("{path}?codes=005930,KRW-BTC"))
        .await;
    assert_eq!(
        answer.text,
        r#"[{"isuSrtCd":"005930","prevDdPrc":70000,"prices":[70100,69900.5]},{"isuSrtCd":"KRW-BTC","prevDdPrc":null,"prices":[]}]"#
    );
    assert_eq!(
        gateway.scenario.take_calls(),
        [r#"list_sparklines ListSparklinesRequest { codes: ["005930", "KRW-BTC"] }"#]
    );
    let numbered = |count: usize| {
        let codes: Vec<String> = (0..count).map(|number| number.to_string()).collect();
        format!("?codes={}", codes.join(","))
    };
    let most = gateway
        .get_anonymously(&format!("{path}{}", numbered(100)))
        .await;
    assert_eq!(most.json().as_array().unwrap().len(), 100);
    gateway.scenario.take_calls();
    for bad in [
        String::new(),
        "?codes=".to_owned(),
        "?codes=,".to_owned(),
        "?codes=005930,".to_owned(),
        "?codes=005930,005930".to_owned(),
        "?codes=005930%20,000660".to_owned(),
        "?codes=005930&codes=000660".to_owned(),
        numbered(101),
    ] {
        let refused = gateway.get_anonymously(&format!("{path}{bad}")).await;
        refused.assert_problem(400, 9001);
        assert!(gateway.scenario.take_calls().is_empty(), "{bad}");
    }
}
