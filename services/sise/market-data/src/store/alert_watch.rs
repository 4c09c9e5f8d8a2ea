//! What the watcher of prices reads and writes.

use chrono::{DateTime, Utc};
use kernel::Clock;
use messaging::event::NewEvent;
use messaging::outbox;
use messaging::ticks::LogOffset;
use rust_decimal::Decimal;
use sqlx::PgConnection;

use super::Store;
use super::alerts::{WAITS_FOR, kind_of};
use crate::alerts::book::{ActiveAlert, FiredAlert};
use crate::alerts::recent::WatchProgress;
use crate::error::MarketError;

/// A split, and the first day at the new price.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct InstrumentSplit {
    pub code: String,
    pub trading_day: i32,
    pub new_shares: i64,
    pub old_shares: i64,
}

/// An alert that was created (or has been changed) or deleted.
#[derive(Clone, Debug)]
pub struct AlertChange {
    pub change_id: i64,
    pub alert_id: i64,
    /// `None` when it is not active any more.
    pub alert: Option<ActiveAlert>,
}

#[derive(sqlx::FromRow)]
struct ActiveRow {
    alert_id: i64,
    member_id: i64,
    code: String,
    kind: String,
    value: Decimal,
    shares_day: i32,
    after_seq: i64,
}

#[derive(sqlx::FromRow)]
struct ChangeRow {
    change_id: i64,
    changed_id: i64,
    #[sqlx(flatten)]
    alert: MaybeActiveRow,
}

#[derive(sqlx::FromRow)]
struct MaybeActiveRow {
    alert_id: Option<i64>,
    member_id: Option<i64>,
    code: Option<String>,
    kind: Option<String>,
    value: Option<Decimal>,
    shares_day: Option<i32>,
    after_seq: Option<i64>,
}

