//! Credits points that education says were earned, each key once.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use kernel::MemberId;
use proto::convert::{InvalidField, to_instant};
use proto::education::v1::PointsEarned;
use sea_orm::TransactionTrait;
use uuid::Uuid;

use super::change::{NewChange, PointChangeKind};
use super::credit::credit;
use crate::error::TradingError;
use crate::store::{Store, lock};

pub const EARNED: &str = "education.points.earned.v1";

/// Inbox consumer of the event.
const CONSUMER: &str = "trading.points";
/// More than anybody earns at once: a larger number is a fault of the sender.
const MOST_POINTS: i64 = 100_000;
const LONGEST_KEY: usize = 120;
const LONGEST_KIND: usize = 40;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarnedPoints {
    pub member_id: MemberId,
    /// What they were earned for. The same key is credited once.
    pub source_key: String,
    pub points: i64,
    /// "QUIZ", "SET" …
    pub kind: String,
    pub earned_at: DateTime<Utc>,
}

impl TryFrom<PointsEarned> for EarnedPoints {
    type Error = InvalidField;

    fn try_from(event: PointsEarned) -> Result<Self, InvalidField> {
        let text = |text: String, longest: usize, field: &'static str| {
            let fits = (1..=longest).contains(&text.chars().count());
            fits.then_some(text).ok_or(InvalidField(field))
        };
        if event.member_id <= 0 {
            return Err(InvalidField("member_id"));
        }
        if !(1..=MOST_POINTS).contains(&event.points) {
            return Err(InvalidField("points"));
        }
        Ok(Self {
            member_id: MemberId(event.member_id),
            source_key: text(event.source_key, LONGEST_KEY, "source_key")?,
            points: event.points,
            kind: text(event.kind, LONGEST_KIND, "kind")?,
            earned_at: to_instant(event.earned_at_us, "earned_at_us")?,
        })
    }
}

impl Store {
    /// Credits earned points to the BASIC account, which is opened if there is none.
    ///
    /// # Errors
    /// [`TradingError`] of the database: nothing was credited.
    pub async fn credit_points(
        &self,
        event_id: Uuid,
        earned: &EarnedPoints,
    ) -> Result<(), TradingError> {
        let (account, _) = self.open_basic_account(earned.member_id).await?;
        let transaction = self.db.begin().await?;
        let clock = self.clock.as_ref();
        if messaging::inbox::first_time(&transaction, CONSUMER, event_id, clock).await? {
            lock::accounts(&transaction, &BTreeSet::from([account])).await?;
            let change = NewChange {
                source_key: Some(earned.source_key.clone()),
                reason: earned.kind.clone(),
                ..NewChange::new(
                    account,
                    PointChangeKind::Earned,
                    earned.points,
                    earned.earned_at,
                )
            };
            credit(&transaction, clock, &change).await?;
        }
        transaction.commit().await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event() -> PointsEarned {
        PointsEarned {
            member_id: 100_001,
            source_key: "quiz-1".to_owned(),
            points: 10,
            kind: "QUIZ".to_owned(),
            earned_at_us: 1_700_000_000_000_000,
        }
    }

    #[test]
    fn what_no_education_service_sends_is_not_credited() {
        assert_eq!(EarnedPoints::try_from(event()).unwrap().points, 10);
        let wrong = [
            PointsEarned {
                member_id: 0,
                ..event()
            },
            PointsEarned {
                points: 0,
                ..event()
            },
            PointsEarned {
                points: -10,
                ..event()
            },
            PointsEarned {
                points: i64::MAX,
                ..event()
            },
            PointsEarned {
                source_key: String::new(),
                ..event()
            },
            PointsEarned {
                source_key: "k".repeat(121),
                ..event()
            },
            PointsEarned {
                kind: String::new(),
                ..event()
            },
            PointsEarned {
                earned_at_us: i64::MAX,
                ..event()
            },
        ];
        for event in wrong {
            EarnedPoints::try_from(event).unwrap_err();
        }
    }
}
