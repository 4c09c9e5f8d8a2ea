//! Sessions: JSON, the refresh cookie, and what reaches auth.

use reqwest::Method;
use serde_json::json;

use crate::fakes::MEMBER;
use crate::test_gateway::{TestGateway, answer};

const REFRESH: &str = "/api/v1/auth/refresh-refresh-token";

#[actix_web::test]
async fn joining_and_logging_in_return_a_session_and_set_the_cookie() {
    let gateway = TestGateway::open().await;
    let join = json!({
        "email": "kim@example.com", "password": "long enough to pass", "nickname": "김씨앗",
        "birthYear": 1999, "gender": "F", "termsAgreed": true, "privacyAgreed": true,
        "age14": true, "operator": true, "cash": 1_000_000, "memberSid": 23_488,
    });
    let login = json!({"email": "kim@example.com", "password": "long enough to pass"});
    for (path, body) in [("/api/v1/auth/join", join), ("/api/v1/auth/login", login)] {
        let request = gateway
            .request(Method::POST, path)
            .header("User-Agent", "phone")
            .header("X-Forwarded-For", "203.0.113.9")
            .json(&body);
        let answer = answer(request).await;
        assert_eq!(
            answer.text,
            r#"{"memberSid":100000,"accessToken":"access-1","refreshToken":"refresh-1","expiresIn":900}"#
        );
        assert_eq!(
            answer.header("set-cookie"),
            "refresh_token=refresh-1; HttpOnly; SameSite=Lax; Path=/api/v1/auth; Max-Age=864000"
        );
        assert_eq!(answer.header("cache-control"), "private, no-store");
        let calls = gateway.scenario.take_calls().join("\n");
        assert!(
            calls.contains("device: Some(Device { ip: \"127.0.0.1\", user_agent: \"phone\" })"),
            "{calls}"
        );
    }
}

#[actix_web::test]
async fn over_https_the_cookie_is_secure_and_hsts_is_set() {
    let gateway = TestGateway::with(&[("public-origin", "https://seedup.example")]).await;
    let login = json!({"email": "kim@example.com", "password": "long enough to pass"});
    let answer = gateway.post("/api/v1/auth/login", &login).await;
    assert_eq!(
        answer.header("set-cookie"),
        "__Secure-refresh_token=refresh-1; HttpOnly; SameSite=Lax; Secure; Path=/api/v1/auth; Max-Age=864000"
    );
    assert!(
        answer
            .header("strict-transport-security")
            .starts_with("max-age=31536000")
    );
}

#[actix_web::test]
async fn the_refresh_token_of_the_body_takes_precedence_over_the_cookie() {
    let gateway = TestGateway::open().await;
    for (body, asked) in [
        (json!({}), "from-cookie"),
        (json!({"refreshToken": null}), "from-cookie"),
        (json!({"refreshToken": "from-body"}), "from-body"),
    ] {
        let request = gateway
            .request(Method::POST, REFRESH)
            .header("Cookie", "other=1; refresh_token=from-cookie")
            .json(&body);
        let answer = answer(request).await;
        assert_eq!(answer.json()["refreshToken"], "refresh-2");
        assert!(
            answer
                .header("set-cookie")
                .starts_with("refresh_token=refresh-2;")
        );
        let calls = gateway.scenario.take_calls().join("\n");
        assert!(
            calls.contains(&format!("refresh_token: \"{asked}\"")),
            "{calls}"
        );
    }
    gateway
        .post(REFRESH, &json!({}))
        .await
        .assert_problem(401, 1205);
    gateway
        .post("/api/v1/auth/access-token", &json!({}))
        .await
        .assert_problem(401, 1205);
}

#[actix_web::test]
async fn a_new_access_token_leaves_the_cookie_unchanged() {
    let gateway = TestGateway::open().await;
    let body = json!({"refreshToken": "refresh-1"});
    let answer = gateway.post("/api/v1/auth/access-token", &body).await;
    assert_eq!(
        answer.text,
        r#"{"memberSid":100000,"accessToken":"access-1","refreshToken":null,"expiresIn":900}"#
    );
    assert_eq!(answer.header("set-cookie"), "");
}

