//! Sessions that end while their sockets are open.

use std::time::{Duration, Instant};

use fault_proxy::FaultProxy;
use proto::auth::v1::SessionEnded;
use proto::trading::v1::FillNotice;
use serde_json::{Value, json};
use testkit::keys;
use uuid::Uuid;

use crate::private::{fills, new_member, notice, now, publish, publish_event, seqs};
use crate::rig::{Client, Rig};

const ENDED: &str = "auth.session.ended.v1";
/// The channel of an ended session closes within this time.
const LIMIT: Duration = Duration::from_secs(2);

fn token(member: i64, session: Uuid) -> String {
    let claims = keys::Claims {
        sid: Some(session.to_string()),
        ..keys::sise_claims(member, now())
    };
    keys::sign("sise+jwt", &claims)
}

pub(crate) async fn sign_in(rig: &Rig, token: &str) -> Client {
    let mut client = rig.connect().await;
    let answer = authenticate(&mut client, token).await;
    assert_eq!(answer.get("type"), Some(&json!("AUTH_OK")));
    client
}

async fn authenticate(client: &mut Client, token: &str) -> Value {
    client.send(json!({"type": "AUTH", "token": token})).await;
    client
        .receive_until(|message| message["type"] != "STALE" && message["type"].is_string())
        .await
}

/// Publishes a fill until it arrives: the edge's queue may not exist yet.
pub(crate) async fn publish_until_received(
    rig: &Rig,
    client: &mut Client,
    notice: FillNotice,
) -> Value {
    let publishing = async {
        loop {
            publish(rig, notice.clone()).await;
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    tokio::select! {
        frame = fills(client) => frame,
        () = publishing => unreachable!("it never ends"),
    }
}

/// As auth does it: the database first, then the event.
async fn end(rig: &Rig, member_id: i64, session: Uuid) {
    rig.auth.0.lock().insert(session.to_string());
    let ended = SessionEnded {
        member_id,
        session_id: session.to_string(),
        cause: "logout".to_owned(),
    };
    publish_event(rig, ENDED, &ended).await;
}

#[tokio::test]
async fn an_ended_session_closes_its_private_channel_and_its_token_is_refused() {
    let rig = Rig::start().await;
    let member = new_member();
    let (ended, other) = (Uuid::new_v4(), Uuid::new_v4());
    let mut client = sign_in(&rig, &token(member, ended)).await;
    let mut elsewhere = sign_in(&rig, &token(member, other)).await;
    let received = publish_until_received(&rig, &mut client, notice(member, 1)).await;
    assert_eq!(seqs(&received), [1]);
    assert_eq!(seqs(&fills(&mut elsewhere).await), [1]);

    let started = Instant::now();
    end(&rig, member, ended).await;
    let closed = client
        .receive_until(|message| message["type"] == "AUTH_ERROR")
        .await;
    assert!(started.elapsed() < LIMIT, "{:?}", started.elapsed());
    assert_eq!(closed["code"], 1205);
    assert_eq!(closed["reason"], "Authentication is invalid");

    publish(&rig, notice(member, 2)).await;
    assert_eq!(seqs(&fills(&mut elsewhere).await), [2]);
    client.subscribe("/coin/realData", &["BTC"]).await;
    let next = client
        .receive_until(|message| message["destination"].is_string())
        .await;
    assert_eq!(next["destination"], "/coin/realData", "prices go on");

    // The same token and another one of the session, on the old socket and on a new one.
    let mut new_socket = rig.connect().await;
    for client in [&mut client, &mut new_socket] {
        for token in [token(member, ended), token(member, ended)] {
            let refused = authenticate(client, &token).await;
            assert_eq!(
                (&refused["type"], &refused["code"]),
                (&json!("AUTH_ERROR"), &json!(1205))
            );
        }
    }
    assert_eq!(
        authenticate(&mut new_socket, &token(member, other)).await["type"],
        "AUTH_OK"
    );
}

#[tokio::test]
async fn a_session_whose_end_was_known_too_late_does_not_keep_its_channel() {
    let rig = Rig::start().await;
    let (member, session) = (new_member(), Uuid::new_v4());
    // The event came before the edge subscribed, and the check after it still answered that the
    // session was alive.
    let mut client = sign_in(&rig, &token(member, session)).await;
    rig.auth.0.lock().insert(session.to_string());
    let closed = tokio::time::timeout(Duration::from_secs(60), async {
        loop {
            // A pong is answered while the channel stays open.
            client.send(json!({"type": "ping"})).await;
            let received = client
                .receive_until(|message| message["type"].is_string())
                .await;
            if received["type"] == "AUTH_ERROR" {
                return received;
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    });
    assert_eq!(closed.await.unwrap()["code"], 1205);
}

#[tokio::test]
async fn sessions_that_end_while_the_broker_is_down_are_found_on_reconnect() {
    let (proxy, url) = FaultProxy::for_url(&testkit::amqp_url()).await.unwrap();
    let rig = Rig::start_with(&[&format!("--amqp-url={url}")]).await;
    let (one, two) = (new_member(), new_member());
    let (ended, alive) = (Uuid::new_v4(), Uuid::new_v4());
    let mut closed = sign_in(&rig, &token(one, ended)).await;
    let mut going_on = sign_in(&rig, &token(two, alive)).await;
    // Proves that both consumers are connected.
    let received = publish_until_received(&rig, &mut closed, notice(one, 1)).await;
    assert_eq!(seqs(&received), [1]);

    rig.auth.0.lock().insert(ended.to_string());
    proxy.reset();
    let refusal = closed
        .receive_until(|message| message["type"] == "AUTH_ERROR")
        .await;
    assert_eq!(refusal["code"], 1205);
    let received = publish_until_received(&rig, &mut going_on, notice(two, 1)).await;
    assert_eq!(seqs(&received), [1]);
}

#[tokio::test]
async fn auth_is_refused_while_ended_sessions_are_unknown() {
    let rig = Rig::start_with(&["--auth-url=http://127.0.0.1:1"]).await;
    let mut client = rig.connect().await;
    let refused = authenticate(&mut client, &token(new_member(), Uuid::new_v4())).await;
    assert_eq!(
        (&refused["type"], &refused["code"], &refused["reason"]),
        (&json!("AUTH_ERROR"), &json!(9007), &json!("UNAVAILABLE"))
    );
}
