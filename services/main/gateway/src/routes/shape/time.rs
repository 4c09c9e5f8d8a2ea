//! Instants and days as the wire writes them: in Korean time.

use chrono::{DateTime, NaiveDate, Utc};
use kernel::clock::KST;
use proto::convert::{InvalidField, to_instant};

/// `2026-11-21T09:03:00+09:00`.
pub(crate) fn kst(micros: i64, field: &'static str) -> Result<String, InvalidField> {
    Ok(text(to_instant(micros, field)?, "%Y-%m-%dT%H:%M:%S%:z"))
}

/// As [`kst`], or nothing for the instant zero, which stands for "none".
pub(crate) fn kst_if_set(micros: i64, field: &'static str) -> Result<Option<String>, InvalidField> {
    if micros == 0 {
        return Ok(None);
    }
    kst(micros, field).map(Some)
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

fn text(instant: DateTime<Utc>, format: &str) -> String {
    instant.with_timezone(&KST).format(format).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_written_in_korean_time() {
        let micros = DateTime::parse_from_rfc3339("2026-11-20T15:00:01.9Z")
            .unwrap()
            .timestamp_micros();
        assert_eq!(kst(micros, "t").unwrap(), "2026-11-21T00:00:01+09:00");
        let parts = day_and_time(micros, "t").unwrap();
        assert_eq!(parts, ("20261121".to_owned(), "000001".to_owned()));
        assert_eq!(kst_if_set(0, "t"), Ok(None));
        assert_eq!(day(20_261_121, "d").unwrap(), "2026-11-21");
        assert!(day(20_261_301, "d").is_err());
    }
}
