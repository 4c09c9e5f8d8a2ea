//! Competitions and seasons of a client's own members: it joins and leaves events, trades in them with
//! the mode on, and ends seasons. It turns the mode off again before it does anything else.

use super::{Client, retry_until_final};
use crate::acts::competitions::{Mode, UNKNOWN_EVENT};
use crate::acts::{Act, JoinCompetition};
use crate::model::TrackedOrder;
use crate::order::OrderRequest;
use crate::results::CompetingOrder;

/// Won that a league begins with.
const LEAGUE_CASH: [i64; 3] = [1_000_000, 10_000_000, 100_000_000];
/// Days of the shortest league.
const LEAGUE_DAYS: u64 = 3;
/// Longer ones by up to so many days.
const LEAGUE_MORE_DAYS: u64 = 5;

/// The mode of a member, while it is on.
#[derive(Clone, Copy)]
struct Competing {
    member_id: i64,
    mode: Mode,
    /// Whether the member has named the event.
    is_chosen: bool,
}

impl Client {
    pub(super) async fn compete(&mut self) {
        let member_id = self.transport.competing_member(&mut self.rng);
        match self.rng.below(16) {
            0..=4 => return self.trade_in_competition(member_id).await,
            5 => {
                let reset = self.act_request(member_id, Act::Reset);
                return self.execute_act(reset).await;
            }
            // What a season may end with.
            6..=8 => {
                if let Some(request) = self.order_of(member_id).await {
                    return self.place(request).await;
                }
            }
            9 => return self.race_acts(member_id).await,
            _ => {}
        }
        let act = match self.rng.below(8) {
            0..=1 => self.joining(),
            2 => self.leaving(member_id),
            3 => Some(self.league()),
            _ => self.random_act(member_id),
        };
        if let Some(act) = act {
            let request = self.act_request(member_id, act);
            self.execute_act(request).await;
        }
    }

    /// An act that concerns an event or a season.
    pub(super) fn season_act(&mut self, member_id: i64) -> Option<Act> {
        match self.rng.below(4) {
            0 => Some(Act::Reset),
            1 => self.leaving(member_id),
            2 => Some(self.league()),
            _ => self.joining(),
        }
    }

    /// Now and then one that does not exist, or with a wrong code.
    fn joining(&mut self) -> Option<Act> {
        let (competition_id, invite_code, is_known) = match self.rng.below(8) {
            0 => (UNKNOWN_EVENT, None, false),
            1..=4 => {
                let official = self.rng.pick(&self.events.official)?;
                (official.id, None, true)
            }
            5 => {
                let (id, code) = self.events.league(&mut self.rng)?;
                (id, Some(code.chars().rev().collect()), false)
            }
            _ => {
                let (id, code) = self.events.league(&mut self.rng)?;
                (id, Some(code), true)
            }
        };
        Some(Act::JoinCompetition(JoinCompetition {
            competition_id,
            invite_code,
            is_known,
        }))
    }

    /// Also one that the member is not in, or has left.
    fn leaving(&mut self, member_id: i64) -> Option<Act> {
        let wallet = self.results.acts.wallets.get(&member_id)?;
        let entries: Vec<i64> = wallet.entries.keys().copied().collect();
        let competition_id = match self.rng.below(8) {
            0 => UNKNOWN_EVENT,
            _ => *self.rng.pick(&entries)?,
        };
        Some(Act::LeaveCompetition { competition_id })
    }

    fn league(&mut self) -> Act {
        let more = i32::try_from(self.rng.below(LEAGUE_MORE_DAYS)).unwrap_or(0);
        Act::CreateLeague {
            days: i32::try_from(LEAGUE_DAYS).unwrap_or(3) + more,
            cash_won: self.rng.pick(&LEAGUE_CASH).copied().unwrap_or(1_000_000),
        }
    }

    async fn trade_in_competition(&mut self, member_id: i64) {
        if let Some(competing) = self.turn_on(member_id).await {
            for _ in 0..2 + self.rng.below(6) {
                self.trade(competing).await;
            }
            if self.rng.below(2) == 0 {
                // What is not in the competition stays as it is.
                let act = match self.rng.below(3) {
                    0 => Act::Reset,
                    _ => self.transfer_in(),
                };
                let request = self.act_request(member_id, act);
                self.execute_act(request).await;
            }
        }
        self.set_mode(member_id, false, 0).await;
    }

    /// With an event half the time; it may be one that does not run, or that the member is not in.
    async fn turn_on(&mut self, member_id: i64) -> Option<Competing> {
        let wallet = self.results.acts.wallets.get(&member_id);
        let mut events: Vec<i64> =
            wallet.map_or_else(Vec::new, |one| one.entries.keys().copied().collect());
        events.extend(self.events.official.iter().map(|event| event.id));
        let chosen = match self.rng.below(2) {
            0 => 0,
            _ => self.rng.pick(&events).copied().unwrap_or(0),
        };
        let mode = self.set_mode(member_id, true, chosen).await?;
        Some(Competing {
            member_id,
            mode,
            is_chosen: chosen != 0,
        })
    }

    async fn set_mode(&mut self, member_id: i64, is_on: bool, chosen: i64) -> Option<Mode> {
        let (timeout, transport) = (self.timeout, &self.transport);
        let calls = || transport.set_mode(member_id, is_on, chosen);
        let (response, failed) = retry_until_final(calls, timeout).await;
        self.results.failed_calls += failed;
        let what = format!("mode of {member_id}: {is_on}, {chosen}");
        let response = self.record_unresolved(&what, response)?;
        let mut official = self.events.official.iter();
        let is_running = official.any(|event| event.id == chosen && event.was_running);
        let acts = &mut self.results.acts;
        match &response {
            Ok(_) => *acts.done.entry("mode").or_default() += 1,
            Err(reason) => *acts.refusals.entry(reason.clone()).or_default() += 1,
        }
        let wallet = acts.wallets.entry(member_id).or_default();
        if let Err(fault) = wallet.set_mode((is_on, chosen), is_running, &response) {
            self.results.record_fault(format!("{what}: {fault}"));
        }
        response.ok()
    }

    async fn trade(&mut self, competing: Competing) {
        let member_id = competing.member_id;
        let request = match self.rng.below(8) {
            0..=1 => {
                let order = self.order_in_competition(member_id);
                order.map(|order| self.cancellation(&order))
            }
            2 => match self.order_in_competition(member_id) {
                Some(order) => self.modification(&order).await,
                None => None,
            },
            _ => self.order_of(member_id).await,
        };
        let Some(request) = request else {
            return;
        };
        let request = OrderRequest {
            competes: true,
            ..request
        };
        let key = request.identity();
        self.execute(request).await;
        if let Some(order_id) = self.results.order_of(&key) {
            let order = CompetingOrder {
                member_id,
                account_id: competing.mode.account_id,
                is_chosen: competing.is_chosen,
            };
            self.results.competing.entry(order_id).or_insert(order);
        }
    }

    fn order_in_competition(&mut self, member_id: i64) -> Option<TrackedOrder> {
        let order = self.model.pick(&mut self.rng)?;
        (order.competes && order.member_id == member_id).then_some(order)
    }
}
