//! Values all accounts of an event at the same prices.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use kernel::{AccountId, Currency, MemberId, Price, Quantity, Won};
use rust_decimal::Decimal;
use sea_orm::{ConnectionTrait, DbErr};

use super::ranking::{Activity, Standing, return_e4};
use crate::accounts::profit;
use crate::market_cache::MarketCache;
use crate::store::sql;

/// Accounts of one question about fills, ends of days or holdings.
pub(super) const ACCOUNTS_PER_QUERY: usize = 1_000;

/// An account that takes part.
#[derive(Clone, Debug)]
pub struct Entrant {
    pub account_id: AccountId,
    pub member_id: MemberId,
    pub joined_at: DateTime<Utc>,
    pub cash: Won,
}

/// A part of a portfolio.
#[derive(Clone, Debug)]
pub struct Owned {
    pub account_id: AccountId,
    /// The place of its instrument in the list of prices.
    pub instrument: usize,
    pub quantity: Quantity,
    pub cost: Won,
}

/// What entrants have, as one snapshot.
#[derive(Clone, Debug, Default)]
pub struct Portfolios {
    /// In the order of accounts.
    pub entrants: Vec<Entrant>,
    /// In the order of accounts.
    pub owned: Vec<Owned>,
    pub instruments: Vec<(String, Currency)>,
}

/// The price of an instrument and won per unit of its currency.
pub type InstrumentPrice = Option<(Price, Option<Decimal>)>;

/// The highest end of a day and the largest fall from one, in ten-thousandths of a percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fall {
    pub peak: Won,
    pub largest_e4: i64,
}

impl Portfolios {
    /// The latest prices, read once for all accounts and instruments.
    #[must_use]
    pub fn prices(&self, market_cache: &MarketCache) -> Vec<InstrumentPrice> {
        let instruments = self.instruments.iter();
        market_cache.prices(instruments.map(|(code, _)| code.as_str()))
    }

    /// Cash and holdings of each entrant, in their order; without a price a holding is worth what it
    /// cost.
    #[must_use]
    pub fn equities(&self, prices: &[InstrumentPrice]) -> Vec<Won> {
        let mut owned = self.owned.iter().peekable();
        let entrants = self.entrants.iter();
        entrants
            .map(|entrant| {
                let mut equity = entrant.cash.0;
                while let Some(one) = owned.next_if(|one| one.account_id <= entrant.account_id) {
                    if one.account_id == entrant.account_id {
                        equity = equity.saturating_add(self.value(one, prices).0);
                    }
                }
                Won(equity)
            })
            .collect()
    }

    fn value(&self, one: &Owned, prices: &[InstrumentPrice]) -> Won {
        let instrument = self.instruments.get(one.instrument);
        let price = prices.get(one.instrument).copied().flatten();
        let value = instrument
            .zip(price)
            .and_then(|((_, currency), (price, rate))| {
                profit::value(price, one.quantity, *currency, rate)
            });
        value.unwrap_or(one.cost)
    }

    /// The entrants that reach what a rank requires.
    #[must_use]
    pub fn standings(
        &self,
        equities: &[Won],
        start_cash: Won,
        needed: &Activity,
        activity: &HashMap<AccountId, Activity>,
        falls: &HashMap<AccountId, Fall>,
    ) -> Vec<Standing> {
        let entrants = self.entrants.iter().zip(equities);
        let eligible = entrants.filter(|(entrant, _)| {
            let active = activity.get(&entrant.account_id).copied();
            active.unwrap_or_default().reaches(needed)
        });
        eligible
            .map(|(entrant, equity)| Standing {
                member_id: entrant.member_id,
                joined_at: entrant.joined_at,
                return_e4: return_e4(*equity, start_cash),
                drawdown_e4: falls
                    .get(&entrant.account_id)
                    .map_or(0, |fall| fall.largest_e4),
            })
            .collect()
    }
}

impl Fall {
    /// With another end of a day.
    #[must_use]
    pub fn with(self, equity: Won) -> Self {
        let peak = self.peak.max(equity);
        let fall = i128::from(peak.0 - equity.0) * 1_000_000 / i128::from(peak.0.max(1));
        let fall = i64::try_from(fall).unwrap_or(i64::MAX);
        Self {
            peak,
            largest_e4: self.largest_e4.max(fall),
        }
    }

