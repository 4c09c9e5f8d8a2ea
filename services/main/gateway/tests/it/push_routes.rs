use reqwest::Method;
use serde_json::{Value, json};

use crate::test_gateway::{TestGateway, answer};

const PATH: &str = "/api/v1/notification/subscription";
const P256DH: &str =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
const AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";

#[actix_web::test]
async fn a_subscription_names_the_session_of_the_token() {
    let gateway = TestGateway::open().await;
    let body = json!({
        "memberSid": 100_000, "kind": "WEB", "endpoint": "https://push.example.com/x",
        "p256dh": P256DH, "auth": AUTH, "sessionId": "another one",
    });
    let token = gateway.token(100_000);
    let request = gateway.request(Method::POST, PATH).bearer_auth(&token);
    assert_eq!(answer(request.json(&body)).await.status, 204);
    let calls = gateway.scenario.take_business_calls();
    let session = format!("session_id: \"{}\"", testkit::keys::SESSION_ID);
    assert!(calls[0].contains(&session), "{calls:?}");
    assert!(calls[0].contains("address: \"https://push.example.com/x\""));

    let app = json!({"memberSid": 100_000, "kind": "APNS", "token": "0a0b"});
    let request = gateway.request(Method::DELETE, PATH).bearer_auth(&token);
    assert_eq!(answer(request.json(&app)).await.status, 204);
    let calls = gateway.scenario.take_business_calls();
    assert!(calls[0].contains("kind: \"APNS\", address: \"0a0b\""));
}

#[actix_web::test]
async fn a_browser_has_an_endpoint_and_an_app_a_token() {
    let gateway = TestGateway::open().await;
    let token = gateway.token(100_000);
    let refused: [(&str, Value); 6] = [
        (
            "endpoint",
            json!({"kind": "WEB", "p256dh": P256DH, "auth": AUTH}),
        ),
        ("endpoint", json!({"kind": "WEB", "endpoint": ""})),
        (
            "token",
            json!({"kind": "WEB", "endpoint": "https://push.example.com/x", "token": "x"}),
        ),
        ("token", json!({"kind": "FCM"})),
        (
            "endpoint",
            json!({"kind": "FCM", "token": "x", "endpoint": "https://push.example.com/x"}),
        ),
        ("kind", json!({"kind": "SINK", "token": "x"})),
    ];
    for (field, mut body) in refused {
        body["memberSid"] = json!(100_000);
        let request = gateway.request(Method::POST, PATH).bearer_auth(&token);
        let answered = answer(request.json(&body)).await;
        answered.assert_problem(400, 9001);
        assert_eq!(answered.json()["fields"][0]["field"], field, "{body}");
    }
    assert!(gateway.scenario.take_business_calls().is_empty());
}

#[actix_web::test]
async fn everybody_may_read_the_key() {
    let gateway = TestGateway::open().await;
    let answered = answer(gateway.request(Method::GET, "/api/v1/notification/push-key")).await;
    assert_eq!(answered.status, 200);
    assert_eq!(answered.json(), json!({"publicKey": P256DH}));
}
