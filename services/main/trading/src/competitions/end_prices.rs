//! The prices at which an event ends: asked of market-data once its end is past in the log, stored with the
//! event, and read for each of its accounts.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use bootstrap::deadline::{self, Deadline};
use bootstrap::grpc::Client;
use kernel::MemberId;
use proto::convert::{InvalidField, to_optional_decimal, to_required_decimal};
use proto::market::v1::ListPricesAtRequest;
use proto::market::v1::close_service_client::CloseServiceClient;
use rust_decimal::Decimal;
use sea_orm::{ConnectionTrait, DbErr, TransactionTrait};
use tonic::Code;

use super::competition::Competition;
use super::ending::EndingError;
use crate::domain::day::yyyymmdd;
use crate::error::TradingError;
use crate::store::{Store, once, sql};

const CALL_TIMEOUT: Duration = Duration::from_secs(10);

/// The prices of the end of an event.
#[derive(Clone, Debug, Default)]
pub(crate) struct FinalPrices {
    /// In the shares of then.
    pub(crate) by_code: BTreeMap<String, Decimal>,
    pub(crate) dollar_won: Option<Decimal>,
    /// The last day of the event, yyyymmdd: splits of later days are not in the prices.
    pub(crate) last_day: i32,
}

struct EndPrice {
    code: String,
    price: Decimal,
    /// `None` for a price of a day, whose tick market-data does not keep.
    tick_seq: Option<i64>,
}

/// The prices of an instant.
pub(super) struct EndPrices {
    prices: Vec<EndPrice>,
    dollar_won: Option<Decimal>,
}

/// `None` while the instant is not over in the log.
pub(super) async fn prices_at(
    market: &mut CloseServiceClient<Client>,
    at_us: i64,
) -> Result<Option<EndPrices>, EndingError> {
    let request = ListPricesAtRequest { at_us };
    let within = Deadline::within(CALL_TIMEOUT);
    let response = match deadline::scope(within, market.list_prices_at(request)).await {
        Ok(response) => response.into_inner(),
        Err(status) if status.code() == Code::FailedPrecondition => return Ok(None),
        Err(status) => return Err(status.into()),
    };
    let prices = response.prices.into_iter().map(|one| {
        let price = to_required_decimal(one.price.as_ref(), "price")?;
        Ok(EndPrice {
            code: one.code,
            price,
            tick_seq: one.tick_seq,
        })
    });
    Ok(Some(EndPrices {
        prices: prices.collect::<Result<_, InvalidField>>()?,
        dollar_won: to_optional_decimal(response.dollar_won.as_ref(), "dollar_won")?,
    }))
}

impl Store {
    /// Once: whoever comes later finds it done. Nobody can join any more. False when the event was
    /// canceled.
    pub(super) async fn fix_prices(
        &self,
        competition_id: i64,
        prices: &EndPrices,
        owned: &BTreeSet<String>,
    ) -> Result<bool, TradingError> {
        let transaction = self.db.begin().await?;
        let fix = async {
            // Waits for whoever is joining, whose lock lets boards be renewed.
            let lock = sql(
                "select is_canceled from competition where id = $1 for update",
                [competition_id.into()],
            );
            let row = transaction.query_one_raw(lock).await?;
            if row.map_or(Ok(true), |row| row.try_get("", "is_canceled"))? {
                return Ok(false);
            }
            let begin = sql(
                "update competition set closing_at = $2, dollar_won = $3 \
                 where id = $1 and closing_at is null",
                [
                    competition_id.into(),
                    self.clock.now().into(),
                    prices.dollar_won.into(),
                ],
            );
            if transaction.execute_raw(begin).await?.rows_affected() == 0 {
                return Ok(true);
            }
            let prices = prices.prices.iter();
            let prices = prices.filter(|one| owned.contains(&one.code));
            let codes: Vec<String> = prices.clone().map(|one| one.code.clone()).collect();
            let values: Vec<Decimal> = prices.clone().map(|one| one.price).collect();
            let ticks: Vec<i64> = prices.map(|one| one.tick_seq.unwrap_or(0)).collect();
            let insert = sql(
                "insert into competition_price (competition_id, instrument_code, price, tick_seq) \
                 select $1, code, price, nullif(tick, 0) \
                 from unnest($2::text[], $3::numeric[], $4::bigint[]) as d (code, price, tick)",
                [
                    competition_id.into(),
                    codes.into(),
                    values.into(),
                    ticks.into(),
                ],
            );
            transaction.execute_raw(insert).await?;
            Ok(true)
        };
        let fixed = fix.await;
        once::end(transaction, fixed).await
    }

    pub(super) async fn final_prices(
        &self,
        competition: &Competition,
    ) -> Result<FinalPrices, TradingError> {
        let read = sql(
            "select instrument_code, price from competition_price where competition_id = $1",
            [competition.id.into()],
        );
        let mut by_code = BTreeMap::new();
        for row in self.db.query_all_raw(read).await? {
            by_code.insert(
                row.try_get("", "instrument_code")?,
                row.try_get("", "price")?,
            );
        }
        let read = sql(
            "select dollar_won from competition where id = $1",
            [competition.id.into()],
        );
        let row = self.db.query_one_raw(read).await?;
        Ok(FinalPrices {
            by_code,
            dollar_won: row.map_or(Ok(None), |row| row.try_get("", "dollar_won"))?,
            last_day: yyyymmdd(competition.last_day()),
        })
    }

    /// The instruments of all holdings that entrants have ever had, also of those who left; `size` accounts
    /// to a statement.
    pub(super) async fn ever_owned(
        &self,
        competition_id: i64,
        size: usize,
    ) -> Result<BTreeSet<String>, TradingError> {
        let limit = i64::try_from(size).unwrap_or(i64::MAX);
        let mut owned = BTreeSet::new();
        let mut after = MemberId(0);
        loop {
            let read = sql(
                "select member_id, account_id from competition_entry \
                 where competition_id = $1 and member_id > $2 order by member_id limit $3",
                [competition_id.into(), after.into(), limit.into()],
            );
            let rows = self.db.query_all_raw(read).await?;
            let Some(last) = rows.last() else {
                return Ok(owned);
            };
            after = last.try_get("", "member_id")?;
            let accounts = rows.iter().map(|row| row.try_get("", "account_id"));
            let accounts: Vec<i64> = accounts.collect::<Result<_, DbErr>>()?;
            let read = sql(
                "select distinct instrument_code from holding where account_id = any($1)",
                [accounts.into()],
            );
            for row in self.db.query_all_raw(read).await? {
                owned.insert(row.try_get("", "instrument_code")?);
            }
        }
    }
}
