//! Invalid frames close their own connection with the documented code, and no other.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::rig::{Rig, SOON, bitcoin};
use crate::sockets::raw;

/// A client frame masked with zeros; `first` holds flags and opcode.
pub(crate) fn frame(first: u8, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let mut frame = vec![first];
    match (u8::try_from(length), u16::try_from(length)) {
        (Ok(short), _) if short < 126 => frame.push(0x80 | short),
        (_, Ok(medium)) => {
            frame.push(0x80 | 126);
            frame.extend(medium.to_be_bytes());
        }
        _ => {
            frame.push(0x80 | 127);
            frame.extend(u64::try_from(length).unwrap().to_be_bytes());
        }
    }
    frame.extend([0; 4]);
    frame.extend(body);
    frame
}

async fn close_code(stream: &mut TcpStream) -> Option<u16> {
    closed_with(stream).await.map(|(code, _)| code)
}

/// Code and reason of the close frame, skipping the prices before it. Server frames have no mask.
pub(crate) async fn closed_with(stream: &mut TcpStream) -> Option<(u16, String)> {
    let mut answer = Vec::new();
    let reading = tokio::time::timeout(SOON, stream.read_to_end(&mut answer));
    // A reset after the close frame is fine.
    let _end = reading.await.expect("the server ends the connection");
    let mut rest = answer.as_slice();
    while let [first, length, after @ ..] = rest {
        let (length, after) = match (length, after) {
            (126, [high, low, after @ ..]) => (u16::from_be_bytes([*high, *low]).into(), after),
            (127, _) => panic!("nothing so long is sent"),
            (short, after) => (usize::from(*short), after),
        };
        let (body, after) = after.split_at_checked(length)?;
        if *first == 0x88 {
            let (code, reason) = body.split_first_chunk()?;
            let reason = String::from_utf8(reason.to_vec()).unwrap();
            return Some((u16::from_be_bytes(*code), reason));
        }
        rest = after;
    }
    None
}

#[tokio::test]
async fn broken_frames_end_their_own_connection_and_no_other() {
    let rig = Rig::start().await;
    let mut healthy = rig.connect().await;
    healthy.subscribe("/coin/realData", &["BTC"]).await;
    healthy.prices("/coin/realData").await;

    let codes: Vec<String> = (0..5_000).map(|number| format!("C{number}")).collect();
    let subscription = serde_json::json!({
        "type": "SUBSCRIBE", "destination": "/coin/realData", "codes": codes,
    });
    let text = b"{\"type\":\"ping\"}";
    let mut wrong = Vec::new();
    for (what, bytes, code) in [
        ("a ping in parts", frame(0x09, b"x"), 1002),
        ("a ping of 126 bytes", frame(0x89, &[b'x'; 126]), 1002),
        ("an opcode of the future", frame(0x8b, b"x"), 1002),
        ("an opcode of data of the future", frame(0x87, b"x"), 1002),
        (
            "a text within a text",
            [frame(0x01, b"{"), frame(0x81, text)].concat(),
            1002,
        ),
        (
            "half a letter at the end of a text",
            [frame(0x01, b"\xed"), frame(0x80, b"\x95")].concat(),
            1007,
        ),
        ("a surrogate", frame(0x81, b"\"\xed\xa0\x80\""), 1007),
        (
            "a byte order mark",
            frame(0x81, b"\xef\xbb\xbf{\"type\":\"ping\"}"),
            1007,
        ),
        ("a zero", frame(0x81, b"{\"type\":\"ping\0\"}"), 1007),
        ("no message", frame(0x81, b""), 1007),
        ("two messages", frame(0x81, b"{\"type\":\"ping\"}{}"), 1007),
        (
            "bytes in parts",
            [frame(0x02, b"a"), frame(0x80, b"b")].concat(),
            1003,
        ),
        (
            "a text that grows by parts",
            [frame(0x01, &[b'x'; 3_000]), frame(0x80, &[b'x'; 3_000])].concat(),
            1009,
        ),
        (
            "a header that claims a gigabyte",
            [&b"\x81\xff"[..], &(1_u64 << 30).to_be_bytes(), &[0; 4]].concat(),
            1009,
        ),
        (
            "a header that claims 4,097 bytes",
            [&b"\x81\xfe"[..], &4_097_u16.to_be_bytes(), &[0; 4]].concat(),
            1009,
        ),
        (
            "a text in parts without end",
            [frame(0x01, b""), frame(0x00, b"").repeat(200)].concat(),
            1008,
        ),
        ("a flood of pongs", frame(0x8a, b"x").repeat(200), 1008),
        (
            "5,000 codes",
            frame(0x81, subscription.to_string().as_bytes()),
            1009,
        ),
        ("a flood of pings", frame(0x89, b"x").repeat(200), 1008),
        ("a flood of messages", frame(0x81, text).repeat(200), 1008),
    ] {
        let mut stream = raw(&rig).await;
        // The server may close before everything is written.
        let _refused_early = stream.write_all(&bytes).await;
        let closed = close_code(&mut stream).await;
        if closed != Some(code) {
            wrong.push(format!("{what}: {closed:?} instead of {code}"));
        }
    }

    assert!(wrong.is_empty(), "{wrong:#?}");

    rig.publish(vec![bitcoin(11, 77)]).await;
    loop {
        let frame = healthy.prices("/coin/realData").await;
        if frame["payload"][0]["tick_seq"] == 11 {
            break;
        }
    }
}
