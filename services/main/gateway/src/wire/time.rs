//! Times and dates, in Korean time.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeZone, Utc};
use kernel::clock::KST;
use proto::convert::{InvalidField, to_instant};
use serde::Deserialize;

/// Years that dates in requests may have.
pub(crate) const YEARS: std::ops::RangeInclusive<i32> = 1990..=2100;

/// `2026-11-21T09:03:00+09:00`.
pub(crate) fn kst(micros: i64, field: &'static str) -> Result<String, InvalidField> {
    Ok(text(to_instant(micros, field)?, "%Y-%m-%dT%H:%M:%S%:z"))
}

/// `2026-11-21T00:03:00Z`.
pub(crate) fn utc(micros: i64, field: &'static str) -> Result<String, InvalidField> {
    let instant = to_instant(micros, field)?;
    Ok(instant.format("%Y-%m-%dT%H:%M:%SZ").to_string())
}

/// As [`utc`]; `None` for 0, which stands for no instant.
pub(crate) fn utc_if_set(micros: i64, field: &'static str) -> Result<Option<String>, InvalidField> {
    if micros == 0 {
        return Ok(None);
    }
    utc(micros, field).map(Some)
}

/// As [`kst`]; `None` for 0, which stands for no instant.
pub(crate) fn kst_if_set(micros: i64, field: &'static str) -> Result<Option<String>, InvalidField> {
    if micros == 0 {
        return Ok(None);
    }
    kst(micros, field).map(Some)
}

/// `2026-11`; `None` for 0, which stands for no instant.
pub(crate) fn kst_month_if_set(
    micros: i64,
    field: &'static str,
) -> Result<Option<String>, InvalidField> {
    if micros == 0 {
        return Ok(None);
    }
    Ok(Some(text(to_instant(micros, field)?, "%Y-%m")))
}

/// `yyyymmdd`, `HHmmss`.
pub(crate) fn day_and_time(
    micros: i64,
    field: &'static str,
) -> Result<(String, String), InvalidField> {
    let instant = to_instant(micros, field)?;
    Ok((text(instant, "%Y%m%d"), text(instant, "%H%M%S")))
}

/// `2026-11-21` from a number of the form yyyymmdd.
pub(crate) fn day(number: i32, field: &'static str) -> Result<String, InvalidField> {
    NaiveDate::parse_from_str(&number.to_string(), "%Y%m%d")
        .map(|date| date.to_string())
        .ok()
        .ok_or(InvalidField(field))
}

/// An exclusive end: `2026-11-21T09:03:00+09:00`, without an offset Korean time, or a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Until(pub(crate) DateTime<Utc>);

impl TryFrom<String> for Until {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        // A plus sign that a client did not escape arrives as a space.
        let text = text.trim_end().replace(' ', "+");
        let instant = DateTime::parse_from_rfc3339(&text)
            .map(|instant| instant.to_utc())
            .ok()
            .or_else(|| korean_time(&text));
        instant
            .filter(|instant| YEARS.contains(&chrono::Datelike::year(instant)))
            .map(Self)
            .ok_or("날짜가 올바르지 않아요")
    }
}

fn korean_time(text: &str) -> Option<DateTime<Utc>> {
    let date = |format| NaiveDate::parse_from_str(text, format).ok();
    let local = NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S")
        .ok()
        .or_else(|| date("%Y-%m-%d").map(|day| day.and_time(NaiveTime::MIN)))
        .or_else(|| date("%Y%m%d").map(|day| day.and_time(NaiveTime::MIN)))?;
    Some(KST.from_local_datetime(&local).single()?.to_utc())
}

fn text(instant: DateTime<Utc>, format: &str) -> String {
    instant.with_timezone(&KST).format(format).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_formatted_in_korean_time() {
        let micros = DateTime::parse_from_rfc3339("2026-11-20T15:00:01.9Z")
            .unwrap()
            .timestamp_micros();
        assert_eq!(kst(micros, "t").unwrap(), "2026-11-21T00:00:01+09:00");
        let parts = day_and_time(micros, "t").unwrap();
        assert_eq!(parts, ("20261121".to_owned(), "000001".to_owned()));
        assert_eq!(kst_if_set(0, "t"), Ok(None));
        assert_eq!(utc(micros, "t").unwrap(), "2026-11-20T15:00:01Z");
        assert_eq!(utc_if_set(0, "t"), Ok(None));
        let month = DateTime::parse_from_rfc3339("2026-11-30T15:00:00Z").unwrap();
        let month = kst_month_if_set(month.timestamp_micros(), "t");
        assert_eq!(month, Ok(Some("2026-12".to_owned())));
        assert_eq!(kst_month_if_set(0, "t"), Ok(None));
        assert_eq!(day(20_261_121, "d").unwrap(), "2026-11-21");
        assert!(day(20_261_301, "d").is_err());
    }

    #[test]
    fn an_end_is_an_instant_a_korean_time_or_a_date() {
        let instant =
            |text: &str| Until::try_from(text.to_owned()).map(|until| until.0.to_string());
        let nine = Ok("2026-11-21 00:03:00 UTC".to_owned());
        assert_eq!(instant("2026-11-21T09:03:00+09:00"), nine);
        assert_eq!(instant("2026-11-21T09:03:00 09:00"), nine);
        assert_eq!(instant("2026-11-21T09:03:00"), nine);
        assert_eq!(
            instant("2026-11-21"),
            Ok("2026-11-20 15:00:00 UTC".to_owned())
        );
        assert_eq!(
            instant("20261121"),
            Ok("2026-11-20 15:00:00 UTC".to_owned())
        );
        for bad in ["", "2024-02-30", "0000-00-00", "1e9", "9999-01-01", "now"] {
            assert!(instant(bad).is_err(), "{bad}");
        }
    }
}
