//! Ends events that are over: fixes the last prices, closes the accounts slice by slice with a result
//! each, and ranks the results once all are there. Every step is one transaction, so a crash goes on
//! where it was, and a second run changes nothing.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use bootstrap::deadline::{self, Deadline};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{AccountId, MemberId, Won};
use proto::convert::{InvalidField, micros, to_optional_decimal, to_required_decimal};
use proto::market::v1::ListPricesAtRequest;
use rust_decimal::Decimal;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, TransactionTrait};
use tonic::Code;

use super::board::BoardKind;
use super::close::ClosingPrices;
use super::competition::Competition;
use super::ranking::{Activity, Ranked, Standing, has_board, rank, return_e4};
use super::valuation::{self, Fall};
use super::worker::CompetitionWorker;
use crate::error::TradingError;
use crate::matching::CONSUMER;
use crate::orders::order::end_reason;
use crate::store::lock::Accounts;
use crate::store::write_set::WriteSet;
use crate::store::{Store, once, skip_locked, sql};

/// After the end, when what was begun before it is in the log.
const AFTER_END: TimeDelta = TimeDelta::seconds(10);
const CALL_TIMEOUT: Duration = Duration::from_secs(10);
/// Accounts of one transaction.
const ACCOUNTS: i64 = 200;
/// Events that end in one step.
const EVENTS: i64 = 50;

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

/// The newest batch of the log when this process first saw that an event is over.
#[derive(Clone, Copy)]
pub(super) struct Begun {
    head: (i64, i64),
}

/// What an account ended with.
struct Outcome {
    member_id: MemberId,
    cash: Won,
    holdings: Won,
    return_e4: i64,
    drawdown_e4: i64,
    activity: Activity,
}

#[derive(FromQueryResult)]
struct StoredOutcome {
    member_id: MemberId,
    joined_at: DateTime<Utc>,
    return_rate: Decimal,
    drawdown_rate: Decimal,
    buys: i32,
    items: i32,
    days: i32,
}

impl CompetitionWorker {
    pub(super) async fn end_events(&mut self, now: DateTime<Utc>) -> Result<(), EndingError> {
        let read = sql(
            "select * from competition where closed_at is null and not is_canceled \
             and ends_at <= $1 order by ends_at, id limit $2",
            [(now - AFTER_END).into(), EVENTS.into()],
        );
        let over = Competition::find_by_statement(read);
        let over = over.all(&self.store.db).await.map_err(TradingError::from)?;
        for competition in over {
            if competition.closing_at.is_none() && !self.begin_to_close(&competition).await? {
                continue;
            }
            if self.close_accounts(&competition).await? {
                self.store.rank_results(&competition).await?;
                self.ending.remove(&competition.id);
                tracing::info!(competition = competition.id, "A competition has ended");
            }
        }
        Ok(())
    }

    /// Fixes the last prices; false while trades before the end may still come.
    async fn begin_to_close(&mut self, competition: &Competition) -> Result<bool, EndingError> {
        let Some(head) = self.store.market_cache().log_head() else {
            return Ok(false);
        };
        let begun = self.ending.entry(competition.id).or_insert(Begun { head });
        let matched = self.store.matched_beyond(CONSUMER, self.shards, begun.head);
        if !matched.await? {
            return Ok(false);
        }
        let request = ListPricesAtRequest {
            at_us: micros(competition.ends_at),
        };
        let within = Deadline::within(CALL_TIMEOUT);
        let told = deadline::scope(within, self.market.list_prices_at(request)).await;
        let told = match told {
            Ok(told) => told.into_inner(),
            Err(status) if status.code() == Code::FailedPrecondition => return Ok(false),
            Err(status) => return Err(status.into()),
        };
        let dollar_won = to_optional_decimal(told.dollar_won.as_ref(), "dollar_won")?;
        let prices = told.prices.into_iter().map(|one| {
            let price = to_required_decimal(one.price.as_ref(), "price")?;
            Ok((one.code, price))
        });
        let prices: Vec<(String, Decimal)> = prices.collect::<Result<_, InvalidField>>()?;
        let began = self.store.fix_prices(competition.id, &prices, dollar_won);
        began.await?;
        Ok(true)
    }

