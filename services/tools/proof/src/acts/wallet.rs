//! What the acts of one member must have left, from the replies alone, and the replies that it
//! allows next. Shares no code with the service.

use std::collections::BTreeMap;

use super::{Act, ActReply, ActResponse, BASIC, CMA, SUB_ACCOUNTS, code_of};

/// Transfers of a member in a day; a run lasts into a second day.
const TRANSFERS_A_DAY: u64 = 100;
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

    fn transfer(&mut self, from: &str, to: &str, won: i64, reply: &ActReply) -> Result<(), String> {
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

    fn check_refused_transfer(
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

    fn close(&mut self, number: &str, reply: &ActReply) -> Result<(), String> {
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

    fn check_refused_closing(&self, number: &str, reason: &str) -> Result<(), String> {
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

/// The most interest that an account may have been paid.
fn interest_of(account: &SubAccount) -> i64 {
    if code_of(&account.number) == CMA {
        account.won.max(0) / INTEREST_PART + 10_000
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STOCK: &str = "000000004201";

    fn transfer(from: &str, to: &str, won: i64) -> Act {
        Act::Transfer {
            from: from.to_owned(),
            to: to.to_owned(),
            won,
        }
    }

    fn transferred(from: &str, to: &str, won: i64, from_won: i64, to_won: i64) -> ActResponse {
        ActResponse::Done(ActReply::Transferred {
            transfer_id: 1,
            from: from.to_owned(),
            to: to.to_owned(),
            won,
            from_won,
            to_won,
        })
    }

    fn refused(reason: &str) -> ActResponse {
        ActResponse::Refused(reason.to_owned())
    }

    /// With 700 won on a stock account.
    fn wallet() -> Wallet {
        let mut wallet = Wallet::default();
        let opened = transferred("000000004200", STOCK, 700, 0, 700);
        wallet.take(&transfer(BASIC, "01", 700), &opened).unwrap();
        wallet
    }

    #[test]
    fn a_sub_account_has_exactly_what_was_moved() {
        let mut wallet = wallet();
        assert_eq!(wallet.basic_won, -700);
        let back = transfer(STOCK, BASIC, 500);
        assert_eq!(
            wallet.take(&back, &transferred(STOCK, "000000004200", 500, 200, 9)),
            Ok(())
        );
        assert!(
            wallet
                .clone()
                .take(&back, &transferred(STOCK, "000000004200", 500, -300, 9))
                .is_err()
        );
        assert_eq!(wallet.take(&back, &refused("INSUFFICIENT_CASH")), Ok(()));
        let small = transfer(STOCK, BASIC, 200);
        assert!(wallet.take(&small, &refused("INSUFFICIENT_CASH")).is_err());
        assert!(
            wallet
                .take(&small, &transferred(STOCK, "000000004200", 200, 1, 9))
                .is_err()
        );
    }

    #[test]
    fn only_an_empty_account_closes_and_it_stays_closed() {
        let mut wallet = wallet();
        let close = Act::CloseAccount {
            number: STOCK.to_owned(),
        };
        let closed = ActResponse::Done(ActReply::AccountClosed {
            number: STOCK.to_owned(),
        });
        assert_eq!(wallet.take(&close, &refused("ACCOUNT_NOT_EMPTY")), Ok(()));
        assert!(wallet.clone().take(&close, &closed).is_err());
        let all = transfer(STOCK, BASIC, 700);
        assert_eq!(
            wallet.take(&all, &transferred(STOCK, "000000004200", 700, 0, 9)),
            Ok(())
        );
        assert!(
            wallet
                .clone()
                .take(&close, &refused("ACCOUNT_NOT_EMPTY"))
                .is_err()
        );
        assert_eq!(wallet.take(&close, &closed), Ok(()));
        assert_eq!(wallet.take(&close, &refused("ACCOUNT_FORBIDDEN")), Ok(()));
        let again = transferred("000000004200", STOCK, 700, 0, 700);
        assert!(wallet.take(&transfer(BASIC, "01", 700), &again).is_err());
    }

    #[test]
    fn another_members_account_takes_part_in_nothing() {
        let mut wallet = wallet();
        let other = transfer("000000004301", BASIC, 1);
        assert_eq!(wallet.take(&other, &refused("ACCOUNT_FORBIDDEN")), Ok(()));
        assert!(
            wallet
                .take(
                    &other,
                    &transferred("000000004301", "000000004200", 1, 0, 9)
                )
                .is_err()
        );
        let own = transfer(BASIC, "01", 1);
        assert!(wallet.take(&own, &refused("ACCOUNT_FORBIDDEN")).is_err());
    }
}
