//! The task of competitions: makes the events that are there by themselves, ends those that are over, and
//! values running ones once a minute. Whoever claims an event first values it; any process may.

use std::collections::HashMap;
use std::time::Duration;

use bootstrap::grpc::Client;
use chrono::{DateTime, NaiveDate, TimeDelta, Timelike, Utc};
use kernel::{AccountId, MemberId};
use proto::convert::micros;
use proto::market::v1::close_service_client::CloseServiceClient;
use proto::trading::v1 as wire;
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, TransactionTrait};
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use super::board::{self, BoardKind, LiveBoards};
use super::competition::Competition;
use super::ending::{EndSeen, EndingError};
use super::ranking::{Activity, Ranked, has_board, rank};
use super::seeds;
use super::telling::Slices;
use super::valuation::{self, Fall, Portfolios};
use crate::contracts::day_of;
use crate::error::TradingError;
use crate::store::{Store, sql};

const STEP_INTERVAL: Duration = Duration::from_secs(2);
/// A connection that is half open never answers; what was done is stored.
const LONGEST_STEP: Duration = Duration::from_secs(120);
/// Between two valuations of an event.
const VALUED_EVERY: TimeDelta = TimeDelta::seconds(60);
/// Events that are claimed together.
const CLAIMED_PER_STEP: i64 = 100;
/// What is remembered of an event that this process values no longer.
const FORGOTTEN_AFTER: TimeDelta = TimeDelta::minutes(10);
/// Standings that are deleted at once.
const ROWS_PER_DELETION: i64 = 10_000;
/// More fills than are ever numbered and not committed at a time.
const IN_FLIGHT: i64 = 100_000;
/// Rows of a statement.
const ROWS_PER_STATEMENT: usize = 10_000;

pub struct CompetitionWorker {
    pub(super) store: Store,
    pub(super) pool: PgPool,
    pub(super) market: CloseServiceClient<Client>,
    pub(super) shards: i32,
    pub(super) slices: Slices,
    boards: LiveBoards,
    running: HashMap<i64, Running>,
    /// The month whose practice league is made, and whether there are official events.
    seeded: Option<NaiveDate>,
    /// By when events end.
    pub(super) ending: HashMap<DateTime<Utc>, EndSeen>,
}

/// What a process remembers of an event, so that it need not read it every minute.
#[derive(Default)]
struct Running {
    activity: HashMap<AccountId, Activity>,
    /// All fills up to this number are in `activity`.
    mark: Option<i64>,
    falls: HashMap<AccountId, Fall>,
    falls_until: Option<NaiveDate>,
    /// By the clock of the process.
    valued_at: DateTime<Utc>,
    boards: HashMap<BoardKind, Last>,
}

/// The last ranking of a board.
struct Last {
    day: NaiveDate,
    /// Ranks of the day before.
    ranks_before: HashMap<MemberId, i32>,
    ranked: Vec<Ranked>,
    valued_at: DateTime<Utc>,
    stored_hour: u32,
}

impl CompetitionWorker {
    /// `shards` is the number of matcher shards.
    #[must_use]
    pub fn new(
        store: Store,
        pool: PgPool,
        client: Client,
        boards: LiveBoards,
        shards: i32,
    ) -> Self {
        Self {
            store,
            pool,
            market: CloseServiceClient::new(client).max_decoding_message_size(64 << 20),
            shards: shards.max(1),
            slices: Slices::default(),
            boards,
            running: HashMap::new(),
            seeded: None,
            ending: HashMap::new(),
        }
    }

    #[must_use]
    pub fn with_slices(self, slices: Slices) -> Self {
        Self { slices, ..self }
    }

