//! What the acts of one member must have left, from the replies alone, and the replies that it
//! allows next. Shares no code with the service.

mod competitions;
mod contracts;
mod items;
mod transfers;

use std::collections::{BTreeMap, BTreeSet};

use self::competitions::Entries;
use self::contracts::Contracts;
use super::{Act, ActResponse, BASIC, CMA, SUB_ACCOUNTS, code_of};

/// The reason for which a member who competes moves no own money.
pub(crate) const LOCKED: &str = "COMPETITION_LOCKED";
/// A CMA earns less than this part of its balance in a night.
const INTEREST_PART: i64 = 10_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SubAccount {
    pub(crate) number: String,
    /// Moved in less moved out; interest is not counted.
    pub(crate) won: i64,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Wallet {
    /// Open sub-accounts by code.
    pub(crate) sub_accounts: BTreeMap<String, SubAccount>,
    /// Numbers of closed sub-accounts, with the won of interest that left them.
    pub(crate) closed: BTreeMap<String, i64>,
    /// Net won that acts moved into the BASIC account.
    pub(crate) basic_won: i64,
    pub(crate) transfers: u64,
    /// Bought of each item.
    pub(crate) items: BTreeMap<i64, i64>,
    /// Won that were paid for them.
    pub(crate) paid_for_items: i64,
    /// By number, open and closed.
    pub(crate) contracts: Contracts,
    /// Numbers of sub-accounts that ended with their season, with all they had.
    pub(crate) ended: BTreeSet<String>,
    pub(crate) resets: i32,
    pub(crate) entries: Entries,
    /// That the member has made.
    pub(crate) leagues: u32,
    /// Whether the competition mode is on.
    pub(crate) competes: bool,
}

/// An account as a request may name it.
enum Named<'a> {
    Basic,
    Open(&'a SubAccount),
    /// A bare code without an account.
    Unopened,
    /// Somebody else's, closed, or of a kind that takes no part.
    Other,
}

impl Wallet {
    /// Checks `response` against the wallet, then updates it.
    ///
    /// # Errors
    /// The difference, as a sentence.
    pub(crate) fn take(&mut self, act: &Act, response: &ActResponse) -> Result<(), String> {
        if self.competes && act.is_of_own_money() {
            let is_locked = *response == ActResponse::Refused(LOCKED.to_owned());
            return is_locked
                .then_some(())
                .ok_or_else(|| format!("not locked in the competition mode: {response:?}"));
        }
        match (act, response) {
            (Act::Transfer { from, to, won }, ActResponse::Refused(reason)) => {
                self.check_refused_transfer(from, to, *won, reason)
            }
            (Act::CloseAccount { number }, ActResponse::Refused(reason)) => {
                self.check_refused_closing(number, reason)
            }
            (Act::Transfer { from, to, won }, ActResponse::Done(reply)) => {
                self.transfer(from, to, *won, reply)
            }
            (Act::CloseAccount { number }, ActResponse::Done(reply)) => self.close(number, reply),
            (Act::BuyItem { item_id, quantity }, ActResponse::Refused(reason)) => {
                self.check_refused_purchase(*item_id, *quantity, reason)
            }
            (Act::BuyItem { item_id, quantity }, ActResponse::Done(reply)) => {
                self.buy(*item_id, *quantity, reply)
            }
            (Act::OpenContract(open), ActResponse::Refused(reason)) => {
                self.check_refused_opening(open, reason)
            }
            (Act::OpenContract(open), ActResponse::Done(reply)) => self.open(open, reply),
            (Act::PayIntoContract { number, won }, ActResponse::Refused(reason)) => {
                self.check_refused_payment(number, *won, reason)
            }
            (Act::PayIntoContract { number, won }, ActResponse::Done(reply)) => {
                self.pay(number, *won, reply)
            }
            (Act::CloseContract { number, payout }, ActResponse::Refused(reason)) => {
                self.check_refused_end(number, *payout, reason)
            }
            (Act::CloseContract { number, payout }, ActResponse::Done(reply)) => {
                self.end(number, *payout, reply)
            }
            (Act::Reset, ActResponse::Refused(reason)) => self.check_refused_reset(reason),
            (Act::Reset, ActResponse::Done(reply)) => self.reset(reply),
            (Act::JoinCompetition(join), ActResponse::Refused(reason)) => {
                self.check_refused_joining(join, reason)
            }
            (Act::JoinCompetition(join), ActResponse::Done(reply)) => self.join(join, reply),
            (Act::LeaveCompetition { competition_id }, ActResponse::Refused(reason)) => {
                self.check_refused_leaving(*competition_id, reason)
            }
            (Act::LeaveCompetition { competition_id }, ActResponse::Done(reply)) => {
                self.leave(*competition_id, reply)
            }
            (Act::CreateLeague { .. }, ActResponse::Refused(reason)) => {
                self.check_refused_league(reason)
            }
            (Act::CreateLeague { cash_won, .. }, ActResponse::Done(reply)) => {
                self.create_league(*cash_won, reply)
            }
        }
    }

    fn named(&self, name: &str) -> Named<'_> {
        if name == BASIC || (code_of(name) == BASIC && name.len() > 2) {
            return Named::Basic;
        }
        match self.sub_accounts.get(code_of(name)) {
            Some(open) if name.len() == 2 || open.number == name => Named::Open(open),
            None if SUB_ACCOUNTS.contains(&name) => Named::Unopened,
            Some(_) | None => Named::Other,
        }
    }
}

/// The most interest that an account may have been paid.
fn interest_of(account: &SubAccount) -> i64 {
    if code_of(&account.number) == CMA {
        account.won.max(0) / INTEREST_PART + 10_000
    } else {
        0
    }
}

#[cfg(test)]
mod tests;