    /// Closes accounts until none is left; false while one is locked.
    async fn close_accounts(&self, competition: &Competition) -> Result<bool, EndingError> {
        let prices = self.store.fixed_prices(competition.id).await?;
        let mut after = AccountId(0);
        let mut all = true;
        loop {
            let open = self.store.accounts_to_close(competition.id, after).await?;
            let Some(last) = open.last().copied() else {
                return Ok(all);
            };
            after = last;
            let (db, start) = (&self.store.db, competition.start_cash_won);
            let active = valuation::activity(db, &open).await;
            let active = active.map_err(TradingError::from)?;
            let falls = valuation::falls(db, &open, start).await;
            let falls = falls.map_err(TradingError::from)?;
            let closed = self
                .store
                .close_slice(competition, &open, &prices, &active, &falls)
                .await?;
            all &= closed == open.len();
        }
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
}

type Prices = (BTreeMap<String, Decimal>, Option<Decimal>);

impl Store {
    /// Once: whoever comes later finds it done. Nobody can join any more.
    async fn fix_prices(
        &self,
        competition_id: i64,
        prices: &[(String, Decimal)],
        dollar_won: Option<Decimal>,
    ) -> Result<(), TradingError> {
        let transaction = self.db.begin().await?;
        let fix = async {
            let begin = sql(
                "update competition set closing_at = $2, dollar_won = $3 \
                 where id = $1 and closing_at is null",
                [
                    competition_id.into(),
                    self.clock.now().into(),
                    dollar_won.into(),
                ],
            );
            if transaction.execute_raw(begin).await?.rows_affected() == 0 {
                return Ok(());
            }
            let codes: Vec<String> = prices.iter().map(|(code, _)| code.clone()).collect();
            let values: Vec<Decimal> = prices.iter().map(|(_, price)| *price).collect();
            let insert = sql(
                "insert into competition_price (competition_id, instrument_code, price) \
                 select $1, code, price from unnest($2::text[], $3::numeric[]) as d (code, price) \
                 where exists (select from competition_entry e join holding h using (account_id) \
                    where e.competition_id = $1 and h.instrument_code = d.code)",
                [competition_id.into(), codes.into(), values.into()],
            );
            transaction.execute_raw(insert).await?;
            Ok(())
        };
        let fixed = fix.await;
        once::end(transaction, fixed).await
    }

    async fn fixed_prices(&self, competition_id: i64) -> Result<Prices, TradingError> {
        let read = sql(
            "select instrument_code, price from competition_price where competition_id = $1",
            [competition_id.into()],
        );
        let mut prices = BTreeMap::new();
        for row in self.db.query_all_raw(read).await? {
            prices.insert(
                row.try_get("", "instrument_code")?,
                row.try_get("", "price")?,
            );
        }
        let read = sql(
            "select dollar_won from competition where id = $1",
            [competition_id.into()],
        );
        let row = self.db.query_one_raw(read).await?;
        let dollar_won = row.map_or(Ok(None), |row| row.try_get("", "dollar_won"))?;
        Ok((prices, dollar_won))
    }

    async fn accounts_to_close(
        &self,
        competition_id: i64,
        after: AccountId,
    ) -> Result<Vec<AccountId>, TradingError> {
        let read = sql(
            "select e.account_id from competition_entry e \
             where e.competition_id = $1 and e.left_at is null and e.last_journal is null \
                and e.account_id > $2 order by e.account_id limit $3",
            [competition_id.into(), after.into(), ACCOUNTS.into()],
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
        prices: &Prices,
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
        prices: &Prices,
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
                &ClosingPrices::Of(&prices.0, prices.1),
                (end_reason::COMPETITION_ENDED, now),
            )
            .await?;
        writes.write(transaction).await?;
        let outcomes: Vec<Outcome> = accounts
            .iter()
            .map(|(id, locked)| {
                let (cash, start) = (Won(locked.won.amount), competition.start_cash_won);
                let holdings = values.get(id).copied().unwrap_or_default();
                let equity = Won(cash.0 + holdings.0);
                let before = falls.get(id).copied();
                let fall = before
                    .unwrap_or_else(|| Fall::from_start(start))
                    .with(equity);
                Outcome {
                    member_id: locked.account.member_id,
                    cash,
                    holdings,
                    return_e4: return_e4(equity, start),
                    drawdown_e4: fall.largest_e4,
                    activity: active.get(id).copied().unwrap_or_default(),
                }
            })
            .collect();
        insert_outcomes(transaction, competition.id, &outcomes).await?;
        Ok(outcomes.len())
    }

    /// Ranks all results, once.
    async fn rank_results(&self, competition: &Competition) -> Result<(), TradingError> {
        let transaction = self.db.begin().await?;
        let ranked = self.rank_in(&transaction, competition).await;
        once::end(transaction, ranked).await
    }

