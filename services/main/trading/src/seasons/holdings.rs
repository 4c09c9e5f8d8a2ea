//! What a member owns when a season ends.

use kernel::{Currency, MemberId, Won};
use proto::convert::{decimal, micros};
use proto::trading::v1::HoldingEnded;
use rust_decimal::Decimal;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};

use super::settle::Settlement;
use crate::accounts::holding::Holding;
use crate::accounts::profit;
use crate::entity::holding;
use crate::error::TradingError;
use crate::events;
use crate::store::once::Books;
use crate::store::sql;

/// A holding at the end of a season.
pub(super) struct Ended {
    pub(super) row: holding::Model,
    price: Option<Decimal>,
    fx_rate: Option<Decimal>,
    pub(super) value: Won,
}

impl Settlement<'_> {
    pub(super) fn valued(&self, row: holding::Model) -> Result<Ended, DbErr> {
        let currency = row.label()?.currency;
        let quote = self.store.market_cache.quote(&row.instrument_code);
        let priced = quote.and_then(|quote| {
            let value = profit::value(quote.last, row.quantity, currency, quote.fx_rate)?;
            Some((quote.last.0, quote.fx_rate, value))
        });
        Ok(match priced {
            Some((price, fx_rate, value)) => Ended {
                price: Some(price),
                fx_rate: fx_rate.filter(|_| currency == Currency::Usd),
                value,
                row,
            },
            None => Ended {
                price: None,
                fx_rate: None,
                value: row.cost_won,
                row,
            },
        })
    }

    /// Returns the last numbers of orders and fills of the season, drawn before those of the ended
    /// holdings.
    pub(super) async fn end_holdings(
        &self,
        books: &mut Books<'_>,
        holdings: &[Ended],
        season: i32,
    ) -> Result<(i64, i64), TradingError> {
        for Ended { row, .. } in holdings {
            let (label, code) = (row.label()?, &row.instrument_code);
            books
                .writes
                .holding(row.account_id, row.member_id, code, &label, &Holding::EMPTY);
            let ended = HoldingEnded {
                member_id: row.member_id.0,
                instrument_code: code.clone(),
                quantity: Some(decimal(row.quantity.0)),
                ended_at_us: micros(self.store.market_cache.now()),
            };
            let ended = events::holding_ended(&ended, self.store.clock.as_ref());
            books.writes.event(&ended);
        }
        let draw = sql(
            "select nextval('order_id_seq') as last_order, nextval('fill_id_seq') as last_fill",
            [],
        );
        let row = books.transaction.query_one_raw(draw).await?;
        let row = row.ok_or_else(|| DbErr::RecordNotFound("numbers".to_owned()))?;
        let marks = (
            row.try_get("", "last_order")?,
            row.try_get("", "last_fill")?,
        );
        insert_ended(books.transaction, self.member_id, season, holdings).await?;
        Ok(marks)
    }
}

async fn insert_ended(
    transaction: &DatabaseTransaction,
    member_id: MemberId,
    season: i32,
    holdings: &[Ended],
) -> Result<(), DbErr> {
    if holdings.is_empty() {
        return Ok(());
    }
    let won = |of: fn(&Ended) -> i64| holdings.iter().map(of).collect::<Vec<i64>>();
    // An array has no nulls: zero stands for none.
    let exact = |of: fn(&Ended) -> Decimal| holdings.iter().map(of).collect::<Vec<Decimal>>();
    let codes = holdings.iter().map(|one| one.row.instrument_code.clone());
    let insert = sql(
        "insert into ended_holding (id, member_id, season, account_id, instrument_code, quantity, \
            cost_won, cost_quote, price, fx_rate, value_won) \
         select nextval('fill_id_seq'), $1, $2, account_id, code, quantity, cost_won, cost_quote, \
            nullif(price, 0), nullif(fx_rate, 0), value_won \
         from unnest($3::bigint[], $4::text[], $5::numeric[], $6::bigint[], $7::numeric[], \
            $8::numeric[], $9::numeric[], $10::bigint[]) \
            as d(account_id, code, quantity, cost_won, cost_quote, price, fx_rate, value_won)",
        [
            member_id.into(),
            season.into(),
            won(|one| one.row.account_id.0).into(),
            codes.collect::<Vec<String>>().into(),
            exact(|one| one.row.quantity.0).into(),
            won(|one| one.row.cost_won.0).into(),
            exact(|one| one.row.cost_quote).into(),
            exact(|one| one.price.unwrap_or_default()).into(),
            exact(|one| one.fx_rate.unwrap_or_default()).into(),
            won(|one| one.value.0).into(),
        ],
    );
    transaction.execute_raw(insert).await?;
    Ok(())
}
