//! Lists of what a service answers, which may be newer than this gateway.

use proto::convert::InvalidField;

/// The rows that can be read. One in words that are not known here is left out, so that it never
/// hides the others.
pub(crate) fn readable<T, R: TryFrom<T, Error = InvalidField>>(rows: Vec<T>) -> Vec<R> {
    let read = |row| {
        R::try_from(row)
            .inspect_err(|error| tracing::warn!(%error, "a list row was left out"))
            .ok()
    };
    rows.into_iter().filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use proto::common::v1::{Currency, Decimal, Market};
    use proto::trading::v1 as trading;

    use super::*;
    use crate::routes::shape::order::Order;

    /// A status that no version has.
    const LATER: i32 = 4_711;

    fn order(order_id: i64, status: i32) -> trading::Order {
        let number = |text: &str| {
            Some(Decimal {
                value: text.to_owned(),
            })
        };
        trading::Order {
            order_id,
            market: Market::Kospi.into(),
            currency: Currency::Krw.into(),
            side: trading::OrderSide::Buy.into(),
            category: trading::OrderCategory::Stock.into(),
            status,
            quantity: number("3"),
            filled_quantity: number("0"),
            remaining_quantity: number("3"),
            ..trading::Order::default()
        }
    }

    #[test]
    fn a_row_in_words_of_a_newer_version_hides_no_other() {
        let accepted = trading::OrderStatus::Accepted.into();
        let rows = vec![order(1, accepted), order(2, LATER), order(3, accepted)];
        let shown: Vec<Order> = readable(rows);
        let shown = serde_json::to_value(shown).unwrap();
        let ids = shown.as_array().unwrap().iter();
        let ids: Vec<i64> = ids.filter_map(|row| row["orderSid"].as_i64()).collect();
        assert_eq!(ids, [1, 3]);
    }
}
