//! The rates, by market and the date from which they apply.

use chrono::NaiveDate;
use kernel::MarketCode;
use rust_decimal::Decimal;

use super::FeeRates;

/// `units / 10^scale`.
const fn decimal(units: u32, scale: u32) -> Decimal {
    Decimal::from_parts(units, 0, 0, false, scale)
}

/// The base of all rows: no costs.
pub(super) const NO_COSTS: FeeRates = FeeRates {
    effective_from: NaiveDate::MIN,
    fee_rate: Decimal::ZERO,
    sell_tax_rate: Decimal::ZERO,
    sec_rate: Decimal::ZERO,
    taf_per_share_usd: Decimal::ZERO,
    taf_most_usd: Decimal::ZERO,
    fx_spread_rate: Decimal::ZERO,
};

/// 0.015 %: shares and ETFs in Korea.
const KRX_FEE: Decimal = decimal(15, 5);
/// 0.05 %.
const COIN_FEE: Decimal = decimal(5, 4);
/// 0.30 %.
const GOLD_FEE: Decimal = decimal(3, 3);
/// 0.10 %, commission and exchange spread alike.
const US_FEE: Decimal = decimal(1, 3);

/// Transaction tax on Korean shares, including the special tax for rural development.
const KRX_SELL_TAX: [(i32, Decimal); 3] = [
    (2024, decimal(18, 4)),
    (2025, decimal(15, 4)),
    (2026, decimal(20, 4)),
];

/// US sale fees from (year, month, day): SEC rate, FINRA dollars per share, and its maximum.
type UsPeriod = ((i32, u32, u32), Decimal, Decimal, Decimal);

const US_SELL: [UsPeriod; 5] = [
    (
        (2024, 5, 22),
        decimal(278, 7),
        decimal(166, 6),
        decimal(830, 2),
    ),
    (
        (2025, 5, 14),
        Decimal::ZERO,
        decimal(166, 6),
        decimal(830, 2),
    ),
    (
        (2026, 1, 1),
        Decimal::ZERO,
        decimal(195, 6),
        decimal(979, 2),
    ),
    (
        (2026, 4, 4),
        decimal(206, 7),
        decimal(195, 6),
        decimal(979, 2),
    ),
    (
        (2027, 1, 1),
        decimal(206, 7),
        decimal(232, 6),
        decimal(1_161, 2),
    ),
];

pub(super) fn rows() -> Vec<(MarketCode, FeeRates)> {
    let mut rows = Vec::new();
    for (year, sell_tax_rate) in KRX_SELL_TAX {
        for market in [MarketCode::Kospi, MarketCode::Kosdaq] {
            rows.push((
                market,
                FeeRates {
                    effective_from: date(year, 1, 1),
                    fee_rate: KRX_FEE,
                    sell_tax_rate,
                    ..NO_COSTS
                },
            ));
        }
    }
    for (market, fee_rate) in [
        (MarketCode::Etf, KRX_FEE),
        (MarketCode::Coin, COIN_FEE),
        (MarketCode::Gold, GOLD_FEE),
    ] {
        rows.push((
            market,
            FeeRates {
                fee_rate,
                ..NO_COSTS
            },
        ));
    }
    for ((year, month, day), sec_rate, taf_per_share_usd, taf_most_usd) in US_SELL {
        rows.push((
            MarketCode::Global,
            FeeRates {
                effective_from: date(year, month, day),
                fee_rate: US_FEE,
                sec_rate,
                taf_per_share_usd,
                taf_most_usd,
                fx_spread_rate: US_FEE,
                ..NO_COSTS
            },
        ));
    }
    rows
}

/// A date of the tables above; a test checks all of them.
fn date(year: i32, month: u32, day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(year, month, day).unwrap_or(NaiveDate::MIN)
}

#[cfg(test)]
mod tests {
    use chrono::Datelike;

    use super::*;

    #[test]
    fn every_dated_row_has_its_date() {
        let dated = rows()
            .into_iter()
            .filter(|(_, rates)| rates.effective_from.year() > 2000)
            .count();
        assert_eq!(dated, KRX_SELL_TAX.len() * 2 + US_SELL.len());
    }
}