    async fn rank_in(
        &self,
        transaction: &DatabaseTransaction,
        competition: &Competition,
    ) -> Result<(), TradingError> {
        let close = sql(
            "update competition set closed_at = greatest(closing_at, $2) \
             where id = $1 and closed_at is null and not exists (select from competition_entry \
                where competition_id = $1 and left_at is null and last_journal is null)",
            [competition.id.into(), self.clock.now().into()],
        );
        if transaction.execute_raw(close).await?.rows_affected() == 0 {
            return Ok(());
        }
        let needed = Activity::needed(competition, competition.ends_at);
        let outcomes = outcomes(transaction, competition.id).await?;
        let standings: Vec<Standing> = outcomes
            .into_iter()
            .filter(|one| one.activity().reaches(&needed))
            .map(|one| one.standing())
            .collect();
        for kind in BoardKind::ALL.iter().copied() {
            if has_board(competition, kind) {
                let ranked = rank(standings.clone(), kind);
                insert_ranks(transaction, competition.id, kind, &ranked).await?;
            }
        }
        let forget = sql(
            "delete from competition_standing where competition_id = $1",
            [competition.id.into()],
        );
        transaction.execute_raw(forget).await?;
        Ok(())
    }
}

impl StoredOutcome {
    fn activity(&self) -> Activity {
        Activity {
            buys: self.buys,
            items: self.items,
            days: self.days,
        }
    }

    fn standing(&self) -> Standing {
        Standing {
            member_id: self.member_id,
            joined_at: self.joined_at,
            return_e4: e4(self.return_rate),
            drawdown_e4: e4(self.drawdown_rate),
        }
    }
}

/// Of a rate with four decimals.
fn e4(rate: Decimal) -> i64 {
    i64::try_from((rate * Decimal::from(10_000)).trunc()).unwrap_or(i64::MAX)
}

async fn outcomes(
    transaction: &DatabaseTransaction,
    competition_id: i64,
) -> Result<Vec<StoredOutcome>, DbErr> {
    let read = sql(
        "select r.member_id, e.joined_at, r.return_rate, r.drawdown_rate, r.buys, r.items, r.days \
         from competition_result r join competition_entry e using (competition_id, member_id) \
         where r.competition_id = $1",
        [competition_id.into()],
    );
    StoredOutcome::find_by_statement(read)
        .all(transaction)
        .await
}

async fn insert_outcomes(
    transaction: &DatabaseTransaction,
    competition_id: i64,
    outcomes: &[Outcome],
) -> Result<(), DbErr> {
    let big = |of: fn(&Outcome) -> i64| outcomes.iter().map(of).collect::<Vec<i64>>();
    let small = |of: fn(&Outcome) -> i32| outcomes.iter().map(of).collect::<Vec<i32>>();
    let insert = sql(
        "insert into competition_result (competition_id, member_id, cash_won, holdings_won, \
            return_rate, drawdown_rate, buys, items, days) \
         select $1, member_id, cash, holdings, return_e4 / 10000.0, drawdown_e4 / 10000.0, \
            buys, items, days \
         from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], \
            $7::integer[], $8::integer[], $9::integer[]) \
            as d (member_id, cash, holdings, return_e4, drawdown_e4, buys, items, days)",
        [
            competition_id.into(),
            big(|one| one.member_id.0).into(),
            big(|one| one.cash.0).into(),
            big(|one| one.holdings.0).into(),
            big(|one| one.return_e4).into(),
            big(|one| one.drawdown_e4).into(),
            small(|one| one.activity.buys).into(),
            small(|one| one.activity.items).into(),
            small(|one| one.activity.days).into(),
        ],
    );
    transaction.execute_raw(insert).await?;
    Ok(())
}

async fn insert_ranks(
    transaction: &DatabaseTransaction,
    competition_id: i64,
    kind: BoardKind,
    ranked: &[Ranked],
) -> Result<(), DbErr> {
    let places: Vec<i32> = ranked.iter().map(|one| one.place).collect();
    let ranks: Vec<i32> = ranked.iter().map(|one| one.rank).collect();
    let members: Vec<i64> = ranked.iter().map(|one| one.member_id.0).collect();
    let insert = sql(
        "insert into competition_rank (competition_id, board, place, rank, member_id) \
         select $1, $2, place, rank, member_id \
         from unnest($3::integer[], $4::integer[], $5::bigint[]) as d (place, rank, member_id)",
        [
            competition_id.into(),
            kind.as_str().into(),
            places.into(),
            ranks.into(),
            members.into(),
        ],
    );
    transaction.execute_raw(insert).await?;
    Ok(())
}
