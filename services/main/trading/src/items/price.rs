//! What a purchase costs, and its double entry.

use kernel::{AccountId, Won};

use crate::entity::{item, purchase};
use crate::ledger::{Asset, Book, Party, Posting};
use crate::store::write_set::BaseChange;

/// What a purchase costs and adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Price {
    pub(super) asset: Asset,
    pub(super) spent: i64,
    pub(super) deposit: Won,
}

impl Price {
    pub(super) fn of(item: &item::Model, quantity: i32) -> Option<Self> {
        let quantity = i64::from(quantity);
        Some(Self {
            asset: asset(&item.currency)?,
            spent: item.price.checked_mul(quantity)?,
            deposit: Won(item.deposit_won.0.checked_mul(quantity)?),
        })
    }

    /// The reply to a purchase that was made.
    pub(super) fn of_purchase(row: &purchase::Model) -> Option<Self> {
        Some(Self {
            asset: asset(&row.currency)?,
            spent: row.spent,
            deposit: row.deposit_won,
        })
    }

    /// Both sides: the price goes to the shop, and the won of a pack come from it.
    pub(super) fn postings(&self, account: AccountId) -> Vec<Posting> {
        let price = |party, amount| Posting {
            party,
            asset: self.asset,
            amount,
        };
        vec![
            price(Party::Account(account), -self.spent),
            price(Party::Book(Book::Shop), self.spent),
            Posting::to_account(account, self.deposit),
            Posting::to_book(Book::Shop, Won(-self.deposit.0)),
        ]
    }

    pub(super) fn base_change(&self) -> BaseChange {
        let items = match self.asset {
            Asset::Krw => Won(self.spent),
            Asset::Usd | Asset::EducationPoint | Asset::Cash => Won::ZERO,
        };
        BaseChange {
            bought: self.deposit,
            items,
            ..BaseChange::default()
        }
    }

    /// The same the other way round.
    pub(super) fn reversed(self) -> Self {
        Self {
            spent: -self.spent,
            deposit: Won(-self.deposit.0),
            ..self
        }
    }
}

fn asset(currency: &str) -> Option<Asset> {
    [Asset::Krw, Asset::Cash]
        .into_iter()
        .find(|asset| asset.as_str() == currency)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pack_takes_cash_and_adds_won_and_a_refund_is_its_opposite() {
        let pack = Price {
            asset: Asset::Cash,
            spent: 5,
            deposit: Won(5_000),
        };
        let back = pack.reversed().postings(AccountId(7));
        for (there, back) in pack.postings(AccountId(7)).iter().zip(&back) {
            assert_eq!((there.party, there.asset), (back.party, back.asset));
            assert_eq!(there.amount, -back.amount);
        }
        assert_eq!(pack.base_change().bought, Won(5_000));
        assert_eq!(pack.base_change().items, Won::ZERO);
    }
}
