//! The inbox and its settings: JSON, refusals, ownership.

use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};

use crate::test_gateway::{Answer, TestGateway};

const LIST: &str = "/api/v1/notification/list/100000";
const UNREAD: &str = "/api/v1/notification/unread/100000";
const READ: &str = "/api/v1/notification/read";
const SETTING: &str = "/api/v1/notification/setting";

async fn put(gateway: &TestGateway, path: &str, body: &Value) -> Answer {
    gateway.send(Method::PUT, path, body).await
}

#[actix_web::test]
async fn the_inbox_comes_in_pages() {
    let gateway = TestGateway::open().await;
    let body = gateway.get(LIST).await.json();
    let row = |sid: i64, kind: &str, is_read: bool| {
        json!({"sid": sid, "type": kind, "title": "삼성전자 3주를 샀어요",
            "body": "1주 평균 71,300원, 모두 213,900원이에요.", "link": "/my/orders/history",
            "createdAt": "2026-11-21T09:03:00+09:00", "isRead": is_read})
    };
    // A type that this release does not know is left out.
    let list = [row(72, "FILL", false), row(70, "COMMENT", true)];
    assert_eq!(body, json!({"list": list, "cursor": "AQAAAAAAAABG"}));
    let next = format!("{LIST}?cursor=AQAAAAAAAABG&type=FILL");
    gateway.get(&next).await.json();
    let calls = gateway.scenario.take_calls();
    assert_snapshot!(calls.last().unwrap(), @r#"list_notifications ListNotificationsRequest { member_id: 100000, cursor: "AQAAAAAAAABG", r#type: "FILL" }"#);
}

#[actix_web::test]
async fn unread_ones_are_counted() {
    let gateway = TestGateway::open().await;
    let body = gateway.get(UNREAD).await.json();
    assert_eq!(
        body,
        json!({"unread": 2, "byType": [{"type": "FILL", "unread": 2}]})
    );
}

#[actix_web::test]
async fn some_or_all_are_read() {
    let gateway = TestGateway::open().await;
    let some = json!({"memberSid": 100_000, "sids": [72, 70]});
    assert_eq!(
        put(&gateway, READ, &some).await.json(),
        json!({"unread": 2})
    );
    let calls = gateway.scenario.take_calls();
    assert_snapshot!(calls.last().unwrap(), @"read_notifications ReadNotificationsRequest { member_id: 100000, notification_ids: [72, 70], all: false }");
    let all = json!({"memberSid": 100_000, "all": true});
    put(&gateway, READ, &all).await.json();
    let calls = gateway.scenario.take_calls();
    assert_snapshot!(calls.last().unwrap(), @"read_notifications ReadNotificationsRequest { member_id: 100000, notification_ids: [], all: true }");
}

#[actix_web::test]
async fn settings_are_read_and_changed() {
    let gateway = TestGateway::open().await;
    let settings = json!({"types": [{"type": "LIKE", "inbox": true, "push": false}],
        "quiet": {"from": "21:00", "until": "08:05"}, "digest": false});
    let body = gateway.get(&format!("{SETTING}/100000")).await.json();
    assert_eq!(body, settings);
    let change = json!({"memberSid": 100_000, "types": [
        {"type": "PRICE", "inbox": false, "push": true}],
        "quiet": {"from": "23:59", "until": "00:00"}, "digest": true});
    assert_eq!(put(&gateway, SETTING, &change).await.json(), settings);
    let calls = gateway.scenario.take_calls();
    assert_snapshot!(calls.last().unwrap(), @r#"set_notification_settings SetNotificationSettingsRequest { member_id: 100000, types: [NotificationChannels { r#type: "PRICE", inbox: false, push: true }], quiet_from: Some(1439), quiet_until: Some(0), digest: Some(true) }"#);
    let nothing = json!({"memberSid": 100_000});
    put(&gateway, SETTING, &nothing).await.json();
    let calls = gateway.scenario.take_calls();
    assert_snapshot!(calls.last().unwrap(), @"set_notification_settings SetNotificationSettingsRequest { member_id: 100000, types: [], quiet_from: None, quiet_until: None, digest: None }");
}

#[actix_web::test]
async fn bad_input_and_other_members_change_nothing() {
    let gateway = TestGateway::open().await;
    gateway.get("/api/v1/member/100000").await;
    gateway.scenario.take_business_calls();
    for body in [
        json!({"memberSid": 100_000}),
        json!({"memberSid": 100_000, "all": false}),
        json!({"memberSid": 100_000, "all": true, "sids": [1]}),
        json!({"memberSid": 100_000, "sids": [0]}),
        json!({"memberSid": 100_000, "sids": ["72"]}),
    ] {
        let answer = put(&gateway, READ, &body).await;
        answer.assert_problem(400, 9001);
    }
    for body in [
        json!({"memberSid": 100_000, "types": [{"type": "MAIL", "inbox": true, "push": true}]}),
        json!({"memberSid": 100_000, "types": [{"type": "LIKE", "inbox": true}]}),
        json!({"memberSid": 100_000, "quiet": {"from": "21:00"}}),
        json!({"memberSid": 100_000, "quiet": {"from": "24:00", "until": "08:00"}}),
        json!({"memberSid": 100_000, "digest": "yes"}),
    ] {
        let answer = put(&gateway, SETTING, &body).await;
        answer.assert_problem(400, 9001);
    }
    for query in ["type=fill", "type=", "cursor=%27%3B"] {
        let answer = gateway.get(&format!("{LIST}?{query}")).await;
        answer.assert_problem(400, 9001);
    }
    for path in [LIST, UNREAD, "/api/v1/notification/setting/100000"] {
        let other = path.replace("100000", "100001");
        gateway.get(&other).await.assert_problem(403, 2001);
    }
    for path in [READ, SETTING] {
        let body = json!({"memberSid": 100_001, "all": true});
        put(&gateway, path, &body).await.assert_problem(403, 2001);
    }
    assert!(gateway.scenario.take_business_calls().is_empty());
}

#[actix_web::test]
async fn refusals_of_auth_are_passed_on() {
    let gateway = TestGateway::open().await;
    for (rpc, reason, code) in [
        ("list_notifications", "CURSOR_UNKNOWN", 5005),
        (
            "set_notification_settings",
            "INVALID_NOTIFICATION_TYPE",
            2010,
        ),
        ("set_notification_settings", "INVALID_QUIET_HOURS", 2011),
        ("read_notifications", "TOO_MANY_NOTIFICATIONS", 2012),
    ] {
        let status = tonic::Code::InvalidArgument;
        let refusal = bootstrap::problem::status(status, reason, "안 돼요.", []);
        gateway.scenario.refuse(rpc, refusal);
        let answer = match rpc {
            "list_notifications" => gateway.get(LIST).await,
            "read_notifications" => {
                put(&gateway, READ, &json!({"memberSid": 100_000, "all": true})).await
            }
            _ => put(&gateway, SETTING, &json!({"memberSid": 100_000})).await,
        };
        answer.assert_problem(400, code);
    }
}