    /// Runs until `shutdown`.
    pub async fn run(mut self, shutdown: CancellationToken) {
        while shutdown
            .run_until_cancelled(tokio::time::sleep(STEP_INTERVAL))
            .await
            .is_some()
        {
            let step = tokio::time::timeout(LONGEST_STEP, self.step());
            match shutdown.run_until_cancelled(step).await {
                Some(Ok(Err(error))) => {
                    tracing::warn!(%error, "A step of the competitions failed; retrying");
                }
                Some(Err(_elapsed)) => tracing::info!("Competitions take long; going on"),
                Some(Ok(Ok(()))) | None => {}
            }
        }
    }

    /// Does everything that is due; what members wait for comes before the boards, which may take long.
    ///
    /// # Errors
    /// [`EndingError`]: the next step goes on where this one stopped.
    pub async fn step(&mut self) -> Result<(), EndingError> {
        if self.store.market_cache().log_head().is_none() {
            return Ok(());
        }
        let now = self.store.market_cache().now();
        self.seed(now).await?;
        self.end_events(now).await?;
        self.close_canceled().await?;
        self.tell_members(now).await?;
        self.award_prizes(now).await?;
        let late = self.store.oldest_open_competition(now).await?;
        metrics::gauge!("trading_competition_late_seconds").set(late.as_seconds_f64());
        self.value_events(now).await?;
        Ok(())
    }

    /// Each event once, however long they take together: the next step takes up what was valued first.
    async fn value_events(&mut self, now: DateTime<Utc>) -> Result<(), EndingError> {
        let mut valued: Vec<i64> = Vec::new();
        loop {
            let claimed = self.claim(now, &valued).await?;
            if !valued.is_empty() && !claimed.is_empty() {
                // Results do not wait for the boards of all others.
                let now = self.store.market_cache().now();
                self.end_events(now).await?;
            }
            valued.extend(claimed.iter().map(|competition| competition.id));
            for competition in &claimed {
                // What is wrong with one event must not keep the others from their boards.
                if let Err(error) = self.value(competition, now).await {
                    let competition = competition.id;
                    tracing::warn!(competition, %error, "A competition could not be valued; retrying");
                }
            }
            if claimed.is_empty() {
                break;
            }
        }
        let wall = self.store.clock.now();
        self.running
            .retain(|_, running| wall - running.valued_at < FORGOTTEN_AFTER);
        Ok(())
    }

    async fn seed(&mut self, now: DateTime<Utc>) -> Result<(), TradingError> {
        let today = day_of(now);
        if self.seeded == Some(today) {
            return Ok(());
        }
        let created_at = self.store.clock.now();
        seeds::practice(&self.store.db, now, created_at).await?;
        let transaction = self.store.db.begin().await?;
        let seeded = seeds::official(&transaction, now, created_at).await;
        let seeded = seeded.map_err(TradingError::from);
        crate::store::once::end(transaction, seeded).await?;
        self.forget_standings().await?;
        self.seeded = Some(today);
        Ok(())
    }

    /// Deletes the standings of events that have results.
    async fn forget_standings(&self) -> Result<(), TradingError> {
        loop {
            let forget = sql(
                "delete from competition_standing where ctid = any(array( \
                    select s.ctid from competition_standing s \
                    join competition c on c.id = s.competition_id \
                    where c.closed_at is not null limit $1))",
                [ROWS_PER_DELETION.into()],
            );
            if self.store.db.execute_raw(forget).await?.rows_affected() == 0 {
                return Ok(());
            }
        }
    }

    /// Running events whose last valuation is too old, the oldest first; no other process takes them now.
    async fn claim(
        &self,
        now: DateTime<Utc>,
        valued: &[i64],
    ) -> Result<Vec<Competition>, TradingError> {
        let wall = self.store.clock.now();
        let claim = sql(
            "update competition set valued_at = $1 where id in (select id from competition \
                where closed_at is null and closing_at is null and not is_canceled \
                    and starts_at <= $2 and ends_at > $2 \
                    and (valued_at is null or valued_at <= $3 or valued_at > $4) \
                    and id <> all($6) \
                order by valued_at nulls first, id limit $5 for no key update skip locked) \
             returning *",
            [
                wall.into(),
                now.into(),
                (wall - VALUED_EVERY).into(),
                // From a clock that was wrong.
                (wall + VALUED_EVERY).into(),
                CLAIMED_PER_STEP.into(),
                valued.to_vec().into(),
            ],
        );
        let claimed = Competition::find_by_statement(claim);
        Ok(claimed.all(&self.store.db).await?)
    }

