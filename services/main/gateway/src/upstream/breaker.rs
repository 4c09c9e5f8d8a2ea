//! A circuit breaker: opens for two seconds when a call fails and at least half of twenty or more
//! calls within ten seconds failed, then admits three probes to find out whether the service is back.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

const WINDOW: Duration = Duration::from_secs(10);
const OPEN_FOR: Duration = Duration::from_secs(2);
const MIN_CALLS: u32 = 20;
const PROBES: u32 = 3;

#[derive(Default)]
pub(super) struct CircuitBreaker {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    state: State,
    /// Rises whenever probing starts: results of calls admitted before are no probes.
    generation: u64,
}

/// An admitted call, whose result is recorded with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticket {
    generation: u64,
}

#[derive(Default)]
enum State {
    /// Closed before the first call.
    #[default]
    Idle,
    Closed {
        since: Instant,
        calls: u32,
        failures: u32,
    },
    Open {
        until: Instant,
    },
    /// The first failure opens it again, three successes close it. Lost probes are replaced after
    /// two seconds.
    HalfOpen {
        since: Instant,
        sent: u32,
        succeeded: u32,
    },
}

impl CircuitBreaker {
    /// `None` while calls must fail at once.
    pub(super) fn admit(&self, now: Instant) -> Option<Ticket> {
        let mut inner = self.inner.lock();
        let Inner { state, generation } = &mut *inner;
        match state {
            State::Idle | State::Closed { .. } => {}
            State::Open { until } if now < *until => return None,
            State::HalfOpen { since, sent, .. }
                if *sent >= PROBES && now.duration_since(*since) < OPEN_FOR =>
            {
                return None;
            }
            State::HalfOpen { sent, .. } if *sent < PROBES => *sent += 1,
            State::Open { .. } | State::HalfOpen { .. } => {
                *generation += 1;
                *state = State::HalfOpen {
                    since: now,
                    sent: 1,
                    succeeded: 0,
                };
            }
        }
        Some(Ticket {
            generation: *generation,
        })
    }

    /// Records the result of the call of `ticket`.
    pub(super) fn record(&self, ticket: Ticket, now: Instant, succeeded: bool) {
        let mut inner = self.inner.lock();
        let is_probe = ticket.generation == inner.generation;
        let next = match &mut inner.state {
            State::Open { .. } => None,
            State::Closed {
                since,
                calls,
                failures,
            } if now.duration_since(*since) < WINDOW => {
                *calls += 1;
                *failures += u32::from(!succeeded);
                // A success shows that the service is back, whatever failed before.
                let must_open = !succeeded && *calls >= MIN_CALLS && *failures * 2 >= *calls;
                must_open.then(|| open(now))
            }
            State::Idle | State::Closed { .. } => Some(State::Closed {
                since: now,
                calls: 1,
                failures: u32::from(!succeeded),
            }),
            State::HalfOpen { .. } if !is_probe => None,
            State::HalfOpen { .. } if !succeeded => Some(open(now)),
            State::HalfOpen { succeeded, .. } => {
                *succeeded += 1;
                (*succeeded >= PROBES).then_some(State::Idle)
            }
        };
        if let Some(next) = next {
            inner.state = next;
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

    /// A breaker that has just opened, and the tickets of unfinished calls.
    fn opened(now: Instant) -> (CircuitBreaker, Vec<Ticket>) {
        let breaker = CircuitBreaker::default();
        let tickets: Vec<Ticket> = (0..26).filter_map(|_| breaker.admit(now)).collect();
        let (failed, unfinished) = tickets.split_at(20);
        for ticket in failed {
            breaker.record(*ticket, now, false);
        }
        assert!(breaker.admit(now).is_none());
        (breaker, unfinished.to_vec())
    }

    fn probes(breaker: &CircuitBreaker, now: Instant) -> Vec<Ticket> {
        let probes = (0..PROBES).filter_map(|_| breaker.admit(now)).collect();
        assert!(breaker.admit(now).is_none());
        probes
    }

    #[test]
    fn half_of_twenty_failures_open_it_and_three_successes_close_it() {
        let breaker = CircuitBreaker::default();
        let mut now = Instant::now();
        for call in 0..19 {
            let ticket = breaker.admit(now).unwrap();
            breaker.record(ticket, now, call % 2 == 0);
        }
        let ticket = breaker.admit(now).unwrap();
        breaker.record(ticket, now, false);
        assert!(breaker.admit(now).is_none());

        now += OPEN_FOR;
        let probes = probes(&breaker, now);
        for probe in probes {
            assert!(breaker.admit(now).is_none());
            breaker.record(probe, now, true);
        }
        assert!(breaker.admit(now).is_some());
    }

    #[test]
    fn a_success_after_an_outage_does_not_open_it() {
        let breaker = CircuitBreaker::default();
        let now = Instant::now();
        for call in 0..MIN_CALLS {
            let ticket = breaker.admit(now).unwrap();
            breaker.record(ticket, now, call >= MIN_CALLS - 2);
        }
        assert!(breaker.admit(now).is_some());
    }

    #[test]
    fn a_failed_probe_opens_it_again_and_a_lost_one_is_replaced() {
        let mut now = Instant::now();
        let (breaker, _) = opened(now);
        now += OPEN_FOR;
        let probe = breaker.admit(now).unwrap();
        breaker.record(probe, now, false);
        assert!(breaker.admit(now).is_none());

        now += OPEN_FOR;
        let lost = probes(&breaker, now);
        now += OPEN_FOR;
        let probe = breaker.admit(now).unwrap();
        // Late results of the lost ones are ignored.
        breaker.record(lost[0], now, false);
        breaker.record(probe, now, true);
        assert!(breaker.admit(now).is_some());
    }

    #[test]
    fn calls_admitted_before_it_opened_are_no_probes() {
        let mut now = Instant::now();
        let (breaker, unfinished) = opened(now);
        now += OPEN_FOR;
        let probes = probes(&breaker, now);
        let (late_failures, late_successes) = unfinished.split_at(3);
        for late in late_failures {
            breaker.record(*late, now, false);
        }
        for late in late_successes {
            breaker.record(*late, now, true);
        }
        assert!(breaker.admit(now).is_none());
        for probe in probes {
            breaker.record(probe, now, true);
        }
        assert!(breaker.admit(now).is_some());
    }

    #[test]
    fn old_failures_do_not_count() {
        let breaker = CircuitBreaker::default();
        let mut now = Instant::now();
        let ticket = breaker.admit(now).unwrap();
        for _ in 0..19 {
            breaker.record(ticket, now, false);
        }
        now += WINDOW;
        breaker.record(ticket, now, false);
        assert!(breaker.admit(now).is_some());
    }
}
