//! Profit and loss of a member: sums of a span and a page of its rows, of one instant.

use bootstrap::database::statement_timeout_for_deadline;
use chrono::NaiveDate;
use kernel::{Currency, MarketCode, MemberId, OrderId};
use rust_decimal::Decimal;
use sea_orm::{DatabaseTransaction, DbErr, FromQueryResult};

use super::filter::{PRODUCT, ProfitFilter, ProfitScope, Span};
use super::gains::FLOWS;
use super::owned::owned_at_end;
use super::question::Question;
use super::rows::{self, Line};
use super::totals::Totals;
use crate::contracts::cma::SETTLED_BEFORE;
use crate::error::TradingError;
use crate::seasons::span::SeasonSpan;
use crate::seasons::view::{AccountScope, SeasonView};
use crate::store::{Store, sql};

#[derive(Clone, Debug)]
pub struct ProfitPage {
    pub season: i32,
    pub span: Span,
    pub sums: ProfitSums,
    pub flows: CapitalFlows,
    /// Latest first.
    pub rows: Vec<ProfitRow>,
    /// Rows of all pages.
    pub total_count: i64,
    pub has_more: bool,
}

/// Sums of a span in won. Realized, unrealized and income less the costs are the total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProfitSums {
    pub realized: i64,
    pub unrealized: i64,
    /// Before tax.
    pub income: i64,
    pub fee: i64,
    pub tax: i64,
    /// The exchange spread of sales and dividends.
    pub fx: i64,
    /// What had been paid for what was sold or is owned.
    pub basis: i64,
    /// Sales of this month less what they cost, whatever the span is.
    pub this_month: i64,
}

/// Won that were put in and taken out of accounts in a span.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, FromQueryResult)]
pub struct CapitalFlows {
    pub initial: i64,
    pub points: i64,
    pub bought: i64,
    /// Positive only where an item of an earlier season was paid back.
    pub items: i64,
    pub transfers: i64,
}

#[derive(Clone, Debug)]
pub struct ProfitRow {
    pub key: String,
    pub day: NaiveDate,
    /// `None` of spans of days.
    pub item: Option<ProfitItem>,
    /// What was sold or is owned.
    pub quantity: Option<Decimal>,
    /// In the currency.
    pub buy_average: Option<Decimal>,
    pub sell_price: Option<Decimal>,
    pub gain: i64,
    /// The part of the gain that the price made; the exchange rate made the rest.
    pub price_part: i64,
    pub income: i64,
    pub cost: i64,
    pub basis: i64,
    /// Sales alone have one.
    pub order_id: Option<OrderId>,
    pub sales: i32,
}

#[derive(Clone, Debug)]
pub struct ProfitItem {
    pub code: String,
    pub name: String,
    /// `None` of contracts and CMA accounts.
    pub traded: Option<(MarketCode, Currency)>,
}

impl ProfitSums {
    #[must_use]
    pub fn total(&self) -> i64 {
        self.realized + self.unrealized + self.income - self.fee - self.tax - self.fx
    }
}

impl ProfitRow {
    /// Gain and income less cost.
    #[must_use]
    pub fn profit(&self) -> i64 {
        self.gain + self.income - self.cost
    }
}

