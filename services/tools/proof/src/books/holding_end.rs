//! Compares what holdings were when their season or competition ended.

use rust_decimal::Decimal;
use sqlx::{PgConnection, Row};

use super::holding_split::Holding;

/// A row of `ended_holding`.
pub(super) struct HoldingEnd {
    pub(super) id: i64,
    pub(super) code: String,
    quantity: Decimal,
    cost_won: i64,
}

impl Holding {
    /// Ends it, and compares what it was with the row.
    pub(super) fn end(&mut self, row: &HoldingEnd) -> Option<String> {
        let was = (self.quantity, self.cost_won);
        self.quantity = Decimal::ZERO;
        self.cost_won = 0;
        (was != (row.quantity, row.cost_won)).then(|| {
            format!(
                "end {} of {}: {} for {}, expected {} for {}",
                row.id, row.code, row.quantity, row.cost_won, was.0, was.1
            )
        })
    }
}

/// By account, in the order in which they ended.
pub(super) async fn read(
    snapshot: &mut PgConnection,
    members: &[i64],
) -> anyhow::Result<Vec<(i64, HoldingEnd)>> {
    let rows = sqlx::query(
        "select account_id, id, instrument_code, quantity, cost_won from ended_holding \
         where member_id = any($1) order by account_id, id",
    )
    .bind(members)
    .fetch_all(snapshot)
    .await?;
    let rows = rows.iter().map(|row| {
        let end = HoldingEnd {
            id: row.try_get("id")?,
            code: row.try_get("instrument_code")?,
            quantity: row.try_get("quantity")?,
            cost_won: row.try_get("cost_won")?,
        };
        Ok((row.try_get("account_id")?, end))
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_holding_ends_as_it_was_and_once() {
        let end = HoldingEnd {
            id: 1,
            code: "005930".to_owned(),
            quantity: Decimal::from(7),
            cost_won: 70_000,
        };
        let mut holding = Holding {
            quantity: Decimal::from(7),
            cost_won: 70_000,
            ..Holding::default()
        };
        assert_eq!(holding.end(&end), None);
        assert_eq!((holding.quantity, holding.cost_won), (Decimal::ZERO, 0));
        assert!(holding.end(&end).is_some());
    }
}
