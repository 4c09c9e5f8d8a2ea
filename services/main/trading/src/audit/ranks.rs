//! The check of final ranks: they follow from results. An event may have hundreds of thousands of entrants and
//! is read slice by slice. Nothing of it changes once it is closed, so that slices need no common snapshot.

use std::cmp::Reverse;
use std::iter::Peekable;
use std::vec::IntoIter;

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection};

use super::Finding;

pub(super) const FOLLOW: &str = "ranks follow from results";

/// By return, and by return over the largest fall.
pub(super) const BOARDS: [Board; 2] = [Board::Return, Board::Calm];

/// Entrants that one statement reads.
const ENTRANTS_PER_QUERY: usize = 5_000;

/// The smallest fall that counts, in ten-thousandths of a percent.
const LEAST_FALL: i64 = 10_000;

/// With `$1` ids of accounts: closed events, each with the account of its first member.
const CLOSED: &str = "
    select c.id, c.kind = 'PRACTICE' as is_practice,
        c.ends_at > c.starts_at + interval '4 days' as is_long,
        least(2, ceil(extract(epoch from c.ends_at - c.starts_at) / 86400))::integer as days
    from competition_entry e join competition c on c.id = e.competition_id
    cross join lateral (select member_id from competition_entry
        where competition_id = c.id order by member_id limit 1) f
    where e.account_id = any($1) and c.closed_at is not null and f.member_id = e.member_id";
const RESULTS: &str = "
    select r.member_id, (r.return_rate * 10000)::bigint as gain,
        (r.drawdown_rate * 10000)::bigint as fall, e.joined_at,
        $3 or r.buys >= 3 and r.items >= 2 and r.days >= $4 as is_eligible
    from competition_result r join competition_entry e using (competition_id, member_id)
    where r.competition_id = $1 and r.member_id > $2 order by r.member_id limit $5";
const RANKS: &str = "
    select member_id, place, rank from competition_rank
    where competition_id = $1 and board = $2 and member_id > $3 order by member_id limit $4";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Board {
    Return,
    Calm,
}

/// An event whose ranks are final.
#[derive(Clone, Debug, FromRow)]
pub(super) struct ClosedEvent {
    id: i64,
    is_practice: bool,
    /// Whether it has a board by return over the largest fall.
    is_long: bool,
    /// With purchases, that a rank requires.
    days: i32,
}

/// The results of an event that are to be ranked, as far as they are read.
pub(super) struct Results {
    event: ClosedEvent,
    eligible: Vec<Entrant>,
    /// The last member that was read.
    after: i64,
}

/// The places of a board that follow from results, as far as they are not compared.
pub(super) struct Places {
    event: i64,
    board: Board,
    wanted: Peekable<IntoIter<Place>>,
    /// The last member that was read; `None` when all have been.
    after: Option<i64>,
}

/// Rates are ten-thousandths of a percent.
#[derive(Clone, Debug)]
struct Entrant {
    member_id: i64,
    gain: i64,
    fall: i64,
    joined_at: DateTime<Utc>,
}

#[derive(FromRow)]
struct ResultRow {
    member_id: i64,
    gain: i64,
    fall: i64,
    joined_at: DateTime<Utc>,
    is_eligible: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, FromRow)]
struct Place {
    member_id: i64,
    place: i32,
    rank: i32,
}

/// Closed events whose first member has one of these accounts, so that each is checked once in an audit.
pub(super) async fn closed(
    connection: &mut PgConnection,
    ids: &[i64],
) -> Result<Vec<ClosedEvent>, sqlx::Error> {
    sqlx::query_as(CLOSED).bind(ids).fetch_all(connection).await
}

impl Board {
    fn as_str(self) -> &'static str {
        match self {
            Self::Return => "RETURN",
            Self::Calm => "CALM",
        }
    }

    /// What decides between entrants.
    fn measure(self, one: &Entrant) -> i128 {
        let gain = i128::from(one.gain);
        match self {
            Self::Return => gain,
            Self::Calm => gain * 1_000_000_000_000 / i128::from(one.fall.max(LEAST_FALL)),
        }
    }
}

impl Results {
    pub(super) fn new(event: ClosedEvent) -> Self {
        Self {
            event,
            eligible: Vec::new(),
            after: i64::MIN,
        }
    }

