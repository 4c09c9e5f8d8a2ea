//! Sessions that end while their sockets are open.

use std::time::{Duration, Instant};

use fault_proxy::FaultProxy;
use proto::auth::v1::SessionEnded;
use proto::trading::v1::FillNotice;
use serde_json::{Value, json};
use testkit::keys;
use uuid::Uuid;

use crate::private::{fills, notice, now, publish, publish_event, seqs, some_member};
use crate::rig::{Client, Rig};

const ENDED: &str = "auth.session.ended.v1";
/// An ended session must not see anything more after this.
const LIMIT: Duration = Duration::from_secs(2);

fn token(member: i64, session: Uuid) -> String {
    let claims = keys::Claims {
        sid: Some(session.to_string()),
        ..keys::sise_claims(member, now())
    };
    keys::sign("sise+jwt", &claims)
}

async fn sign_in(rig: &Rig, token: &str) -> Client {
    let mut client = rig.connect().await;
    let answer = authenticate(&mut client, token).await;
    assert_eq!(answer.get("type"), Some(&json!("AUTH_OK")));
    client
}

async fn authenticate(client: &mut Client, token: &str) -> Value {
    client.say(json!({"type": "AUTH", "token": token})).await;
    client
        .hear_until(|message| message["type"] != "STALE" && message["type"].is_string())
        .await
}

/// Tells of a fill until it is heard: the edge's queue may not be there yet.
async fn tell_until_heard(rig: &Rig, client: &mut Client, notice: FillNotice) -> Value {
    let telling = async {
        loop {
            publish(rig, notice.clone()).await;
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    tokio::select! {
        frame = fills(client) => frame,
        () = telling => unreachable!("it never ends"),
    }
}

/// As auth does it: the truth first, then the event.
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
    let member = some_member();
    let (ended, other) = (Uuid::new_v4(), Uuid::new_v4());
    let mut client = sign_in(&rig, &token(member, ended)).await;
    let mut elsewhere = sign_in(&rig, &token(member, other)).await;
    let heard = tell_until_heard(&rig, &mut client, notice(member, 1)).await;
    assert_eq!(seqs(&heard), [1]);
    assert_eq!(seqs(&fills(&mut elsewhere).await), [1]);

    let started = Instant::now();
    end(&rig, member, ended).await;
    let over = client
        .hear_until(|message| message["type"] == "AUTH_ERROR")
        .await;
    assert!(started.elapsed() < LIMIT, "{:?}", started.elapsed());
    assert_eq!(over["code"], 1205);
    assert_eq!(over["reason"], "Authentication is invalid");

    publish(&rig, notice(member, 2)).await;
    assert_eq!(seqs(&fills(&mut elsewhere).await), [2]);
    client.subscribe("/coin/realData", &["BTC"]).await;
    let next = client
        .hear_until(|message| message["destination"].is_string())
        .await;
    assert_eq!(next["destination"], "/coin/realData", "prices go on");

    // The same token again, on the old socket and on a new one, and another one of that session.
    let mut anew = rig.connect().await;
    for client in [&mut client, &mut anew] {
        for token in [token(member, ended), token(member, ended)] {
            let refused = authenticate(client, &token).await;
            assert_eq!(
                (&refused["type"], &refused["code"]),
                (&json!("AUTH_ERROR"), &json!(1205))
            );
        }
    }
    assert_eq!(
        authenticate(&mut anew, &token(member, other)).await["type"],
        "AUTH_OK"
    );
}

#[tokio::test]
async fn a_session_whose_end_was_known_too_late_does_not_keep_its_channel() {
    let rig = Rig::start().await;
    let (member, session) = (some_member(), Uuid::new_v4());
    // Its event came before anybody listened, and what was asked after it still said that the
    // session went on.
    let mut client = sign_in(&rig, &token(member, session)).await;
    rig.auth.0.lock().insert(session.to_string());
    let over = tokio::time::timeout(Duration::from_secs(60), async {
        loop {
            // A pong is heard at once, also while the channel stays open.
            client.say(json!({"type": "ping"})).await;
            let heard = client
                .hear_until(|message| message["type"].is_string())
                .await;
            if heard["type"] == "AUTH_ERROR" {
                return heard;
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    });
    assert_eq!(over.await.unwrap()["code"], 1205);
}

#[tokio::test]
async fn what_ended_while_the_broker_was_away_is_found_when_it_is_back() {
    let (proxy, url) = FaultProxy::before_url(&testkit::amqp_url()).await.unwrap();
    let rig = Rig::start_with(&[&format!("--amqp-url={url}")]).await;
    let (one, two) = (some_member(), some_member());
    let (ended, alive) = (Uuid::new_v4(), Uuid::new_v4());
    let mut over = sign_in(&rig, &token(one, ended)).await;
    let mut going_on = sign_in(&rig, &token(two, alive)).await;
    // Heard only so that both consumers are known to listen.
    let heard = tell_until_heard(&rig, &mut over, notice(one, 1)).await;
    assert_eq!(seqs(&heard), [1]);

    rig.auth.0.lock().insert(ended.to_string());
    proxy.reset();
    let refusal = over
        .hear_until(|message| message["type"] == "AUTH_ERROR")
        .await;
    assert_eq!(refusal["code"], 1205);
    let heard = tell_until_heard(&rig, &mut going_on, notice(two, 1)).await;
    assert_eq!(seqs(&heard), [1]);
}

#[tokio::test]
async fn nobody_is_let_in_while_nobody_knows_which_sessions_ended() {
    let rig = Rig::start_with(&["--auth-url=http://127.0.0.1:1"]).await;
    let mut client = rig.connect().await;
    let refused = authenticate(&mut client, &token(some_member(), Uuid::new_v4())).await;
    assert_eq!(
        (&refused["type"], &refused["code"], &refused["reason"]),
        (&json!("AUTH_ERROR"), &json!(9007), &json!("UNAVAILABLE"))
    );
}
