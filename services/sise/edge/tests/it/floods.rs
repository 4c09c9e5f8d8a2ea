//! What one member can make trading do: AUTH in quick succession, on one socket and on many.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use edge::client::AUTH_BURST;
use edge::fills::{CHANNELS_PER_MINUTE, MAX_CHANNELS_PER_MEMBER};
use futures_util::StreamExt;
use serde_json::{Value, json};
use testkit::keys;
use tokio_tungstenite::tungstenite::Message;

use crate::private::{fills, new_member, notice, now, publish, seqs};
use crate::rig::{Client, Rig, SOON};
use crate::sessions::{publish_until_received, sign_in};

/// A fetch that was to follow an AUTH has arrived after this pause.
const PAUSE: Duration = Duration::from_millis(300);

/// An edge that receives fills: when it connects to the broker, every open channel fetches once more.
async fn connected_rig(arguments: &[&str]) -> Rig {
    let rig = Rig::start_with(arguments).await;
    let member = new_member();
    let mut client = sign_in(&rig, &keys::sise_token(member, now())).await;
    publish_until_received(&rig, &mut client, notice(member, 1)).await;
    drop(client);
    tokio::time::sleep(PAUSE).await;
    rig.trading.fetches.store(0, Ordering::SeqCst);
    rig
}

async fn authenticate(client: &mut Client, token: &str) -> Value {
    client.send(json!({"type": "AUTH", "token": token})).await;
    client
        .receive_until(|message| message["type"] == "AUTH_OK" || message["type"] == "AUTH_ERROR")
        .await
}

/// The close code, if the socket is closed within `limit`.
async fn closed_within(client: &mut Client, limit: Duration) -> Option<u16> {
    let closing = async {
        loop {
            match client.socket.next().await {
                Some(Ok(Message::Close(frame))) => {
                    return frame.map_or(0, |frame| frame.code.into());
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return 0,
            }
        }
    };
    tokio::time::timeout(limit, closing).await.ok()
}

#[tokio::test]
async fn a_socket_that_repeats_auth_is_closed_and_its_fills_are_fetched_once() {
    let rig = connected_rig(&[]).await;
    let token = keys::sise_token(new_member(), now());
    let mut client = rig.connect().await;
    let mut sent = 0;
    let mut closed = None;
    while closed.is_none() && sent < 20 {
        client.send(json!({"type": "AUTH", "token": token})).await;
        sent += 1;
        closed = closed_within(&mut client, Duration::from_millis(200)).await;
    }
    assert_eq!((closed, sent), (Some(1008), AUTH_BURST + 1));
    tokio::time::sleep(PAUSE).await;
    assert_eq!(rig.trading.fetches.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_newer_token_of_the_session_prolongs_the_channel_without_a_fetch() {
    let rig = connected_rig(&[]).await;
    let member = new_member();
    // Valid for two more seconds, including the minute of leeway.
    let ends_soon = keys::Claims {
        exp: (now() - chrono::TimeDelta::seconds(58)).timestamp(),
        ..keys::sise_claims(member, now())
    };
    let mut client = rig.connect().await;
    for token in [
        keys::sign("sise+jwt", &ends_soon),
        keys::sise_token(member, now()),
    ] {
        let answer = authenticate(&mut client, &token).await;
        assert_eq!(answer["type"], "AUTH_OK", "{answer}");
        tokio::time::sleep(PAUSE).await;
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    publish(&rig, notice(member, 1)).await;
    assert_eq!(seqs(&fills(&mut client).await), [1]);
    assert_eq!(rig.trading.fetches.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_member_has_a_bounded_number_of_channels() {
    let rig = connected_rig(&[]).await;
    let token = keys::sise_token(new_member(), now());
    let (mut open, mut refused) = (Vec::new(), Vec::new());
    for _ in 0..MAX_CHANNELS_PER_MEMBER + 10 {
        let mut client = rig.connect().await;
        let answer = authenticate(&mut client, &token).await;
        if answer["type"] == "AUTH_OK" {
            open.push(client);
        } else {
            assert_eq!(answer["code"], 9007, "{answer}");
            refused.push(client);
        }
    }
    assert_eq!((open.len(), refused.len()), (MAX_CHANNELS_PER_MEMBER, 10));
    tokio::time::sleep(PAUSE).await;
    let fetches = rig.trading.fetches.load(Ordering::SeqCst);
    assert_eq!(fetches, MAX_CHANNELS_PER_MEMBER);
    let repeated = authenticate(&mut open[0], &token).await;
    assert_eq!(repeated["type"], "AUTH_OK", "it has a channel already");
    let other = keys::sise_token(new_member(), now());
    let other = authenticate(&mut refused[0], &other).await;
    assert_eq!(other["type"], "AUTH_OK", "another member is not affected");

    open.pop();
    let retried = &mut refused[1];
    let started = Instant::now();
    while authenticate(retried, &token).await["type"] != "AUTH_OK" {
        assert!(started.elapsed() < SOON, "a closed socket makes room");
        tokio::time::sleep(PAUSE).await;
    }
}

#[tokio::test]
async fn sockets_that_come_and_go_make_trading_list_fills_at_a_bounded_rate() {
    const SOCKETS: usize = 100;
    let rig = connected_rig(&["--ws-handshakes-per-address-per-s=1000"]).await;
    let token = keys::sise_token(new_member(), now());
    let started = Instant::now();
    let mut opened = 0;
    for _ in 0..SOCKETS {
        let mut client = rig.connect().await;
        opened += usize::from(authenticate(&mut client, &token).await["type"] == "AUTH_OK");
    }
    let regained = usize::try_from(started.elapsed().as_secs()).unwrap() + 1;
    let allowed = usize::try_from(CHANNELS_PER_MINUTE.get()).unwrap() + regained;
    assert!(opened <= allowed, "{opened} of {SOCKETS}");
    tokio::time::sleep(PAUSE).await;
    assert!(rig.trading.fetches.load(Ordering::SeqCst) <= opened);
}
