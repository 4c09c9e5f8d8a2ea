//! Dividends of a member: paid, due, and announced for the present holdings.

use chrono::{DateTime, Utc};
use kernel::{AccountId, Currency, MarketCode, MemberId, Quantity};
use rust_decimal::Decimal;
use sea_orm::{DbErr, FromQueryResult};

use super::currency;
use crate::dividends::payout::{market_of, payout};
use crate::domain::market::middle_rate;
use crate::error::TradingError;
use crate::store::Store;
use crate::store::sql;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DividendFilter {
    /// All with recorded claims, latest pay day first.
    All,
    /// Not paid yet, soonest first.
    Due,
    /// Paid, latest first.
    Paid,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DividendState {
    Announced,
    Due,
    Paid,
}

#[derive(Clone, Debug)]
pub struct DividendPage {
    pub dividends: Vec<MemberDividend>,
    /// `after_id` of the next page; `None` on the last one.
    pub next: Option<i64>,
    /// Only with the first page of [`DividendFilter::Due`].
    pub announced: Vec<MemberDividend>,
}

#[derive(Clone, Debug)]
pub struct MemberDividend {
    /// 0 while announced.
    pub id: i64,
    pub account_no: String,
    pub instrument_code: String,
    pub instrument_name: String,
    pub market: MarketCode,
    pub state: DividendState,
    /// yyyymmdd.
    pub ex_day: i32,
    /// yyyymmdd.
    pub pay_day: i32,
    pub quantity: Decimal,
    /// For each share.
    pub amount: Decimal,
    pub currency: Currency,
    /// Before it is paid an estimate at the present exchange rate; 0 while none is known.
    pub gross_won: i64,
    pub tax_won: i64,
    pub fx_rate: Option<Decimal>,
    pub paid_at: Option<DateTime<Utc>>,
}

#[derive(FromQueryResult)]
struct Row {
    id: i64,
    account_no: String,
    instrument_code: String,
    instrument_name: String,
    market: String,
    ex_day: i32,
    pay_day: i32,
    quantity: Decimal,
    amount: Decimal,
    currency: String,
    gross_won: i64,
    tax_won: i64,
    fx_rate: Option<Decimal>,
    paid_at: Option<DateTime<Utc>>,
}

/// Won before tax, tax, and the exchange rate.
type Sums = (i64, i64, Option<Decimal>);

impl Store {
    /// A page of dividends by pay day, after the one with `after_id`: of the accounts of the present mode.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn member_dividends(
        &self,
        member_id: MemberId,
        filter: DividendFilter,
        after_id: Option<i64>,
        size: i64,
    ) -> Result<DividendPage, TradingError> {
        let competing = self.competition_mode(member_id).await?;
        let competing = competing.map(|current| current.account_id);
        let (paid, sign) = match filter {
            DividendFilter::All => (None, -1),
            DividendFilter::Due => (Some(false), 1),
            DividendFilter::Paid => (Some(true), -1),
        };
        let page = sql(
            "select s.id, a.account_no, d.instrument_code, s.instrument_name, h.market, d.ex_day, \
             d.pay_day, s.quantity, d.amount, d.currency, s.gross_won, s.tax_won, s.fx_rate, \
             s.paid_at \
             from dividend_share s join dividend d on d.id = s.dividend_id \
             join account a on a.id = s.account_id \
             join holding h on h.account_id = s.account_id \
                and h.instrument_code = d.instrument_code \
             where s.member_id = $1 \
                and ($6::bigint is null and a.code <> '99' \
                    and s.season > (select count(*) from past_season p where p.member_id = $1) \
                    or a.id = $6) \
                and ($2::boolean is null or $2 = (s.paid_at is not null)) \
                and ($4::bigint is null or (d.pay_day * $3, s.id * $3) > ( \
                    select p.pay_day * $3, o.id * $3 from dividend_share o \
                    join dividend p on p.id = o.dividend_id \
                    where o.id = $4 and o.member_id = $1)) \
             order by d.pay_day * $3, s.id * $3 limit $5",
            [
                member_id.0.into(),
                paid.into(),
                sign.into(),
                after_id.into(),
                size.saturating_add(1).into(),
                competing.into(),
            ],
        );
        let mut rows = Row::find_by_statement(page).all(&self.db).await?;
        let fits = usize::try_from(size).unwrap_or(0);
        let more = rows.len() > fits;
        rows.truncate(fits);
        let next = rows.last().filter(|_| more).map(|row| row.id);
        let announced = if filter == DividendFilter::Due && after_id.is_none() {
            self.announced_dividends(member_id, competing).await?
        } else {
            Vec::new()
        };
        let dividends = rows.into_iter().map(|row| {
            let state = match row.paid_at {
                Some(_) => DividendState::Paid,
                None => DividendState::Due,
            };
            self.dividend(row, state)
        });
        Ok(DividendPage {
            dividends: dividends.collect::<Result<_, _>>()?,
            next,
            announced,
        })
    }

    async fn announced_dividends(
        &self,
        member_id: MemberId,
        competing: Option<AccountId>,
    ) -> Result<Vec<MemberDividend>, TradingError> {
        let announced = sql(
            "select 0::bigint as id, a.account_no, d.instrument_code, h.instrument_name, h.market, \
             d.ex_day, d.pay_day, h.quantity, d.amount, d.currency, 0::bigint as gross_won, \
             0::bigint as tax_won, null::numeric as fx_rate, null::timestamptz as paid_at \
             from holding h join dividend d on d.instrument_code = h.instrument_code \
             join account a on a.id = h.account_id \
             where h.member_id = $1 and h.quantity > 0 and d.noted_at is null \
                and ($2::bigint is null and a.code <> '99' or a.id = $2) \
             order by d.ex_day, d.id, a.id limit 100",
            [member_id.0.into(), competing.into()],
        );
        let rows = Row::find_by_statement(announced).all(&self.db).await?;
        rows.into_iter()
            .map(|row| self.dividend(row, DividendState::Announced))
            .collect()
    }

    fn dividend(&self, row: Row, state: DividendState) -> Result<MemberDividend, TradingError> {
        let market = MarketCode::parse(&row.market)
            .ok_or_else(|| DbErr::Custom(format!("market of holding {}", row.instrument_code)))?;
        let currency = currency(&row.currency)?;
        let (gross_won, tax_won, fx_rate) = if state == DividendState::Paid {
            (row.gross_won, row.tax_won, row.fx_rate)
        } else {
            self.expected(&row, currency)?
        };
        Ok(MemberDividend {
            id: row.id,
            account_no: row.account_no,
            instrument_code: row.instrument_code,
            instrument_name: row.instrument_name,
            market,
            state,
            ex_day: row.ex_day,
            pay_day: row.pay_day,
            quantity: row.quantity,
            amount: row.amount,
            currency,
            gross_won,
            tax_won,
            fx_rate,
            paid_at: row.paid_at,
        })
    }

    /// Payment at the present exchange rate; zero while none is known.
    fn expected(&self, row: &Row, currency: Currency) -> Result<Sums, TradingError> {
        let fx_rate = self
            .market_cache
            .quote(&row.instrument_code)
            .and_then(|quote| quote.fx_rate)
            .filter(|_| currency == Currency::Usd);
        let Some(middle) = middle_rate(currency, fx_rate) else {
            return Ok((0, 0, None));
        };
        let rates = self.costs.on(market_of(currency), row.pay_day);
        let expected = payout(Quantity(row.quantity), row.amount, currency, middle, &rates)
            .map_err(|error| DbErr::Custom(error.to_string()))?;
        Ok((expected.gross.0, expected.tax.0, fx_rate))
    }
}
