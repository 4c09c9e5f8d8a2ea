//! Checks of contracts: what was paid in, what it earned and what was paid out, to the won.

use chrono::{Days, NaiveDate};
use kernel::Won;
use market_rules::contract::{Agreement, Paid, Plan, cma_interest};
use market_rules::interest::Compounding;
use rust_decimal::Decimal;
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row};

use super::Finding;
use super::check::{Check, all_of_ids};
use super::dividends::market_day;
use crate::domain::day::date_of;

const CMA: &str = "interest of a CMA is what its balance earned";
const EARNED: &str = "a contract earned what its terms say";
const IN_TIME: &str = "a contract does in time what is due";
const CMA_IN_TIME: &str = "a CMA is paid its days in time";

/// With `$1` ids of accounts.
const CHECKS: [Check; 5] = [
    Check {
        name: "a payment into a contract is in the ledger",
        sql: "select 'contract ' || p.account_id || ' payment ' || p.number as row, \
              'paid ' || p.amount_won || ', account entries ' || e.account || ', of the member ' || \
              e.basic as detail from contract_payment p join contract c using (account_id) \
              left join journal j on j.id = p.journal_id and j.kind = \
                case p.number when 0 then 'CONTRACT_OPENED' else 'CONTRACT_PAID' end \
              cross join lateral (select \
                  coalesce(sum(n.amount) filter (where n.account_id = p.account_id), 0) as account, \
                  coalesce(sum(n.amount) filter (where b.member_id = c.member_id \
                    and b.code = '00'), 0) as basic \
                from entry n left join account b on b.id = n.account_id \
                where n.journal_id = j.id) e \
              where p.account_id = any($1) \
                and (e.account, e.basic) <> (p.amount_won, -p.amount_won)",
    },
    Check {
        name: "interest of a contract is in the ledger",
        sql: "select 'contract ' || i.account_id || ' ' || i.period as row, \
              'gross ' || i.gross_won || ', account entries ' || e.account || ', tax ' || e.tax || \
              ', interest ' || e.interest as detail from contract_interest i \
              left join journal j on j.id = i.journal_id and j.kind = 'CONTRACT_INTEREST' \
                and j.source_id = i.account_id || ':' || i.period \
              cross join lateral (select \
                  coalesce(sum(amount) filter (where account_id = i.account_id), 0) as account, \
                  coalesce(sum(amount) filter (where book = 'TAX'), 0) as tax, \
                  coalesce(sum(amount) filter (where book = 'INTEREST'), 0) as interest \
                from entry where journal_id = j.id) e \
              where i.account_id = any($1) and (e.account, e.tax, e.interest) <> \
                (i.gross_won - i.income_tax_won - i.local_tax_won, \
                 i.income_tax_won + i.local_tax_won, -i.gross_won)",
    },
    Check {
        name: "a journal of a contract has its row",
        sql: "select 'journal ' || j.id as row, j.kind || ' of account ' || e.account_id as detail \
              from contract c join entry e on e.account_id = c.account_id \
              join journal j on j.id = e.journal_id where c.account_id = any($1) and case j.kind \
                when 'CONTRACT_CLOSED' then c.closed_on is null \
                when 'CONTRACT_INTEREST' then not exists (select from contract_interest i \
                  where i.account_id = c.account_id and i.journal_id = j.id) \
                else not exists (select from contract_payment p \
                  where p.account_id = c.account_id and p.journal_id = j.id) end",
    },
    Check {
        name: "a contract is paid out to its member",
        sql: "select 'contract ' || c.account_id as row, 'paid out ' || e.paid || ', received ' || \
              e.received as detail from contract c \
              join journal j on j.kind = 'CONTRACT_CLOSED' and j.source_type = 'CONTRACT' \
                and j.source_id = c.account_id::text \
              cross join lateral (select \
                  coalesce(sum(-n.amount) filter (where n.account_id = c.account_id), 0) as paid, \
                  coalesce(sum(n.amount) filter (where b.member_id = c.member_id \
                    and b.code = '00'), 0) as received \
                from entry n left join account b on b.id = n.account_id \
                where n.journal_id = j.id) e \
              where c.account_id = any($1) and e.paid <> e.received",
    },
    Check {
        name: "a contract holds what was paid in and earned until it is closed",
        sql: "select 'contract ' || c.account_id as row, 'paid in ' || c.paid_in_won || \
              ', payments ' || p.won || ', interest ' || i.won || ', balance ' || \
              coalesce(b.amount, 0) as detail from contract c \
              join account a on a.id = c.account_id \
              left join balance b on b.account_id = c.account_id and b.asset = 'KRW' \
              cross join lateral (select coalesce(sum(amount_won), 0) as won \
                from contract_payment where account_id = c.account_id) p \
              cross join lateral (select \
                  coalesce(sum(gross_won - income_tax_won - local_tax_won), 0) as won \
                from contract_interest where account_id = c.account_id) i \
              where c.account_id = any($1) and (c.paid_in_won <> p.won \
                or (c.closed_on is null) <> (a.closed_at is null) \
                or coalesce(b.amount, 0) <> \
                  case when c.closed_on is null then p.won + i.won else 0 end)",
    },
];

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    CHECKS
        .iter()
        .map(|check| check.name)
        .chain([CMA, EARNED, IN_TIME, CMA_IN_TIME])
}

