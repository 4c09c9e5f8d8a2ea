//! Firebase, Apple and the page of a local installation: exchanges as their documents record them.

use std::process::Command;

use auth::MIGRATOR;
use auth::config::PushConfig;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::TimeDelta;
use serde_json::{Value, json};
use sqlx::PgPool;
use testkit::TempFolder;
use web_push_native::p256::elliptic_curve::sec1::ToEncodedPoint;

use crate::push::browser::{secret_key, verified};
use crate::push::double::{Double, Reply, reply};
use crate::push::stage::{Stage, expected_topic, pem};

const SEND: &str = "/v1/projects/seedup-test/messages:send";
const FIREBASE_TOKEN: &str = "dGhpcyBpcyBh:APA91b-token_of.firebase";

fn body(status: u16, body: Value) -> Reply {
    Reply {
        body: body.to_string(),
        ..reply(status)
    }
}

fn json_of(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap()
}

/// A service account whose tokens the double hands out.
fn firebase(config: PushConfig, folder: &TempFolder, double: &Double) -> PushConfig {
    let key = folder.path().join("rsa.pem");
    let made = Command::new("openssl")
        .args(["genpkey", "-algorithm", "RSA", "-out"])
        .arg(&key)
        .output()
        .unwrap();
    assert!(made.status.success(), "{made:?}");
    let account = json!({
        "type": "service_account",
        "project_id": "seedup-test",
        "private_key": std::fs::read_to_string(&key).unwrap(),
        "client_email": "push@seedup-test.iam.gserviceaccount.com",
        "token_uri": format!("{}/token", double.url),
    });
    let file = folder.path().join("fcm.json");
    std::fs::write(&file, account.to_string()).unwrap();
    double.answer(
        "/token",
        [body(
            200,
            json!({"access_token": "ya29.one", "expires_in": 3_599, "token_type": "Bearer"}),
        )],
    );
    PushConfig {
        fcm_service_account_file: Some(file),
        fcm_url: double.url.clone(),
        ..config
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn firebase_takes_a_message_with_a_token_that_is_kept(pool: PgPool) {
    let double = Double::start().await;
    let stage = Stage::with(pool, |config, folder| firebase(config, folder, &double)).await;
    double.answer(
        SEND,
        [body(
            200,
            json!({"name": "projects/seedup-test/messages/1"}),
        )],
    );
    let request = stage.app("FCM", FIREBASE_TOKEN);
    stage.subscribe_with(request).await.unwrap();
    let delivery = stage.tell("체결됐어요", true).await;
    assert_eq!(stage.send_due().await, 1);
    let received = double.received();
    let asked = String::from_utf8(received[0].body.clone()).unwrap();
    let assertion = asked
        .strip_prefix("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=")
        .unwrap();
    let claims = assertion.split('.').nth(1).unwrap();
    let claims = json_of(&URL_SAFE_NO_PAD.decode(claims).unwrap());
    assert_eq!(
        claims,
        json!({
            "iss": "push@seedup-test.iam.gserviceaccount.com",
            "scope": "https://www.googleapis.com/auth/firebase.messaging",
            "aud": format!("{}/token", double.url),
            "iat": 1_795_219_200,
            "exp": 1_795_219_200 + 3_600,
        })
    );
    assert_eq!(received[1].path, SEND);
    assert_eq!(received[1].headers["authorization"], "Bearer ya29.one");
    assert_eq!(
        json_of(&received[1].body),
        json!({"message": {
            "token": FIREBASE_TOKEN,
            "notification": {"title": "체결됐어요", "body": "삼성전자 3주를 샀어요"},
            "data": {
                "id": delivery.to_string(), "link": "/my/orders", "type": "FILL",
                "tag": expected_topic(), "sid": "",
            },
            "android": {
                "collapse_key": expected_topic(), "priority": "HIGH", "ttl": "3600s",
                "notification": {"tag": expected_topic()},
            },
        }})
    );
    let tokens = || {
        double
            .received()
            .iter()
            .filter(|one| one.path == "/token")
            .count()
    };
    let sender = stage.world.push_sender();
    for _push in 0..3 {
        stage.tell("또", false).await;
    }
    assert_eq!(sender.send_due().await.unwrap(), 3);
    // The test's sender and this one share the provider, and so its token.
    assert_eq!(tokens(), 1);
    stage.world.clock.advance(TimeDelta::minutes(56));
    stage.tell("한 시간 뒤", false).await;
    assert_eq!(sender.send_due().await.unwrap(), 1);
    assert_eq!(tokens(), 2);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_firebase_says_of_a_token_is_believed(pool: PgPool) {
    let double = Double::start().await;
    let stage = Stage::with(pool, |config, folder| firebase(config, folder, &double)).await;
    stage
        .subscribe_with(stage.app("FCM", FIREBASE_TOKEN))
        .await
        .unwrap();
    let error = |code: u16, status: &str, detail: &str| {
        body(
            code,
            json!({"error": {"code": code, "message": "…", "status": status, "details": [{
                "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                "errorCode": detail,
            }]}}),
        )
    };
    let quota = Reply {
        headers: vec![("retry-after", "60")],
        ..error(429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED")
    };
    let expired = body(
        401,
        json!({"error": {"code": 401, "status": "UNAUTHENTICATED"}}),
    );
    let forbidden = error(403, "PERMISSION_DENIED", "");
    let unregistered = error(404, "NOT_FOUND", "UNREGISTERED");
    double.answer(SEND, [quota, expired, forbidden, unregistered]);
    stage.tell("하나", false).await;
    for wait_s in [0, 60, 10, 20] {
        stage.world.clock.advance(TimeDelta::seconds(wait_s));
        assert_eq!(stage.subscriptions().await, 1);
        assert_eq!(stage.send_due().await, 1, "after {wait_s} s");
    }
    assert_eq!((stage.subscriptions().await, stage.waiting().await), (0, 0));
    // A refused token was replaced.
    let tokens = double
        .received()
        .iter()
        .filter(|one| one.path == "/token")
        .count();
    assert_eq!(tokens, 2);
}

fn apple(config: PushConfig, folder: &TempFolder, double: &Double) -> (PushConfig, Vec<u8>) {
    let key = secret_key();
    let file = folder.path().join("apns.p8");
    std::fs::write(&file, pem(&key)).unwrap();
    let config = PushConfig {
        apns_key_file: Some(file),
        apns_key_id: Some("ABC123DEFG".to_owned()),
        apns_team_id: Some("DEF123GHIJ".to_owned()),
        apns_topic: Some("kr.seedup.app".to_owned()),
        apns_url: double.url.clone(),
        ..config
    };
    let public = key.public_key().to_encoded_point(false);
    (config, public.as_bytes().to_vec())
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn apple_takes_a_message_over_http_2(pool: PgPool) {
    let double = Double::start().await;
    let mut public = Vec::new();
    let stage = Stage::with(pool, |config, folder| {
        let (config, key) = apple(config, folder, &double);
        public = key;
        config
    })
    .await;
    let device = "0a".repeat(32);
    let path = format!("/3/device/{device}");
    double.answer(&path, [reply(200)]);
    stage
        .subscribe_with(stage.app("APNS", &device))
        .await
        .unwrap();
    let delivery = stage.tell("체결됐어요", true).await;
    assert_eq!(stage.send_due().await, 1);
    let received = double.received();
    let [push] = received.as_slice() else {
        panic!("one request: {received:?}");
    };
    assert_eq!(
        (push.path.as_str(), push.version.as_str()),
        (path.as_str(), "HTTP/2.0")
    );
    for (name, value) in [
        ("apns-topic", "kr.seedup.app"),
        ("apns-push-type", "alert"),
        ("apns-priority", "10"),
        ("apns-expiration", "1795222800"),
        ("apns-collapse-id", expected_topic().as_str()),
    ] {
        assert_eq!(push.headers[name], value, "{name}");
    }
    let token = push.headers["authorization"]
        .strip_prefix("Bearer ")
        .unwrap();
    let [header, claims] = verified(token, &public);
    assert_eq!(
        (&header["alg"], &header["kid"]),
        (&json!("ES256"), &json!("ABC123DEFG"))
    );
    assert_eq!(claims, json!({"iss": "DEF123GHIJ", "iat": 1_795_219_200}));
    assert_eq!(
        json_of(&push.body),
        json!({
            "aps": {
                "alert": {"title": "체결됐어요", "body": "삼성전자 3주를 샀어요"},
                "sound": "default", "thread-id": "FILL",
            },
            "id": delivery.to_string(), "link": "/my/orders", "type": "FILL", "sid": "",
        })
    );
    // Apple refuses who signs too often.
    stage.tell("또", false).await;
    stage.send_due().await;
    let again = &double.received()[1].headers["authorization"];
    assert_eq!(again, &push.headers["authorization"]);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_apple_says_of_a_device_is_believed(pool: PgPool) {
    let double = Double::start().await;
    let stage = Stage::with(pool, |config, folder| apple(config, folder, &double).0).await;
    let says = |status: u16, reason: &str| body(status, json!({"reason": reason}));
    let cases = [
        ("0a", vec![says(400, "BadDeviceToken")], 0),
        ("0b", vec![says(410, "Unregistered")], 0),
        ("0c", vec![says(400, "PayloadEmpty")], 1),
        ("0d", vec![says(403, "ExpiredProviderToken"), reply(200)], 1),
        ("0e", vec![says(429, "TooManyRequests"), reply(200)], 1),
    ];
    for (device, replies, left) in cases {
        let device = device.repeat(32);
        double.answer(&format!("/3/device/{device}"), replies);
        stage
            .subscribe_with(stage.app("APNS", &device))
            .await
            .unwrap();
        stage.tell("하나", false).await;
        while stage.send_due().await > 0 {
            stage.world.clock.advance(TimeDelta::seconds(5));
        }
        let kept = format!("push_subscription where address = '{device}'");
        assert_eq!(stage.world.count(&kept).await, left, "{device}");
        assert_eq!(stage.waiting().await, 0);
        let forget = "delete from push_subscription";
        sqlx::query(forget)
            .execute(&stage.world.pool)
            .await
            .unwrap();
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn the_page_of_a_local_installation_shows_every_push(pool: PgPool) {
    let double = Double::start().await;
    let stage = Stage::with(pool, |config, _folder| PushConfig {
        push_sink: Some(format!("{}/pushes", double.url)),
        ..config
    })
    .await;
    let delivery = stage.tell("아무도 안 받음", false).await;
    assert_eq!(stage.send_due().await, 1);
    let shown = json_of(&double.received()[0].body);
    assert_eq!(
        shown,
        json!({
            "deliverySid": delivery, "memberSid": stage.session.member_id, "kinds": [],
            "type": "FILL", "title": "아무도 안 받음", "body": "삼성전자 3주를 샀어요",
            "link": "/my/orders", "tag": expected_topic(), "urgent": false,
        })
    );
    stage.subscribe(&double, "/push/one").await;
    stage.tell("둘", true).await;
    assert_eq!(stage.send_due().await, 2);
    let received = double.received();
    let copy = received.iter().rfind(|one| one.path == "/pushes").unwrap();
    assert_eq!(json_of(&copy.body)["kinds"], json!(["WEB"]));
}

#[test]
fn a_key_that_cannot_be_used_is_named() {
    use std::sync::Arc;

    use auth::push::Providers;
    use kernel::{Clock, SystemClock};

    let _installed = rustls::crypto::ring::default_provider().install_default();
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let folder = TempFolder::new("push-keys");
    let file = folder.path().join("broken");
    std::fs::write(&file, "no key").unwrap();
    let off = crate::world::push_config();
    let broken = [
        PushConfig {
            push_vapid_key_file: Some(file.clone()),
            ..off.clone()
        },
        PushConfig {
            fcm_service_account_file: Some(file.clone()),
            ..off.clone()
        },
        PushConfig {
            apns_key_file: Some(file.clone()),
            ..off.clone()
        },
    ];
    for config in broken {
        let error = Providers::new(&config, &clock).err().unwrap();
        let text = format!("{error:#}");
        assert!(
            text.contains("broken") || text.contains("APNS_KEY_ID"),
            "{text}"
        );
    }
    let providers = Providers::new(&off, &clock).unwrap();
    assert_eq!((providers.iter().count(), providers.web_key()), (0, None));
}
