//! Lists of posts, and writing them.

use insta::assert_snapshot;
use reqwest::Method;
use serde_json::json;
use tonic::Status;

use super::{AUTHOR, GONE, WRITTEN, calls_of, draft, post, url};
use crate::fakes::{MEMBER, OTHER};
use crate::test_gateway::TestGateway;

#[actix_web::test]
async fn a_page_has_names_from_one_call_each() {
    let gateway = TestGateway::open().await;
    let list = url("list?category=STOCK&type=ITEM&code=005930&size=5&cursor=abc&memberSid=100000");
    let page = gateway.get(&list).await.json();
    assert_eq!(
        page,
        json!({"cursor": "Next-1_", "posts": [
            post(52, GONE, "탈퇴한 사용자", None),
            post(51, AUTHOR, "김씨앗", Some("frame-gold")),
        ]})
    );
    let mut calls = gateway.scenario.take_business_calls();
    calls.sort_unstable();
    assert_snapshot!(calls.join("\n"), @r#"
    get_quotes GetQuotesRequest { codes: ["005930", "UNKNOWN"], member_ids: [] }
    list_levels ListLevelsRequest { member_ids: [100002, 100999] }
    list_posts ListPostsRequest { viewer_id: 100000, category: Stock, order: Item, instrument_code: "005930", page: 0, size: 5, cursor: "abc" }
    list_public_profiles ListPublicProfilesRequest { member_ids: [100002, 100999] }
    "#);
}

#[actix_web::test]
async fn a_visitor_reads_what_is_public() {
    let gateway = TestGateway::open().await;
    let mut asked = Vec::new();
    for rest in [
        "list",
        "list?memberSid=0",
        "list?category=&type=&cursor=&code=",
    ] {
        let answer = gateway.get_anonymously(&url(rest)).await;
        assert_eq!(answer.status, 200, "{rest}: {answer:?}");
        asked.extend(calls_of(&gateway, "list_posts"));
    }
    asked.dedup();
    assert_snapshot!(asked.join("\n"), @r#"list_posts ListPostsRequest { viewer_id: 0, category: Unspecified, order: Latest, instrument_code: "", page: 0, size: 20, cursor: "" }"#);
    let top = gateway.get_anonymously(&url("top-3?category=COIN")).await;
    let author = post(51, AUTHOR, "김씨앗", Some("frame-gold"));
    assert_eq!(top.json(), json!({"posts": [author]}));
    let detail = gateway
        .get_anonymously(&url("get-post-detail?sid=51"))
        .await;
    assert_eq!(detail.json(), author);
    let new = gateway.get_anonymously(&url("new-count?after=51")).await;
    assert_eq!(new.json(), json!({"count": 20}));

    let follow = gateway.get_anonymously(&url("list?type=FOLLOW")).await;
    follow.assert_problem(401, 1205);
    let follow = gateway.get(&url("list?type=FOLLOW")).await;
    assert_eq!(follow.status, 200);
    let other = format!("list?memberSid={OTHER}");
    gateway.get(&url(&other)).await.assert_problem(403, 2001);
    let anonymous = gateway.get_anonymously(&url(&other)).await;
    anonymous.assert_problem(401, 1205);
}

#[actix_web::test]
async fn a_list_ends_at_page_100() {
    let gateway = TestGateway::open().await;
    gateway.scenario.take_business_calls();
    for (rest, code) in [
        ("list?page=101", 5004),
        ("list?page=-1", 9001),
        ("list?size=0", 9001),
        ("list?size=21", 9001),
        ("list?type=ITEM", 9001),
        ("list?type=ITEM&code=", 9001),
        ("list?category=GOLD", 9001),
        ("list?memberSid=100000&memberSid=100000", 9001),
        ("list?memberSid=", 9001),
        ("get-post-detail?sid=0", 9001),
        ("new-count", 9001),
    ] {
        gateway.get(&url(rest)).await.assert_problem(400, code);
    }
    assert!(gateway.scenario.take_business_calls().is_empty());
    assert_eq!(gateway.get(&url("list?page=100")).await.status, 200);
}

#[actix_web::test]
async fn a_post_is_written_once_with_what_its_author_holds() {
    let gateway = TestGateway::open().await;
    let written = gateway.post(&url("post"), &draft()).await;
    assert_eq!(written.header("Idempotent-Replayed"), "true");
    let mut expected = post(53, MEMBER, "김씨앗", Some("frame-gold"));
    expected["content"] = json!("오늘은 쉬어요");
    expected["tags"] = json!([
        {"code": "005930", "name": "삼성전자", "isHeld": true},
        {"code": "KRW-BTC", "name": "비트코인", "isHeld": false},
    ]);
    assert_eq!(written.json(), expected);
    let calls = calls_of(&gateway, "create_post");
    assert_snapshot!(calls[0], @r#"create_post CreatePostRequest { member_id: 100000, request_id: "seen-before", category: Stock, content: "오늘은 쉬어요", images: [], tags: [InstrumentTag { code: "005930", is_held: true }, InstrumentTag { code: "KRW-BTC", is_held: false }], image_alts: [] }"#);

    let mut fresh = draft();
    fresh["reqSid"] = json!(null);
    fresh["tags"] = json!(null);
    fresh["contentImg"] = json!("/files/a/1920, /files/b/1920");
    let written = gateway.post(&url("post"), &fresh).await;
    assert_eq!(written.header("Idempotent-Replayed"), "");
    assert_eq!(written.json()["contentImg"], "/files/a/1920,/files/b/1920");
    let calls = gateway.scenario.take_business_calls();
    let mut rpcs: Vec<&str> = calls
        .iter()
        .filter_map(|call| call.split(' ').next())
        .collect();
    // The last two are called at once.
    rpcs.sort_unstable();
    assert_eq!(rpcs, ["create_post", "list_levels", "list_public_profiles"]);
}

#[actix_web::test]
async fn a_changed_post_has_the_date_of_its_change() {
    let gateway = TestGateway::open().await;
    let mut change = draft();
    change["sid"] = json!(51);
    change["tags"] = json!([]);
    let changed = gateway.send(Method::PUT, &url("post"), &change).await;
    let changed = changed.json();
    assert_eq!(
        (&changed["modDate"], &changed["regDate"], &changed["tags"]),
        (&json!("2026-11-21T00:04:00Z"), &json!(WRITTEN), &json!([]))
    );
    let calls = calls_of(&gateway, "update_post");
    assert_snapshot!(calls[0], @r#"update_post UpdatePostRequest { member_id: 100000, post_id: 51, category: Stock, content: "오늘은 쉬어요", images: [], tags: [], still_shown_codes: [], image_alts: [], keeps_images: false }"#);
}

#[actix_web::test]
async fn a_change_without_images_keeps_them() {
    let gateway = TestGateway::open().await;
    let mut post = draft();
    post["sid"] = json!(51);
    let comment = json!({"commentSid": 61, "content": "저도 그래요"});
    for (path, rpc, mut change) in [
        ("post", "update_post", post),
        ("comment", "update_comment", comment),
    ] {
        for (images, expected) in [
            (None, "images: [], keeps_images: true"),
            (Some(json!(null)), "images: [], keeps_images: true"),
            (Some(json!("")), "images: [], keeps_images: false"),
            (
                Some(json!("/files/a/1920")),
                "images: [\"a\"], keeps_images: false",
            ),
        ] {
            let body = change.as_object_mut().unwrap();
            body.remove("contentImg");
            body.extend(images.map(|images| ("contentImg".to_owned(), images)));
            let changed = gateway.send(Method::PUT, &url(path), &change).await;
            assert!(changed.status.is_success(), "{changed:?}");
            let calls = calls_of(&gateway, rpc);
            for part in expected.split(", ") {
                assert!(calls[0].contains(part), "{calls:?}");
            }
        }
        change["imageAlts"] = json!(["차트"]);
        change["contentImg"] = json!(null);
        let refused = gateway.send(Method::PUT, &url(path), &change).await;
        refused.assert_problem(400, 9001);
        assert_eq!(refused.json()["fields"][0]["field"], "contentImg");
        assert_eq!(calls_of(&gateway, rpc), Vec::<String>::new());
    }
}

#[actix_web::test]
async fn a_tag_is_an_instrument() {
    let gateway = TestGateway::open().await;
    for (tags, status, code) in [
        (json!([{"code": "UNKNOWN"}]), 422, 5013),
        (json!([{"code": "005930"}, {"code": "UNKNOWN"}]), 422, 5013),
        (json!(vec![json!({"code": "005930"}); 6]), 400, 9001),
        (json!([{"code": "삼성전자"}]), 400, 9001),
        (json!([{}]), 400, 9001),
        (json!([{"code": "005930", "isHeld": 1}]), 400, 9001),
        (json!(["005930"]), 400, 9001),
    ] {
        let mut odd = draft();
        odd["tags"] = tags;
        let refused = gateway.post(&url("post"), &odd).await;
        refused.assert_problem(status, code);
        odd["sid"] = json!(51);
        let refused = gateway.send(Method::PUT, &url("post"), &odd).await;
        refused.assert_problem(status, code);
        assert_eq!(calls_of(&gateway, "create_post"), Vec::<String>::new());
        assert_eq!(calls_of(&gateway, "update_post"), Vec::<String>::new());
    }
    let away = Status::unavailable("gone");
    gateway.scenario.refuse("get_quotes", away);
    let refused = gateway.post(&url("post"), &draft()).await;
    refused.assert_problem(503, 9007);
    assert!(calls_of(&gateway, "create_post").is_empty());
}