/// Findings in the contracts among some accounts.
pub(super) async fn check(
    connection: &mut PgConnection,
    ids: &[i64],
) -> Result<Vec<Finding>, sqlx::Error> {
    let mut findings = cma(connection, ids).await?;
    let contracts = "select account_id from contract where account_id = any($1)";
    let ids: Vec<i64> = sqlx::query_scalar(contracts)
        .bind(ids)
        .fetch_all(&mut *connection)
        .await?;
    if ids.is_empty() {
        return Ok(findings);
    }
    findings.extend(all_of_ids(&CHECKS, connection, &ids).await?);
    findings.extend(earned(connection, &ids).await?);
    Ok(findings)
}

/// Finds wrong days, gaps between them and wrong journals. A day did not count what was moved after it was
/// paid, though a clock that was behind dated that before its end: a journal with a higher number than the
/// newest one that the day counted, which the release before noted only as that of the interest. What came
/// late is found once and joined: searched for each day, it would cost the square of the days.
const CMA_DAYS: &str = "
    with days as (select *, coalesce(last_journal, journal_id) as counted_to from cma_interest
        where account_id = any($1)),
    moved as (
        select n.account_id, n.journal_id, w.occurred_at, n.amount from entry n
        join journal w on w.id = n.journal_id
        where n.account_id in (select account_id from days) and n.asset = 'KRW'),
    numbered as (
        select account_id, counted_to as number, ended_at, null::timestamptz as occurred_at,
            null::bigint as amount from days where counted_to is not null
        union all
        select account_id, journal_id, null, occurred_at, amount from moved),
    late as materialized (
        select * from (select account_id, number, occurred_at, amount, max(ended_at) over (
            partition by account_id order by number rows unbounded preceding) as paid_until
            from numbered) n
        where occurred_at < paid_until),
    uncounted as (
        select i.account_id, i.day, sum(l.amount) as won from days i join late l using (account_id)
        where l.occurred_at < i.ended_at and l.number > i.counted_to
        group by i.account_id, i.day),
    moments as (
        select account_id, ended_at as time, 0 as turn, 0::bigint as amount, day from days
        union all
        select account_id, occurred_at, 1, amount, null from moved),
    held as (
        select account_id, day, sum(amount) over (
            partition by account_id order by time, turn rows unbounded preceding) as won
        from moments)
    select 'cma ' || i.account_id || ' ' || i.day as row, i.balance_won, i.rate, i.gross_won,
        i.income_tax_won, i.local_tax_won,
        (e.account, e.tax, e.interest) = (i.gross_won - i.income_tax_won - i.local_tax_won,
            i.income_tax_won + i.local_tax_won, -i.gross_won)
            and i.balance_won = greatest(h.won - coalesce(u.won, 0), 0) as is_recorded
    from days i join held h using (account_id, day)
    left join uncounted u using (account_id, day)
    left join journal j on j.id = i.journal_id and j.kind = 'CMA_INTEREST'
        and j.source_id = i.account_id || ':' || i.day
    cross join lateral (select
            coalesce(sum(amount) filter (where account_id = i.account_id), 0) as account,
            coalesce(sum(amount) filter (where book = 'TAX'), 0) as tax,
            coalesce(sum(amount) filter (where book = 'INTEREST'), 0) as interest
        from entry where journal_id = j.id) e
    union all
    select 'cma ' || account_id || ' has gaps', 0, 0, 0, 0, 0, false from days
    group by account_id having count(*) <> max(day) - min(day) + 1
    union all
    select 'journal ' || j.id, 0, 0, 0, 0, 0, false
    from account a join entry e on e.account_id = a.id
    join journal j on j.id = e.journal_id and j.kind = 'CMA_INTEREST'
    where a.id = any($1) and a.code = '05' and not exists (
        select from cma_interest i where i.account_id = a.id and i.journal_id = j.id)";

