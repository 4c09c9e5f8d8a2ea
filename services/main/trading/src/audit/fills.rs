//! Checks of fills: order, sequence number, ledger, charge by price, exchange rate and fee table, and a
//! price within the limit of the order.

use futures_util::TryStreamExt;
use kernel::{Currency, MarketCode, Price, Quantity, Won};
use rust_decimal::Decimal;
use sqlx::{PgConnection, Row};

use super::Finding;
use super::check::Check;
use super::history::Slice;
use crate::domain::cost::Costs;
use crate::domain::market::middle_rate;
use crate::domain::settlement::charge_after;
use crate::matching::fill_model::FillModel;
use crate::matching::offer::FillRule;
use crate::orders::order::{FillTotals, Side};

pub(super) const CHECKS: [Check; 3] = [
    Check {
        name: "a fill is of its order",
        sql: "select 'fill ' || f.id as row, 'order ' || f.order_id || ' of account ' || \
                coalesce(o.account_id::text, 'none') || ', fill of account ' || f.account_id || \
                ' and member ' || f.member_id as detail \
              from fill f left join trade_order o on o.id = f.order_id \
              where f.id > $1 and f.id <= $2 and (o.account_id, o.member_id, o.instrument_code, \
                o.side) is distinct from (f.account_id, f.member_id, f.instrument_code, f.side)",
    },
    Check {
        name: "the ledger says of a fill what the fill says",
        sql: "select 'fill ' || f.id as row, 'account entries ' || e.account || ', market ' || \
                e.market || ', fee ' || e.fee || ', tax ' || e.tax as detail from fill f \
              cross join lateral (select \
                  coalesce(sum(amount) filter (where account_id = f.account_id), 0) as account, \
                  coalesce(sum(amount) filter (where book = 'MARKET'), 0) as market, \
                  coalesce(sum(amount) filter (where book = 'FEE'), 0) as fee, \
                  coalesce(sum(amount) filter (where book = 'TAX'), 0) as tax \
                from entry where journal_id = f.journal_id) e \
              where f.id > $1 and f.id <= $2 and (e.account <> case f.side when 'BUY' \
                  then -(f.amount_won + f.fee_won) else f.amount_won - f.fee_won - f.tax_won end \
                or e.market <> case f.side when 'BUY' then f.base_won else -f.base_won end \
                or e.fee <> f.fee_won or e.tax <> f.tax_won)",
    },
    Check {
        name: NUMBERED,
        sql: "select 'member ' || f.member_id as row, 'fill ' || f.id || ' is number ' || \
                f.member_seq || ', and there is none before it' as detail from fill f \
              where f.id > $1 and f.id <= $2 and (f.member_seq < 1 or f.member_seq > 1 \
                and not exists (select 1 from fill p where p.member_id = f.member_id \
                  and p.member_seq = f.member_seq - 1))",
    },
];

pub(super) const NUMBERED: &str = "the fills of a member are numbered without a hole";
pub(super) const CHARGED: &str =
    "a fill is charged its price times quantity and rate, and the fees of its day";
pub(super) const EXACT: &str = "an order's exact sums are those of its fills";
pub(super) const PRICED: &str = "a fill keeps to its limit, its reference and its rule";

/// All fills of the orders that have one in the slice: the charge of a fill depends on the earlier
/// ones.
const FILLS: &str = "
    select f.id, f.order_id, f.trading_day, f.tick_price, f.bid, f.ask, f.rule, f.quantity, f.price,
        f.amount_won, f.base_won, f.fee_won, f.tax_won, f.fx_rate, f.model_version, o.side, o.market,
        o.currency, o.price as limit_price, o.reference_price, o.filled_quantity, o.gross_exact,
        o.quote_exact
    from fill f join trade_order o on o.id = f.order_id
    where f.order_id in (select order_id from fill where id > $1 and id <= $2) and f.id <= $2
    order by f.order_id, f.id";

struct Line {
    id: i64,
    order_id: i64,
    trading_day: i32,
    tick_price: Price,
    bid: Option<Price>,
    ask: Option<Price>,
    rule: String,
    quantity: Quantity,
    price: Price,
    recorded: [Won; 4],
    fx_rate: Option<Decimal>,
    model_version: String,
    side: Side,
    market: MarketCode,
    currency: Currency,
    limit: Option<Price>,
    reference: Option<Price>,
    order_filled: Decimal,
    order_exact: (Decimal, Decimal),
}

/// Findings in a slice, and its number of fills.
pub(super) async fn check(
    connection: &mut PgConnection,
    slice: Slice,
) -> Result<(Vec<Finding>, i64), sqlx::Error> {
    let mut findings = Vec::new();
    for check in &CHECKS {
        findings.extend(check.of_slice(connection, slice).await?);
    }
    let costs = Costs::standard();
    let mut count = 0;
    let mut order_id = 0;
    let mut before = (FillTotals::default(), Quantity::ZERO);
    let query = sqlx::query(FILLS).bind(slice.from).bind(slice.to);
    let mut rows = query.fetch(connection);
    while let Some(row) = rows.try_next().await? {
        let line = Line::read(&row)?;
        if line.order_id != order_id {
            order_id = line.order_id;
            before = (FillTotals::default(), Quantity::ZERO);
        }
        let wrong = line.settle(&mut before, &costs);
        if line.id > slice.from {
            count += 1;
            findings.extend(wrong.map(|detail| line.finding(CHARGED, detail)));
            findings.extend(line.misplaced().map(|why| line.finding(PRICED, why)));
            findings.extend(line.unequal_sums(&before));
        }
    }
    Ok((findings, count))
}

