//! The money acts of a client: random ones for members of its own, repeats, two at once, and ones
//! that must be refused.

mod contracts;

use super::{Client, REPEATABLE_MAX, retry_until_final};
use crate::acts::shop::{ITEMS, LIMITED, PACK, UNKNOWN};
use crate::acts::{
    Act, ActReply, ActRequest, ActResponse, BASIC, CMA, LOCKED, SUB_ACCOUNTS, code_of,
};

/// Most won of a transfer out of the BASIC account.
const MOST_WON: u64 = 200_000;
/// More than any member has.
const UNAFFORDABLE_WON: i64 = 900_000_000_000;
/// Reasons of refusals that pass with time.
const PASSING: [&str; 4] = [
    LOCKED,
    "RESET_TOO_SOON",
    "COMPETITION_FULL",
    "TOO_MANY_LEAGUES",
];

impl Client {
    pub(super) async fn act(&mut self) {
        let member_id = self.transport.acting_member(&mut self.rng);
        match self.rng.below(20) {
            0..=2 => {
                if let Some(request) = self.rng.pick(&self.acts_done).cloned() {
                    self.results.acts.repeated += 1;
                    return self.execute_act(request).await;
                }
            }
            3 => {
                if let Some(request) = self.reused_act_key() {
                    return self.send_reused(request).await;
                }
            }
            4..=6 => return self.race_acts(member_id).await,
            _ => {}
        }
        if let Some(act) = self.random_act(member_id) {
            let request = self.act_request(member_id, act);
            self.execute_act(request).await;
        }
    }

    pub(super) fn act_request(&mut self, member_id: i64, act: Act) -> ActRequest {
        let key = self.key();
        ActRequest {
            member_id,
            key,
            act,
        }
    }

    pub(super) fn random_act(&mut self, member_id: i64) -> Option<Act> {
        match self.rng.below(40) {
            0..=9 => Some(self.transfer_in()),
            10..=13 => self.transfer_out(member_id, BASIC),
            14 => {
                let to = self.sub_account();
                self.transfer_out(member_id, to)
            }
            15..=16 => self.closing(member_id),
            17..=19 => self.bad_transfer(member_id),
            20..=25 => Some(self.purchase()),
            26..=31 => self.contract(),
            32..=34 => self.payment(member_id),
            _ => self.contract_end(member_id),
        }
    }

