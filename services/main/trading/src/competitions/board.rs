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
/// Longer than anybody reads a board.
const READ_S: i64 = 20;
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

    /// Replaces a board; whether it is there now. `generation` tells apart what two processes write.
    pub async fn write(
        &self,
        competition_id: i64,
        kind: BoardKind,
        rows: &[wire::BoardRow],
        (generation, valued_at): (i64, DateTime<Utc>),
    ) -> bool {
        let key = key(competition_id, kind);
        let (pages, places) = generation_keys(&key, generation);
        let chunks: Vec<&[wire::BoardRow]> = rows.chunks(CHUNK).collect();
        for (group_index, group) in chunks.chunks(PIPELINE).enumerate() {
            let mut pipe = pipe();
            for (index, chunk) in group.iter().enumerate() {
                let page = wire::Board {
                    rows: chunk.to_vec(),
                    ..wire::Board::default()
                };
                let number = group_index * PIPELINE + index;
                pipe.cmd("HSET")
                    .arg(&pages)
                    .arg(number)
                    .arg(page.encode_to_vec())
                    .ignore();
                let members = pipe.cmd("HSET").arg(&places);
                for row in *chunk {
                    members.arg(row.member_id).arg(row.place);
                }
                members.ignore();
            }
            // With the first rows, so that nothing stays when the process ends before the last ones.
            expire(&mut pipe, &pages, KEPT_S);
            expire(&mut pipe, &places, KEPT_S);
            if self.run(pipe).await.is_none() {
                return false;
            }
        }
        let header = format!("{generation} {} {}", rows.len(), micros(valued_at));
        let mut replace = cmd("SET");
        replace
            .arg(&key)
            .arg(header)
            .arg("EX")
            .arg(KEPT_S)
            .arg("GET");
        let Some(before): Option<Option<String>> = self.ask(replace).await else {
            return false;
        };
        // Whoever reads the generation before finishes; ten of them would fill the memory.
        if let Some(header) = before.as_deref().and_then(parse_header) {
            let (pages, places) = generation_keys(&key, header.generation);
            let mut pipe = pipe();
            expire(&mut pipe, &pages, READ_S);
            expire(&mut pipe, &places, READ_S);
            self.run(pipe).await;
        }
        true
    }

    /// `None` when Redis has no board, or is away.
    pub async fn read(
        &self,
        competition_id: i64,
        kind: BoardKind,
        member_id: MemberId,
        query: BoardQuery,
    ) -> Option<Board> {
        let key = key(competition_id, kind);
        let header: Option<String> = self.ask(cmd("GET").arg(&key).to_owned()).await?;
        let header = parse_header(&header?)?;
        let (pages_key, places_key) = generation_keys(&key, header.generation);
        let mut of_member = cmd("HGET");
        of_member.arg(places_key).arg(member_id.0);
        let mine: Option<i32> = self.ask(of_member).await?;
        let wanted = query.places(mine);
        let chunks: BTreeSet<usize> = wanted
            .clone()
            .filter(|place| *place <= header.ranked)
            .chain(mine)
            .map(chunk_of)
            .collect();
        let mut read = cmd("HMGET");
        read.arg(pages_key);
        for number in &chunks {
            read.arg(*number);
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
        let is_mine = |row: &&wire::BoardRow| row.member_id == member_id.0;
        Some(Board {
            mine: rows
                .iter()
                .find(is_mine)
                .filter(|_| mine.is_some())
                .cloned(),
            rows: rows
                .into_iter()
                .filter(|row| wanted.contains(&row.place))
                .collect(),
            ranked: header.ranked,
            valued_at: header.valued_at,
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

/// The keys of the pages, and of the places of members.
fn generation_keys(key: &str, generation: i64) -> (String, String) {
    (
        format!("{key}:{generation}:pages"),
        format!("{key}:{generation}:places"),
    )
}

fn expire(pipe: &mut Pipeline, key: &str, seconds: i64) {
    pipe.cmd("EXPIRE").arg(key).arg(seconds).ignore();
}

fn chunk_of(place: i32) -> usize {
    usize::try_from(place - 1).unwrap_or(0) / CHUNK
}

/// Which generation of a board counts.
struct Header {
    generation: i64,
    ranked: i32,
    valued_at: Option<DateTime<Utc>>,
}

fn parse_header(text: &str) -> Option<Header> {
    let mut parts = text.split(' ');
    Some(Header {
        generation: parts.next()?.parse().ok()?,
        ranked: parts.next()?.parse().ok()?,
        valued_at: DateTime::from_timestamp_micros(parts.next()?.parse().ok()?),
    })
}

/// A row with the ranks gained since `before`.
#[must_use]
pub fn row(ranked: &Ranked, before: Option<i32>) -> wire::BoardRow {
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
    /// The newest edition of a running event.
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
                "select place, rank, member_id, return_rate from competition_edition_place \
                 where edition_id = (select id from competition_edition \
                        where competition_id = $1 and board = $2 and is_whole and not is_stale \
                        order by day desc, valued_at desc, id desc limit 1) \
                    and place between $3 and $4 order by place"
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
                "with newest as (select id, places, valued_at from competition_edition \
                    where competition_id = $1 and board = $2 and is_whole and not is_stale \
                    order by day desc, valued_at desc, id desc limit 1) \
                 select (select place from competition_edition_place \
                        where edition_id = newest.id and member_id = $3) as mine, \
                    newest.places as ranked, newest.valued_at \
                 from (values (1)) as always (one) left join newest on true"
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
