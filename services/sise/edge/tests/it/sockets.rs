//! Misbehaving sockets, and many sockets.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async, connect_async};

use crate::rig::{Rig, SOON, bitcoin, tick};

#[tokio::test]
async fn invalid_messages_close_with_their_code() {
    let rig = Rig::start().await;
    let codes: Vec<String> = (0..101).map(|number| format!("C{number}")).collect();
    let too_many = json!({"type": "SUBSCRIBE", "destination": "/coin/realData", "codes": codes});
    let cases = [
        (Message::Text("not json".into()), 1007),
        (Message::Text("{\"type\":\"DROP TABLE\"}".into()), 1007),
        (Message::Text("[".repeat(4_000).into()), 1007),
        (Message::Text(too_many.to_string().into()), 1008),
        (Message::Binary(vec![0, 1, 2].into()), 1003),
        (Message::Text("x".repeat(4_097).into()), 1009),
        (Message::Text("x".repeat(1_000_000).into()), 1009),
    ];
    for (message, code) in cases {
        let mut client = rig.connect().await;
        client.socket.send(message.clone()).await.unwrap();
        let shown = message.to_text().unwrap_or("binary");
        assert_eq!(client.close_code().await, code, "{shown:.40}");
    }
    let mut flooding = rig.connect().await;
    for _ in 0..11 {
        flooding.send(json!({"type": "ping"})).await;
    }
    assert_eq!(flooding.close_code().await, 1008);
    let mut greedy = rig.connect().await;
    for hundred in 0..4 {
        let codes: Vec<String> = (0..100)
            .map(|number| format!("C{}", hundred * 100 + number))
            .collect();
        let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
        greedy.subscribe("/coin/realData", &codes).await;
    }
    assert_eq!(greedy.close_code().await, 1008);
}

