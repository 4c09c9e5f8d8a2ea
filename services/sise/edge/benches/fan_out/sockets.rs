//! The subscribed sockets and what they receive.

use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;

use crate::frames::{Frames, masked_text};
use crate::source::{PublishTimes, code};
use crate::{Settings, Target};

/// Number of sockets that parse what they read.
const SAMPLED_SOCKETS: usize = 20;
const SAMPLE_INTERVAL: Duration = Duration::from_millis(50);
const OPEN_AT_ONCE: usize = 50;
const SMALL_BUFFER: u32 = 4_096;

#[derive(Clone, Debug, Default)]
pub(crate) struct Received {
    pub(crate) covered: f64,
    pub(crate) values: f64,
    pub(crate) bytes: u64,
    pub(crate) out_of_order: u64,
    ages_ms: Vec<f64>,
}

impl Received {
    /// Quantile of the staleness: how long ago the next newer value was published, 0 when there is
    /// none.
    pub(crate) fn staleness_ms(&self, share: f64) -> f64 {
        let mut ages = self.ages_ms.clone();
        ages.sort_unstable_by(f64::total_cmp);
        let index = (ages.len() as f64 * share) as usize;
        let last = ages.len().saturating_sub(1);
        ages.get(index.min(last)).copied().unwrap_or_default()
    }
}

#[derive(Default)]
struct Counts {
    on: AtomicBool,
    bytes: AtomicU64,
    received: Mutex<Received>,
}

/// The newest number that a socket received, per code.
type LatestSeen = Arc<Vec<AtomicUsize>>;

pub(crate) struct Subscribers {
    counts: Arc<Counts>,
    readers: usize,
    codes: usize,
    sampled: usize,
}

impl Subscribers {
    /// Opens all sockets; each subscribes to all codes.
    pub(crate) async fn open(settings: &Settings, publish_times: &Arc<PublishTimes>) -> Self {
        let counts = Arc::new(Counts::default());
        let stalled = settings.sockets * settings.stalled_percent / 100;
        let every = (settings.sockets / SAMPLED_SOCKETS).max(1);
        let mut shown: Vec<LatestSeen> = Vec::new();
        for first in (0..settings.sockets).step_by(OPEN_AT_ONCE) {
            let mut opening = JoinSet::new();
            for number in first..(first + OPEN_AT_ONCE).min(settings.sockets) {
                let settings = settings.clone();
                opening.spawn(async move { (number, connect(&settings, number < stalled).await) });
            }
            while let Some(opened) = opening.join_next().await {
                let (number, socket) = opened.unwrap();
                if number < stalled {
                    // Kept open and never read.
                    std::mem::forget(socket);
                } else if number % every == 0 {
                    let newest: LatestSeen =
                        Arc::new((0..settings.codes).map(|_| AtomicUsize::new(0)).collect());
                    shown.push(Arc::clone(&newest));
                    let recorded = Arc::clone(&counts);
                    let text = move |text: &str| record_all(text, &newest, &recorded);
                    let counts = Arc::clone(&counts);
                    tokio::spawn(follow(socket, counts, Frames::new(true), text));
                } else {
                    let counts = Arc::clone(&counts);
                    tokio::spawn(follow(socket, counts, Frames::new(false), |_| {}));
                }
            }
        }
        let sampled = shown.len();
        tokio::spawn(sample(
            shown,
            Arc::clone(publish_times),
            Arc::clone(&counts),
        ));
        Self {
            counts,
            readers: settings.sockets - stalled,
            codes: settings.codes,
            sampled,
        }
    }

    /// Reading sockets times codes.
    pub(crate) fn readers(&self) -> usize {
        self.readers * self.codes
    }

    pub(crate) fn start_counting(&self) {
        *self.counts.received.lock() = Received::default();
        self.counts.bytes.store(0, Ordering::Relaxed);
        self.counts.on.store(true, Ordering::Relaxed);
    }

