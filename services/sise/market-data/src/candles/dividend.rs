//! Dividends from the log, each stored once.

use std::collections::HashMap;
use std::sync::Arc;

use proto::convert::{decimal, to_required_decimal};
use proto::market::v1 as wire;
use rust_decimal::Decimal;
use sqlx::{PgConnection, PgPool};

use super::most_rows;

/// By code and ex-day.
pub type Dividends = HashMap<(Arc<str>, i32), wire::Dividend>;

/// Stores dividends; a known one is not changed.
///
/// # Errors
/// [`sqlx::Error`] of the database.
pub async fn save(connection: &mut PgConnection, dividends: &Dividends) -> Result<(), sqlx::Error> {
    for dividend in dividends.values() {
        let amount = to_required_decimal(dividend.amount.as_ref(), "amount");
        let currency = dividend.currency().to_kernel();
        let (Ok(amount), Ok(currency)) = (amount, currency) else {
            tracing::warn!(code = dividend.code, "Invalid dividend in the tick log");
            continue;
        };
        // Checked first, because a conflicting insert would consume a sequence number.
        sqlx::query(
            "insert into instrument_dividend
                 (code, ex_day, record_day, pay_day, amount, currency)
             select $1, $2, $3, $4, $5, $6
             where not exists (
                 select from instrument_dividend where code = $1 and ex_day = $2
             )
             on conflict do nothing",
        )
        .bind(&dividend.code)
        .bind(dividend.ex_day)
        .bind(dividend.record_day)
        .bind(dividend.pay_day)
        .bind(amount)
        .bind(currency.as_str())
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// Dividends with an id above `after_id` (of one code, unless it is empty).
///
/// # Errors
/// [`sqlx::Error`] of the database.
pub async fn list(
    pool: &PgPool,
    request: &wire::ListDividendsRequest,
) -> Result<Vec<wire::Dividend>, sqlx::Error> {
    type Columns = (i64, String, i32, i32, i32, Decimal, String);
    let rows: Vec<Columns> = sqlx::query_as(
        "select dividend_id, code, ex_day, record_day, pay_day, amount, currency
         from instrument_dividend
         where dividend_id > $1 and ($2 = '' or code = $2)
         order by dividend_id limit $3",
    )
    .bind(request.after_id)
    .bind(&request.code)
    .bind(most_rows(request.size))
    .fetch_all(pool)
    .await?;
    let rows = rows.into_iter();
    Ok(rows
        .map(
            |(dividend_id, code, ex_day, record_day, pay_day, amount, currency)| wire::Dividend {
                code,
                ex_day,
                record_day,
                pay_day,
                amount: Some(decimal(amount.normalize())),
                currency: match currency.as_str() {
                    "USD" => proto::common::v1::Currency::Usd,
                    _ => proto::common::v1::Currency::Krw,
                }
                .into(),
                dividend_id,
            },
        )
        .collect())
}
