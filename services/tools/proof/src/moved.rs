//! Market days that move on after the load, while the caller kills what works them off: contracts take
//! payments and mature, CMA earn interest, competitions end. Then everything must add up again, and
//! results that were there before must be the same.

mod interest;
mod results;
mod saved;

use std::time::{Duration, Instant};

use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc};
use kernel::clock::KST;
use messaging::amqp::Amqp;
use messaging::ticks::{ReadFrom, Reader, StreamSpec};
use sqlx::{PgPool, Row};

use self::results::Results;

/// A program that was not optimised starts within it, also when it is killed once.
const RESTART: Duration = Duration::from_secs(240);
/// To work off a month of days of the accounts that a million operations leave, while something is killed.
const WORK: Duration = Duration::from_secs(1_200);
const PAUSE: Duration = Duration::from_millis(500);
const PREFETCH: u16 = 10;

/// What is left to do, at an instant of market time. A CMA is paid its day at 00:05 of the next.
const LEFT: &str = "
    select (select count(*) from contract where due_at <= $1) as contracts,
        (select count(*) from account a where a.code = '05' and a.closed_at is null
            and (a.opened_at at time zone 'Asia/Seoul')::date <= $2
            and not exists (select from cma_interest i where i.account_id = a.id and i.day = $2))
            as accounts,
        (select count(*) from competition where ends_at <= $1 and closed_at is null
            and not is_canceled) as competitions,
        (select count(*) from equity_run where day = $3 and finished_at is not null) as days";

/// Has the caller move market time on by each number of days, and checks what became of it.
pub(crate) async fn run(
    pool: &PgPool,
    amqp_url: &str,
    moves: &[u64],
) -> anyhow::Result<Vec<String>> {
    let mut faults = Vec::new();
    let mut results = Results::default();
    for days in moves {
        let Some(before) = market_time(amqp_url).await? else {
            faults.push("the tick log does not grow".to_owned());
            return Ok(faults);
        };
        println!("proof: move {days} days");
        let began = Instant::now();
        let wanted = day_of(before).checked_add_days(Days::new(*days));
        loop {
            let now = market_time(amqp_url).await?;
            if now.map(day_of) >= wanted {
                break;
            }
            if began.elapsed() > RESTART {
                faults.push(format!("the market is at {now:?} instead of {wanted:?}"));
                return Ok(faults);
            }
            tokio::time::sleep(PAUSE).await;
        }
        let moved = began.elapsed().as_secs();
        faults.extend(worked_off(pool, amqp_url).await?);
        println!(
            "proof: moved {days} days in {moved} s, worked off after {} s",
            began.elapsed().as_secs()
        );
        let mut snapshot = crate::begin_snapshot(pool).await?;
        faults.extend(saved::check(&mut snapshot).await?);
        faults.extend(results.check(&mut snapshot).await?);
        faults.extend(crate::identity::check(&mut snapshot).await?);
    }
    Ok(faults)
}

/// Waits until nothing is due; returns a sentence if something stays so. The database may be restarting.
async fn worked_off(pool: &PgPool, amqp_url: &str) -> anyhow::Result<Option<String>> {
    let began = Instant::now();
    loop {
        let left = left(pool, amqp_url).await;
        if let Ok(Left::Nothing) = left {
            return Ok(None);
        }
        if began.elapsed() > WORK {
            return Ok(Some(format!("market days are not worked off: {left:?}")));
        }
        tokio::time::sleep(PAUSE).await;
    }
}

#[derive(Debug)]
enum Left {
    Nothing,
    /// Contracts, CMA accounts, competitions, and closed days of one.
    #[expect(dead_code, reason = "printed with a fault")]
    Work(i64, i64, i64, i64),
}

async fn left(pool: &PgPool, amqp_url: &str) -> anyhow::Result<Left> {
    let now = market_time(amqp_url).await?;
    let now = now.ok_or_else(|| anyhow::anyhow!("the tick log does not grow"))?;
    let yesterday = day_of(now).pred_opt();
    let paid = day_of(now - TimeDelta::minutes(5)).pred_opt();
    let row = sqlx::query(LEFT)
        .bind(now)
        .bind(paid)
        .bind(yesterday)
        .fetch_one(pool)
        .await?;
    let [contracts, accounts, competitions, days] =
        ["contracts", "accounts", "competitions", "days"].map(|name| row.try_get::<i64, _>(name));
    let (contracts, accounts) = (contracts?, accounts?);
    let (competitions, days) = (competitions?, days?);
    Ok(match (contracts, accounts, competitions, days) {
        (0, 0, 0, 1) => Left::Nothing,
        _ => Left::Work(contracts, accounts, competitions, days),
    })
}

/// The time of the newest batch; `None` while none comes.
async fn market_time(amqp_url: &str) -> anyhow::Result<Option<DateTime<Utc>>> {
    let mut log = Reader::open(
        Amqp::new(amqp_url)?,
        StreamSpec::ticks(),
        ReadFrom::Next,
        PREFETCH,
    );
    let newest = tokio::time::timeout(Duration::from_secs(10), log.next()).await;
    let newest = newest.ok();
    Ok(newest.and_then(|one| DateTime::from_timestamp_micros(one.batch.closed_at_us)))
}

fn day_of(instant: DateTime<Utc>) -> NaiveDate {
    instant.with_timezone(&KST).date_naive()
}