    /// The totals, extrapolated from the sampled sockets.
    pub(crate) fn stop_counting(&self) -> Received {
        self.counts.on.store(false, Ordering::Relaxed);
        let mut received = self.counts.received.lock().clone();
        assert!(received.values > 0.0, "nothing reached the sockets");
        let share = self.readers as f64 / self.sampled as f64;
        received.covered *= share;
        received.values *= share;
        received.bytes = self.counts.bytes.load(Ordering::Relaxed);
        received
    }
}

/// A websocket subscribed to all codes.
async fn connect(settings: &Settings, is_stalled: bool) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    if is_stalled {
        socket.set_recv_buffer_size(SMALL_BUFFER).unwrap();
    }
    let mut stream = socket.connect(settings.address).await.unwrap();
    let codes: Vec<String> = (0..settings.codes).map(code).collect();
    let path = match settings.target {
        Target::Edge => "/ws2".to_owned(),
        Target::Nchan => format!("/sub?id={}", codes.join(",")),
    };
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        answer.push(stream.read_u8().await.expect("an answer to the handshake"));
    }
    assert!(answer.starts_with(b"HTTP/1.1 101"), "no websocket");
    if settings.target == Target::Edge {
        let ask = serde_json::json!({"type": "SUBSCRIBE", "destination": "/coin/realData", "codes": codes});
        stream
            .write_all(&masked_text(&ask.to_string()))
            .await
            .unwrap();
    }
    stream
}

/// Reads a socket until it ends and passes its texts to `text`.
async fn follow(
    socket: TcpStream,
    counts: Arc<Counts>,
    mut frames: Frames,
    mut text: impl FnMut(&str),
) {
    while socket.readable().await.is_ok() {
        // Allocated only while reading, so that an idle socket needs no buffer.
        let mut buffer = [0; 64 * 1_024];
        let bytes = match socket.try_read(&mut buffer) {
            Ok(0) => return,
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::WouldBlock => continue,
            Err(_) => return,
        };
        if counts.on.load(Ordering::Relaxed) {
            counts.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        }
        let answers = frames.take(buffer.get(..bytes).unwrap_or_default(), &mut text);
        if !answers.is_empty() && socket.try_write(&answers).is_err() {
            return;
        }
    }
}

fn record_all(text: &str, shown: &LatestSeen, counts: &Counts) {
    let is_counted = counts.on.load(Ordering::Relaxed);
    for (code, number) in values(text) {
        record(shown, code, number, is_counted.then_some(counts));
    }
}

fn record(shown: &LatestSeen, code: usize, number: usize, counts: Option<&Counts>) {
    let Some(newest) = shown.get(code) else {
        return;
    };
    let before = newest.load(Ordering::Relaxed);
    if number > before {
        newest.store(number, Ordering::Relaxed);
    }
    if let Some(counts) = counts {
        let mut received = counts.received.lock();
        received.values += 1.0;
        received.covered += number.saturating_sub(before) as f64;
        received.out_of_order += u64::from(number < before);
    }
}

/// The codes and numbers in a frame.
fn values(text: &str) -> impl Iterator<Item = (usize, usize)> {
    text.split("\"isu_srt_cd\":\"C")
        .skip(1)
        .filter_map(|value| {
            let code = value.split('"').next()?.parse().ok()?;
            let (_, price) = value.split_once("\"trd_prc\":")?;
            let number = price.split([',', '}']).next()?.parse().ok()?;
            Some((code, number))
        })
}

async fn sample(shown: Vec<LatestSeen>, publish_times: Arc<PublishTimes>, counts: Arc<Counts>) {
    let mut interval = tokio::time::interval(SAMPLE_INTERVAL);
    loop {
        interval.tick().await;
        if !counts.on.load(Ordering::Relaxed) {
            continue;
        }
        let ages = shown.iter().flat_map(|codes| codes.iter()).map(|newest| {
            let staleness = publish_times.staleness(newest.load(Ordering::Relaxed));
            staleness.unwrap_or_default().as_secs_f64() * 1_000.0
        });
        let ages: Vec<f64> = ages.collect();
        counts.received.lock().ages_ms.extend(ages);
    }
}
