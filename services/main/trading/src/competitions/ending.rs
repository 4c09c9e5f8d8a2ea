//! Ends events that are over: fixes the last prices, closes the accounts slice by slice with a result
//! each, and ranks the results, slice by slice too, once all are there. Every step is one transaction, so
//! a crash goes on where it was, and a second run changes nothing.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use kernel::{AccountId, Won};
use proto::convert::{InvalidField, micros};
use proto::trading::v1::CompetitionEnded;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, TransactionTrait};
use tokio::time::Instant;

use super::close::ClosingPrices;
use super::competition::Competition;
use super::end_prices::{EndPrices, FinalPrices, prices_at};
use super::ranking::{Activity, return_e4};
use super::results::{EndResult, insert_results};
use super::valuation::{self, Fall};
use super::worker::CompetitionWorker;
use crate::error::TradingError;
use crate::events;
use crate::matching::CONSUMER;
use crate::orders::order::end_reason;
use crate::store::lock::Accounts;
use crate::store::write_set::WriteSet;
use crate::store::{Store, once, skip_locked, sql};

/// After the end, when what was begun before it is in the log.
const AFTER_END: TimeDelta = TimeDelta::seconds(10);
/// How long it is remembered where the log was when an end was seen. An end may have been long ago then.
const REMEMBERED: Duration = Duration::from_secs(24 * 3600);
const ACCOUNTS_PER_TRANSACTION: i64 = 200;
/// Events that are read together.
const COMPETITIONS_PER_PAGE: i64 = 50;
/// Transactions of an event in one step.
const TRANSACTIONS_PER_STEP: usize = 50;
/// What ends take of a step, but for the last one that is begun.
const LONGEST_ENDING: Duration = Duration::from_secs(30);