impl Store {
    /// # Errors
    /// [`TradingError`]: the account is not the member's, or of the database.
    pub async fn profits(
        &self,
        member_id: MemberId,
        filter: &ProfitFilter,
    ) -> Result<ProfitPage, TradingError> {
        let scope = match (&filter.account, filter.scope) {
            (Some(choice), _) => AccountScope::One(choice),
            (None, ProfitScope::Competition) => AccountScope::Competitions,
            (None, _) => AccountScope::All,
        };
        let SeasonView {
            transaction,
            season,
            accounts,
            today,
        } = self.season_view(member_id, filter.season, scope).await?;
        let owned = if season.is_past() {
            owned_at_end(&transaction, &accounts, season.season).await?
        } else {
            self.owned(&transaction, member_id, &accounts).await?
        };
        let ids: Vec<i64> = accounts.iter().map(|row| row.id.0).collect();
        let span = filter.span(today);
        let question = Question {
            member_id,
            accounts: &ids,
            season: &season,
            filter,
            owned: &owned,
            today,
        };
        let totals = self.totals(&transaction, &question).await?;
        let lines = rows::lines(&transaction, &question).await?;
        let sums = sums(totals, &question);
        // A replay is years away from the time by which money is moved.
        let settled_before = span.from.filter(|_| self.clock_offset().is_zero());
        let settled_before = settled_before.and_then(|from| from.checked_sub_days(SETTLED_BEFORE));
        let flows = flows(&transaction, ids, (span, &season), (today, settled_before)).await?;
        transaction.commit().await?;
        let rows = lines
            .into_iter()
            .map(|line| line.into_row(filter.grouping.is_item()));
        let mut rows: Vec<ProfitRow> = rows.collect::<Result<_, DbErr>>()?;
        let size = usize::try_from(filter.size).unwrap_or(usize::MAX);
        let has_more = rows.len() > size;
        rows.truncate(size);
        Ok(ProfitPage {
            season: season.season,
            span,
            sums,
            flows,
            rows,
            total_count: totals.groups,
            has_more,
        })
    }
}

async fn flows(
    transaction: &DatabaseTransaction,
    accounts: Vec<i64>,
    (span, season): (Span, &SeasonSpan),
    (today, settled_before): (NaiveDate, Option<NaiveDate>),
) -> Result<CapitalFlows, DbErr> {
    statement_timeout_for_deadline(transaction).await?;
    let (from, before) = span.open_ended(today).instants();
    let statement = sql(
        FLOWS,
        [
            accounts.into(),
            from.into(),
            before.into(),
            season.season.into(),
            season.journals.after.into(),
            season.journals.through.into(),
            settled_before.into(),
        ],
    );
    let sums = CapitalFlows::find_by_statement(statement)
        .one(transaction)
        .await?;
    Ok(sums.unwrap_or_default())
}

fn sums(totals: Totals, question: &Question<'_>) -> ProfitSums {
    let is_present = question.span().includes(question.today);
    let (unrealized, basis) = if is_present {
        question.owned.sums(question.filter)
    } else {
        (0, 0)
    };
    ProfitSums {
        realized: totals.realized,
        unrealized,
        income: totals.income,
        fee: totals.fee,
        tax: totals.tax,
        fx: totals.fx,
        basis: totals.basis + basis,
        this_month: totals.this_month,
    }
}

impl Line {
    fn into_row(self, is_item: bool) -> Result<ProfitRow, DbErr> {
        let item = is_item.then(|| self.item()).transpose()?;
        let of_item = |value: Option<Decimal>| value.filter(|_| is_item);
        let key = self.key;
        Ok(ProfitRow {
            day: self.day,
            quantity: of_item(self.quantity),
            buy_average: of_item(self.buy_average),
            sell_price: of_item(self.sell_price),
            gain: self.gain.unwrap_or(0),
            price_part: self.price_part.unwrap_or(0),
            income: self.income.unwrap_or(0),
            cost: self.cost.unwrap_or(0),
            basis: self.basis.unwrap_or(0),
            order_id: self.order_id.map(OrderId).filter(|order| {
                // For an instrument it is only the newest of its orders.
                key.parse() == Ok(order.0) && key.len() == SALE_KEY
            }),
            sales: self.sales.unwrap_or(0),
            item,
            key,
        })
    }

    fn item(&self) -> Result<ProfitItem, DbErr> {
        let code = self.code.clone().unwrap_or_default();
        let fault = |column: &str| DbErr::Custom(format!("{column} of gains of {code}"));
        let market = self.market.as_deref().unwrap_or_default();
        let traded = if market == PRODUCT {
            None
        } else {
            let currency = self.currency.as_deref().and_then(Currency::parse);
            Some((
                MarketCode::parse(market).ok_or_else(|| fault("market"))?,
                currency.ok_or_else(|| fault("currency"))?,
            ))
        };
        Ok(ProfitItem {
            name: self.name.clone().unwrap_or_default(),
            traded,
            code,
        })
    }
}

/// Digits of the key of a sale.
const SALE_KEY: usize = 19;
