//! Likes and searches of the caller; without a member nothing changes.

use reqwest::Method;
use serde_json::{Value, json};
use tonic::{Code, Status};

use crate::fakes::{MEMBER, REMEMBERED};
use crate::test_gateway::{Answer, TestGateway, answer};

async fn send(
    gateway: &TestGateway,
    method: Method,
    path: &str,
    body: &Value,
    mine: bool,
) -> Answer {
    let request = gateway.request(method, path).json(body);
    answer(if mine {
        request.bearer_auth(gateway.token(MEMBER))
    } else {
        request
    })
    .await
}

fn calls(gateway: &TestGateway) -> Vec<String> {
    let mut calls = gateway.scenario.take_calls();
    calls.retain(|call| !call.starts_with("check_session") && !call.starts_with("get_jwks"));
    calls
}

#[actix_web::test]
async fn a_like_is_set_for_the_caller() {
    let gateway = TestGateway::open().await;
    let like = json!({"memberSid": MEMBER, "targetCode": "005930", "like": true, "type": "STOCK"});
    let set = send(
        &gateway,
        Method::PUT,
        "/api/v1/member/stock-like",
        &like,
        true,
    )
    .await;
    assert_eq!(
        set.json(),
        json!({"targetCode": "005930", "type": "STOCK", "like": true})
    );
    let made = calls(&gateway).join("\n");
    assert!(made.contains(&format!(
        "set_item_like SetItemLikeRequest {{ member_id: {MEMBER}"
    )));
    let like = json!({"memberSid": MEMBER, "targetSid": 28, "like": false});
    let set = send(
        &gateway,
        Method::PUT,
        "/api/v1/member/product-like",
        &like,
        true,
    )
    .await;
    assert_eq!(
        set.json(),
        json!({"targetSid": 28, "type": "PRODUCT", "like": false})
    );
    assert!(calls(&gateway).join("\n").contains("set_product_like"));
}

#[actix_web::test]
async fn requests_without_a_member_change_nothing() {
    let gateway = TestGateway::open().await;
    for (method, path, body, told) in [
        (
            Method::PUT,
            "/api/v1/member/stock-like",
            json!({"targetCode": "005930", "like": true, "type": "STOCK"}),
            json!({"targetCode": "005930", "type": "STOCK", "like": false}),
        ),
        (
            Method::PUT,
            "/api/v1/member/product-like",
            json!({"targetSid": 28, "like": true, "type": "PRODUCT"}),
            json!({"targetSid": 28, "type": "PRODUCT", "like": false}),
        ),
        (
            Method::POST,
            "/api/v1/search/search",
            json!({"searchTxt": "삼성", "type": "STOCK"}),
            json!({"memberSid": 0, "type": "STOCK", "searchTxtList": []}),
        ),
        (
            Method::DELETE,
            "/api/v1/search/history",
            json!({"searchTxt": "", "type": "STOCK"}),
            json!({"memberSid": 0, "type": "STOCK", "searchTxtList": []}),
        ),
    ] {
        let mut as_zero = body.clone();
        as_zero["memberSid"] = json!(0);
        for (sent, mine) in [
            (&body, false),
            (&as_zero, false),
            (&body, true),
            (&as_zero, true),
        ] {
            let answer = send(&gateway, method.clone(), path, sent, mine).await;
            assert_eq!(answer.status, 200, "{path}: {answer:?}");
            assert_eq!(answer.json(), told, "{path}");
            assert!(calls(&gateway).is_empty(), "{path}");
        }
    }
    for path in [
        "/api/v1/stock/member/0/stock-like",
        "/api/v1/coin/member/0/coin-like",
        "/api/v1/commodity/member/0/gold-like",
        "/api/v1/product/member/0/product-like",
    ] {
        assert_eq!(
            gateway.get_anonymously(path).await.json(),
            json!([]),
            "{path}"
        );
    }
    let history = gateway
        .get_anonymously("/api/v1/search/member/0/type/COIN")
        .await;
    assert_eq!(history.json()["searchTxtList"], json!([]));
    assert!(calls(&gateway).is_empty());
}

