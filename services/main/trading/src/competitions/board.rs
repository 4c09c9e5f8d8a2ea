//! Boards: read from Redis while an event runs, and from its results when it is over.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use bootstrap::redis::{Cmd, FromRedisValue, Pipeline, Redis, cmd, pipe};
use chrono::{DateTime, Utc};
use kernel::MemberId;
use prost::Message;
use proto::convert::{decimal, micros};
use proto::trading::v1 as wire;
use rust_decimal::Decimal;
use sea_orm::{DbErr, FromQueryResult};

use super::competition::Competition;
use super::ranking::{Ranked, rate};
use crate::error::TradingError;
use crate::named::named;
use crate::store::{Store, sql};

/// Rows of a page.
pub const PAGE: i32 = 50;
/// Places before and after one's own.
const AROUND: i32 = 5;
/// Rows of a chunk in Redis.
const CHUNK: usize = 100;
/// A board that nobody renews is shown no longer.
const KEPT_S: i64 = 600;
/// Commands of one round trip.
const PIPELINE: usize = 200;

named! {
    pub enum BoardKind {
        /// By return.
        Return = "RETURN",
        /// By return over the largest fall.
        Calm = "CALM",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardQuery {
    /// Places after this one.
    After(i32),
    AroundMe,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Board {
    pub rows: Vec<wire::BoardRow>,
    /// Ranked entrants.
    pub ranked: i32,
    /// `None` before the first time.
    pub valued_at: Option<DateTime<Utc>>,
    pub mine: Option<wire::BoardRow>,
    pub is_final: bool,
}

/// The boards of running events in Redis.
#[derive(Clone)]
pub struct LiveBoards {
    redis: Redis,
}

impl LiveBoards {
    #[must_use]
    pub fn new(redis: Redis) -> Self {
        Self { redis }
    }

    /// Replaces a board; whether it is there now.
    pub(super) async fn write(
        &self,
        competition_id: i64,
        kind: BoardKind,
        rows: &[wire::BoardRow],
        valued_at: DateTime<Utc>,
    ) -> bool {
        let key = key(competition_id, kind);
        let generation = micros(valued_at);
        let chunks: Vec<&[wire::BoardRow]> = rows.chunks(CHUNK).collect();
        for (group_index, group) in chunks.chunks(PIPELINE).enumerate() {
            let mut pipe = pipe();
            for (index, chunk) in group.iter().enumerate() {
                let page = wire::Board {
                    rows: chunk.to_vec(),
                    ..wire::Board::default()
                };
                let number = group_index * PIPELINE + index;
                pipe.cmd("SET")
                    .arg(chunk_key(&key, generation, number))
                    .arg(page.encode_to_vec())
                    .arg("EX")
                    .arg(KEPT_S)
                    .ignore();
                let places = pipe.cmd("HSET").arg(places_key(&key, generation));
                for row in *chunk {
                    places.arg(row.member_id).arg(row.place);
                }
                places.ignore();
            }
            if self.run(pipe).await.is_none() {
                return false;
            }
        }
        let mut pipe = pipe();
        pipe.cmd("EXPIRE")
            .arg(places_key(&key, generation))
            .arg(KEPT_S)
            .ignore();
        let header = format!("{generation} {}", rows.len());
        pipe.cmd("SET")
            .arg(&key)
            .arg(header)
            .arg("EX")
            .arg(KEPT_S)
            .ignore();
        self.run(pipe).await.is_some()
    }

    /// `None` when Redis has no board, or is away.
    pub(super) async fn read(
        &self,
        competition_id: i64,
        kind: BoardKind,
        member_id: MemberId,
        query: BoardQuery,
    ) -> Option<Board> {
        let key = key(competition_id, kind);
        let header: Option<String> = self.ask(cmd("GET").arg(&key).to_owned()).await?;
        let (generation, ranked) = parse_header(&header?)?;
        let mut of_member = cmd("HGET");
        of_member.arg(places_key(&key, generation)).arg(member_id.0);
        let mine: Option<i32> = self.ask(of_member).await?;
        let wanted = query.places(mine);
        let chunks: BTreeSet<usize> = wanted
            .clone()
            .filter(|place| *place <= ranked)
            .chain(mine)
            .map(chunk_of)
            .collect();
        let mut read = cmd("MGET");
        for number in &chunks {
            read.arg(chunk_key(&key, generation, *number));
        }
        let pages: Vec<Option<Vec<u8>>> = if chunks.is_empty() {
            Vec::new()
        } else {
            self.ask(read).await?
        };
        let mut rows = Vec::new();
        for page in pages {
            rows.extend(wire::Board::decode(page?.as_slice()).ok()?.rows);
        }
        Some(Board {
            mine: mine.and_then(|place| rows.iter().find(|row| row.place == place).cloned()),
            rows: rows
                .into_iter()
                .filter(|row| wanted.contains(&row.place))
                .collect(),
            ranked,
            valued_at: DateTime::from_timestamp_micros(generation),
            is_final: false,
        })
    }

    async fn ask<T: FromRedisValue>(&self, command: Cmd) -> Option<T> {
        self.redis
            .run(|mut connection| async move { command.query_async(&mut connection).await })
            .await
    }

    async fn run(&self, pipe: Pipeline) -> Option<()> {
        self.redis
            .run(|mut connection| async move { pipe.query_async::<()>(&mut connection).await })
            .await
    }
}

impl BoardQuery {
    /// The places to show; `mine` is the member's own.
    fn places(self, mine: Option<i32>) -> RangeInclusive<i32> {
        match (self, mine) {
            (Self::After(place), _) => place.saturating_add(1)..=place.saturating_add(PAGE),
            (Self::AroundMe, Some(place)) => (place - AROUND).max(1)..=place + AROUND,
            // There is no such place.
            (Self::AroundMe, None) => 0..=0,
        }
    }
}

fn key(competition_id: i64, kind: BoardKind) -> String {
    format!("board:{competition_id}:{}", kind.as_str())
}

fn chunk_key(key: &str, generation: i64, number: usize) -> String {
    format!("{key}:{generation}:{number}")
}

fn places_key(key: &str, generation: i64) -> String {
    format!("{key}:{generation}:places")
}

fn chunk_of(place: i32) -> usize {
    usize::try_from(place - 1).unwrap_or(0) / CHUNK
}

/// Generation and number of ranked entrants.
fn parse_header(text: &str) -> Option<(i64, i32)> {
    let (generation, ranked) = text.split_once(' ')?;
    Some((generation.parse().ok()?, ranked.parse().ok()?))
}

/// A row with the ranks gained since `before`.
pub(super) fn row(ranked: &Ranked, before: Option<i32>) -> wire::BoardRow {
    wire::BoardRow {
        place: ranked.place,
        rank: ranked.rank,
        member_id: ranked.member_id.0,
        return_rate: Some(decimal(rate(ranked.return_e4).normalize())),
        gained: before.map(|before| before - ranked.rank),
    }
}

/// Where rows of a board are stored.
#[derive(Clone, Copy)]
enum Stored {
    Final,
    /// The newest day of a running event.
    Standing,
}

#[derive(FromQueryResult)]
struct StoredRow {
    place: i32,
    rank: i32,
    member_id: MemberId,
    return_rate: Decimal,
}

impl From<StoredRow> for wire::BoardRow {
    fn from(row: StoredRow) -> Self {
        Self {
            place: row.place,
            rank: row.rank,
            member_id: row.member_id.0,
            return_rate: Some(decimal(row.return_rate.normalize())),
            gained: None,
        }
    }
}

impl Stored {
    /// With `$1` the event, `$2` the board and `$3`, `$4` the places.
    fn page(self) -> &'static str {
        match self {
            Self::Final => {
                "select k.place, k.rank, k.member_id, r.return_rate from competition_rank k \
                 join competition_result r using (competition_id, member_id) \
                 where k.competition_id = $1 and k.board = $2 and k.place between $3 and $4 \
                 order by k.place"
            }
            Self::Standing => {
                "select place, rank, member_id, return_rate from competition_standing \
                 where competition_id = $1 and board = $2 and place between $3 and $4 \
                    and day = (select max(day) from competition_standing \
                        where competition_id = $1 and board = $2) order by place"
            }
        }
    }

    /// With `$1` the event, `$2` the board and `$3` the member: the member's place, the number of
    /// places, and when accounts were valued.
    fn header(self) -> &'static str {
        match self {
            Self::Final => {
                "select (select place from competition_rank where competition_id = $1 \
                    and board = $2 and member_id = $3) as mine, \
                    (select max(place) from competition_rank where competition_id = $1 \
                        and board = $2) as ranked, \
                    (select ends_at from competition where id = $1) as valued_at"
            }
            Self::Standing => {
                "with newest as (select max(day) as day from competition_standing \
                    where competition_id = $1 and board = $2) \
                 select (select s.place from competition_standing s where s.competition_id = $1 \
                    and s.board = $2 and s.day = newest.day and s.member_id = $3) as mine, \
                    (select max(s.place) from competition_standing s where s.competition_id = $1 \
                        and s.board = $2 and s.day = newest.day) as ranked, \
                    (select s.valued_at from competition_standing s where s.competition_id = $1 \
                        and s.board = $2 and s.day = newest.day and s.place = 1) as valued_at \
                 from newest"
            }
        }
    }
}

#[derive(FromQueryResult)]
struct StoredHeader {
    mine: Option<i32>,
    ranked: Option<i32>,
    valued_at: Option<DateTime<Utc>>,
}

impl Store {
    /// A page of a board. While Redis is away it is at most an hour old.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn board(
        &self,
        boards: &LiveBoards,
        competition: &Competition,
        kind: BoardKind,
        member_id: MemberId,
        query: BoardQuery,
    ) -> Result<Board, TradingError> {
        if competition.closed_at.is_some() {
            let stored = self.stored_board(Stored::Final, competition.id, kind, member_id, query);
            return Ok(Board {
                is_final: true,
                ..stored.await?
            });
        }
        if let Some(board) = boards.read(competition.id, kind, member_id, query).await {
            return Ok(board);
        }
        let stored = self.stored_board(Stored::Standing, competition.id, kind, member_id, query);
        Ok(stored.await?)
    }

    async fn stored_board(
        &self,
        stored: Stored,
        competition_id: i64,
        kind: BoardKind,
        member_id: MemberId,
        query: BoardQuery,
    ) -> Result<Board, DbErr> {
        let header = sql(
            stored.header(),
            [
                competition_id.into(),
                kind.as_str().into(),
                member_id.into(),
            ],
        );
        let header = StoredHeader::find_by_statement(header)
            .one(&self.db)
            .await?;
        let header = header.ok_or_else(|| DbErr::RecordNotFound("board".to_owned()))?;
        let rows = async |places: RangeInclusive<i32>| {
            let read = sql(
                stored.page(),
                [
                    competition_id.into(),
                    kind.as_str().into(),
                    (*places.start()).into(),
                    (*places.end()).into(),
                ],
            );
            let rows = StoredRow::find_by_statement(read).all(&self.db).await?;
            Ok::<_, DbErr>(
                rows.into_iter()
                    .map(wire::BoardRow::from)
                    .collect::<Vec<_>>(),
            )
        };
        let mine = match header.mine {
            Some(place) => rows(place..=place).await?.pop(),
            None => None,
        };
        Ok(Board {
            rows: rows(query.places(header.mine)).await?,
            ranked: header.ranked.unwrap_or(0),
            valued_at: header.valued_at,
            mine,
            is_final: false,
        })
    }
}
