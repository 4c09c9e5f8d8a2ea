//! Stops asking a service for two seconds when a call fails and at least half of twenty or more
//! calls within ten seconds did, then lets three calls through to see whether it is back.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

const WINDOW: Duration = Duration::from_secs(10);
const OPEN_FOR: Duration = Duration::from_secs(2);
const LEAST_CALLS: u32 = 20;
const PROBES: u32 = 3;

/// The recent record of one service.
#[derive(Default)]
pub(crate) struct Breaker {
    record: Mutex<Record>,
}

#[derive(Default)]
struct Record {
    state: State,
    /// How often probes began: a call that began before counts for nothing among them.
    probing: u64,
}

/// A call that may be made; its end is told with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ticket {
    probing: u64,
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
    /// A ticket, if a call may be made now.
    pub(crate) fn admit(&self, now: Instant) -> Option<Ticket> {
        let mut record = self.record.lock();
        let Record { state, probing } = &mut *record;
        match state {
            State::Fresh | State::Closed { .. } => {}
            State::Open { until } if now < *until => return None,
            State::HalfOpen { since, sent, .. }
                if *sent >= PROBES && now.duration_since(*since) < OPEN_FOR =>
            {
                return None;
            }
            State::HalfOpen { sent, .. } if *sent < PROBES => *sent += 1,
            State::Open { .. } | State::HalfOpen { .. } => {
                *probing += 1;
                *state = State::HalfOpen {
                    since: now,
                    sent: 1,
                    succeeded: 0,
                };
            }
        }
        Some(Ticket { probing: *probing })
    }

    /// How the call of `ticket`, which ended now, went.
    pub(crate) fn note(&self, ticket: Ticket, now: Instant, succeeded: bool) {
        let mut record = self.record.lock();
        let is_probe = ticket.probing == record.probing;
        let next = match &mut record.state {
            State::Open { .. } => None,
            State::Closed {
                since,
                calls,
                failures,
            } if now.duration_since(*since) < WINDOW => {
                *calls += 1;
                *failures += u32::from(!succeeded);
                // An answer shows that the service is back, whatever went before.
                let broken = !succeeded && *calls >= LEAST_CALLS && *failures * 2 >= *calls;
                broken.then(|| open(now))
            }
            State::Fresh | State::Closed { .. } => Some(State::Closed {
                since: now,
                calls: 1,
                failures: u32::from(!succeeded),
            }),
            State::HalfOpen { .. } if !is_probe => None,
            State::HalfOpen { .. } if !succeeded => Some(open(now)),
            State::HalfOpen { succeeded, .. } => {
                *succeeded += 1;
                (*succeeded >= PROBES).then_some(State::Fresh)
            }
        };
        if let Some(next) = next {
            record.state = next;
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

    /// A breaker that has just opened, and tickets of calls that are still under way.
    fn opened(now: Instant) -> (Breaker, Vec<Ticket>) {
        let breaker = Breaker::default();
        let tickets: Vec<Ticket> = (0..26).filter_map(|_| breaker.admit(now)).collect();
        let (failed, under_way) = tickets.split_at(20);
        for ticket in failed {
            breaker.note(*ticket, now, false);
        }
        assert!(breaker.admit(now).is_none());
        (breaker, under_way.to_vec())
    }

    fn probes(breaker: &Breaker, now: Instant) -> Vec<Ticket> {
        let probes = (0..PROBES).filter_map(|_| breaker.admit(now)).collect();
        assert!(breaker.admit(now).is_none());
        probes
    }

    #[test]
    fn half_of_twenty_failures_open_it_and_three_successes_close_it() {
        let breaker = Breaker::default();
        let mut now = Instant::now();
        for call in 0..19 {
            let ticket = breaker.admit(now).unwrap();
            breaker.note(ticket, now, call % 2 == 0);
        }
        let ticket = breaker.admit(now).unwrap();
        breaker.note(ticket, now, false);
        assert!(breaker.admit(now).is_none());

        now += OPEN_FOR;
        let probes = probes(&breaker, now);
        for probe in probes {
            assert!(breaker.admit(now).is_none());
            breaker.note(probe, now, true);
        }
        assert!(breaker.admit(now).is_some());
    }

    #[test]
    fn a_success_after_an_outage_does_not_open_it() {
        let breaker = Breaker::default();
        let now = Instant::now();
        for call in 0..LEAST_CALLS {
            let ticket = breaker.admit(now).unwrap();
            breaker.note(ticket, now, call >= LEAST_CALLS - 2);
        }
        assert!(breaker.admit(now).is_some());
    }

    #[test]
    fn a_failed_probe_opens_it_again_and_a_lost_one_is_forgotten() {
        let mut now = Instant::now();
        let (breaker, _) = opened(now);
        now += OPEN_FOR;
        let probe = breaker.admit(now).unwrap();
        breaker.note(probe, now, false);
        assert!(breaker.admit(now).is_none());

        now += OPEN_FOR;
        let lost = probes(&breaker, now);
        now += OPEN_FOR;
        let probe = breaker.admit(now).unwrap();
        // Nobody waits for the lost ones any more, and what they say late counts for nothing.
        breaker.note(lost[0], now, false);
        breaker.note(probe, now, true);
        assert!(breaker.admit(now).is_some());
    }

    #[test]
    fn calls_that_began_before_it_opened_say_nothing_about_the_probes() {
        let mut now = Instant::now();
        let (breaker, under_way) = opened(now);
        now += OPEN_FOR;
        let probes = probes(&breaker, now);
        let (late_failures, late_successes) = under_way.split_at(3);
        for late in late_failures {
            breaker.note(*late, now, false);
        }
        for late in late_successes {
            breaker.note(*late, now, true);
        }
        assert!(breaker.admit(now).is_none());
        for probe in probes {
            breaker.note(probe, now, true);
        }
        assert!(breaker.admit(now).is_some());
    }

    #[test]
    fn old_failures_do_not_count() {
        let breaker = Breaker::default();
        let mut now = Instant::now();
        let ticket = breaker.admit(now).unwrap();
        for _ in 0..19 {
            breaker.note(ticket, now, false);
        }
        now += WINDOW;
        breaker.note(ticket, now, false);
        assert!(breaker.admit(now).is_some());
    }
}
