//! Uploading, reading and deleting pictures.

use actix_web::rt::time::sleep;
use reqwest::{Method, RequestBuilder};
use serde_json::json;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tonic::Code;

use crate::fakes::MEMBER;
use crate::requests::{FORM, LARGE_PICTURE, PICTURE, form};
use crate::test_gateway::{TestGateway, answer};

const UPLOAD: &str = "/api/v1/file/upload";

fn upload(gateway: &TestGateway, body: Vec<u8>) -> RequestBuilder {
    upload_of(gateway, MEMBER, body)
}

fn upload_of(gateway: &TestGateway, member: i64, body: Vec<u8>) -> RequestBuilder {
    let request = gateway.request(Method::POST, UPLOAD);
    let request = request.bearer_auth(gateway.token(member));
    request.header("Content-Type", FORM).body(body)
}

#[actix_web::test]
async fn an_upload_is_handed_on_in_messages() {
    let gateway = TestGateway::open().await;
    gateway.scenario.take_business_calls();
    let uploaded = answer(upload(&gateway, form(&vec![7; 1_000_000]))).await;
    assert_eq!(
        uploaded.json(),
        json!({
            "url": format!("/files/{PICTURE}/1920"), "thumbUrl": format!("/files/{PICTURE}/446"),
            "width": 1_920, "height": 1_280, "placeholder": "#aabbcc",
        })
    );
    let calls = gateway.scenario.take_business_calls();
    let expected = "member_id: 100000, length: 1000000, largest: 65536, complete: true";
    assert!(calls[0].contains(expected), "{calls:?}");
}

#[actix_web::test]
async fn what_is_no_form_with_one_file_is_rejected() {
    let gateway = TestGateway::open().await;
    let token = gateway.token(MEMBER);
    let good = form(b"a picture");
    let mut unfinished = good.clone();
    unfinished.truncate(good.len() - 12);
    let two = [&good[..good.len() - 4], &good[b"--between".len()..]].concat();
    for bad in [
        vec![],
        b"--between--\r\n".to_vec(),
        b"x".to_vec(),
        unfinished,
        two,
    ] {
        answer(upload(&gateway, bad))
            .await
            .assert_problem(400, 9001);
    }
    for kind in [
        "application/json",
        "image/jpeg",
        "multipart/mixed; boundary=between",
        "",
    ] {
        let request = gateway.request(Method::POST, UPLOAD).bearer_auth(&token);
        let request = request.header("Content-Type", kind).body(good.clone());
        answer(request).await.assert_problem(415, 9005);
    }
    let packed = upload(&gateway, good).header("Content-Encoding", "gzip");
    answer(packed).await.assert_problem(415, 9005);
    let calls = gateway.scenario.take_business_calls().join("\n");
    assert!(!calls.contains("complete: true"), "{calls}");
}

#[actix_web::test]
async fn a_large_upload_ends_before_it_has_arrived() {
    let gateway = TestGateway::open().await;
    let most = 5 * 1024 * 1024;
    let uploaded = answer(upload(&gateway, form(&vec![7; most]))).await;
    assert!(uploaded.status.is_success(), "{uploaded:?}");
    for length in [most + 1, 6_000_000] {
        let refused = answer(upload(&gateway, form(&vec![7; length]))).await;
        refused.assert_problem(413, 5042);
    }
}

#[actix_web::test]
async fn the_words_of_community_are_passed_on() {
    let gateway = TestGateway::open().await;
    for (code, reason, expected) in [
        (Code::InvalidArgument, "PICTURE_TYPE", (415, 5041)),
        (Code::InvalidArgument, "PICTURE_TOO_LARGE", (413, 5042)),
        (Code::InvalidArgument, "PICTURE_BROKEN", (422, 5043)),
        (Code::ResourceExhausted, "UPLOAD_LIMIT", (429, 5045)),
        (Code::Unavailable, "UNAVAILABLE", (503, 9007)),
    ] {
        let refusal = bootstrap::problem::status(code, reason, "안 돼요", []);
        gateway.scenario.refuse("upload_picture", refusal);
        let refused = answer(upload(&gateway, form(b"a picture"))).await;
        refused.assert_problem(expected.0, expected.1);
    }
}

