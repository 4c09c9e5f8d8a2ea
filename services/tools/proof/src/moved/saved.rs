//! Contracts and CMA accounts after market days have passed: every contract that had to mature was paid
//! out to the won, every payment was taken in its time, and every day of a CMA was paid.

use std::collections::BTreeMap;

use chrono::{Months, NaiveDate};
use rust_decimal::Decimal;
use sqlx::{PgConnection, Row};

use super::interest::{self, Payment, Terms};
use crate::acts::products::Plan;

/// Contracts that have matured, or had to.
const CONTRACTS: &str = "
    select c.account_id, c.kind, c.compounding = 'MONTHLY' as is_compound, c.rate, c.term_months,
        c.opened_on, c.matures_on, c.paid_in_won, c.closed_on, b.amount as won, i.gross_won,
        i.income_tax_won, i.local_tax_won,
        coalesce((select sum(e.amount) from journal j join entry e on e.journal_id = j.id
            join account s on s.id = e.account_id and s.code = '00' and s.member_id = c.member_id
            where j.kind = 'CONTRACT_CLOSED' and j.source_type = 'CONTRACT'
                and j.source_id = c.account_id::text), 0)::bigint as paid_out
    from contract c join balance b on b.account_id = c.account_id and b.asset = 'KRW'
    left join contract_interest i on i.account_id = c.account_id and i.period = 'MATURITY'
    where c.status <> 'EARLY_CLOSED' and c.matures_on <= (
        select max(day) from equity_run where finished_at is not null)";

const PAYMENTS: &str = "
    select p.account_id, p.number, p.amount_won, p.paid_on, c.kind, c.opened_on, c.term_months
    from contract_payment p join contract c using (account_id) order by 1, 2";

/// Days of CMA accounts, with what their entries say that each held, and the number of days since the
/// first one. A day did not count what has a higher number than its newest journal: that was moved after it
/// was paid, however far a slow clock dated it back.
const DAYS: &str = "
    select i.account_id, i.day, i.balance_won, i.rate, i.gross_won, i.income_tax_won,
        i.local_tax_won,
        coalesce((select sum(e.amount) from entry e join journal j on j.id = e.journal_id
            where e.account_id = i.account_id and e.asset = 'KRW'
                and j.occurred_at < i.ended_at
                and (e.journal_id <= coalesce(i.last_journal, i.journal_id)) is not false),
            0)::bigint as held,
        row_number() over (partition by i.account_id order by i.day) as number,
        i.day - min(i.day) over (partition by i.account_id) + 1 as since
    from cma_interest i";

pub(super) async fn check(snapshot: &mut PgConnection) -> anyhow::Result<Vec<String>> {
    let mut faults = Vec::new();
    let payments = payments(snapshot, &mut faults).await?;
    let (mut matured, mut interest_won) = (0, 0);
    for row in sqlx::query(CONTRACTS).fetch_all(&mut *snapshot).await? {
        let id: i64 = row.try_get("account_id")?;
        let months: i16 = row.try_get("term_months")?;
        let terms = Terms {
            plan: plan(row.try_get("kind")?),
            is_compound: row.try_get("is_compound")?,
            rate: row.try_get("rate")?,
            months: i32::from(months),
            matures_on: row.try_get("matures_on")?,
        };
        let gross = payments
            .get(&id)
            .and_then(|payments| terms.interest(payments));
        let paid_in: i64 = row.try_get("paid_in_won")?;
        let booked: Option<i64> = row.try_get("gross_won")?;
        let taxes = gross.map(interest::taxes);
        let booked_taxes = row
            .try_get::<Option<i64>, _>("income_tax_won")?
            .zip(row.try_get("local_tax_won")?);
        let payout = gross
            .zip(taxes)
            .map(|(gross, (one, other))| paid_in + gross - one - other);
        let paid_out: i64 = row.try_get("paid_out")?;
        let closed_on: Option<NaiveDate> = row.try_get("closed_on")?;
        let is_right = booked == gross
            && gross.is_some()
            && booked_taxes == taxes
            && Some(paid_out) == payout
            && closed_on == Some(terms.matures_on)
            && row.try_get::<i64, _>("won")? == 0;
        matured += 1;
        interest_won += gross.unwrap_or(0);
        if !is_right {
            faults.push(format!(
                "contract {id} earned {booked:?} and paid {paid_out} on {closed_on:?}, expected {gross:?} and {payout:?}"
            ));
        }
    }
    let days = days(snapshot, &mut faults).await?;
    println!(
        "checked: {matured} matured contracts with {interest_won} won of interest, {} payments, {days} days of CMA, {} differences",
        payments.values().map(Vec::len).sum::<usize>(),
        faults.len()
    );
    Ok(faults)
}

/// By contract. A payment of a savings plan is taken within a month and two days of its anniversary.
async fn payments(
    snapshot: &mut PgConnection,
    faults: &mut Vec<String>,
) -> anyhow::Result<BTreeMap<i64, Vec<Payment>>> {
    let mut payments: BTreeMap<i64, Vec<Payment>> = BTreeMap::new();
    for row in sqlx::query(PAYMENTS).fetch_all(snapshot).await? {
        let payment = Payment {
            number: row.try_get("number")?,
            won: row.try_get("amount_won")?,
            paid_on: row.try_get("paid_on")?,
        };
        let id: i64 = row.try_get("account_id")?;
        if plan(row.try_get("kind")?) == Plan::Savings {
            let opened_on: NaiveDate = row.try_get("opened_on")?;
            let months: i16 = row.try_get("term_months")?;
            let number = u32::try_from(payment.number)?;
            let from = opened_on.checked_add_months(Months::new(number));
            let until = opened_on.checked_add_months(Months::new(number + 1));
            let in_time = from.is_some_and(|from| from <= payment.paid_on)
                && until.is_some_and(|until| payment.paid_on <= until)
                && payment.number < i32::from(months);
            if !in_time {
                let (number, on) = (payment.number, payment.paid_on);
                faults.push(format!("contract {id} took payment {number} on {on}"));
            }
        }
        payments.entry(id).or_default().push(payment);
    }
    Ok(payments)
}

/// Checks the interest of each day of each CMA, and returns the number of days.
async fn days(snapshot: &mut PgConnection, faults: &mut Vec<String>) -> anyhow::Result<usize> {
    let rows = sqlx::query(DAYS).fetch_all(snapshot).await?;
    for row in &rows {
        let balance: i64 = row.try_get("balance_won")?;
        let rate: Decimal = row.try_get("rate")?;
        let gross = interest::of_day(balance, rate);
        let booked: i64 = row.try_get("gross_won")?;
        let taxes = (
            row.try_get("income_tax_won")?,
            row.try_get("local_tax_won")?,
        );
        let held: i64 = row.try_get("held")?;
        let (number, since): (i64, i32) = (row.try_get("number")?, row.try_get("since")?);
        let is_right = gross == Some(booked)
            && interest::taxes(booked) == taxes
            && balance == held.max(0)
            && number == i64::from(since);
        if !is_right {
            let id: i64 = row.try_get("account_id")?;
            let day: NaiveDate = row.try_get("day")?;
            faults.push(format!(
                "cma {id} earned {booked} of {balance} on {day}, day {number} of {since}, expected {gross:?} of {held}"
            ));
        }
    }
    Ok(rows.len())
}

fn plan(kind: &str) -> Plan {
    match kind {
        "DEPOSIT" => Plan::Deposit,
        "SAVINGS" => Plan::Savings,
        _ => Plan::Free,
    }
}