#[actix_web::test]
async fn every_row_shows_whether_the_caller_likes_it() {
    let gateway = TestGateway::open().await;
    for path in [
        "/api/v1/stock/list",
        "/api/v1/stock/popular/member/0",
        "/api/v1/stock/search/get-stock-list?searchTxt=a",
        "/api/v1/stock/real/code/005930",
        "/api/v1/stock/get-stock-detail-time-tab?isuSrtCd=005930",
        "/api/v1/stock/member/100000/stock-like",
        "/api/v1/market-trend/stocks/KOSPI",
        "/api/v1/product/product",
        "/api/v1/product/28",
        "/api/v1/product/search/get-product-list?searchTxt=a",
        "/api/v1/product/member/100000/product-like",
        "/api/v1/market-trend/products",
    ] {
        let mine = gateway.get(path).await;
        assert!(mine.text.contains("\"like\":true"), "{path}: {mine:?}");
        let asked = calls(&gateway);
        let asked = asked.iter().filter(|call| call.starts_with("list_likes"));
        assert!(asked.count() <= 1, "{path}");
        if path.contains("100000") {
            continue;
        }
        let nobodys = gateway.get_anonymously(path).await;
        assert!(
            !nobodys.text.contains("\"like\":true"),
            "{path}: {nobodys:?}"
        );
        assert!(!calls(&gateway).join("\n").contains("list_likes"), "{path}");
    }
    // A response does not fail for want of likes.
    gateway
        .scenario
        .refuse("list_likes", Status::internal("broken"));
    let without = gateway.get("/api/v1/stock/list").await;
    assert_eq!(without.status, 200);
    assert!(!without.text.contains("\"like\":true"));
}

#[actix_web::test]
async fn likes_known_to_market_data_come_with_the_quote() {
    let gateway = TestGateway::open().await;
    let token = gateway.token(REMEMBERED.0);
    for code in [REMEMBERED.1, "000660"] {
        let path = format!("/api/v1/stock/real/code/{code}");
        let request = gateway.request(Method::GET, &path).bearer_auth(&token);
        let shown = answer(request).await.json();
        assert_eq!(shown["isuSrtCd"], code);
        assert_eq!(shown["like"], code == REMEMBERED.1);
        assert!(!calls(&gateway).join("\n").contains("list_likes"), "{code}");
    }
}

#[actix_web::test]
async fn a_rejected_like_keeps_its_reason() {
    let gateway = TestGateway::open().await;
    let refusal = |reason: &str| {
        bootstrap::problem::status(
            Code::FailedPrecondition,
            reason,
            "안 돼요.",
            [("limit", "500".to_owned())],
        )
    };
    let like = json!({"memberSid": MEMBER, "targetCode": "005930", "like": true, "type": "ETF"});
    for (reason, code) in [("ITEM_KIND_MISMATCH", 4005), ("TOO_MANY_LIKES", 4006)] {
        gateway.scenario.refuse("set_item_like", refusal(reason));
        let refused = send(
            &gateway,
            Method::PUT,
            "/api/v1/member/stock-like",
            &like,
            true,
        )
        .await;
        refused.assert_problem(422, code);
        assert_eq!(refused.json()["facts"]["limit"], 500);
    }
    let wrong = json!({"memberSid": MEMBER, "targetSid": 28, "like": true, "type": "STOCK"});
    let refused = send(
        &gateway,
        Method::PUT,
        "/api/v1/member/product-like",
        &wrong,
        true,
    )
    .await;
    refused.assert_problem(400, 9001);
}

#[actix_web::test]
async fn searches_belong_to_the_caller() {
    let gateway = TestGateway::open().await;
    let search = json!({"memberSid": MEMBER, "searchTxt": " 삼성 ", "type": "ETF"});
    let noted = send(
        &gateway,
        Method::POST,
        "/api/v1/search/search",
        &search,
        true,
    )
    .await;
    assert_eq!(
        noted.json(),
        json!({"memberSid": MEMBER, "type": "ETF", "searchTxtList": ["삼성", "애플"]})
    );
    let listed = gateway.get("/api/v1/search/member/100000/type/ETF").await;
    assert_eq!(listed.json()["searchTxtList"], json!(["애플"]));
    let all = json!({"memberSid": MEMBER, "searchTxt": "", "type": "ETF"});
    let none = send(
        &gateway,
        Method::DELETE,
        "/api/v1/search/history",
        &all,
        true,
    )
    .await;
    assert_eq!(none.json()["searchTxtList"], json!([]));
}
