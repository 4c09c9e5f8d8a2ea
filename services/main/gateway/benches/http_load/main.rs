//! An HTTP/1.1 load generator over keep-alive connections. In a closed loop each connection sends its
//! next request after the response; at a fixed rate requests are due at fixed instants, and latency
//! counts from then, which avoids coordinated omission. It prints one line of JSON.
//!
//! Raw requests come from a file, separated by lines of `---`. A first line `class NAME` puts a request
//! into a class of its own in the report.
#![expect(
    clippy::unwrap_used,
    clippy::float_arithmetic,
    clippy::as_conversions,
    reason = "a measurement that cannot be made must stop, and its results are rates"
)]

mod connection;
mod tally;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use tokio::task::JoinSet;

use crate::connection::Connection;
use crate::tally::Tally;

#[derive(Clone, Debug, Parser)]
struct Settings {
    #[arg(long)]
    address: std::net::SocketAddr,
    #[arg(long)]
    requests: PathBuf,
    #[arg(long, value_enum, default_value = "closed")]
    mode: Mode,
    #[arg(long, default_value_t = 64)]
    connections: usize,
    /// Requests a second of mode `fixed`.
    #[arg(long, default_value_t = 0.0)]
    rate: f64,
    #[arg(long, default_value_t = 6.0)]
    seconds: f64,
    /// Responses that take longer than this, in milliseconds, count as late.
    #[arg(long, default_value_t = 5_000)]
    patience_ms: u64,
    /// Never sleep: on a virtual machine the server would pay for waking a sleeping client.
    #[arg(long)]
    awake: bool,
    /// Passed by `cargo bench`.
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Mode {
    /// Each connection sends after the last response.
    Closed,
    /// At a fixed rate, however long responses take.
    Fixed,
    /// Every connection sends one request at the same moment.
    Once,
}

#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) class: String,
    pub(crate) bytes: Vec<u8>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let settings = Settings::parse();
    let requests = Arc::new(read(&settings.requests));
    assert!(!requests.is_empty(), "the file has no request");
    let patience = Duration::from_millis(settings.patience_ms);
    let mut opening = JoinSet::new();
    for _ in 0..settings.connections {
        opening.spawn(Connection::open(settings.address));
    }
    let connections = opening.join_all().await;
    if settings.awake {
        tokio::spawn(async {
            loop {
                tokio::task::yield_now().await;
            }
        });
    }

    let turn = Arc::new(AtomicUsize::new(0));
    let started = Instant::now();
    let mut working = JoinSet::new();
    for connection in connections {
        let worker = Worker {
            connection,
            requests: Arc::clone(&requests),
            turn: Arc::clone(&turn),
            settings: settings.clone(),
            started,
            tally: Tally::new(patience),
        };
        working.spawn(worker.work());
    }
    let mut total = Tally::new(patience);
    for tally in working.join_all().await {
        total.add(tally);
    }
    println!("{}", total.report(started.elapsed()));
}

struct Worker {
    connection: Connection,
    requests: Arc<Vec<Request>>,
    turn: Arc<AtomicUsize>,
    settings: Settings,
    started: Instant,
    tally: Tally,
}

impl Worker {
    async fn work(mut self) -> Tally {
        let until = self.started + Duration::from_secs_f64(self.settings.seconds);
        loop {
            let turn = self.turn.fetch_add(1, Ordering::Relaxed);
            let due = match self.settings.mode {
                Mode::Closed => Instant::now(),
                Mode::Fixed => {
                    let due =
                        self.started + Duration::from_secs_f64(turn as f64 / self.settings.rate);
                    if due < until {
                        tokio::time::sleep_until(due.into()).await;
                    }
                    due
                }
                Mode::Once => self.started,
            };
            if due >= until {
                return self.tally;
            }
            let request = self.requests.get(turn % self.requests.len()).unwrap();
            // A request that would be late anyway is not sent.
            if due.elapsed() > self.tally.patience() {
                self.tally.unasked(&request.class);
                continue;
            }
            match self.connection.ask(&request.bytes).await {
                Ok(answer) => self.tally.answered(&request.class, &answer, due.elapsed()),
                Err(_) => {
                    self.tally.failed(&request.class);
                    self.connection = Connection::open(self.settings.address).await;
                }
            }
            if self.settings.mode == Mode::Once {
                return self.tally;
            }
        }
    }
}

fn read(file: &PathBuf) -> Vec<Request> {
    let text = std::fs::read_to_string(file).unwrap();
    let prepared = text.split("\n---\n").filter(|one| !one.trim().is_empty());
    let request = |one: &str| {
        let (class, request) = match one.strip_prefix("class ") {
            Some(rest) => rest.split_once('\n').unwrap(),
            None => ("all", one),
        };
        let (head, body) = request
            .split_once("\n\n")
            .unwrap_or((request.trim_end(), ""));
        let head = head.replace('\n', "\r\n");
        let length = if body.is_empty() {
            String::new()
        } else {
            format!("\r\nContent-Length: {}", body.len())
        };
        Request {
            class: class.to_owned(),
            bytes: format!("{head}{length}\r\n\r\n{body}").into_bytes(),
        }
    };
    prepared.map(request).collect()
}
