//! Transfers between the accounts of a member, and the end of a sub-account.

use super::{Named, SubAccount, Wallet, interest_of};
use crate::acts::{ActReply, BASIC, CMA, code_of};

/// Transfers of a member in a day; a run lasts into a second day.
const TRANSFERS_A_DAY: u64 = 100;

impl Wallet {
    pub(super) fn transfer(
        &mut self,
        from: &str,
        to: &str,
        won: i64,
        reply: &ActReply,
    ) -> Result<(), String> {
        let ActReply::Transferred {
            from: paid_by,
            to: paid_to,
            won: moved,
            from_won,
            to_won,
            ..
        } = reply
        else {
            return Err(format!("another reply than to a transfer: {reply:?}"));
        };
        let is_allowed = match self.named(from) {
            Named::Basic => true,
            Named::Open(account) => won <= account.won + interest_of(account),
            Named::Unopened | Named::Other => false,
        } && !matches!(self.named(to), Named::Other)
            && *moved == won
            && code_of(paid_by) == code_of(from)
            && code_of(paid_to) == code_of(to)
            && paid_by != paid_to
            && self.transfers < 2 * TRANSFERS_A_DAY;
        if !is_allowed {
            return Err(format!("a transfer that had to be refused: {reply:?}"));
        }
        self.transfers += 1;
        let left = self.move_won(paid_by, -won, *from_won);
        let right = self.move_won(paid_to, won, *to_won);
        left.and(right)
    }

    /// Expects the balance that the reply shows; only a CMA may have more, of interest.
    fn move_won(&mut self, number: &str, won: i64, shown: i64) -> Result<(), String> {
        let code = code_of(number);
        if code == BASIC {
            self.basic_won += won;
            return match shown {
                0.. => Ok(()),
                _ => Err(format!("{number} is overdrawn: {shown}")),
            };
        }
        if self.closed.contains_key(number) {
            return Err(format!("{number} is closed"));
        }
        let account = self
            .sub_accounts
            .entry(code.to_owned())
            .or_insert_with(|| SubAccount {
                number: number.to_owned(),
                won: 0,
            });
        if account.number != number {
            return Err(format!("{number} beside {}", account.number));
        }
        let interest = interest_of(account);
        account.won += won;
        let is_right = (account.won..=account.won + interest).contains(&shown) && shown >= 0;
        is_right
            .then_some(())
            .ok_or_else(|| format!("{number} shows {shown} instead of {}", account.won))
    }

    pub(super) fn check_refused_transfer(
        &self,
        from: &str,
        to: &str,
        won: i64,
        reason: &str,
    ) -> Result<(), String> {
        let (from_named, to_named) = (self.named(from), self.named(to));
        let is_same = matches!((&from_named, &to_named), (Named::Basic, Named::Basic))
            || matches!((&from_named, &to_named), (Named::Open(one), Named::Open(other))
                if one.number == other.number);
        let expected = match (from_named, to_named) {
            _ if is_same => reason == "TRANSFER_SAME_ACCOUNT",
            (Named::Other | Named::Unopened, _) | (_, Named::Other) => {
                ["ACCOUNT_FORBIDDEN", "TRANSFER_NOT_ALLOWED"].contains(&reason)
            }
            (source, Named::Basic | Named::Open(_) | Named::Unopened) => match reason {
                "TRANSFER_LIMIT" => self.transfers >= TRANSFERS_A_DAY,
                // Orders hold won of the BASIC account and spend it.
                "INSUFFICIENT_CASH" => match source {
                    Named::Open(account) => won > account.won,
                    Named::Basic | Named::Unopened | Named::Other => true,
                },
                _ => false,
            },
        };
        expected
            .then_some(())
            .ok_or_else(|| format!("refused with {reason}"))
    }

    pub(super) fn close(&mut self, number: &str, reply: &ActReply) -> Result<(), String> {
        let ActReply::AccountClosed { number: closed } = reply else {
            return Err(format!("another reply than to closing: {reply:?}"));
        };
        match self.sub_accounts.get(code_of(number)) {
            Some(account) if account.number == *closed && account.won <= 0 => {
                self.closed.insert(closed.clone(), account.won);
                self.sub_accounts.remove(code_of(number));
                Ok(())
            }
            other => Err(format!("closed {closed} and not {other:?}")),
        }
    }

    pub(super) fn check_refused_closing(&self, number: &str, reason: &str) -> Result<(), String> {
        let expected = match self.named(number) {
            Named::Basic => reason == "ACCOUNT_NOT_CLOSABLE",
            // An empty CMA waits for the interest of a day that has ended.
            Named::Open(account) => {
                reason == "ACCOUNT_NOT_EMPTY"
                    && (account.won != 0 || code_of(&account.number) == CMA)
            }
            Named::Unopened | Named::Other => reason == "ACCOUNT_FORBIDDEN",
        };
        expected
            .then_some(())
            .ok_or_else(|| format!("refused with {reason}"))
    }
}
