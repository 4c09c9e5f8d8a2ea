//! Profiles, passwords and codes: their JSON, and what reaches auth.

use reqwest::Method;
use serde_json::json;

use crate::stage::{Stage, answer};

/// The last call that is none of the gateway's own.
fn last_call(stage: &Stage) -> String {
    let mut calls = stage.script.take_calls();
    calls.retain(|call| !call.starts_with("check_session") && !call.starts_with("get_jwks"));
    calls.pop().unwrap_or_default()
}

#[actix_web::test]
async fn a_gender_that_is_null_is_taken_back_and_one_that_is_absent_stays() {
    let stage = Stage::open().await;
    for (body, gender) in [
        (json!({"memberSid": 100_000}), "gender: None"),
        (
            json!({"memberSid": 100_000, "gender": null}),
            "gender: Some(\"\")",
        ),
        (
            json!({"memberSid": 100_000, "gender": "F"}),
            "gender: Some(\"F\")",
        ),
    ] {
        let request = stage.request(Method::PUT, "/api/v1/member/info");
        let token = stage.token(100_000);
        let answer = answer(request.bearer_auth(token).json(&body)).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.json()["nickname"], "김씨앗");
        let call = last_call(&stage);
        assert!(call.contains(gender), "{call}");
    }
}

#[actix_web::test]
async fn what_was_seen_may_be_told_without_a_body() {
    let stage = Stage::open().await;
    let token = stage.token(100_000);
    for (path, rpc) in [
        ("/api/v1/member/tutorial/100000", "finish_tutorial"),
        ("/api/v1/member/welcomePopup/100000", "see_welcome_popup"),
        ("/api/v1/member/os/100000", "note_client"),
    ] {
        let request = stage.request(Method::PATCH, path).bearer_auth(&token);
        assert_eq!(answer(request).await.status, 204, "{path}");
        assert!(last_call(&stage).starts_with(rpc));
    }
    // Where something has to be said, saying nothing is malformed.
    let request = stage.request(Method::PATCH, "/api/v1/member/quizFilter/100000");
    answer(request.bearer_auth(&token))
        .await
        .must_be_problem(400, 9001);
    let asked = stage.request(
        Method::PUT,
        "/api/v1/auth/password/email/kim%2Ba@example.com",
    );
    assert_eq!(answer(asked).await.status, 204);
    assert!(last_call(&stage).contains("email: \"kim+a@example.com\""));
}

#[actix_web::test]
async fn a_changed_password_keeps_the_session_that_changed_it() {
    let stage = Stage::open().await;
    let body = json!({
        "memberSid": 100_000, "password": "long enough to pass", "newPassword": "longer still to pass",
    });
    let request = stage.request(Method::PUT, "/api/v1/auth/password");
    let token = stage.token(100_000);
    let changed = answer(request.bearer_auth(token).json(&body)).await;
    assert_eq!(changed.status, 204, "{changed:?}");
    let kept = format!("session_id: \"{}\"", testkit::keys::SESSION_ID);
    assert!(last_call(&stage).contains(&kept));
}

#[actix_web::test]
async fn refusals_keep_their_codes_and_figures() {
    let stage = Stage::open().await;
    let token = stage.token(100_000);
    for (rpc, reason, fact, path, code, status) in [
        (
            "change_password",
            "WRONG_PASSWORD",
            None,
            "password",
            1017,
            401,
        ),
        (
            "reset_password",
            "RESET_LINK_INVALID",
            None,
            "password/reset",
            1018,
            422,
        ),
        (
            "verify_email",
            "CODE_INVALID",
            Some(("triesLeft", "4")),
            "email/verify",
            1019,
            422,
        ),
    ] {
        let grpc = bootstrap::problem::status(
            tonic::Code::FailedPrecondition,
            reason,
            "안 돼요",
            fact.map(|(name, value)| (name, value.to_owned())),
        );
        stage.script.refuse(rpc, grpc);
        let body = json!({
            "memberSid": 100_000, "password": "a", "newPassword": "b", "token": "c", "code": "1",
        });
        let method = if path.starts_with("email") {
            Method::POST
        } else {
            Method::PUT
        };
        let request = stage.request(method, &format!("/api/v1/auth/{path}"));
        let refused = answer(request.bearer_auth(&token).json(&body)).await;
        refused.must_be_problem(status, code);
        assert_eq!(refused.json()["message"], "안 돼요");
        if fact.is_some() {
            assert_eq!(refused.json()["facts"], json!({"triesLeft": 4}));
        }
    }
}
