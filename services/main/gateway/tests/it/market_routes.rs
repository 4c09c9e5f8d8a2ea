//! The JSON of public market routes, and their calls of market-data.

use insta::assert_snapshot;

use crate::test_gateway::{TestGateway, shown};

#[actix_web::test]
async fn an_item_has_its_price_and_all_facts_about_the_instrument() {
    let gateway = TestGateway::open().await;
    let answer = gateway
        .get_anonymously("/api/v1/stock/real/code/005930")
        .await;
    assert_snapshot!(shown(&answer), @r#"
    {
      "isuSrtCd": "005930",
      "isuKorNm": "삼성전자",
      "isuEngNm": "SamsungElectronics",
      "marketCode": "KOSPI",
      "exChangeCode": "KRX",
      "currency": "KRW",
      "trdPrc": 71300,
      "prevDdPrc": 70000,
      "flucRt": 1.86,
      "flucPrc": 1300,
      "opnPrc": 70100,
      "hgPrc": 71500,
      "lwPrc": 69900,
      "accVol": 1234567.00012345,
      "bidPrc": 71200,
      "askPrc": null,
      "tickSeq": 42,
      "trdDd": "20261121",
      "trdTm": "090300",
      "session": "OPEN",
      "vi": null,
      "fxRt": null,
      "warnCode": "00",
      "halted": false,
      "tradable": true,
      "like": false,
      "unit": "주",
      "sectorCode": "0013",
      "sectorName": "전기·전자",
      "lowerLimit": 49000,
      "upperLimit": 91000
    }
    "#);
}

#[actix_web::test]
async fn lists_come_in_pages_of_twenty() {
    let gateway = TestGateway::open().await;
    for (path, asked) in [
        (
            "/api/v1/stock/list?marketCode=&sort=rateUp",
            "browse_items BrowseItemsRequest { markets: [Kospi, Kosdaq, Global], sort: RateUp, page: 1 }",
        ),
        (
            "/api/v1/stock/list?marketCode=ETF&page=1",
            "browse_items BrowseItemsRequest { markets: [Etf], sort: TradedValue, page: 1 }",
        ),
        (
            "/api/v1/coin/list?sort=name",
            "browse_items BrowseItemsRequest { markets: [Coin], sort: Name, page: 1 }",
        ),
        (
            "/api/v1/commodity/list",
            "browse_items BrowseItemsRequest { markets: [Gold], sort: TradedValue, page: 1 }",
        ),
    ] {
        let body = gateway.get_anonymously(path).await.json();
        assert_eq!(gateway.scenario.take_calls(), [asked]);
        assert_eq!(body["items"][0]["isuSrtCd"], "005930");
        assert_eq!(body["total"], 21);
        assert_eq!(body["size"], 20);
        assert_eq!(body["hasNext"], true);
    }
    let second = gateway
        .get_anonymously("/api/v1/coin/list?page=2")
        .await
        .json();
    assert_eq!(
        (&second["page"], &second["hasNext"]),
        (&2.into(), &false.into())
    );
}

#[actix_web::test]
async fn popular_lists_skip_items_without_a_price() {
    let gateway = TestGateway::open().await;
    for (path, markets) in [
        ("/api/v1/stock/popular/member/0", "[Kospi, Kosdaq]"),
        ("/api/v1/stock/popular/member/0?acno=ETF", "[Etf]"),
        ("/api/v1/stock/popular/member/0?acno=stocks", "[Global]"),
        ("/api/v1/coin/popular/member/0", "[Coin]"),
    ] {
        let body = gateway.get_anonymously(path).await.json();
        let asked = format!("list_popular ListPopularRequest {{ markets: {markets} }}");
        assert_eq!(gateway.scenario.take_calls(), [asked]);
        assert_eq!(body.as_array().unwrap().len(), 1);
        assert_eq!(body[0]["isuSrtCd"], "KRW-BTC");
        assert_eq!(body[0]["unit"], "개");
    }
}

#[actix_web::test]
async fn a_search_text_is_taken_literally_and_blank_finds_nothing() {
    let gateway = TestGateway::open().await;
    for text in [
        "삼성",
        "%25",
        "_",
        "%5C",
        "'%3B%20DROP",
        "' OR 1=1",
        "ㅅ",
        "%F0%9F%8D%80",
    ] {
        for path in [
            format!(
                "/api/v1/stock/search/get-stock-list?searchTxt={text}&searchType=CS&searchPage=1"
            ),
            format!("/api/v1/coin/search/get-coin-list?searchTxt={text}"),
        ] {
            let answer = gateway.get_anonymously(&path).await;
            assert_eq!(answer.json()[0]["isuSrtCd"], "005930", "{path}");
        }
    }
    gateway.scenario.take_calls();
    for text in ["", "%20%20"] {
        let path = format!("/api/v1/stock/search/get-stock-list?searchTxt={text}");
        assert_eq!(gateway.get_anonymously(&path).await.text, "[]");
    }
    assert!(gateway.scenario.take_calls().is_empty());

    let long = "가".repeat(51);
    let path = format!("/api/v1/coin/search/get-coin-list?searchTxt={long}");
    gateway
        .get_anonymously(&path)
        .await
        .assert_problem(400, 9001);
    gateway
        .get_anonymously("/api/v1/stock/search/get-stock-list?searchTxt=kodex&searchType=ETF")
        .await;
    let asked = gateway.scenario.take_calls();
    assert!(
        asked[0].contains("text: \"kodex\", markets: [Etf], page: 1"),
        "{asked:?}"
    );
}

#[actix_web::test]
async fn a_code_is_found_only_by_routes_of_its_kind() {
    let gateway = TestGateway::open().await;
    for path in [
        "/api/v1/stock/real/code/KRW-BTC",
        "/api/v1/coin/real/code/005930",
        "/api/v1/stock/get-stock-detail-time-tab?isuSrtCd=005930&marketCode=KOSDAQ",
        "/api/v1/stock/get-stock-detail-time-tab?isuSrtCd=005930&marketCode=COIN",
    ] {
        gateway
            .get_anonymously(path)
            .await
            .assert_problem(404, 4001);
    }
}

#[actix_web::test]
async fn a_detail_has_price_and_candles_and_counts_as_opened() {
    let gateway = TestGateway::open().await;
    let path = "/api/v1/stock/get-stock-detail-time-tab?isuSrtCd=005930&marketCode=KOSPI";
    let body = gateway.get(path).await.json();
    assert_eq!(body["item"]["trdPrc"], 71_300);
    assert_eq!(body["candles"][0]["date"], "2026-11-21T09:03:00+09:00");
    let mut calls = gateway.scenario.take_calls();
    calls.retain(|call| call.starts_with("note"));
    assert_eq!(
        calls,
        ["note_item_opened NoteItemOpenedRequest { member_id: 100000, code: \"005930\" }"]
    );

    // The client reads price and chart of stocks and ETFs separately.
    let chart = "/api/v1/global-stock/get-chart-data-type/005930?candleType=YEAR";
    gateway.get(chart).await.json();
    let calls = gateway.scenario.take_calls().join("\n");
    assert!(calls.contains("note_item_opened"), "{calls}");
    gateway.get(&format!("{chart}&to=2026-11-01")).await.json();
    gateway.get_anonymously(chart).await.json();
    let calls = gateway.scenario.take_calls().join("\n");
    assert!(!calls.contains("note_item_opened"), "{calls}");

    let path =
        "/api/v1/coin/get-coin-detail-time-tab?isuSrtCd=KRW-BTC&candleType=YEAR&to=2026-11-21";
    let body = gateway.get_anonymously(path).await.json();
    assert_eq!(body["candles"][0]["date"], "2026-11-21");
    let calls = gateway.scenario.take_calls().join("\n");
    assert!(
        calls.contains("period: Year, before_us: 1795186800000000"),
        "{calls}"
    );
    assert!(!calls.contains("note"), "{calls}");
}

#[actix_web::test]
async fn charts_have_a_time_for_minutes_and_a_day_for_days() {
    let gateway = TestGateway::open().await;
    let chart = |kind: &str| {
        let path = format!("/api/v1/global-stock/get-chart-data-type/AAPL?candleType={kind}");
        let gateway = &gateway;
        async move { gateway.get_anonymously(&path).await }
    };
    assert_snapshot!(shown(&chart("DAY").await), @r#"
    {
      "isuSrtCd": "AAPL",
      "candleType": "DAY",
      "candles": [
        {
          "date": "2026-11-21T09:03:00+09:00",
          "open": 71000,
          "high": 71300,
          "low": 70900,
          "close": 71300.5,
          "volume": 350
        }
      ]
    }
    "#);
    for kind in ["THREE_MONTH", "YEAR", "FIVE_YEAR"] {
        assert_eq!(chart(kind).await.json()["candles"][0]["date"], "2026-11-21");
    }
    for unknown in ["day", "", "MONTH", "DAY'--"] {
        chart(unknown).await.assert_problem(400, 9001);
    }
}

#[actix_web::test]
async fn a_master_record_carries_its_tick_table() {
    let gateway = TestGateway::open().await;
    let answer = gateway
        .get_anonymously("/api/v1/global-stock/stock-master/005930")
        .await;
    assert_snapshot!(shown(&answer), @r#"
    {
      "isuSrtCd": "005930",
      "isuKorNm": "삼성전자",
      "isuEngNm": "SamsungElectronics",
      "marketCode": "KOSPI",
      "exChangeCode": "KRX",
      "isin": "KR7005930003",
      "currency": "KRW",
      "sectorCode": "0013",
      "sectorName": "전기·전자",
      "warnCode": "00",
      "halted": false,
      "administrative": false,
      "tradable": true,
      "listDate": "19750611",
      "listedShares": 5846278000,
      "marketCap": null,
      "leverage": 1,
      "unit": "주",
      "tickTable": [
        {
          "from": 0,
          "tick": 1
        },
        {
          "from": 2000,
          "tick": 5
        },
        {
          "from": 5000,
          "tick": 10
        },
        {
          "from": 20000,
          "tick": 50
        },
        {
          "from": 50000,
          "tick": 100
        },
        {
          "from": 200000,
          "tick": 500
        },
        {
          "from": 500000,
          "tick": 1000
        }
      ]
    }
    "#);
}

#[actix_web::test]
async fn an_outline_has_what_the_company_published() {
    let gateway = TestGateway::open().await;
    let path = "/api/v1/stock/detail/get-stock-company-outline?isuSrtCd=005930";
    assert_snapshot!(shown(&gateway.get_anonymously(path).await), @r#"
    {
      "isuSrtCd": "005930",
      "isuKorNm": "삼성전자",
      "isuEngNm": "",
      "industry": "통신 및 방송 장비 제조업",
      "products": "",
      "representative": "",
      "establishedDate": "19690113",
      "listDate": null,
      "settleMonth": "",
      "homePage": "",
      "address": "",
      "region": "",
      "per": "15.2",
      "pbr": null,
      "eps": null,
      "bps": null,
      "roe": null,
      "listedShares": 5846278000,
      "marketCapEok": 15141861,
      "salesEok": 0,
      "operatingProfitEok": 0
    }
    "#);
}

#[actix_web::test]
async fn exchange_rates_come_with_their_change() {
    let gateway = TestGateway::open().await;
    let answer = gateway
        .get_anonymously("/api/v1/commodity/get-exchange-rate")
        .await;
    assert_snapshot!(shown(&answer), @r#"
    {
      "rates": [
        {
          "curUnit": "USD",
          "curNm": "미국 달러",
          "rate": 1471.47,
          "prevRate": 1470,
          "flucRt": 0.1,
          "asOf": "2026-11-21T09:03:00+09:00"
        }
      ]
    }
    "#);
}