impl Store {
    /// `None` before the first watcher has stored anything.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn watch_progress(&self) -> Result<Option<WatchProgress>, MarketError> {
        let row: Option<(i64, i64, i64)> =
            sqlx::query_as("select epoch, next_offset, market_time_us from price_alert_progress")
                .fetch_optional(&self.pool)
                .await?;
        Ok(row.map(|(epoch, next, market_time_us)| WatchProgress {
            offset: LogOffset {
                epoch,
                next: u64::try_from(next).unwrap_or(0),
            },
            market_time_us,
        }))
    }

    /// # Errors
    /// [`MarketError::Database`], or [`MarketError::WatchOvertaken`].
    pub async fn save_watch_progress(&self, progress: WatchProgress) -> Result<(), MarketError> {
        let mut connection = self.pool.acquire().await?;
        save_progress(&mut connection, progress).await
    }

    /// The newest change of any alert; 0 when there is none.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn newest_alert_change(&self) -> Result<i64, MarketError> {
        let newest = sqlx::query_scalar(
            "select coalesce((select change_id from price_alert_change \
             order by change_id desc limit 1), 0)",
        );
        Ok(newest.fetch_one(&self.pool).await?)
    }

    /// Changes after `after`, in their order.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn alert_changes(
        &self,
        after: i64,
        limit: i64,
    ) -> Result<Vec<AlertChange>, MarketError> {
        let rows: Vec<ChangeRow> = sqlx::query_as(
            "select c.change_id, c.alert_id as changed_id, a.alert_id, a.member_id, a.code, a.kind, \
                 a.value, a.shares_day, a.after_seq \
             from price_alert_change c \
             left join price_alert a on a.alert_id = c.alert_id and a.fired_at is null \
             where c.change_id > $1 order by c.change_id limit $2",
        )
        .bind(after)
        .bind(limit)
        .fetch_all(&self.pool)
        .await?;
        let rows = rows.into_iter().map(|row| {
            let alert = row.alert.known().map(ActiveAlert::try_from);
            Ok(AlertChange {
                change_id: row.change_id,
                alert_id: row.changed_id,
                alert: alert.transpose()?,
            })
        });
        rows.collect()
    }

    /// Active alerts with an id above `after`, in the order of their ids.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn active_alerts(
        &self,
        after: i64,
        limit: i64,
    ) -> Result<Vec<ActiveAlert>, MarketError> {
        let rows: Vec<ActiveRow> = sqlx::query_as(
            "select alert_id, member_id, code, kind, value, shares_day, after_seq \
             from price_alert where fired_at is null and alert_id > $1 order by alert_id limit $2",
        )
        .bind(after)
        .bind(limit)
        .fetch_all(&self.pool)
        .await?;
        rows.into_iter().map(ActiveAlert::try_from).collect()
    }

    /// Stores what fired with its events and the progress. An alert that was deleted, has fired already
    /// or has waited too long stays as it is and has no event. Returns how many fired.
    ///
    /// # Errors
    /// [`MarketError::Database`], or [`MarketError::WatchOvertaken`]: nothing was stored.
    pub async fn settle_alerts(
        &self,
        fired: Vec<(FiredAlert, NewEvent)>,
        progress: WatchProgress,
        clock: &dyn Clock,
    ) -> Result<usize, MarketError> {
        let column = |of: fn(&FiredAlert) -> i64| -> Vec<i64> {
            fired.iter().map(|(alert, _)| of(alert)).collect()
        };
        let at = fired.iter().map(|(alert, _)| {
            DateTime::<Utc>::from_timestamp_micros(alert.fired_at_us).unwrap_or_default()
        });
        let mut transaction = self.pool.begin().await?;
        save_progress(&mut transaction, progress).await?;
        let stored: Vec<i64> = sqlx::query_scalar(
            "update price_alert a set fired_at = f.at, fired_price = f.price, fired_seq = f.seq, \
                 value = f.value \
             from unnest($1::bigint[], $2::timestamptz[], $3::numeric[], $4::bigint[], \
                 $5::numeric[]) as f (id, at, price, seq, value) \
             where a.alert_id = f.id and a.fired_at is null and a.created_at > $6 \
             returning a.alert_id",
        )
        .bind(column(|alert| alert.alert_id))
        .bind(at.collect::<Vec<_>>())
        .bind(
            fired
                .iter()
                .map(|(alert, _)| alert.price)
                .collect::<Vec<_>>(),
        )
        .bind(column(|alert| alert.tick_seq))
        .bind(
            fired
                .iter()
                .map(|(alert, _)| alert.value)
                .collect::<Vec<_>>(),
        )
        .bind(clock.now() - WAITS_FOR)
        .fetch_all(&mut *transaction)
        .await?;
        let events = fired
            .into_iter()
            .filter(|(alert, _)| stored.contains(&alert.alert_id))
            .map(|(_, event)| event);
        outbox::append_all(&mut transaction, events).await?;
        transaction.commit().await?;
        Ok(stored.len())
    }

    /// Every split, oldest first.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn all_splits(&self) -> Result<Vec<InstrumentSplit>, MarketError> {
        let splits = sqlx::query_as(
            "select code, trading_day, new_shares, old_shares from instrument_split \
             order by trading_day, code",
        );
        Ok(splits.fetch_all(&self.pool).await?)
    }

    /// Splits that prices of active alerts are still to be divided by, oldest first.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn splits_due_to_alerts(&self) -> Result<Vec<InstrumentSplit>, MarketError> {
        let splits = sqlx::query_as(
            "select code, trading_day, new_shares, old_shares from instrument_split s \
             cross join lateral (select from price_alert a where a.code = s.code \
                 and a.shares_day < s.trading_day and a.fired_at is null and a.kind <> 'PERCENT' \
                 limit 1) due \
             order by trading_day, code limit 100",
        );
        Ok(splits.fetch_all(&self.pool).await?)
    }

    /// Divides prices of at most `rows` alerts by a split, each once, and returns how many.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn split_alerts(
        &self,
        split: &InstrumentSplit,
        rows: i64,
    ) -> Result<u64, MarketError> {
        let divided = sqlx::query(
            "update price_alert set value = round(value * $3 / $4, 8), shares_day = $2 \
             where alert_id = any(array( \
                 select alert_id from price_alert where code = $1 and shares_day < $2 \
                     and fired_at is null and kind <> 'PERCENT' \
                 order by shares_day, alert_id limit $5)) \
                 and shares_day < $2 and fired_at is null",
        )
        .bind(&split.code)
        .bind(split.trading_day)
        .bind(Decimal::from(split.old_shares))
        .bind(Decimal::from(split.new_shares))
        .bind(rows)
        .execute(&self.pool)
        .await?;
        Ok(divided.rows_affected())
    }
}

/// Never goes back: another process that has read on is noticed.
async fn save_progress(
    connection: &mut PgConnection,
    progress: WatchProgress,
) -> Result<(), MarketError> {
    let saved = sqlx::query(
        "insert into price_alert_progress (epoch, next_offset, market_time_us) \
         values ($1, $2, $3) \
         on conflict (only_row) do update set epoch = excluded.epoch, \
             next_offset = excluded.next_offset, market_time_us = excluded.market_time_us \
         where (price_alert_progress.epoch, price_alert_progress.next_offset) \
             <= (excluded.epoch, excluded.next_offset)",
    )
    .bind(progress.offset.epoch)
    .bind(i64::try_from(progress.offset.next).unwrap_or(i64::MAX))
    .bind(progress.market_time_us)
    .execute(connection)
    .await?;
    if saved.rows_affected() == 0 {
        return Err(MarketError::WatchOvertaken);
    }
    Ok(())
}

impl MaybeActiveRow {
    fn known(self) -> Option<ActiveRow> {
        Some(ActiveRow {
            alert_id: self.alert_id?,
            member_id: self.member_id?,
            code: self.code?,
            kind: self.kind?,
            value: self.value?,
            shares_day: self.shares_day?,
            after_seq: self.after_seq?,
        })
    }
}

impl TryFrom<ActiveRow> for ActiveAlert {
    type Error = MarketError;

    fn try_from(row: ActiveRow) -> Result<Self, MarketError> {
        Ok(Self {
            kind: kind_of(row.alert_id, &row.kind)?,
            alert_id: row.alert_id,
            member_id: row.member_id,
            code: row.code,
            value: row.value,
            shares_day: row.shares_day,
            after_seq: row.after_seq,
        })
    }
}
