//! What an entrant owns, as others see it where the event allows that: in percent, and a quarter of an
//! hour late, so that nobody can copy a trade while it is worth copying.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::{AccountId, Currency, MarketCode, MemberId, Quantity, Won};
use rust_decimal::Decimal;
use sea_orm::{
    AccessMode, ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, IsolationLevel,
    TransactionTrait,
};

use super::competition::{Competition, not_found};
use crate::accounts::profit;
use crate::error::TradingError;
use crate::market_cache::MarketCache;
use crate::refusal::Refusal;
use crate::store::{Store, sql};

/// By market time.
const DELAY: TimeDelta = TimeDelta::minutes(15);
/// Weights are percentages.
const WEIGHT_DECIMALS: u32 = 2;

/// Weights in percent of cash and holdings together, at the latest prices.
#[derive(Clone, Debug, PartialEq)]
pub struct EntrantHoldings {
    /// Largest first.
    pub holdings: Vec<EntrantHolding>,
    pub cash_weight: Decimal,
    /// Market time at which the entrant owned them; the end of an event that is over.
    pub as_of: DateTime<Utc>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct EntrantHolding {
    pub code: String,
    pub name: String,
    pub market: MarketCode,
    pub weight: Decimal,
}

#[derive(FromQueryResult)]
struct Entrant {
    account_id: AccountId,
    has_ended: bool,
}

#[derive(FromQueryResult)]
struct Row {
    instrument_code: String,
    instrument_name: String,
    market: String,
    currency: String,
    quantity: Decimal,
    /// What it ended with, or its cost for while no price is known.
    won: Won,
}

/// Fills at or after `$2` are taken back, in the shares of now.
const OWNED: &str = "
    select h.instrument_code, h.instrument_name, h.market, h.currency, o.quantity, h.cost_won as won
    from holding h
    cross join lateral (select h.quantity - coalesce(sum(
            case f.side when 'BUY' then f.quantity else -f.quantity end * s.ratio), 0) as quantity
        from fill f
        cross join lateral (select coalesce(round(exp(sum(
                ln(numerator::numeric / denominator))), 12), 1) as ratio
            from holding_split where account_id = f.account_id
                and instrument_code = f.instrument_code and id > f.id) s
        where f.account_id = h.account_id and f.instrument_code = h.instrument_code
            and f.event_time >= $2) o
    where h.account_id = $1 and round(o.quantity, 6) > 0";
const CASH: &str = "
    select b.amount - coalesce((select sum(e.amount) from fill f
        join journal j on j.kind = 'ORDER_FILLED' and j.source_type = 'FILL'
            and j.source_id = f.id::text
        join entry e on e.journal_id = j.id and e.account_id = f.account_id and e.asset = 'KRW'
        where f.account_id = $1 and f.event_time >= $2), 0)::bigint as cash
    from balance b where b.account_id = $1 and b.asset = 'KRW'";
const ENDED: &str = "
    select e.instrument_code, h.instrument_name, h.market, h.currency, e.quantity, e.value_won as won
    from ended_holding e join holding h on h.account_id = e.account_id
        and h.instrument_code = e.instrument_code
    where e.account_id = $1";

impl Store {
    /// What an entrant of an event whose board the member sees owned a quarter of an hour ago, or at the
    /// end.
    ///
    /// # Errors
    /// [`TradingError`]: there is no such event for the member, it does not show holdings, the other one
    /// does not take part, or of the database.
    pub async fn entrant_holdings(
        &self,
        member_id: MemberId,
        competition_id: i64,
        entrant: MemberId,
    ) -> Result<EntrantHoldings, TradingError> {
        let competition = self.competition_of_board(member_id, competition_id).await?;
        if !competition.shows_holdings {
            let message = "이 대회는 보유 종목을 공개하지 않아요.";
            return Err(Refusal::forbidden("COMPETITION_HOLDINGS_HIDDEN", message).into());
        }
        let transaction = self
            .db
            .begin_with_config(
                Some(IsolationLevel::RepeatableRead),
                Some(AccessMode::ReadOnly),
            )
            .await?;
        let found = entrant_of(&transaction, competition.id, entrant).await?;
        let found = found.ok_or_else(|| {
            let message = "이 대회에 참여한 사람이 아니에요.";
            Refusal::not_found("COMPETITION_ENTRANT_NOT_FOUND", message)
        })?;
        let holdings = self.entrant_holdings_in(&transaction, &competition, &found);
        let holdings = holdings.await?;
        transaction.commit().await?;
        Ok(holdings)
    }

