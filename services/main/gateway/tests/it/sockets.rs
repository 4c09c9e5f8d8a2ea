//! Raw bytes on connections.

use std::fs::File;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use gateway::routes::endpoints;
use telemetry::LogFormat;
use testkit::TempFolder;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::fakes::MEMBER;
use crate::requests::Sample;
use crate::test_gateway::TestGateway;

/// Long enough for a response on a busy machine.
const SOON: Duration = Duration::from_secs(30);

/// Sends `head` and reads until the gateway closes or nothing comes for `patience`.
async fn exchange(
    gateway: &TestGateway,
    head: &[u8],
    patience: Duration,
) -> (String, Option<Duration>) {
    let mut socket = TcpStream::connect(gateway.address).await.unwrap();
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
    let gateway = TestGateway::open().await;
    let (_, closed) = exchange(&gateway, b"", Duration::from_secs(12)).await;
    let closed = closed.expect("the gateway closes a silent socket");
    assert!(closed < Duration::from_secs(10), "{closed:?}");
}

#[actix_web::test]
async fn a_head_that_never_ends_is_closed() {
    let gateway = TestGateway::open().await;
    let head = b"GET /api/v1/stock/list HTTP/1.1\r\nHost: x\r\nX-A: ";
    let (answer, closed) = exchange(&gateway, head, Duration::from_secs(12)).await;
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
async fn a_body_that_never_ends_is_rejected() {
    let gateway = TestGateway::open().await;
    let token = gateway.token(crate::fakes::MEMBER);
    let head = format!(
        "POST /api/v1/stock/order HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{{\"a\":"
    );
    let (answer, closed) = exchange(&gateway, head.as_bytes(), Duration::from_secs(12)).await;
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
    let (answer, closed) = exchange(&gateway, endless.as_bytes(), Duration::from_secs(4)).await;
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    assert!(
        closed.is_some(),
        "the connection of a refused body is closed"
    );
}

#[actix_web::test]
async fn ambiguous_requests_are_rejected() {
    let gateway = TestGateway::open().await;
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
        let (answer, _) =
            exchange(&gateway, ambiguous.as_bytes(), Duration::from_millis(500)).await;
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
    let (answer, _) = exchange(&gateway, head.as_bytes(), Duration::from_millis(500)).await;
    assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
}

/// The head of a valid request of every route with a body, without its length.
fn heads(gateway: &TestGateway) -> Vec<String> {
    let token = gateway.token(MEMBER);
    let samples = endpoints()
        .into_iter()
        .map(|endpoint| Sample::of(&endpoint.spec, MEMBER))
        .filter(|sample| sample.body.is_some());
    let head = |sample: Sample| {
        format!(
            "{} {} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\n",
            sample.method,
            sample.url()
        )
    };
    samples.map(head).collect()
}

/// The only response on a connection that closes after it: its status, and whether it is a problem.
fn only_answer(answer: &str) -> (u16, bool) {
    assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{answer}");
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let json = serde_json::from_str::<serde_json::Value>(body).unwrap_or_default();
    let whole = ["code", "reason", "message", "traceId"]
        .iter()
        .all(|name| !json[name].is_null());
    (
        status,
        whole && head.to_lowercase().contains("application/problem+json"),
    )
}

#[actix_web::test]
async fn a_content_length_above_the_limit_is_rejected_at_once_on_every_route() {
    let gateway = TestGateway::open().await;
    let asking = heads(&gateway).into_iter().map(|head| {
        let gateway = &gateway;
        async move {
            for length in ["65537", "12582912", "9223372036854775807"] {
                let request = format!("{head}Content-Length: {length}\r\n\r\n{{");
                let (answer, closed) = exchange(gateway, request.as_bytes(), SOON).await;
                assert_eq!(only_answer(&answer), (413, true), "{head}{answer}");
                assert!(closed.is_some(), "{head}");
            }
        }
    });
    join_all(asking).await;
    assert!(gateway.scenario.take_business_calls().is_empty());
}

#[actix_web::test]
async fn an_endless_chunked_body_is_rejected_on_every_route() {
    let gateway = TestGateway::open().await;
    let endless = format!("1000\r\n{}\r\n", "a".repeat(0x1000)).repeat(20);
    let asking = heads(&gateway).into_iter().map(|head| {
        let (gateway, endless) = (&gateway, &endless);
        async move {
            let request = format!("{head}Transfer-Encoding: chunked\r\n\r\n{endless}");
            let (answer, closed) = exchange(gateway, request.as_bytes(), SOON).await;
            // The first chunk may already be invalid JSON.
            assert_eq!(only_answer(&answer), (413, true), "{head}{answer}");
            assert!(closed.is_some(), "{head}");
        }
    });
    join_all(asking).await;
    assert!(gateway.scenario.take_business_calls().is_empty());
}

#[actix_web::test]
async fn a_body_shorter_than_its_content_length_is_rejected_on_every_route() {
    let gateway = TestGateway::open().await;
    let asking = heads(&gateway).into_iter().map(|head| {
        let gateway = &gateway;
        async move {
            let request = format!("{head}Content-Length: 400\r\n\r\n{{\"a\":1}}");
            let (answer, closed) = exchange(gateway, request.as_bytes(), SOON).await;
            assert_eq!(only_answer(&answer), (408, true), "{head}{answer}");
            assert!(closed.is_some(), "{head}");
        }
    });
    join_all(asking).await;
    assert!(gateway.scenario.take_business_calls().is_empty());
}

#[actix_web::test]
async fn compressed_bodies_are_rejected_on_every_route() {
    let gateway = TestGateway::open().await;
    // The start of ten megabytes of spaces, compressed a thousandfold.
    let bomb = [
        0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3, 0xed, 0xc1, 1, 0x0d, 0, 0, 0, 0xc2, 0xa0,
    ];
    let asking = heads(&gateway).into_iter().map(|head| {
        let gateway = &gateway;
        async move {
            for coding in ["gzip", "br", "deflate", "zstd", "gzip, gzip", "identity"] {
                let head = format!(
                    "{head}Content-Encoding: {coding}\r\nContent-Length: {}\r\n\
                     Connection: close\r\n\r\n",
                    bomb.len()
                );
                let request = [head.as_bytes(), &bomb].concat();
                let (answer, _closed) = exchange(gateway, &request, SOON).await;
                assert_eq!(only_answer(&answer), (415, true), "{head}{answer}");
            }
        }
    });
    join_all(asking).await;
    assert!(gateway.scenario.take_business_calls().is_empty());
}

#[actix_web::test]
async fn pipelined_requests_are_separate() {
    let gateway = TestGateway::open().await;
    for head in heads(&gateway) {
        // Request smuggling: the length is two bytes, and the rest looks like another request.
        let request = format!(
            "{head}Content-Length: 2\r\n\r\n{{}}GET /api/v1/member/100000 HTTP/1.1\r\n\
             Host: x\r\nConnection: close\r\n\r\n"
        );
        let (answer, closed) = exchange(&gateway, request.as_bytes(), SOON).await;
        let statuses: Vec<&str> = answer
            .split("HTTP/1.1 ")
            .skip(1)
            .map(|answer| &answer[..3])
            .collect();
        assert_eq!(statuses.len(), 2, "{head}{answer}");
        assert_eq!(statuses[1], "401", "{head}{answer}");
        assert!(closed.is_some(), "{head}");
    }
}

#[actix_web::test]
async fn oversized_and_forged_headers_are_rejected_or_ignored() {
    let gateway = TestGateway::open().await;
    let get = |lines: &str| {
        format!("GET /api/v1/member/100000 HTTP/1.1\r\nHost: x\r\n{lines}Connection: close\r\n\r\n")
    };
    let many: String = (0..90)
        .map(|number| format!("x-{number}: {}\r\n", "a".repeat(1_000)))
        .collect();
    // What the HTTP parser rejects has no body; every other error has a problem.
    for (lines, expected, bare) in [
        (format!("Cookie: {}\r\n", "a".repeat(20_000)), 431, false),
        (many, 431, false),
        (format!("X-A: {}\r\n", "a".repeat(200_000)), 431, true),
        ("X-A: a\rSet-Cookie: b=c\r\n".to_owned(), 400, true),
        ("X A: b\r\n".to_owned(), 400, true),
        (": b\r\n".to_owned(), 400, true),
        ("X-Forwarded-Host: evil.example\r\n".to_owned(), 401, false),
        ("X-Forwarded-For: 127.0.0.1\r\n".to_owned(), 401, false),
        ("X-User-Id: 100000\r\n".to_owned(), 401, false),
        ("X-Original-URL: /livez\r\n".to_owned(), 401, false),
        ("X-Rewrite-URL: /livez\r\n".to_owned(), 401, false),
    ] {
        let (answer, _) = exchange(&gateway, get(&lines).as_bytes(), SOON).await;
        assert_eq!(
            only_answer(&answer),
            (expected, !bare),
            "{lines:.60}: {answer}"
        );
        assert!(!answer.contains("evil.example"), "{answer}");
        assert!(!answer.to_lowercase().contains("set-cookie"), "{answer}");
    }
    for line in [
        "CONNECT evil.example:443",
        "TRACE /livez",
        "GET http://evil.example/livez",
    ] {
        let request = format!("{line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        let (answer, _) = exchange(&gateway, request.as_bytes(), SOON).await;
        assert!(!answer.contains("evil.example"), "{line}: {answer}");
        assert!(!answer.starts_with("HTTP/1.1 5"), "{line}: {answer}");
    }
}

#[actix_web::test]
async fn malformed_http_is_not_logged_as_an_error() {
    let folder = TempFolder::new("log");
    let path = folder.path().join("gateway.log");
    let log = File::create(&path).unwrap();
    let subscriber = telemetry::log::subscriber("gateway", LogFormat::Json, Some("info"), log);
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let gateway = TestGateway::open().await;
    let endless = format!("GET / HTTP/1.1\r\nX-A: {}", "a".repeat(200_000));
    for stranger in [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".as_slice(),
        b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        endless.as_bytes(),
    ] {
        let (answer, closed) = exchange(&gateway, stranger, SOON).await;
        assert!(
            answer.is_empty() || answer.starts_with("HTTP/1.1 4"),
            "{answer}"
        );
        assert!(closed.is_some());
    }
    tracing::error!("An error of ours");
    let log = std::fs::read_to_string(path).unwrap();
    let errors: Vec<&str> = log.lines().filter(|line| line.contains("ERROR")).collect();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].contains("An error of ours"), "{errors:?}");
}