    async fn value(
        &mut self,
        competition: &Competition,
        now: DateTime<Utc>,
    ) -> Result<(), EndingError> {
        let mut snapshot = self.pool.begin().await?;
        for setting in [
            "set transaction isolation level repeatable read, read only",
            // It reads hundreds of thousands of rows, for nobody who waits.
            "set local statement_timeout = '60s'",
        ] {
            sqlx::query(setting).execute(&mut *snapshot).await?;
        }
        let portfolios = Portfolios::load(&mut snapshot, competition.id, now).await?;
        let prices = portfolios.prices(self.store.market_cache());
        let running = self.running.entry(competition.id).or_default();
        running.valued_at = self.store.clock.now();
        snapshot.commit().await?;
        let read_on = running.read_on(&self.store.db, competition).await;
        read_on.map_err(TradingError::from)?;
        let equities = portfolios.equities(&prices);
        let standings = portfolios.standings(
            &equities,
            competition.start_cash_won,
            &Activity::needed(competition, now),
            &running.activity,
            &running.falls,
        );
        for kind in BoardKind::ALL.iter().copied() {
            if has_board(competition, kind) {
                let ranked = rank(standings.clone(), kind);
                self.publish(competition.id, kind, ranked, now).await?;
            }
        }
        Ok(())
    }

    async fn publish(
        &mut self,
        competition_id: i64,
        kind: BoardKind,
        ranked: Vec<Ranked>,
        now: DateTime<Utc>,
    ) -> Result<(), EndingError> {
        let today = day_of(now);
        let wall = self.store.clock.now();
        let hour = wall.hour();
        let running = self.running.entry(competition_id).or_default();
        let known = running.boards.remove(&kind);
        let (ranks_before, stored_hour) = match known {
            Some(last) if last.day == today => {
                // The first ranks are stored as soon as they are there.
                let stored = Some(last.stored_hour).filter(|_| !last.ranked.is_empty());
                (last.ranks_before, stored)
            }
            known => {
                // The end of a day is what the next compares with.
                if let Some(last) = known.filter(|last| Some(last.day) == today.pred_opt()) {
                    let at = (last.day, last.valued_at);
                    store_standing(&self.pool, competition_id, kind, &last.ranked, at).await?;
                }
                let before = ranks_before(&self.pool, competition_id, kind, today).await?;
                (before, None)
            }
        };
        let rows: Vec<wire::BoardRow> = ranked
            .iter()
            .map(|one| board::row(one, ranks_before.get(&one.member_id).copied()))
            .collect();
        let at = (micros(wall), now);
        if !self.boards.write(competition_id, kind, &rows, at).await {
            tracing::debug!(competition_id, "The board could not be written to Redis");
        }
        if stored_hour != Some(hour) {
            store_standing(&self.pool, competition_id, kind, &ranked, (today, now)).await?;
        }
        let last = Last {
            day: today,
            ranks_before,
            ranked,
            valued_at: now,
            stored_hour: hour,
        };
        running.boards.insert(kind, last);
        Ok(())
    }
}

