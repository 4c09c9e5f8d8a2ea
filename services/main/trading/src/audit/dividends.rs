//! Dividends: everybody who owned a share has a claim to what it earned, once, to the won.

use futures_util::TryStreamExt;
use kernel::{Currency, Quantity};
use rust_decimal::Decimal;
use sqlx::{PgConnection, Row};

use super::Finding;
use super::checks::Check;
use crate::domain::cost::Costs;
use crate::domain::dividend::{Payout, market_of, payout};
use crate::domain::market::middle_rate;

/// The name of [`paid`].
pub(super) const PAID: &str = "a paid dividend is what its shares earned";

/// What the booker has not done days later it will not do by itself. The market's day is the
/// newest that a fill or the matcher has seen. Days are compared as if every month had 31 of
/// them, so a week here is at least four days.
pub(super) const CHECKS: [Check; 3] = [
    Check {
        name: "who owned shares before an ex-day has a claim to the dividend and nobody else has",
        sql: "with market as (select max(day) as day from ( \
                select max(trading_day) as day from fill union all \
                select max((i.value->>'trading_day')::int) from matcher_offset, \
                  json_each(state) i) days), \
              told as (select d.* from dividend d left join market on true \
                where d.noted_at is not null or d.ex_day / 10000 * 372 + d.ex_day / 100 % 100 * 31 \
                  + d.ex_day % 100 + 7 < market.day / 10000 * 372 + market.day / 100 % 100 * 31 \
                  + market.day % 100), \
              owned as (select d.id as dividend_id, h.account_id, h.member_id, o.quantity \
                from told d join holding h on h.instrument_code = d.instrument_code \
                left join lateral (select s.id, s.quantity_after from holding_split s \
                  where s.account_id = h.account_id and s.instrument_code = h.instrument_code \
                    and s.trading_day <= d.ex_day order by s.id desc limit 1) split on true \
                cross join lateral (select coalesce(split.quantity_after, 0) + coalesce(sum( \
                    case f.side when 'BUY' then f.quantity else -f.quantity end), 0) as quantity \
                  from fill f where f.account_id = h.account_id \
                    and f.instrument_code = h.instrument_code \
                    and f.id > coalesce(split.id, 0) and f.trading_day < d.ex_day) o \
                where o.quantity > 0) \
              select 'dividend ' || dividend_id || ' of account ' || account_id as row, \
                'owned ' || coalesce(o.quantity, 0) || ', noted ' || coalesce(s.quantity, 0) || \
                case when o.member_id <> s.member_id then ' for member ' || s.member_id else '' \
                end as detail from owned o \
              full join dividend_share s using (dividend_id, account_id) \
              where o.quantity is distinct from s.quantity or o.member_id <> s.member_id",
    },
    Check {
        name: "a dividend is paid in time",
        sql: "with market as (select max(day) as day from ( \
                select max(trading_day) as day from fill union all \
                select max((i.value->>'trading_day')::int) from matcher_offset, \
                  json_each(state) i) days) \
              select 'dividend share ' || s.id as row, 'due on ' || d.pay_day || ', not paid on ' \
                || market.day as detail \
              from dividend_share s join dividend d on d.id = s.dividend_id cross join market \
              where s.paid_at is null and d.pay_day / 10000 * 372 + d.pay_day / 100 % 100 * 31 \
                + d.pay_day % 100 + 7 < market.day / 10000 * 372 + market.day / 100 % 100 * 31 \
                + market.day % 100",
    },
    Check {
        name: "the ledger says of a dividend what its share says",
        sql: "select 'dividend share ' || coalesce(s.id::text, 'of journal ' || e.journal_id) as row, \
                'account entries ' || coalesce(e.account, 0) || ', tax ' || coalesce(e.tax, 0) || \
                ', exchange ' || coalesce(e.fx, 0) || ', dividends ' || coalesce(e.dividend, 0) \
                as detail from dividend_share s \
              full join (select e.journal_id, \
                  coalesce(sum(amount) filter (where account_id is not null), 0) as account, \
                  max(account_id) as account_id, \
                  coalesce(sum(amount) filter (where book = 'TAX'), 0) as tax, \
                  coalesce(sum(amount) filter (where book = 'FX'), 0) as fx, \
                  coalesce(sum(amount) filter (where book = 'DIVIDEND'), 0) as dividend \
                from entry e join journal j on j.id = e.journal_id \
                where j.kind = 'DIVIDEND_PAID' group by e.journal_id) e \
                on e.journal_id = s.journal_id \
              where coalesce(e.account, 0) <> coalesce(s.gross_won - s.tax_won, 0) \
                or coalesce(e.tax, 0) <> coalesce(s.tax_won, 0) \
                or coalesce(e.fx, 0) <> coalesce(s.base_won - s.gross_won, 0) \
                or coalesce(e.dividend, 0) <> coalesce(-s.base_won, 0) \
                or e.account_id <> s.account_id or (s.id is null and e.dividend <> 0)",
    },
];

const SHARES: &str = "
    select s.id, s.quantity, s.paid_at is not null as is_paid, s.gross_won, s.tax_won, s.base_won,
           s.fx_rate, d.amount, d.currency, d.pay_day
    from dividend_share s join dividend d on d.id = s.dividend_id order by s.id";

/// Reckons again what every share was paid: the shares times the amount, at the rate a seller of
/// dollars gets, cut to a won, and the tax of it. What is not paid yet has no sums.
pub(super) async fn paid(connection: &mut PgConnection) -> Result<Vec<Finding>, sqlx::Error> {
    let costs = Costs::standard();
    let mut findings = Vec::new();
    let mut rows = sqlx::query(SHARES).fetch(connection);
    while let Some(row) = rows.try_next().await? {
        let booked = [
            row.try_get::<i64, _>("gross_won")?,
            row.try_get("tax_won")?,
            row.try_get("base_won")?,
        ];
        let currency = match row.try_get::<&str, _>("currency")? {
            "USD" => Currency::Usd,
            _ => Currency::Krw,
        };
        let fx_rate: Option<Decimal> = row.try_get("fx_rate")?;
        let earned = if row.try_get("is_paid")? {
            let rates = costs.on(market_of(currency), row.try_get("pay_day")?);
            let quantity = Quantity(row.try_get("quantity")?);
            let amount: Decimal = row.try_get("amount")?;
            middle_rate(currency, fx_rate)
                .and_then(|middle| payout(quantity, amount, currency, middle, &rates).ok())
                .map(|Payout { gross, tax, base }| [gross.0, tax.0, base.0])
        } else {
            Some([0, 0, 0])
        };
        if earned != Some(booked) {
            let id: i64 = row.try_get("id")?;
            findings.push(Finding {
                check: PAID,
                row: format!("dividend share {id}"),
                detail: difference(booked, earned),
            });
        }
    }
    Ok(findings)
}

fn difference(booked: [i64; 3], earned: Option<[i64; 3]>) -> String {
    let sums = |[gross, tax, base]: [i64; 3]| format!("{gross} less tax {tax} of base {base}");
    let earned = earned.map_or_else(|| "no exchange rate".to_owned(), sums);
    format!("paid {}, earned {earned}", sums(booked))
}