async fn cma(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<Finding>, sqlx::Error> {
    let rows = sqlx::query(CMA_DAYS)
        .bind(ids)
        .fetch_all(&mut *connection)
        .await?;
    let mut findings = unpaid(connection, ids).await?;
    for row in &rows {
        let balance = Won(row.try_get("balance_won")?);
        let booked: [i64; 3] = [
            row.try_get("gross_won")?,
            row.try_get("income_tax_won")?,
            row.try_get("local_tax_won")?,
        ];
        let earned = cma_interest(balance, row.try_get("rate")?).ok();
        let earned = earned.map(|one| [one.interest.0, one.tax.income.0, one.tax.local.0]);
        let is_recorded: bool = row.try_get("is_recorded")?;
        if earned != Some(booked) || !is_recorded {
            findings.push(Finding {
                check: CMA,
                row: row.try_get("row")?,
                detail: format!("booked {booked:?} of {}, earned {earned:?}", balance.0),
            });
        }
    }
    Ok(findings)
}

/// Days that an account may wait for the interest of one.
const LATE_DAYS: Days = Days::new(7);

/// Open accounts with the newest day that was paid, or the one before the first. A replay is years away
/// from the machine's time, by which accounts are opened.
const PAID_THROUGH: &str = "
    select a.id, coalesce(i.day, (a.opened_at at time zone 'Asia/Seoul')::date - 1) as day
    from account a left join lateral (select day from cma_interest where account_id = a.id
        order by day desc limit 1) i on true
    where a.id = any($1) and a.code = '05' and a.closed_at is null";

/// Accounts whose days nobody pays.
async fn unpaid(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<Finding>, sqlx::Error> {
    let accounts: Vec<(i64, NaiveDate)> = sqlx::query_as(PAID_THROUGH)
        .bind(ids)
        .fetch_all(&mut *connection)
        .await?;
    if accounts.is_empty() {
        return Ok(Vec::new());
    }
    let today = date_of(market_day(connection).await?);
    let is_late = |paid: &NaiveDate| {
        let next = paid.succ_opt().unwrap_or(*paid);
        next.checked_add_days(LATE_DAYS)
            .is_some_and(|latest| latest < today)
    };
    let late = accounts.into_iter().filter(|(_, paid)| is_late(paid));
    let late = late.map(|(id, paid)| Finding {
        check: CMA_IN_TIME,
        row: format!("cma {id}"),
        detail: format!("paid through {paid}, not more on {today}"),
    });
    Ok(late.collect())
}

const INTEREST: &str = "
    select i.account_id, i.period, i.earned_to, i.gross_won, i.income_tax_won, i.local_tax_won,
        c.kind, c.compounding, c.base_rate, c.rate, c.opened_on, c.matures_on, c.term_months,
        c.status, c.transfer_day, p.numbers, p.amounts, p.days
    from contract_interest i join contract c using (account_id)
    cross join lateral (select array_agg(number order by number) as numbers,
            array_agg(amount_won order by number) as amounts,
            array_agg(paid_on order by number) as days
        from contract_payment where account_id = i.account_id) p
    where i.account_id = any($1)";

/// Computes all interest again.
async fn earned(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<Finding>, sqlx::Error> {
    let rows = sqlx::query(INTEREST)
        .bind(ids)
        .fetch_all(connection)
        .await?;
    let mut findings = Vec::new();
    for row in &rows {
        let booked = [
            row.try_get("gross_won")?,
            row.try_get("income_tax_won")?,
            row.try_get("local_tax_won")?,
        ];
        let computed = computed(row)?;
        if computed != Some(booked) {
            let account: i64 = row.try_get("account_id")?;
            let period: &str = row.try_get("period")?;
            findings.push(Finding {
                check: EARNED,
                row: format!("contract {account} {period}"),
                detail: format!("booked {booked:?}, earned {computed:?}"),
            });
        }
    }
    Ok(findings)
}

/// Gross interest and both taxes; `None` where they cannot be computed.
fn computed(row: &PgRow) -> Result<Option<[i64; 3]>, sqlx::Error> {
    let months: i16 = row.try_get("term_months")?;
    let transfer_day: Option<i16> = row.try_get("transfer_day")?;
    let kind: &str = row.try_get("kind")?;
    let compounding: &str = row.try_get("compounding")?;
    let agreement = Agreement {
        plan: match kind {
            "DEPOSIT" => Plan::Deposit,
            "SAVINGS" => Plan::Savings {
                transfer_day: u32::try_from(transfer_day.unwrap_or(1)).unwrap_or(1),
            },
            _ => Plan::Free,
        },
        compounding: if compounding == "MONTHLY" {
            Compounding::Monthly
        } else {
            Compounding::Simple
        },
        base_percent: row.try_get::<Decimal, _>("base_rate")?,
        percent: row.try_get("rate")?,
        opened_on: row.try_get("opened_on")?,
        months: u32::try_from(months).unwrap_or(0),
    };
    let numbers: Vec<i32> = row.try_get::<Option<_>, _>("numbers")?.unwrap_or_default();
    let amounts: Vec<i64> = row.try_get::<Option<_>, _>("amounts")?.unwrap_or_default();
    let days: Vec<NaiveDate> = row.try_get::<Option<_>, _>("days")?.unwrap_or_default();
    let payments = numbers.iter().zip(&amounts).zip(&days);
    let payments: Vec<Paid> = payments
        .map(|((number, amount), on)| Paid {
            number: u32::try_from(*number).unwrap_or(0),
            amount: Won(*amount),
            on: *on,
        })
        .collect();
    let earned_to = row.try_get("earned_to")?;
    let period: &str = row.try_get("period")?;
    let status: &str = row.try_get("status")?;
    let earned = match (period, status) {
        ("MATURITY", _) => agreement.at_maturity(&payments),
        (_, "EARLY_CLOSED") => agreement.on_early_close(&payments, earned_to),
        _ => agreement.after_maturity(Won(amounts.iter().sum()), earned_to),
    };
    let is_dated = row.try_get::<NaiveDate, _>("matures_on")? == agreement.matures_on();
    let sums = earned.ok().filter(|_| is_dated).map(|earned| {
        let tax = earned.tax;
        [earned.interest.0, tax.income.0, tax.local.0]
    });
    Ok(sums)
}

/// Contracts that have done nothing days after something was due.
/// Days count as those of months of 31, as for dividends.
pub(super) const LATE: Check = Check {
    name: IN_TIME,
    sql: "
    select 'contract ' || account_id as row, 'due at ' || due_at || ', not done on ' || $1::int
        as detail
    from contract, to_char(due_at at time zone 'Asia/Seoul', 'YYYYMMDD') as d(day)
    where due_at is not null
        and d.day::int / 10000 * 372 + d.day::int / 100 % 100 * 31 + d.day::int % 100 + 7
            < $1::int / 10000 * 372 + $1::int / 100 % 100 * 31 + $1::int % 100
    order by due_at limit 1000",
};
