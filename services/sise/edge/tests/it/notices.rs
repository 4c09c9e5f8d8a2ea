//! Notices of new notifications, to open pages of their member.

use std::time::Duration;

use proto::auth::v1::NotificationCreated;
use serde_json::{Value, json};
use testkit::keys;

use crate::private::{
    EXCHANGE, fills, new_member, notice, now, publish, publish_bytes, publish_event,
};
use crate::rig::{Client, Rig};

const CREATED: &str = "auth.notification.created.v1";

async fn create(rig: &Rig, member_id: i64, notification_id: i64) {
    let created = NotificationCreated {
        member_id,
        notification_id,
        r#type: "COMMENT".to_owned(),
        unread: 3,
    };
    publish_event(rig, CREATED, &created).await;
}

async fn signed_in(rig: &Rig, member: i64) -> Client {
    let mut client = rig.connect().await;
    let token = keys::sise_token(member, now());
    client.send(json!({"type": "AUTH", "token": token})).await;
    client
        .receive_until(|message| message["type"] == "AUTH_OK")
        .await;
    client
}

async fn next_notice(client: &mut Client) -> Value {
    let is_notice = |message: &Value| message["destination"] == "/member/notice";
    client.receive_until(is_notice).await
}

/// The first notice that a page hears, created until it does: the edge may not be listening yet.
pub(crate) async fn heard(rig: &Rig, member: i64, notification: i64, page: &mut Client) -> Value {
    let created_often = async {
        for _ in 0..100 {
            create(rig, member, notification).await;
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::select! {
        frame = next_notice(page) => frame,
        () = created_often => panic!("the page hears of no notification"),
    }
}

#[tokio::test]
async fn every_open_page_of_the_member_hears_of_a_notification_and_nobody_else() {
    let rig = Rig::start().await;
    let (member, other) = (new_member(), new_member());
    let mut pages = [signed_in(&rig, member).await, signed_in(&rig, member).await];
    let mut elsewhere = signed_in(&rig, other).await;
    for page in &mut pages {
        let frame = heard(&rig, member, 71, page).await;
        assert_eq!(
            frame["payload"],
            json!([{"type": "NOTICE", "sid": 71, "unread": 3}])
        );
    }
    create(&rig, other, 72).await;
    let frame = next_notice(&mut elsewhere).await;
    assert_eq!(frame["payload"][0]["sid"], 72, "the first that it hears of");
}

#[tokio::test]
async fn what_was_taken_back_changes_the_number_without_a_notification() {
    let rig = Rig::start().await;
    let member = new_member();
    let mut page = signed_in(&rig, member).await;
    heard(&rig, member, 71, &mut page).await;
    create(&rig, member, 0).await;
    let is_next = |message: &Value| {
        message["destination"] == "/member/notice" && message["payload"][0]["sid"] != 71
    };
    let frame = page.receive_until(is_next).await;
    assert_eq!(frame["payload"], json!([{"type": "NOTICE", "unread": 3}]));
}

#[tokio::test]
async fn fills_go_on_beside_notices_and_after_one_that_cannot_be_read() {
    let rig = Rig::start().await;
    let member = new_member();
    let mut page = signed_in(&rig, member).await;
    heard(&rig, member, 72, &mut page).await;
    publish_bytes(&rig, EXCHANGE, CREATED, b"\xff\xff").await;
    create(&rig, member, 73).await;
    let is_next = |message: &Value| message["payload"][0]["sid"] == 73;
    let frame = page.receive_until(is_next).await;
    publish(&rig, notice(member, 1)).await;
    let filled = fills(&mut page).await;
    assert_eq!(filled["payload"][0]["seq"], 1);
    assert!(filled["seq"].as_u64() > frame["seq"].as_u64());
}