    /// Reads the next results; returns whether there are more.
    pub(super) async fn read_some(
        &mut self,
        connection: &mut PgConnection,
    ) -> Result<bool, sqlx::Error> {
        let rows: Vec<ResultRow> = sqlx::query_as(RESULTS)
            .bind(self.event.id)
            .bind(self.after)
            .bind(self.event.is_practice)
            .bind(self.event.days)
            .bind(limit())
            .fetch_all(connection)
            .await?;
        let Some(last) = rows.last() else {
            return Ok(false);
        };
        self.after = last.member_id;
        let has_more = rows.len() == ENTRANTS_PER_QUERY;
        let eligible = rows.into_iter().filter(|row| row.is_eligible);
        self.eligible.extend(eligible.map(|row| Entrant {
            member_id: row.member_id,
            gain: row.gain,
            fall: row.fall,
            joined_at: row.joined_at,
        }));
        Ok(has_more)
    }

    /// The places of a board, computed again and not by what wrote them.
    pub(super) fn places(&self, board: Board) -> Places {
        let mut ordered: Vec<&Entrant> = match board {
            Board::Calm if !self.event.is_long => Vec::new(),
            Board::Return | Board::Calm => self.eligible.iter().collect(),
        };
        ordered.sort_unstable_by_key(|one| {
            let measure = Reverse(board.measure(one));
            (measure, one.fall, one.joined_at, one.member_id)
        });
        let mut wanted = Vec::with_capacity(ordered.len());
        let (mut rank, mut before) = (0, None);
        for (place, one) in (1..).zip(ordered) {
            let measure = board.measure(one);
            if before != Some(measure) {
                (rank, before) = (place, Some(measure));
            }
            wanted.push(Place {
                member_id: one.member_id,
                place,
                rank,
            });
        }
        wanted.sort_unstable_by_key(|one| one.member_id);
        Places {
            event: self.event.id,
            board,
            wanted: wanted.into_iter().peekable(),
            after: Some(i64::MIN),
        }
    }
}

impl Places {
    /// Compares the next ranks; `None` when all have been.
    pub(super) async fn check_some(
        &mut self,
        connection: &mut PgConnection,
    ) -> Result<Option<Vec<Finding>>, sqlx::Error> {
        let Some(after) = self.after else {
            return Ok(None);
        };
        let ranks: Vec<Place> = sqlx::query_as(RANKS)
            .bind(self.event)
            .bind(self.board.as_str())
            .bind(after)
            .bind(limit())
            .fetch_all(connection)
            .await?;
        let last = ranks.last().map(|one| one.member_id);
        self.after = last.filter(|_| ranks.len() == ENTRANTS_PER_QUERY);
        Ok(Some(self.compare(ranks)))
    }

    /// Both are in the order of members.
    fn compare(&mut self, ranks: Vec<Place>) -> Vec<Finding> {
        let mut findings = Vec::new();
        for has in ranks {
            let mut wanted = None;
            while let Some(next) = self.wanted.next_if(|next| next.member_id <= has.member_id) {
                if next.member_id == has.member_id {
                    wanted = Some(next);
                } else {
                    findings.push(self.finding(None, Some(next)));
                }
            }
            if wanted != Some(has) {
                findings.push(self.finding(Some(has), wanted));
            }
        }
        if self.after.is_none() {
            let left: Vec<Place> = self.wanted.by_ref().collect();
            let left = left.into_iter();
            findings.extend(left.map(|next| self.finding(None, Some(next))));
        }
        findings
    }

    fn finding(&self, has: Option<Place>, wanted: Option<Place>) -> Finding {
        let member = has.or(wanted).map_or(0, |one| one.member_id);
        let of = |place: Option<Place>| place.map_or((0, 0), |one| (one.rank, one.place));
        let ((rank, place), (wanted_rank, wanted_place)) = (of(has), of(wanted));
        Finding {
            check: FOLLOW,
            row: format!(
                "competition {} {} member {member}",
                self.event,
                self.board.as_str()
            ),
            detail: format!("rank {rank} at {place}, results {wanted_rank} at {wanted_place}"),
        }
    }
}

fn limit() -> i64 {
    i64::try_from(ENTRANTS_PER_QUERY).unwrap_or(i64::MAX)
}
