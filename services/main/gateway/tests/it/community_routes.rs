//! The community: deletes, likes, refusals and outages; JSON and names are below.

mod comments;
mod moderation;
mod people;
mod posts;

use reqwest::Method;
use serde_json::{Value, json};
use tonic::{Code, Status};

use crate::fakes::MEMBER;
use crate::test_gateway::{TestGateway, answer};

const COMMUNITY: &str = "/api/v1/community";
const AUTHOR: i64 = 100_002;
const GONE: i64 = 100_999;
/// A post and a comment whose author left for good.
const OF_NOBODY: i64 = 59;
const WRITTEN: &str = "2026-11-21T00:03:00Z";

fn url(rest: &str) -> String {
    format!("{COMMUNITY}/{rest}")
}

/// The calls of `rpc` since the last take.
fn calls_of(gateway: &TestGateway, rpc: &str) -> Vec<String> {
    let mut calls = gateway.scenario.take_business_calls();
    calls.retain(|call| call.starts_with(rpc));
    calls
}

fn post(sid: i64, writer: i64, nickname: &str, frame: Option<&str>) -> Value {
    json!({
        "sid": sid, "writerId": writer, "nickname": nickname, "level": 3, "assetTotal": 30_000_000,
        "frame": frame, "plate": null, "isOperator": false, "category": "STOCK",
        "content": "반도체는 어떻게 보세요?", "contentImg": "", "images": [],
        "tags": [{"code": "005930", "name": "삼성전자", "isHeld": true},
            {"code": "UNKNOWN", "name": "UNKNOWN", "isHeld": false}],
        "regDate": WRITTEN, "modDate": null, "isLike": true, "likeCount": 2, "isComment": true,
        "commentCount": 3, "isMine": writer == MEMBER, "isMuted": false, "status": "PUBLISHED",
    })
}

fn draft() -> Value {
    json!({
        "memberSid": MEMBER, "category": "STOCK", "content": "오늘은 쉬어요", "contentImg": "",
        "tags": [{"code": "005930", "isHeld": true}, {"code": "KRW-BTC", "isHeld": true}],
        "reqSid": "seen-before",
    })
}

#[actix_web::test]
async fn a_post_is_written_while_trading_and_auth_are_away() {
    let gateway = TestGateway::open().await;
    for rpc in ["list_holdings", "list_public_profiles", "list_levels"] {
        gateway.scenario.refuse(rpc, Status::unavailable("gone"));
    }
    let written = gateway.post(&url("post"), &draft()).await.json();
    assert_eq!(written["tags"][0]["isHeld"], false);
    assert_eq!(
        (&written["nickname"], &written["sid"]),
        (&json!(""), &json!(53))
    );
    let comment = json!({"boardSid": 51, "memberSid": MEMBER, "content": "저도요"});
    let written = gateway.post(&url("comment"), &comment).await.json();
    assert_eq!(
        (&written["userNickName"], &written["sid"]),
        (&json!(""), &json!(62))
    );
    // A list has no place for members without names.
    gateway.get(&url("list")).await.assert_problem(503, 9007);
}

#[actix_web::test]
async fn posts_show_codes_while_market_data_is_away() {
    let gateway = TestGateway::open().await;
    gateway
        .scenario
        .refuse("get_quotes", Status::unavailable("gone"));
    let page = gateway.get(&url("top-3")).await.json();
    assert_eq!(
        page["posts"][0]["tags"][0],
        json!({"code": "005930", "name": "005930", "isHeld": true})
    );
}

#[actix_web::test]
async fn ids_of_deletes_are_in_the_query_or_the_body() {
    let gateway = TestGateway::open().await;
    for (path, name, gone) in [
        (
            "delete-post",
            "sid",
            "delete_post DeletePostRequest { member_id: 100000, post_id: 51 }",
        ),
        (
            "comment",
            "commentSid",
            "delete_comment DeleteCommentRequest { member_id: 100000, comment_id: 51 }",
        ),
    ] {
        for (query, body, status) in [
            (Some(51), None, 200),
            (None, Some(51), 200),
            (Some(51), Some(51), 200),
            (Some(51), Some(52), 400),
            (None, None, 400),
        ] {
            let query = query.map(|sid: i64| format!("?{name}={sid}"));
            let path = url(&format!("{path}{}", query.unwrap_or_default()));
            let token = gateway.token(MEMBER);
            let mut request = gateway.request(Method::DELETE, &path).bearer_auth(token);
            if let Some(sid) = body {
                request = request.json(&json!({name: sid}));
            }
            let answer = answer(request).await;
            let calls = gateway.scenario.take_business_calls();
            assert_eq!(answer.status, status, "{path}: {answer:?}");
            if status == 200 {
                assert_eq!(answer.json(), json!({name: 51}));
                assert_eq!(calls, [gone]);
            } else {
                answer.assert_problem(400, 9001);
                assert!(calls.is_empty(), "{calls:?}");
            }
        }
    }
}

