//! Points that a member receives, each key once.

use chrono::{DateTime, Utc};
use kernel::{AccountId, Clock};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter};

use super::change::{NewChange, PointChangeKind};
use crate::entity::point_change;
use crate::error::TradingError;
use crate::ledger::{self, Asset, Journal, JournalKind, Source};

/// What the points are credited for.
const PRIZE: &str = "PRIZE";

/// Credits a prize to a BASIC account, which is locked; returns the id of the change.
pub(crate) async fn award(
    transaction: &DatabaseTransaction,
    clock: &dyn Clock,
    account: AccountId,
    points: i64,
    key: String,
) -> Result<i64, TradingError> {
    let now: DateTime<Utc> = clock.now();
    let change = NewChange {
        source_key: Some(key),
        reason: PRIZE.to_owned(),
        ..NewChange::new(account, PointChangeKind::Awarded, points, now)
    };
    credit(transaction, clock, &change).await
}

/// The id of the change; of the first one where the key was credited before.
pub(super) async fn credit(
    transaction: &DatabaseTransaction,
    clock: &dyn Clock,
    change: &NewChange,
) -> Result<i64, TradingError> {
    let same = point_change::Entity::find()
        .filter(point_change::Column::AccountId.eq(change.account))
        .filter(point_change::Column::Kind.eq(change.kind.as_str()))
        .filter(point_change::Column::SourceKey.eq(change.source_key.as_deref()));
    if let Some(first) = same.one(transaction).await? {
        return Ok(first.id);
    }
    ledger::open_balance(transaction, change.account, Asset::EducationPoint).await?;
    let kind = match change.kind {
        PointChangeKind::Earned => JournalKind::PointsEarned,
        PointChangeKind::Awarded => JournalKind::PointsAwarded,
        PointChangeKind::Moved => JournalKind::PointsMoved,
        PointChangeKind::Spent => JournalKind::PointsSpent,
    };
    let id = change.write(transaction).await?;
    let numbers = ledger::draw_ids(transaction, 1).await?;
    let journals: Vec<Journal> = numbers
        .into_iter()
        .map(|number| Journal {
            id: number,
            kind,
            source: Source::PointChange(id),
            occurred_at: clock.now(),
            postings: change.postings(),
        })
        .collect();
    ledger::post(transaction, &journals, &[]).await?;
    Ok(id)
}
