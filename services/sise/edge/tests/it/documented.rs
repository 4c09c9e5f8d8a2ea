//! `/ws2` and its AsyncAPI document agree: every message, limit, close code and refusal is
//! documented, and no other exists. Every test client validates the frames it exchanges.

use std::collections::BTreeSet;
use std::time::Duration;

use clap::Parser;
use edge::client::{AUTH_BURST, AUTH_INTERVAL, FRAME_BURST, FRAME_INTERVAL, MAX_CODES_PER_SOCKET};
use edge::config::Config;
use edge::fills::{CHANNELS_PER_MINUTE, MAX_CHANNELS_PER_MEMBER};
use edge::protocol::{Destination, MAX_CODES_PER_FRAME, MAX_FRAME_BYTES};
use futures_util::future::join_all;
use proto::trading::v1::MemberFills;
use serde_json::{Value, json};
use testkit::keys;
use tokio::io::AsyncWriteExt;

use crate::document::{self, DOCUMENT, Sender, channel};
use crate::fakes::LISTED;
use crate::garbage::{closed_with, frame};
use crate::http::send;
use crate::notices::heard;
use crate::private::{new_member, notice, now};
use crate::rig::{Rig, SOON};
use crate::sockets::raw;

const TEXT: u8 = 0x81;
const SUBSCRIBE: &[u8] = br#"{"type":"SUBSCRIBE","destination":"/coin/realData","codes":["BTC"]}"#;

const AUTH: &[u8] = br#"{"type":"AUTH","token":"e30.e30.e30"}"#;

#[tokio::test]
async fn every_documented_message_is_exchanged_and_no_other() {
    let rig = Rig::start().await;
    let member = new_member();
    let missed = MemberFills {
        notices: (101..=103).map(|seq| notice(member, seq)).collect(),
        last_seq: 103,
        gap: true,
    };
    rig.trading.fills.lock().insert(member, missed);
    let mut client = rig.connect().await;
    // The log has been silent since the edge started.
    client
        .receive_until(|message| message["type"] == "STALE")
        .await;
    for ping in [json!({"type": "ping"}), json!("ping")] {
        client.send(ping).await;
        client
            .receive_until(|message| message["type"] == "pong")
            .await;
    }

    let destinations = &DOCUMENT["components"]["schemas"]["Destination"]["enum"];
    assert_eq!(
        *destinations,
        json!(Destination::ALL.map(Destination::as_str))
    );
    let codes = LISTED.map(|(code, ..)| code);
    for destination in Destination::ALL.map(Destination::as_str) {
        client.subscribe(destination, &codes).await;
        client.prices(destination).await;
    }
    let unsubscribe =
        json!({"type": "UNSUBSCRIBE", "destination": "/stock/realData", "codes": codes});
    client.send(unsubscribe).await;

    for token in ["e30.e30.e30".to_owned(), keys::sise_token(member, now())] {
        let auth = json!({"type": "AUTH", "token": token, "lastFillSeq": 0});
        client.send(auth).await;
        client
            .receive_until(|message| {
                let kind = message["type"].as_str().unwrap_or_default();
                kind.starts_with("AUTH_")
            })
            .await;
    }
    client
        .receive_until(|message| {
            message["destination"] == "/member/fills" && message["payload"].is_array()
        })
        .await;

    heard(&rig, member, 71, &mut client).await;

    let documented = channel()["messages"].as_object().unwrap().keys();
    let documented: BTreeSet<&str> = documented.map(String::as_str).collect();
    assert_eq!(client.exchanged, documented);
}

#[test]
fn each_example_matches_only_its_message_and_no_unknown_field() {
    for sender in [Sender::Client, Sender::Server] {
        for name in document::names(sender) {
            let message = &DOCUMENT["components"]["messages"][name];
            let examples = message["examples"].as_array().unwrap();
            assert!(!examples.is_empty(), "{name}");
            for example in examples {
                assert_eq!(document::message(sender, &example["payload"]), name);
            }
        }
    }
    let closed =
        |schema: &Value| schema["additionalProperties"] == false || schema["properties"].is_null();
    let components = &DOCUMENT["components"];
    for (name, schema) in components["schemas"].as_object().unwrap() {
        assert!(closed(schema), "{name}");
    }
    for (name, message) in components["messages"].as_object().unwrap() {
        assert!(closed(&message["payload"]), "{name}");
    }
}

