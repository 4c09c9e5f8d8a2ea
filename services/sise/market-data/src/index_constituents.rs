//! The constituents of an index: companies of this market that satisfy its rule, weighted by
//! present market value.

use std::cmp::Reverse;

use kernel::MarketCode;
use rust_decimal::{Decimal, RoundingStrategy};

use crate::catalogue::Instrument;
use crate::listing::Row;

/// Constituents in a response.
const LIST_LENGTH: usize = 10;

/// An index of the largest companies of a market.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IndexRule {
    pub market: MarketCode,
    /// `None` includes every exchange.
    exchange: Option<&'static str>,
    /// Maximum number of constituents.
    size: usize,
}

/// The index that a fund replicates; `None` for other funds: leveraged and inverse funds hold
/// futures, and the constituents of themes and sectors are not known.
#[must_use]
pub fn followed_by(fund: &Instrument) -> Option<IndexRule> {
    if fund.market != MarketCode::Etf || fund.leverage != 1 {
        return None;
    }
    let rule = |market, exchange, size| IndexRule {
        market,
        exchange,
        size,
    };
    match fund.dynamics.underlying.as_deref()? {
        "KOSPI200" => Some(rule(MarketCode::Kospi, None, 200)),
        "KOSDAQ150" => Some(rule(MarketCode::Kosdaq, None, 150)),
        "SP500" | "SP500_HEDGED" => Some(rule(MarketCode::Global, None, 500)),
        "NASDAQ100" => Some(rule(MarketCode::Global, Some("NAS"), 100)),
        _ => None,
    }
}

impl IndexRule {
    fn counts(&self, instrument: &Instrument) -> bool {
        // Codes of preferred shares do not end with 0 in Korea; indices exclude them.
        let is_common = instrument.market == MarketCode::Global || instrument.code.ends_with('0');
        instrument.market == self.market
            && is_common
            && self.exchange.is_none_or(|one| one == instrument.exchange)
    }
}

#[derive(Clone, Debug)]
pub struct Constituent<'rows> {
    pub row: &'rows Row,
    /// Percent of the index, two decimals.
    pub weight: Decimal,
}

/// The largest constituents among `rows`, and the total number. `shares_of` returns today's number
/// of shares; instruments without it or without a price are excluded.
#[must_use]
pub fn largest<'rows>(
    rule: &IndexRule,
    rows: &'rows [Row],
    shares_of: impl Fn(&Instrument) -> Decimal,
) -> (Vec<Constituent<'rows>>, usize) {
    let counted = rows.iter().filter(|row| rule.counts(&row.instrument));
    let mut sizes: Vec<(Decimal, &Row)> = counted
        .map(|row| {
            let shares = shares_of(&row.instrument);
            (row.price_won.saturating_mul(shares), row)
        })
        .filter(|(size, _)| *size > Decimal::ZERO)
        .collect();
    sizes.sort_by_key(|(size, _)| Reverse(*size));
    sizes.truncate(rule.size);
    let whole = sizes
        .iter()
        .fold(Decimal::ZERO, |sum, (size, _)| sum.saturating_add(*size));
    let largest = sizes
        .iter()
        .take(LIST_LENGTH)
        .map(|(size, row)| Constituent {
            row,
            weight: percent(*size, whole),
        });
    (largest.collect(), sizes.len())
}

/// The number of shares in the seed: as listed, or derived from the market value at the first
/// price.
#[must_use]
pub fn seeded_shares(instrument: &Instrument) -> Decimal {
    let by_value = || {
        let value = Decimal::from(instrument.market_cap?);
        value.checked_div(instrument.base_price.0)
    };
    let listed = instrument.listed_shares.map(Decimal::from);
    listed.or_else(by_value).unwrap_or_default().trunc()
}

fn percent(part: Decimal, whole: Decimal) -> Decimal {
    part.checked_div(whole)
        .unwrap_or_default()
        .saturating_mul(Decimal::ONE_HUNDRED)
        .round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rust_decimal_macros::dec;

    use super::*;
    use crate::seed;

    fn rows() -> Vec<Row> {
        let universe = seed::MARKET.read().unwrap();
        let instruments = universe.instruments.into_iter();
        instruments
            .map(|instrument| Row {
                price_won: instrument.base_price.0,
                instrument: Arc::new(instrument),
                change_percent: Decimal::ZERO,
                volume: Decimal::ZERO,
                value_won: Decimal::ZERO,
                market_cap_won: Decimal::ZERO,
            })
            .collect()
    }

    fn rule(rows: &[Row], code: &str) -> Option<IndexRule> {
        let fund = rows.iter().find(|row| row.instrument.code == code);
        followed_by(&fund.unwrap().instrument)
    }

    #[test]
    fn only_funds_that_hold_the_shares_of_an_index_have_members() {
        let rows = rows();
        let markets =
            ["069500", "229200", "360750", "449180"].map(|code| rule(&rows, code).unwrap().market);
        assert_eq!(
            markets,
            [
                MarketCode::Kospi,
                MarketCode::Kosdaq,
                MarketCode::Global,
                MarketCode::Global
            ]
        );
        // A leveraged fund, an inverse fund, a theme, gold, bonds, and a share.
        for code in ["122630", "114800", "305720", "411060", "273130", "005930"] {
            assert_eq!(rule(&rows, code), None, "{code}");
        }
    }

    #[test]
    fn members_weigh_what_all_of_their_shares_cost() {
        let rows = rows();
        let shares = |instrument: &Instrument| match instrument.code.as_str() {
            "005930" => dec!(3_000) / instrument.base_price.0,
            "000660" => dec!(1_000) / instrument.base_price.0,
            // Preferred shares of the first.
            "005935" => dec!(9_000) / instrument.base_price.0,
            _ => Decimal::ZERO,
        };
        let kospi = rule(&rows, "069500").unwrap();
        let (members, total) = largest(&kospi, &rows, shares);
        let told: Vec<_> = members
            .iter()
            .map(|member| (member.row.instrument.code.as_str(), member.weight))
            .collect();
        assert_eq!(told, [("005930", dec!(75)), ("000660", dec!(25))]);
        assert_eq!(total, 2);
        let (none, total) = largest(&kospi, &rows, |_| Decimal::ZERO);
        assert!(none.is_empty() && total == 0);
    }

    #[test]
    fn the_seed_knows_the_members_of_every_index() {
        let rows = rows();
        for (code, first) in [("069500", "005930"), ("379800", "NVDA"), ("133690", "NVDA")] {
            let rule = rule(&rows, code).unwrap();
            let (members, total) = largest(&rule, &rows, seeded_shares);
            assert_eq!(members.len(), 10, "{code}");
            assert_eq!(members[0].row.instrument.code, first);
            assert!(total > 40, "{code} has {total}");
            let weights: Vec<Decimal> = members.iter().map(|member| member.weight).collect();
            assert!(weights.is_sorted_by(|one, next| one >= next));
            assert!(weights.iter().sum::<Decimal>() < dec!(100));
        }
    }
}
