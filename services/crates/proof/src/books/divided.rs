//! What splits have done to holdings, and what they must have done.

use std::collections::BTreeSet;

use rust_decimal::Decimal;
use sqlx::{PgConnection, Row};

use super::part_of;
use crate::splits::Split;

/// A holding as fills and splits make it.
#[derive(Default)]
pub(super) struct Holding {
    pub(super) quantity: Decimal,
    pub(super) cost_won: i64,
    /// The trading day of its newest fill.
    pub(super) filled_on: i32,
    /// The days of its splits.
    divided_on: BTreeSet<i32>,
}

/// A row of what a split did to a holding.
pub(super) struct Divided {
    pub(super) id: i64,
    pub(super) split: Split,
    before: Decimal,
    after: Decimal,
    cost_won: i64,
}

impl Holding {
    /// Divides it, and compares.
    pub(super) fn divide(&mut self, row: &Divided) -> Option<String> {
        let owned = self.quantity;
        let exact = row.split.exact_quantity(owned);
        let after = row.split.quantity(owned);
        let cost = match exact == after {
            true => 0,
            false => part_of(self.cost_won, exact - after, exact),
        };
        self.quantity = after;
        self.cost_won -= cost;
        let is_first = self.divided_on.insert(row.split.trading_day);
        let is_right = is_first && (row.before, row.after, row.cost_won) == (owned, after, cost);
        (!is_right).then(|| {
            format!(
                "split {}: {} became {} and {} won of cost left, reckoned {owned}, {after} and {cost}",
                row.id, row.before, row.after, row.cost_won
            )
        })
    }

    /// A split of `code` that has passed this holding by, as seen on a later day.
    pub(super) fn missed(&self, told: &[Split], code: &str, day: i32) -> Option<String> {
        let mut splits = told.iter().filter(|split| split.code == code);
        let missed = splits.find(|split| {
            self.quantity > Decimal::ZERO
                && (self.filled_on < split.trading_day && split.trading_day <= day)
                && !self.divided_on.contains(&split.trading_day)
        })?;
        Some(format!("{code} was not divided on {}", missed.trading_day))
    }
}

/// What splits did, by account in the order in which they did it.
pub(super) async fn read(
    snapshot: &mut PgConnection,
    members: &[i64],
) -> anyhow::Result<Vec<(i64, Divided)>> {
    let rows = sqlx::query(
        "select s.account_id, s.id, s.instrument_code, s.trading_day, s.numerator, s.denominator, \
           s.quantity_before, s.quantity_after, s.cost_won \
         from holding_split s join account a on a.id = s.account_id \
         where a.member_id = any($1) order by s.account_id, s.id",
    )
    .bind(members)
    .fetch_all(snapshot)
    .await?;
    let rows = rows.iter().map(|row| {
        let divided = Divided {
            id: row.try_get("id")?,
            split: Split {
                code: row.try_get("instrument_code")?,
                trading_day: row.try_get("trading_day")?,
                new: row.try_get::<i64, _>("numerator")?.into(),
                old: row.try_get::<i64, _>("denominator")?.into(),
            },
            before: row.try_get("quantity_before")?,
            after: row.try_get("quantity_after")?,
            cost_won: row.try_get("cost_won")?,
        };
        Ok((row.try_get("account_id")?, divided))
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(before: i64, after: i64, cost_won: i64) -> Divided {
        Divided {
            id: 1,
            split: Split {
                code: "AAPL".to_owned(),
                trading_day: 20_261_124,
                new: Decimal::from(3),
                old: Decimal::from(2),
            },
            before: Decimal::from(before),
            after: Decimal::from(after),
            cost_won,
        }
    }

    fn holding() -> Holding {
        Holding {
            quantity: Decimal::from(7),
            cost_won: 70_000,
            filled_on: 20_261_123,
            ..Holding::default()
        }
    }

    #[test]
    fn what_a_split_did_is_reckoned_again() {
        // Half a share of ten and a half leaves, and with it a 21st of the cost.
        assert_eq!(holding().divide(&row(7, 10, 3_333)), None);
        for wrong in [row(7, 10, 3_334), row(7, 11, 3_333), row(8, 10, 3_333)] {
            assert!(holding().divide(&wrong).is_some());
        }
    }

    #[test]
    fn a_split_that_came_twice_or_never_is_seen() {
        let mut holding = holding();
        let told = [row(7, 10, 3_333).split];
        assert_eq!(holding.missed(&told, "AAPL", 20_261_123), None);
        assert_eq!(holding.missed(&told, "NVDA", 20_261_124), None);
        assert!(holding.missed(&told, "AAPL", 20_261_124).is_some());
        assert_eq!(holding.divide(&row(7, 10, 3_333)), None);
        assert_eq!(holding.missed(&told, "AAPL", 20_261_124), None);
        assert!(holding.divide(&row(10, 15, 0)).is_some());
    }
}
