//! Results of an event and their order: written once, and never changed. Ranks are written slice by slice
//! and count from when the event is closed, after the last of them.

use chrono::{DateTime, Utc};
use kernel::{MemberId, Won};
use rust_decimal::Decimal;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, TransactionTrait};

use super::board::BoardKind;
use super::competition::Competition;
use super::prizes::OBJECTIONS_FOR;
use super::ranking::{Activity, Ranked, Standing, has_board, rank};
use crate::error::TradingError;
use crate::store::{Store, once, sql};

/// Results that one statement reads.
const RESULTS_PER_QUERY: i64 = 10_000;
/// Slices of ranks in one step.
const SLICES_PER_STEP: usize = 50;

/// What an account ended with.
pub(super) struct EndResult {
    pub(super) member_id: MemberId,
    pub(super) cash: Won,
    pub(super) holdings: Won,
    pub(super) return_e4: i64,
    pub(super) drawdown_e4: i64,
    pub(super) activity: Activity,
}

#[derive(FromQueryResult)]
struct StoredResult {
    member_id: MemberId,
    joined_at: DateTime<Utc>,
    return_rate: Decimal,
    drawdown_rate: Decimal,
    buys: i32,
    items: i32,
    days: i32,
}

impl Store {
    /// Ranks all results, `size` of them to a transaction, and closes the event when all are ranked;
    /// whether it is closed. A result does not change, so whoever goes on finds the same order.
    pub(super) async fn rank_results(
        &self,
        competition: &Competition,
        size: usize,
    ) -> Result<bool, TradingError> {
        if !self.all_have_ended(competition.id).await? {
            return Ok(false);
        }
        let standings = self.final_standings(competition).await?;
        let mut slices = 0;
        for kind in BoardKind::ALL.iter().copied() {
            if !has_board(competition, kind) {
                continue;
            }
            let ranked = rank(standings.clone(), kind);
            let mut written = self.ranks_written(competition.id, kind).await?;
            while written < ranked.len() {
                if slices == SLICES_PER_STEP {
                    return Ok(false);
                }
                slices += 1;
                written = self
                    .write_ranks(competition.id, kind, &ranked, size)
                    .await?;
            }
        }
        self.close_ranked(competition).await?;
        Ok(true)
    }

    /// Whether every account has its result: nobody can join, so that this stays true.
    async fn all_have_ended(&self, competition_id: i64) -> Result<bool, DbErr> {
        let read = sql(
            "select not exists (select from competition_entry where competition_id = $1 \
                and left_at is null and last_journal is null) as ended",
            [competition_id.into()],
        );
        let row = self.db.query_one_raw(read).await?;
        row.map_or(Ok(false), |row| row.try_get("", "ended"))
    }

    /// Of those who are eligible.
    async fn final_standings(&self, competition: &Competition) -> Result<Vec<Standing>, DbErr> {
        let needed = Activity::needed(competition, competition.ends_at);
        let mut standings = Vec::new();
        let mut after = MemberId(0);
        loop {
            let read = sql(
                "select r.member_id, e.joined_at, r.return_rate, r.drawdown_rate, r.buys, r.items, \
                    r.days \
                 from competition_result r join competition_entry e using (competition_id, member_id) \
                 where r.competition_id = $1 and r.member_id > $2 order by r.member_id limit $3",
                [
                    competition.id.into(),
                    after.into(),
                    RESULTS_PER_QUERY.into(),
                ],
            );
            let page = StoredResult::find_by_statement(read).all(&self.db).await?;
            let Some(last) = page.last() else {
                return Ok(standings);
            };
            after = last.member_id;
            let eligible = page.iter().filter(|one| one.activity().reaches(&needed));
            standings.extend(eligible.map(StoredResult::standing));
        }
    }

    async fn ranks_written(&self, competition_id: i64, kind: BoardKind) -> Result<usize, DbErr> {
        ranks_written(&self.db, competition_id, kind).await
    }

    /// Writes the next ranks, of which each process that ranks the event writes every other slice;
    /// returns how many are written.
    async fn write_ranks(
        &self,
        competition_id: i64,
        kind: BoardKind,
        ranked: &[Ranked],
        size: usize,
    ) -> Result<usize, TradingError> {
        let transaction = self.db.begin().await?;
        let write = async {
            // One at a time, and by a statement of its own: the next one must see what was written
            // meanwhile.
            let lock = sql(
                "select from competition where id = $1 for no key update",
                [competition_id.into()],
            );
            transaction.execute_raw(lock).await?;
            let written = ranks_written(&transaction, competition_id, kind).await?;
            let left = ranked.get(written..).unwrap_or_default();
            let slice = left.get(..size).unwrap_or(left);
            insert_ranks(&transaction, competition_id, kind, slice).await?;
            Ok(written + slice.len())
        };
        let written = write.await;
        once::end(transaction, written).await
    }

    /// From here on ranks are read, objections are taken, and members are told of their places.
    async fn close_ranked(&self, competition: &Competition) -> Result<(), TradingError> {
        let close = sql(
            "update competition set closed_at = greatest(closing_at, $2), tell_from_place = 1, \
                award_at = (select $3 from competition_prize where competition_id = $1 limit 1) \
             where id = $1 and closed_at is null",
            [
                competition.id.into(),
                self.clock.now().into(),
                (competition.ends_at.max(self.market_cache.now()) + OBJECTIONS_FOR).into(),
            ],
        );
        self.db.execute_raw(close).await?;
        Ok(())
    }
}

/// Places are written from the first one on, without a gap.
async fn ranks_written(
    connection: &impl ConnectionTrait,
    competition_id: i64,
    kind: BoardKind,
) -> Result<usize, DbErr> {
    let read = sql(
        "select coalesce(max(place), 0) as written from competition_rank \
         where competition_id = $1 and board = $2",
        [competition_id.into(), kind.as_str().into()],
    );
    let row = connection.query_one_raw(read).await?;
    let written: i32 = row.map_or(Ok(0), |row| row.try_get("", "written"))?;
    Ok(usize::try_from(written).unwrap_or(0))
}

impl StoredResult {
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

/// Ten-thousandths of a rate with four decimals.
fn e4(rate: Decimal) -> i64 {
    i64::try_from((rate * Decimal::from(10_000)).trunc()).unwrap_or(i64::MAX)
}

pub(super) async fn insert_results(
    transaction: &DatabaseTransaction,
    competition_id: i64,
    results: &[EndResult],
) -> Result<(), DbErr> {
    let big = |of: fn(&EndResult) -> i64| results.iter().map(of).collect::<Vec<i64>>();
    let small = |of: fn(&EndResult) -> i32| results.iter().map(of).collect::<Vec<i32>>();
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
