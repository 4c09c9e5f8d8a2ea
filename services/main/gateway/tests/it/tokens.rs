//! Valid, expired and invalid tokens.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bootstrap::ended_sessions::EndedSessions;
use chrono::TimeDelta;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use reqwest::Method;
use serde_json::{Value, json};
use testkit::keys::{KEY_ID, access_claims, jwks, private_key_pem, sign, signing_key};

use crate::fakes::{MEMBER, OTHER};
use crate::test_gateway::{Answer, TestGateway, answer};

const PATH: &str = "/api/v1/member/100000";

async fn with(gateway: &TestGateway, authorization: &str) -> Answer {
    let value = reqwest::header::HeaderValue::from_bytes(authorization.as_bytes()).unwrap();
    answer(
        gateway
            .request(Method::GET, PATH)
            .header("Authorization", value),
    )
    .await
}

async fn with_token(gateway: &TestGateway, token: &str) -> Answer {
    with(gateway, &format!("Bearer {token}")).await
}

fn signed(header: &Header, claims: &impl serde::Serialize) -> String {
    let key = EncodingKey::from_ed_pem(private_key_pem().as_bytes()).unwrap();
    jsonwebtoken::encode(header, claims, &key).unwrap()
}

fn unsigned(header: &Value, claims: &impl serde::Serialize, signature: &str) -> String {
    let claims = serde_json::to_string(claims).unwrap();
    let part = |text: String| URL_SAFE_NO_PAD.encode(text);
    format!("{}.{}.{signature}", part(header.to_string()), part(claims))
}

#[actix_web::test]
async fn the_three_reasons_of_authentication_are_exact() {
    let gateway = TestGateway::open().await;
    let token = gateway.token(MEMBER);
    let exact = |answer: &Answer| {
        let body = answer.json();
        (
            body["code"].clone(),
            body["reason"].clone(),
            answer.status.as_u16(),
        )
    };

    let none = gateway.get_anonymously(PATH).await;
    none.assert_problem(401, 1205);
    assert_eq!(
        exact(&none),
        (json!(1205), json!("Authentication is invalid"), 401)
    );

    gateway
        .clock
        .advance(TimeDelta::minutes(15) + TimeDelta::seconds(59));
    assert_eq!(with_token(&gateway, &token).await.status, 200);
    gateway.clock.advance(TimeDelta::seconds(1));
    let expired = with_token(&gateway, &token).await;
    expired.assert_problem(401, 1203);
    assert_eq!(
        exact(&expired),
        (json!(1203), json!("Authentication is expired"), 401)
    );
    assert_eq!(expired.header("www-authenticate"), "Bearer");

    let over = bootstrap::problem::status(
        tonic::Code::Unauthenticated,
        "Expired",
        "다시 로그인해주세요",
        [],
    );
    gateway.scenario.refuse("refresh", over);
    let refresh = json!({"refreshToken": "old"});
    let answer = gateway
        .post("/api/v1/auth/refresh-refresh-token", &refresh)
        .await;
    assert_eq!(exact(&answer), (json!(1203), json!("Expired"), 401));
}

#[actix_web::test]
async fn only_a_single_bearer_token_is_accepted() {
    let gateway = TestGateway::open().await;
    let token = gateway.token(MEMBER);
    assert_eq!(with_token(&gateway, &token).await.status, 200);
    let long = "a".repeat(12_000);
    for header in [
        "",
        "Bearer",
        "Bearer ",
        &format!("bearer {token}"),
        &format!("BEARER {token}"),
        &format!("Basic {token}"),
        &format!("Bearer  {token}"),
        &format!("Bearer {token} "),
        &format!("Bearer {token},Bearer {token}"),
        &token,
        "Bearer 한글",
        "Bearer a.b.c",
        "Bearer ..",
        &format!("Bearer {}", &token[..token.len() - 1]),
        &format!("Bearer {}", &token[..40]),
        &format!("Bearer {token}x"),
        &format!("Bearer {long}"),
    ] {
        let answer = with(&gateway, header.trim_end_matches('\n')).await;
        // A client library may trim the value, which leaves a valid token.
        if header.trim_end() != format!("Bearer {token}") {
            answer.assert_problem(401, 1205);
        }
    }
    let twice = gateway
        .request(Method::GET, PATH)
        .header("Authorization", format!("Bearer {token}"))
        .header("Authorization", format!("Bearer {token}"));
    answer(twice).await.assert_problem(401, 1205);
}

