//! Price alerts: what members want to hear of, and the watcher that reads the tick log for them.
//!
//! [`draft`] judges a new alert. [`book`] keeps the active ones in memory and finds those that a batch
//! of ticks fires; [`recent`] keeps the last ticks for alerts that are learned of a moment later.
//! [`watcher`] evaluates batches and stores what fired together with its event; [`leader`] runs it in
//! one process at a time.

pub mod book;
pub mod draft;
pub mod leader;
pub mod recent;
pub mod tick_price;
pub mod watcher;

pub const FIRED: &str = "market.alert.fired.v1";

/// What fires an alert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum AlertKind {
    /// The price is the value or more.
    Above,
    /// The price is the value or less.
    Below,
    /// The change from the previous close is the value or more; of a negative value, or less.
    Percent,
}

impl AlertKind {
    /// The spelling in columns and events.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Above => "ABOVE",
            Self::Below => "BELOW",
            Self::Percent => "PERCENT",
        }
    }

    /// `None` for an unknown word.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Above, Self::Below, Self::Percent]
            .into_iter()
            .find(|kind| kind.as_str() == text)
    }
}
