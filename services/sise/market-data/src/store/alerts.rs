use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, MemberId, RequestId};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, PgPool};

use super::Store;
use super::requests::RequestDigest;
use crate::alerts::AlertKind;
use crate::alerts::draft::Draft;
use crate::candles::retention::clear;
use crate::error::MarketError;

/// Active ones of a member.
pub const MAX_ALERTS: i64 = 50;
/// Fired alerts that a list has besides the active ones.
const MAX_FIRED_SHOWN: i64 = 200;
/// After this time one that has not fired is gone, and fires no more. What nobody waits for any more would fill the
/// memory of the watcher in the course of years.
pub(super) const WAITS_FOR: TimeDelta = TimeDelta::days(90);
/// Alerts that expire in one transaction: about ten milliseconds, in which nobody creates one.
const EXPIRED_AT_ONCE: i64 = 1_000;
/// How long one that fired is shown and kept.
const FIRED_KEPT_FOR: TimeDelta = TimeDelta::days(90);
/// A watcher that is further behind loads all alerts anew.
const CHANGES_KEPT_FOR: TimeDelta = TimeDelta::days(1);

#[derive(Clone, Debug)]
pub struct NewAlert {
    pub member: MemberId,
    pub request: RequestId,
    pub code: String,
    pub draft: Draft,
}

/// The market at the moment of creation.
#[derive(Clone, Copy, Debug)]
pub struct Baseline {
    /// The trading day in whose shares the price is.
    pub shares_day: i32,
    /// The newest tick; 0 before the first.
    pub tick_seq: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alert {
    pub alert_id: i64,
    pub code: String,
    pub kind: AlertKind,
    pub value: Decimal,
    pub created_at: DateTime<Utc>,
    pub fired: Option<Firing>,
}

/// The tick that fired an alert.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Firing {
    pub at: DateTime<Utc>,
    pub price: Decimal,
    pub tick_seq: i64,
}

#[derive(sqlx::FromRow)]
struct AlertRow {
    alert_id: i64,
    code: String,
    kind: String,
    value: Decimal,
    created_at: DateTime<Utc>,
    fired_at: Option<DateTime<Utc>>,
    fired_price: Option<Decimal>,
    fired_seq: Option<i64>,
}

impl Store {
    /// Creates an alert, or returns that of an earlier request with the same key and body and `true`.
    /// `judge` looks at the market inside the transaction, so that few ticks come between. At most
    /// `most` alerts of all members wait at a time.
    ///
    /// # Errors
    /// What `judge` says, [`MarketError::TooManyAlerts`], [`MarketError::AlertsFull`],
    /// [`MarketError::RequestIdReused`], or [`MarketError::Database`].
    pub async fn create_alert(
        &self,
        new: &NewAlert,
        most: u32,
        clock: &dyn Clock,
        judge: impl FnOnce() -> Result<Baseline, MarketError> + Send,
    ) -> Result<(Alert, bool), MarketError> {
        let NewAlert {
            member,
            request,
            code,
            draft,
        } = new;
        let value = draft.value.normalize();
        let fields = [code, draft.kind.as_str(), &value.to_string()];
        let digest = RequestDigest::new("alert", fields);
        let mut transaction = self.pool.begin().await?;
        // Alerts of a member one after another, so that concurrent ones cannot exceed the limit.
        sqlx::query("select pg_advisory_xact_lock(hashtextextended('alerts', $1))")
            .bind(member.0)
            .execute(&mut *transaction)
            .await?;
        if let Some(alert) = digest.reply(&mut transaction, *member, request).await? {
            return Ok((alert, true));
        }
        let baseline = judge()?;
        let now = clock.now();
        let active: i64 = sqlx::query_scalar(
            "select count(*) from price_alert \
             where member_id = $1 and fired_at is null and created_at > $2",
        )
        .bind(member.0)
        .bind(now - WAITS_FOR)
        .fetch_one(&mut *transaction)
        .await?;
        if active >= MAX_ALERTS {
            return Err(MarketError::TooManyAlerts { limit: MAX_ALERTS });
        }
        let row: AlertRow = sqlx::query_as(
            "insert into price_alert \
                 (member_id, code, kind, value, shares_day, after_seq, created_at) \
             values ($1, $2, $3, $4, $5, $6, $7) \
             returning alert_id, code, kind, value, created_at, fired_at, fired_price, fired_seq",
        )
        .bind(member.0)
        .bind(code)
        .bind(draft.kind.as_str())
        .bind(value)
        .bind(baseline.shares_day)
        .bind(baseline.tick_seq)
        .bind(now)
        .fetch_one(&mut *transaction)
        .await?;
        // With this one: who creates another meanwhile waits for its row, and counts it.
        let total: i64 = sqlx::query_scalar("select active from price_alert_total")
            .fetch_one(&mut *transaction)
            .await?;
        if total > i64::from(most) {
            return Err(MarketError::AlertsFull);
        }
        let alert = Alert::try_from(row)?;
        digest
            .store(&mut transaction, (*member, request), &alert, now)
            .await?;
        note_changes(&mut transaction, &[alert.alert_id], now).await?;
        transaction.commit().await?;
        Ok((alert, false))
    }

