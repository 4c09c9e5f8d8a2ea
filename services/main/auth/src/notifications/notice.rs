//! What one member is told.

use chrono::{DateTime, Utc};
use kernel::MemberId;

use crate::domain::NotificationType;

/// In a title, the nickname of [`Notice::actor`].
pub const NICKNAME: &str = "{nickname}";
/// In a title, the number of people that [`Batching::Counted`] counts.
pub const COUNT: &str = "{count}";

/// One notification, before the member's settings decide where it arrives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub member: MemberId,
    pub kind: NotificationType,
    pub title: String,
    pub body: String,
    /// A path of the client.
    pub link: String,
    /// The same key is told a member once, or again in the same row.
    pub dedupe_key: String,
    /// A phone replaces a push by a later one of the same key.
    pub collapse_key: String,
    pub batching: Batching,
    /// Whose nickname is in the title.
    pub actor: Option<MemberId>,
    /// Among notices of one collapse key, the newest has the highest.
    pub position: i64,
    /// When it happened; that of the event where nothing is said.
    pub occurred_at: Option<DateTime<Utc>>,
    /// When a push has nothing to say any more; a day later where nothing is said.
    pub until: Option<DateTime<Utc>>,
}

/// What becomes of a second notice with the same key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Batching {
    /// Nothing.
    Once,
    /// It replaces the text, if its position is higher.
    Newest,
    /// Its people are added, each once; the title has their number.
    Counted { people: Vec<MemberId> },
}

impl Notice {
    /// Told once, and collapsed with nothing else.
    #[must_use]
    pub fn once(member: i64, kind: NotificationType, dedupe_key: String) -> Self {
        Self {
            member: MemberId(member),
            kind,
            title: String::new(),
            body: String::new(),
            link: String::new(),
            collapse_key: dedupe_key.clone(),
            dedupe_key,
            batching: Batching::Once,
            actor: None,
            position: 0,
            occurred_at: None,
            until: None,
        }
    }

    #[must_use]
    pub fn text(self, title: impl Into<String>, body: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            body: body.into(),
            ..self
        }
    }

    #[must_use]
    pub fn link(self, link: impl Into<String>) -> Self {
        Self {
            link: link.into(),
            ..self
        }
    }
}
