//! The events that the service publishes.

use chrono::{DateTime, Utc};
use kernel::{Clock, MemberId};
use messaging::NewEvent;
use proto::convert::micros;
use proto::education::v1::PointsEarned;

use crate::domain::points::Kind;

pub const POINTS_EARNED: &str = "education.points.earned.v1";

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
