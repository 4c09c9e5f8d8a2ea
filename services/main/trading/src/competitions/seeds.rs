//! Events that are there without anybody making them: the practice league of each month, and two official
//! events of a new installation.

use chrono::{DateTime, Datelike, Months, TimeDelta, Utc};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};

use crate::contracts::{day_of, midnight};
use crate::store::sql;

const START_CASH: i64 = 10_000_000;

/// Events of a new installation: title, days from now to the start, and days that it lasts.
const OFFICIAL: [(&str, i64, i64); 2] = [("첫걸음 투자 대회", -3, 28), ("겨울 투자 대회", 7, 28)];
/// What members are told of the prizes.
pub(super) const PRIZE: &str = "순위에 따라 학습 포인트";
/// What places of an official event receive: the board, the first and the last place, and points.
pub(super) const PRIZES: [(&str, i32, i32, i64); 6] = [
    ("RETURN", 1, 1, 500),
    ("RETURN", 2, 3, 300),
    ("RETURN", 4, 10, 100),
    ("CALM", 1, 1, 300),
    ("CALM", 2, 3, 200),
    ("CALM", 4, 10, 50),
];
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
        "with made as (insert into competition (kind, title, prize, starts_at, ends_at, join_from, \
            join_until, start_cash_won, created_at) \
         select 'OFFICIAL', title, $8, starts_at, ends_at, join_from, join_until, $6, $7 \
         from unnest($1::text[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[], \
            $5::timestamptz[]) as d (title, starts_at, ends_at, join_from, join_until) \
         where not exists (select from competition where kind = 'OFFICIAL') returning id) \
         select id from made",
        [
            titles.to_vec().into(),
            starts.to_vec().into(),
            ends.to_vec().into(),
            joins.to_vec().into(),
            until.to_vec().into(),
            START_CASH.into(),
            created_at.into(),
            PRIZE.into(),
        ],
    );
    for row in transaction.query_all_raw(make).await? {
        give_prizes(transaction, row.try_get("", "id")?).await?;
    }
    Ok(())
}

/// Sets the usual prizes of a new official event.
pub(super) async fn give_prizes(
    transaction: &DatabaseTransaction,
    competition_id: i64,
) -> Result<(), DbErr> {
    let insert = sql(
        "insert into competition_prize (competition_id, board, first_place, last_place, points) \
         select $1, board, first_place, last_place, points \
         from unnest($2::text[], $3::integer[], $4::integer[], $5::bigint[]) \
            as d (board, first_place, last_place, points)",
        [
            competition_id.into(),
            PRIZES.map(|(board, ..)| board.to_owned()).to_vec().into(),
            PRIZES.map(|(_, first, ..)| first).to_vec().into(),
            PRIZES.map(|(_, _, last, _)| last).to_vec().into(),
            PRIZES.map(|(.., points)| points).to_vec().into(),
        ],
    );
    transaction.execute_raw(insert).await?;
    Ok(())
}