#[actix_web::test]
async fn logging_out_clears_the_cookie_and_ends_the_session_of_the_token() {
    let gateway = TestGateway::open().await;
    let answer = gateway.post("/api/v1/auth/logout", &json!({})).await;
    assert_eq!(answer.status, 204);
    assert_eq!(
        answer.header("set-cookie"),
        "refresh_token=; HttpOnly; SameSite=Lax; Path=/api/v1/auth; Max-Age=0"
    );
    let calls = gateway.scenario.take_calls();
    let asked = format!(
        "logout LogoutRequest {{ refresh_token: \"\", session_id: \"{}\" }}",
        testkit::keys::SESSION_ID
    );
    assert_eq!(calls.last(), Some(&asked));

    // Without a session there is no error and no call.
    let request = gateway
        .request(Method::POST, "/api/v1/auth/logout")
        .json(&json!({}));
    assert_eq!(crate::test_gateway::answer(request).await.status, 204);
    assert!(gateway.scenario.take_calls().is_empty());
}

#[actix_web::test]
async fn logging_out_clears_the_cookie_while_auth_is_away() {
    let gateway = TestGateway::open().await;
    let gone = tonic::Status::unavailable("gone");
    gateway.scenario.refuse("logout", gone);
    let request = gateway
        .request(Method::POST, "/api/v1/auth/logout")
        .header("Cookie", "refresh_token=from-cookie")
        .json(&json!({}));
    let answer = answer(request).await;
    assert_eq!(answer.status, 503);
    assert_eq!(answer.header("retry-after"), "1");
    assert_eq!(
        answer.header("set-cookie"),
        "refresh_token=; HttpOnly; SameSite=Lax; Path=/api/v1/auth; Max-Age=0"
    );
}

#[actix_web::test]
async fn a_logout_that_did_not_reach_auth_can_be_repeated_without_the_refresh_cookie() {
    const LOGOUT: &str = "/api/v1/auth/logout";
    let gateway = TestGateway::open().await;
    let log_out = async |cookie: &str| {
        let request = gateway
            .request(Method::POST, LOGOUT)
            .header("Cookie", cookie)
            .json(&json!({}));
        let answer = answer(request).await;
        let cookies = answer.headers.get_all("set-cookie").iter();
        let cookies: Vec<_> = cookies
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
            .collect();
        (answer.status, cookies)
    };
    let cleared = "refresh_token=; HttpOnly; SameSite=Lax; Path=/api/v1/auth; Max-Age=0";
    let kept = "pending_logout=from-cookie; HttpOnly; SameSite=Lax; Path=/api/v1/auth/logout; Max-Age=864000";
    let gone = tonic::Status::unavailable("gone");
    gateway.scenario.refuse("logout", gone);
    for held in ["refresh_token=from-cookie", "pending_logout=from-cookie"] {
        let (status, cookies) = log_out(held).await;
        assert_eq!(status, 503);
        assert_eq!(cookies, [cleared, kept], "{held}");
    }
    gateway.scenario.allow("logout");
    gateway.scenario.take_calls();

    let (status, cookies) = log_out("pending_logout=from-cookie").await;
    assert_eq!(status, 204);
    let over = "pending_logout=; HttpOnly; SameSite=Lax; Path=/api/v1/auth/logout; Max-Age=0";
    assert_eq!(cookies, [cleared, over]);
    let calls = gateway.scenario.take_calls().join("\n");
    assert!(calls.contains("refresh_token: \"from-cookie\""), "{calls}");

    // The cookie is good for logging out only.
    let request = gateway
        .request(Method::POST, REFRESH)
        .header("Cookie", "pending_logout=from-cookie")
        .json(&json!({}));
    answer(request).await.assert_problem(401, 1205);
}

