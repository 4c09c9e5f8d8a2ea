//! The values of `{{rule …}}` and `{{rate …}}` references, from the tables that the product itself
//! calculates with.

use chrono::{NaiveDate, NaiveTime, Timelike};
use kernel::hangul::particle_after;
use kernel::{MarketCode, Price, Won};
use market_rules::tick::{TickClass, TickTable};
use market_rules::{
    Calendar, Venue, contract, dividend, fees, fill, interest, limits, quantity, volatility,
};
use rust_decimal::Decimal;

use crate::content::{Reference, references};

/// A reference without a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{{{{{0}}}}} has no value")]
pub struct UnknownRule(pub String);

/// Replaces every reference of `text` by its value with its unit, and gives the particle after it
/// the form that the value needs.
///
/// # Errors
/// [`UnknownRule`] for a reference that no table has.
pub fn fill_in(text: &str) -> Result<String, UnknownRule> {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((inner, after)) = after.split_once("}}") else {
            return Err(UnknownRule(after.to_owned()));
        };
        let value = value_of(inner).ok_or_else(|| UnknownRule(inner.to_owned()))?;
        filled.push_str(before);
        filled.push_str(&value);
        rest = after;
        if let Some((particle, length)) = particle_after(&value, after) {
            filled.push_str(particle);
            rest = after.get(length..).unwrap_or_default();
        }
    }
    filled.push_str(rest);
    Ok(filled)
}

fn value_of(inner: &str) -> Option<String> {
    let marked = format!("{{{{{inner}}}}}");
    let reference = references(&marked).next()?;
    match reference.table {
        "rule" => rule(&reference),
        "rate" => rate(&reference),
        _ => None,
    }
}

fn rate(reference: &Reference<'_>) -> Option<String> {
    let text = match reference.name {
        "early_close.share" => share(contract::EARLY_SHARE),
        "early_close.under_month" => percent(contract::FIRST_MONTH),
        "early_close.min" => percent(contract::LEAST_FROM_FIRST),
        "early_close.min_3m" => percent(contract::LEAST_FROM_THIRD),
        "after_maturity.m1" => share(contract::KEPT_FIRST_MONTH),
        "after_maturity.m3" => share(contract::KEPT_UNTIL_THIRD),
        "after_maturity.later" => percent(contract::KEPT_LATER),
        _ => return None,
    };
    Some(text)
}

fn rule(reference: &Reference<'_>) -> Option<String> {
    let mut arguments = reference.arguments.iter().copied();
    let mut argument = || arguments.next();
    match reference.name {
        "deposit.tax" => Some(percent(interest::TAX_PERCENT)),
        "deposit.income" => Some(share(interest::INCOME_TAX)),
        "deposit.insured" => Some(won(interest::INSURED)),
        "dividend.us_withheld" => Some(share(dividend::US_WITHHELD)),
        "stock.fee" => Some(share(rates_of(MarketCode::Kospi).fee_rate)),
        "etf.fee" => Some(share(rates_of(MarketCode::Etf).fee_rate)),
        "coin.fee" => Some(share(rates_of(MarketCode::Coin).fee_rate)),
        "gold.fee" => Some(share(rates_of(MarketCode::Gold).fee_rate)),
        "us.fee" => Some(share(rates_of(MarketCode::Global).fee_rate)),
        "us.fx_spread" => Some(share(rates_of(MarketCode::Global).fx_spread_rate)),
        "us.sec_fee" => {
            let on = argument()?.parse().ok()?;
            Some(share(fees::rates(MarketCode::Global, on).sec_rate))
        }
        "stock.sell_tax" => {
            let on = NaiveDate::from_ymd_opt(argument()?.parse().ok()?, 1, 1)?;
            Some(share(fees::rates(MarketCode::Kospi, on).sell_tax_rate))
        }
        "coin.least" => {
            let least = quantity::QuantityRule::for_market(MarketCode::Coin).least_amount?;
            Some(won(least))
        }
        "gold.step" => {
            let step = quantity::QuantityRule::for_market(MarketCode::Gold).step;
            Some(format!("{}g", step.0.normalize()))
        }
        "fill.cap_basic" => Some(share(fill::BASIC_SHARE)),
        "fill.cap_competition" => Some(share(fill::COMPETITION_SHARE)),
        "fill.guard" => Some(share(fill::SLIPPAGE_SHARE)),
        "fill.ticks" => Some(format!("{}틱", fill::TICKS_WORSE)),
        "limit.stock" => limit(MarketCode::Kospi, 1, TickClass::KrxStock),
        "limit.etf" => limit(
            MarketCode::Etf,
            argument()?.parse().ok()?,
            TickClass::KrxEtf,
        ),
        "limit.upper" => {
            let (_stock, base) = (argument()?, argument()?.parse().ok()?);
            let table = TickTable::for_class(TickClass::KrxStock, "");
            let band = limits::daily_limits(MarketCode::Kospi, 1, Price(base), &table)?;
            Some(format!("{}원", grouped(band.upper.0)))
        }
        "tick.stock" => tick(TickClass::KrxStock, argument()?),
        "tick.gold" => tick(TickClass::KrxGold, argument()?),
        "vi.static" => {
            let thresholds = volatility::thresholds(MarketCode::Kospi, 1)?;
            Some(percent(thresholds.fixed_percent.into()))
        }
        "vi.auction" => Some(format!("{}분", volatility::AUCTION_S.checked_div(60)?)),
        "session.krx" => session(Venue::Krx, argument()?),
        "session.us" => session(Venue::Us, argument()?),
        _ => None,
    }
}