#[actix_web::test]
async fn two_hundred_uploads_at_once_wait_and_none_is_lost() {
    let gateway = TestGateway::with(&[("rate-limit-per-second", "1000")]).await;
    gateway
        .scenario
        .delay("upload_picture", Duration::from_millis(100));
    let uploads = (0..200).map(|number| {
        let member = MEMBER + number % 25;
        answer(upload_of(&gateway, member, form(&[7; 100_000])))
    });
    for uploaded in futures_util::future::join_all(uploads).await {
        assert!(uploaded.status.is_success(), "{uploaded:?}");
    }
}

#[actix_web::test]
async fn a_member_with_many_uploads_does_not_hold_up_another() {
    let gateway = TestGateway::with(&[("rate-limit-per-second", "1000")]).await;
    gateway
        .scenario
        .delay("upload_picture", Duration::from_millis(500));
    let many = (0..30).map(|_| answer(upload(&gateway, form(&[7; 1_000]))));
    let other = async {
        sleep(Duration::from_millis(200)).await;
        let begun = std::time::Instant::now();
        let uploaded = answer(upload_of(&gateway, MEMBER + 1, form(b"a picture"))).await;
        assert!(uploaded.status.is_success(), "{uploaded:?}");
        assert!(begun.elapsed() < Duration::from_secs(1));
    };
    let (many, ()) = tokio::join!(futures_util::future::join_all(many), other);
    let (stored, rejected): (Vec<_>, Vec<_>) =
        many.iter().partition(|answer| answer.status.is_success());
    assert_eq!(stored.len(), 10);
    for answer in rejected {
        answer.assert_problem(429, 9006);
        assert_ne!(answer.header("retry-after"), "");
    }
}

#[actix_web::test]
async fn a_trickle_is_given_up() {
    trickle(0).await;
}

#[actix_web::test]
async fn a_trickle_behind_most_of_a_picture_is_given_up() {
    trickle(2_000_000).await;
}

/// Sends `at_once`, and then a little a second, which is answered while much more would be sent.
async fn trickle(at_once: usize) {
    let gateway = TestGateway::open().await;
    let head = format!(
        "POST {UPLOAD} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\n\
         Content-Type: {FORM}\r\nContent-Length: {}\r\n\r\n",
        gateway.token(MEMBER),
        at_once + 100_000
    );
    let mut socket = TcpStream::connect(gateway.address).await.unwrap();
    socket.write_all(head.as_bytes()).await.unwrap();
    let body = form(&vec![7; at_once + 99_000]);
    let (first, slow) = body.split_at(at_once);
    socket.write_all(first).await.unwrap();
    let begun = std::time::Instant::now();
    let (mut answer, mut bytes) = ([0; 12], slow.chunks(200));
    let read = loop {
        let chunk = bytes.next().expect("the trickle ends before its body");
        // A closed socket has been answered already.
        let _closed = socket.write_all(chunk).await;
        let read = socket.read_exact(&mut answer);
        if let Ok(read) = tokio::time::timeout(Duration::from_secs(1), read).await {
            break read;
        }
    };
    read.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 408");
    let waited = begun.elapsed();
    assert!((9..25).contains(&waited.as_secs()), "{waited:?}");
}

#[actix_web::test]
async fn a_file_is_cached_for_a_year_and_asked_for_again_by_its_tag() {
    let gateway = TestGateway::open().await;
    let path = format!("/files/{PICTURE}/446");
    let file = gateway.get_anonymously(&path).await;
    assert_eq!(file.status.as_u16(), 200);
    assert_eq!(file.text.len(), 150_000);
    let headers = [
        ("content-type", "image/jpeg"),
        ("content-length", "150000"),
        ("cache-control", "private, max-age=31536000, immutable"),
        ("x-content-type-options", "nosniff"),
        ("set-cookie", ""),
        ("vary", ""),
    ];
    for (name, value) in headers {
        assert_eq!(file.header(name), value, "{name}");
    }
    let tag = file.header("etag").to_owned();
    for given in [
        tag.clone(),
        format!("W/{tag}"),
        format!("\"x\", {tag}"),
        "*".to_owned(),
    ] {
        let request = gateway
            .request(Method::GET, &path)
            .header("If-None-Match", given);
        let known = answer(request).await;
        assert_eq!((known.status.as_u16(), known.text.as_str()), (304, ""));
        assert_eq!(known.header("etag"), tag);
    }
    let hidden = bootstrap::problem::status(Code::NotFound, "PICTURE_NOT_FOUND", "없어요", []);
    gateway.scenario.refuse("read_picture", hidden);
    let request = gateway
        .request(Method::GET, &path)
        .header("If-None-Match", tag);
    answer(request).await.assert_problem(404, 5044);
    for unknown in ["/files/x/1", "/files/x/1920x", "/files/x"] {
        let answer = gateway.get_anonymously(unknown).await;
        assert_eq!(answer.status.as_u16(), 404, "{unknown}");
    }
}

