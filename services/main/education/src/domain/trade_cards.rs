//! Which lessons a member's own orders illustrate.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

/// Orders that are kept besides the newest of each kind.
pub const KEPT_ORDERS: usize = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OrderCard {
    /// A market order's price was worse than the price at that time.
    Slippage,
    /// Dollars were bought or sold.
    Exchange,
    /// A limit order waited for its price.
    Waited,
    /// An order was filled in parts.
    Partial,
    /// A sale was taxed in Korea.
    Tax,
    Fee,
}

impl OrderCard {
    /// In the order in which they are shown.
    pub const ALL: [Self; 6] = [
        Self::Slippage,
        Self::Exchange,
        Self::Waited,
        Self::Partial,
        Self::Tax,
        Self::Fee,
    ];
}

/// An order with fills, as far as they were heard of.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct TradedOrder {
    pub order_id: i64,
    /// Market time of its newest fill.
    pub traded_at: DateTime<Utc>,
    pub instrument_name: String,
    pub category: String,
    pub currency: String,
    pub is_sale: bool,
    pub limit_price: Option<Decimal>,
    /// Sums of the order after its newest fill.
    pub filled_quantity: Decimal,
    pub amount_won: i64,
    pub fee_won: i64,
    pub tax_won: i64,
    /// Sums of the fills that were heard of.
    pub heard_quantity: Decimal,
    pub fills: i32,
    pub has_waited: bool,
    /// The most of one fill.
    pub slippage_ticks: i32,
    pub slippage_won: i64,
    pub exchange_won: i64,
}

impl TradedOrder {
    /// With another fill of the same order, whichever happened first.
    #[must_use]
    pub fn with(self, fill: Self) -> Self {
        let heard_quantity = self.heard_quantity.saturating_add(fill.heard_quantity);
        let fills = self.fills.saturating_add(fill.fills);
        let has_waited = self.has_waited || fill.has_waited;
        let slippage_ticks = self.slippage_ticks.max(fill.slippage_ticks);
        let slippage_won = self.slippage_won.saturating_add(fill.slippage_won);
        let exchange_won = self.exchange_won.saturating_add(fill.exchange_won);
        let is_later = fill.filled_quantity > self.filled_quantity;
        let newest = if is_later { fill } else { self };
        Self {
            heard_quantity,
            fills,
            has_waited,
            slippage_ticks,
            slippage_won,
            exchange_won,
            ..newest
        }
    }

    /// What the order illustrates. Sums of fills are not told unless every fill was heard of.
    #[must_use]
    pub fn kinds(&self) -> Vec<OrderCard> {
        let is_whole = self.heard_quantity == self.filled_quantity;
        let kinds = OrderCard::ALL.into_iter().filter(|kind| match kind {
            OrderCard::Slippage => is_whole && self.slippage_ticks > 0 && self.slippage_won > 0,
            OrderCard::Exchange => is_whole && self.exchange_won > 0,
            OrderCard::Waited => self.has_waited && self.limit_price.is_some(),
            OrderCard::Partial => is_whole && self.fills > 1,
            OrderCard::Tax => self.is_sale && self.tax_won > 0 && self.currency == "KRW",
            OrderCard::Fee => self.fee_won > 0,
        });
        kinds.collect()
    }

    /// The won of a card: what it cost, or what was traded.
    #[must_use]
    pub fn won(&self, kind: OrderCard) -> i64 {
        match kind {
            OrderCard::Slippage => self.slippage_won,
            OrderCard::Exchange => self.exchange_won,
            OrderCard::Waited | OrderCard::Partial => self.amount_won,
            OrderCard::Tax => self.tax_won,
            OrderCard::Fee => self.fee_won,
        }
    }

    fn age(&self) -> (DateTime<Utc>, i64) {
        (self.traded_at, self.order_id)
    }
}

/// The newest order of each kind, in the order of the kinds.
#[must_use]
pub fn newest_of_kinds(orders: &[TradedOrder]) -> Vec<(OrderCard, &TradedOrder)> {
    let newest = OrderCard::ALL.into_iter().filter_map(|kind| {
        let of_kind = orders.iter().filter(|order| order.kinds().contains(&kind));
        of_kind
            .max_by_key(|order| order.age())
            .map(|order| (kind, order))
    });
    newest.collect()
}

