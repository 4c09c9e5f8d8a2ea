//! The task of competitions: makes the events that are there by themselves, ends those that are over, and
//! values running ones once a minute. Whoever claims an event first values it; any process may.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use bootstrap::grpc::Client;
use bootstrap::shutdown::elapsed;
use chrono::{DateTime, NaiveDate, TimeDelta, Timelike, Utc};
use kernel::MemberId;
use proto::convert::micros;
use proto::market::v1::close_service_client::CloseServiceClient;
use proto::trading::v1 as wire;
use sea_orm::TransactionTrait;
use sqlx::PgPool;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::activity::EntrantHistory;
use super::board::{self, BoardKind, LiveBoards};
use super::competition::Competition;
use super::ending::{EndSeen, EndingError};
use super::ranking::{Activity, Ranked, has_board, rank};
use super::seeds;
use super::standings::{self, Edition};
use super::telling::Slices;
use super::valuation::Portfolios;
use crate::contracts::day_of;
use crate::error::TradingError;
use crate::store::Store;

const STEP_INTERVAL: Duration = Duration::from_secs(2);
/// A connection that is half open never answers; what was done is stored.
const LONGEST_STEP: Duration = Duration::from_secs(120);
/// What boards take of a step, but for the last ones that are claimed.
const LONGEST_VALUING: Duration = Duration::from_secs(30);
/// What is remembered of an event that this process values no longer.
const FORGOTTEN_AFTER: TimeDelta = TimeDelta::minutes(10);

pub struct CompetitionWorker {
    pub(super) store: Store,
    pub(super) pool: PgPool,
    pub(super) market: CloseServiceClient<Client>,
    pub(super) shards: i32,
    pub(super) slices: Slices,
    longest_valuing: Duration,
    /// Whether the events that were claimed last were no leagues, so that leagues are next.
    pub(super) leagues_wait: bool,
    boards: LiveBoards,
    running: HashMap<i64, Running>,
    /// The month whose practice league is made, and whether there are official events.
    pub(super) seeded: Option<NaiveDate>,
    /// By when events end.
    pub(super) ending: HashMap<DateTime<Utc>, EndSeen>,
    /// The last event that was tried to end, by its end and its id, while there may be others after it.
    pub(super) ended_to: Option<(DateTime<Utc>, i64)>,
    /// The last event whose standings were looked at.
    pub(super) forgotten_to: i64,
    /// The day of the market on which editions of closed events were deleted last.
    pub(super) forgotten_on: Option<NaiveDate>,
}

/// What a process remembers of an event, so that it need not read it every minute.
#[derive(Default)]
struct Running {
    history: EntrantHistory,
    /// By the clock of the process.
    valued_at: DateTime<Utc>,
    boards: HashMap<BoardKind, Last>,
    /// Orders that are not stored from end to end, each with the hour that it is stored for.
    unstored: HashMap<BoardKind, (Edition, Option<u32>)>,
}

