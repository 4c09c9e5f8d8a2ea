//! Conversions of venues, phases and days to and from the tick log's messages.

use market_rules::{Phase, Venue};
use proto::market::v1 as wire;

pub use kernel::day::date_of;

#[must_use]
pub fn wire_venue(venue: Venue) -> wire::Venue {
    match venue {
        Venue::Krx => wire::Venue::Krx,
        Venue::Us => wire::Venue::Us,
        Venue::Coin => wire::Venue::Coin,
        Venue::Gold => wire::Venue::Gold,
    }
}

/// `None` for an unspecified venue.
#[must_use]
pub fn venue_of(venue: wire::Venue) -> Option<Venue> {
    match venue {
        wire::Venue::Unspecified => None,
        wire::Venue::Krx => Some(Venue::Krx),
        wire::Venue::Us => Some(Venue::Us),
        wire::Venue::Coin => Some(Venue::Coin),
        wire::Venue::Gold => Some(Venue::Gold),
    }
}

#[must_use]
pub fn wire_phase(phase: Phase) -> wire::SessionState {
    match phase {
        Phase::Closed => wire::SessionState::Closed,
        Phase::Auction => wire::SessionState::Auction,
        Phase::Open => wire::SessionState::Open,
    }
}

/// The state of the venue after a record; `None` for a record that does not change it.
#[must_use]
pub fn state_after(kind: wire::session_record::Kind) -> Option<wire::SessionState> {
    use wire::session_record::Kind;
    match kind {
        Kind::Open | Kind::Resume => Some(wire::SessionState::Open),
        Kind::Auction => Some(wire::SessionState::Auction),
        Kind::Close => Some(wire::SessionState::Closed),
        Kind::Halt => Some(wire::SessionState::Halted),
        Kind::Split | Kind::Heartbeat | Kind::Dividend | Kind::Unspecified => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_venue_converts_both_ways() {
        for venue in Venue::ALL {
            assert_eq!(venue_of(wire_venue(venue)), Some(venue));
        }
    }
}
