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

/// Records what is sent; with `is_stalled`, accepts nothing but the close.
#[derive(Clone, Default)]
struct MockSink {
    sent: Arc<Mutex<Vec<Sent>>>,
    is_stalled: bool,
}

impl MockSink {
    async fn record(&self, sent: Sent) -> Result<(), String> {
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

impl SocketSink for MockSink {
    type Error = String;

    async fn text(&mut self, text: &str) -> Result<(), String> {
        self.record(Sent::Text(text.to_owned())).await
    }

    async fn texts_and_ping(&mut self, texts: &[String], ping: &[u8]) -> Result<(), String> {
        for text in texts {
            self.text(text).await?;
        }
        self.record(Sent::Ping(ping.to_vec())).await
    }

    async fn pong(&mut self, payload: &[u8]) -> Result<(), String> {
        self.record(Sent::Pong(payload.to_vec())).await
    }

    async fn close(self, close: Close) {
        let _kept = self.record(Sent::Close(close)).await;
    }
}

type Message = Result<ClientFrame, ProtocolError>;

fn edge(shutdown: &CancellationToken) -> Arc<Edge> {
    let config = Config::parse_from([
        "edge",
        "--amqp-url=amqp://127.0.0.1:1/%2f",
        "--ws-write-limit-ms=300",
        "--ws-defaults-after-ms=60000",
    ]);
    let edge = Edge::build(&config, Arc::new(SystemClock), shutdown.clone()).unwrap();
    edge.state.set_stale(false);
    let slot = edge.cache.slot("BTC", Destination::Coin);
    edge.cache.update(&slot, (1, 0), "1".into());
    Arc::new(edge)
}

fn text(text: &str) -> Message {
    Ok(ClientFrame::Text(text.into()))
}

const SUBSCRIBE: &str = r#"{"type":"SUBSCRIBE","destination":"/coin/realData","codes":["BTC"]}"#;

/// Feeds `messages` to a connection and returns what it sent until it ended.
async fn run_connection(messages: Vec<Message>) -> Vec<Sent> {
    let shutdown = CancellationToken::new();
    let sink = MockSink::default();
    let (sender, receiver) = mpsc::unbounded_channel();
    for message in messages {
        sender.send(message).unwrap();
    }
    let serving = serve(
        edge(&shutdown),
        sink.clone(),
        UnboundedReceiverStream::new(receiver),
    );
    tokio::time::timeout(Duration::from_secs(5), serving)
        .await
        .expect("the connection ends");
    sink.sent.lock().clone()
}

#[tokio::test]
async fn invalid_frames_close_with_their_code() {
    let cases: Vec<(Vec<Message>, Close, u16)> = vec![
        (vec![text("{]")], Close::InvalidMessage, 1007),
        (vec![Ok(ClientFrame::Binary)], Close::Binary, 1003),
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
            (0..11).map(|_| Ok(ClientFrame::Ping("x".into()))).collect(),
            Close::TooFast,
            1008,
        ),
    ];
    for (messages, close, code) in cases {
        let sent = run_connection(messages).await;
        assert_eq!(sent.last(), Some(&Sent::Close(close)));
        assert_eq!(close.code(), code);
        assert!(close.reason().len() <= 123);
    }
}

#[tokio::test]
async fn pings_are_answered_and_prices_wait_for_the_pong() {
    let shutdown = CancellationToken::new();
    let sink = MockSink::default();
    let edge = edge(&shutdown);
    let (sender, receiver) = mpsc::unbounded_channel();
    let serving = serve(
        edge.clone(),
        sink.clone(),
        UnboundedReceiverStream::new(receiver),
    );
    let driving = async {
        sender.send(text(r#"{"type":"ping"}"#)).unwrap();
        sender.send(Ok(ClientFrame::Ping("hello".into()))).unwrap();
        sender.send(text(SUBSCRIBE)).unwrap();
        let soon = Duration::from_secs(3);
        testkit::eventually(soon, async || sink.texts().len() == 2).await;
        let texts = sink.texts();
        assert_eq!(texts[0]["type"], "pong");
        assert_eq!(texts[1]["payload"], serde_json::json!([1]));
        assert!(sink.sent.lock().contains(&Sent::Pong(b"hello".to_vec())));

        let slot = edge.cache.find("BTC").unwrap();
        edge.cache.update(&slot, (2, 0), "2".into());
        edge.cache.notify(Destination::Coin);
        tokio::time::sleep(Duration::from_millis(250)).await;
        assert_eq!(sink.texts().len(), 2, "the first group is still in flight");
        let ping = sink.sent.lock().iter().rev().find_map(|sent| match sent {
            Sent::Ping(payload) => Some(payload.clone()),
            Sent::Text(_) | Sent::Pong(_) | Sent::Close(_) => None,
        });
        sender
            .send(Ok(ClientFrame::Pong(ping.unwrap().into())))
            .unwrap();
        testkit::eventually(soon, async || sink.texts().len() == 3).await;
        assert_eq!(sink.texts()[2]["payload"], serde_json::json!([2]));
        shutdown.cancel();
    };
    tokio::join!(serving, driving);
    assert_eq!(
        sink.sent.lock().last(),
        Some(&Sent::Close(Close::GoingAway))
    );
}

#[tokio::test]
async fn a_connection_that_begins_while_prices_are_stale_is_told_first() {
    let shutdown = CancellationToken::new();
    let sink = MockSink::default();
    let edge = edge(&shutdown);
    edge.state.set_stale(true);
    let (sender, receiver) = mpsc::unbounded_channel();
    sender.send(text(r#"{"type":"ping"}"#)).unwrap();
    let serving = serve(
        edge.clone(),
        sink.clone(),
        UnboundedReceiverStream::new(receiver),
    );
    let driving = async {
        let soon = Duration::from_secs(3);
        testkit::eventually(soon, async || sink.texts().len() == 2).await;
        edge.state.set_stale(false);
        testkit::eventually(soon, async || sink.texts().len() == 3).await;
        drop(sender);
    };
    tokio::join!(serving, driving);
    let texts = sink.texts();
    let stale = |stale: bool| serde_json::json!({"type": "STALE", "stale": stale});
    assert_eq!([&texts[0], &texts[2]], [&stale(true), &stale(false)]);
    assert_eq!(texts[1]["type"], "pong");
    assert_eq!(texts[1]["stale"], true);
}

#[tokio::test]
async fn a_client_that_takes_nothing_is_closed_at_the_write_limit() {
    for is_stalled in [true, false] {
        let shutdown = CancellationToken::new();
        let sink = MockSink {
            is_stalled,
            ..MockSink::default()
        };
        let (sender, receiver) = mpsc::unbounded_channel();
        sender.send(text(SUBSCRIBE)).unwrap();
        let messages = UnboundedReceiverStream::new(receiver);
        let started = Instant::now();
        // The first sink accepts no frame; the second accepts it and never answers the ping.
        serve(edge(&shutdown), sink.clone(), messages).await;
        assert!(started.elapsed() < Duration::from_secs(2));
        assert_eq!(sink.sent.lock().last(), Some(&Sent::Close(Close::TooSlow)));
    }
}

#[tokio::test]
async fn a_forged_token_is_refused_and_prices_go_on() {
    let shutdown = CancellationToken::new();
    let sink = MockSink::default();
    let (sender, receiver) = mpsc::unbounded_channel();
    sender
        .send(text(r#"{"type":"AUTH","token":"e30.e30.e30"}"#))
        .unwrap();
    sender.send(text(SUBSCRIBE)).unwrap();
    let serving = serve(
        edge(&shutdown),
        sink.clone(),
        UnboundedReceiverStream::new(receiver),
    );
    let driving = async {
        let soon = Duration::from_secs(3);
        testkit::eventually(soon, async || sink.texts().len() == 2).await;
        let texts = sink.texts();
        let refusal = texts
            .iter()
            .find(|text| text["type"] == "AUTH_ERROR")
            .unwrap();
        assert_eq!(refusal["code"], 1205);
        assert_eq!(refusal["reason"], "Authentication is invalid");
        drop(sender);
    };
    tokio::join!(serving, driving);
    let closes = sink
        .sent
        .lock()
        .iter()
        .any(|sent| matches!(sent, Sent::Close(_)));
    assert!(!closes, "a client that left needs no close frame");
}
