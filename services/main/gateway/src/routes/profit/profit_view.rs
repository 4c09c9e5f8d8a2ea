//! Profit and loss as clients read it. Everything in won unless it says otherwise.

use proto::convert::{InvalidField, to_optional_decimal as optional};
use proto::trading::v1 as trading;
use rust_decimal::Decimal;
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::item::percent_change;
use crate::wire::market::{Currency, MarketCode};
use crate::wire::number::Exact;
use crate::wire::rows::decode_rows;
use crate::wire::time::day;

/// Gains and losses of a span.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProfitList {
    summary: ProfitSummary,
    rows: Vec<ProfitRow>,
    /// Rows of all pages.
    total_count: i64,
    /// Asks for the next page; null when there is none.
    next_cursor: Option<String>,
    season: i32,
    /// First day of the span; null = from the first on.
    start_date: Option<String>,
    end_date: String,
    flows: CapitalFlows,
}

/// `total` = `realized` + `unrealized` + `income` − `fee` − `tax` − `fx`. Of everything an account ever
/// did it is what the account is worth less its base.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ProfitSummary {
    /// Sales at the middle exchange rate less what the sold part had cost. What dollars cost contains
    /// the spread of their purchase.
    realized: i64,
    /// What is owned now, also the interest that open deposits have earned; 0 when the span ends before
    /// today.
    unrealized: i64,
    /// Dividends and interest before tax.
    income: i64,
    fee: i64,
    tax: i64,
    /// Exchange spread of sales and dividends.
    fx: i64,
    total: i64,
    /// Percent of what had been paid for what was sold or is owned; null when that is nothing.
    rate: Option<Exact>,
    /// Sales of this month less what they cost, whatever the span is.
    this_month: i64,
}

/// What was put in and taken out in the span: no profit, it moves the base.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CapitalFlows {
    deposit_init: i64,
    education_point: i64,
    /// Cash exchanged and packs.
    buy_deposit: i64,
    /// Items bought, as a negative number.
    items: i64,
    /// Moved into the accounts less moved out of them; 0 over all accounts.
    transfers: i64,
}

/// What an instrument, a span of days or a sale brought.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ProfitRow {
    /// Unique among the rows.
    key: String,
    /// The latest day that is in it.
    date: String,
    /// Null for a span of days, as `code` is.
    name: Option<String>,
    /// Of an instrument; of a contract or a CMA account its number.
    code: Option<String>,
    /// Null for a span of days, a contract, a CMA account, as `currency` is.
    market_code: Option<MarketCode>,
    currency: Option<Currency>,
    /// What was sold, or with UNREALIZED is owned; null where there is none.
    qty: Option<Exact>,
    /// Average price that was paid, in `currency`.
    buy_avg: Option<Exact>,
    /// Average price of the sales, or with UNREALIZED the last price, in `currency`.
    sell_prc: Option<Exact>,
    /// `pricePart` + `fxPart` + `income` − `cost`.
    pnl: i64,
    /// Percent of what had been paid; null when that is nothing.
    rate: Option<Exact>,
    /// What the price changed, at the exchange rate of the sale.
    price_part: i64,
    /// What the exchange rate changed; contains the spread of the purchase.
    fx_part: i64,
    /// Dividends and interest before tax.
    income: i64,
    /// Fees, taxes and exchange spread.
    cost: i64,
    /// What had been paid for what was sold or is owned.
    paid: i64,
    /// Of a sale.
    order_sid: Option<i64>,
    /// Sell orders in it.
    sale_count: i32,
}

/// Percent that `profit` is of `paid`.
fn rate(profit: i64, paid: i64) -> Option<Exact> {
    let (profit, paid) = (Decimal::from(profit), Decimal::from(paid));
    (paid > Decimal::ZERO).then(|| Exact(percent_change(paid + profit, paid)))
}

impl TryFrom<trading::Profits> for ProfitList {
    type Error = InvalidField;

    fn try_from(page: trading::Profits) -> Result<Self, InvalidField> {
        let last = page.rows.last().filter(|_| page.has_more);
        let next_cursor = last.map(|row| format!("{:08}-{}", row.day, row.key));
        let summary = page.summary.ok_or(InvalidField("summary"))?;
        let flows = page.flows.unwrap_or_default();
        let start = Some(page.from_day).filter(|day| *day != 0);
        Ok(Self {
            summary: summary.into(),
            rows: decode_rows(page.rows),
            total_count: page.total_count,
            next_cursor,
            season: page.season,
            start_date: start.map(|from| day(from, "from_day")).transpose()?,
            end_date: day(page.to_day, "to_day")?,
            flows: CapitalFlows {
                deposit_init: flows.initial_won,
                education_point: flows.education_points_won,
                buy_deposit: flows.bought_won,
                items: flows.items_won,
                transfers: flows.transfers_won,
            },
        })
    }
}

impl From<trading::ProfitSummary> for ProfitSummary {
    fn from(sums: trading::ProfitSummary) -> Self {
        Self {
            realized: sums.realized_won,
            unrealized: sums.unrealized_won,
            income: sums.income_won,
            fee: sums.fee_won,
            tax: sums.tax_won,
            fx: sums.fx_won,
            total: sums.total_won,
            rate: rate(sums.total_won, sums.cost_basis_won),
            this_month: sums.this_month_won,
        }
    }
}

impl TryFrom<trading::ProfitRow> for ProfitRow {
    type Error = InvalidField;

    fn try_from(row: trading::ProfitRow) -> Result<Self, InvalidField> {
        let number = |value, field| Ok(optional(value, field)?.map(Exact));
        let is_traded = row.market != 0;
        let market = is_traded.then(|| row.market().to_kernel()).transpose()?;
        let currency = is_traded.then(|| row.currency().to_kernel()).transpose()?;
        let text = |text: String| Some(text).filter(|text| !text.is_empty());
        Ok(Self {
            date: day(row.day, "day")?,
            market_code: market.map(Into::into),
            currency: currency.map(Into::into),
            qty: number(row.quantity.as_ref(), "quantity")?,
            buy_avg: number(row.buy_average.as_ref(), "buy_average")?,
            sell_prc: number(row.sell_price.as_ref(), "sell_price")?,
            pnl: row.profit_won,
            rate: rate(row.profit_won, row.cost_basis_won),
            price_part: row.price_part_won,
            fx_part: row.fx_part_won,
            income: row.income_won,
            cost: row.cost_won,
            paid: row.cost_basis_won,
            order_sid: Some(row.order_id).filter(|order| *order != 0),
            sale_count: row.sale_count,
            name: text(row.name),
            code: text(row.code),
            key: row.key,
        })
    }
}
