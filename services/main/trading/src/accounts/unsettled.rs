//! Settlement of trades, behind a setting: what a sale brought buys at once, but is moved, spent and
//! deposited only from the day on which it settles.

use std::collections::BTreeMap;
use std::ops::Bound;

use chrono::{DateTime, Days, NaiveDate};
use kernel::{AccountId, MarketCode, Won};
use sea_orm::{ConnectionTrait, DbErr};

use crate::contracts::{day_of, midnight};
use crate::domain::day::yyyymmdd;
use crate::entity::account;
use crate::error::TradingError;
use crate::store::{Store, sql};

/// Longer than the longest holidays delay a settlement.
const LONGEST_DAYS: u64 = 30;

/// Won that trades bring, less what they cost, by the day on which they settle.
type Flows = BTreeMap<NaiveDate, i64>;

/// Trading days from a trade to its settlement.
#[must_use]
pub(crate) fn settlement_days(market: MarketCode) -> u32 {
    match market {
        MarketCode::Kospi | MarketCode::Kosdaq | MarketCode::Etf => 2,
        MarketCode::Global => 1,
        MarketCode::Coin | MarketCode::Gold => 0,
    }
}

/// What must stay, so that no later day begins with less than nothing: purchases are paid for by sales
/// that settle on the same day or before.
fn unsettled(flows: &Flows, today: NaiveDate) -> Won {
    let (mut later, mut most) = (0, 0);
    let to_come = flows.range((Bound::Excluded(today), Bound::Unbounded));
    for (_, net) in to_come.rev() {
        later += net;
        most = most.max(later);
    }
    Won(most)
}

impl Store {
    /// Won of accounts that have not settled; none while the setting is off.
    pub(crate) async fn unsettled(
        &self,
        connection: &impl ConnectionTrait,
        accounts: &[AccountId],
    ) -> Result<BTreeMap<AccountId, Won>, DbErr> {
        if !self.policy.settles_later {
            return Ok(BTreeMap::new());
        }
        let today = day_of(self.market_time_or_clock());
        let since = today.checked_sub_days(Days::new(LONGEST_DAYS));
        let ids: Vec<i64> = accounts.iter().map(|id| id.0).collect();
        // Fills of a season that has ended brought nothing to the present one.
        let read = sql(
            "with filled as materialized (select * from fill f \
                where f.account_id = any($1) and f.event_time >= $3 and f.trading_day >= $2 and f.id > coalesce((select \
                    max(last_fill) from past_season where account_id = f.account_id), 0)) \
             select f.account_id, f.trading_day, h.market, \
                sum(case f.side when 'SELL' then f.amount_won - f.fee_won - f.tax_won \
                    else -f.amount_won - f.fee_won - f.tax_won end)::bigint as net \
             from filled f join holding h on h.account_id = f.account_id \
                and h.instrument_code = f.instrument_code \
             group by f.account_id, f.trading_day, h.market",
            [
                ids.into(),
                since.map_or(0, yyyymmdd).into(),
                since.map_or(DateTime::UNIX_EPOCH, midnight).into(),
            ],
        );
        let mut flows: BTreeMap<AccountId, Flows> = BTreeMap::new();
        for row in connection.query_all_raw(read).await? {
            let market: String = row.try_get("", "market")?;
            let market = MarketCode::parse(&market)
                .ok_or_else(|| DbErr::Custom(format!("{market} is no market")))?;
            let days = settlement_days(market);
            let traded: i32 = row.try_get("", "trading_day")?;
            let settles_on = self.market_cache.later_day(market, traded, days);
            let flow = flows.entry(row.try_get("", "account_id")?).or_default();
            *flow.entry(settles_on).or_default() += row.try_get::<i64>("", "net")?;
        }
        let flows = flows.into_iter();
        Ok(flows
            .map(|(id, flow)| (id, unsettled(&flow, today)))
            .collect())
    }

    /// Won of an account that can be moved, spent and deposited.
    pub(crate) async fn movable(
        &self,
        connection: &impl ConnectionTrait,
        locked: &account::WithWon,
    ) -> Result<Won, TradingError> {
        let id = locked.account.id;
        let unsettled = self.unsettled(connection, &[id]).await?;
        let unsettled = unsettled.get(&id).copied().unwrap_or_default();
        Ok(movable(locked.to_cash()?.available(), unsettled))
    }
}

/// The available cash that is settled and so may leave the account.
#[must_use]
pub(crate) fn movable(available: Won, unsettled: Won) -> Won {
    Won((available.0 - unsettled.0).max(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(number: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 11, number).unwrap()
    }

    #[test]
    fn a_sale_is_unsettled_until_its_day() {
        let flows = Flows::from([(day(20), 100), (day(21), 30)]);
        assert_eq!(unsettled(&flows, day(18)), Won(130));
        assert_eq!(unsettled(&flows, day(20)), Won(30));
        assert_eq!(unsettled(&flows, day(21)), Won(0));
    }

    #[test]
    fn a_purchase_is_paid_for_by_sales_that_settle_by_then() {
        let sold_then_bought = Flows::from([(day(20), 100), (day(21), -60)]);
        assert_eq!(unsettled(&sold_then_bought, day(18)), Won(40));
        // The purchase settles first: all of the sale is missing on the day in between.
        let bought_then_sold = Flows::from([(day(20), -60), (day(21), 50)]);
        assert_eq!(unsettled(&bought_then_sold, day(18)), Won(50));
        assert_eq!(unsettled(&Flows::from([(day(20), -60)]), day(18)), Won(0));
    }
}
