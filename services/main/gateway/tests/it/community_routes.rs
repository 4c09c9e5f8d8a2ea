//! The community: JSON, names, what is covered, repeats, refusals and outages.

use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};
use tonic::{Code, Status};

use crate::fakes::{MEMBER, OTHER};
use crate::test_gateway::{TestGateway, answer};

const COMMUNITY: &str = "/api/v1/community";
const AUTHOR: i64 = 100_002;
const GONE: i64 = 100_999;
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
        "sid": sid, "writerId": writer, "nickname": nickname, "level": null, "assetTotal": null,
        "frame": frame, "plate": null, "isOperator": false, "category": "STOCK",
        "content": "반도체는 어떻게 보세요?", "contentImg": "",
        "tags": [{"code": "005930", "name": "삼성전자", "isHeld": true},
            {"code": "UNKNOWN", "name": "UNKNOWN", "isHeld": false}],
        "regDate": WRITTEN, "modDate": null, "isLike": true, "likeCount": 2, "isComment": true,
        "commentCount": 3, "isMine": writer == MEMBER, "status": "PUBLISHED",
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
async fn a_page_has_names_from_one_call_each() {
    let gateway = TestGateway::open().await;
    let list = url("list?category=STOCK&type=ITEM&code=005930&size=5&cursor=abc&memberSid=100000");
    let page = gateway.get(&list).await.json();
    assert_eq!(
        page,
        json!({"cursor": "Next-1_", "posts": [
            post(52, GONE, "알 수 없음", None),
            post(51, AUTHOR, "김씨앗", Some("frame-gold")),
        ]})
    );
    let mut calls = gateway.scenario.take_business_calls();
    calls.sort_unstable();
    assert_snapshot!(calls.join("\n"), @r#"
    get_quotes GetQuotesRequest { codes: ["005930", "UNKNOWN"], member_ids: [] }
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
    assert_snapshot!(calls[0], @r#"create_post CreatePostRequest { member_id: 100000, request_id: "seen-before", category: Stock, content: "오늘은 쉬어요", images: [], tags: [InstrumentTag { code: "005930", is_held: true }, InstrumentTag { code: "KRW-BTC", is_held: false }] }"#);

    let mut fresh = draft();
    fresh["reqSid"] = json!(null);
    fresh["tags"] = json!(null);
    fresh["contentImg"] = json!("/files/a, /files/b");
    let written = gateway.post(&url("post"), &fresh).await;
    assert_eq!(written.header("Idempotent-Replayed"), "");
    assert_eq!(written.json()["contentImg"], "/files/a,/files/b");
    let calls = gateway.scenario.take_business_calls();
    let rpcs: Vec<&str> = calls
        .iter()
        .filter_map(|call| call.split(' ').next())
        .collect();
    assert_eq!(rpcs, ["create_post", "list_public_profiles"]);
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
    assert_snapshot!(calls[0], @r#"update_post UpdatePostRequest { member_id: 100000, post_id: 51, category: Stock, content: "오늘은 쉬어요", images: [], tags: [] }"#);
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

#[actix_web::test]
async fn a_post_is_written_while_trading_and_auth_are_away() {
    let gateway = TestGateway::open().await;
    for rpc in ["list_holdings", "list_public_profiles"] {
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
async fn comments_that_are_covered_keep_their_replies() {
    let gateway = TestGateway::open().await;
    let page = gateway
        .get(&url("comment?boardSid=51&memberSid=100000"))
        .await
        .json();
    let reply = |parent: i64| {
        json!({
            "sid": 71, "commentSid": 71, "boardSid": 51, "bdSid": 51, "parentSid": parent,
            "userSid": AUTHOR, "userNickName": "김씨앗", "level": null, "assetTotal": null,
            "frame": "frame-gold", "plate": null, "isOperator": false, "content": "고마워요",
            "contentImg": "", "regDate": WRITTEN, "modDate": null, "isLike": false,
            "likeCount": 1, "tagUserSid": 23_488, "tagUserNickName": "운영자", "answerCount": 0,
            "answers": [], "isMine": false, "isDeleted": false, "isBlocked": false,
            "status": "PUBLISHED",
        })
    };
    let own = json!({
        "sid": 61, "commentSid": 61, "boardSid": 51, "bdSid": 51, "parentSid": null,
        "userSid": MEMBER, "userNickName": "김씨앗", "level": null, "assetTotal": null,
        "frame": "frame-gold", "plate": null, "isOperator": false,
        "content": "저는 기다려 보려고요", "contentImg": "", "regDate": WRITTEN, "modDate": null,
        "isLike": false, "likeCount": 1, "tagUserSid": null, "tagUserNickName": null,
        "answerCount": 5, "answers": [reply(61)], "isMine": true, "isDeleted": false,
        "isBlocked": false, "status": "PUBLISHED",
    });
    let covered = |sid: i64, content: &str, is_deleted: bool| {
        let mut comment = own.clone();
        for (name, value) in [
            ("sid", json!(sid)),
            ("commentSid", json!(sid)),
            ("userSid", json!(0)),
            ("userNickName", json!("")),
            ("frame", json!(null)),
            ("content", json!(content)),
            ("answers", json!([reply(sid)])),
            ("isMine", json!(false)),
            ("isDeleted", json!(is_deleted)),
            ("isBlocked", json!(!is_deleted)),
        ] {
            comment[name] = value;
        }
        comment
    };
    // The fourth is of a newer release.
    assert_eq!(
        page,
        json!({"cursor": null, "comments": [
            own,
            covered(63, "삭제된 댓글입니다", true),
            covered(64, "차단한 사용자의 댓글이에요", false),
        ]})
    );
    let calls = calls_of(&gateway, "list_public_profiles");
    assert_eq!(calls.len(), 1);
    assert!(!calls[0].contains(&OTHER.to_string()), "{calls:?}");

    let answers = gateway
        .get_anonymously(&url("answer?commentSid=61&cursor=abc"))
        .await
        .json();
    let [answer] = answers["answers"].as_array().unwrap().as_slice() else {
        panic!("one reply: {answers}");
    };
    assert_eq!(
        (&answer["sid"], &answers["cursor"]),
        (&json!(71), &json!("Next-2_"))
    );
    let detail = url("comment-detail?commentSid=61");
    let detail = gateway.get_anonymously(&detail).await;
    assert_eq!(detail.json()["userSid"], AUTHOR);
}

#[actix_web::test]
async fn comments_and_replies_are_written_once() {
    let gateway = TestGateway::open().await;
    let body = json!({"boardSid": 51, "memberSid": MEMBER, "content": "저도요",
        "contentImg": "/files/a", "reqSid": "seen-before"});
    let written = gateway.post(&url("comment"), &body).await;
    assert_eq!(written.header("Idempotent-Replayed"), "true");
    assert_eq!(written.json()["contentImg"], "/files/a");
    let calls = calls_of(&gateway, "create_comment");
    assert_snapshot!(calls[0], @r#"create_comment CreateCommentRequest { member_id: 100000, request_id: "seen-before", post_id: 51, content: "저도요", images: ["/files/a"] }"#);

    let body = json!({"commentSid": 61, "memberSid": MEMBER, "content": "고마워요",
        "contentImg": "", "tagUserSid": GONE, "reqSid": "answer-no-1"});
    let written = gateway.post(&url("answer"), &body).await;
    assert_eq!(written.header("Idempotent-Replayed"), "");
    let written = written.json();
    assert_eq!(
        (
            &written["parentSid"],
            &written["tagUserNickName"],
            &written["isMine"]
        ),
        (&json!(61), &json!("알 수 없음"), &json!(true))
    );
    let calls = calls_of(&gateway, "create_reply");
    assert_snapshot!(calls[0], @r#"create_reply CreateReplyRequest { member_id: 100000, request_id: "answer-no-1", comment_id: 61, content: "고마워요", images: [], tagged_member_id: 100999 }"#);

    let body = json!({"commentSid": 61, "content": "저도 그래요", "contentImg": ""});
    let changed = gateway
        .send(Method::PUT, &url("comment"), &body)
        .await
        .json();
    assert_eq!(changed["modDate"], "2026-11-21T00:04:00Z");
    for (name, value) in [
        ("commentSid", json!(0)),
        ("content", json!("가".repeat(10_001))),
        ("content", json!(null)),
        ("reqSid", json!("short")),
        ("tagUserSid", json!(-1)),
    ] {
        let mut odd = json!({"commentSid": 61, "memberSid": MEMBER, "content": "고마워요"});
        odd[name] = value;
        gateway
            .post(&url("answer"), &odd)
            .await
            .assert_problem(400, 9001);
    }
}

#[actix_web::test]
async fn a_member_is_shown_with_figures_and_not_the_operator() {
    let gateway = TestGateway::open().await;
    let info = url("community-member-info?userSid=100002");
    let member = |is_followed: bool| {
        json!({"userSid": AUTHOR, "nickname": "김씨앗", "level": null, "frame": "frame-gold",
            "plate": null, "postCount": 4, "commentCount": 9, "receivedLikes": 12,
            "joinedMonth": null, "isFollowed": is_followed, "isBlocked": false})
    };
    assert_eq!(gateway.get(&info).await.json(), member(true));
    assert_eq!(gateway.get_anonymously(&info).await.json(), member(false));
    for nobody in ["23488", "100999"] {
        let info = url(&format!("community-member-info?userSid={nobody}"));
        gateway.get(&info).await.assert_problem(404, 2002);
    }
}

#[actix_web::test]
async fn what_a_member_did_is_posts_or_comments() {
    let gateway = TestGateway::open().await;
    let listed = gateway
        .get(&url(
            "community-member-action?memberSid=100000&userSid=100002",
        ))
        .await
        .json();
    let author = post(51, AUTHOR, "김씨앗", Some("frame-gold"));
    assert_eq!(
        listed,
        json!({"type": "POST", "posts": [author], "comments": [], "cursor": "Next-3_"})
    );
    for (rest, kind, key) in [
        (
            "community-member-action?memberSid=100000&userSid=100002&type=COMMENT",
            "COMMENT",
            "comments",
        ),
        (
            "my-comments-and-likes?memberSid=100000&type=COMMENT",
            "COMMENT",
            "comments",
        ),
        (
            "my-comments-and-likes?memberSid=100000&type=LIKE",
            "LIKE",
            "posts",
        ),
    ] {
        let listed = gateway.get(&url(rest)).await.json();
        assert_eq!(listed["type"], kind);
        assert_eq!(listed[key].as_array().unwrap().len(), 1, "{rest}");
        let calls = calls_of(&gateway, "list_activity");
        let member = if rest.starts_with("my") {
            MEMBER
        } else {
            AUTHOR
        };
        let about = format!("viewer_id: {MEMBER}, member_id: {member}");
        assert!(calls[0].contains(&about), "{calls:?}");
    }
    for rest in [
        "community-member-action?memberSid=100000&userSid=100002&type=LIKE",
        "community-member-action?memberSid=100000",
        "my-comments-and-likes?type=POST",
    ] {
        gateway.get(&url(rest)).await.assert_problem(400, 9001);
    }
}

#[actix_web::test]
async fn members_are_followed_and_blocked_by_state() {
    let gateway = TestGateway::open().await;
    let relate = async |rest: &str, user_sid: i64, on: bool| {
        let body = json!({"memberSid": MEMBER, "userSid": user_sid, "on": on});
        gateway.send(Method::PUT, &url(rest), &body).await
    };
    assert_eq!(
        relate("follow", AUTHOR, true).await.json(),
        json!({"userSid": AUTHOR, "isFollowed": true, "isBlocked": false})
    );
    assert_eq!(
        relate("block", AUTHOR, true).await.json(),
        json!({"userSid": AUTHOR, "isFollowed": false, "isBlocked": true})
    );
    for rest in ["follow", "block"] {
        relate(rest, GONE, true).await.assert_problem(404, 2002);
        // Whoever is gone can be let go of.
        assert_eq!(relate(rest, GONE, false).await.status, 200);
    }
    let refusal = bootstrap::problem::status(Code::FailedPrecondition, "NOT_TO_ONESELF", "", []);
    gateway.scenario.refuse("set_follow", refusal);
    let oneself = relate("follow", MEMBER, true).await;
    oneself.assert_problem(422, 5016);
    let blocked = gateway.get(&url("block/100000")).await.json();
    assert_eq!(
        blocked,
        json!({"cursor": null, "members": [
            {"userSid": GONE, "nickname": "알 수 없음"}, {"userSid": OTHER, "nickname": "김씨앗"},
        ]})
    );
}

#[actix_web::test]
async fn a_report_names_a_text_and_a_reason() {
    let gateway = TestGateway::open().await;
    let body = json!({"memberSid": MEMBER, "kind": "COMMENT", "sid": 61,
        "reason": "PERSONAL_DATA", "text": ""});
    let reported = gateway.post(&url("report"), &body).await.json();
    assert_eq!(reported, json!({"sid": 61}));
    let calls = calls_of(&gateway, "report");
    assert_snapshot!(calls[0], @r#"report ReportRequest { member_id: 100000, reason: PersonalData, text: "", subject: Some(CommentId(61)) }"#);
    for (name, value) in [
        ("kind", json!("MEMBER")),
        ("reason", json!("BORING")),
        ("sid", json!(0)),
        ("text", json!("가".repeat(301))),
    ] {
        let mut odd = body.clone();
        odd[name] = value;
        gateway
            .post(&url("report"), &odd)
            .await
            .assert_problem(400, 9001);
    }
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