#[actix_web::test]
async fn a_token_with_any_foreign_part_is_invalid() {
    let gateway = TestGateway::open().await;
    let good = access_claims(MEMBER, gateway.now());
    let header = |change: fn(&mut Header)| {
        let mut header = Header::new(Algorithm::EdDSA);
        header.typ = Some("at+jwt".to_owned());
        header.kid = Some(KEY_ID.to_owned());
        change(&mut header);
        header
    };
    let claims = |change: fn(&mut testkit::keys::Claims)| {
        let mut claims = good.clone();
        change(&mut claims);
        claims
    };
    assert_eq!(
        with_token(&gateway, &signed(&header(|_| {}), &good))
            .await
            .status,
        200
    );

    let mut forged = vec![
        signed(&header(|header| header.typ = Some("JWT".to_owned())), &good),
        signed(
            &header(|header| header.typ = Some("sise+jwt".to_owned())),
            &good,
        ),
        signed(&header(|header| header.typ = None), &good),
        signed(&header(|header| header.kid = None), &good),
        signed(
            &header(|header| header.kid = Some("other-key".to_owned())),
            &good,
        ),
        signed(
            &header(|header| header.kid = Some("../../etc/passwd".to_owned())),
            &good,
        ),
        signed(
            &header(|header| header.kid = Some("' OR 1=1 --".to_owned())),
            &good,
        ),
        signed(
            &header(|header| header.jku = Some("http://evil.example/keys".to_owned())),
            &good,
        ),
        signed(
            &header(|header| header.x5u = Some("http://evil.example/keys".to_owned())),
            &good,
        ),
        sign(
            "at+jwt",
            &claims(|claims| claims.iss = "seedup-sise".to_owned()),
        ),
        sign(
            "at+jwt",
            &claims(|claims| claims.aud = vec!["sise".to_owned()]),
        ),
        sign("at+jwt", &claims(|claims| claims.aud = vec![])),
        sign("at+jwt", &claims(|claims| claims.sub = "admin".to_owned())),
        sign("at+jwt", &claims(|claims| claims.sub = "0".to_owned())),
        sign("at+jwt", &claims(|claims| claims.sub = "-1".to_owned())),
        sign("at+jwt", &claims(|claims| claims.sid = None)),
        sign(
            "at+jwt",
            &claims(|claims| claims.sid = Some("x".repeat(600))),
        ),
        sign("at+jwt", &claims(|claims| claims.nbf += 120)),
    ];
    // Expired as well, but a foreign token is invalid first.
    forged.push(sign(
        "at+jwt",
        &claims(|claims| {
            claims.exp = 1;
            claims.iss = "someone".to_owned();
        }),
    ));
    for alg in ["none", "None", "nOnE", "HS256", "ES256", "RS256"] {
        let header = json!({"alg": alg, "typ": "at+jwt", "kid": KEY_ID});
        forged.push(unsigned(&header, &good, ""));
        forged.push(unsigned(&header, &good, "AAAA"));
    }
    let embedded = serde_json::from_str::<Value>(&jwks()).unwrap()["keys"][0].clone();
    let header = json!({"alg": "EdDSA", "typ": "at+jwt", "kid": KEY_ID, "jwk": embedded});
    forged.push(unsigned(&header, &good, "AAAA"));
    // Signed with the public key as if it were a shared secret.
    let public = signing_key().verifying_key();
    let mut shared = Header::new(Algorithm::HS256);
    shared.typ = Some("at+jwt".to_owned());
    shared.kid = Some(KEY_ID.to_owned());
    let secret = EncodingKey::from_secret(public.as_bytes());
    forged.push(jsonwebtoken::encode(&shared, &good, &secret).unwrap());
    // Another member's claims under this token's signature.
    let own = sign("at+jwt", &good);
    let other = sign("at+jwt", &access_claims(OTHER, gateway.now()));
    let parts: Vec<&str> = own.split('.').collect();
    let theirs: Vec<&str> = other.split('.').collect();
    forged.push(format!("{}.{}.{}", parts[0], theirs[1], parts[2]));

    for token in forged {
        let answer = with_token(&gateway, &token).await;
        assert_eq!(answer.status_and_code(), (401, 1205), "{token}: {answer:?}");
    }
}