#[test]
fn documented_limits_are_enforced() {
    let defaults = Config::parse_from(["edge", "--amqp-url=amqp://nowhere"]).timing();
    let enforced = json!({
        "frameBytes": MAX_FRAME_BYTES,
        "codesPerFrame": MAX_CODES_PER_FRAME,
        "codesPerSocket": MAX_CODES_PER_SOCKET,
        "framesPerSecond": Duration::from_secs(1).as_millis() / FRAME_INTERVAL.as_millis(),
        "framesAtOnce": FRAME_BURST,
        "authIntervalMs": AUTH_INTERVAL.as_millis(),
        "authsAtOnce": AUTH_BURST,
        "channelsPerMember": MAX_CHANNELS_PER_MEMBER,
        "channelsPerMinute": CHANNELS_PER_MINUTE,
        "updateIntervalMs": defaults.conflation.as_millis(),
        "popularAfterMs": defaults.defaults_after.as_millis(),
        "silenceMs": defaults.silence.as_millis(),
        "writeLimitMs": defaults.write_limit.as_millis(),
    });
    let limits = channel()["x-limits"].as_object().unwrap();
    let documented = limits
        .iter()
        .map(|(name, limit)| (name.clone(), limit["value"].clone()));
    assert_eq!(Value::Object(documented.collect()), enforced);
    let codes = &DOCUMENT["components"]["schemas"]["Codes"]["maxItems"];
    assert_eq!(*codes, json!(MAX_CODES_PER_FRAME));
}

#[tokio::test]
async fn a_connection_ends_for_every_documented_reason_and_no_other() {
    let with_defaults = Rig::start().await;
    let with_short_timeouts = Rig::start_with(&[
        "--ws-write-limit-ms=300",
        "--ws-silence-ms=1500",
        "--ws-defaults-after-ms=60000",
    ])
    .await;
    let codes = vec!["BTC"; MAX_CODES_PER_FRAME + 1];
    let many = json!({"type": "SUBSCRIBE", "destination": "/coin/realData", "codes": codes});
    let flood = usize::try_from(FRAME_BURST).unwrap() + 1;
    let auths = usize::try_from(AUTH_BURST).unwrap() + 1;
    let cases = [
        (&with_defaults, frame(0x83, b"an opcode nobody defined")),
        (&with_defaults, frame(0x82, b"binary")),
        (&with_defaults, frame(TEXT, b"no message")),
        (&with_defaults, frame(TEXT, many.to_string().as_bytes())),
        (&with_defaults, frame(TEXT, b"ping").repeat(flood)),
        (&with_defaults, frame(TEXT, AUTH).repeat(auths)),
        (&with_defaults, frame(TEXT, &[b'x'; MAX_FRAME_BYTES + 1])),
        // This client never answers the ping that follows its prices.
        (&with_short_timeouts, frame(TEXT, SUBSCRIBE)),
        (&with_short_timeouts, Vec::new()),
    ];
    let closing = cases.into_iter().map(|(rig, bytes)| async move {
        let mut stream = raw(rig).await;
        // The server may have closed before everything is written.
        let _refused_early = stream.write_all(&bytes).await;
        closed_with(&mut stream).await.expect("a close frame")
    });
    let mut seen: BTreeSet<(u16, String)> = join_all(closing).await.into_iter().collect();
    let mut open = raw(&with_defaults).await;
    with_defaults.stop();
    seen.insert(closed_with(&mut open).await.expect("a close frame"));

    let documented = channel()["x-close-codes"].as_array().unwrap().iter();
    let documented = documented.map(|close| {
        let code = close["code"].as_u64().unwrap();
        let reason = close["reason"].as_str().unwrap();
        (u16::try_from(code).unwrap(), reason.to_owned())
    });
    assert_eq!(seen, documented.collect());
}

async fn refusal(rig: &Rig, origin: &str) -> Value {
    let headers = [
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==",
        origin,
    ];
    let answer = send(rig.address, "GET /ws2", &headers).await;
    let body = answer.json();
    json!({"status": answer.status, "code": body["code"], "reason": body["reason"]})
}

/// The refusal of a second socket under `limit`.
async fn refusal_of_second_socket(limit: &str) -> Value {
    let rig = Rig::start_with(&[limit]).await;
    let mut only = None;
    testkit::eventually(SOON, async || {
        // Retried until the server has noticed that the rig's own socket ended.
        only = tokio_tungstenite::connect_async(rig.url()).await.ok();
        only.is_some()
    })
    .await;
    refusal(&rig, "Origin: http://client.test").await
}

#[tokio::test]
async fn a_handshake_is_refused_as_documented() {
    let rig = Rig::start().await;
    let foreign = refusal(&rig, "Origin: http://elsewhere.test").await;
    let greedy = refusal_of_second_socket("--ws-sockets-per-address=1").await;
    let full = refusal_of_second_socket("--ws-max-sockets=1").await;
    let documented = channel()["x-refusals"].as_array().unwrap().iter();
    let documented = documented.cloned().map(|mut refusal| {
        refusal.as_object_mut().unwrap().remove("description");
        refusal
    });
    assert_eq!(
        [foreign, greedy, full][..],
        documented.collect::<Vec<Value>>()
    );
}