impl Line {
    fn read(row: &sqlx::postgres::PgRow) -> Result<Self, sqlx::Error> {
        let unknown = |what: &str| sqlx::Error::Decode(format!("unknown {what}").into());
        let price =
            |name: &str| Ok::<_, sqlx::Error>(row.try_get::<Option<_>, _>(name)?.map(Price));
        Ok(Self {
            id: row.try_get("id")?,
            order_id: row.try_get("order_id")?,
            trading_day: row.try_get("trading_day")?,
            tick_price: Price(row.try_get("tick_price")?),
            bid: price("bid")?,
            ask: price("ask")?,
            rule: row.try_get("rule")?,
            quantity: Quantity(row.try_get("quantity")?),
            price: Price(row.try_get("price")?),
            recorded: [
                Won(row.try_get("amount_won")?),
                Won(row.try_get("base_won")?),
                Won(row.try_get("fee_won")?),
                Won(row.try_get("tax_won")?),
            ],
            fx_rate: row.try_get("fx_rate")?,
            model_version: row.try_get("model_version")?,
            side: Side::parse(row.try_get("side")?).ok_or_else(|| unknown("side"))?,
            market: MarketCode::parse(row.try_get("market")?).ok_or_else(|| unknown("market"))?,
            currency: Currency::parse(row.try_get("currency")?)
                .ok_or_else(|| unknown("currency"))?,
            limit: price("limit_price")?,
            reference: price("reference_price")?,
            order_filled: row.try_get("filled_quantity")?,
            order_exact: (row.try_get("gross_exact")?, row.try_get("quote_exact")?),
        })
    }

    fn finding(&self, check: &'static str, detail: String) -> Finding {
        Finding {
            check,
            row: format!("fill {}", self.id),
            detail,
        }
    }

    /// Computes the charge again. The sums continue from the recorded charge, so that one wrong fill
    /// is one finding.
    fn settle(&self, before: &mut (FillTotals, Quantity), costs: &Costs) -> Option<String> {
        let rates = costs.on(self.market, self.trading_day);
        let middle = middle_rate(self.currency, self.fx_rate);
        let charged = middle.and_then(|middle| {
            charge_after(
                self.side,
                *before,
                self.quantity,
                self.price,
                middle,
                &rates,
            )
            .ok()
        });
        let [amount, base, fee, tax] = self.recorded;
        before.1.0 += self.quantity.0;
        before.0.amount.0 = before.0.amount.0.saturating_add(amount.0);
        before.0.base.0 = before.0.base.0.saturating_add(base.0);
        before.0.fee.0 = before.0.fee.0.saturating_add(fee.0);
        before.0.tax.0 = before.0.tax.0.saturating_add(tax.0);
        let Some(charged) = charged else {
            return Some("no exchange rate, or a sum that is out of range".to_owned());
        };
        before.0.gross_exact = charged.totals.gross_exact;
        before.0.quote_exact = charged.totals.quote_exact;
        let expected = [charged.amount, charged.base, charged.fee, charged.tax];
        let sums = |[amount, base, fee, tax]: [Won; 4]| {
            format!(
                "{} (base {}), fee {}, tax {}",
                amount.0, base.0, fee.0, tax.0
            )
        };
        (expected != self.recorded).then(|| {
            format!(
                "recorded {}; computed {}",
                sums(self.recorded),
                sums(expected)
            )
        })
    }

    /// Why the order could not have got this price.
    fn misplaced(&self) -> Option<String> {
        let (price, tick) = (self.price, self.tick_price);
        let worse = |price: Price, than: Price| match self.side {
            Side::Buy => price > than,
            Side::Sell => price < than,
        };
        if let Some(limit) = self.limit.filter(|limit| worse(price, *limit)) {
            return Some(format!(
                "price {} is worse than the limit {}",
                price.0, limit.0
            ));
        }
        if self.limit.is_none()
            && let Some(reference) = self.reference
            && worse(price, reference)
            && FillModel::V1.exceeds_slippage(price, reference)
        {
            return Some(format!("price {} is far from {}", price.0, reference.0));
        }
        if self.model_version != FillModel::V1.version {
            return None;
        }
        let opposite = match self.side {
            Side::Buy => self.ask,
            Side::Sell => self.bid,
        };
        let has_quotes = self.bid.is_some() || self.ask.is_some();
        // Ticks are not checked, because the tick table may have changed since.
        let taken = match opposite {
            Some(best) => price == best,
            None => !has_quotes && !worse(tick, price),
        };
        let is = |rule: FillRule| self.rule == rule.as_str();
        let fits = if is(FillRule::MarketBidAsk) {
            has_quotes && taken
        } else if is(FillRule::MarketOneTickWorse) {
            !has_quotes && taken
        } else if is(FillRule::LimitTaker) {
            self.limit.is_some() && taken
        } else if is(FillRule::LimitThrough) {
            self.limit == Some(price) && worse(price, tick)
        } else if is(FillRule::LimitAtPrice) {
            self.limit == Some(price) && price == tick
        } else {
            (is(FillRule::OpeningGap) || is(FillRule::Auction)) && price == tick
        };
        (!fits).then(|| {
            format!(
                "price {} by {} of a trade at {}",
                price.0, self.rule, tick.0
            )
        })
    }

    /// Compares the exact sums of the order if this is its newest fill.
    fn unequal_sums(&self, now: &(FillTotals, Quantity)) -> Option<Finding> {
        let exact = (now.0.gross_exact, now.0.quote_exact);
        let is_newest = self.order_filled == now.1.0;
        (is_newest && exact != self.order_exact).then(|| Finding {
            check: EXACT,
            row: format!("order {}", self.order_id),
            detail: format!("{:?}, its fills {exact:?}", self.order_exact),
        })
    }
}
