//! A mail from the SMTP session to the store, and pushes on the page beside it.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where the world is not as it says"
)]

use std::sync::Arc;

use kernel::SystemClock;
use mail_sink::mail_store::MailStore;
use mail_sink::push_store::PushStore;
use mail_sink::{pages, smtp};
use reqwest::Client;
use serde_json::{Value, json};
use testkit::TempFolder;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

async fn command(socket: &mut BufReader<TcpStream>, line: &str) -> String {
    socket.write_all(line.as_bytes()).await.unwrap();
    let mut reply = String::new();
    socket.read_line(&mut reply).await.unwrap();
    reply
}

#[tokio::test]
async fn a_mail_is_stored_unchanged() {
    let folder = TempFolder::new("mail-sink");
    let mail_store = MailStore::open(folder.path().to_owned(), Arc::new(SystemClock)).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    let serving = tokio::spawn(smtp::serve(listener, mail_store.clone(), stop.clone()));

    let mut socket = BufReader::new(TcpStream::connect(address).await.unwrap());
    assert!(command(&mut socket, "").await.starts_with("220"));
    assert!(
        command(&mut socket, "HELO here\r\n")
            .await
            .starts_with("250")
    );
    assert!(command(&mut socket, "DATA\r\n").await.starts_with("503"));
    assert!(
        command(&mut socket, "STARTTLS\r\n")
            .await
            .starts_with("502")
    );
    for line in ["MAIL FROM:<a@b.kr>\r\n", "RCPT TO:<x@y.kr>\r\n"] {
        assert!(command(&mut socket, line).await.starts_with("250"));
    }
    assert!(command(&mut socket, "DATA\r\n").await.starts_with("354"));
    let mail = "To: x@y.kr\r\nSubject: =?utf-8?B?7Iuc65Oc7JeF?=\r\n\r\none\r\n..two\r\n.\r\n";
    assert!(command(&mut socket, mail).await.starts_with("250"));
    assert!(command(&mut socket, "QUIT\r\n").await.starts_with("221"));

    let mails = mail_store.newest().await.unwrap();
    let [mail] = mails.as_slice() else {
        panic!("one mail: {mails:?}");
    };
    assert_eq!(mail.to, ["x@y.kr"]);
    assert_eq!(mail.subject, "시드업");
    assert_eq!(mail.text, "one\r\n.two\r\n");
    assert_eq!(mail_store.mail(&mail.id).await.as_ref(), Some(mail));
    for id in ["", "..", "../../etc/passwd", "nothing"] {
        assert_eq!(mail_store.mail(id).await, None, "{id}");
    }
    stop.cancel();
    serving.await.unwrap();
}

fn push(delivery: i64, member: i64, title: &str) -> Value {
    json!({
        "deliverySid": delivery, "memberSid": member, "kinds": ["WEB", "FCM"], "type": "FILL",
        "title": title, "body": "삼성전자 3주를 샀어요", "link": "/my/orders", "tag": "a-tag",
        "urgent": true,
    })
}

#[actix_web::test]
async fn pushes_are_shown_beside_the_mails() {
    let folder = TempFolder::new("push-sink");
    let clock = Arc::new(SystemClock);
    let mails = MailStore::open(folder.path().to_owned(), clock.clone()).unwrap();
    let pushes = PushStore::open(folder.path().join("pushes"), clock).unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let stop = CancellationToken::new();
    let page = actix_web::rt::spawn(pages::serve(listener, mails, pushes, stop.clone()));

    let _installed = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder().no_proxy().build().unwrap();
    let post = |body: &Value| client.post(format!("{origin}/pushes")).json(body).send();
    for body in [
        push(1, 100_000, "체결됐어요"),
        push(2, 100_001, "<b>댓글</b>"),
        // A repetition after a crash.
        push(1, 100_000, "체결됐어요"),
    ] {
        assert_eq!(post(&body).await.unwrap().status(), 204);
    }
    let too_large = push(3, 100_000, &"가".repeat(16 * 1024));
    assert_eq!(post(&too_large).await.unwrap().status(), 413);
    assert_eq!(post(&json!({"title": "x"})).await.unwrap().status(), 400);
    // What a page of another site can post without being asked first.
    let plain = client
        .post(format!("{origin}/pushes"))
        .body(push(4, 1, "x").to_string());
    assert!(plain.send().await.unwrap().status().is_client_error());

    let text = async |path: &str| {
        let answer = client.get(format!("{origin}{path}")).send().await.unwrap();
        answer.text().await.unwrap()
    };
    let listed: Value = serde_json::from_str(&text("/pushes.json").await).unwrap();
    assert_eq!(listed.as_array().unwrap().len(), 2);
    let of_member: Value = serde_json::from_str(&text("/pushes.json?member=100000").await).unwrap();
    assert_eq!(of_member, json!([push(1, 100_000, "체결됐어요")]));
    let shown = text("/").await;
    assert!(shown.contains("받은 메일") && shown.contains("<b>체결됐어요</b>"));
    assert!(shown.contains("&lt;b&gt;댓글&lt;/b&gt;"), "{shown}");
    stop.cancel();
    page.await.unwrap().unwrap();
}
