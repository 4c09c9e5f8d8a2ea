//! Plain HTTP: join, login and errors.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::rig::Rig;

/// Generous, for a busy machine.
const SOON: Duration = Duration::from_secs(30);

pub(crate) struct HttpResponse {
    pub(crate) status: u16,
    head: String,
    body: String,
}

impl HttpResponse {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

/// Sends a raw request and reads the response.
pub(crate) async fn send(address: SocketAddr, line: &str, headers: &[&str]) -> HttpResponse {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let mut request = format!("{line} HTTP/1.1\r\nHost: sise.test\r\nContent-Length: 0\r\n");
    if !headers
        .iter()
        .any(|header| header.starts_with("Connection"))
    {
        request.push_str("Connection: close\r\n");
    }
    for header in headers {
        request.push_str(header);
        request.push_str("\r\n");
    }
    request.push_str("\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut response = Vec::new();
    // A server that refuses early may reset the connection after its response.
    let _end = stream.read_to_end(&mut response).await;
    let response = String::from_utf8(response).unwrap();
    let (head, body) = response.split_once("\r\n\r\n").expect("an HTTP response");
    HttpResponse {
        status: head.split(' ').nth(1).unwrap().parse().unwrap(),
        head: head.to_owned(),
        body: body.to_owned(),
    }
}

const LOGIN: &str = "POST /api/v1/auth/login";

#[tokio::test]
async fn login_exchanges_a_main_token_for_a_sise_token() {
    let rig = Rig::start().await;
    let bearer = ["Authorization: Bearer good"];
    let joined = send(rig.address, "POST /api/v1/auth/join", &bearer).await;
    assert_eq!(
        (joined.status, joined.json()),
        (200, json!({"memberSid": 100_000}))
    );
    let login = send(rig.address, LOGIN, &bearer).await;
    assert_eq!(
        login.json(),
        json!({"memberSid": 100_000, "token": "a-sise-token", "expiresIn": 3_600})
    );
    assert_eq!(login.header("cache-control"), Some("no-store"));
}

#[tokio::test]
async fn errors_have_the_documented_codes() {
    let rig = Rig::start().await;
    let trace = "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let long = format!("Authorization: Bearer {}", "x".repeat(8_193));
    let invalid: [&[&str]; 8] = [
        &[],
        &["Authorization: Bearer"],
        &["Authorization: Bearer "],
        &["Authorization: bearer good"],
        &["Authorization: Basic Z29vZA=="],
        &["Authorization: Bearer good", "Authorization: Bearer good"],
        &["Authorization: Bearer forged"],
        &[&long],
    ];
    for headers in invalid {
        let response = send(rig.address, LOGIN, headers).await;
        assert_eq!(response.status, 401, "{headers:?}");
        assert_eq!(response.json()["code"], 1205);
        assert_eq!(response.json()["reason"], "Authentication is invalid");
        assert_eq!(
            response.header("content-type"),
            Some("application/problem+json")
        );
    }
    let response = send(rig.address, LOGIN, &["Authorization: Bearer old", trace]).await;
    assert_eq!(
        (response.status, &response.json()["code"]),
        (401, &json!(1203))
    );
    assert_eq!(response.json()["reason"], "Authentication is expired");
    assert_eq!(
        response.json()["traceId"],
        "0af7651916cd43dd8448eb211c80319c"
    );
    assert_eq!(
        response.header("x-trace-id"),
        Some("0af7651916cd43dd8448eb211c80319c")
    );

    let down = send(rig.address, LOGIN, &["Authorization: Bearer down"]).await;
    assert_eq!((down.status, down.header("retry-after")), (503, Some("1")));
    assert_eq!(send(rig.address, "GET /nothing", &[]).await.status, 404);
    assert_eq!(
        send(rig.address, "GET /api/v1/auth/login", &[])
            .await
            .status,
        405
    );
    assert_eq!(send(rig.address, "DELETE /ws2", &[]).await.status, 405);
    assert_eq!(send(rig.address, "GET /livez", &[]).await.status, 200);
}

#[tokio::test]
async fn a_connection_ends_with_its_answer() {
    let rig = Rig::start().await;
    for line in ["GET /livez", "GET /ws2", "POST /api/v1/auth/login"] {
        let asking = send(rig.address, line, &["Connection: keep-alive"]);
        let answered = tokio::time::timeout(Duration::from_secs(5), asking).await;
        let answer = answered.expect("the edge closes the connection");
        assert_eq!(answer.header("connection"), Some("close"), "{line}");
    }
}

#[tokio::test]
async fn calls_are_limited_per_address() {
    let rig = Rig::start_with(&["--sise-logins-per-minute=3", "--trusted-proxies=1"]).await;
    let from = async |address: &str, path: &str| {
        let forwarded = format!("X-Forwarded-For: 203.0.113.1, {address}");
        let headers = ["Authorization: Bearer good", &forwarded];
        send(rig.address, &format!("POST /api/v1/auth/{path}"), &headers).await
    };
    // The addresses of one IPv6 /64 share a limit, across both calls.
    assert_eq!(from("2001:db8:1:2::1", "join").await.status, 200);
    assert_eq!(from("2001:db8:1:2::2", "login").await.status, 200);
    assert_eq!(from("2001:db8:1:2:ffff::3", "login").await.status, 200);
    let refused = from("2001:db8:1:2::4", "login").await;
    assert_eq!(
        (refused.status, &refused.json()["code"]),
        (429, &json!(9006))
    );
    let wait_s: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=20).contains(&wait_s), "{wait_s}");
    assert_eq!(from("2001:db8:1:3::1", "login").await.status, 200);
    // IPv4 addresses are counted one by one, also when mapped to IPv6.
    for _ in 0..3 {
        assert_eq!(from("::ffff:192.0.2.7", "login").await.status, 200);
    }
    assert_eq!(from("192.0.2.7", "login").await.status, 429);
    assert_eq!(from("::ffff:192.0.2.8", "login").await.status, 200);
}

