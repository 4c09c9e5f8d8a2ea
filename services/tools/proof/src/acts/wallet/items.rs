use super::Wallet;
use crate::acts::ActReply;
use crate::acts::shop::{ITEMS, Item, LIMITED, PACK};

impl Wallet {
    pub(crate) fn owned(&self, item_id: i64) -> i64 {
        self.items.get(&item_id).copied().unwrap_or(0)
    }

    pub(super) fn buy(
        &mut self,
        item_id: i64,
        quantity: i32,
        reply: &ActReply,
    ) -> Result<(), String> {
        let owned = self.owned(item_id) + i64::from(quantity);
        let item = item(item_id).filter(|item| owned <= item.limit);
        let Some(item) = item else {
            return Err(format!("a purchase that had to be refused: {reply:?}"));
        };
        let spent = item.price * i64::from(quantity);
        self.items.insert(item_id, owned);
        self.basic_won -= spent;
        self.paid_for_items += spent;
        let is_right = matches!(reply, ActReply::Bought { item_id: bought, quantity: count,
            spent: paid, owned: has, won, .. }
            if (*bought, *count, *paid, *has) == (item_id, quantity, spent, owned) && *won >= 0);
        is_right
            .then_some(())
            .ok_or_else(|| format!("bought otherwise: {reply:?}"))
    }

    pub(super) fn check_refused_purchase(
        &self,
        item_id: i64,
        quantity: i32,
        reason: &str,
    ) -> Result<(), String> {
        let Some(item) = item(item_id) else {
            let expected = if item_id == PACK {
                "INSUFFICIENT_CASH_ASSET"
            } else {
                "ITEM_NOT_FOUND"
            };
            return (reason == expected)
                .then_some(())
                .ok_or_else(|| format!("refused with {reason}"));
        };
        let is_over_limit = self.owned(item_id) + i64::from(quantity) > item.limit;
        let expected = match reason {
            "ITEM_LIMIT" => is_over_limit,
            // Orders hold won of the BASIC account and spend it.
            "INSUFFICIENT_CASH" => !is_over_limit,
            // The last check compares the number that was sold.
            "SOLD_OUT" => !is_over_limit && item_id == LIMITED,
            _ => false,
        };
        expected
            .then_some(())
            .ok_or_else(|| format!("refused with {reason}"))
    }
}

fn item(item_id: i64) -> Option<&'static Item> {
    ITEMS.iter().find(|item| item.id == item_id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acts::shop::UNAFFORDABLE;

    fn bought(owned: i64, spent: i64) -> ActReply {
        ActReply::Bought {
            purchase_id: 1,
            item_id: 4,
            quantity: 1,
            spent,
            owned,
            won: 0,
        }
    }

    #[test]
    fn a_member_owns_what_was_paid_for_and_no_more_than_the_limit() {
        let mut wallet = Wallet::default();
        assert!(wallet.clone().buy(4, 1, &bought(2, 50_000)).is_err());
        assert!(wallet.clone().buy(4, 1, &bought(1, 49_999)).is_err());
        assert!(wallet.check_refused_purchase(4, 2, "ITEM_LIMIT").is_err());
        assert_eq!(wallet.buy(4, 1, &bought(1, 50_000)), Ok(()));
        assert_eq!(wallet.buy(4, 1, &bought(2, 50_000)), Ok(()));
        assert_eq!((wallet.basic_won, wallet.owned(4)), (-100_000, 2));
        assert!(wallet.clone().buy(4, 1, &bought(3, 50_000)).is_err());
        assert_eq!(wallet.check_refused_purchase(4, 1, "ITEM_LIMIT"), Ok(()));
        assert!(wallet.check_refused_purchase(4, 1, "SOLD_OUT").is_err());
        assert!(
            wallet
                .buy(UNAFFORDABLE, 1, &bought(1, 100_000_000))
                .is_err()
        );
    }
}
