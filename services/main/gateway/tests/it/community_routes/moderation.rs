//! What members know of decisions, their appeals, and posts of which they hear nothing.

use insta::assert_snapshot;
use reqwest::Method;
use serde_json::json;
use tonic::Code;

use super::{WRITTEN, calls_of, draft, url};
use crate::fakes::MEMBER;
use crate::test_gateway::TestGateway;

const LATER: &str = "2026-11-21T00:04:00Z";

#[actix_web::test]
async fn an_author_reads_why_a_text_is_hidden() {
    let gateway = TestGateway::open().await;
    let restricted = url("hiding?memberSid=100000&kind=POST&sid=51");
    assert_eq!(
        gateway.get(&restricted).await.json(),
        json!({"status": "HIDDEN", "cause": "RESTRICTED", "rule": "PERSONAL_DATA",
            "reason": "권리를 침해한다는 요청이 있었어요", "until": LATER, "mayAppeal": false,
            "appeal": {"text": "제 이야기예요", "regDate": WRITTEN, "decidedDate": null,
                "isUpheld": false}})
    );
    for odd in ["kind=MEMBER&sid=51", "kind=POST", "kind=POST&sid=0"] {
        let odd = url(&format!("hiding?memberSid=100000&{odd}"));
        gateway.get(&odd).await.assert_problem(400, 9001);
    }
    let refusal = bootstrap::problem::status(Code::NotFound, "POST_NOT_FOUND", "", []);
    gateway.scenario.refuse("get_hiding", refusal);
    gateway.get(&restricted).await.assert_problem(404, 5001);
}

#[actix_web::test]
async fn an_appeal_is_made_once() {
    let gateway = TestGateway::open().await;
    let body = json!({"memberSid": MEMBER, "kind": "COMMENT", "sid": 61,
        "text": "다시 봐 주세요", "reqSid": "seen-before"});
    let appealed = gateway.post(&url("appeal"), &body).await;
    assert_eq!(appealed.json(), json!({"sid": 61}));
    assert_eq!(appealed.header("idempotent-replayed"), "true");
    let calls = calls_of(&gateway, "appeal");
    assert_snapshot!(calls[0], @r#"appeal AppealRequest { member_id: 100000, request_id: "seen-before", text: "다시 봐 주세요", subject: Some(CommentId(61)) }"#);
    for (name, value) in [
        ("kind", json!("MEMBER")),
        ("sid", json!(0)),
        ("text", json!("가".repeat(5_001))),
        ("reqSid", json!("short")),
    ] {
        let mut odd = body.clone();
        odd[name] = value;
        let refused = gateway.post(&url("appeal"), &odd).await;
        refused.assert_problem(400, 9001);
    }
    for (reason, code, status, number) in [
        ("NOT_HIDDEN", Code::FailedPrecondition, 422, 5031),
        ("ALREADY_APPEALED", Code::FailedPrecondition, 409, 5032),
        ("COMMENT_NOT_FOUND", Code::NotFound, 404, 5003),
        ("TEXT_LENGTH", Code::FailedPrecondition, 422, 5006),
    ] {
        let refusal = bootstrap::problem::status(code, reason, "", []);
        gateway.scenario.refuse("appeal", refusal);
        let refused = gateway.post(&url("appeal"), &body).await;
        refused.assert_problem(status, number);
    }
}

#[actix_web::test]
async fn who_may_not_write_is_told_until_when_and_why() {
    let gateway = TestGateway::open().await;
    let facts = [
        ("until", "2026-12-01T00:00:00Z".to_owned()),
        ("why", "욕설을 썼어요".to_owned()),
    ];
    let refusal = bootstrap::problem::status(
        Code::FailedPrecondition,
        "WRITING_SUSPENDED",
        "12월 1일 09:00까지 글과 댓글을 쓸 수 없어요",
        facts,
    );
    gateway.scenario.refuse("create_post", refusal);
    let refused = gateway.post(&url("post"), &draft()).await;
    refused.assert_problem(422, 5030);
    assert_eq!(
        refused.json()["facts"],
        json!({"until": "2026-12-01T00:00:00Z", "why": "욕설을 썼어요"})
    );
    let standing = gateway.get(&url("standing/100000")).await.json();
    assert_eq!(
        standing,
        json!({"sanction": {"rung": 5, "rule": "SPAM", "reason": "리딩방을 되풀이해 알렸어요",
            "from": WRITTEN, "until": null, "isActive": true}})
    );
}

#[actix_web::test]
async fn who_reported_reads_what_became_of_it() {
    let gateway = TestGateway::open().await;
    let reports = gateway.get(&url("report/100000")).await.json();
    let report = |sid, kind, text_sid, status, decided| {
        json!({"sid": sid, "kind": kind, "textSid": text_sid, "boardSid": 51,
            "reason": "ABUSE", "status": status, "regDate": WRITTEN, "decidedDate": decided})
    };
    assert_eq!(
        reports,
        json!({"cursor": "Next-4_", "reports": [
            report(84, "POST", 51, "RECEIVED", None),
            report(83, "COMMENT", 61, "UPHELD", Some(LATER)),
            report(82, "POST", 51, "DISMISSED", Some(LATER)),
        ]})
    );
}

#[actix_web::test]
async fn a_post_is_muted_by_state() {
    let gateway = TestGateway::open().await;
    for on in [true, false] {
        let body = json!({"memberSid": MEMBER, "sid": 51, "on": on});
        let muted = gateway.send(Method::PUT, &url("mute"), &body).await;
        assert_eq!(muted.json(), json!({"sid": 51, "isMuted": on}));
        let calls = calls_of(&gateway, "set_mute");
        let call =
            format!("set_mute SetMuteRequest {{ member_id: 100000, post_id: 51, on: {on} }}");
        assert_eq!(calls, [call]);
    }
    for odd in [
        json!({"memberSid": MEMBER, "sid": 51}),
        json!({"memberSid": MEMBER, "sid": -1, "on": true}),
    ] {
        let refused = gateway.send(Method::PUT, &url("mute"), &odd).await;
        refused.assert_problem(400, 9001);
    }
}