#[tokio::test]
async fn a_body_is_small_or_refused() {
    let rig = Rig::start().await;
    let head = "POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n";
    let status = async |rest: Vec<u8>| {
        let mut stream = TcpStream::connect(rig.address).await.unwrap();
        let mut response = Vec::new();
        let (mut incoming, mut outgoing) = stream.split();
        let request = [head.as_bytes(), &rest].concat();
        let sending = async {
            let _refused_early = outgoing.write_all(&request).await;
        };
        let reading = tokio::time::timeout(SOON, incoming.read_to_end(&mut response));
        let ((), closed) = tokio::join!(sending, reading);
        let _reset = closed.expect("the edge closes the connection");
        String::from_utf8_lossy(&response)[9..12].to_owned()
    };
    let announced = |length: usize| {
        let mut rest =
            format!("Connection: close\r\nContent-Length: {length}\r\n\r\n").into_bytes();
        rest.resize(rest.len() + length, b'a');
        rest
    };
    let chunked = |length: usize| {
        let mut rest = b"Transfer-Encoding: chunked\r\n\r\n".to_vec();
        rest.extend(format!("{length:x}\r\n").into_bytes());
        rest.resize(rest.len() + length, b'a');
        rest
    };
    assert_eq!(status(announced(64 * 1024)).await, "200");
    assert_eq!(status(announced(64 * 1024 + 1)).await, "413");
    assert_eq!(status(chunked(64 * 1024 + 1)).await, "413");
    assert_eq!(status(chunked(8 << 20)).await, "413");
    // A body that is announced and never sent.
    assert_eq!(status(b"Content-Length: 10\r\n\r\n".to_vec()).await, "408");
}

#[tokio::test]
async fn browsers_of_the_configured_origin_alone_may_call() {
    let rig = Rig::start().await;
    let preflight = "OPTIONS /api/v1/auth/login";
    let asks = "Access-Control-Request-Method: POST";
    let ours = send(
        rig.address,
        preflight,
        &["Origin: http://client.test", asks],
    )
    .await;
    assert_eq!(ours.status, 204);
    assert_eq!(
        ours.header("access-control-allow-origin"),
        Some("http://client.test")
    );
    assert!(
        ours.header("access-control-allow-headers")
            .unwrap()
            .contains("authorization")
    );
    for origin in [
        "http://client.test.evil.test",
        "https://client.test",
        "null",
        "http://client.test:80",
    ] {
        let header = format!("Origin: {origin}");
        let theirs = send(rig.address, preflight, &[&header, asks]).await;
        assert_eq!(
            (theirs.status, theirs.header("access-control-allow-origin")),
            (403, None)
        );
        let call = send(rig.address, LOGIN, &[&header, "Authorization: Bearer good"]).await;
        assert_eq!(call.header("access-control-allow-origin"), None);
    }
}

#[tokio::test]
async fn the_handshake_asks_for_a_websocket_of_a_known_origin() {
    let rig = Rig::start().await;
    let upgrade = [
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==",
    ];
    let with = |origin: &'static str| [&upgrade[..], &[origin]].concat();
    assert_eq!(
        send(rig.address, "GET /ws2", &with("Origin: http://evil.test"))
            .await
            .status,
        403
    );
    assert_eq!(
        send(rig.address, "GET /ws2", &with("Origin: null"))
            .await
            .status,
        403
    );
    assert_eq!(send(rig.address, "GET /ws2", &[]).await.status, 400);
}