#[actix_web::test]
async fn a_page_of_pictures_is_not_held_up_by_the_limit_of_other_calls() {
    let settings = [
        ("rate-limit-per-minute", "5"),
        ("rate-limit-per-second", "5"),
    ];
    let gateway = TestGateway::with(&settings).await;
    for _ in 0..50 {
        let file = gateway
            .get_anonymously(&format!("/files/{PICTURE}/446"))
            .await;
        assert_eq!(file.status.as_u16(), 200);
    }
}

/// A phone that asks for a large picture and reads nothing of it.
async fn stalled_reader(gateway: &TestGateway) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let mut socket = socket.connect(gateway.address).await.unwrap();
    let head = format!("GET /files/{LARGE_PICTURE}/1920 HTTP/1.1\r\nHost: x\r\n\r\n");
    socket.write_all(head.as_bytes()).await.unwrap();
    socket
}

#[actix_web::test]
async fn phones_that_stop_reading_hold_up_nobody_and_are_given_up() {
    let gateway = TestGateway::with(&[("rate-limit-per-second", "1000")]).await;
    let stalled = (0..60).map(|_| stalled_reader(&gateway));
    let stalled = futures_util::future::join_all(stalled).await;
    sleep(Duration::from_secs(1)).await;
    let path = format!("/files/{PICTURE}/446");
    // As many as have several of them at every worker.
    let files = (0..20).map(|_| {
        let file = gateway.get_anonymously(&path);
        tokio::time::timeout(Duration::from_secs(5), file)
    });
    for file in futures_util::future::join_all(files).await {
        let file = file.expect("a file that is not held up");
        assert_eq!((file.status.as_u16(), file.text.len()), (200, 150_000));
    }
    sleep(Duration::from_secs(11)).await;
    for mut socket in stalled {
        let (mut read, mut chunk) = (0, vec![0; 65_536]);
        while let Ok(count @ 1..) = socket.read(&mut chunk).await {
            read += count;
        }
        assert!(
            read < 16_000_000,
            "{read} bytes of a body that was given up"
        );
    }
}

#[actix_web::test]
async fn a_picture_is_deleted_by_its_url_alone() {
    let gateway = TestGateway::open().await;
    let delete = async |target: &str| {
        let request = gateway.request(Method::POST, "/api/v1/file/delete");
        let request = request.bearer_auth(gateway.token(MEMBER));
        answer(request.json(&json!({"target_image": target}))).await
    };
    gateway.scenario.take_business_calls();
    let url = format!("/files/{PICTURE}/1920");
    assert_eq!(delete(&url).await.json(), json!({"targetImage": url}));
    let calls = gateway.scenario.take_business_calls();
    assert!(
        calls[0].contains(&format!("id: \"{PICTURE}\"")),
        "{calls:?}"
    );
    let missing = bootstrap::problem::status(Code::NotFound, "PICTURE_NOT_FOUND", "없어요", []);
    gateway.scenario.refuse("delete_picture", missing);
    for odd in ["../x", "/etc/passwd", "https://a.example/files/x/1920"] {
        delete(odd).await.assert_problem(404, 5044);
        let calls = gateway.scenario.take_business_calls();
        assert!(calls[0].contains(&format!("id: \"{odd}\"")), "{calls:?}");
    }
    delete(&"x".repeat(301)).await.assert_problem(400, 9001);
}

#[actix_web::test]
async fn a_phone_that_goes_away_gives_its_place_back() {
    let gateway = TestGateway::open().await;
    gateway
        .scenario
        .delay("upload_picture", Duration::from_secs(5));
    let gone = (0..16).map(|number| {
        let upload = upload_of(&gateway, MEMBER + number % 8, form(b"a picture"));
        upload.timeout(Duration::from_millis(300)).send()
    });
    let gone = futures_util::future::join_all(gone).await;
    assert!(gone.iter().all(Result::is_err));
    sleep(Duration::from_millis(200)).await;
    gateway.scenario.delay("upload_picture", Duration::ZERO);
    let uploaded = answer(upload(&gateway, form(b"a picture"))).await;
    assert!(uploaded.status.is_success(), "{uploaded:?}");
}
