//! Decodes lists of services, which may be of a newer release than this gateway.

use proto::convert::InvalidField;

/// Skips rows with values this release does not know, so that one never hides the others.
pub(crate) fn decode_rows<T, R: TryFrom<T, Error = InvalidField>>(rows: Vec<T>) -> Vec<R> {
    let decode = |row| {
        R::try_from(row)
            .inspect_err(|error| tracing::warn!(%error, "skipped a row"))
            .ok()
    };
    rows.into_iter().filter_map(decode).collect()
}

#[cfg(test)]
mod tests {
    use proto::common::v1::{Currency, Decimal, Market};
    use proto::trading::v1 as trading;

    use super::*;
    use crate::wire::order::Order;

    /// Unknown to every release.
    const UNKNOWN: i32 = 4_711;

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
    fn a_row_of_a_newer_release_hides_no_other() {
        let accepted = trading::OrderStatus::Accepted.into();
        let rows = vec![order(1, accepted), order(2, UNKNOWN), order(3, accepted)];
        let rows: Vec<Order> = decode_rows(rows);
        let rows = serde_json::to_value(rows).unwrap();
        let ids = rows.as_array().unwrap().iter();
        let ids: Vec<i64> = ids.filter_map(|row| row["orderSid"].as_i64()).collect();
        assert_eq!(ids, [1, 3]);
    }
}
