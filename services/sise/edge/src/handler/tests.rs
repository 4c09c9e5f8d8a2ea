use super::*;
use clap::Parser;
use kernel::SystemClock;
use parking_lot::Mutex;
use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tokio_util::sync::CancellationToken;

use crate::config::Config;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Sent {
    Text(String),
    Ping(Vec<u8>),
    Pong(Vec<u8>),
    Close(Close),
}

/// Keeps what it is given; takes nothing at all when it is stalled.
#[derive(Clone, Default)]
struct MockSession {
    sent: Arc<Mutex<Vec<Sent>>>,
    is_stalled: bool,
}

impl MockSession {
    async fn take(&self, sent: Sent) -> Result<(), String> {
        if self.is_stalled && !matches!(sent, Sent::Close(_)) {
            std::future::pending::<()>().await;
        }
        self.sent.lock().push(sent);
        Ok(())
    }

    fn texts(&self) -> Vec<serde_json::Value> {
        let sent = self.sent.lock();
        let texts = sent.iter().filter_map(|sent| match sent {
            Sent::Text(text) => serde_json::from_str(text).ok(),
            Sent::Ping(_) | Sent::Pong(_) | Sent::Close(_) => None,
        });
        texts.collect()
    }
}

impl Session for MockSession {
    type Gone = String;

    async fn text(&mut self, text: &str) -> Result<(), String> {
        self.take(Sent::Text(text.to_owned())).await
    }

    async fn texts_and_ping(&mut self, texts: &[String], ping: &[u8]) -> Result<(), String> {
        for text in texts {
            self.text(text).await?;
        }
        self.take(Sent::Ping(ping.to_vec())).await
    }

    async fn pong(&mut self, payload: &[u8]) -> Result<(), String> {
        self.take(Sent::Pong(payload.to_vec())).await
    }

    async fn close(self, close: Close) {
        let _kept = self.take(Sent::Close(close)).await;
    }
}

type Message = Result<Heard, ProtocolError>;

fn edge(shutdown: &CancellationToken) -> Arc<Edge> {
    let config = Config::parse_from([
        "edge",
        "--amqp-url=amqp://127.0.0.1:1/%2f",
        "--ws-write-limit-ms=300",
        "--ws-defaults-after-ms=60000",
    ]);
    let edge = Edge::build(&config, Arc::new(SystemClock), shutdown.clone()).unwrap();
    let slot = edge.board.slot("BTC", Destination::Coin);
    edge.board.put(&slot, 1, "1".into());
    Arc::new(edge)
}

fn text(text: &str) -> Message {
    Ok(Heard::Text(text.into()))
}

const SUBSCRIBE: &str = r#"{"type":"SUBSCRIBE","destination":"/coin/realData","codes":["BTC"]}"#;

/// Feeds `messages` to a connection and returns what it sent until it ended by itself.
async fn converse(messages: Vec<Message>) -> Vec<Sent> {
    let shutdown = CancellationToken::new();
    let session = MockSession::default();
    let (sender, receiver) = mpsc::unbounded_channel();
    for message in messages {
        sender.send(message).unwrap();
    }
    let serving = serve(
        edge(&shutdown),
        session.clone(),
        UnboundedReceiverStream::new(receiver),
    );
    tokio::time::timeout(Duration::from_secs(5), serving)
        .await
        .expect("the connection ends");
    session.sent.lock().clone()
}

#[tokio::test]
async fn garbage_closes_with_the_code_it_deserves() {
    let cases: Vec<(Vec<Message>, Close, u16)> = vec![
        (vec![text("{]")], Close::Unreadable, 1007),
        (vec![Ok(Heard::Binary)], Close::Binary, 1003),
        (vec![Err(ProtocolError::Overflow)], Close::TooBig, 1009),
        (vec![Err(ProtocolError::BadOpCode)], Close::Protocol, 1002),
        (
            vec![Err(ProtocolError::UnmaskedFrame)],
            Close::Protocol,
            1002,
        ),
        (
            vec![Err(ProtocolError::ContinuationNotStarted)],
            Close::Protocol,
            1002,
        ),
        (
            (0..11).map(|_| text("ping")).collect(),
            Close::TooFast,
            1008,
        ),
        (
            (0..11).map(|_| Ok(Heard::Ping("x".into()))).collect(),
            Close::TooFast,
            1008,
        ),
    ];
    for (messages, close, code) in cases {
        let sent = converse(messages).await;
        assert_eq!(sent.last(), Some(&Sent::Close(close)));
        assert_eq!(close.code(), code);
        assert!(close.reason().len() <= 123);
    }
}

