//! Compares the recorded splits of holdings with the expected ones.

use std::collections::BTreeSet;

use rust_decimal::Decimal;
use sqlx::{PgConnection, Row};

use super::part_of;
use crate::splits::Split;

/// A holding, computed from fills and splits.
#[derive(Default)]
pub(super) struct Holding {
    pub(super) quantity: Decimal,
    pub(super) cost_won: i64,
    /// The trading day of its newest fill.
    pub(super) filled_on: i32,
    /// The days of its splits.
    pub(super) split_on: BTreeSet<i32>,
}

/// A row of `holding_split`.
pub(super) struct HoldingSplit {
    pub(super) id: i64,
    pub(super) split: Split,
    before: Decimal,
    after: Decimal,
    cost_won: i64,
}

impl Holding {
    /// Applies the split, and compares the result with the row.
    pub(super) fn apply_split(&mut self, row: &HoldingSplit) -> Option<String> {
        let owned = self.quantity;
        let exact = row.split.exact_quantity(owned);
        let after = row.split.quantity(owned);
        let cost = match exact == after {
            true => 0,
            false => part_of(self.cost_won, exact - after, exact),
        };
        self.quantity = after;
        self.cost_won -= cost;
        let is_first = self.split_on.insert(row.split.trading_day);
        let is_right = is_first && (row.before, row.after, row.cost_won) == (owned, after, cost);
        (!is_right).then(|| {
            format!(
                "split {}: {} became {} with {} won of cost removed, expected {owned}, {after} and {cost}",
                row.id, row.before, row.after, row.cost_won
            )
        })
    }

    /// A split of `code` that is due on `day` and was not applied to this holding.
    pub(super) fn missed(&self, recorded: &[Split], code: &str, day: i32) -> Option<String> {
        let mut splits = recorded.iter().filter(|split| split.code == code);
        let missed = splits.find(|split| {
            self.quantity > Decimal::ZERO
                && (self.filled_on < split.trading_day && split.trading_day <= day)
                && !self.split_on.contains(&split.trading_day)
        })?;
        Some(format!("{code} was not split on {}", missed.trading_day))
    }
}

/// By account, in the order of application.
pub(super) async fn read(
    snapshot: &mut PgConnection,
    members: &[i64],
) -> anyhow::Result<Vec<(i64, HoldingSplit)>> {
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
        let split_row = HoldingSplit {
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
        Ok((row.try_get("account_id")?, split_row))
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(before: i64, after: i64, cost_won: i64) -> HoldingSplit {
        HoldingSplit {
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
    fn a_split_is_recomputed() {
        // Half a share of 10.5 is paid out, and with it 1/21 of the cost.
        assert_eq!(holding().apply_split(&row(7, 10, 3_333)), None);
        for wrong in [row(7, 10, 3_334), row(7, 11, 3_333), row(8, 10, 3_333)] {
            assert!(holding().apply_split(&wrong).is_some());
        }
    }

    #[test]
    fn a_split_that_was_applied_twice_or_never_is_a_fault() {
        let mut holding = holding();
        let recorded = [row(7, 10, 3_333).split];
        assert_eq!(holding.missed(&recorded, "AAPL", 20_261_123), None);
        assert_eq!(holding.missed(&recorded, "NVDA", 20_261_124), None);
        assert!(holding.missed(&recorded, "AAPL", 20_261_124).is_some());
        assert_eq!(holding.apply_split(&row(7, 10, 3_333)), None);
        assert_eq!(holding.missed(&recorded, "AAPL", 20_261_124), None);
        assert!(holding.apply_split(&row(10, 15, 0)).is_some());
    }
}