#[actix_web::test]
async fn a_later_logout_also_ends_the_session_whose_logout_failed() {
    let gateway = TestGateway::open().await;
    let log_out = async || {
        let request = gateway
            .request(Method::POST, "/api/v1/auth/logout")
            .bearer_auth(gateway.token(MEMBER))
            .header("Cookie", "refresh_token=new; pending_logout=old")
            .json(&json!({}));
        let answer = answer(request).await;
        let cookies = answer.headers.get_all("set-cookie").iter();
        let kept = cookies
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
            .find(|cookie| cookie.starts_with("pending_logout="));
        (answer.status, kept.unwrap_or_default())
    };
    let (status, kept) = log_out().await;
    assert_eq!(status, 204);
    assert!(kept.starts_with("pending_logout=; "), "{kept}");
    let mut calls = gateway.scenario.take_calls();
    calls.retain(|call| call.starts_with("logout "));
    calls.sort();
    let session = testkit::keys::SESSION_ID;
    let asked = [("new", session), ("old", "")].map(|(token, session)| {
        format!("logout LogoutRequest {{ refresh_token: \"{token}\", session_id: \"{session}\" }}")
    });
    assert_eq!(calls, asked);

    // Only one can be kept for later: that of the present session.
    gateway
        .scenario
        .refuse("logout", tonic::Status::unavailable("gone"));
    let (status, kept) = log_out().await;
    assert_eq!(status, 503);
    assert!(kept.starts_with("pending_logout=new; "), "{kept}");
}

#[actix_web::test]
async fn another_site_cannot_use_the_cookie() {
    let gateway = TestGateway::open().await;
    let own = format!("http://{}", gateway.address);
    for (origin, status) in [
        ("http://evil.example", 403),
        ("null", 403),
        ("https://localhost:8080", 403),
        ("http://localhost:8080", 200),
        (own.as_str(), 200),
    ] {
        let request = gateway
            .request(Method::POST, REFRESH)
            .header("Origin", origin)
            .header("Cookie", "refresh_token=from-cookie")
            .json(&json!({}));
        assert_eq!(answer(request).await.status, status, "{origin}");
    }
    // A form can send these without a preflight request; none of them is JSON.
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
    ] {
        let request = gateway
            .request(Method::POST, REFRESH)
            .header("Content-Type", kind)
            .header("Cookie", "refresh_token=from-cookie")
            .body("{}");
        answer(request).await.assert_problem(415, 9005);
    }
}

#[actix_web::test]
async fn rejections_of_auth_keep_their_message_and_retry_after() {
    let gateway = TestGateway::open().await;
    let wait = bootstrap::problem::status(
        tonic::Code::ResourceExhausted,
        "TOO_MANY_ATTEMPTS",
        "20초 뒤에 다시 시도해주세요",
        [("retryAfterS", "20".to_owned())],
    );
    gateway.scenario.refuse("login", wait);
    let login = json!({"email": "kim@example.com", "password": "wrong"});
    let answer = gateway.post("/api/v1/auth/login", &login).await;
    answer.assert_problem(429, 1004);
    assert_eq!(answer.header("retry-after"), "20");
    assert_eq!(answer.json()["message"], "20초 뒤에 다시 시도해주세요");
    assert_eq!(answer.json()["facts"], json!({"retryAfterS": 20}));
}

#[actix_web::test]
async fn behind_a_trusted_proxy_the_client_address_is_the_forwarded_one() {
    let gateway = TestGateway::with(&[("trusted-proxies", "1")]).await;
    let login = json!({"email": "kim@example.com", "password": "long enough to pass"});
    for (forwarded, address) in [
        ("1.1.1.1, 203.0.113.9", "203.0.113.9"),
        ("forged, 2001:db8::7", "2001:db8::7"),
        ("nonsense", "127.0.0.1"),
    ] {
        let request = gateway
            .request(Method::POST, "/api/v1/auth/login")
            .header("X-Forwarded-For", forwarded)
            .json(&login);
        assert_eq!(answer(request).await.status, 200);
        let calls = gateway.scenario.take_calls().join("\n");
        assert!(calls.contains(&format!("ip: \"{address}\"")), "{calls}");
    }
}
