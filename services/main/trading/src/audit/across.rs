//! Checks across databases: accounts against the members of auth, splits against those of
//! market-data.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{PgConnection, Row};

use super::Finding;
use super::dividends::market_day;
use super::watch::{LAST_VALUE, behind};

const GIVEN_OUT: &str = "an account's member has a number that auth has given out";
const JOINED: &str = "a member joined before their account was opened";
const APPLIED: &str = "a split that market-data told was applied";

/// Accounts per transaction.
const BATCH: i64 = 5_000;
/// Largest difference between the clocks of two machines. A member number given out twice differs by
/// more.
const CLOCK_SKEW: TimeDelta = TimeDelta::seconds(5);

struct Account {
    id: i64,
    member_id: i64,
    opened_at: DateTime<Utc>,
}

/// Compares every account with the members of auth. Accounts are read first, so members who join
/// meanwhile are no finding.
///
/// # Errors
/// [`sqlx::Error`] of either database.
pub async fn with_auth(
    trading: &mut PgConnection,
    auth: &mut PgConnection,
) -> Result<Vec<Finding>, sqlx::Error> {
    let newest: i64 = sqlx::query_scalar("select coalesce(max(id), 0) from member")
        .fetch_one(&mut *auth)
        .await?;
    let last: i64 = last_member(auth).await?;
    let mut findings: Vec<Finding> = behind("member_id_seq of auth", last, newest)
        .into_iter()
        .collect();
    let mut from = 0;
    loop {
        let accounts = accounts(trading, from).await?;
        let Some(end) = accounts.last() else {
            return Ok(findings);
        };
        from = end.id;
        let given_out = last_member(auth).await?;
        let joined = joined(auth, &accounts).await?;
        for account in &accounts {
            findings.extend(stranger(account, given_out, joined.get(&account.member_id)));
        }
    }
}

async fn last_member(auth: &mut PgConnection) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(LAST_VALUE)
        .bind("member_id_seq")
        .fetch_one(auth)
        .await
}

async fn accounts(trading: &mut PgConnection, from: i64) -> Result<Vec<Account>, sqlx::Error> {
    let accounts =
        "select id, member_id, opened_at from account where id > $1 order by id limit $2";
    let query = sqlx::query(accounts).bind(from).bind(BATCH);
    let rows = query.fetch_all(trading).await?;
    let read = |row: &sqlx::postgres::PgRow| {
        Ok(Account {
            id: row.try_get("id")?,
            member_id: row.try_get("member_id")?,
            opened_at: row.try_get("opened_at")?,
        })
    };
    rows.iter().map(read).collect()
}

/// When the members joined; those who have left are missing.
async fn joined(
    auth: &mut PgConnection,
    accounts: &[Account],
) -> Result<BTreeMap<i64, DateTime<Utc>>, sqlx::Error> {
    let ids: Vec<i64> = accounts.iter().map(|account| account.member_id).collect();
    let rows: Vec<(i64, DateTime<Utc>)> =
        sqlx::query_as("select id, joined_at from member where id = any($1)")
            .bind(ids)
            .fetch_all(auth)
            .await?;
    Ok(rows.into_iter().collect())
}

fn stranger(account: &Account, given_out: i64, joined: Option<&DateTime<Utc>>) -> Option<Finding> {
    let finding = |check, detail| {
        Some(Finding {
            check,
            row: format!("account {}", account.id),
            detail,
        })
    };
    match joined {
        Some(joined) if *joined > account.opened_at + CLOCK_SKEW => finding(
            JOINED,
            format!(
                "member {} joined at {joined}, opened at {}",
                account.member_id, account.opened_at
            ),
        ),
        None if account.member_id > given_out => finding(
            GIVEN_OUT,
            format!("member {}, auth's newest {given_out}", account.member_id),
        ),
        Some(_) | None => None,
    }
}

const ANNOUNCED: &str = "
    select code, trading_day, new_shares, old_shares from instrument_split
    where (code, trading_day) > ($1, $2) order by code, trading_day limit $3";
/// An owner of shares before a split day, if no holding of the instrument was divided.
const OWNER: &str = "
    select h.account_id from holding h
    left join lateral (select s.id, s.quantity_after from holding_start s
        where s.account_id = h.account_id and s.instrument_code = h.instrument_code
            and s.trading_day < $2 order by s.id desc limit 1) before on true
    where h.instrument_code = $1
        and not exists (select 1 from holding_split s where s.account_id = h.account_id
            and s.instrument_code = h.instrument_code and s.trading_day = $2)
        and coalesce(before.quantity_after, 0) + (
            select coalesce(sum(case f.side when 'BUY' then f.quantity else -f.quantity end), 0)
            from fill f where f.account_id = h.account_id
                and f.instrument_code = h.instrument_code
                and f.id > coalesce(before.id, 0) and f.trading_day < $2) > 0
    limit 1";
const OTHER_RATIO: &str = "
    select s.id from holding h join holding_split s on s.account_id = h.account_id
        and s.instrument_code = h.instrument_code and s.trading_day = $2
    where h.instrument_code = $1 and s.numerator * $4 <> s.denominator * $3 limit 1";

#[derive(sqlx::FromRow)]
struct AnnouncedSplit {
    code: String,
    trading_day: i32,
    new_shares: i64,
    old_shares: i64,
}

/// Compares the splits of past days in market-data with those that trading applied.
///
/// # Errors
/// [`sqlx::Error`] of either database.
pub async fn with_market(
    trading: &mut PgConnection,
    market: &mut PgConnection,
) -> Result<Vec<Finding>, sqlx::Error> {
    let today = market_day(trading).await?;
    let mut findings = Vec::new();
    let mut from = (String::new(), 0);
    loop {
        let splits: Vec<AnnouncedSplit> = sqlx::query_as(ANNOUNCED)
            .bind(&from.0)
            .bind(from.1)
            .bind(BATCH)
            .fetch_all(&mut *market)
            .await?;
        let Some(last) = splits.last() else {
            return Ok(findings);
        };
        from = (last.code.clone(), last.trading_day);
        for split in splits.iter().filter(|split| split.trading_day < today) {
            findings.extend(missed(trading, split).await?);
        }
    }
}

async fn missed(
    trading: &mut PgConnection,
    split: &AnnouncedSplit,
) -> Result<Option<Finding>, sqlx::Error> {
    let announced = format!("announced {}:{}", split.new_shares, split.old_shares);
    let finding = |row: String| Finding {
        check: APPLIED,
        row,
        detail: format!("{announced} for {} on {}", split.code, split.trading_day),
    };
    let owner: Option<i64> = sqlx::query_scalar(OWNER)
        .bind(&split.code)
        .bind(split.trading_day)
        .fetch_optional(&mut *trading)
        .await?;
    if let Some(account_id) = owner {
        return Ok(Some(finding(format!(
            "holding {account_id}/{}",
            split.code
        ))));
    }
    let other: Option<i64> = sqlx::query_scalar(OTHER_RATIO)
        .bind(&split.code)
        .bind(split.trading_day)
        .bind(split.new_shares)
        .bind(split.old_shares)
        .fetch_optional(trading)
        .await?;
    Ok(other.map(|id| finding(format!("holding split {id}"))))
}
