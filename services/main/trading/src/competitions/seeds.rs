//! Events that are there without anybody making them: the practice league of each month, and two official
//! events of a new installation.

use chrono::{DateTime, Datelike, Months, TimeDelta, Utc};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};

use crate::contracts::{day_of, midnight};
use crate::store::sql;

const START_CASH: i64 = 10_000_000;

/// Of a new installation: title, days from now to the start, and days that it lasts.
const OFFICIAL: [(&str, i64, i64); 2] = [("첫걸음 투자 대회", -3, 28), ("겨울 투자 대회", 7, 28)];
/// One process at a time makes them; "comp" in ASCII.
const MAKING: i64 = 0x636f_6d70;

/// The practice league of the Korean month of `now`; made if there is none yet.
pub(super) async fn practice(
    connection: &impl ConnectionTrait,
    now: DateTime<Utc>,
    created_at: DateTime<Utc>,
) -> Result<i64, DbErr> {
    let today = day_of(now);
    let first = today.with_day(1).unwrap_or(today);
    let next = first.checked_add_months(Months::new(1)).unwrap_or(first);
    let title = format!("{}월 연습 리그", first.month());
    let (starts, ends) = (midnight(first), midnight(next));
    let make = sql(
        "with made as (insert into competition (kind, title, starts_at, ends_at, join_from, \
            join_until, start_cash_won, created_at) \
         values ('PRACTICE', $1, $2, $3, $2, $3, $4, $5) \
         on conflict (starts_at) where kind = 'PRACTICE' do nothing returning id) \
         select id from made union all \
         select id from competition where kind = 'PRACTICE' and starts_at = $2 limit 1",
        [
            title.into(),
            starts.into(),
            ends.into(),
            START_CASH.into(),
            created_at.into(),
        ],
    );
    // Twice, for when another process makes it between the two halves of the statement.
    for _ in 0..2 {
        if let Some(row) = connection.query_one_raw(make.clone()).await? {
            return row.try_get("", "id");
        }
    }
    Err(DbErr::RecordNotFound("practice league".to_owned()))
}

/// The official events of a new installation, relative to `now`; none where there ever was one.
pub(super) async fn official(
    transaction: &DatabaseTransaction,
    now: DateTime<Utc>,
    created_at: DateTime<Utc>,
) -> Result<(), DbErr> {
    let alone = sql("select pg_advisory_xact_lock($1)", [MAKING.into()]);
    transaction.execute_raw(alone).await?;
    let today = midnight(day_of(now));
    let starts = OFFICIAL.map(|(_, from, _)| today + TimeDelta::days(from));
    let ends = OFFICIAL.map(|(_, from, days)| today + TimeDelta::days(from + days));
    let until = OFFICIAL.map(|(_, from, days)| today + TimeDelta::days(from + days / 2));
    let joins = starts.map(|start| start.min(today));
    let titles = OFFICIAL.map(|(title, ..)| title.to_owned());
    let make = sql(
        "insert into competition (kind, title, starts_at, ends_at, join_from, join_until, \
            start_cash_won, created_at) \
         select 'OFFICIAL', title, starts_at, ends_at, join_from, join_until, $6, $7 \
         from unnest($1::text[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[], \
            $5::timestamptz[]) as d (title, starts_at, ends_at, join_from, join_until) \
         where not exists (select from competition where kind = 'OFFICIAL')",
        [
            titles.to_vec().into(),
            starts.to_vec().into(),
            ends.to_vec().into(),
            joins.to_vec().into(),
            until.to_vec().into(),
            START_CASH.into(),
            created_at.into(),
        ],
    );
    transaction.execute_raw(make).await?;
    Ok(())
}
