//! Notices of new notifications, to open pages of their member.

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

#[tokio::test]
async fn every_open_page_of_the_member_hears_of_a_notification_and_nobody_else() {
    let rig = Rig::start().await;
    let (member, other) = (new_member(), new_member());
    let mut pages = [signed_in(&rig, member).await, signed_in(&rig, member).await];
    let mut elsewhere = signed_in(&rig, other).await;
    create(&rig, member, 71).await;
    for page in &mut pages {
        let frame = next_notice(page).await;
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
async fn fills_go_on_beside_notices_and_after_one_that_cannot_be_read() {
    let rig = Rig::start().await;
    let member = new_member();
    let mut page = signed_in(&rig, member).await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    publish_bytes(&rig, EXCHANGE, CREATED, b"\xff\xff").await;
    create(&rig, member, 73).await;
    publish(&rig, notice(member, 1)).await;
    let frame = next_notice(&mut page).await;
    assert_eq!(frame["payload"][0]["sid"], 73);
    let filled = fills(&mut page).await;
    assert_eq!(filled["payload"][0]["seq"], 1);
    assert!(filled["seq"].as_u64() > frame["seq"].as_u64());
}