/// The orders that are neither among the newest nor the newest of a kind.
#[must_use]
pub fn outdated(orders: &[TradedOrder]) -> Vec<i64> {
    let mut kept: BTreeSet<i64> = newest_of_kinds(orders)
        .into_iter()
        .map(|(_, order)| order.order_id)
        .collect();
    let mut by_age: Vec<&TradedOrder> = orders.iter().collect();
    by_age.sort_by_key(|order| std::cmp::Reverse(order.age()));
    kept.extend(by_age.iter().take(KEPT_ORDERS).map(|order| order.order_id));
    let ids = orders.iter().map(|order| order.order_id);
    ids.filter(|id| !kept.contains(id)).collect()
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use rust_decimal_macros::dec;

    use super::*;

    fn fill(order_id: i64, second: i64) -> TradedOrder {
        TradedOrder {
            order_id,
            traded_at: DateTime::UNIX_EPOCH + TimeDelta::seconds(second),
            instrument_name: "가 회사".to_owned(),
            category: "STOCK".to_owned(),
            currency: "KRW".to_owned(),
            is_sale: false,
            limit_price: None,
            filled_quantity: dec!(10),
            amount_won: 100_100,
            fee_won: 15,
            tax_won: 0,
            heard_quantity: dec!(10),
            fills: 1,
            has_waited: false,
            slippage_ticks: 1,
            slippage_won: 100,
            exchange_won: 0,
        }
    }

    fn second_part() -> TradedOrder {
        TradedOrder {
            filled_quantity: dec!(30),
            amount_won: 300_700,
            fee_won: 45,
            heard_quantity: dec!(20),
            slippage_ticks: 3,
            slippage_won: 600,
            ..fill(1, 2)
        }
    }

    #[test]
    fn fills_add_up_in_any_order() {
        let order = fill(1, 1).with(second_part());
        assert_eq!(order, second_part().with(fill(1, 1)));
        assert_eq!((order.slippage_ticks, order.slippage_won), (3, 700));
        assert_eq!(
            (order.amount_won, order.fee_won, order.fills),
            (300_700, 45, 2)
        );
        assert_eq!(order.traded_at, second_part().traded_at);
        let kinds = [OrderCard::Slippage, OrderCard::Partial, OrderCard::Fee];
        assert_eq!(order.kinds(), kinds);
        assert_eq!(order.won(OrderCard::Slippage), 700);
    }

    #[test]
    fn sums_of_fills_are_not_told_while_one_is_missing() {
        assert_eq!(second_part().kinds(), [OrderCard::Fee]);
        assert_eq!(second_part().won(OrderCard::Fee), 45, "the order's own sum");
    }

    #[test]
    fn each_kind_needs_its_own_fact() {
        let quiet = TradedOrder {
            fee_won: 0,
            slippage_ticks: 0,
            slippage_won: 0,
            ..fill(1, 1)
        };
        assert!(quiet.kinds().is_empty());
        let waited = TradedOrder {
            has_waited: true,
            limit_price: Some(dec!(10010)),
            ..quiet.clone()
        };
        assert_eq!(waited.kinds(), [OrderCard::Waited]);
        let exchanged = TradedOrder {
            currency: "USD".to_owned(),
            exchange_won: 26,
            is_sale: true,
            tax_won: 1,
            ..quiet.clone()
        };
        assert_eq!(exchanged.kinds(), [OrderCard::Exchange]);
        let taxed = TradedOrder {
            is_sale: true,
            tax_won: 200,
            ..quiet
        };
        assert_eq!(taxed.kinds(), [OrderCard::Tax]);
    }

    #[test]
    fn what_is_kept_is_bounded_and_has_the_newest_of_each_kind() {
        let mut orders: Vec<TradedOrder> = (1..=60).map(|n| fill(n, n)).collect();
        orders[3].has_waited = true;
        orders[3].limit_price = Some(dec!(10010));
        orders[5].currency = "USD".to_owned();
        orders[5].exchange_won = 26;
        let gone = outdated(&orders);
        orders.retain(|order| !gone.contains(&order.order_id));
        let kept: Vec<i64> = orders.iter().map(|order| order.order_id).collect();
        let expected: Vec<i64> = [4, 6].into_iter().chain(41..=60).collect();
        assert_eq!(kept, expected);
        assert!(outdated(&orders).is_empty());
        let newest = newest_of_kinds(&orders).into_iter();
        let newest: Vec<(OrderCard, i64)> =
            newest.map(|(kind, order)| (kind, order.order_id)).collect();
        let expected = [
            (OrderCard::Slippage, 60),
            (OrderCard::Exchange, 6),
            (OrderCard::Waited, 4),
            (OrderCard::Fee, 60),
        ];
        assert_eq!(newest, expected);
    }
}
