//! Watches prices as phones do, over sockets that are cut whenever the edge dies: after each cut
//! the first frame of a destination must be a snapshot, and no price may be older than one that
//! was shown before.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::wish::Category;

const SILENCE: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_millis(200);

/// What a watcher saw.
#[derive(Default)]
pub(crate) struct Watched {
    pub(crate) connections: u64,
    pub(crate) values: u64,
    /// Longest time from a cut to the next price.
    pub(crate) longest_away: Duration,
    pub(crate) faults: Vec<String>,
    newest: BTreeMap<String, i64>,
}

/// Watches `codes` until it is aborted or `over` says so.
pub(crate) async fn watch(
    origin: &str,
    codes: &[String],
    over: tokio::sync::watch::Receiver<bool>,
) -> Watched {
    let mut watched = Watched::default();
    let mut cut_at = None;
    while !*over.borrow() {
        let mut ends = over.clone();
        tokio::select! {
            () = watched.follow(origin, codes, &mut cut_at) => {}
            _ = ends.wait_for(|over| *over) => {}
        }
        cut_at.get_or_insert_with(Instant::now);
        tokio::time::sleep(PAUSE).await;
    }
    for code in codes {
        if !watched.newest.contains_key(code) {
            watched
                .faults
                .push(format!("no price of {code} was ever shown"));
        }
    }
    watched
}

impl Watched {
    /// One connection, until it ends.
    async fn follow(&mut self, origin: &str, codes: &[String], cut_at: &mut Option<Instant>) {
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
                .filter(|code| goes_to(code) == destination)
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
                self.take(&text, &mut seen, cut_at);
            }
        }
    }

    fn take(
        &mut self,
        text: &str,
        seen: &mut BTreeMap<String, bool>,
        cut_at: &mut Option<Instant>,
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
            if let Some(cut_at) = cut_at.take() {
                self.longest_away = self.longest_away.max(cut_at.elapsed());
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

fn goes_to(code: &str) -> &'static str {
    match Category::of(code) {
        Category::Coin => "/coin/realData",
        Category::Gold => "/commodity/realData",
        Category::Stock if code.starts_with(|first: char| first.is_ascii_digit()) => {
            "/stock/realData"
        }
        Category::Stock => "/globalStock/realData",
    }
}