/// The rates of the newest period.
fn rates_of(market: MarketCode) -> fees::FeeRates {
    fees::rates(market, NaiveDate::MAX)
}

fn limit(market: MarketCode, leverage: i32, class: TickClass) -> Option<String> {
    let limit = limits::limit_percent(market, leverage, class)?;
    Some(percent(limit.into()))
}

fn tick(class: TickClass, price: &str) -> Option<String> {
    let price = Price(price.parse().ok()?);
    let tick = TickTable::for_class(class, "").tick_at(price);
    Some(format!("{}원", grouped(tick)))
}

/// An hour of a usual trading day, in the venue's time.
fn session(venue: Venue, word: &str) -> Option<String> {
    let calendar = Calendar::embedded().ok()?;
    let day = NaiveDate::from_ymd_opt(2026, 3, 4)?;
    let hours = calendar.hours(venue, day)?;
    let local =
        |instant: chrono::DateTime<chrono::Utc>| instant.with_timezone(&venue.time_zone()).time();
    match word {
        "open" => Some(spoken(local(hours.open))),
        "close" => Some(spoken(local(hours.close))),
        "opening" => Some(range(local(hours.auction_from), local(hours.open))),
        "closing" => Some(range(local(hours.closing_auction_from), local(hours.close))),
        _ => None,
    }
}

fn range(from: NaiveTime, to: NaiveTime) -> String {
    format!("{}~{}", from.format("%H:%M"), to.format("%H:%M"))
}

/// `오후 3시 30분`.
fn spoken(time: NaiveTime) -> String {
    let (is_afternoon, hour) = time.hour12();
    let half = if is_afternoon { "오후" } else { "오전" };
    match time.minute() {
        0 => format!("{half} {hour}시"),
        minute => format!("{half} {hour}시 {minute}분"),
    }
}

fn share(share: Decimal) -> String {
    percent(share.saturating_mul(Decimal::ONE_HUNDRED))
}

fn percent(value: Decimal) -> String {
    format!("{}%", value.normalize())
}

/// `1억원`, `5,000원`.
fn won(amount: Won) -> String {
    const EOK: i64 = 100_000_000;
    match (amount.0.checked_div(EOK), amount.0.checked_rem(EOK)) {
        (Some(eok), Some(0)) if eok > 0 => format!("{eok}억원"),
        _ => format!("{}원", grouped(amount.0.into())),
    }
}

fn grouped(value: Decimal) -> String {
    let text = value.normalize().to_string();
    let (whole, decimals) = match text.split_once('.') {
        Some((whole, decimals)) => (whole.to_owned(), format!(".{decimals}")),
        None => (text, String::new()),
    };
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        let left = whole.len().saturating_sub(index);
        if index > 0 && left.is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + &decimals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_their_units_and_the_particle_fits() {
        for (text, expected) in [
            ("세금 {{rule deposit.tax}}를 떼요.", "세금 15.4%를 떼요."),
            ("세금 {{rule deposit.tax}}을 떼요.", "세금 15.4%를 떼요."),
            ("{{rule deposit.insured}}예요.", "1억원이에요."),
            ("{{rule deposit.income}}이에요.", "14%예요."),
            (
                "{{rule stock.sell_tax 2024}}, {{rule stock.sell_tax 2025}}",
                "0.18%, 0.15%",
            ),
            ("{{rule stock.sell_tax 2026}}이에요", "0.2%예요"),
            ("{{rule us.sec_fee 2026-04-04}}", "0.00206%"),
            ("{{rule limit.upper stock 17330}}예요", "22,500원이에요"),
            ("{{rule tick.stock 10000}} 위", "10원 위"),
            ("{{rule session.krx open}}에 열고", "오전 9시에 열고"),
            ("({{rule session.krx closing}})", "(15:20~15:30)"),
            ("{{rule session.us close}}이에요", "오후 4시예요"),
            ("{{rule gold.step}} 단위", "1g 단위"),
            ("{{rule coin.least}}부터", "5,000원부터"),
            ("{{rule fill.ticks}} 불리하게", "1틱 불리하게"),
            ("{{rule vi.auction}} 동안", "2분 동안"),
            (
                "{{rate early_close.min}}, {{rate early_close.min_3m}}",
                "0.5%, 1%",
            ),
        ] {
            assert_eq!(fill_in(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_no_table_has_is_an_error() {
        for text in [
            "{{rule moon.phase}}",
            "{{rate}}",
            "{{other deposit.tax}}",
            "{{rule stock.sell_tax}}",
            "{{open",
        ] {
            assert!(fill_in(text).is_err(), "{text}");
        }
    }
}