impl Running {
    /// Reads what has happened since the last time.
    async fn read_on(
        &mut self,
        connection: &impl ConnectionTrait,
        competition: &Competition,
    ) -> Result<(), DbErr> {
        let (closed, newest) = valuation::progress(connection).await?;
        let changed = match self.mark {
            // All accounts of a small event cost less than the newest fills of everybody.
            Some(mark) if competition.most_entrants.is_none() => {
                valuation::bought_since(connection, competition.id, mark).await?
            }
            Some(_) | None => valuation::accounts(connection, competition.id).await?,
        };
        let active = valuation::activity(connection, &changed).await?;
        self.activity.extend(active);
        self.mark = Some(newest.saturating_sub(IN_FLIGHT));
        let known = self.falls_until;
        if let Some(newest) = closed.filter(|newest| known.is_none_or(|day| day < *newest)) {
            let accounts = valuation::accounts(connection, competition.id).await?;
            // Nobody who has joined since had an end of an earlier day.
            let before = newest.succ_opt().unwrap_or(newest);
            let days = (known, before.min(competition.day_after()));
            let ends = valuation::day_ends(connection, &accounts, days).await?;
            valuation::add_ends(&mut self.falls, &ends, competition.start_cash_won);
            self.falls_until = Some(newest);
        }
        Ok(())
    }
}

/// The ranks at the end of the day before.
async fn ranks_before(
    pool: &PgPool,
    competition_id: i64,
    kind: BoardKind,
    today: NaiveDate,
) -> Result<HashMap<MemberId, i32>, sqlx::Error> {
    let rows: Vec<(i64, i32)> = sqlx::query_as(
        "select member_id, rank from competition_standing
         where competition_id = $1 and board = $2 and day = $3",
    )
    .bind(competition_id)
    .bind(kind.as_str())
    .bind(today.pred_opt())
    .fetch_all(pool)
    .await?;
    let rows = rows.into_iter();
    Ok(rows
        .map(|(member, rank)| (MemberId(member), rank))
        .collect())
}

/// Replaces the standing of a day unless another process stored a newer one, and deletes those of days
/// that nothing compares with.
///
/// # Errors
/// [`sqlx::Error`]: nothing was stored.
pub async fn store_standing(
    pool: &PgPool,
    competition_id: i64,
    kind: BoardKind,
    ranked: &[Ranked],
    (day, valued_at): (NaiveDate, DateTime<Utc>),
) -> Result<(), sqlx::Error> {
    let mut transaction = pool.begin().await?;
    sqlx::query("set local statement_timeout = '60s'")
        .execute(&mut *transaction)
        .await?;
    let has_newer: bool = sqlx::query_scalar(
        "select exists (select from competition_standing
         where competition_id = $1 and board = $2 and day = $3 and place = 1 and valued_at > $4)",
    )
    .bind(competition_id)
    .bind(kind.as_str())
    .bind(day)
    .bind(valued_at)
    .fetch_one(&mut *transaction)
    .await?;
    if has_newer {
        return Ok(());
    }
    sqlx::query(
        "delete from competition_standing
         where competition_id = $1 and board = $2 and (day = $3 or day < $3 - 1)",
    )
    .bind(competition_id)
    .bind(kind.as_str())
    .bind(day)
    .execute(&mut *transaction)
    .await?;
    for slice in ranked.chunks(ROWS_PER_STATEMENT) {
        let places: Vec<i32> = slice.iter().map(|one| one.place).collect();
        let ranks: Vec<i32> = slice.iter().map(|one| one.rank).collect();
        let members: Vec<i64> = slice.iter().map(|one| one.member_id.0).collect();
        let returns: Vec<i64> = slice.iter().map(|one| one.return_e4).collect();
        sqlx::query(
            "insert into competition_standing
                (competition_id, board, day, place, rank, member_id, return_rate, valued_at)
             select $1, $2, $3, place, rank, member_id, return_e4 / 10000.0, $4
             from unnest($5::integer[], $6::integer[], $7::bigint[], $8::bigint[])
                as d (place, rank, member_id, return_e4)",
        )
        .bind(competition_id)
        .bind(kind.as_str())
        .bind(day)
        .bind(valued_at)
        .bind(&places)
        .bind(&ranks)
        .bind(&members)
        .bind(&returns)
        .execute(&mut *transaction)
        .await?;
    }
    transaction.commit().await
}
