//! What arrives on the wire before it is a request.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::stage::Stage;

/// Sends `head` and reads until the gateway closes or nothing comes for `patience`.
async fn exchange(stage: &Stage, head: &[u8], patience: Duration) -> (String, Option<Duration>) {
    let mut socket = TcpStream::connect(stage.address).await.unwrap();
    let started = Instant::now();
    let _refused_early = socket.write_all(head).await;
    let mut received = Vec::new();
    let mut chunk = [0_u8; 4096];
    loop {
        match tokio::time::timeout(patience, socket.read(&mut chunk)).await {
            Err(_still_open) => return (String::from_utf8_lossy(&received).into(), None),
            Ok(Ok(0) | Err(_)) => {
                let closed = Some(started.elapsed());
                return (String::from_utf8_lossy(&received).into(), closed);
            }
            Ok(Ok(count)) => received.extend_from_slice(&chunk[..count]),
        }
    }
}

#[actix_web::test]
async fn a_socket_that_never_sends_a_byte_is_closed() {
    let stage = Stage::open().await;
    let (_, closed) = exchange(&stage, b"", Duration::from_secs(12)).await;
    let closed = closed.expect("the gateway closes a silent socket");
    assert!(closed < Duration::from_secs(10), "{closed:?}");
}

#[actix_web::test]
async fn a_head_that_never_ends_is_closed() {
    let stage = Stage::open().await;
    let head = b"GET /api/v1/stock/list HTTP/1.1\r\nHost: x\r\nX-A: ";
    let (answer, closed) = exchange(&stage, head, Duration::from_secs(12)).await;
    assert!(
        closed.is_some_and(|closed| closed < Duration::from_secs(10)),
        "{closed:?}"
    );
    assert!(
        answer.is_empty() || answer.starts_with("HTTP/1.1 408"),
        "{answer}"
    );
}

#[actix_web::test]
async fn a_body_that_never_ends_is_refused() {
    let stage = Stage::open().await;
    let token = stage.token(crate::fakes::MEMBER);
    let head = format!(
        "POST /api/v1/stock/order HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{{\"a\":"
    );
    let (answer, closed) = exchange(&stage, head.as_bytes(), Duration::from_secs(12)).await;
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(
        closed.is_some_and(|closed| closed < Duration::from_secs(10)),
        "{closed:?}"
    );

    let mut endless = format!(
        "POST /api/v1/stock/order HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    );
    for _ in 0..20 {
        endless.push_str(&format!("1000\r\n{}\r\n", "a".repeat(0x1000)));
    }
    let (answer, closed) = exchange(&stage, endless.as_bytes(), Duration::from_secs(4)).await;
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    assert!(
        closed.is_some(),
        "the connection of a refused body is closed"
    );
}

#[actix_web::test]
async fn requests_that_two_servers_could_read_differently_are_refused() {
    let stage = Stage::open().await;
    let rest = "Host: x\r\nContent-Type: application/json\r\n";
    for ambiguous in [
        format!(
            "POST /api/v1/auth/login HTTP/1.1\r\n{rest}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /livez HTTP/1.1\r\nHost: x\r\n\r\n"
        ),
        format!(
            "POST /api/v1/auth/login HTTP/1.1\r\n{rest}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{{}}"
        ),
        format!("POST /api/v1/auth/login HTTP/1.1\r\n{rest}Content-Length: +2\r\n\r\n{{}}"),
        format!(
            "POST /api/v1/auth/login HTTP/1.1\r\n{rest}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"
        ),
        format!(
            "POST /api/v1/auth/login HTTP/1.1\r\n{rest}X-A: b\r\n folded\r\nContent-Length: 2\r\n\r\n{{}}"
        ),
        "GET /livez HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n".to_owned(),
        "GET /livez HTTP/9.9\r\nHost: x\r\n\r\n".to_owned(),
        "\u{0}\u{1}\u{2}garbage\r\n\r\n".to_owned(),
    ] {
        let (answer, _) = exchange(&stage, ambiguous.as_bytes(), Duration::from_millis(500)).await;
        let statuses: Vec<&str> = answer.matches("HTTP/1.1 ").collect();
        assert!(
            statuses.len() <= 1,
            "one answer at most: {ambiguous:?}\n{answer}"
        );
        assert!(!answer.contains("HTTP/1.1 2"), "{ambiguous:?}\n{answer}");
        assert!(!answer.contains("HTTP/1.1 5"), "{ambiguous:?}\n{answer}");
    }
    let many: String = (0..200)
        .map(|number| format!("x-{number}: a\r\n"))
        .collect();
    let head = format!("GET /livez HTTP/1.1\r\nHost: x\r\n{many}\r\n");
    let (answer, _) = exchange(&stage, head.as_bytes(), Duration::from_millis(500)).await;
    assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
}
