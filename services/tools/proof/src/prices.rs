//! Subscribes to prices as phones do, and reconnects whenever the edge dies: the first frame of a
//! destination on each connection must be a snapshot, and no price may be older than an earlier
//! one.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Message;

use crate::order::OrderCategory;

const SILENCE: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_millis(200);

#[derive(Default)]
pub(crate) struct WatchResult {
    pub(crate) connections: u64,
    pub(crate) values: u64,
    /// Longest time from a lost connection to the next price.
    pub(crate) longest_gap: Duration,
    pub(crate) faults: Vec<String>,
    newest: BTreeMap<String, i64>,
}

/// Starts `count` watchers of `codes`, each with a socket of its own.
pub(crate) fn spawn_watchers(
    count: u64,
    origin: &str,
    codes: &[String],
    over: &tokio::sync::watch::Receiver<bool>,
) -> JoinSet<WatchResult> {
    let mut watchers = JoinSet::new();
    for _ in 0..count {
        let (origin, codes, over) = (origin.to_owned(), codes.to_vec(), over.clone());
        watchers.spawn(async move { watch(&origin, &codes, over).await });
    }
    watchers
}

/// Watches `codes` until it is aborted or `over` becomes true.
async fn watch(
    origin: &str,
    codes: &[String],
    over: tokio::sync::watch::Receiver<bool>,
) -> WatchResult {
    let mut watched = WatchResult::default();
    let mut lost_at = None;
    while !*over.borrow() {
        let mut ends = over.clone();
        tokio::select! {
            () = watched.read_connection(origin, codes, &mut lost_at) => {}
            _ = ends.wait_for(|over| *over) => {}
        }
        lost_at.get_or_insert_with(Instant::now);
        tokio::time::sleep(PAUSE).await;
    }
    for code in codes {
        if !watched.newest.contains_key(code) {
            watched
                .faults
                .push(format!("no price of {code} was received"));
        }
    }
    watched
}

impl WatchResult {
    /// Reads one connection until it ends.
    async fn read_connection(
        &mut self,
        origin: &str,
        codes: &[String],
        lost_at: &mut Option<Instant>,
    ) {
        let address = format!("{}/ws2", origin.replacen("http", "ws", 1));
        let Ok((mut socket, _)) = tokio_tungstenite::connect_async(address).await else {
            return;
        };
        for destination in [
            "/stock/realData",
            "/globalStock/realData",
            "/coin/realData",
            "/commodity/realData",
        ] {
            let wanted: Vec<&String> = codes
                .iter()
                .filter(|code| destination_of(code) == destination)
                .collect();
            let subscribe =
                json!({"type": "SUBSCRIBE", "destination": destination, "codes": wanted});
            if !wanted.is_empty()
                && socket
                    .send(Message::text(subscribe.to_string()))
                    .await
                    .is_err()
            {
                return;
            }
        }
        self.connections += 1;
        let mut seen = BTreeMap::new();
        let mut pinged = Instant::now();
        loop {
            if pinged.elapsed() > Duration::from_secs(10) {
                pinged = Instant::now();
                if socket
                    .send(Message::text(r#"{"type":"ping"}"#))
                    .await
                    .is_err()
                {
                    return;
                }
            }
            let Ok(Some(Ok(message))) = tokio::time::timeout(SILENCE, socket.next()).await else {
                return;
            };
            if let Message::Text(text) = message {
                self.check_frame(&text, &mut seen, lost_at);
            }
        }
    }

    fn check_frame(
        &mut self,
        text: &str,
        seen: &mut BTreeMap<String, bool>,
        lost_at: &mut Option<Instant>,
    ) {
        let Ok(frame) = serde_json::from_str::<Value>(text) else {
            self.faults.push(format!("no JSON: {text}"));
            return;
        };
        let (Some(destination), Some(payload)) = (
            frame.get("destination").and_then(Value::as_str),
            frame.get("payload").and_then(Value::as_array),
        ) else {
            return;
        };
        let is_snapshot = frame
            .get("snapshot")
            .and_then(Value::as_bool)
            .unwrap_or(false);
        if !*seen.entry(destination.to_owned()).or_insert(is_snapshot) {
            self.faults
                .push(format!("{destination} began without a snapshot"));
            seen.insert(destination.to_owned(), true);
        }
        for value in payload {
            let (Some(code), Some(seq)) = (
                value.get("isu_srt_cd").and_then(Value::as_str),
                value.get("tick_seq").and_then(Value::as_i64),
            ) else {
                continue;
            };
            self.values += 1;
            if let Some(lost_at) = lost_at.take() {
                self.longest_gap = self.longest_gap.max(lost_at.elapsed());
            }
            let newest = self.newest.entry(code.to_owned()).or_insert(seq);
            if seq < *newest {
                let fault = format!("{code} went back from tick {newest} to {seq}");
                self.faults.push(fault);
            }
            *newest = (*newest).max(seq);
        }
    }
}

fn destination_of(code: &str) -> &'static str {
    match OrderCategory::of(code) {
        OrderCategory::Coin => "/coin/realData",
        OrderCategory::Gold => "/commodity/realData",
        OrderCategory::Stock if code.starts_with(|first: char| first.is_ascii_digit()) => {
            "/stock/realData"
        }
        OrderCategory::Stock => "/globalStock/realData",
    }
}
