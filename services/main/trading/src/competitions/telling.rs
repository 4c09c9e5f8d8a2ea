//! Tells members that an event has begun, or of their ranks, in pages: each is a transaction that also
//! notes how far it came, so nobody is told twice, and the outbox carries others' events in between.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::MemberId;
use proto::trading::v1::{CompetitionRanked, CompetitionStarted};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, TransactionTrait};

use super::board::BoardKind;
use super::competition::{Competition, CompetitionKind};
use super::worker::CompetitionWorker;
use crate::error::TradingError;
use crate::events;
use crate::store::write_set::WriteSet;
use crate::store::{Store, once, sql};

/// After the beginning, when whoever joined before it is committed.
const AFTER_START: TimeDelta = TimeDelta::seconds(10);
/// Nobody is told later that an event has begun.
const STARTED_IS_NEWS_FOR: TimeDelta = TimeDelta::days(1);
/// Events that are told of in one step; each has a page at least.
const COMPETITIONS_PER_STEP: i64 = 50;
/// Pages after which a step begins no other round.
const PAGES_PER_STEP: usize = 8;

/// How much of an event one transaction writes.
#[derive(Clone, Copy, Debug)]
pub struct Slices {
    pub ranks: usize,
    /// Members whose events share a transaction.
    pub told: usize,
}

#[derive(Clone, Copy, Debug)]
enum News {
    Started,
    Ranked,
}

/// A place, and what it receives.
#[derive(FromQueryResult)]
struct Place {
    place: i32,
    rank: i32,
    member_id: MemberId,
    points: i64,
    /// How many entrants have a rank in the event.
    ranked: i32,
}

impl Default for Slices {
    fn default() -> Self {
        Self {
            ranks: 5_000,
            told: 500,
        }
    }
}

impl CompetitionWorker {
    pub(super) async fn tell_members(&self, now: DateTime<Utc>) -> Result<(), TradingError> {
        let begun = self.store.begun(now).await?;
        self.tell(News::Started, begun).await;
        let ranked = self.store.ranked_and_not_told().await?;
        self.tell(News::Ranked, ranked).await;
        Ok(())
    }

    /// A page of every event in turn, so that a large one delays no other.
    async fn tell(&self, news: News, competitions: Vec<Competition>) {
        let (mut waiting, mut pages) = (competitions, 0);
        while !waiting.is_empty() && pages < PAGES_PER_STEP {
            let mut unfinished = Vec::new();
            for competition in waiting {
                pages += 1;
                match self.store.tell_page(news, &competition, self.slices).await {
                    Ok(true) => {}
                    Ok(false) => unfinished.push(competition),
                    Err(error) => {
                        let competition = competition.id;
                        tracing::warn!(competition, ?news, %error, "Entrants could not be told; retrying");
                    }
                }
            }
            waiting = unfinished;
        }
    }
}

impl Store {
    /// Events whose entrants are not all told that they have begun. A practice league is joined while it
    /// runs.
    async fn begun(&self, now: DateTime<Utc>) -> Result<Vec<Competition>, DbErr> {
        let read = sql(
            "select * from competition where start_told_at is null and kind <> $3 \
                and not is_canceled and closing_at is null and starts_at <= $1 and starts_at > $2 \
             order by start_told_to, id limit $4",
            [
                (now - AFTER_START).into(),
                (now - STARTED_IS_NEWS_FOR).into(),
                CompetitionKind::Practice.as_str().into(),
                COMPETITIONS_PER_STEP.into(),
            ],
        );
        Competition::find_by_statement(read).all(&self.db).await
    }

    async fn ranked_and_not_told(&self) -> Result<Vec<Competition>, DbErr> {
        let read = sql(
            "select * from competition where tell_from_place is not null \
             order by tell_from_place, id limit $1",
            [COMPETITIONS_PER_STEP.into()],
        );
        Competition::find_by_statement(read).all(&self.db).await
    }

    /// Whether that was the last page.
    async fn tell_page(
        &self,
        news: News,
        competition: &Competition,
        slices: Slices,
    ) -> Result<bool, TradingError> {
        let transaction = self.db.begin().await?;
        let told = match news {
            News::Started => self.tell_started(&transaction, competition, slices).await,
            News::Ranked => self.tell_ranked(&transaction, competition, slices).await,
        };
        once::end(transaction, told).await
    }

