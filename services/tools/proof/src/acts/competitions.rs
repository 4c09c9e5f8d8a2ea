//! The events that clients join, and the mode in which a member competes.

use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use parking_lot::Mutex;

use crate::rng::Rng;
use crate::trading_client::TradingClient;

pub(crate) const LEAGUE_TITLE: &str = "우리끼리";
/// Few, so that some find it full.
pub(crate) const LEAGUE_ENTRANTS: i32 = 4;
/// Leagues of a host that have not ended.
pub(crate) const LEAGUES_MOST: u32 = 5;
/// The number of an event that does not exist.
pub(crate) const UNKNOWN_EVENT: i64 = 999_999_999;
const TRIES: u32 = 60;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub(crate) id: i64,
    /// Whether it ran when the proof began; it may begin or end meanwhile.
    pub(crate) was_running: bool,
}

/// The mode of a member, as the service tells it. Without it the numbers are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mode {
    pub(crate) is_on: bool,
    pub(crate) competition_id: i64,
    pub(crate) account_id: i64,
}

/// Or the reason of a refusal.
pub(crate) type ModeResponse = Result<Mode, String>;

/// What all clients may join.
#[derive(Clone)]
pub(crate) struct Events {
    pub(crate) official: Arc<Vec<Event>>,
    /// Leagues with their invite codes.
    leagues: Arc<Mutex<Vec<(i64, String)>>>,
}

impl Events {
    /// The official events, as soon as the service has made them.
    pub(crate) async fn read(trading: &TradingClient, member_id: i64) -> anyhow::Result<Self> {
        for _ in 0..TRIES {
            let official = trading.official_events(member_id).await.unwrap_or_default();
            if !official.is_empty() {
                return Ok(Self {
                    official: Arc::new(official),
                    leagues: Arc::default(),
                });
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        bail!("there is no official event")
    }

    pub(crate) fn add_league(&self, id: i64, invite_code: String) {
        self.leagues.lock().push((id, invite_code));
    }

    pub(crate) fn league(&self, rng: &mut Rng) -> Option<(i64, String)> {
        rng.pick(&self.leagues.lock()).cloned()
    }
}
