//! The JSON of a member's own data: record, balances, accounts, order sheet.

use insta::assert_snapshot;

use crate::test_gateway::{TestGateway, shown};

#[actix_web::test]
async fn a_member_reads_their_own_record() {
    let gateway = TestGateway::open().await;
    assert_snapshot!(shown(&gateway.get("/api/v1/member/100000").await), @r#"
    {
      "sid": 100000,
      "email": "kim@example.com",
      "nickname": "김씨앗",
      "gender": null,
      "birthYear": 1999,
      "os": "web",
      "tutorial": false,
      "welcomePopup": false,
      "subscribe": false,
      "competitionMode": true,
      "competitionAccountSid": 44,
      "operator": false,
      "emailVerified": false,
      "insertTime": "2026-11-21T09:03:00+09:00",
      "nicknameChangeableAt": null,
      "frame": null,
      "plate": null,
      "theme": null
    }
    "#);
}

#[actix_web::test]
async fn cash_comes_from_trading() {
    let gateway = TestGateway::open().await;
    let cash = gateway.get("/api/v1/auth/cash?member_sid=100000").await;
    assert_eq!(cash.text, r#"{"memberSid":100000,"cash":30000}"#);
    let asked = "get_balances GetBalancesRequest { member_id: 100000 }";
    let mut calls = gateway.scenario.take_calls();
    calls.retain(|call| call.starts_with("get_balances"));
    assert_eq!(calls, [asked]);
}

#[actix_web::test]
async fn a_summary_has_accounts_totals_and_the_level() {
    let gateway = TestGateway::open().await;
    assert_snapshot!(shown(&gateway.get("/api/v1/invest/account/100000").await), @r#"
    {
      "memberSid": 100000,
      "total": 10003900,
      "base": 10000000,
      "profitRt": 0.04,
      "level": 2,
      "levelName": "빈곤층",
      "levelGauge": 0.02,
      "toNextLevel": 19996100,
      "multiplier": 1.1,
      "dayTraded": -1250,
      "dayTradedUsd": [
        {
          "isuSrtCd": "AAPL",
          "usd": -228.37,
          "won": -335704
        }
      ],
      "accounts": [
        {
          "acno": "000000004200",
          "actTcd": "00",
          "accountType": "BASIC",
          "deposit": 9790000,
          "held": 0,
          "available": 9790000,
          "depositInit": 10000000,
          "depositEducationPoint": 0,
          "buyDeposit": 0,
          "purchasedItems": 0,
          "holdingsValue": 213900,
          "holdingsCost": 210000,
          "actNm": "기본 계좌",
          "transferable": 9790000,
          "total": 10003900,
          "base": 10000000,
          "profitRt": 0.04,
          "isClosed": false
        }
      ]
    }
    "#);
}

#[actix_web::test]
async fn an_order_sheet_gets_its_rules() {
    let gateway = TestGateway::open().await;
    let path = "/api/v1/invest/member/100000/code/005930?acno=00&juPrc=71300.5";
    assert_snapshot!(shown(&gateway.get(path).await), @r#"
    {
      "acno": "000000004200",
      "isuSrtCd": "005930",
      "availableCash": 9790000,
      "maxBuyQty": 137,
      "sellableQty": 3,
      "feeRate": 0.00015,
      "taxRate": 0.002,
      "tickTable": [
        {
          "from": 0,
          "tick": 1
        },
        {
          "from": 50000,
          "tick": 100
        }
      ],
      "limits": {
        "lower": 49000,
        "upper": 91000
      },
      "fxRate": null,
      "session": "OPEN",
      "qtyStep": 1,
      "minAmount": 0,
      "warnCode": "00",
      "tradable": true,
      "trdPrc": 71300,
      "currency": "KRW"
    }
    "#);
    let asked = gateway.scenario.take_calls().join("\n");
    assert!(
        asked.contains("price: Some(Decimal { value: \"71300.5\" })"),
        "{asked}"
    );

    for market in ["", "?juPrc=0", "?juPrc="] {
        let path = format!("/api/v1/invest/member/100000/code/005930{market}");
        assert_eq!(gateway.get(&path).await.status, 200);
        let asked = gateway.scenario.take_calls().join("\n");
        assert!(asked.contains("price: None"), "{asked}");
    }
    for bad in ["-1", "1e3", "abc", "NaN", "1,000"] {
        let path = format!("/api/v1/invest/member/100000/code/005930?juPrc={bad}");
        gateway.get(&path).await.assert_problem(400, 9001);
    }
}

#[actix_web::test]
async fn holdings_have_their_value_and_profit() {
    let gateway = TestGateway::open().await;
    let answer = gateway
        .get("/api/v1/stock/member/100000?acno=000000004200")
        .await;
    assert_snapshot!(shown(&answer), @r#"
    [
      {
        "acno": "000000004200",
        "isuSrtCd": "005930",
        "isuKorNm": "삼성전자",
        "marketCode": "KOSPI",
        "currency": "KRW",
        "juQty": 3,
        "heldQty": 0,
        "juPrc": 70000,
        "totalJuPrc": 210000,
        "trdPrc": 71300,
        "prevDdPrc": 70000,
        "flucRt": 1.86,
        "evalPrc": 213900,
        "profitPrc": 3900,
        "profitRt": 1.86,
        "fxRt": null,
        "warnCode": "02",
        "like": true
      }
    ]
    "#);
    for (path, asked) in [
        (
            "/api/v1/stock/member/100000/code/005930",
            "account_no: \"\", category: Stock, instrument_code: \"005930\"",
        ),
        (
            "/api/v1/coin/member/100000",
            "account_no: \"\", category: Coin, instrument_code: \"\"",
        ),
        (
            "/api/v1/coin/member/100000/code/KRW-BTC?acno=00",
            "account_no: \"00\", category: Coin, instrument_code: \"KRW-BTC\"",
        ),
    ] {
        gateway.scenario.take_calls();
        assert_eq!(gateway.get(path).await.status, 200);
        let calls = gateway.scenario.take_calls().join("\n");
        assert!(calls.contains(asked), "{calls}");
    }
}