    /// Active ones that have not expired, newest first, then the newest that fired within 90 days.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn alerts(
        &self,
        member: MemberId,
        clock: &dyn Clock,
    ) -> Result<Vec<Alert>, MarketError> {
        let rows: Vec<AlertRow> = sqlx::query_as(
            "(select alert_id, code, kind, value, created_at, fired_at, fired_price, fired_seq \
             from price_alert where member_id = $1 and fired_at is null and created_at > $4 \
             order by alert_id desc) \
             union all \
             (select alert_id, code, kind, value, created_at, fired_at, fired_price, fired_seq \
             from price_alert where member_id = $1 and fired_at is not null and fired_at > $2 \
             order by fired_at desc, alert_id desc limit $3)",
        )
        .bind(member.0)
        .bind(clock.now() - FIRED_KEPT_FOR)
        .bind(MAX_FIRED_SHOWN)
        .bind(clock.now() - WAITS_FOR)
        .fetch_all(&self.pool)
        .await?;
        rows.into_iter().map(Alert::try_from).collect()
    }

    /// Some of all alerts of a member, each along its own index.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn alerts_to_erase(&self, member: MemberId) -> Result<Vec<i64>, MarketError> {
        let alerts = sqlx::query_scalar(
            "(select alert_id from price_alert where member_id = $1 and fired_at is null limit 100) \
             union all (select alert_id from price_alert \
             where member_id = $1 and fired_at is not null limit 100)",
        )
        .bind(member.0)
        .fetch_all(&self.pool)
        .await?;
        Ok(alerts)
    }

    /// # Errors
    /// [`MarketError::AlertNotFound`], also for another member's, or [`MarketError::Database`].
    pub async fn delete_alert(
        &self,
        member: MemberId,
        alert_id: i64,
        clock: &dyn Clock,
    ) -> Result<(), MarketError> {
        let mut transaction = self.pool.begin().await?;
        let deleted = sqlx::query("delete from price_alert where alert_id = $1 and member_id = $2")
            .bind(alert_id)
            .bind(member.0)
            .execute(&mut *transaction)
            .await?;
        if deleted.rows_affected() == 0 {
            return Err(MarketError::AlertNotFound { alert_id });
        }
        note_changes(&mut transaction, &[alert_id], clock.now()).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Deletes alerts that fired long ago or have waited for too long, and changes that every watcher has
    /// read.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn delete_old_alerts(&self, clock: &dyn Clock) -> Result<u64, MarketError> {
        let alerts = "delete from price_alert where ctid = any(array( \
             select ctid from price_alert where fired_at < $1 order by fired_at limit $2))";
        let changes = "delete from price_alert_change where ctid = any(array( \
             select ctid from price_alert_change where changed_at < $1 \
             order by changed_at limit $2))";
        let delete = async |pool: &PgPool, statement, kept_for| {
            clear(pool, statement, clock.now() - kept_for).await
        };
        let mut removed = delete(&self.pool, alerts, FIRED_KEPT_FOR).await?;
        removed += delete(&self.pool, changes, CHANGES_KEPT_FOR).await?;
        loop {
            let expired = self.expire_alerts(clock.now()).await?;
            if expired == 0 {
                return Ok(removed);
            }
            removed += expired;
        }
    }

    /// Deletes some of the alerts that have waited for too long, and returns how many.
    async fn expire_alerts(&self, now: DateTime<Utc>) -> Result<u64, MarketError> {
        let mut transaction = self.pool.begin().await?;
        let expired: Vec<i64> = sqlx::query_scalar(
            "delete from price_alert where ctid = any(array( \
             select ctid from price_alert where fired_at is null and created_at <= $1 \
             order by created_at limit $2 for update skip locked)) returning alert_id",
        )
        .bind(now - WAITS_FOR)
        .bind(EXPIRED_AT_ONCE)
        .fetch_all(&mut *transaction)
        .await?;
        if !expired.is_empty() {
            note_changes(&mut transaction, &expired, now).await?;
        }
        transaction.commit().await?;
        Ok(u64::try_from(expired.len()).unwrap_or(u64::MAX))
    }
}

/// Tells the watcher, at the end of a transaction: the lock lets numbers become visible in their order.
async fn note_changes(
    connection: &mut PgConnection,
    alert_ids: &[i64],
    now: DateTime<Utc>,
) -> Result<(), MarketError> {
    sqlx::query("select pg_advisory_xact_lock(hashtextextended('price_alert_change', 0))")
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "insert into price_alert_change (alert_id, changed_at) select unnest($1::bigint[]), $2",
    )
    .bind(alert_ids)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

pub(super) fn kind_of(alert_id: i64, word: &str) -> Result<AlertKind, MarketError> {
    AlertKind::parse(word).ok_or_else(|| MarketError::CorruptRow {
        table: "price_alert",
        key: alert_id.to_string(),
        fault: format!("kind {word}"),
    })
}

impl TryFrom<AlertRow> for Alert {
    type Error = MarketError;

    fn try_from(row: AlertRow) -> Result<Self, MarketError> {
        let tick = row.fired_at.zip(row.fired_price).zip(row.fired_seq);
        Ok(Self {
            alert_id: row.alert_id,
            kind: kind_of(row.alert_id, &row.kind)?,
            code: row.code,
            value: row.value.normalize(),
            created_at: row.created_at,
            fired: tick.map(|((at, price), tick_seq)| Firing {
                at,
                price: price.normalize(),
                tick_seq,
            }),
        })
    }
}
