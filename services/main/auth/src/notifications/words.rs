//! Numbers and days as sentences say them.

use chrono::{DateTime, Datelike, Timelike, Utc};
use kernel::clock::KST;
use rust_decimal::Decimal;

/// As `1,234,567원`.
#[must_use]
pub fn won(amount: i64) -> String {
    format!("{}원", grouped(&amount.to_string()))
}

/// In won or dollars: `71,300원`, `182.35달러`.
#[must_use]
pub fn price(value: Decimal, is_dollar: bool) -> String {
    let unit = if is_dollar { "달러" } else { "원" };
    format!("{}{unit}", number(value))
}

/// With commas and without trailing zeros.
#[must_use]
pub fn number(value: Decimal) -> String {
    grouped(&value.normalize().to_string())
}

/// `word` and the form of 이에요 or 예요 that follows it.
#[must_use]
pub fn is(word: &str) -> String {
    with_particle(word, "이에요")
}

/// `word` and the form of `particle` that follows it, where its sound is known.
#[must_use]
pub fn with_particle(word: &str, particle: &str) -> String {
    let form = kernel::hangul::particle_after(word, particle).map_or(particle, |(form, _)| form);
    format!("{word}{form}")
}

/// As `12월 3일 14:05`, in Korea.
#[must_use]
pub fn day_and_time(instant: DateTime<Utc>) -> String {
    let there = instant.with_timezone(&KST);
    format!(
        "{}월 {}일 {:02}:{:02}",
        there.month(),
        there.day(),
        there.hour(),
        there.minute()
    )
}

fn grouped(digits: &str) -> String {
    let (sign, unsigned) = match digits.strip_prefix('-') {
        Some(unsigned) => ("-", unsigned),
        None => ("", digits),
    };
    let (whole, fraction) = match unsigned.split_once('.') {
        Some((whole, fraction)) => (whole, format!(".{fraction}")),
        None => (unsigned, String::new()),
    };
    let length = whole.len();
    let mut text = String::from(sign);
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (length - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + &fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(won(0), "0원");
        assert_eq!(won(-1_234), "-1,234원");
        assert_eq!(won(1_000_000_000), "1,000,000,000원");
        let decimal = |text: &str| text.parse::<Decimal>().unwrap();
        assert_eq!(price(decimal("71300.00"), false), "71,300원");
        assert_eq!(price(decimal("1182.3500"), true), "1,182.35달러");
        assert_eq!(number(decimal("0.00012300")), "0.000123");
        assert_eq!(number(decimal("-5.0")), "-5");
    }

    #[test]
    fn particles_follow_the_sound() {
        assert_eq!(is("71,300원"), "71,300원이에요");
        assert_eq!(is("182.35달러"), "182.35달러예요");
        assert_eq!(with_particle("3주", "을"), "3주를");
        assert_eq!(with_particle("10g", "를"), "10g을");
    }

    #[test]
    fn days_are_korean() {
        let instant = "2026-12-02T20:05:00Z".parse().unwrap();
        assert_eq!(day_and_time(instant), "12월 3일 05:05");
    }
}
