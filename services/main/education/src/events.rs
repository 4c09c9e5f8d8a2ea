//! The events that the service publishes.

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use kernel::{Clock, MemberId};
use messaging::NewEvent;
use proto::convert::micros;
use proto::education::v1::{FreezesChanged, PointsEarned, StreakAtRisk};

use crate::domain::points::Kind;

pub const POINTS_EARNED: &str = "education.points.earned.v1";
pub const STREAK_AT_RISK: &str = "education.streak.at_risk.v1";
pub const FREEZES_CHANGED: &str = "education.freezes.changed.v1";

/// `edu_id` is what the points were granted for: unique with the kind for a member.
#[must_use]
pub fn points_earned(
    member: MemberId,
    kind: Kind,
    edu_id: &str,
    points: i32,
    earned_at: DateTime<Utc>,
    clock: &dyn Clock,
) -> NewEvent {
    let body = PointsEarned {
        member_id: member.0,
        source_key: format!("{}:{edu_id}", kind.as_str()),
        points: points.into(),
        kind: kind.as_str().to_owned(),
        earned_at_us: micros(earned_at),
    };
    NewEvent::new(POINTS_EARNED, member.to_string(), &body, clock)
}

/// `version` rises with every such event of a member. `delivery` is the purchase that is decided by
/// it, and whether that was refused.
#[must_use]
pub fn freezes_changed(
    member: MemberId,
    held: i16,
    version: i64,
    delivery: Option<(i64, bool)>,
    clock: &dyn Clock,
) -> NewEvent {
    let (purchase_id, is_refused) = delivery.unwrap_or_default();
    let body = FreezesChanged {
        member_id: member.0,
        held: held.into(),
        version,
        purchase_id,
        is_refused,
    };
    NewEvent::new(FREEZES_CHANGED, member.to_string(), &body, clock)
}

/// A streak of `days` ends at `until` unless a set of `day` is completed.
#[must_use]
pub fn streak_at_risk(
    member_id: i64,
    days: i32,
    day: NaiveDate,
    until: DateTime<Utc>,
    clock: &dyn Clock,
) -> NewEvent {
    let month_and_day = i32::try_from(day.month() * 100 + day.day()).unwrap_or_default();
    let body = StreakAtRisk {
        member_id,
        days,
        day: day.year() * 10_000 + month_and_day,
        until_us: micros(until),
    };
    NewEvent::new(STREAK_AT_RISK, member_id.to_string(), &body, clock)
}
