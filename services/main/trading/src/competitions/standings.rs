//! Standings of running events: the newest order of each Korean day, which is read while Redis is away and
//! tells what ranks were the day before. Each is an edition that is written slice by slice and read once it
//! is whole, so that no transaction grows with the entrants. What a step began, the next goes on with; what
//! a process that died began, nobody reads.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use kernel::MemberId;
use sqlx::{PgPool, Postgres, Transaction};

use super::board::BoardKind;
use super::ranking::Ranked;

/// Rows that one transaction deletes.
const ROWS_PER_DELETION: i64 = 10_000;

/// An order of a board that is being stored.
pub struct Edition {
    competition_id: i64,
    kind: BoardKind,
    day: NaiveDate,
    valued_at: DateTime<Utc>,
    ranked: Arc<[Ranked]>,
    /// `None` before it is begun.
    id: Option<i64>,
}

impl Edition {
    #[must_use]
    pub fn new(
        (competition_id, kind): (i64, BoardKind),
        (day, valued_at): (NaiveDate, DateTime<Utc>),
        ranked: Arc<[Ranked]>,
    ) -> Self {
        Self {
            competition_id,
            kind,
            day,
            valued_at,
            ranked,
            id: None,
        }
    }

    /// Stores what is not stored yet, `size` places to a transaction; nothing when another process has
    /// stored a newer order of the day. Whoever drops the call goes on by another one.
    ///
    /// # Errors
    /// [`sqlx::Error`]: the last slices were not stored, and the edition before is still read.
    pub async fn store(&mut self, pool: &PgPool, size: usize) -> Result<(), sqlx::Error> {
        if self.id.is_none() {
            self.id = self.begin(pool).await?;
        }
        if let Some(id) = self.id {
            while !self.write_slice(pool, id, size).await? {}
        }
        Ok(())
    }

    /// `None` when there is nothing to write.
    async fn begin(&self, pool: &PgPool) -> Result<Option<i64>, sqlx::Error> {
        let mut transaction = pool.begin().await?;
        let has_newer: bool = sqlx::query_scalar(
            "select exists (select from competition_edition
             where competition_id = $1 and board = $2 and day = $3 and valued_at > $4
                and is_whole and not is_stale)",
        )
        .bind(self.competition_id)
        .bind(self.kind.as_str())
        .bind(self.day)
        .bind(self.valued_at)
        .fetch_one(&mut *transaction)
        .await?;
        if has_newer {
            return Ok(None);
        }
        if self.ranked.is_empty() {
            self.replace_others(&mut transaction, None).await?;
            transaction.commit().await?;
            return Ok(None);
        }
        let id: i64 = sqlx::query_scalar(
            "insert into competition_edition (competition_id, board, day, valued_at, places)
             values ($1, $2, $3, $4, $5) returning id",
        )
        .bind(self.competition_id)
        .bind(self.kind.as_str())
        .bind(self.day)
        .bind(self.valued_at)
        .bind(i32::try_from(self.ranked.len()).unwrap_or(i32::MAX))
        .fetch_one(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(Some(id))
    }

    /// Writes the next places, and with the last of them replaces the editions before; whether nothing is
    /// left to write.
    async fn write_slice(&self, pool: &PgPool, id: i64, size: usize) -> Result<bool, sqlx::Error> {
        let mut transaction = pool.begin().await?;
        // A call that was dropped may still be committing, and its places must be seen: they are counted
        // by a statement of their own.
        let open: Option<i64> = sqlx::query_scalar(
            "select id from competition_edition where id = $1 and not is_whole and not is_stale
             for no key update",
        )
        .bind(id)
        .fetch_optional(&mut *transaction)
        .await?;
        if open.is_none() {
            return Ok(true);
        }
        let written: i32 = sqlx::query_scalar(
            "select coalesce(max(place), 0) from competition_edition_place where edition_id = $1",
        )
        .bind(id)
        .fetch_one(&mut *transaction)
        .await?;
        let written = usize::try_from(written).unwrap_or(0);
        let left = self.ranked.get(written..).unwrap_or_default();
        let slice = left.get(..size.max(1)).unwrap_or(left);
        insert_places(&mut transaction, id, slice).await?;
        let is_last = slice.len() == left.len();
        if is_last {
            sqlx::query("update competition_edition set is_whole = true where id = $1")
                .bind(id)
                .execute(&mut *transaction)
                .await?;
            self.replace_others(&mut transaction, Some(id)).await?;
        }
        transaction.commit().await?;
        Ok(is_last)
    }