/// Opens a websocket by hand, to write invalid frames.
pub(crate) async fn raw(rig: &Rig) -> TcpStream {
    let mut stream = TcpStream::connect(rig.address).await.unwrap();
    let request = format!(
        "GET /ws2 HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==\r\n\r\n",
        rig.address
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    assert!(head.starts_with(b"HTTP/1.1 101"));
    stream
}

#[tokio::test]
async fn broken_frames_are_protocol_errors() {
    let rig = Rig::start().await;
    let masked = |opcode: u8, body: &[u8]| {
        let length = 0x80 | u8::try_from(body.len()).unwrap();
        [&[opcode, length, 0, 0, 0, 0][..], body].concat()
    };
    let cases = [
        (b"\x81\x04ping".to_vec(), 1002, "not masked"),
        (masked(0x83, b"x"), 1002, "an opcode nobody defined"),
        (masked(0x80, b"x"), 1002, "a continuation of nothing"),
        (masked(0x81, b"\xff\xfe"), 1007, "text that is no UTF-8"),
    ];
    for (frame, code, what) in cases {
        let mut stream = raw(&rig).await;
        stream.write_all(&frame).await.unwrap();
        let mut answer = Vec::new();
        let reading = tokio::time::timeout(SOON, stream.read_to_end(&mut answer));
        let _end = reading.await.expect("the server ends the connection");
        let close = answer.windows(4).find(|bytes| bytes[0] == 0x88);
        let close = close.unwrap_or_else(|| panic!("{what}: no close frame in {answer:?}"));
        assert_eq!(u16::from_be_bytes([close[2], close[3]]), code, "{what}");
    }
}

#[tokio::test]
async fn a_stalled_client_is_closed_and_delays_no_other() {
    let rig = Rig::start_with(&["--ws-write-limit-ms=2000"]).await;
    let mut stalled = Vec::new();
    for _ in 0..20 {
        let mut client = rig.connect().await;
        client.subscribe("/coin/realData", &["BTC"]).await;
        stalled.push(client);
    }
    let mut healthy = rig.connect().await;
    healthy.subscribe("/coin/realData", &["BTC"]).await;
    healthy.prices("/coin/realData").await;
    let mut worst = Duration::ZERO;
    for seq in 11..=40 {
        rig.publish(vec![bitcoin(seq, seq)]).await;
        let published = Instant::now();
        loop {
            let frame = healthy.prices("/coin/realData").await;
            if frame["payload"][0]["tick_seq"] == seq {
                break;
            }
        }
        worst = worst.max(published.elapsed());
    }
    assert!(worst < Duration::from_secs(1), "{worst:?}");
    // They answered no ping, so each must have been closed.
    for mut client in stalled {
        let mut frames = 0;
        let code = loop {
            match client.socket.next().await {
                Some(Ok(Message::Close(Some(frame)))) => break u16::from(frame.code),
                Some(Ok(Message::Text(text))) => frames += usize::from(text.contains("payload")),
                Some(Ok(_)) => {}
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(code, 1008);
        assert!(
            frames <= 1,
            "one group of frames was in flight, not {frames}"
        );
    }
}

#[tokio::test]
async fn a_client_that_reads_late_gets_the_newest_value() {
    let rig = Rig::start().await;
    let mut client = rig.connect().await;
    client.subscribe("/coin/realData", &["BTC"]).await;
    for seq in 11..=60 {
        rig.publish(vec![bitcoin(seq, seq)]).await;
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let mut last = 0;
    let mut frames = 0;
    while last < 60 {
        let frame = client.prices("/coin/realData").await;
        last = frame["payload"][0]["tick_seq"].as_i64().unwrap();
        frames += 1;
    }
    assert!(frames <= 3, "{frames}");
}

#[tokio::test]
async fn silence_ends_a_connection() {
    let rig = Rig::start_with(&["--ws-silence-ms=700", "--ws-defaults-after-ms=60000"]).await;
    let mut client = rig.connect().await;
    assert_eq!(client.close_code().await, 1001);
}

#[tokio::test]
async fn a_stopping_edge_closes_with_1001() {
    let rig = Rig::start().await;
    let mut client = rig.connect().await;
    client.subscribe("/coin/realData", &["BTC"]).await;
    client.prices("/coin/realData").await;
    rig.stop();
    assert_eq!(client.close_code().await, 1001);
    testkit::eventually(SOON, async || {
        TcpStream::connect(rig.address).await.is_err()
    })
    .await;
}

#[tokio::test]
async fn handshakes_and_sockets_have_a_limit() {
    let rig = Rig::start_with(&["--ws-handshakes-per-s=5", "--ws-max-sockets=1000"]).await;
    let attempts = (0..20).map(|_| async { connect_async(rig.url()).await.is_ok() });
    let opened = join_all(attempts)
        .await
        .into_iter()
        .filter(|opened| *opened)
        .count();
    assert!((1..=7).contains(&opened), "{opened}");
    let rig = Rig::start_with(&["--ws-max-sockets=3"]).await;
    let mut sockets = Vec::new();
    testkit::eventually(SOON, async || {
        if let Ok((socket, _)) = connect_async(rig.url()).await {
            sockets.push(socket);
        }
        sockets.len() == 3
    })
    .await;
    let refused = tokio::time::timeout(Duration::from_secs(1), connect_async(rig.url())).await;
    assert!(!matches!(refused, Ok(Ok(_))));
}

/// Connects from another local address.
async fn open_from(rig: &Rig, address: &str) -> Result<WebSocketStream<TcpStream>, Error> {
    let socket = TcpSocket::new_v4().unwrap();
    socket
        .bind(format!("{address}:0").parse().unwrap())
        .unwrap();
    let stream = socket.connect(rig.address).await.unwrap();
    let (socket, _) = client_async(rig.url(), stream).await?;
    Ok(socket)
}

fn is_rate_limited(opened: &Result<WebSocketStream<TcpStream>, Error>) -> bool {
    let Err(Error::Http(answer)) = opened else {
        return false;
    };
    answer.status() == 429 && answer.headers().contains_key("retry-after")
}

#[tokio::test]
async fn sockets_of_one_address_leave_room_for_another() {
    let rig = Rig::start_with(&["--ws-sockets-per-address=3"]).await;
    let mut greedy = Vec::new();
    for _ in 0..3 {
        greedy.push(open_from(&rig, "127.0.0.2").await.unwrap());
    }
    assert!(is_rate_limited(&open_from(&rig, "127.0.0.2").await));
    open_from(&rig, "127.0.0.3").await.unwrap();
    drop(greedy.pop());
    testkit::eventually(SOON, async || open_from(&rig, "127.0.0.2").await.is_ok()).await;
}

#[tokio::test]
async fn handshakes_of_one_address_leave_some_to_another() {
    let limits = [
        "--ws-handshakes-per-s=20",
        "--ws-handshakes-per-address-per-s=2",
    ];
    let rig = Rig::start_with(&limits).await;
    let attempts = join_all((0..200).map(|_| open_from(&rig, "127.0.0.2"))).await;
    assert!(attempts.iter().any(is_rate_limited));
    open_from(&rig, "127.0.0.3").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_sockets_all_see_the_final_value() {
    const SOCKETS: usize = 1_000;
    let limits = [
        "--ws-handshakes-per-s=5000",
        "--ws-handshakes-per-address-per-s=5000",
    ];
    let rig = Rig::start_with(&limits).await;
    let mut clients = Vec::new();
    for _ in 0..SOCKETS {
        let mut client = rig.connect().await;
        client
            .subscribe("/coin/realData", &["BTC", "C1", "C2"])
            .await;
        clients.push(client);
    }
    let watching = clients.into_iter().map(|mut client| {
        tokio::spawn(async move {
            let mut last = 0;
            while last < 50 {
                let frame = client.prices("/coin/realData").await;
                for value in frame["payload"].as_array().unwrap() {
                    if value["isu_srt_cd"] == "BTC" {
                        let seq = value["tick_seq"].as_i64().unwrap();
                        assert!(seq > last);
                        last = seq;
                    }
                }
            }
        })
    });
    let watching: Vec<_> = watching.collect();
    for seq in 11..=50 {
        let coins = ["C1", "C2"].map(|code| tick(code, proto::common::v1::Market::Coin, seq, seq));
        rig.publish([vec![bitcoin(seq, seq)], coins.to_vec()].concat())
            .await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    for watched in watching {
        tokio::time::timeout(SOON, watched).await.unwrap().unwrap();
    }
}

/// Resident memory of this process in bytes.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: u64 = status.split(' ').nth(1).unwrap().parse().unwrap();
    pages * 4_096
}

#[tokio::test]
async fn frames_that_claim_a_gigabyte_fill_no_memory() {
    let rig = Rig::start_with(&["--ws-handshakes-per-address-per-s=500"]).await;
    let mut sockets = Vec::new();
    for _ in 0..500 {
        sockets.push(raw(&rig).await);
    }
    let before = resident();
    let header = [&b"\x81\xff"[..], &(1_u64 << 30).to_be_bytes(), &[0; 4]].concat();
    let piece = [b'x'; 4_096];
    for stream in &mut sockets {
        stream.write_all(&header).await.unwrap();
        for _ in 0..64 {
            // The server may close before everything is written.
            let written = tokio::time::timeout(Duration::from_millis(20), stream.write_all(&piece));
            if !matches!(written.await, Ok(Ok(()))) {
                break;
            }
        }
    }
    let grown = resident().saturating_sub(before);
    assert!(grown <= 16 << 20, "{grown} bytes more");
}
