//! Results of an event and their order: written once, and never changed.

use chrono::{DateTime, Utc};
use kernel::{MemberId, Won};
use proto::trading::v1::CompetitionRanked;
use rust_decimal::Decimal;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, TransactionTrait};

use super::board::BoardKind;
use super::competition::Competition;
use super::prizes::{OBJECTIONS_FOR, prizes};
use super::ranking::{Activity, Ranked, Standing, has_board, rank};
use crate::error::TradingError;
use crate::events;
use crate::store::write_set::WriteSet;
use crate::store::{Store, long_statements, once, sql};

/// Rows of a statement.
const ROWS_PER_STATEMENT: usize = 10_000;

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
    /// Ranks all results, once.
    pub(super) async fn rank_results(&self, competition: &Competition) -> Result<(), TradingError> {
        let transaction = self.db.begin().await?;
        let ranked = self.rank_in(&transaction, competition).await;
        once::end(transaction, ranked).await
    }

    async fn rank_in(
        &self,
        transaction: &DatabaseTransaction,
        competition: &Competition,
    ) -> Result<(), TradingError> {
        long_statements(transaction).await?;
        let close = sql(
            "update competition set closed_at = greatest(closing_at, $2), award_at = (select $3 \
                from competition_prize where competition_id = $1 limit 1) \
             where id = $1 and closed_at is null and not exists (select from competition_entry \
                where competition_id = $1 and left_at is null and last_journal is null)",
            [
                competition.id.into(),
                self.clock.now().into(),
                (competition.ends_at.max(self.market_cache.now()) + OBJECTIONS_FOR).into(),
            ],
        );
        if transaction.execute_raw(close).await?.rows_affected() == 0 {
            return Ok(());
        }
        let needed = Activity::needed(competition, competition.ends_at);
        let results = results(transaction, competition.id).await?;
        let standings: Vec<Standing> = results
            .into_iter()
            .filter(|one| one.activity().reaches(&needed))
            .map(|one| one.standing())
            .collect();
        for kind in BoardKind::ALL.iter().copied() {
            if has_board(competition, kind) {
                let ranked = rank(standings.clone(), kind);
                insert_ranks(transaction, competition.id, kind, &ranked).await?;
                if kind == BoardKind::Return {
                    self.tell_ranks(transaction, competition, &ranked).await?;
                }
            }
        }
        Ok(())
    }

    /// Tells the entrants of the board that everybody is on.
    async fn tell_ranks(
        &self,
        transaction: &DatabaseTransaction,
        competition: &Competition,
        ranked: &[Ranked],
    ) -> Result<(), TradingError> {
        let prizes = prizes(transaction, competition.id).await?;
        let points = |place: i32| {
            let of_board = prizes
                .iter()
                .filter(|prize| prize.board == BoardKind::Return.as_str());
            let mut of_place =
                of_board.filter(|prize| (prize.first_place..=prize.last_place).contains(&place));
            of_place.next().map_or(0, |prize| prize.points)
        };
        for slice in ranked.chunks(ROWS_PER_STATEMENT) {
            self.tell_slice(transaction, competition, slice, (ranked.len(), &points))
                .await?;
        }
        Ok(())
    }

    async fn tell_slice(
        &self,
        transaction: &DatabaseTransaction,
        competition: &Competition,
        ranked: &[Ranked],
        (count, points): (usize, &(impl Fn(i32) -> i64 + Sync)),
    ) -> Result<(), TradingError> {
        let mut writes = WriteSet::default();
        for one in ranked {
            let told = CompetitionRanked {
                competition_id: competition.id,
                name: competition.title.clone(),
                member_id: one.member_id.0,
                rank: one.rank,
                ranked: i32::try_from(count).unwrap_or(i32::MAX),
                points: points(one.place),
            };
            writes.event(&events::competition_ranked(&told, self.clock.as_ref()));
        }
        writes.write(transaction).await?;
        Ok(())
    }
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

async fn results(
    transaction: &DatabaseTransaction,
    competition_id: i64,
) -> Result<Vec<StoredResult>, DbErr> {
    let read = sql(
        "select r.member_id, e.joined_at, r.return_rate, r.drawdown_rate, r.buys, r.items, r.days \
         from competition_result r join competition_entry e using (competition_id, member_id) \
         where r.competition_id = $1",
        [competition_id.into()],
    );
    StoredResult::find_by_statement(read).all(transaction).await
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
    for slice in ranked.chunks(ROWS_PER_STATEMENT) {
        let places: Vec<i32> = slice.iter().map(|one| one.place).collect();
        let ranks: Vec<i32> = slice.iter().map(|one| one.rank).collect();
        let members: Vec<i64> = slice.iter().map(|one| one.member_id.0).collect();
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
    }
    Ok(())
}
