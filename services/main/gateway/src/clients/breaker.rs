//! Stops asking a service for two seconds when at least half of twenty or more calls within ten
//! seconds failed, then lets three calls through to see whether it is back.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

const WINDOW: Duration = Duration::from_secs(10);
const OPEN_FOR: Duration = Duration::from_secs(2);
const LEAST_CALLS: u32 = 20;
const PROBES: u32 = 3;

/// The recent record of one service.
#[derive(Default)]
pub(crate) struct Breaker {
    state: Mutex<State>,
}

#[derive(Default)]
enum State {
    #[default]
    Fresh,
    /// Calls go through and are counted.
    Closed {
        since: Instant,
        calls: u32,
        failures: u32,
    },
    /// No call goes through.
    Open { until: Instant },
    /// A few calls go through; the first failure opens again, three successes close. Probes that
    /// never come back are forgotten after a while.
    HalfOpen {
        since: Instant,
        sent: u32,
        succeeded: u32,
    },
}

impl Breaker {
    /// Whether a call may be made now.
    pub(crate) fn admits(&self, now: Instant) -> bool {
        let mut state = self.state.lock();
        match &mut *state {
            State::Fresh | State::Closed { .. } => true,
            State::Open { until } if now < *until => false,
            State::HalfOpen { since, sent, .. }
                if *sent >= PROBES && now.duration_since(*since) < OPEN_FOR =>
            {
                false
            }
            State::HalfOpen { sent, .. } if *sent < PROBES => {
                *sent += 1;
                true
            }
            State::Open { .. } | State::HalfOpen { .. } => {
                *state = State::HalfOpen {
                    since: now,
                    sent: 1,
                    succeeded: 0,
                };
                true
            }
        }
    }

    /// How a call that ended now went.
    pub(crate) fn note(&self, now: Instant, succeeded: bool) {
        let mut state = self.state.lock();
        let next = match &mut *state {
            State::Open { .. } => None,
            State::Closed {
                since,
                calls,
                failures,
            } if now.duration_since(*since) < WINDOW => {
                *calls += 1;
                *failures += u32::from(!succeeded);
                let broken = *calls >= LEAST_CALLS && *failures * 2 >= *calls;
                broken.then(|| open(now))
            }
            State::Fresh | State::Closed { .. } => Some(State::Closed {
                since: now,
                calls: 1,
                failures: u32::from(!succeeded),
            }),
            State::HalfOpen { .. } if !succeeded => Some(open(now)),
            State::HalfOpen { succeeded, .. } => {
                *succeeded += 1;
                (*succeeded >= PROBES).then_some(State::Fresh)
            }
        };
        if let Some(next) = next {
            *state = next;
        }
    }
}

fn open(now: Instant) -> State {
    State::Open {
        until: now + OPEN_FOR,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_twenty_failures_open_it_and_three_successes_close_it() {
        let breaker = Breaker::default();
        let mut now = Instant::now();
        for call in 0..19 {
            assert!(breaker.admits(now));
            breaker.note(now, call % 2 == 0);
        }
        assert!(breaker.admits(now));
        breaker.note(now, false);
        assert!(!breaker.admits(now));

        now += OPEN_FOR;
        for _ in 0..3 {
            assert!(breaker.admits(now));
        }
        assert!(!breaker.admits(now));
        breaker.note(now, true);
        breaker.note(now, true);
        assert!(!breaker.admits(now));
        breaker.note(now, true);
        assert!(breaker.admits(now));
    }

    #[test]
    fn a_failed_probe_opens_it_again_and_a_lost_one_is_forgotten() {
        let breaker = Breaker::default();
        let mut now = Instant::now();
        for _ in 0..20 {
            breaker.note(now, false);
        }
        now += OPEN_FOR;
        assert!(breaker.admits(now));
        breaker.note(now, false);
        assert!(!breaker.admits(now));

        now += OPEN_FOR;
        for _ in 0..3 {
            assert!(breaker.admits(now));
        }
        now += OPEN_FOR;
        assert!(breaker.admits(now));
    }

    #[test]
    fn old_failures_do_not_count() {
        let breaker = Breaker::default();
        let mut now = Instant::now();
        for _ in 0..19 {
            breaker.note(now, false);
        }
        now += WINDOW;
        breaker.note(now, false);
        assert!(breaker.admits(now));
    }
}
