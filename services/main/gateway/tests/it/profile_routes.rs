//! Profiles, passwords and codes: JSON, and what reaches auth.

use reqwest::Method;
use serde_json::json;

use crate::test_gateway::{TestGateway, answer};

/// The last call without those of authentication, and without that of the mode, which a member comes with.
fn last_call(gateway: &TestGateway) -> String {
    let mut calls = gateway.scenario.take_business_calls();
    calls.retain(|call| !call.starts_with("get_competition_mode"));
    calls.pop().unwrap_or_default()
}

#[actix_web::test]
async fn a_null_gender_is_removed_and_an_absent_one_stays() {
    let gateway = TestGateway::open().await;
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
        let request = gateway.request(Method::PUT, "/api/v1/member/info");
        let token = gateway.token(100_000);
        let answer = answer(request.bearer_auth(token).json(&body)).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.json()["nickname"], "김씨앗");
        let call = last_call(&gateway);
        assert!(call.contains(gender), "{call}");
    }
}

#[actix_web::test]
async fn what_is_worn_is_taken_off_by_null_and_stays_without_a_word() {
    let gateway = TestGateway::open().await;
    for (body, wanted) in [
        (
            json!({"memberSid": 100_000, "frame": "frame-gold", "plate": null}),
            "frame: Some(\"frame-gold\"), plate: Some(\"\"), theme: None",
        ),
        (
            json!({"memberSid": 100_000, "theme": "theme-sea"}),
            "frame: None, plate: None, theme: Some(\"theme-sea\")",
        ),
    ] {
        let request = gateway.request(Method::PUT, "/api/v1/member/appearance");
        let token = gateway.token(100_000);
        let answer = answer(request.bearer_auth(token).json(&body)).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.json()["frame"], body["frame"]);
        let call = last_call(&gateway);
        assert!(call.contains(wanted), "{call}");
    }
}

#[actix_web::test]
async fn flags_are_set_without_a_body() {
    let gateway = TestGateway::open().await;
    let token = gateway.token(100_000);
    for (path, rpc) in [
        ("/api/v1/member/tutorial/100000", "finish_tutorial"),
        ("/api/v1/member/welcomePopup/100000", "see_welcome_popup"),
        ("/api/v1/member/os/100000", "note_client"),
    ] {
        let request = gateway.request(Method::PATCH, path).bearer_auth(&token);
        assert_eq!(answer(request).await.status, 204, "{path}");
        assert!(last_call(&gateway).starts_with(rpc));
    }
    // An empty body is malformed where a field is required.
    let request = gateway.request(Method::PATCH, "/api/v1/member/quizFilter/100000");
    answer(request.bearer_auth(&token))
        .await
        .assert_problem(400, 9001);
    let asked = gateway.request(
        Method::PUT,
        "/api/v1/auth/password/email/kim%2Ba@example.com",
    );
    assert_eq!(answer(asked).await.status, 204);
    assert!(last_call(&gateway).contains("email: \"kim+a@example.com\""));
}

#[actix_web::test]
async fn a_changed_password_keeps_the_session_that_changed_it() {
    let gateway = TestGateway::open().await;
    let body = json!({
        "memberSid": 100_000, "password": "long enough to pass", "newPassword": "longer still to pass",
    });
    let request = gateway.request(Method::PUT, "/api/v1/auth/password");
    let token = gateway.token(100_000);
    let changed = answer(request.bearer_auth(token).json(&body)).await;
    assert_eq!(changed.status, 204, "{changed:?}");
    let kept = format!("session_id: \"{}\"", testkit::keys::SESSION_ID);
    assert!(last_call(&gateway).contains(&kept));
}

#[actix_web::test]
async fn rejections_keep_their_codes_and_facts() {
    let gateway = TestGateway::open().await;
    let token = gateway.token(100_000);
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
        gateway.scenario.refuse(rpc, grpc);
        let body = json!({
            "memberSid": 100_000, "password": "a", "newPassword": "b", "token": "c", "code": "1",
        });
        let method = if path.starts_with("email") {
            Method::POST
        } else {
            Method::PUT
        };
        let request = gateway.request(method, &format!("/api/v1/auth/{path}"));
        let refused = answer(request.bearer_auth(&token).json(&body)).await;
        refused.assert_problem(status, code);
        assert_eq!(refused.json()["message"], "안 돼요");
        if fact.is_some() {
            assert_eq!(refused.json()["facts"], json!({"triesLeft": 4}));
        }
    }
}
