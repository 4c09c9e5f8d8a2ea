//! Checks of dividends: every owner of a share has exactly one claim, to the won.

use futures_util::TryStreamExt;
use kernel::{Currency, Quantity};
use rust_decimal::Decimal;
use sqlx::{PgConnection, Row};

use super::Finding;
use super::check::{Check, OfHolders, finding};
use crate::dividends::payout::{Payout, market_of, payout};
use crate::domain::cost::Costs;
use crate::domain::market::middle_rate;

const CLAIMED: &str =
    "who owned shares before an ex-day has a claim to the dividend and nobody else has";
const PAID: &str = "a paid dividend is what its shares earned";
const RECORDED: &str = "the ledger says of a dividend what its share says";
const IN_TIME: &str = "a dividend is paid in time";

const LAPSED: &str = "a claim to a dividend lapses with its season";

const AFTER_END: &str = "no dividend is paid after the end of a competition";

pub(super) const NAMES: [&str; 6] = [CLAIMED, PAID, RECORDED, LAPSED, AFTER_END, IN_TIME];

/// Accounts per transaction.
pub(super) const AT_ONCE: i64 = 10_000;

/// Newest trading day of fills and of the matcher; 0 before the first.
pub(super) async fn market_day(connection: &mut PgConnection) -> Result<i32, sqlx::Error> {
    let day = "select coalesce(max(day), 0) from ( \
                 select max(trading_day) as day \
                   from (select trading_day from fill order by id desc limit 1000) f \
                 union all select max((i.value->>'trading_day')::int) \
                   from matcher_offset, json_each(state) i) days";
    sqlx::query_scalar(day).fetch_one(connection).await
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Claims, once they are recorded or a week late.
    Claims,
    /// Payments, once they are due.
    Payments,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Due {
    id: i64,
    stage: Stage,
    noted: bool,
}

/// A claim or payment that is missing days later will not appear by itself. Days are compared as if
/// every month had 31, so a week here is at least four days.
const DUE: &str = "
    select d.id, d.noted_at is not null as noted, c.checked_to is distinct from $3
            and (d.noted_at is not null or d.ex_day / 10000 * 372 + d.ex_day / 100 % 100 * 31
                + d.ex_day % 100 + 7 < $1 / 10000 * 372 + $1 / 100 % 100 * 31 + $1 % 100) as claims,
        p.checked_to is distinct from $3 and d.noted_at is not null
            and ($2 or d.pay_day <= $1) as payments
    from dividend d
    left join audit_progress c on c.part = 'claims of dividend ' || d.id
    left join audit_progress p on p.part = 'payments of dividend ' || d.id
    where c.checked_to is distinct from $3 or p.checked_to is distinct from $3
    order by d.id";

/// Checks to run now; a `whole` audit includes payments that are not due.
pub(super) async fn due(
    connection: &mut PgConnection,
    market_day: i32,
    whole: bool,
) -> Result<Vec<Due>, sqlx::Error> {
    let query = sqlx::query(DUE).bind(market_day).bind(whole).bind(i64::MAX);
    let mut due = Vec::new();
    for row in query.fetch_all(connection).await? {
        for (stage, name) in [(Stage::Claims, "claims"), (Stage::Payments, "payments")] {
            if row.try_get(name)? {
                due.push(Due {
                    id: row.try_get("id")?,
                    stage,
                    noted: row.try_get("noted")?,
                });
            }
        }
    }
    Ok(due)
}

const LAST_OF: &str = "
    select max(account_id), count(*) from (select account_id from (
        select account_id from holding
            where instrument_code = (select instrument_code from dividend where id = $1)
                and account_id > $2
        union select account_id from dividend_share where dividend_id = $1 and account_id > $2
    ) either order by account_id limit $3) next_ones";
const CLAIMS: &str = "
    with owned as (
        select h.account_id, h.member_id, o.quantity
        from dividend d join holding h on h.instrument_code = d.instrument_code
        left join dividend_share n on n.dividend_id = d.id and n.account_id = h.account_id
        left join competition_entry c on c.account_id = n.account_id
        left join past_season p on p.member_id = n.member_id and p.season = n.season
            and c.account_id is null
        cross join lateral (select
            coalesce(p.last_fill, c.last_fill, 9223372036854775807) as last,
            -- Of the seasons before that of the claim; of all that have ended, where there is none.
            coalesce((select max(b.last_fill) from past_season b where b.account_id = h.account_id
                and (n.season is null or b.season < n.season)), 0) as ended) noted
        left join lateral (select s.id, s.quantity_after from holding_start s
            where s.account_id = h.account_id and s.instrument_code = h.instrument_code
                and s.trading_day <= d.ex_day and s.id > noted.ended and s.id <= noted.last
            order by s.id desc limit 1) split on true
        cross join lateral (select coalesce(split.quantity_after, 0) + coalesce(sum(
                case f.side when 'BUY' then f.quantity else -f.quantity end), 0) as quantity
            from fill f where f.account_id = h.account_id
                and f.instrument_code = h.instrument_code
                and f.id > greatest(split.id, noted.ended) and f.id <= noted.last
                and f.trading_day < d.ex_day) o
        where d.id = $1 and h.account_id > $2 and h.account_id <= $3 and o.quantity > 0)
    select 'dividend ' || $1 || ' of account ' || account_id as row,
        'owned ' || coalesce(o.quantity, 0) || ', noted ' || coalesce(s.quantity, 0) ||
            case when o.member_id <> s.member_id then ' for member ' || s.member_id else ''
            end as detail
    from owned o
    full join (select * from dividend_share
        where dividend_id = $1 and account_id > $2 and account_id <= $3) s using (account_id)
    where o.quantity is distinct from s.quantity or o.member_id <> s.member_id";
const LEDGER: &str = "
    select 'dividend share ' || s.id as row,
        'account entries ' || e.account || ', tax ' || e.tax || ', exchange ' || e.fx ||
            ', dividends ' || e.dividend as detail
    from dividend_share s
    left join journal j on j.id = s.journal_id and j.kind = 'DIVIDEND_PAID'
    cross join lateral (select
            coalesce(sum(amount) filter (where account_id = s.account_id), 0) as account,
            coalesce(sum(amount) filter (where book = 'TAX'), 0) as tax,
            coalesce(sum(amount) filter (where book = 'FX'), 0) as fx,
            coalesce(sum(amount) filter (where book = 'DIVIDEND'), 0) as dividend
        from entry where journal_id = j.id) e
    where s.dividend_id = $1 and s.account_id > $2 and s.account_id <= $3
        and (e.account, e.tax, e.fx, e.dividend)
            <> (s.gross_won - s.tax_won, s.tax_won, s.base_won - s.gross_won, -s.base_won)";
/// A claim lapses when its season or competition ends before it is paid, and only then.
const LAPSED_SQL: &str = "
    select 'dividend share ' || s.id as row, 'season ' || s.season || ', ended ' ||
        coalesce(p.ended_at::text, 'not') as detail
    from dividend_share s
    left join competition_entry c on c.account_id = s.account_id
    left join competition v on v.id = c.competition_id
    left join past_season p on p.member_id = s.member_id and p.season = s.season
    where s.dividend_id = $1 and s.account_id > $2 and s.account_id <= $3 and s.lapsed
        and case when c.account_id is null then p.season is null or s.paid_at < p.ended_at
            else c.last_fill is null and v.closing_at is null and not v.is_canceled
                and coalesce(s.settled_at < v.ends_at, true) end";
/// By market time, though accounts are closed later.
const AFTER_END_SQL: &str = "
    select 'dividend share ' || s.id as row, 'paid at ' || s.settled_at || ', ended at ' || v.ends_at
        as detail
    from dividend_share s
    join competition_entry c on c.account_id = s.account_id
    join competition v on v.id = c.competition_id
    where s.dividend_id = $1 and s.account_id > $2 and s.account_id <= $3
        and s.paid_at is not null and not s.lapsed and s.settled_at >= v.ends_at";
const SHARES: &str = "
    select s.id, s.quantity, s.paid_at is not null and not s.lapsed as is_paid, s.gross_won, s.tax_won, s.base_won,
        s.fx_rate, d.amount, d.currency, d.pay_day
    from dividend_share s join dividend d on d.id = s.dividend_id
    where s.dividend_id = $1 and s.account_id > $2 and s.account_id <= $3";

impl OfHolders for Due {
    fn part(&self) -> String {
        match self.stage {
            Stage::Claims => format!("claims of dividend {}", self.id),
            Stage::Payments => format!("payments of dividend {}", self.id),
        }
    }

    async fn slice_after(
        &self,
        connection: &mut PgConnection,
        from: i64,
        most: i64,
    ) -> Result<Option<(i64, i64)>, sqlx::Error> {
        let (last, count): (Option<i64>, i64) = sqlx::query_as(LAST_OF)
            .bind(self.id)
            .bind(from)
            .bind(most)
            .fetch_one(connection)
            .await?;
        Ok(last.map(|last| (last, count)))
    }

    async fn check(
        &self,
        connection: &mut PgConnection,
        (from, to): (i64, i64),
    ) -> Result<Vec<Finding>, sqlx::Error> {
        let between = (self.id, from, to);
        match self.stage {
            Stage::Claims => asked(connection, CLAIMED, CLAIMS, between).await,
            Stage::Payments => {
                let mut findings = asked(connection, RECORDED, LEDGER, between).await?;
                findings.extend(asked(connection, LAPSED, LAPSED_SQL, between).await?);
                findings.extend(asked(connection, AFTER_END, AFTER_END_SQL, between).await?);
                findings.extend(paid(connection, between).await?);
                Ok(findings)
            }
        }
    }

    fn is_lasting(&self) -> bool {
        self.stage == Stage::Claims && self.noted
    }

    async fn is_settled(&self, connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
        if self.stage == Stage::Claims {
            return Ok(self.noted);
        }
        let unpaid = "select not exists (select 1 from dividend_share \
                      where dividend_id = $1 and paid_at is null)";
        sqlx::query_scalar(unpaid)
            .bind(self.id)
            .fetch_one(connection)
            .await
    }
}

async fn asked(
    connection: &mut PgConnection,
    check: &'static str,
    sql: &'static str,
    (id, from, to): (i64, i64, i64),
) -> Result<Vec<Finding>, sqlx::Error> {
    let query = sqlx::query(sql).bind(id).bind(from).bind(to);
    let rows = query.fetch_all(connection).await?;
    rows.iter().map(|row| finding(check, row)).collect()
}

/// Computes every payment again: shares × amount at the rate of a dollar sale, rounded down to a won,
/// and its tax. A share that is not paid yet has no sums.
async fn paid(
    connection: &mut PgConnection,
    (id, from, to): (i64, i64, i64),
) -> Result<Vec<Finding>, sqlx::Error> {
    let costs = Costs::standard();
    let mut findings = Vec::new();
    let mut rows = sqlx::query(SHARES)
        .bind(id)
        .bind(from)
        .bind(to)
        .fetch(connection);
    while let Some(row) = rows.try_next().await? {
        let recorded = [
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
        if earned != Some(recorded) {
            let id: i64 = row.try_get("id")?;
            findings.push(Finding {
                check: PAID,
                row: format!("dividend share {id}"),
                detail: difference(recorded, earned),
            });
        }
    }
    Ok(findings)
}

fn difference(recorded: [i64; 3], earned: Option<[i64; 3]>) -> String {
    let sums = |[gross, tax, base]: [i64; 3]| format!("{gross} less tax {tax} of base {base}");
    let earned = earned.map_or_else(|| "no exchange rate".to_owned(), sums);
    format!("paid {}, earned {earned}", sums(recorded))
}

/// Dividend shares that are unpaid days after they were due.
pub(super) const LATE: Check = Check {
    name: IN_TIME,
    sql: "
    select 'dividend share ' || s.id as row,
        'due on ' || d.pay_day || ', not paid on ' || $1::int as detail
    from dividend d join dividend_share s on s.dividend_id = d.id and s.paid_at is null
    where d.pay_day / 10000 * 372 + d.pay_day / 100 % 100 * 31 + d.pay_day % 100 + 7
        < $1::int / 10000 * 372 + $1::int / 100 % 100 * 31 + $1::int % 100
    limit 1000",
};