#[derive(Debug, thiserror::Error)]
pub enum EndingError {
    #[error("market-data: {0}")]
    Market(#[from] tonic::Status),
    #[error("market-data: {0}")]
    Field(#[from] InvalidField),
    #[error(transparent)]
    Rows(#[from] sqlx::Error),
    #[error(transparent)]
    Trading(#[from] TradingError),
}

/// The newest batch of the log when this process first saw that an instant is past.
#[derive(Clone, Copy)]
pub(super) struct EndSeen {
    head: (i64, i64),
    seen: Instant,
}

/// What is known of events that end together, as leagues do at midnight.
#[derive(Default)]
struct Ends {
    /// By the instant, microseconds since the epoch.
    prices: BTreeMap<i64, EndPrices>,
    /// An end that none of its events can begin to close at yet.
    waiting: Option<DateTime<Utc>>,
}

impl CompetitionWorker {
    /// Ends what is over, a page after another. When that takes long the next step goes on where this one
    /// stopped: what keeps one event from ending must not keep the others.
    pub(super) async fn end_events(&mut self, now: DateTime<Utc>) -> Result<(), EndingError> {
        self.ending.retain(|_, end| end.seen.elapsed() < REMEMBERED);
        let begun = Instant::now();
        let mut ends = Ends::default();
        loop {
            let page = self.over(now, self.ended_to).await?;
            if page.is_empty() {
                self.ended_to = None;
                return Ok(());
            }
            for competition in &page {
                // Also when the step is cut off in it.
                self.ended_to = Some((competition.ends_at, competition.id));
                if let Err(error) = self.end_event(competition, &mut ends).await {
                    let competition = competition.id;
                    tracing::warn!(competition, %error, "A competition could not end yet; retrying");
                }
                if begun.elapsed() >= LONGEST_ENDING {
                    return Ok(());
                }
            }
        }
    }

    /// The next events that are over and have no results.
    async fn over(
        &self,
        now: DateTime<Utc>,
        after: Option<(DateTime<Utc>, i64)>,
    ) -> Result<Vec<Competition>, TradingError> {
        let (ends_at, id) = after.unwrap_or((DateTime::UNIX_EPOCH, 0));
        let read = sql(
            "select * from competition where closed_at is null and not is_canceled \
             and ends_at <= $1 and (ends_at, id) > ($3, $4) order by ends_at, id limit $2",
            [
                (now - AFTER_END).into(),
                COMPETITIONS_PER_PAGE.into(),
                ends_at.into(),
                id.into(),
            ],
        );
        Ok(Competition::find_by_statement(read)
            .all(&self.store.db)
            .await?)
    }

    /// Does what can be done now for the event to have its results.
    async fn end_event(
        &mut self,
        competition: &Competition,
        ends: &mut Ends,
    ) -> Result<(), EndingError> {
        if competition.closing_at.is_none() {
            if ends.waiting == Some(competition.ends_at) {
                return Ok(());
            }
            if !self.begin_to_close(competition, ends).await? {
                ends.waiting = Some(competition.ends_at);
                return Ok(());
            }
        }
        let is_over = self.close_accounts(competition).await?
            && self
                .store
                .rank_results(competition, self.slices.ranks)
                .await?;
        if is_over {
            tracing::info!(competition = competition.id, "A competition has ended");
        }
        Ok(())
    }

    /// Fixes the last prices; false while trades before the end may still come, while its last day is not
    /// closed, whose equity the largest fall counts, and when it was canceled meanwhile.
    async fn begin_to_close(
        &mut self,
        competition: &Competition,
        ends: &mut Ends,
    ) -> Result<bool, EndingError> {
        let Some(head) = self.store.market_cache().log_head() else {
            return Ok(false);
        };
        let begun = self
            .ending
            .entry(competition.ends_at)
            .or_insert_with(|| EndSeen {
                head,
                seen: Instant::now(),
            });
        let matched = self.store.matched_beyond(CONSUMER, self.shards, begun.head);
        if !matched.await? {
            return Ok(false);
        }
        let (closed, _) = valuation::progress(&self.store.db)
            .await
            .map_err(TradingError::from)?;
        if closed.is_none_or(|day| day < competition.last_day()) {
            return Ok(false);
        }
        let at_us = micros(competition.ends_at);
        let prices = match ends.prices.entry(at_us) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => match prices_at(&mut self.market, at_us).await? {
                Some(prices) => unknown.insert(prices),
                None => return Ok(false),
            },
        };
        // Nobody buys any more, so it need not be known at the same instant.
        let owned = self.store.ever_owned(competition.id, self.slices.ranks);
        let owned = owned.await?;
        let fixed = self.store.fix_prices(competition.id, prices, &owned);
        Ok(fixed.await?)
    }

    /// Closes accounts; whether none is left. Boards of other events wait meanwhile, so that a large
    /// event is closed in many steps.
    async fn close_accounts(&self, competition: &Competition) -> Result<bool, EndingError> {
        let prices = self.store.final_prices(competition).await?;
        let mut after = AccountId(0);
        let mut all = true;
        for _slice in 0..TRANSACTIONS_PER_STEP {
            let open = self.store.accounts_to_close(competition.id, after).await?;
            let Some(last) = open.last().copied() else {
                return Ok(all);
            };
            after = last;
            let (db, start) = (&self.store.db, competition.start_cash_won);
            let active = valuation::activity(db, &open).await;
            let active = active.map_err(TradingError::from)?;
            // Accounts that are closed late have days after the end.
            let days = (None, competition.day_after());
            let ends = valuation::day_ends(db, &open, days).await;
            let mut falls = HashMap::new();
            valuation::add_ends(&mut falls, &ends.map_err(TradingError::from)?, start);
            let closed = self
                .store
                .close_slice(competition, &open, &prices, &active, &falls)
                .await?;
            all &= closed == open.len();
        }
        Ok(false)
    }
}

impl Store {
    /// Market time since the end of the oldest event that is not closed.
    pub(super) async fn oldest_open_competition(
        &self,
        now: DateTime<Utc>,
    ) -> Result<TimeDelta, TradingError> {
        let read = sql(
            "select min(ends_at) as ended_at from competition \
             where closed_at is null and not is_canceled and ends_at <= $1",
            [now.into()],
        );
        let row = self.db.query_one_raw(read).await?;
        let ended: Option<DateTime<Utc>> =
            row.map_or(Ok(None), |row| row.try_get("", "ended_at"))?;
        Ok(ended.map_or(TimeDelta::zero(), |ended| now - ended))
    }

    pub(super) async fn accounts_to_close(
        &self,
        competition_id: i64,
        after: AccountId,
    ) -> Result<Vec<AccountId>, TradingError> {
        let read = sql(
            "select e.account_id from competition_entry e \
             where e.competition_id = $1 and e.left_at is null and e.last_journal is null \
                and e.account_id > $2 order by e.account_id limit $3",
            [
                competition_id.into(),
                after.into(),
                ACCOUNTS_PER_TRANSACTION.into(),
            ],
        );
        let rows = self.db.query_all_raw(read).await?;
        let ids = rows.iter().map(|row| row.try_get("", "account_id"));
        Ok(ids.collect::<Result<_, DbErr>>()?)
    }

    /// Closes those that no other transaction has locked; returns how many.
    async fn close_slice(
        &self,
        competition: &Competition,
        open: &[AccountId],
        prices: &FinalPrices,
        active: &HashMap<AccountId, Activity>,
        falls: &HashMap<AccountId, Fall>,
    ) -> Result<usize, TradingError> {
        let transaction = self.db.begin().await?;
        let closed = self.close_locked(&transaction, competition, open, prices, (active, falls));
        let closed = closed.await;
        once::end(transaction, closed).await
    }

    async fn close_locked(
        &self,
        transaction: &DatabaseTransaction,
        competition: &Competition,
        open: &[AccountId],
        prices: &FinalPrices,
        (active, falls): (&HashMap<AccountId, Activity>, &HashMap<AccountId, Fall>),
    ) -> Result<usize, TradingError> {
        let ids: BTreeSet<AccountId> = open.iter().copied().collect();
        let mut accounts: Accounts = skip_locked::accounts(transaction, &ids).await?;
        // Whoever left in between, or was closed by another process, is done.
        accounts.retain(|_, locked| locked.account.closed_at.is_none());
        let mut writes = WriteSet::default();
        let now = self.clock.now();
        let values = self
            .close_competition_accounts(
                transaction,
                &mut writes,
                &accounts,
                &ClosingPrices::AtEnd(prices),
                (end_reason::COMPETITION_ENDED, now),
            )
            .await?;
        for locked in accounts.values() {
            let ended = CompetitionEnded {
                competition_id: competition.id,
                name: competition.title.clone(),
                member_id: locked.account.member_id.0,
            };
            writes.event(&events::competition_ended(&ended, self.clock.as_ref()));
        }
        writes.write(transaction).await?;
        let results: Vec<EndResult> = accounts
            .iter()
            .map(|(id, locked)| {
                let (cash, start) = (Won(locked.won.amount), competition.start_cash_won);
                let holdings = values.get(id).copied().unwrap_or_default();
                let equity = Won(cash.0 + holdings.0);
                let before = falls.get(id).copied();
                let fall = before
                    .unwrap_or_else(|| Fall::from_start(start))
                    .with(equity);
                EndResult {
                    member_id: locked.account.member_id,
                    cash,
                    holdings,
                    return_e4: return_e4(equity, start),
                    drawdown_e4: fall.largest_e4,
                    activity: active.get(id).copied().unwrap_or_default(),
                }
            })
            .collect();
        insert_results(transaction, competition.id, &results).await?;
        Ok(results.len())
    }
}