#[actix_web::test]
async fn a_claim_that_occurs_twice_is_invalid() {
    let gateway = TestGateway::open().await;
    let claims = serde_json::to_string(&access_claims(MEMBER, gateway.now())).unwrap();
    let doubled = claims.replacen('{', "{\"sub\":\"100001\",", 1);
    let header = URL_SAFE_NO_PAD.encode(format!(
        r#"{{"alg":"EdDSA","typ":"at+jwt","kid":"{KEY_ID}"}}"#
    ));
    let signing_input = format!("{header}.{}", URL_SAFE_NO_PAD.encode(doubled));
    let signature = ed25519_dalek::Signer::sign(&signing_key(), signing_input.as_bytes());
    let token = format!(
        "{signing_input}.{}",
        URL_SAFE_NO_PAD.encode(signature.to_bytes())
    );
    with_token(&gateway, &token).await.assert_problem(401, 1205);
}

#[actix_web::test]
async fn a_token_of_an_ended_session_is_invalid_at_once() {
    let gateway = TestGateway::with(&[("redis-url", &testkit::redis_url())]).await;
    let mut claims = access_claims(MEMBER, gateway.now());
    let session = testkit::unique("").split_off(1);
    claims.sid = Some(session.clone());
    let token = sign("at+jwt", &claims);
    assert_eq!(with_token(&gateway, &token).await.status, 200);

    let redis = bootstrap::redis::connect(&testkit::redis_url()).with_timeout(testkit::PATIENCE);
    let session = uuid::Uuid::parse_str(&session).unwrap();
    assert!(EndedSessions::new(redis).add(&[session]).await);
    // On a busy machine Redis may now and then be too slow to be asked.
    testkit::eventually(Duration::from_secs(5), async || {
        with_token(&gateway, &token).await.status_and_code() == (401, 1205)
    })
    .await;
}

#[actix_web::test]
async fn without_redis_auth_is_called_and_without_both_requests_fail() {
    let gateway = TestGateway::open().await;
    assert_eq!(
        with_token(&gateway, &gateway.token(MEMBER)).await.status,
        200
    );
    let calls = gateway.scenario.take_calls();
    assert!(
        calls.iter().any(|call| call.starts_with("check_session")),
        "{calls:?}"
    );

    gateway
        .scenario
        .refuse("check_sessions", tonic::Status::unavailable("gone"));
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    with_token(&gateway, &gateway.token(MEMBER))
        .await
        .assert_problem(503, 9007);
}

#[actix_web::test]
async fn concurrent_requests_of_a_session_call_auth_once() {
    let gateway = TestGateway::with(&[("rate-limit-per-second", "1000")]).await;
    let wait = Duration::from_millis(500);
    gateway.scenario.delay("check_sessions", wait);
    let token = gateway.token(MEMBER);
    let crowd = (0..60).map(|_| with_token(&gateway, &token));
    for answer in futures_util::future::join_all(crowd).await {
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    let calls = gateway.scenario.take_calls();
    let asked = calls
        .iter()
        .filter(|call| call.starts_with("check_session"));
    // On a busy machine the last of them may come when the cached result has expired.
    assert!((1..6).contains(&asked.count()), "{calls:?}");
}

#[actix_web::test]
async fn unavailable_keys_do_not_make_a_token_invalid() {
    let gateway = TestGateway::open().await;
    gateway
        .scenario
        .refuse("get_jwks", tonic::Status::unavailable("gone"));
    with_token(&gateway, &gateway.token(MEMBER))
        .await
        .assert_problem(503, 9007);
    gateway.scenario.allow("get_jwks");
    assert_eq!(
        with_token(&gateway, &gateway.token(MEMBER)).await.status,
        200
    );

    // Cached keys stay valid.
    gateway
        .scenario
        .refuse("get_jwks", tonic::Status::unavailable("gone"));
    assert_eq!(
        with_token(&gateway, &gateway.token(MEMBER)).await.status,
        200
    );
}
