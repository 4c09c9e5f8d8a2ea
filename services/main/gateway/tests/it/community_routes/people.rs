//! Members, what they did, and what they are to each other.

use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};
use tonic::{Code, Status};

use super::{AUTHOR, GONE, OF_NOBODY, calls_of, post, url};
use crate::fakes::{MEMBER, OTHER};
use crate::test_gateway::TestGateway;

#[actix_web::test]
async fn a_member_is_shown_with_figures_and_not_the_operator() {
    let gateway = TestGateway::open().await;
    let info = url("community-member-info?userSid=100002");
    let member = |is_followed: bool| {
        json!({"userSid": AUTHOR, "nickname": "김씨앗", "level": 3, "frame": "frame-gold",
            "plate": null, "postCount": 4, "commentCount": 9, "receivedLikes": 12,
            "joinedMonth": "2026-11", "isFollowed": is_followed, "isBlocked": false})
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
            {"userSid": GONE, "nickname": "탈퇴한 사용자"}, {"userSid": OTHER, "nickname": "김씨앗"},
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
async fn who_left_for_good_has_no_name_and_is_nobody() {
    let gateway = TestGateway::open().await;
    let post = url(&format!("get-post-detail?sid={OF_NOBODY}"));
    let comment = url(&format!("comment-detail?commentSid={OF_NOBODY}"));
    for is_away in [false, true] {
        if is_away {
            let away = Status::unavailable("gone");
            gateway.scenario.refuse("list_public_profiles", away);
        }
        // A visitor is nobody, too, and wrote none of it.
        let post = gateway.get_anonymously(&post).await.json();
        let comment = gateway.get_anonymously(&comment).await.json();
        for (text, id, name) in [
            (&post, "writerId", "nickname"),
            (&comment, "userSid", "userNickName"),
        ] {
            assert_eq!(
                (&text[id], &text[name]),
                (&json!(0), &json!("탈퇴한 사용자"))
            );
            assert_eq!(
                (&text["level"], &text["frame"]),
                (&Value::Null, &Value::Null)
            );
            assert_eq!(text["isMine"], false);
        }
    }
}
