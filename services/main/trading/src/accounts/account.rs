//! Cash of an account, and the totals and wealth level of a member.

use kernel::{AccountCode, AccountId, MemberId, Won, wealth::WealthLevel};
use rust_decimal::Decimal;

use crate::ledger::{Book, Posting};

/// Default initial deposit of a BASIC account.
pub const INITIAL_DEPOSIT: Won = Won(5_000_000);

/// The double entry of an initial deposit.
#[must_use]
pub fn opening_postings(account: AccountId, deposit: Won) -> Vec<Posting> {
    vec![
        Posting::to_account(account, deposit),
        Posting::to_book(Book::Issue, Won(-deposit.0)),
    ]
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cash {
    pub account_id: AccountId,
    pub member_id: MemberId,
    pub code: AccountCode,
    /// Held won included.
    pub balance: Won,
    /// The part that open orders hold.
    pub held: Won,
}

impl Cash {
    /// Won that no open order holds.
    #[must_use]
    pub fn available(&self) -> Won {
        Won(self.balance.0.saturating_sub(self.held.0))
    }
}

/// Sums over the accounts of a member from which level and rate are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Cash, held won included.
    pub deposits: Won,
    /// Holdings at the latest prices.
    pub holdings: Won,
    pub initial: Won,
    /// Won that came from education points.
    pub education: Won,
    /// Won that came from packs and cash.
    pub bought: Won,
    /// Won spent on items.
    pub items: Won,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Totals {
    /// Deposits plus holdings.
    pub total: Won,
    /// Won put in: initial, education and bought deposits, less items.
    pub base: Won,
    /// (total/base − 1)·100; `None` when the base is not positive.
    pub profit_rate: Option<Decimal>,
    pub level: WealthLevel,
}

impl Sums {
    #[must_use]
    pub fn totals(&self) -> Totals {
        let total = self.deposits.0.saturating_add(self.holdings.0);
        let granted = self.initial.0.saturating_add(self.education.0);
        let base = granted
            .saturating_add(self.bought.0)
            .saturating_sub(self.items.0);
        Totals {
            total: Won(total),
            base: Won(base),
            profit_rate: profit_rate(Won(total), Won(base)),
            level: WealthLevel::for_total(Won(total)),
        }
    }
}

/// (total/base − 1)·100; `None` when the base is not positive.
#[must_use]
pub fn profit_rate(total: Won, base: Won) -> Option<Decimal> {
    (base > Won::ZERO).then(|| {
        let ratio = Decimal::from(total.0) / Decimal::from(base.0) - Decimal::ONE;
        (ratio * Decimal::ONE_HUNDRED).round_dp(4)
    })
}

#[cfg(test)]
mod tests {
    use rust_decimal_macros::dec;

    use super::*;

    #[test]
    fn the_rate_measures_the_total_against_what_was_put_in() {
        let sums = Sums {
            deposits: Won(4_000_000),
            holdings: Won(1_500_000),
            initial: Won(5_000_000),
            ..Sums::default()
        };
        let totals = sums.totals();
        assert_eq!(totals.total, Won(5_500_000));
        assert_eq!(totals.profit_rate, Some(dec!(10)));
        assert_eq!(totals.level.number, 1);
    }

    #[test]
    fn without_a_base_there_is_no_rate() {
        let sums = Sums {
            deposits: Won(10),
            initial: Won(5),
            items: Won(5),
            ..Sums::default()
        };
        assert_eq!(sums.totals().profit_rate, None);
    }
}
