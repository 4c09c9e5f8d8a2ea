//! Competitions that a member takes part in, and seasons.

use std::collections::BTreeMap;

use super::Wallet;
use crate::acts::competitions::{LEAGUES_MOST, Mode, ModeResponse};
use crate::acts::{ActReply, JoinCompetition, code_of};

const COMPETITION: &str = "99";
/// Start cash of official events and the practice league.
const OFFICIAL_CASH: i64 = 10_000_000;

#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The number of its account; the reply that opened the one of the practice league lacks it.
    pub(crate) number: Option<String>,
    pub(crate) account_id: Option<i64>,
    /// `None` of a league of somebody else.
    pub(crate) cash_won: i64,
    pub(crate) has_left: bool,
    is_practice: bool,
}

/// What a member has entered, by the number of the event.
pub(crate) type Entries = BTreeMap<i64, Entry>;

impl Wallet {
    /// The season of the BASIC account.
    pub(crate) fn season(&self) -> i32 {
        1 + self.resets
    }

    pub(super) fn reset(&mut self, reply: &ActReply) -> Result<(), String> {
        let may_reset = self.resets == 0;
        self.resets += 1;
        for (_, open) in std::mem::take(&mut self.sub_accounts) {
            self.basic_won += open.won;
            self.ended.insert(open.number);
        }
        for contract in self.contracts.values_mut() {
            if contract.payout.is_none() {
                contract.payout = Some(contract.paid_in);
                self.basic_won += contract.paid_in;
            }
        }
        let season = self.season();
        let is_right = matches!(reply, ActReply::Reset { season: begun, deposit_won }
            if *begun == season && *deposit_won > 0);
        (may_reset && is_right)
            .then_some(())
            .ok_or_else(|| format!("season {season} began otherwise: {reply:?}"))
    }

    /// One is free in seven days, and no member has a ticket.
    pub(super) fn check_refused_reset(&self, reason: &str) -> Result<(), String> {
        (reason == "RESET_TOO_SOON" && self.resets > 0)
            .then_some(())
            .ok_or_else(|| format!("refused with {reason}"))
    }

    pub(super) fn join(&mut self, join: &JoinCompetition, reply: &ActReply) -> Result<(), String> {
        let fault = || format!("joined otherwise: {reply:?}");
        let ActReply::Joined {
            competition_id,
            number,
            cash_won,
        } = reply
        else {
            return Err(fault());
        };
        let is_official = join.invite_code.is_none();
        let is_right = join.is_known
            && join.competition_id == *competition_id
            && code_of(number) == COMPETITION
            && (!is_official || *cash_won == OFFICIAL_CASH)
            && self.enter(*competition_id, number, *cash_won);
        is_right.then_some(()).ok_or_else(fault)
    }

    /// Whether it is the first time.
    fn enter(&mut self, competition_id: i64, number: &str, cash_won: i64) -> bool {
        let entry = Entry {
            number: Some(number.to_owned()),
            account_id: None,
            cash_won,
            has_left: false,
            is_practice: false,
        };
        self.entries.insert(competition_id, entry).is_none()
    }

    pub(super) fn check_refused_joining(
        &self,
        join: &JoinCompetition,
        reason: &str,
    ) -> Result<(), String> {
        let entry = self.entries.get(&join.competition_id);
        let expected = match reason {
            "COMPETITION_NOT_FOUND" => !join.is_known,
            "COMPETITION_JOINED" => join.is_known && entry.is_some_and(|one| !one.has_left),
            "COMPETITION_LEFT" => join.is_known && entry.is_some_and(|one| one.has_left),
            // Others join, too.
            "COMPETITION_FULL" => join.is_known && entry.is_none() && join.invite_code.is_some(),
            _ => false,
        };
        expected
            .then_some(())
            .ok_or_else(|| format!("refused with {reason}"))
    }

    pub(super) fn leave(&mut self, id: i64, reply: &ActReply) -> Result<(), String> {
        let entry = self.entries.get_mut(&id);
        let was_in = entry
            .is_some_and(|one| !std::mem::replace(&mut one.has_left, true) && !one.is_practice);
        let is_right = matches!(reply, ActReply::Left { competition_id } if *competition_id == id);
        (was_in && is_right)
            .then_some(())
            .ok_or_else(|| format!("left {id} otherwise: {reply:?}"))
    }

    pub(super) fn check_refused_leaving(&self, id: i64, reason: &str) -> Result<(), String> {
        let entry = self.entries.get(&id).filter(|one| !one.has_left);
        let expected = match entry {
            None => "COMPETITION_NOT_FOUND",
            Some(one) if one.is_practice => "COMPETITION_PRACTICE",
            Some(_) => return Err(format!("refused with {reason}")),
        };
        (reason == expected)
            .then_some(())
            .ok_or_else(|| format!("refused with {reason}"))
    }

    pub(super) fn create_league(&mut self, cash_won: i64, reply: &ActReply) -> Result<(), String> {
        let fault = || format!("a league that was not asked for: {reply:?}");
        let ActReply::LeagueCreated {
            competition_id,
            number,
            invite_code,
        } = reply
        else {
            return Err(fault());
        };
        self.leagues += 1;
        let is_right = self.leagues <= LEAGUES_MOST
            && code_of(number) == COMPETITION
            && !invite_code.is_empty()
            && self.enter(*competition_id, number, cash_won);
        is_right.then_some(()).ok_or_else(fault)
    }

    pub(super) fn check_refused_league(&self, reason: &str) -> Result<(), String> {
        (reason == "TOO_MANY_LEAGUES" && self.leagues >= LEAGUES_MOST)
            .then_some(())
            .ok_or_else(|| format!("refused with {reason}"))
    }

