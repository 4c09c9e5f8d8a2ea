//! Comments and replies: names, what is covered, and writing them.

use insta::assert_snapshot;
use reqwest::Method;
use serde_json::json;

use super::{AUTHOR, GONE, WRITTEN, calls_of, url};
use crate::fakes::{MEMBER, OTHER};
use crate::test_gateway::TestGateway;

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
            "userSid": AUTHOR, "userNickName": "김씨앗", "level": 3, "assetTotal": 30_000_000,
            "frame": "frame-gold", "plate": null, "isOperator": false, "content": "고마워요",
            "contentImg": "", "images": [], "regDate": WRITTEN, "modDate": null, "isLike": false,
            "likeCount": 1, "tagUserSid": 23_488, "tagUserNickName": "운영자", "answerCount": 0,
            "answers": [], "isMine": false, "isDeleted": false, "isBlocked": false,
            "status": "PUBLISHED",
        })
    };
    let own = json!({
        "sid": 61, "commentSid": 61, "boardSid": 51, "bdSid": 51, "parentSid": null,
        "userSid": MEMBER, "userNickName": "김씨앗", "level": 3, "assetTotal": 30_000_000,
        "frame": "frame-gold", "plate": null, "isOperator": false,
        "content": "저는 기다려 보려고요", "contentImg": "", "images": [], "regDate": WRITTEN, "modDate": null,
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
            ("level", json!(null)),
            ("assetTotal", json!(null)),
            ("likeCount", json!(0)),
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
        "contentImg": "/files/a/1920", "imageAlts": ["차트"], "reqSid": "seen-before"});
    let written = gateway.post(&url("comment"), &body).await;
    assert_eq!(written.header("Idempotent-Replayed"), "true");
    assert_eq!(written.json()["contentImg"], "/files/a/1920");
    assert_eq!(written.json()["images"][0]["alt"], "차트");
    let calls = calls_of(&gateway, "create_comment");
    assert_snapshot!(calls[0], @r#"create_comment CreateCommentRequest { member_id: 100000, request_id: "seen-before", post_id: 51, content: "저도요", images: ["a"], image_alts: ["차트"] }"#);

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
        (&json!(61), &json!("탈퇴한 사용자"), &json!(true))
    );
    let calls = calls_of(&gateway, "create_reply");
    assert_snapshot!(calls[0], @r#"create_reply CreateReplyRequest { member_id: 100000, request_id: "answer-no-1", comment_id: 61, content: "고마워요", images: [], tagged_member_id: 100999, image_alts: [] }"#);

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