    /// Those who joined before the beginning: whoever comes later knows.
    async fn tell_started(
        &self,
        transaction: &DatabaseTransaction,
        competition: &Competition,
        slices: Slices,
    ) -> Result<bool, TradingError> {
        let lock = sql(
            "select start_told_to from competition where id = $1 and start_told_at is null \
                and not is_canceled for no key update",
            [competition.id.into()],
        );
        let Some(row) = transaction.query_one_raw(lock).await? else {
            return Ok(true);
        };
        let after: MemberId = row.try_get("", "start_told_to")?;
        let read = sql(
            "select member_id from competition_entry \
             where competition_id = $1 and member_id > $2 and joined_at < $3 and left_at is null \
             order by member_id limit $4",
            [
                competition.id.into(),
                after.into(),
                competition.starts_at.into(),
                limit(slices).into(),
            ],
        );
        let rows = transaction.query_all_raw(read).await?;
        let members = rows.iter().map(|row| row.try_get("", "member_id"));
        let members: Vec<MemberId> = members.collect::<Result<_, DbErr>>()?;
        let mut writes = WriteSet::default();
        for member in &members {
            let started = CompetitionStarted {
                competition_id: competition.id,
                name: competition.title.clone(),
                member_id: member.0,
            };
            writes.event(&events::competition_started(&started, self.clock.as_ref()));
        }
        writes.write(transaction).await?;
        let is_last = members.len() < slices.told;
        let note = sql(
            "update competition set start_told_to = $2, start_told_at = $3 where id = $1",
            [
                competition.id.into(),
                members.last().copied().unwrap_or(after).into(),
                is_last.then(|| self.clock.now()).into(),
            ],
        );
        transaction.execute_raw(note).await?;
        Ok(is_last)
    }

    /// The places of the board that everybody is on.
    async fn tell_ranked(
        &self,
        transaction: &DatabaseTransaction,
        competition: &Competition,
        slices: Slices,
    ) -> Result<bool, TradingError> {
        let lock = sql(
            "select tell_from_place from competition where id = $1 and tell_from_place is not null \
             for no key update",
            [competition.id.into()],
        );
        let Some(row) = transaction.query_one_raw(lock).await? else {
            return Ok(true);
        };
        let from: i32 = row.try_get("", "tell_from_place")?;
        let places = places(transaction, competition.id, (from, limit(slices))).await?;
        let mut writes = WriteSet::default();
        for one in &places {
            let ranked = CompetitionRanked {
                competition_id: competition.id,
                name: competition.title.clone(),
                member_id: one.member_id.0,
                rank: one.rank,
                ranked: one.ranked,
                points: one.points,
            };
            writes.event(&events::competition_ranked(&ranked, self.clock.as_ref()));
        }
        writes.write(transaction).await?;
        let is_last = places.len() < slices.told;
        let next = places.last().filter(|_| !is_last).map(|one| one.place + 1);
        let note = sql(
            "update competition set tell_from_place = $2 where id = $1",
            [competition.id.into(), next.into()],
        );
        transaction.execute_raw(note).await?;
        Ok(is_last)
    }
}

async fn places(
    transaction: &DatabaseTransaction,
    competition_id: i64,
    (from, limit): (i32, i64),
) -> Result<Vec<Place>, DbErr> {
    let read = sql(
        "select k.place, k.rank, k.member_id, coalesce(p.points, 0) as points, \
            (select max(place) from competition_rank where competition_id = $1 and board = $2) \
                as ranked \
         from competition_rank k \
         left join competition_prize p on p.competition_id = k.competition_id \
            and p.board = k.board and k.place between p.first_place and p.last_place \
         where k.competition_id = $1 and k.board = $2 and k.place >= $3 \
         order by k.place limit $4",
        [
            competition_id.into(),
            BoardKind::Return.as_str().into(),
            from.into(),
            limit.into(),
        ],
    );
    Place::find_by_statement(read).all(transaction).await
}

fn limit(slices: Slices) -> i64 {
    i64::try_from(slices.told).unwrap_or(i64::MAX)
}
