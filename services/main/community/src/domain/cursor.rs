//! Opaque cursors: the key of the last row of a page, with the kind of list it belongs to.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};

const VERSION: u8 = 1;

/// Keys of different lists are never taken for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CursorKind {
    /// Latest first.
    Latest,
    /// Oldest first.
    Oldest,
    /// Highest rank first.
    Rank,
}

/// The key of a row: what the list is ordered by, and the id that decides between equals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    order: i64,
    pub id: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the cursor is none of this list")]
pub struct UnknownCursor;

impl Key {
    #[must_use]
    pub fn at(time: DateTime<Utc>, id: i64) -> Self {
        Self {
            order: time.timestamp_micros(),
            id,
        }
    }

    #[must_use]
    pub fn ranked(rank: i64, id: i64) -> Self {
        Self { order: rank, id }
    }

    #[must_use]
    pub fn rank(&self) -> i64 {
        self.order
    }

    /// The time of a key by time.
    #[must_use]
    pub fn time(&self) -> DateTime<Utc> {
        DateTime::from_timestamp_micros(self.order).unwrap_or_default()
    }

    /// The key before every row of a list.
    #[must_use]
    pub fn start(kind: CursorKind) -> Self {
        match kind {
            CursorKind::Latest => Self {
                order: LAST_MICROS,
                id: i64::MAX,
            },
            CursorKind::Oldest => Self { order: 0, id: 0 },
            CursorKind::Rank => Self {
                order: i64::MAX,
                id: i64::MAX,
            },
        }
    }

    #[must_use]
    pub fn encode(&self, kind: CursorKind) -> String {
        let mut bytes = vec![VERSION, code(kind)];
        bytes.extend(self.order.to_be_bytes());
        bytes.extend(self.id.to_be_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// An empty text is the start.
    ///
    /// # Errors
    /// [`UnknownCursor`] for anything that [`Key::encode`] has not written for this kind.
    pub fn decode(text: &str, kind: CursorKind) -> Result<Self, UnknownCursor> {
        if text.is_empty() {
            return Ok(Self::start(kind));
        }
        let bytes = URL_SAFE_NO_PAD.decode(text).ok().ok_or(UnknownCursor)?;
        let rest = bytes.strip_prefix(&[VERSION, code(kind)]);
        let (order, id) = rest
            .and_then(|rest| rest.split_first_chunk::<8>())
            .ok_or(UnknownCursor)?;
        let id: [u8; 8] = id.try_into().ok().ok_or(UnknownCursor)?;
        let key = Self {
            order: i64::from_be_bytes(*order),
            id: i64::from_be_bytes(id),
        };
        let is_possible = match kind {
            CursorKind::Latest | CursorKind::Oldest => (0..=LAST_MICROS).contains(&key.order),
            CursorKind::Rank => key.order >= 0,
        };
        if is_possible && key.id > 0 {
            Ok(key)
        } else {
            Err(UnknownCursor)
        }
    }
}

fn code(kind: CursorKind) -> u8 {
    match kind {
        CursorKind::Latest => 1,
        CursorKind::Oldest => 2,
        CursorKind::Rank => 3,
    }
}

/// The end of the year 9999, which the database can still compare.
const LAST_MICROS: i64 = 253_402_300_799_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back_and_belongs_to_one_list() {
        let key = Key::ranked(1_234_567, 42);
        for kind in [CursorKind::Latest, CursorKind::Oldest, CursorKind::Rank] {
            assert_eq!(Key::decode(&key.encode(kind), kind), Ok(key));
            assert_eq!(Key::decode("", kind), Ok(Key::start(kind)));
        }
        let other = key.encode(CursorKind::Latest);
        assert_eq!(Key::decode(&other, CursorKind::Rank), Err(UnknownCursor));
    }

    #[test]
    fn anything_else_is_no_cursor() {
        let good = Key::ranked(1, 42).encode(CursorKind::Latest);
        let negative = Key::ranked(-1, 42).encode(CursorKind::Latest);
        let far = Key::ranked(i64::MAX, 42).encode(CursorKind::Latest);
        let longer = format!("{good}AAAA");
        for bad in [
            "x",
            "1234",
            "%%%",
            "가나다",
            good.get(1..).unwrap(),
            &longer,
            &negative,
            &far,
        ] {
            assert_eq!(
                Key::decode(bad, CursorKind::Latest),
                Err(UnknownCursor),
                "{bad}"
            );
        }
    }
}
