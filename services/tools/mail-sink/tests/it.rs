//! A mail from the SMTP session to the store.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where the world is not as it says"
)]

use std::sync::Arc;

use kernel::SystemClock;
use mail_sink::mail_store::MailStore;
use mail_sink::smtp;
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
