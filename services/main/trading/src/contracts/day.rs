//! What interest has changed of a member's total since the KST day of market time began.

use chrono::{DateTime, NaiveDate, Utc};
use kernel::{AccountId, MemberId, MoneyError, Won};
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, QueryFilter};

use super::contract::Contract;
use super::list::of_season;
use super::open::out_of_range;
use super::{ContractStatus, Period, at, day_of, load_all};
use crate::entity::contract;
use crate::error::TradingError;
use crate::ledger::JournalKind;
use crate::seasons::span::present_season;
use crate::store::{Store, sql};

impl Store {
    /// Interest of the day: what was booked, after tax, and by how much more or less the contracts
    /// would earn if they were closed now. `cma` are the member's open CMA accounts.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub(crate) async fn interest_of_day(
        &self,
        connection: &impl ConnectionTrait,
        member_id: MemberId,
        cma: &[AccountId],
    ) -> Result<Won, TradingError> {
        let now = self.market_time_or_clock();
        let today = day_of(now);
        let Some(yesterday) = today.pred_opt() else {
            return Ok(Won::ZERO);
        };
        // Closed ones have an index of their own, and may be many.
        let since = Condition::any()
            .add(contract::Column::ClosedOn.is_null())
            .add(contract::Column::ClosedOn.gte(today));
        let season = present_season(connection, member_id).await?;
        let rows = of_season(member_id, season)
            .filter(since)
            .all(connection)
            .await?;
        let mut changes = vec![cma_interest_since(connection, cma, yesterday).await?];
        if !rows.is_empty() {
            for contract in load_all(connection, rows).await? {
                changes.push(contract.change(now, yesterday).map_err(out_of_range)?);
            }
        }
        Won::checked_sum(changes).map_err(out_of_range)
    }
}

impl Store {
    /// Interest before tax that contracts would have earned if they had been closed at the end of a
    /// day, by account: of accounts above the first number, up to the second. What the journals
    /// through `last_journal`, if there is one, have paid out counts as money of the day.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub(crate) async fn accrued_at_end_of(
        &self,
        connection: &impl ConnectionTrait,
        (after, through): (i64, i64),
        (day, last_journal): (NaiveDate, Option<i64>),
    ) -> Result<Vec<(i64, i64)>, TradingError> {
        let open_then = Condition::any()
            .add(contract::Column::ClosedOn.is_null())
            .add(contract::Column::ClosedOn.gt(day));
        let rows = contract::Entity::find()
            .filter(contract::Column::AccountId.gt(after))
            .filter(contract::Column::AccountId.lte(through))
            .filter(contract::Column::OpenedOn.lte(day))
            .filter(open_then)
            .all(connection)
            .await?;
        let rows = without_paid_out(connection, rows, last_journal).await?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let contracts = load_all(connection, rows).await?;
        let accrued = contracts.iter().filter_map(|contract| {
            let then = contract.as_of(day)?;
            let accrued = then.accrued(at(day, 23, 59)).map_err(out_of_range);
            let id = contract.row.account_id.0;
            Some(accrued.map(|won| (id, won.0)))
        });
        accrued.collect()
    }
}

async fn without_paid_out(
    connection: &impl ConnectionTrait,
    mut rows: Vec<contract::Model>,
    last_journal: Option<i64>,
) -> Result<Vec<contract::Model>, DbErr> {
    let closed = rows.iter().filter(|row| row.closed_on.is_some());
    let closed: Vec<String> = closed.map(|row| row.account_id.to_string()).collect();
    let Some(last_journal) = last_journal.filter(|_| !closed.is_empty()) else {
        return Ok(rows);
    };
    let paid_out = sql(
        "select source_id from journal where kind = $1 and source_type = 'CONTRACT' \
            and source_id = any($2) and id <= $3",
        [
            JournalKind::ContractClosed.as_str().into(),
            closed.into(),
            last_journal.into(),
        ],
    );
    for row in connection.query_all_raw(paid_out).await? {
        let account: String = row.try_get("", "source_id")?;
        rows.retain(|contract| contract.account_id.to_string() != account);
    }
    Ok(rows)
}

/// Interest after tax of accounts for `day`, which is booked on the next, and since.
async fn cma_interest_since(
    connection: &impl ConnectionTrait,
    accounts: &[AccountId],
    day: NaiveDate,
) -> Result<Won, DbErr> {
    if accounts.is_empty() {
        return Ok(Won::ZERO);
    }
    let accounts: Vec<i64> = accounts.iter().map(|id| id.0).collect();
    let booked = sql(
        "select coalesce(sum(gross_won - income_tax_won - local_tax_won), 0)::bigint as won \
         from cma_interest where account_id = any($1) and day >= $2",
        [accounts.into(), day.into()],
    );
    let row = connection.query_one_raw(booked).await?;
    row.map_or(Ok(Won::ZERO), |row| row.try_get("", "won"))
}

impl Contract {
    /// By how much its interest has changed since the end of `day`.
    fn change(&self, now: DateTime<Utc>, day: NaiveDate) -> Result<Won, MoneyError> {
        let before = match self.as_of(day) {
            Some(before) => before.earned(at(day, 23, 59))?,
            None => Won::ZERO,
        };
        self.earned(now)?.checked_sub(before)
    }

    /// Booked interest after tax, and that which is not booked yet.
    fn earned(&self, now: DateTime<Utc>) -> Result<Won, MoneyError> {
        let (gross, tax) = self.booked();
        gross.checked_sub(tax)?.checked_add(self.accrued(now)?)
    }

    /// As it was at the end of a day after which it was open; `None` before it was opened.
    fn as_of(&self, day: NaiveDate) -> Option<Self> {
        if self.row.opened_on > day {
            return None;
        }
        let mut before = self.clone();
        before.payments.retain(|paid| paid.on <= day);
        before.interest.retain(|booked| booked.earned_to <= day);
        let paid_in = Won::checked_sum(before.payments.iter().map(|paid| paid.amount));
        before.row.paid_in_won = paid_in.ok()?;
        before.row.closed_on = None;
        let is_matured = |booked: &str| booked == Period::Maturity.as_str();
        before.status = if before.interest.iter().any(|one| is_matured(&one.period)) {
            ContractStatus::Matured
        } else {
            ContractStatus::Active
        };
        Some(before)
    }
}
