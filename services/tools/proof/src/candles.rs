//! Checks the charts after the load: each minute since the start has exactly one valid candle.

use std::time::Duration;

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use rust_decimal::Decimal;
use serde_json::Value;

/// For the newest minutes to be written.
const TIMEOUT: Duration = Duration::from_secs(90);

/// Returns each gap, duplicate and invalid candle of `codes` between two instants as a sentence.
pub(crate) async fn check(
    origin: &str,
    codes: &[String],
    from: DateTime<Utc>,
    until: DateTime<Utc>,
) -> anyhow::Result<Vec<String>> {
    let http = reqwest::Client::builder()
        .timeout(Duration::from_secs(10))
        .build()?;
    let mut faults = Vec::new();
    let mut candles = 0;
    for code in codes {
        let mut waited = Duration::ZERO;
        let (found, wrong) = loop {
            let (found, wrong) = match charts(&http, origin, code, from).await {
                Some(chart) => check_chart(&chart, from, until),
                None => (0, vec!["no chart".to_owned()]),
            };
            if wrong.is_empty() || waited > TIMEOUT {
                break (found, wrong);
            }
            waited += Duration::from_secs(2);
            tokio::time::sleep(Duration::from_secs(2)).await;
        };
        candles += found;
        faults.extend(
            wrong
                .into_iter()
                .map(|fault| format!("candles of {code}: {fault}")),
        );
    }
    println!(
        "checked: {candles} candles of a minute, {} gaps, duplicates or invalid ones",
        faults.len()
    );
    Ok(faults)
}

/// The candles of each day since `from`, oldest first; one response has one day.
async fn charts(
    http: &reqwest::Client,
    origin: &str,
    code: &str,
    from: DateTime<Utc>,
) -> Option<Vec<Value>> {
    let mut candles = chart(http, origin, code, None).await?;
    loop {
        let begins = candles.first().and_then(start_time);
        let Some(begins) = begins.filter(|begins| *begins > from) else {
            return Some(candles);
        };
        let mut before = chart(http, origin, code, Some(begins)).await?;
        if before.is_empty() {
            return Some(candles);
        }
        before.append(&mut candles);
        candles = before;
    }
}

async fn chart(
    http: &reqwest::Client,
    origin: &str,
    code: &str,
    before: Option<DateTime<Utc>>,
) -> Option<Vec<Value>> {
    let mut address =
        format!("{origin}/api/v1/global-stock/get-chart-data-type/{code}?candleType=DAY");
    if let Some(before) = before {
        let before = before.to_rfc3339_opts(SecondsFormat::Secs, true);
        address.push_str(&format!("&to={before}"));
    }
    let answer = http.get(address).send().await.ok()?;
    let body = answer.error_for_status().ok()?.bytes().await.ok()?;
    let chart: Value = serde_json::from_slice(&body).ok()?;
    Some(chart.get("candles")?.as_array()?.clone())
}

fn start_time(candle: &Value) -> Option<DateTime<Utc>> {
    let date = candle.get("date")?.as_str()?;
    Some(DateTime::parse_from_rfc3339(date).ok()?.to_utc())
}

fn check_chart(
    candles: &[Value],
    from: DateTime<Utc>,
    until: DateTime<Utc>,
) -> (usize, Vec<String>) {
    let minute = TimeDelta::minutes(1);
    let mut wrong = Vec::new();
    let mut minutes = Vec::new();
    for candle in candles {
        let Some(at) = start_time(candle) else {
            wrong.push(format!("{candle} has no time"));
            continue;
        };
        let number = |name: &str| -> Option<Decimal> {
            candle.get(name)?.as_number()?.to_string().parse().ok()
        };
        let parts = (
            number("low"),
            number("open"),
            number("close"),
            number("high"),
        );
        match parts {
            (Some(low), Some(open), Some(close), Some(high))
                if low > Decimal::ZERO && low <= open.min(close) && open.max(close) <= high => {}
            _ => wrong.push(format!("{candle} is invalid")),
        }
        minutes.push(at);
    }
    // Prices flowed before `from`, so its minute has a candle too; the minute of `until` may still
    // be open.
    let watched: Vec<_> = minutes
        .iter()
        .filter(|at| **at + minute > from && **at + minute <= until)
        .collect();
    for pair in watched.windows(2) {
        if let [before, after] = pair
            && **after - **before != minute
        {
            wrong.push(format!("{after} follows {before}"));
        }
    }
    let expected = until.timestamp().div_euclid(60) - from.timestamp().div_euclid(60);
    if i64::try_from(watched.len()) != Ok(expected) {
        wrong.push(format!("{} candles of {expected} minutes", watched.len()));
    }
    (watched.len(), wrong)
}