    /// Editions of the day that are not newer, and of days that nothing compares with, are read no longer.
    /// One to which another process adds a slice right now is left to the next time.
    async fn replace_others(
        &self,
        transaction: &mut Transaction<'_, Postgres>,
        own: Option<i64>,
    ) -> Result<(), sqlx::Error> {
        sqlx::query(
            "update competition_edition set is_stale = true where id in (
                select id from competition_edition
                where competition_id = $1 and board = $2 and not is_stale
                    and ($5::bigint is null or id <> $5)
                    and (day = $3 and valued_at <= $4 or day < $3 - 1)
                for no key update skip locked)",
        )
        .bind(self.competition_id)
        .bind(self.kind.as_str())
        .bind(self.day)
        .bind(self.valued_at)
        .bind(own)
        .execute(&mut **transaction)
        .await?;
        Ok(())
    }
}

async fn insert_places(
    transaction: &mut Transaction<'_, Postgres>,
    edition: i64,
    ranked: &[Ranked],
) -> Result<(), sqlx::Error> {
    let places: Vec<i32> = ranked.iter().map(|one| one.place).collect();
    let ranks: Vec<i32> = ranked.iter().map(|one| one.rank).collect();
    let members: Vec<i64> = ranked.iter().map(|one| one.member_id.0).collect();
    let returns: Vec<i64> = ranked.iter().map(|one| one.return_e4).collect();
    sqlx::query(
        "insert into competition_edition_place (edition_id, place, rank, member_id, return_rate)
         select $1, place, rank, member_id, return_e4 / 10000.0
         from unnest($2::integer[], $3::integer[], $4::bigint[], $5::bigint[])
            as d (place, rank, member_id, return_e4)",
    )
    .bind(edition)
    .bind(&places)
    .bind(&ranks)
    .bind(&members)
    .bind(&returns)
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// The ranks at the end of a day.
pub(super) async fn ranks_of(
    pool: &PgPool,
    competition_id: i64,
    kind: BoardKind,
    day: Option<NaiveDate>,
) -> Result<HashMap<MemberId, i32>, sqlx::Error> {
    let mut transaction = pool.begin().await?;
    // One statement, so that no edition is replaced in between.
    sqlx::query("set local statement_timeout = '60s'")
        .execute(&mut *transaction)
        .await?;
    let rows: Vec<(i64, i32)> = sqlx::query_as(
        "with edition as materialized (select id from competition_edition
            where competition_id = $1 and board = $2 and day = $3 and is_whole and not is_stale
            order by valued_at desc, id desc limit 1)
         select p.member_id, p.rank from edition e
         join competition_edition_place p on p.edition_id = e.id
         union all
         select member_id, rank from competition_standing
         where competition_id = $1 and board = $2 and day = $3 and not exists (select from edition)",
    )
    .bind(competition_id)
    .bind(kind.as_str())
    .bind(day)
    .fetch_all(&mut *transaction)
    .await?;
    transaction.commit().await?;
    let rows = rows.into_iter();
    Ok(rows
        .map(|(member, rank)| (MemberId(member), rank))
        .collect())
}

/// Deletes the standings of events that have results.
pub(super) async fn forget_closed(pool: &PgPool) -> Result<(), sqlx::Error> {
    sqlx::query(
        "update competition_edition set is_stale = true where id in (
            select e.id from competition_edition e join competition c on c.id = e.competition_id
            where c.closed_at is not null and not e.is_stale
            for no key update of e skip locked)",
    )
    .execute(pool)
    .await?;
    delete_stale(pool).await
}

/// Deletes editions that are read no longer, slice by slice, but for those that another process deletes.
///
/// # Errors
/// [`sqlx::Error`]: what is left is deleted the next time.
pub async fn delete_stale(pool: &PgPool) -> Result<(), sqlx::Error> {
    loop {
        let mut transaction = pool.begin().await?;
        let stale: Option<i64> = sqlx::query_scalar(
            "select id from competition_edition where is_stale order by id limit 1
             for update skip locked",
        )
        .fetch_optional(&mut *transaction)
        .await?;
        let Some(edition) = stale else {
            return transaction.commit().await;
        };
        let deleted = sqlx::query(
            "delete from competition_edition_place where edition_id = $1 and place in (
                select place from competition_edition_place where edition_id = $1
                order by place limit $2)",
        )
        .bind(edition)
        .bind(ROWS_PER_DELETION)
        .execute(&mut *transaction)
        .await?
        .rows_affected();
        if i64::try_from(deleted).unwrap_or(i64::MAX) < ROWS_PER_DELETION {
            sqlx::query("delete from competition_edition where id = $1")
                .bind(edition)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
    }
}
