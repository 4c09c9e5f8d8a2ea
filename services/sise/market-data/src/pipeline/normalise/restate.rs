//! What a log that begins anew says first: where every venue and instrument stands, because a
//! reader may have missed in the lost one that a halt ended, a day began or a share was divided.

use proto::market::v1::{SessionRecord, SessionState, VenueSession, session_record::Kind};

use super::Normaliser;
use crate::feed::SessionChange;
use crate::sessions::venue_of;

/// Numbers left to what a writer before this one may have had under way.
const ROOM: i64 = 1_000_000;

impl Normaliser {
    /// Session records that say again what the log has said so far; none before it said anything.
    pub fn restate(&mut self, market_time_us: i64) -> Vec<SessionRecord> {
        self.session_seq += ROOM;
        let mut venues: Vec<VenueSession> = self.venues.values().cloned().collect();
        venues.sort_by_key(|venue| venue.venue);
        let changes: Vec<SessionChange> = venues
            .iter()
            .flat_map(|venue| self.standing(venue, market_time_us))
            .collect();
        changes
            .into_iter()
            .map(|change| self.record(change))
            .collect()
    }

    /// Splits first, as on the day itself; then the venue's session, which ends what single
    /// instruments did.
    fn standing(&self, venue: &VenueSession, market_time_us: i64) -> Vec<SessionChange> {
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
        of_venue.retain(|(_, known)| known.venue == venue.venue);
        of_venue.sort_unstable_by_key(|(code, _)| *code);
        let mut whole = change(kind, "");
        let (mut splits, mut single) = (Vec::new(), Vec::new());
        for (code, known) in of_venue {
            let split = known.split.as_ref();
            splits.extend(
                split
                    .filter(|split| split.trading_day >= venue.trading_day)
                    .cloned(),
            );
            if matches!(kind, Kind::Open | Kind::Auction) {
                whole.bases.extend(known.base.clone());
            }
            let halt = if known.is_halted {
                Kind::Halt
            } else {
                Kind::Resume
            };
            single.push(change(halt, code));
            single.extend(known.auction.map(|interruption| SessionChange {
                interruption,
                ..change(Kind::Auction, code)
            }));
        }
        splits.push(whole);
        splits.extend(single);
        splits
    }
}
