//! Whether holdings and the prices that value them are in the same units. The market cache divides a price
//! when it reads a split; the matcher divides holdings, account by account, when it comes to it.

use sea_orm::{ConnectionTrait, DbErr};

use crate::accounts::value::ValueBasis;
use crate::entity::holding;
use crate::error::TradingError;
use crate::orders::validation::OrderRejection;
use crate::store::sql;

/// Checks locked holdings, each with what its value is of.
///
/// # Errors
/// [`OrderRejection::PriceAwaited`] while the price of one is awaited, or price and shares have not been
/// divided by the same splits; or [`TradingError`] of the database.
pub(crate) async fn check_units(
    connection: &impl ConnectionTrait,
    priced: &[(&holding::Model, ValueBasis)],
) -> Result<(), TradingError> {
    let mut accounts = Vec::with_capacity(priced.len());
    let mut codes = Vec::with_capacity(priced.len());
    let mut split_days = Vec::with_capacity(priced.len());
    for (row, basis) in priced {
        let split_day = match basis {
            ValueBasis::Latest { split_day }
            | ValueBasis::Final {
                split_day: Some(split_day),
            } => *split_day,
            // A split does not change what was paid.
            ValueBasis::Final { split_day: None } => continue,
            ValueBasis::Awaited => return Err(OrderRejection::PriceAwaited.into()),
        };
        accounts.push(row.account_id.0);
        codes.push(row.instrument_code.clone());
        split_days.push(split_day);
    }
    if codes.is_empty() {
        return Ok(());
    }
    // What has been bought since a split never was in older shares.
    let find = sql(
        "select exists (select from unnest($1::bigint[], $2::text[], $3::integer[]) \
                as h (account_id, code, split_day) \
            cross join lateral (select coalesce(max(s.trading_day), 0) as split_day \
                from holding_split s \
                where s.account_id = h.account_id and s.instrument_code = h.code) applied \
            where applied.split_day > h.split_day \
                or applied.split_day < h.split_day and coalesce((select f.trading_day from fill f \
                    where f.account_id = h.account_id and f.instrument_code = h.code \
                    order by f.id desc limit 1), 0) < h.split_day) as differs",
        [accounts.into(), codes.into(), split_days.into()],
    );
    let row = connection.query_one_raw(find).await?;
    let row = row.ok_or_else(|| DbErr::RecordNotFound("units".to_owned()))?;
    if row.try_get("", "differs")? {
        return Err(OrderRejection::PriceAwaited.into());
    }
    Ok(())
}
