//! Subscriptions to pushes, and pushes that browsers read.

pub(crate) mod browser;
pub(crate) mod double;
pub(crate) mod stage;

use auth::MIGRATOR;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::TimeDelta;
use futures_util::future::join_all;
use proto::auth::v1 as wire;
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::world::{PASSWORD, attempt, person, reason, session_id};
use browser::{Browser, verified};
use double::Double;
use stage::{Stage, expected_topic};

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_browser_reads_what_only_it_can_read(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    let browser = stage.subscribe(&double, "/push/one").await;
    let delivery = stage.tell("체결됐어요", true).await;
    assert_eq!(stage.send_due().await, 1);

    let received = double.received();
    let headers = &received[0].headers;
    assert_eq!(received[0].path, "/push/one");
    assert_eq!(headers["content-encoding"], "aes128gcm");
    assert_eq!(headers["ttl"], "3600");
    assert_eq!(headers["urgency"], "high");
    assert_eq!(headers["topic"], expected_topic());
    let text: Value = serde_json::from_slice(&browser.read(&received[0].body)).unwrap();
    let expected = json!({
        "id": delivery.to_string(), "title": "체결됐어요", "body": "삼성전자 3주를 샀어요",
        "link": "/my/orders", "tag": expected_topic(), "type": "FILL",
    });
    assert_eq!(text, expected);

    let (token, key) = headers["authorization"]
        .strip_prefix("vapid t=")
        .and_then(|rest| rest.split_once(", k="))
        .unwrap();
    assert_eq!(URL_SAFE_NO_PAD.decode(key).unwrap(), stage.key);
    let [header, claims] = verified(token, &stage.key);
    assert_eq!(header["alg"], "ES256");
    assert_eq!(claims["aud"], double.url);
    assert_eq!(claims["sub"], "mailto:hello@seedup.invalid");
    assert_eq!(claims["exp"], 1_795_219_200 + 12 * 3_600);

    let given = stage.world.push.clone();
    let asked = given.clone().get_push_key(wire::GetPushKeyRequest {}).await;
    assert_eq!(asked.unwrap().into_inner().public_key, key);
    // It was sent once and for all.
    assert_eq!(stage.send_due().await, 0);
    assert_eq!((stage.waiting().await, double.count()), (0, 1));
    assert_eq!(
        stage
            .world
            .count("push_delivery where sent_at is null")
            .await,
        0
    );
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn every_push_has_keys_of_its_own(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    let browser = stage.subscribe(&double, "/push/one").await;
    stage.tell("하나", false).await;
    stage.tell("둘", false).await;
    assert_eq!(stage.send_due().await, 2);
    let received = double.received();
    assert_ne!(received[0].body[..86], received[1].body[..86]);
    let mut titles: Vec<String> = received
        .iter()
        .map(|push| serde_json::from_slice::<Value>(&browser.read(&push.body)).unwrap())
        .map(|text| text["title"].as_str().unwrap().to_owned())
        .collect();
    titles.sort();
    assert_eq!(titles, ["둘", "하나"]);
    assert_eq!(received[0].headers["urgency"], "normal");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_long_text_fits_into_a_push(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    let browser = stage.subscribe(&double, "/push/one").await;
    stage.tell(&"\u{1}".repeat(5_000), false).await;
    stage.send_due().await;
    let body = &double.received()[0].body;
    assert!(body.len() <= 4_096, "{}", body.len());
    let text: Value = serde_json::from_slice(&browser.read(body)).unwrap();
    assert_eq!(text["title"].as_str().unwrap().chars().count(), 60);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_push_waits_for_its_time_and_is_not_sent_after_its_end(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    stage.subscribe(&double, "/push/one").await;
    let (night, day) = (TimeDelta::hours(2), TimeDelta::hours(24));
    stage.tell_at("아침에", false, night, day).await;
    stage
        .tell_at("지나감", false, TimeDelta::zero(), TimeDelta::zero())
        .await;
    assert_eq!(stage.send_due().await, 0);
    stage.world.clock.advance(night - TimeDelta::seconds(1));
    assert_eq!(stage.send_due().await, 0);
    stage.world.clock.advance(TimeDelta::seconds(1));
    assert_eq!(stage.send_due().await, 1);
    assert_eq!(
        double.received()[0].headers["ttl"],
        (22 * 3_600).to_string()
    );
    assert_eq!(stage.waiting().await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_was_read_is_not_pushed(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    stage.subscribe(&double, "/push/one").await;
    let delivery = stage.tell("읽음", false).await;
    sqlx::query(
        "with n as (insert into notification (member_id, type, title, body, link, dedupe_key, \
         created_at, read_at) values ($1, 'FILL', 'x', 'x', '/', 'x', now(), now()) returning id) \
         update push_delivery set notification_id = (select id from n) where id = $2",
    )
    .bind(stage.session.member_id)
    .bind(delivery)
    .execute(&stage.world.pool)
    .await
    .unwrap();
    assert_eq!(stage.send_due().await, 0);
    assert_eq!(double.count(), 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_was_switched_off_meanwhile_is_not_pushed(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    stage.subscribe(&double, "/push/one").await;
    let switch = async |push: bool| {
        sqlx::query(
            "insert into notification_setting values ($1, 'FILL', true, $2) \
             on conflict (member_id, type) do update set push = $2",
        )
        .bind(stage.session.member_id)
        .bind(push)
        .execute(&stage.world.pool)
        .await
        .unwrap();
    };
    stage.tell("전에 꺼짐", false).await;
    switch(false).await;
    assert_eq!(stage.send_due().await, 0);
    switch(true).await;
    // It waits for its second try.
    double.answer("/push/one", [double::reply(503), double::reply(201)]);
    stage.tell("하나", false).await;
    assert_eq!(stage.send_due().await, 1);
    switch(false).await;
    stage.world.clock.advance(TimeDelta::minutes(1));
    assert_eq!(stage.send_due().await, 0);
    assert_eq!((double.count(), stage.waiting().await), (1, 0));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_subscription_ends_with_its_login(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    stage.subscribe(&double, "/push/one").await;
    let second = stage
        .world
        .login(attempt("a@b.kr", PASSWORD))
        .await
        .unwrap();
    let of_second = wire::SubscribeRequest {
        session_id: session_id(&second),
        ..stage.web(&format!("{}/push/two", double.url), &Browser::new())
    };
    stage.subscribe_with(of_second.clone()).await.unwrap();
    stage.tell("전", false).await;
    assert_eq!(stage.send_due().await, 2);

    let logout = wire::LogoutRequest {
        refresh_token: String::new(),
        session_id: session_id(&second),
    };
    stage.world.client.clone().logout(logout).await.unwrap();
    assert_eq!(stage.subscriptions().await, 1);
    let refused = stage.subscribe_with(of_second).await.unwrap_err();
    assert_eq!(reason(&refused), "Expired");
    stage.tell("후", false).await;
    assert_eq!(stage.send_due().await, 1);

    // A login that nobody has used for ten days is over, too.
    stage.world.clock.advance(TimeDelta::days(10));
    stage.tell("열흘 뒤", false).await;
    assert_eq!(stage.send_due().await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_member_has_ten_subscriptions_and_the_oldest_goes(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    for number in 0..10 {
        stage.subscribe(&double, &format!("/push/{number}")).await;
        stage.world.clock.advance(TimeDelta::seconds(1));
    }
    let browsers: Vec<Browser> = (0..4).map(|_| Browser::new()).collect();
    let more = browsers.iter().enumerate().map(|(number, browser)| {
        let endpoint = format!("{}/push/more-{number}", double.url);
        stage.subscribe_with(stage.web(&endpoint, browser))
    });
    for subscribed in join_all(more).await {
        subscribed.unwrap();
    }
    assert_eq!(stage.subscriptions().await, 10);
    let oldest = "push_subscription where address ~ '/push/[0-3]$'";
    assert_eq!(stage.world.count(oldest).await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn an_address_belongs_to_whoever_subscribed_it_last(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    stage.subscribe(&double, "/push/shared").await;
    let other = stage.world.join(person("c@d.kr", "베짱이")).await.unwrap();
    let browser = Browser::new();
    let request = wire::SubscribeRequest {
        member_id: other.member_id,
        session_id: session_id(&other),
        ..stage.web(&format!("{}/push/shared", double.url), &browser)
    };
    // Nobody subscribes in the login of somebody else.
    let foreign = wire::SubscribeRequest {
        session_id: session_id(&stage.session),
        ..request.clone()
    };
    assert!(stage.subscribe_with(foreign).await.is_err());
    // What waits for a second try is the first one's alone.
    stage.tell("앞사람의 체결", true).await;
    let kinds = [auth::domain::PushKind::Web];
    let divided = stage.world.store.divide_deliveries(&kinds, true, 10).await;
    assert_eq!(divided.unwrap(), 1);
    for _repeated in 0..2 {
        stage.subscribe_with(request.clone()).await.unwrap();
    }
    assert_eq!(stage.world.count("push_send").await, 0);
    stage.tell("앞사람", false).await;
    assert_eq!(stage.send_due().await, 0);

    let unsubscribe = |member_id| wire::UnsubscribeRequest {
        member_id,
        kind: "WEB".to_owned(),
        address: format!("{}/push/shared", double.url),
    };
    let mut client = stage.world.push.clone();
    let of_first = unsubscribe(stage.session.member_id);
    client.unsubscribe(of_first).await.unwrap();
    assert_eq!(stage.subscriptions().await, 1);
    for _repeated in 0..2 {
        client
            .unsubscribe(unsubscribe(other.member_id))
            .await
            .unwrap();
    }
    assert_eq!(stage.subscriptions().await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn bad_subscriptions_are_refused_and_change_nothing(pool: PgPool) {
    let stage = Stage::with(pool, |config, _folder| auth::config::PushConfig {
        push_allow_private: false,
        ..config
    })
    .await;
    let browser = Browser::new();
    let fine = stage.web("https://push.example.com/x", &browser);
    for endpoint in [
        "",
        "http://push.example.com/x",
        "https://127.0.0.1/x",
        "https://169.254.169.254/x",
        "https://[::1]/x",
        "https://localhost/x",
        "https://redis.seedup.svc/x",
        "https://push.example.com:6379/x",
    ] {
        let request = stage.web(endpoint, &browser);
        let refused = stage.subscribe_with(request).await.unwrap_err();
        assert_eq!(reason(&refused), "INVALID_PUSH_SUBSCRIPTION", "{endpoint}");
    }
    let short_key = wire::SubscribeRequest {
        auth: "AAAA".to_owned(),
        ..fine.clone()
    };
    let refused = stage.subscribe_with(short_key).await.unwrap_err();
    assert_eq!(reason(&refused), "INVALID_PUSH_SUBSCRIPTION");
    let no_session = wire::SubscribeRequest {
        session_id: "x".to_owned(),
        ..fine.clone()
    };
    let refused = stage.subscribe_with(no_session).await.unwrap_err();
    assert_eq!(reason(&refused), "Authentication is invalid");
    let app = stage.app("APNS", &"0a".repeat(32));
    let refused = stage.subscribe_with(app).await.unwrap_err();
    assert_eq!(reason(&refused), "PUSH_UNAVAILABLE");
    assert_eq!(stage.subscriptions().await, 0);
    stage.subscribe_with(fine).await.unwrap();
    assert_eq!(stage.subscriptions().await, 1);
}