    fn sub_account(&mut self) -> &'static str {
        self.rng.pick(&SUB_ACCOUNTS).copied().unwrap_or(BASIC)
    }

    pub(super) fn transfer_in(&mut self) -> Act {
        Act::Transfer {
            from: BASIC.to_owned(),
            to: self.sub_account().to_owned(),
            won: 1 + i64::try_from(self.rng.below(MOST_WON)).unwrap_or(0),
        }
    }

    /// All of a sub-account half the time, else a part.
    fn transfer_out(&mut self, member_id: i64, to: &str) -> Option<Act> {
        let (from, has) = self.own_sub_account(member_id)?;
        let part = u64::try_from(has).ok().filter(|has| *has > 0)?;
        let won = match self.rng.below(2) {
            0 => has,
            _ => 1 + i64::try_from(self.rng.below(part)).unwrap_or(0),
        };
        Some(Act::Transfer {
            from,
            to: to.to_owned(),
            won,
        })
    }

    fn closing(&mut self, member_id: i64) -> Option<Act> {
        let (number, _) = self.own_sub_account(member_id)?;
        Some(Act::CloseAccount { number })
    }

    /// The limited item half the time; now and then one that cannot be bought, or too many.
    fn purchase(&mut self) -> Act {
        let item_id = match self.rng.below(12) {
            0..=5 => LIMITED,
            6 => PACK,
            7 => UNKNOWN,
            _ => self.rng.pick(&ITEMS).map_or(LIMITED, |item| item.id),
        };
        let quantity = if self.rng.below(6) == 0 { 2 } else { 1 };
        Act::BuyItem { item_id, quantity }
    }

    /// Too much, from an account that is somebody else's, closed or not to be moved from, or to the
    /// same account.
    fn bad_transfer(&mut self, member_id: i64) -> Option<Act> {
        let (own, has) = self.own_sub_account(member_id)?;
        let transfer = |from: &str, to: &str, won| Act::Transfer {
            from: from.to_owned(),
            to: to.to_owned(),
            won,
        };
        let others = neighbour_of(&own)?;
        Some(match self.rng.below(8) {
            // A CMA may have interest besides.
            0 => transfer(&own, BASIC, has + 1_000_000),
            1 => transfer(BASIC, &own, UNAFFORDABLE_WON),
            2 => transfer(&own, &own, 1),
            3 => transfer(&others, BASIC, 1),
            4 => transfer(BASIC, &others, 1),
            5 => transfer(BASIC, "99", 1),
            6 => Act::CloseAccount { number: others },
            _ => {
                let wallet = self.results.acts.wallets.get(&member_id)?;
                let closed: Vec<String> = wallet.closed.keys().cloned().collect();
                transfer(BASIC, self.rng.pick(&closed)?, 1)
            }
        })
    }

    /// Number and won of one.
    fn own_sub_account(&mut self, member_id: i64) -> Option<(String, i64)> {
        let wallet = self.results.acts.wallets.get(&member_id)?;
        let open: Vec<_> = wallet.sub_accounts.values().collect();
        let account = self.rng.pick(&open)?;
        Some((account.number.clone(), account.won))
    }

    /// A key that was used, with another body.
    fn reused_act_key(&mut self) -> Option<ActRequest> {
        let done = self.rng.pick(&self.acts_done)?.clone();
        Some(ActRequest {
            act: Act::Transfer {
                from: BASIC.to_owned(),
                to: self.sub_account().to_owned(),
                won: 200_001,
            },
            ..done
        })
    }

    async fn send_reused(&mut self, request: ActRequest) {
        match self.send_act(&request).await {
            Some(ActResponse::Refused(reason)) if reason == "REQ_SID_REUSED" => {
                *self.results.acts.refusals.entry(reason).or_default() += 1;
            }
            Some(other) => {
                let fault = format!("{request:?}: {other:?} instead of REQ_SID_REUSED");
                self.results.record_fault(fault);
            }
            None => {}
        }
    }

    pub(super) async fn execute_act(&mut self, request: ActRequest) {
        if let Some(response) = self.send_act(&request).await {
            self.accept_act(request, response);
        }
    }

    /// One request twice, or two of which only one can be done.
    pub(super) async fn race_acts(&mut self, member_id: i64) {
        let competes = self.transport.competes(member_id);
        let first = match self.rng.below(8) {
            0..=2 if competes => self.season_act(member_id),
            0 => Some(self.transfer_in()),
            1 => self.closing(member_id),
            2 => Some(self.purchase()),
            3 => self.payment(member_id),
            4..=5 => self.contract_end(member_id),
            _ => self.transfer_out(member_id, BASIC),
        };
        let Some(first) = first else {
            return;
        };
        let second = match self.rng.below(3) {
            0 => None,
            1 => Some(first.clone()),
            // Whether the other act was of the ended season or of the next, no reply tells.
            _ if matches!(first, Act::Reset) => None,
            _ => self.random_act(member_id),
        };
        let first = self.act_request(member_id, first);
        let second = match second {
            Some(act) => self.act_request(member_id, act),
            None => first.clone(),
        };
        self.results.acts.raced += 1;
        let (timeout, transport) = (self.timeout, &self.transport);
        let (one, other) = tokio::join!(
            retry_until_final(|| transport.act(&first), timeout),
            retry_until_final(|| transport.act(&second), timeout)
        );
        self.results.failed_calls += one.1 + other.1;
        let one = self.record_unresolved(&first, one.0);
        let other = self.record_unresolved(&second, other.0);
        let (Some(one), Some(other)) = (one, other) else {
            return;
        };
        if first.key == second.key {
            if one != other {
                let fault = format!("{first:?} twice at once: {one:?} and {other:?}");
                self.results.record_fault(fault);
            }
            return self.accept_act(first, one);
        }
        self.accept_both([(first, one), (second, other)], member_id);
    }

    /// Some order of the two must explain both responses.
    fn accept_both(&mut self, both: [(ActRequest, ActResponse); 2], member_id: i64) {
        let wallet = self.results.acts.wallets.get(&member_id);
        let mut tried = wallet.cloned().unwrap_or_default();
        let in_order = both.iter();
        let explained = in_order
            .map(|(request, response)| tried.take(&request.act, response))
            .all(|result| result.is_ok());
        let [first, second] = both;
        let in_order = if explained {
            [first, second]
        } else {
            [second, first]
        };
        for (request, response) in in_order {
            self.accept_act(request, response);
        }
    }

    /// Compares a repeated response with the first one, and a first one with the wallet.
    fn accept_act(&mut self, request: ActRequest, response: ActResponse) {
        let acts = &mut self.results.acts;
        if is_passing(&request.act, &response) {
            acts.count(request.act.kind(), &response);
            let wallet = acts.wallets.entry(request.member_id).or_default();
            if let Err(fault) = wallet.take(&request.act, &response) {
                self.results.record_fault(format!("{request:?}: {fault}"));
            }
            return;
        }
        if let Some(before) = acts.responses.get(&request.identity()) {
            if *before != response {
                let fault = format!("{:?}: {before:?}, then {response:?}", request.identity());
                self.results.record_fault(fault);
            }
            return;
        }
        acts.responses.insert(request.identity(), response.clone());
        acts.count(request.act.kind(), &response);
        if let ActResponse::Done(ActReply::LeagueCreated {
            competition_id,
            invite_code,
            ..
        }) = &response
        {
            self.events.add_league(*competition_id, invite_code.clone());
        }
        let wallet = acts.wallets.entry(request.member_id).or_default();
        if let Err(fault) = wallet.take(&request.act, &response) {
            self.results.record_fault(format!("{request:?}: {fault}"));
        }
        if self.acts_done.len() >= REPEATABLE_MAX {
            let count = u64::try_from(self.acts_done.len()).unwrap_or(1);
            if let Ok(index) = usize::try_from(self.rng.below(count)) {
                self.acts_done.swap_remove(index);
            }
        }
        self.acts_done.push(request);
    }

    async fn send_act(&mut self, request: &ActRequest) -> Option<ActResponse> {
        let (timeout, transport) = (self.timeout, &self.transport);
        let (response, failed) = retry_until_final(|| transport.act(request), timeout).await;
        self.results.failed_calls += failed;
        self.record_unresolved(request, response)
    }
}

/// Whether a refusal is not stored, because the same request may be granted later.
fn is_passing(act: &Act, response: &ActResponse) -> bool {
    let ActResponse::Refused(reason) = response else {
        return false;
    };
    // An empty CMA closes when its interest is paid.
    let waits_for_interest = matches!(act, Act::CloseAccount { number } if code_of(number) == CMA)
        && reason == "ACCOUNT_NOT_EMPTY";
    waits_for_interest || PASSING.contains(&reason.as_str())
}

/// The account number after this one, which is another member's or nobody's.
fn neighbour_of(number: &str) -> Option<String> {
    let (member, code) = number.split_at_checked(number.len().checked_sub(2)?)?;
    let next = member.parse::<u64>().ok()?.checked_add(1)?;
    let width = member.len();
    Some(format!("{next:0width$}{code}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_neighbour_of_an_account_has_its_kind() {
        assert_eq!(
            neighbour_of("000000004201").as_deref(),
            Some("000000004301")
        );
    }
}