    async fn entrant_holdings_in(
        &self,
        transaction: &DatabaseTransaction,
        competition: &Competition,
        entrant: &Entrant,
    ) -> Result<EntrantHoldings, TradingError> {
        let account = entrant.account_id;
        let now = self.market_time_or_clock();
        let late = (now - DELAY).min(competition.ends_at);
        let read = if entrant.has_ended {
            sql(ENDED, [account.into()])
        } else {
            sql(OWNED, [account.into(), late.into()])
        };
        let rows = Row::find_by_statement(read).all(transaction).await?;
        let owned = rows.into_iter().map(|row| {
            let value = if entrant.has_ended {
                row.won
            } else {
                row.value(&self.market_cache)
            };
            (row, value)
        });
        let cash = cash(transaction, account, (!entrant.has_ended).then_some(late)).await?;
        Ok(weighed(owned.collect(), cash, late)?)
    }
}

impl Row {
    fn value(&self, market_cache: &MarketCache) -> Won {
        let quote = market_cache.quote(&self.instrument_code);
        let currency = Currency::parse(&self.currency);
        let value = quote.zip(currency).and_then(|(quote, currency)| {
            profit::value(quote.last, Quantity(self.quantity), currency, quote.fx_rate)
        });
        value.unwrap_or(self.won)
    }
}

fn weighed(
    owned: Vec<(Row, Won)>,
    cash: Won,
    as_of: DateTime<Utc>,
) -> Result<EntrantHoldings, DbErr> {
    let all = cash.0 + owned.iter().map(|(_, value)| value.0).sum::<i64>();
    let weight = |won: Won| {
        let part = Decimal::from(won.0) * Decimal::ONE_HUNDRED;
        let part = part.checked_div(Decimal::from(all));
        part.unwrap_or_default().round_dp(WEIGHT_DECIMALS)
    };
    let holdings = owned.into_iter().map(|(row, value)| {
        let market = MarketCode::parse(&row.market)
            .ok_or_else(|| DbErr::Custom(format!("market of holding {}", row.instrument_code)))?;
        Ok(EntrantHolding {
            code: row.instrument_code,
            name: row.instrument_name,
            market,
            weight: weight(value),
        })
    });
    let mut holdings: Vec<EntrantHolding> = holdings.collect::<Result<_, DbErr>>()?;
    holdings.sort_by(|one, other| {
        let by_weight = other.weight.cmp(&one.weight);
        by_weight.then_with(|| one.code.cmp(&other.code))
    });
    Ok(EntrantHoldings {
        holdings,
        cash_weight: weight(cash),
        as_of,
    })
}

async fn entrant_of(
    transaction: &DatabaseTransaction,
    competition_id: i64,
    member_id: MemberId,
) -> Result<Option<Entrant>, DbErr> {
    let read = sql(
        "select account_id, last_journal is not null as has_ended from competition_entry \
         where competition_id = $1 and member_id = $2 and left_at is null",
        [competition_id.into(), member_id.into()],
    );
    Entrant::find_by_statement(read).one(transaction).await
}

/// What was there at an instant, or is there now.
async fn cash(
    transaction: &DatabaseTransaction,
    account: AccountId,
    at: Option<DateTime<Utc>>,
) -> Result<Won, TradingError> {
    let read = match at {
        Some(at) => sql(CASH, [account.into(), at.into()]),
        None => sql(
            "select amount as cash from balance where account_id = $1 and asset = 'KRW'",
            [account.into()],
        ),
    };
    let row = transaction.query_one_raw(read).await?;
    let row = row.ok_or_else(not_found)?;
    Ok(row.try_get("", "cash")?)
}

#[cfg(test)]
mod tests {
    use rust_decimal_macros::dec;

    use super::*;

    fn owned(code: &str, value: i64) -> (Row, Won) {
        let row = Row {
            instrument_code: code.to_owned(),
            instrument_name: code.to_owned(),
            market: "KOSPI".to_owned(),
            currency: "KRW".to_owned(),
            quantity: Decimal::ONE,
            won: Won(value),
        };
        (row, Won(value))
    }

    #[test]
    fn weights_are_parts_of_everything() {
        let holdings = vec![owned("B", 100), owned("A", 100), owned("C", 300)];
        let weighed = weighed(holdings, Won(400), DateTime::UNIX_EPOCH).unwrap();
        let weights: Vec<(&str, Decimal)> = weighed
            .holdings
            .iter()
            .map(|one| (one.code.as_str(), one.weight))
            .collect();
        let third = dec!(33.33);
        assert_eq!(
            weights,
            [("C", third), ("A", dec!(11.11)), ("B", dec!(11.11))]
        );
        assert_eq!(weighed.cash_weight, dec!(44.44));
    }

    #[test]
    fn an_account_without_anything_has_no_weights() {
        let empty = weighed(Vec::new(), Won::ZERO, DateTime::UNIX_EPOCH).unwrap();
        assert_eq!((empty.holdings, empty.cash_weight), (vec![], dec!(0)));
    }
}
