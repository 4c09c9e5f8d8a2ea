//! The bands of all tables.

use rust_decimal::Decimal;

use super::{TickBand, TickClass};

/// `units / 10^scale`.
const fn decimal(units: u32, scale: u32) -> Decimal {
    Decimal::from_parts(units, 0, 0, false, scale)
}

const fn band(from: Decimal, tick: Decimal) -> TickBand {
    TickBand { from, tick }
}

/// A band with an integer bound and tick.
const fn whole(from: u32, tick: u32) -> TickBand {
    band(decimal(from, 0), decimal(tick, 0))
}

const KRX_STOCK: &[TickBand] = &[
    whole(0, 1),
    whole(2_000, 5),
    whole(5_000, 10),
    whole(20_000, 50),
    whole(50_000, 100),
    whole(200_000, 500),
    whole(500_000, 1_000),
];

const KRX_ETF: &[TickBand] = &[whole(0, 1), whole(2_000, 5)];

/// In force since 2025-07-31.
const UPBIT_KRW: &[TickBand] = &[
    band(decimal(0, 0), decimal(1, 8)),
    band(decimal(1, 5), decimal(1, 7)),
    band(decimal(1, 4), decimal(1, 6)),
    band(decimal(1, 3), decimal(1, 5)),
    band(decimal(1, 2), decimal(1, 4)),
    band(decimal(1, 1), decimal(1, 3)),
    band(decimal(1, 0), decimal(1, 2)),
    band(decimal(10, 0), decimal(1, 1)),
    whole(100, 1),
    whole(1_000, 1),
    whole(5_000, 5),
    whole(10_000, 10),
    whole(50_000, 50),
    whole(100_000, 100),
    whole(500_000, 500),
    whole(1_000_000, 1_000),
];

/// Stablecoins have a tick of 0.5 won between 1,000 and 10,000 won (since 2025-03-21).
const UPBIT_KRW_STABLE: &[TickBand] = &[
    band(decimal(0, 0), decimal(1, 8)),
    band(decimal(1, 5), decimal(1, 7)),
    band(decimal(1, 4), decimal(1, 6)),
    band(decimal(1, 3), decimal(1, 5)),
    band(decimal(1, 2), decimal(1, 4)),
    band(decimal(1, 1), decimal(1, 3)),
    band(decimal(1, 0), decimal(1, 2)),
    band(decimal(10, 0), decimal(1, 1)),
    whole(100, 1),
    band(decimal(1_000, 0), decimal(5, 1)),
    whole(10_000, 10),
    whole(50_000, 50),
    whole(100_000, 100),
    whole(500_000, 500),
    whole(1_000_000, 1_000),
];

const KRX_GOLD: &[TickBand] = &[whole(0, 10)];

const CENT: &[TickBand] = &[band(decimal(0, 0), decimal(1, 2))];

const NATURAL_GAS: &[TickBand] = &[band(decimal(0, 0), decimal(1, 3))];

const COPPER: &[TickBand] = &[band(decimal(0, 0), decimal(5, 4))];

const REPLAY: &[TickBand] = &[band(decimal(0, 0), decimal(1, 4))];

pub(super) fn of(class: TickClass, code: &str) -> &'static [TickBand] {
    match class {
        TickClass::KrxStock => KRX_STOCK,
        TickClass::KrxEtf => KRX_ETF,
        TickClass::UpbitKrw if matches!(code, "KRW-USDT" | "KRW-USDC") => UPBIT_KRW_STABLE,
        TickClass::UpbitKrw => UPBIT_KRW,
        TickClass::KrxGold => KRX_GOLD,
        TickClass::UsStock => CENT,
        TickClass::UsdCommodity => match code {
            "NG" => NATURAL_GAS,
            "HG" => COPPER,
            _ => CENT,
        },
        TickClass::Replay => REPLAY,
    }
}
