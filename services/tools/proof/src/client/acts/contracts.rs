//! Contracts that a client opens, pays into and closes.

use crate::acts::products::Plan;
use crate::acts::{Act, OpenContract};
use crate::client::Client;

/// No bank offers it.
const OTHER_MONTHS: i32 = 119;
const UNKNOWN_PRODUCT: i64 = 9_999;
/// Above the least sum.
const MORE_WON: u64 = 150_000;

impl Client {
    /// Now and then one that is not offered.
    pub(super) fn contract(&mut self) -> Option<Act> {
        let product = self.rng.pick(&self.products)?.clone();
        let more = i64::try_from(self.rng.below(MORE_WON)).unwrap_or(0);
        let won = product.least_won + more;
        let mut open = OpenContract {
            months: product.months,
            won: product.most_won.map_or(won, |most| won.min(most)),
            is_known: true,
            product,
        };
        match self.rng.below(16) {
            0 => open.months = OTHER_MONTHS,
            1 => open.won = open.product.least_won - 1,
            2 => {
                open.product.id = UNKNOWN_PRODUCT;
                open.is_known = false;
            }
            _ => {}
        }
        Some(Act::OpenContract(open))
    }

    /// Mostly into free plans, which take payments at once; also into closed ones.
    pub(super) fn payment(&mut self, member_id: i64) -> Option<Act> {
        let wallet = self.results.acts.wallets.get(&member_id)?;
        let free = |plan| plan == Plan::Free;
        let all: Vec<_> = wallet.contracts.iter().collect();
        let frees: Vec<_> = all
            .iter()
            .filter(|(_, one)| free(one.product.plan))
            .copied()
            .collect();
        let among = if frees.is_empty() || self.rng.below(5) == 0 {
            &all
        } else {
            &frees
        };
        let (number, contract) = self.rng.pick(among)?;
        let won = match self.rng.below(4) {
            0 => contract.won,
            _ => contract.product.least_won + i64::try_from(self.rng.below(MORE_WON)).unwrap_or(0),
        };
        Some(Act::PayIntoContract {
            number: (*number).clone(),
            won,
        })
    }

    /// Also of one that is closed, or with a payout that is not true.
    pub(super) fn contract_end(&mut self, member_id: i64) -> Option<Act> {
        let wallet = self.results.acts.wallets.get(&member_id)?;
        let all: Vec<_> = wallet.contracts.iter().collect();
        let (number, contract) = self.rng.pick(&all)?;
        let payout = match self.rng.below(6) {
            0 => Some(contract.paid_in + 1_000_000),
            1..=2 => Some(contract.paid_in),
            _ => None,
        };
        Some(Act::CloseContract {
            number: (*number).clone(),
            payout,
        })
    }
}
