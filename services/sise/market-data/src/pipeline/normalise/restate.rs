//! Restates the sessions at the start of an epoch: in the lost log a reader may have missed the end
//! of a halt, the start of a day or a split.

use proto::market::v1::{SessionRecord, SessionState, VenueSession, session_record::Kind};

use super::Normaliser;
use crate::feed::SessionChange;
use crate::sessions::venue_of;

/// Skips sequence numbers that batches in flight from the previous writer may use.
const SEQUENCE_MARGIN: i64 = 1_000_000;

impl Normaliser {
    /// Session records of the current state; empty before the first session.
    pub fn restate(&mut self, market_time_us: i64) -> Vec<SessionRecord> {
        self.session_seq += SEQUENCE_MARGIN;
        let mut venues: Vec<VenueSession> = self.venues.values().cloned().collect();
        venues.sort_by_key(|venue| venue.venue);
        let changes: Vec<SessionChange> = venues
            .iter()
            .flat_map(|venue| self.restate_venue(venue, market_time_us))
            .collect();
        changes
            .into_iter()
            .map(|change| self.record(change))
            .collect()
    }

    /// Splits first, as on the day itself; then the venue's session, which resets the state of its
    /// instruments.
    fn restate_venue(&self, venue: &VenueSession, market_time_us: i64) -> Vec<SessionChange> {
        let kind = match venue.state() {
            SessionState::Unspecified => return Vec::new(),
            SessionState::Closed => Kind::Close,
            SessionState::Auction => Kind::Auction,
            SessionState::Open => Kind::Open,
            SessionState::Halted => Kind::Halt,
        };
        let change = |kind: Kind, code: &str| SessionChange {
            kind,
            venue: venue_of(venue.venue()),
            code: code.to_owned(),
            trading_day: venue.trading_day,
            event_time_us: market_time_us,
            ..SessionChange::default()
        };
        let mut of_venue: Vec<_> = self.instruments.iter().collect();
        of_venue.retain(|(_, instrument_state)| instrument_state.venue == venue.venue);
        of_venue.sort_unstable_by_key(|(code, _)| *code);
        let mut whole = change(kind, "");
        let (mut splits, mut single) = (Vec::new(), Vec::new());
        for (code, instrument_state) in of_venue {
            let split = instrument_state.split.as_ref();
            splits.extend(
                split
                    .filter(|split| split.trading_day >= venue.trading_day)
                    .cloned(),
            );
            if matches!(kind, Kind::Open | Kind::Auction) {
                whole.bases.extend(instrument_state.base.clone());
            }
            let halt = if instrument_state.is_halted {
                Kind::Halt
            } else {
                Kind::Resume
            };
            single.push(change(halt, code));
            single.extend(instrument_state.auction.map(|interruption| SessionChange {
                interruption,
                ..change(Kind::Auction, code)
            }));
        }
        splits.push(whole);
        splits.extend(single);
        splits
    }
}