    #[must_use]
    pub fn from_start(start_cash: Won) -> Self {
        Self {
            peak: start_cash,
            largest_e4: 0,
        }
    }
}

/// Counts as far as [`Activity::ENOUGH`], so that it reads few fills of an account, however long its history
/// is. The days of an item's fills rise with their numbers: what was bought first and last tells whether there
/// were two. An order is of one item, so that three items are three orders; of fewer, the next order is found
/// behind no more fills than those before it had shares.
const ACTIVITY: &str = "
    select a.id as account_id, least(i.items, 2) as items,
        case when i.items > 2 then 3
            else 1 + (two.order_id is not null)::integer + (three.order_id is not null)::integer
            end as buys,
        coalesce(
            (select 2 from holding h cross join lateral (select trading_day from fill
                where account_id = h.account_id and instrument_code = h.instrument_code
                    and side = 'BUY'
                order by id limit 1) f
             where h.account_id = a.id and f.trading_day <> one.trading_day limit 1),
            (select 2 from holding h cross join lateral (select trading_day from fill
                where account_id = h.account_id and instrument_code = h.instrument_code
                    and side = 'BUY'
                order by id desc limit 1) f
             where h.account_id = a.id and f.trading_day <> one.trading_day limit 1),
            1) as days
    from unnest($1::bigint[]) a (id)
    cross join lateral (select order_id, trading_day from fill
        where account_id = a.id and side = 'BUY' order by event_time limit 1) one
    cross join lateral (select count(*)::integer as items from (select instrument_code from holding
        where account_id = a.id limit 3) h) i
    left join lateral (select order_id from fill
        where i.items < 3 and account_id = a.id and side = 'BUY' and order_id <> one.order_id
        order by event_time limit 1) two on true
    left join lateral (select order_id from fill
        where i.items < 3 and account_id = a.id and side = 'BUY' and order_id <> one.order_id
            and order_id <> two.order_id
        order by event_time limit 1) three on true";

/// What accounts bought, as far as a rank may require it; nothing of those that bought nothing.
pub(super) async fn activity(
    connection: &impl ConnectionTrait,
    accounts: &[AccountId],
) -> Result<HashMap<AccountId, Activity>, DbErr> {
    let mut found = HashMap::new();
    for slice in accounts.chunks(ACCOUNTS_PER_QUERY) {
        let ids: Vec<i64> = slice.iter().map(|id| id.0).collect();
        for row in connection
            .query_all_raw(sql(ACTIVITY, [ids.into()]))
            .await?
        {
            let activity = Activity {
                buys: row.try_get("", "buys")?,
                items: row.try_get("", "items")?,
                days: row.try_get("", "days")?,
            };
            found.insert(row.try_get("", "account_id")?, activity);
        }
    }
    Ok(found)
}

/// Accounts of an event that have bought something with a fill above `mark`.
pub(super) async fn bought_since(
    connection: &impl ConnectionTrait,
    competition_id: i64,
    mark: i64,
) -> Result<Vec<AccountId>, DbErr> {
    let read = sql(
        "select distinct f.account_id from fill f \
         join competition_entry e on e.account_id = f.account_id and e.competition_id = $1 \
         where f.id > $2 and f.side = 'BUY'",
        [competition_id.into(), mark.into()],
    );
    let rows = connection.query_all_raw(read).await?;
    rows.iter()
        .map(|row| row.try_get("", "account_id"))
        .collect()
}

/// What accounts were worth at the ends of the days after `after` and before `before`, in the order of
/// their days.
pub(super) async fn day_ends(
    connection: &impl ConnectionTrait,
    accounts: &[AccountId],
    (after, before): (Option<NaiveDate>, NaiveDate),
) -> Result<Vec<(AccountId, Won)>, DbErr> {
    let mut ends = Vec::new();
    for slice in accounts.chunks(ACCOUNTS_PER_QUERY) {
        let ids: Vec<i64> = slice.iter().map(|id| id.0).collect();
        let read = sql(
            "select account_id, cash_won + holdings_won as equity from equity_day \
             where account_id = any($1) and day > coalesce($2, '-infinity') and day < $3 \
             order by account_id, day",
            [ids.into(), after.into(), before.into()],
        );
        for row in connection.query_all_raw(read).await? {
            ends.push((row.try_get("", "account_id")?, row.try_get("", "equity")?));
        }
    }
    Ok(ends)
}