/// The last ranking of a board.
struct Last {
    day: NaiveDate,
    /// Ranks of the day before.
    ranks_before: HashMap<MemberId, i32>,
    ranked: Arc<[Ranked]>,
    valued_at: DateTime<Utc>,
    /// The last hour whose order is stored.
    stored_hour: Option<u32>,
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
            longest_valuing: LONGEST_VALUING,
            leagues_wait: false,
            boards,
            running: HashMap::new(),
            seeded: None,
            ending: HashMap::new(),
            ended_to: None,
            forgotten_to: 0,
            forgotten_on: None,
        }
    }

    #[must_use]
    pub fn with_slices(self, slices: Slices) -> Self {
        Self { slices, ..self }
    }

    /// What boards take of a step, but for the last ones that are claimed.
    #[must_use]
    pub fn with_longest_valuing(self, longest_valuing: Duration) -> Self {
        Self {
            longest_valuing,
            ..self
        }
    }

    /// Runs until `shutdown`.
    pub async fn run(mut self, shutdown: CancellationToken) {
        while elapsed(&shutdown, STEP_INTERVAL).await {
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
        // Before the boards, of which there may always be more. What is wrong with it must keep no event
        // from its board.
        if let Err(error) = self.forget_standings().await {
            tracing::warn!(%error, "Old standings could not be deleted; retrying");
        }
        self.value_events().await
    }

    /// Each event once at most. When they take long together, results do not wait for all of them: the next
    /// step goes on with what was valued longest ago.
    async fn value_events(&mut self) -> Result<(), EndingError> {
        let (begun, started) = (self.store.clock.now(), Instant::now());
        loop {
            let now = self.store.market_cache().now();
            let claimed = self.claim(now, begun).await?;
            for competition in &claimed {
                // The day or the event may have ended since the one before was valued.
                let now = self.store.market_cache().now();
                if competition.ends_at <= now {
                    continue;
                }
                // What is wrong with one event must not keep the others from their boards.
                if let Err(error) = self.value(competition, now).await {
                    let competition = competition.id;
                    tracing::warn!(competition, %error, "A competition could not be valued; retrying");
                }
            }
            let wall = self.store.clock.now();
            self.running
                .retain(|_, running| wall - running.valued_at < FORGOTTEN_AFTER);
            if claimed.is_empty() || started.elapsed() >= self.longest_valuing {
                return Ok(());
            }
        }
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
        self.seeded = Some(today);
        Ok(())
    }

    async fn value(
        &mut self,
        competition: &Competition,
        now: DateTime<Utc>,
    ) -> Result<(), EndingError> {
        let mut snapshot = self.pool.begin().await?;
        sqlx::query("set transaction isolation level repeatable read, read only")
            .execute(&mut *snapshot)
            .await?;
        let portfolios = Portfolios::load(&mut snapshot, competition.id, now).await?;
        let prices = portfolios.prices(self.store.market_cache());
        let running = self.running.entry(competition.id).or_default();
        running.valued_at = self.store.clock.now();
        snapshot.commit().await?;
        let history = &mut running.history;
        let read_on = history.read_on(&self.store.db, competition).await;
        read_on.map_err(TradingError::from)?;
        let equities = portfolios.equities(&prices);
        let standings = portfolios.standings(
            &equities,
            competition.start_cash_won,
            &Activity::needed(competition, now),
            &history.activity,
            &history.falls,
        );
        for kind in BoardKind::ALL.iter().copied() {
            if has_board(competition, kind) {
                let ranked = rank(standings.clone(), kind);
                self.publish(competition.id, kind, ranked.into(), now)
                    .await?;
            }
        }
        Ok(())
    }

    async fn publish(
        &mut self,
        competition_id: i64,
        kind: BoardKind,
        ranked: Arc<[Ranked]>,
        now: DateTime<Utc>,
    ) -> Result<(), EndingError> {
        let today = day_of(now);
        let wall = self.store.clock.now();
        let hour = wall.hour();
        // A step that took too long may have left a part.
        self.store_board(competition_id, kind).await?;
        let running = self.running.entry(competition_id).or_default();
        let known = running.boards.remove(&kind);
        let (ranks_before, stored_hour) = match known {
            Some(last) if last.day == today => {
                // The first ranks are stored as soon as they are there.
                let stored = last.stored_hour.filter(|_| !last.ranked.is_empty());
                (last.ranks_before, stored)
            }
            known => {
                // The end of a day is what the next compares with.
                if let Some(last) = known.filter(|last| Some(last.day) == today.pred_opt()) {
                    let at = (last.day, last.valued_at);
                    let edition = Edition::new((competition_id, kind), at, last.ranked);
                    running.unstored.insert(kind, (edition, None));
                    self.store_board(competition_id, kind).await?;
                }
                let yesterday = today.pred_opt();
                let before = standings::ranks_of(&self.pool, competition_id, kind, yesterday);
                (before.await?, None)
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
        let running = self.running.entry(competition_id).or_default();
        if stored_hour != Some(hour) {
            let edition = Edition::new((competition_id, kind), (today, now), Arc::clone(&ranked));
            running.unstored.insert(kind, (edition, Some(hour)));
        }
        let last = Last {
            day: today,
            ranks_before,
            ranked,
            valued_at: now,
            stored_hour,
        };
        running.boards.insert(kind, last);
        self.store_board(competition_id, kind).await
    }

    /// Stores what is not stored of a board. After an error it is given up, because a newer order follows.
    async fn store_board(
        &mut self,
        competition_id: i64,
        kind: BoardKind,
    ) -> Result<(), EndingError> {
        let running = self.running.entry(competition_id).or_default();
        let Some((edition, hour)) = running.unstored.get_mut(&kind) else {
            return Ok(());
        };
        let hour = *hour;
        let stored = edition.store(&self.pool, self.slices.ranks).await;
        running.unstored.remove(&kind);
        stored?;
        if let Some(last) = running.boards.get_mut(&kind).filter(|_| hour.is_some()) {
            last.stored_hour = hour;
        }
        standings::delete_stale(&self.pool).await?;
        Ok(())
    }
}
