//! What a member owns when a season or a competition ends.

use kernel::Won;
use proto::convert::{decimal, micros};
use proto::trading::v1::HoldingEnded;
use rust_decimal::Decimal;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};

use crate::accounts::holding::Holding;
use crate::accounts::value::HoldingValue;
use crate::entity::holding;
use crate::events;
use crate::store::write_set::WriteSet;
use crate::store::{Store, sql};

/// In the rows of competitions, which no season ends.
pub(crate) const NO_SEASON: i32 = 0;

/// A holding at the end of a season or of a competition.
pub(crate) struct Ended {
    pub(crate) row: holding::Model,
    price: Option<Decimal>,
    fx_rate: Option<Decimal>,
    pub(crate) value: Won,
}

impl Ended {
    /// `priced` are price, exchange rate of dollars, and value; without them its value is what it cost.
    pub(crate) fn new(
        row: holding::Model,
        priced: Option<(Decimal, Option<Decimal>, Won)>,
    ) -> Self {
        match priced {
            Some((price, fx_rate, value)) => Self {
                price: Some(price),
                fx_rate,
                value,
                row,
            },
            None => Self {
                price: None,
                fx_rate: None,
                value: row.cost_won,
                row,
            },
        }
    }

    /// At the value that it has now.
    pub(crate) fn valued(row: holding::Model, value: HoldingValue) -> Self {
        let priced = value.price;
        Self::new(
            row,
            priced.map(|(price, fx_rate)| (price.0, fx_rate, value.won)),
        )
    }
}

/// The last numbers of orders and fills of what has ended, drawn before those of the ended holdings.
pub(crate) struct LastNumbers {
    pub(crate) order: i64,
    pub(crate) fill: i64,
}

/// Ends locked holdings with their season; `None` of competitions.
pub(crate) async fn end_holdings(
    store: &Store,
    transaction: &DatabaseTransaction,
    writes: &mut WriteSet,
    holdings: &[Ended],
    season: Option<i32>,
) -> Result<LastNumbers, DbErr> {
    for Ended { row, .. } in holdings {
        let (label, code) = (row.label()?, &row.instrument_code);
        writes.holding(row.account_id, row.member_id, code, &label, &Holding::EMPTY);
        let ended = HoldingEnded {
            member_id: row.member_id.0,
            instrument_code: code.clone(),
            quantity: Some(decimal(row.quantity.0)),
            ended_at_us: micros(store.market_cache.now()),
        };
        let ended = events::holding_ended(&ended, store.clock.as_ref());
        writes.event(&ended);
    }
    let draw = sql(
        "select nextval('order_id_seq') as last_order, nextval('fill_id_seq') as last_fill",
        [],
    );
    let row = transaction.query_one_raw(draw).await?;
    let row = row.ok_or_else(|| DbErr::RecordNotFound("numbers".to_owned()))?;
    let last = LastNumbers {
        order: row.try_get("", "last_order")?,
        fill: row.try_get("", "last_fill")?,
    };
    insert_ended(transaction, season, holdings).await?;
    Ok(last)
}

async fn insert_ended(
    transaction: &DatabaseTransaction,
    season: Option<i32>,
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
         select nextval('fill_id_seq'), member_id, $2, account_id, code, quantity, cost_won, \
            cost_quote, nullif(price, 0), nullif(fx_rate, 0), value_won \
         from unnest($1::bigint[], $3::bigint[], $4::text[], $5::numeric[], $6::bigint[], \
            $7::numeric[], $8::numeric[], $9::numeric[], $10::bigint[]) \
            as d(member_id, account_id, code, quantity, cost_won, cost_quote, price, fx_rate, value_won)",
        [
            won(|one| one.row.member_id.0).into(),
            season.unwrap_or(NO_SEASON).into(),
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
