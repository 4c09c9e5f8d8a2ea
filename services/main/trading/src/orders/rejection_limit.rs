//! How many rejections of a member are stored. Each is a row of several tables, which cost as much as
//! those of an accepted order, and only a client that does not look at them makes many.

use std::num::NonZeroU32;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use kernel::MemberId;

use crate::orders::rejection::OrderRejection;

/// A token bucket per member, counted in this process.
pub(crate) struct RejectionLimit {
    per_member: DefaultKeyedRateLimiter<MemberId>,
}

impl RejectionLimit {
    pub(crate) fn new(per_minute: i32) -> Self {
        let per_minute = u32::try_from(per_minute).ok().and_then(NonZeroU32::new);
        let quota = Quota::per_minute(per_minute.unwrap_or(NonZeroU32::MIN));
        Self {
            per_member: RateLimiter::keyed(quota),
        }
    }

    /// Counts a rejection that is stored. Beyond the limit it becomes one that is not.
    pub(crate) fn apply(&self, member: MemberId, rejection: OrderRejection) -> OrderRejection {
        if rejection.passes_with_time() {
            return rejection;
        }
        self.check(member).err().unwrap_or(rejection)
    }

    /// # Errors
    /// [`OrderRejection::OrderRate`] beyond the limit.
    pub(crate) fn check(&self, member: MemberId) -> Result<(), OrderRejection> {
        self.per_member.check_key(&member).map_err(|early| {
            let wait = early.wait_time_from(DefaultClock::default().now());
            OrderRejection::OrderRate {
                retry_after_s: i64::try_from(wait.as_secs())
                    .unwrap_or(i64::MAX)
                    .saturating_add(1),
            }
        })
    }

    /// Forgets members whose bucket is full again.
    pub(crate) fn forget_idle(&self) {
        self.per_member.retain_recent();
    }
}
