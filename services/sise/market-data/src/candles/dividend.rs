//! Dividends: heard of in the log, written once, and told in the order in which they came.

use std::collections::HashMap;
use std::sync::Arc;

use proto::convert::{decimal, to_required_decimal};
use proto::market::v1 as wire;
use rust_decimal::Decimal;
use sqlx::{PgConnection, PgPool};

/// Dividends by code and first day without them.
pub type Dividends = HashMap<(Arc<str>, i32), wire::Dividend>;

const MOST: i32 = 1_000;
const USUAL: i32 = 500;

/// Writes dividends; one that is known already stays as it is.
///
/// # Errors
/// [`sqlx::Error`] of the database.
pub async fn save(connection: &mut PgConnection, dividends: &Dividends) -> Result<(), sqlx::Error> {
    for dividend in dividends.values() {
        let amount = to_required_decimal(dividend.amount.as_ref(), "amount");
        let currency = dividend.currency().to_kernel();
        let (Ok(amount), Ok(currency)) = (amount, currency) else {
            tracing::warn!(code = dividend.code, "A dividend in the log is unreadable");
            continue;
        };
        // Asked first, because a refused insert would use up a number of the sequence.
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

/// Dividends that became known after number `after_id` (of one code, unless it is empty).
///
/// # Errors
/// [`sqlx::Error`] of the database.
pub async fn list(
    pool: &PgPool,
    request: &wire::ListDividendsRequest,
) -> Result<Vec<wire::Dividend>, sqlx::Error> {
    type Columns = (i64, String, i32, i32, i32, Decimal, String);
    let size = match request.size {
        ..=0 => USUAL,
        size => size.min(MOST),
    };
    let rows: Vec<Columns> = sqlx::query_as(
        "select dividend_id, code, ex_day, record_day, pay_day, amount, currency
         from instrument_dividend
         where dividend_id > $1 and ($2 = '' or code = $2)
         order by dividend_id limit $3",
    )
    .bind(request.after_id)
    .bind(&request.code)
    .bind(i64::from(size))
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