/// Adds ends of days to falls; an account without any has none.
pub(super) fn add_ends(
    falls: &mut HashMap<AccountId, Fall>,
    ends: &[(AccountId, Won)],
    start_cash: Won,
) {
    for (account, equity) in ends {
        let fall = falls
            .entry(*account)
            .or_insert_with(|| Fall::from_start(start_cash));
        *fall = fall.with(*equity);
    }
}

/// The newest day whose accounts are all valued, and the newest fill.
pub(super) async fn progress(
    connection: &impl ConnectionTrait,
) -> Result<(Option<NaiveDate>, i64), DbErr> {
    let read = sql(
        "select (select max(day) from equity_run where finished_at is not null) as day, \
            coalesce((select max(id) from fill), 0) as fill",
        [],
    );
    let row = connection.query_one_raw(read).await?;
    let row = row.ok_or_else(|| DbErr::RecordNotFound("progress".to_owned()))?;
    Ok((row.try_get("", "day")?, row.try_get("", "fill")?))
}

#[cfg(test)]
mod tests {
    use rust_decimal_macros::dec;

    use super::*;

    fn entrant(account: i64, cash: i64) -> Entrant {
        Entrant {
            account_id: AccountId(account),
            member_id: MemberId(account * 10),
            joined_at: DateTime::UNIX_EPOCH,
            cash: Won(cash),
        }
    }

    fn owned(account: i64, instrument: usize, quantity: Decimal) -> Owned {
        Owned {
            account_id: AccountId(account),
            instrument,
            quantity: Quantity(quantity),
            cost: Won(777),
        }
    }

    #[test]
    fn holdings_count_at_one_price_and_at_cost_without_one() {
        let portfolios = Portfolios {
            entrants: vec![entrant(1, 1_000), entrant(3, 5), entrant(4, 0)],
            owned: vec![
                owned(1, 0, dec!(2)),
                owned(1, 1, dec!(1)),
                // Its owner joined after the entrants were read.
                owned(2, 0, dec!(9)),
                owned(4, 2, dec!(1)),
            ],
            instruments: vec![
                ("005930".to_owned(), Currency::Krw),
                ("AAPL".to_owned(), Currency::Usd),
                ("NEW".to_owned(), Currency::Krw),
            ],
        };
        let prices = [
            Some((Price(dec!(100)), None)),
            Some((Price(dec!(2)), Some(dec!(1_400)))),
            None,
        ];
        let equities = portfolios.equities(&prices);
        assert_eq!(equities, [Won(4_000), Won(5), Won(777)]);
    }

    #[test]
    fn purchases_are_counted_as_far_as_any_rank_requires() {
        // What the statement counts.
        let counted = Activity {
            buys: 3,
            items: 2,
            days: 2,
        };
        assert!(counted.reaches(&Activity::ENOUGH));
    }

    #[test]
    fn a_fall_is_measured_from_the_highest_end_of_a_day() {
        let start = Fall::from_start(Won(1_000));
        assert_eq!(start.with(Won(1_000)).largest_e4, 0);
        let fallen = start.with(Won(900)).with(Won(2_000)).with(Won(1_500));
        assert_eq!((fallen.peak, fallen.largest_e4), (Won(2_000), 250_000));
        assert_eq!(fallen.with(Won(1_900)).largest_e4, 250_000);
    }

    #[test]
    fn days_that_are_added_later_count_as_if_all_were_read_at_once() {
        let ends = |all: &[(i64, i64)]| -> Vec<(AccountId, Won)> {
            let all = all.iter();
            all.map(|(account, equity)| (AccountId(*account), Won(*equity)))
                .collect()
        };
        let (start, mut daily, mut whole) = (Won(1_000), HashMap::new(), HashMap::new());
        add_ends(&mut daily, &ends(&[(1, 1_200), (2, 900)]), start);
        add_ends(&mut daily, &ends(&[(1, 600), (3, 500)]), start);
        let all = [(1, 1_200), (1, 600), (2, 900), (3, 500)];
        add_ends(&mut whole, &ends(&all), start);
        assert_eq!(daily, whole);
        let largest: Vec<i64> = [1, 2, 3]
            .map(|account| daily[&AccountId(account)].largest_e4)
            .to_vec();
        assert_eq!(largest, [500_000, 100_000, 500_000]);
    }
}