    /// Checks the reply to turning the mode on or off. `is_running` is whether the chosen event is known
    /// to run; another one may begin or end at any time.
    ///
    /// # Errors
    /// The difference, as a sentence.
    pub(crate) fn set_mode(
        &mut self,
        (is_on, chosen): (bool, i64),
        is_running: bool,
        response: &ModeResponse,
    ) -> Result<(), String> {
        let fault = || format!("the mode became {response:?}");
        let is_joined = |id: i64| self.entries.get(&id).is_some_and(|one| !one.has_left);
        let mode = match response {
            Ok(mode) => mode,
            Err(reason) => {
                let expected = match reason.as_str() {
                    "COMPETITION_NOT_JOINED" => is_on && chosen != 0 && !is_joined(chosen),
                    "COMPETITION_NOT_ONGOING" => is_on && is_joined(chosen) && !is_running,
                    _ => false,
                };
                return expected.then_some(()).ok_or_else(fault);
            }
        };
        self.competes = is_on;
        if !is_on {
            let off = Mode {
                is_on: false,
                competition_id: 0,
                account_id: 0,
            };
            return (*mode == off).then_some(()).ok_or_else(fault);
        }
        let is_chosen = chosen == 0 || mode.competition_id == chosen && is_joined(chosen);
        if !is_chosen || !mode.is_on || mode.account_id == 0 {
            return Err(fault());
        }
        let entry = self.entries.entry(mode.competition_id);
        // The practice league is joined when it is needed.
        let entry = entry.or_insert(Entry {
            number: None,
            account_id: None,
            cash_won: OFFICIAL_CASH,
            has_left: false,
            is_practice: true,
        });
        let is_same = *entry.account_id.get_or_insert(mode.account_id) == mode.account_id;
        (is_same && !entry.has_left).then_some(()).ok_or_else(fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn official() -> JoinCompetition {
        JoinCompetition {
            competition_id: 7,
            invite_code: None,
            is_known: true,
        }
    }

    fn joined(number: &str, cash_won: i64) -> ActReply {
        ActReply::Joined {
            competition_id: 7,
            number: number.to_owned(),
            cash_won,
        }
    }

    fn mode(competition_id: i64) -> ModeResponse {
        Ok(Mode {
            is_on: competition_id != 0,
            competition_id,
            account_id: competition_id,
        })
    }

    #[test]
    fn who_has_left_an_event_is_out() {
        let mut wallet = Wallet::default();
        assert!(
            wallet
                .clone()
                .join(&official(), &joined("4200", OFFICIAL_CASH))
                .is_err()
        );
        assert!(
            wallet
                .clone()
                .join(&official(), &joined("4299", 1))
                .is_err()
        );
        assert_eq!(
            wallet.join(&official(), &joined("4299", OFFICIAL_CASH)),
            Ok(())
        );
        assert_eq!(
            wallet.check_refused_joining(&official(), "COMPETITION_JOINED"),
            Ok(())
        );
        assert_eq!(
            wallet.leave(7, &ActReply::Left { competition_id: 7 }),
            Ok(())
        );
        assert!(
            wallet
                .leave(7, &ActReply::Left { competition_id: 7 })
                .is_err()
        );
        assert_eq!(
            wallet.check_refused_joining(&official(), "COMPETITION_LEFT"),
            Ok(())
        );
        assert!(
            wallet
                .clone()
                .join(&official(), &joined("4399", OFFICIAL_CASH))
                .is_err()
        );
        assert!(wallet.set_mode((true, 7), true, &mode(7)).is_err());
    }

    #[test]
    fn the_mode_has_an_event_that_the_member_is_in() {
        let mut wallet = Wallet::default();
        let practice = mode(3);
        assert_eq!(wallet.set_mode((true, 0), false, &practice), Ok(()));
        assert!(wallet.competes);
        let off = mode(0);
        assert_eq!(wallet.set_mode((false, 0), false, &off), Ok(()));
        assert!(!wallet.competes);
        assert_eq!(wallet.set_mode((true, 3), false, &practice), Ok(()));
        assert_eq!(wallet.set_mode((false, 0), false, &off), Ok(()));
        let not_joined = Err("COMPETITION_NOT_JOINED".to_owned());
        assert_eq!(wallet.set_mode((true, 7), true, &not_joined), Ok(()));
        assert!(wallet.set_mode((true, 0), false, &not_joined).is_err());
        assert_eq!(
            wallet.check_refused_leaving(3, "COMPETITION_PRACTICE"),
            Ok(())
        );
        let other = Ok(Mode {
            is_on: true,
            competition_id: 3,
            account_id: 4,
        });
        assert!(wallet.set_mode((true, 0), false, &other).is_err());
    }

    #[test]
    fn a_season_is_reset_once_and_takes_everything_into_the_basic_account() {
        let mut wallet = Wallet::default();
        let opened = super::super::SubAccount {
            number: "4201".to_owned(),
            won: 700,
        };
        wallet.sub_accounts.insert("01".to_owned(), opened);
        wallet.basic_won = -700;
        let begun = |season| ActReply::Reset {
            season,
            deposit_won: 5_000_000,
        };
        assert!(wallet.clone().reset(&begun(3)).is_err());
        assert!(wallet.check_refused_reset("RESET_TOO_SOON").is_err());
        assert_eq!(wallet.reset(&begun(2)), Ok(()));
        assert_eq!((wallet.basic_won, wallet.ended.len()), (0, 1));
        assert_eq!(wallet.check_refused_reset("RESET_TOO_SOON"), Ok(()));
        assert!(wallet.reset(&begun(3)).is_err());
    }
}
