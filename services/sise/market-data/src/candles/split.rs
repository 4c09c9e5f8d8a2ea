//! Splits: candles are stored as traded and adjusted when they are read.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use proto::market::v1 as wire;
use rust_decimal::Decimal;
use sqlx::{PgConnection, PgPool};

use super::most_rows;

/// By code and first day at the new price.
pub type Splits = HashMap<(Arc<str>, i32), Split>;

/// Code, first day at the new price, new shares, old shares.
pub type SplitRow = (String, i32, i64, i64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    pub new_shares: i64,
    pub old_shares: i64,
    /// Market time of the split.
    pub at_us: i64,
}

/// `splits` are (first day at the new price, new shares, old shares), oldest first. Without a split
/// there is one span of all days.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spans {
    /// First day of each span.
    pub from_days: Vec<i32>,
    /// Day after each span.
    pub until_days: Vec<i32>,
    /// Price factor of each span: old shares per share of today.
    pub price_ratios: Vec<Decimal>,
}

impl Spans {
    /// `splits` are (first day at the new price, new shares, old shares), oldest first. Without a
    /// split there is one span of all days.
    #[must_use]
    pub fn between(splits: &[(i32, i64, i64)]) -> Self {
        let mut spans = Self {
            from_days: Vec::new(),
            until_days: Vec::new(),
            price_ratios: Vec::new(),
        };
        let (mut new, mut old, mut until) = (Decimal::ONE, Decimal::ONE, i32::MAX);
        for (day, new_shares, old_shares) in splits.iter().rev() {
            spans.push(*day, until, new, old);
            new = new.saturating_mul(Decimal::from(*new_shares));
            old = old.saturating_mul(Decimal::from(*old_shares));
            until = *day;
        }
        spans.push(0, until, new, old);
        spans
    }

    fn push(&mut self, from: i32, until: i32, new: Decimal, old: Decimal) {
        self.from_days.push(from);
        self.until_days.push(until);
        self.price_ratios
            .push(old.checked_div(new).unwrap_or(Decimal::ONE));
    }
}

/// # Errors
/// [`sqlx::Error`] of the database.
pub async fn spans(pool: &PgPool, code: &str) -> Result<Spans, sqlx::Error> {
    let splits: Vec<(i32, i64, i64)> = sqlx::query_as(
        "select trading_day, new_shares, old_shares from instrument_split where code = $1 \
         order by trading_day",
    )
    .bind(code)
    .fetch_all(pool)
    .await?;
    Ok(Spans::between(&splits))
}

/// # Errors
/// [`sqlx::Error`] of the database.
pub async fn all(pool: &PgPool) -> Result<Vec<SplitRow>, sqlx::Error> {
    sqlx::query_as("select code, trading_day, new_shares, old_shares from instrument_split")
        .fetch_all(pool)
        .await
}

/// Stores splits; a known one is not changed. Counted holdings are converted later
/// ([`crate::store::Store::apply_splits_to_holders`]), so that candles need not wait.
///
/// # Errors
/// [`sqlx::Error`] of the database.
pub async fn save(connection: &mut PgConnection, splits: &Splits) -> Result<(), sqlx::Error> {
    for ((code, trading_day), split) in splits {
        // Checked first, because a conflicting insert would consume a sequence number.
        sqlx::query(
            "insert into instrument_split
                 (code, trading_day, new_shares, old_shares, at, sweeps)
             select $1, $2, $3, $4, $5, 0
             where not exists (
                 select from instrument_split where code = $1 and trading_day = $2
             )
             on conflict do nothing",
        )
        .bind(&**code)
        .bind(trading_day)
        .bind(split.new_shares)
        .bind(split.old_shares)
        .bind(DateTime::from_timestamp_micros(split.at_us))
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// Splits with an id above `after_id`.
///
/// # Errors
/// [`sqlx::Error`] of the database.
pub async fn list(
    pool: &PgPool,
    request: &wire::ListSplitsRequest,
) -> Result<Vec<wire::Split>, sqlx::Error> {
    type Columns = (i64, String, i32, i64, i64, Option<DateTime<Utc>>);
    let rows: Vec<Columns> = sqlx::query_as(
        "select split_id, code, trading_day, new_shares, old_shares, at from instrument_split
         where split_id > $1 order by split_id limit $2",
    )
    .bind(request.after_id)
    .bind(most_rows(request.size))
    .fetch_all(pool)
    .await?;
    let rows = rows.into_iter();
    Ok(rows
        .map(
            |(split_id, code, trading_day, new_shares, old_shares, at)| wire::Split {
                split_id,
                code,
                trading_day,
                new_shares,
                old_shares,
                event_time_us: at.map_or(0, |at| at.timestamp_micros()),
            },
        )
        .collect())
}

#[cfg(test)]
mod tests {
    use rust_decimal_macros::dec;

    use super::*;

    #[test]
    fn every_day_is_adjusted_for_the_splits_after_it() {
        let none = Spans::between(&[]);
        assert_eq!(
            (none.from_days, none.price_ratios),
            (vec![0], vec![Decimal::ONE])
        );
        let spans = Spans::between(&[(20_000_621, 2, 1), (20_050_228, 5, 2)]);
        assert_eq!(spans.from_days, [20_050_228, 20_000_621, 0]);
        assert_eq!(spans.until_days, [i32::MAX, 20_050_228, 20_000_621]);
        assert_eq!(spans.price_ratios, [dec!(1), dec!(0.4), dec!(0.2)]);
    }
}