#[actix_web::test]
async fn a_like_is_set_and_unset_by_the_token_alone() {
    let gateway = TestGateway::open().await;
    let nothing = json!({});
    for (rest, is_like) in [
        ("like-up?sid=51&userName=nobody", true),
        ("like-up?postSid=51", true),
        ("like-down?sid=51&postSid=51", false),
    ] {
        let liked = gateway.send(Method::PUT, &url(rest), &nothing).await;
        let expected = json!({"sid": 51, "isLike": is_like, "likeCount": 3});
        assert_eq!(liked.json(), expected, "{rest}");
        let calls = gateway.scenario.take_business_calls();
        let call = format!(
            "like_post LikePostRequest {{ member_id: 100000, post_id: 51, liked: {is_like} }}"
        );
        assert_eq!(calls, [call]);
    }
    for rest in ["like-up", "like-up?sid=51&postSid=52", "like-up?sid=x"] {
        let refused = gateway.send(Method::PUT, &url(rest), &nothing).await;
        refused.assert_problem(400, 9001);
    }
    for (direction, is_like) in [("up", true), ("down", false)] {
        let rest = format!(
            "comment-like-{direction}?commentSid=61&memberSid=100000&memberName=x&bdSid=51"
        );
        let liked = gateway.post(&url(&rest), &nothing).await;
        let expected = json!({"commentSid": 61, "isLike": is_like, "likeCount": 1});
        assert_eq!(liked.json(), expected);
    }
    let rest = "comment-like-up?commentSid=61&memberSid=100001";
    let refused = gateway.post(&url(rest), &nothing).await;
    refused.assert_problem(403, 2001);
}

#[actix_web::test]
async fn refusals_keep_their_status() {
    let gateway = TestGateway::open().await;
    for (reason, code, status, number) in [
        ("TEXT_LENGTH", Code::FailedPrecondition, 422, 5006),
        ("FIRST_DAY_LIMIT", Code::FailedPrecondition, 422, 5008),
        ("LINK_NOT_ALLOWED", Code::FailedPrecondition, 422, 5009),
        ("CONTACT_DETAILS", Code::FailedPrecondition, 422, 5010),
        ("SOLICITATION", Code::FailedPrecondition, 422, 5011),
        ("REPEATED_TEXT", Code::FailedPrecondition, 422, 5012),
        ("TAG_UNKNOWN", Code::FailedPrecondition, 422, 5013),
        ("IMAGE_UNKNOWN", Code::FailedPrecondition, 422, 5014),
        ("TOO_MANY_IMAGES", Code::FailedPrecondition, 422, 5040),
        ("CATEGORY_NOT_ALLOWED", Code::PermissionDenied, 403, 5015),
        ("REQ_SID_REUSED", Code::AlreadyExists, 409, 3017),
    ] {
        let refusal = bootstrap::problem::status(code, reason, "안 돼요.", []);
        gateway.scenario.refuse("create_post", refusal);
        let refused = gateway.post(&url("post"), &draft()).await;
        refused.assert_problem(status, number);
    }
    for (reason, code, status, number) in [
        ("POST_NOT_FOUND", Code::NotFound, 404, 5001),
        ("POST_DELETED", Code::NotFound, 404, 5002),
    ] {
        let refusal = bootstrap::problem::status(code, reason, "", []);
        gateway.scenario.refuse("get_post", refusal);
        let refused = gateway.get(&url("get-post-detail?sid=51")).await;
        refused.assert_problem(status, number);
    }
    let refusal = bootstrap::problem::status(Code::NotFound, "COMMENT_NOT_FOUND", "", []);
    gateway.scenario.refuse("get_comment", refusal);
    let refused = gateway.get(&url("comment-detail?commentSid=61")).await;
    refused.assert_problem(404, 5003);
    let refusal = bootstrap::problem::status(Code::InvalidArgument, "CURSOR_UNKNOWN", "", []);
    gateway.scenario.refuse("list_posts", refusal);
    let refused = gateway.get(&url("list?cursor=abc")).await;
    refused.assert_problem(400, 5005);
}

#[actix_web::test]
async fn who_writes_too_often_is_told_how_long_to_wait() {
    let gateway = TestGateway::open().await;
    let facts = [("retryAfter", "42".to_owned())];
    let refusal = bootstrap::problem::status(Code::ResourceExhausted, "WRITING_RATE", "", facts);
    gateway.scenario.refuse("create_comment", refusal);
    let body = json!({"boardSid": 51, "memberSid": MEMBER, "content": "저도요"});
    let refused = gateway.post(&url("comment"), &body).await;
    refused.assert_problem(429, 5007);
    assert_eq!(refused.header("retry-after"), "42");
    assert_eq!(refused.json()["facts"], json!({"retryAfter": 42}));
}

#[actix_web::test]
async fn while_community_is_away_reads_are_retried_and_texts_are_not() {
    let gateway = TestGateway::open().await;
    for (rpc, attempts) in [("list_posts", 2), ("create_post", 1), ("like_post", 2)] {
        gateway.scenario.refuse(rpc, Status::unavailable("gone"));
        let refused = match rpc {
            "list_posts" => gateway.get(&url("list")).await,
            "create_post" => gateway.post(&url("post"), &draft()).await,
            _ => {
                let path = url("like-up?sid=51");
                gateway.send(Method::PUT, &path, &json!({})).await
            }
        };
        refused.assert_problem(503, 9007);
        assert_eq!(calls_of(&gateway, rpc).len(), attempts, "{rpc}");
    }
    // Everything else goes on.
    assert_eq!(gateway.get("/api/v1/member/100000").await.status, 200);
}
