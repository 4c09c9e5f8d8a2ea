//! Splits announced by market-data, and whether the matcher has applied them (`share_split`).

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use kernel::AccountId;
use proto::market::v1 as market;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, FromQueryResult, Statement};

use crate::domain::split::SplitRatio;
use crate::error::TradingError;
use crate::store::{Store, sql};
use crate::tick_log::{LogRecord, Scope, SessionRecord, SessionRecordKind};

/// A split that the matcher may not have applied.
#[derive(Clone, Debug, PartialEq, Eq, FromQueryResult)]
pub struct OpenSplit {
    /// Market-data's id.
    pub id: i64,
    pub instrument_code: String,
    /// First trading day in new shares, yyyymmdd.
    pub trading_day: i32,
    /// New shares for `denominator` old ones.
    pub numerator: i64,
    pub denominator: i64,
    /// Market time of the split's session record: readers past it count in new shares.
    pub known_at: DateTime<Utc>,
    /// When every shard had passed the day without the split.
    pub missed_at: Option<DateTime<Utc>>,
}

impl OpenSplit {
    /// Whether the record belongs to the day in new shares.
    #[must_use]
    pub fn precedes(&self, record: &LogRecord) -> bool {
        match record {
            LogRecord::Tick(tick) => {
                tick.code == self.instrument_code && tick.trading_day >= self.trading_day
            }
            LogRecord::Session(session_record) => {
                session_record.trading_day >= self.trading_day
                    && session_record.time >= self.known_at
            }
        }
    }

    /// The session record that is missing from the log.
    #[must_use]
    pub fn to_session_record(&self) -> SessionRecord {
        SessionRecord {
            kind: SessionRecordKind::Split(SplitRatio {
                numerator: self.numerator,
                denominator: self.denominator,
            }),
            scope: Some(Scope::Code(self.instrument_code.clone())),
            trading_day: self.trading_day,
            time: self.known_at,
            seq: 0,
        }
    }
}

impl Store {
    /// Id of the newest recorded split; 0 before the first.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn newest_split(&self) -> Result<i64, TradingError> {
        self.newest_id("select coalesce(max(id), 0) as newest from share_split")
            .await
    }

    /// Records announced splits; recorded ones stay unchanged. A split that `is_applied` counts as
    /// applied from the start.
    ///
    /// # Errors
    /// [`TradingError`]: unreadable, or of the database.
    pub async fn record_splits(
        &self,
        splits: &[market::Split],
        is_applied: impl Fn(&market::Split) -> bool,
    ) -> Result<(), TradingError> {
        for split in splits {
            let known_at = proto::convert::to_instant(split.event_time_us, "event_time_us")?;
            let now = self.clock.now();
            let applied_at = is_applied(split).then_some(now);
            let insert = sql(
                "insert into share_split (id, instrument_code, trading_day, numerator, \
                 denominator, known_at, heard_at, applied_at) \
                 values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing",
                [
                    split.split_id.into(),
                    split.code.clone().into(),
                    split.trading_day.into(),
                    split.new_shares.into(),
                    split.old_shares.into(),
                    known_at.into(),
                    now.into(),
                    applied_at.into(),
                ],
            );
            self.db.execute_raw(insert).await?;
        }
        Ok(())
    }

    /// The newest trading day of each instrument that the matcher has stored.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn traded_days(
        &self,
        consumer: &'static str,
    ) -> Result<HashMap<String, i32>, TradingError> {
        let read = sql(
            "select known.key as code, max((known.value ->> 'trading_day')::integer) as day \
             from matcher_offset, json_each(state) known where consumer = $1 group by known.key",
            [consumer.into()],
        );
        let rows = self.db.query_all_raw(read).await?;
        let days = rows
            .iter()
            .map(|row| Ok((row.try_get("", "code")?, row.try_get("", "day")?)));
        Ok(days.collect::<Result<_, DbErr>>()?)
    }

    /// Splits that the matcher may not have applied, in the order of announcement.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn open_splits(&self) -> Result<Vec<OpenSplit>, TradingError> {
        let open = sql(
            "select id, instrument_code, trading_day, numerator, denominator, known_at, missed_at \
             from share_split where applied_at is null order by id",
            [],
        );
        Ok(OpenSplit::find_by_statement(open).all(&self.db).await?)
    }

    /// Whether the stored instrument states of every shard include batch `head` (epoch and offset), and
    /// no shard is within a large batch.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn all_shards_beyond(
        &self,
        consumer: &'static str,
        shards: i32,
        head: (i64, i64),
    ) -> Result<bool, TradingError> {
        let count = sql(
            "select count(*) as beyond from matcher_offset where consumer = $1 and shard < $2 \
             and (epoch > $3 or (epoch = $3 and state_offset > $4)) \
             and (applied_epoch, applied_offset) is distinct from (epoch, next_offset)",
            [consumer.into(), shards.into(), head.0.into(), head.1.into()],
        );
        let row = self.db.query_one_raw(count).await?;
        let beyond: i64 = row.map_or(Ok(0), |row| row.try_get("", "beyond"))?;
        Ok(beyond == i64::from(shards))
    }

    /// Records whether a split was applied, once every shard is past its day; returns it.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn settle_split(
        &self,
        consumer: &'static str,
        split: &OpenSplit,
    ) -> Result<bool, TradingError> {
        let now = self.clock.now();
        let settle = sql(
            "with stored as ( \
                 select exists (select from matcher_offset where consumer = $2 \
                     and (state -> $3::text -> 'last_split' ->> 'trading_day')::integer >= $4) \
                 or exists (select from holding_split \
                     where instrument_code = $3 and trading_day = $4) as applied \
             ) \
             update share_split s set \
                 applied_at = case when applied then $5::timestamptz end, \
                 missed_at = case when applied then s.missed_at \
                     else coalesce(s.missed_at, $5::timestamptz) end \
             from stored where s.id = $1 and s.applied_at is null \
             returning applied",
            [
                split.id.into(),
                consumer.into(),
                split.instrument_code.clone().into(),
                split.trading_day.into(),
                now.into(),
            ],
        );
        let row = self.db.query_one_raw(settle).await?;
        Ok(row.map_or(Ok(true), |row| row.try_get("", "applied"))?)
    }

    /// Accounts above `after` that own one of `codes`, ascending.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn split_holders(
        &self,
        codes: &[String],
        after: Option<AccountId>,
        limit: usize,
    ) -> Result<Vec<AccountId>, TradingError> {
        let read = Statement::from_sql_and_values(
            DbBackend::Postgres,
            "select distinct h.account_id from unnest(string_to_array($1, ',')) as c(code) \
             cross join lateral (select account_id from holding \
             where instrument_code = c.code and quantity > 0 \
             and account_id > $2 order by account_id limit $3) h \
             order by h.account_id limit $3",
            [
                codes.join(",").into(),
                after.unwrap_or(AccountId(i64::MIN)).into(),
                i64::try_from(limit).unwrap_or(i64::MAX).into(),
            ],
        );
        let rows = self.db.query_all_raw(read).await?;
        let ids = rows.iter().map(|row| row.try_get("", "account_id"));
        Ok(ids.collect::<Result<_, DbErr>>()?)
    }
}