#[tokio::test]
async fn pings_are_answered_and_prices_wait_for_the_pong() {
    let shutdown = CancellationToken::new();
    let session = MockSession::default();
    let edge = edge(&shutdown);
    let (sender, receiver) = mpsc::unbounded_channel();
    let serving = serve(
        edge.clone(),
        session.clone(),
        UnboundedReceiverStream::new(receiver),
    );
    let conversing = async {
        sender.send(text(r#"{"type":"ping"}"#)).unwrap();
        sender.send(Ok(Heard::Ping("hello".into()))).unwrap();
        sender.send(text(SUBSCRIBE)).unwrap();
        let soon = Duration::from_secs(3);
        testkit::eventually(soon, async || session.texts().len() == 2).await;
        let texts = session.texts();
        assert_eq!(texts[0]["type"], "pong");
        assert_eq!(texts[1]["payload"], serde_json::json!([1]));
        assert!(session.sent.lock().contains(&Sent::Pong(b"hello".to_vec())));

        let slot = edge.board.find("BTC").unwrap();
        edge.board.put(&slot, 2, "2".into());
        edge.board.announce(Destination::Coin);
        tokio::time::sleep(Duration::from_millis(250)).await;
        assert_eq!(
            session.texts().len(),
            2,
            "the first group is still in flight"
        );
        let ping = session
            .sent
            .lock()
            .iter()
            .rev()
            .find_map(|sent| match sent {
                Sent::Ping(payload) => Some(payload.clone()),
                Sent::Text(_) | Sent::Pong(_) | Sent::Close(_) => None,
            });
        sender.send(Ok(Heard::Pong(ping.unwrap().into()))).unwrap();
        testkit::eventually(soon, async || session.texts().len() == 3).await;
        assert_eq!(session.texts()[2]["payload"], serde_json::json!([2]));
        shutdown.cancel();
    };
    tokio::join!(serving, conversing);
    assert_eq!(
        session.sent.lock().last(),
        Some(&Sent::Close(Close::GoingAway))
    );
}

#[tokio::test]
async fn a_client_that_takes_nothing_is_closed_at_the_write_limit() {
    for is_stalled in [true, false] {
        let shutdown = CancellationToken::new();
        let session = MockSession {
            is_stalled,
            ..MockSession::default()
        };
        let (sender, receiver) = mpsc::unbounded_channel();
        sender.send(text(SUBSCRIBE)).unwrap();
        let messages = UnboundedReceiverStream::new(receiver);
        let started = Instant::now();
        // One takes no frame, the other takes it and never answers the ping behind it.
        serve(edge(&shutdown), session.clone(), messages).await;
        assert!(started.elapsed() < Duration::from_secs(2));
        assert_eq!(
            session.sent.lock().last(),
            Some(&Sent::Close(Close::TooSlow))
        );
    }
}

#[tokio::test]
async fn a_forged_token_is_refused_and_prices_go_on() {
    let shutdown = CancellationToken::new();
    let session = MockSession::default();
    let (sender, receiver) = mpsc::unbounded_channel();
    sender
        .send(text(r#"{"type":"AUTH","token":"e30.e30.e30"}"#))
        .unwrap();
    sender.send(text(SUBSCRIBE)).unwrap();
    let serving = serve(
        edge(&shutdown),
        session.clone(),
        UnboundedReceiverStream::new(receiver),
    );
    let conversing = async {
        let soon = Duration::from_secs(3);
        testkit::eventually(soon, async || session.texts().len() == 2).await;
        let texts = session.texts();
        let refusal = texts
            .iter()
            .find(|text| text["type"] == "AUTH_ERROR")
            .unwrap();
        assert_eq!(refusal["code"], 1205);
        assert_eq!(refusal["reason"], "Authentication is invalid");
        drop(sender);
    };
    tokio::join!(serving, conversing);
    let closes = session
        .sent
        .lock()
        .iter()
        .any(|sent| matches!(sent, Sent::Close(_)));
    assert!(!closes, "a client that left needs no close frame");
}
