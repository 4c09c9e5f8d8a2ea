//! Likes and searches: whose they are, and that nobody's change nothing.

use reqwest::Method;
use serde_json::{Value, json};
use tonic::{Code, Status};

use crate::fakes::{MEMBER, REMEMBERED};
use crate::stage::{Answer, Stage, answer};

async fn send(stage: &Stage, method: Method, path: &str, body: &Value, mine: bool) -> Answer {
    let request = stage.request(method, path).json(body);
    answer(if mine {
        request.bearer_auth(stage.token(MEMBER))
    } else {
        request
    })
    .await
}

fn calls(stage: &Stage) -> Vec<String> {
    let mut calls = stage.script.take_calls();
    calls.retain(|call| !call.starts_with("check_session") && !call.starts_with("get_jwks"));
    calls
}

#[actix_web::test]
async fn a_like_is_set_for_the_caller() {
    let stage = Stage::open().await;
    let like = json!({"memberSid": MEMBER, "targetCode": "005930", "like": true, "type": "STOCK"});
    let set = send(
        &stage,
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
    let made = calls(&stage).join("\n");
    assert!(made.contains(&format!(
        "set_item_like SetItemLikeRequest {{ member_id: {MEMBER}"
    )));
    let like = json!({"memberSid": MEMBER, "targetSid": 28, "like": false});
    let set = send(
        &stage,
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
    assert!(calls(&stage).join("\n").contains("set_product_like"));
}

#[actix_web::test]
async fn nobody_is_answered_and_nothing_changes() {
    let stage = Stage::open().await;
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
            let answer = send(&stage, method.clone(), path, sent, mine).await;
            assert_eq!(answer.status, 200, "{path}: {answer:?}");
            assert_eq!(answer.json(), told, "{path}");
            assert!(calls(&stage).is_empty(), "{path}");
        }
    }
    for path in [
        "/api/v1/stock/member/0/stock-like",
        "/api/v1/coin/member/0/coin-like",
        "/api/v1/commodity/member/0/gold-like",
        "/api/v1/product/member/0/product-like",
    ] {
        assert_eq!(
            stage.get_anonymously(path).await.json(),
            json!([]),
            "{path}"
        );
    }
    let history = stage
        .get_anonymously("/api/v1/search/member/0/type/COIN")
        .await;
    assert_eq!(history.json()["searchTxtList"], json!([]));
    assert!(calls(&stage).is_empty());
}

#[actix_web::test]
async fn every_row_shows_whether_the_caller_likes_it() {
    let stage = Stage::open().await;
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
        let mine = stage.get(path).await;
        assert!(mine.text.contains("\"like\":true"), "{path}: {mine:?}");
        let asked = calls(&stage);
        let asked = asked.iter().filter(|call| call.starts_with("list_likes"));
        assert!(asked.count() <= 1, "{path}");
        if path.contains("100000") {
            continue;
        }
        let nobodys = stage.get_anonymously(path).await;
        assert!(
            !nobodys.text.contains("\"like\":true"),
            "{path}: {nobodys:?}"
        );
        assert!(!calls(&stage).join("\n").contains("list_likes"), "{path}");
    }
    // A heart is not worth an answer.
    stage
        .script
        .refuse("list_likes", Status::internal("broken"));
    let without = stage.get("/api/v1/stock/list").await;
    assert_eq!(without.status, 200);
    assert!(!without.text.contains("\"like\":true"));
}

#[actix_web::test]
async fn likes_that_are_at_hand_come_with_the_price() {
    let stage = Stage::open().await;
    let token = stage.token(REMEMBERED.0);
    for code in [REMEMBERED.1, "000660"] {
        let path = format!("/api/v1/stock/real/code/{code}");
        let request = stage.request(Method::GET, &path).bearer_auth(&token);
        let shown = answer(request).await.json();
        assert_eq!(shown["isuSrtCd"], code);
        assert_eq!(shown["like"], code == REMEMBERED.1);
        assert!(!calls(&stage).join("\n").contains("list_likes"), "{code}");
    }
}

#[actix_web::test]
async fn a_refused_like_keeps_its_reason() {
    let stage = Stage::open().await;
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
        stage.script.refuse("set_item_like", refusal(reason));
        let refused = send(
            &stage,
            Method::PUT,
            "/api/v1/member/stock-like",
            &like,
            true,
        )
        .await;
        refused.must_be_problem(422, code);
        assert_eq!(refused.json()["facts"]["limit"], 500);
    }
    let wrong = json!({"memberSid": MEMBER, "targetSid": 28, "like": true, "type": "STOCK"});
    let refused = send(
        &stage,
        Method::PUT,
        "/api/v1/member/product-like",
        &wrong,
        true,
    )
    .await;
    refused.must_be_problem(400, 9001);
}

#[actix_web::test]
async fn searches_are_the_callers() {
    let stage = Stage::open().await;
    let search = json!({"memberSid": MEMBER, "searchTxt": " 삼성 ", "type": "ETF"});
    let noted = send(&stage, Method::POST, "/api/v1/search/search", &search, true).await;
    assert_eq!(
        noted.json(),
        json!({"memberSid": MEMBER, "type": "ETF", "searchTxtList": ["삼성", "애플"]})
    );
    let listed = stage.get("/api/v1/search/member/100000/type/ETF").await;
    assert_eq!(listed.json()["searchTxtList"], json!(["애플"]));
    let all = json!({"memberSid": MEMBER, "searchTxt": "", "type": "ETF"});
    let none = send(&stage, Method::DELETE, "/api/v1/search/history", &all, true).await;
    assert_eq!(none.json()["searchTxtList"], json!([]));
}
