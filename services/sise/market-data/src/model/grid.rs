//! Valid prices as integers: the tick table of an instrument in its own scale.

use market_rules::TickTable;
use rust_decimal::{Decimal, prelude::ToPrimitive};

/// The tick table with prices as `units / 10^scale`.
#[derive(Clone, Debug)]
pub struct Grid {
    scale: u32,
    units_per_one: f64,
    // Lowest price of each band and its tick, highest band first.
    bands: Vec<(i64, i64)>,
}

impl Grid {
    #[must_use]
    pub fn new(table: &TickTable) -> Self {
        let scale = table.scale();
        let units_per_one = 10_i64.pow(scale.min(18));
        let units = |value: Decimal| {
            (value * Decimal::from(units_per_one))
                .to_i64()
                .unwrap_or(i64::MAX)
        };
        let bands = table.bands().iter().rev();
        Self {
            scale,
            units_per_one: units_per_one as f64,
            bands: bands
                .map(|band| (units(band.from), units(band.tick)))
                .collect(),
        }
    }

    #[must_use]
    pub fn scale(&self) -> u32 {
        self.scale
    }

    /// Converts a logarithm to units, not rounded to a tick.
    #[must_use]
    pub fn units(&self, logarithm: f64) -> f64 {
        logarithm.exp() * self.units_per_one
    }

    #[must_use]
    pub fn logarithm(&self, units: i64) -> f64 {
        (units as f64 / self.units_per_one).ln()
    }

    #[must_use]
    pub fn tick_at(&self, units: i64) -> i64 {
        let band = self.bands.iter().find(|(from, _)| *from <= units);
        band.or(self.bands.last()).map_or(1, |(_, tick)| *tick)
    }

    /// Rounds down to a valid price, at least the lowest one.
    #[must_use]
    pub fn floor(&self, units: f64) -> i64 {
        // The tolerance keeps a valid price unchanged after a round trip through its logarithm.
        self.floor_whole((units * (1.0 + 1e-12) + 1e-6).floor() as i64)
    }

    #[must_use]
    pub fn nearest(&self, units: f64) -> i64 {
        let below = self.floor(units);
        let above = below + self.tick_at(below);
        if units - below as f64 > above as f64 - units {
            above
        } else {
            below
        }
    }

    #[must_use]
    pub fn step_up(&self, units: i64, ticks: u32) -> i64 {
        (0..ticks).fold(units, |units, _| units + self.tick_at(units))
    }

    /// At least the lowest valid price.
    #[must_use]
    pub fn step_down(&self, units: i64, ticks: u32) -> i64 {
        (0..ticks).fold(units, |units, _| self.floor_whole(units - 1))
    }

    fn floor_whole(&self, units: i64) -> i64 {
        let tick = self.tick_at(units);
        (units - units.rem_euclid(tick)).max(tick)
    }
}

#[cfg(test)]
mod tests {
    use kernel::Price;
    use market_rules::TickClass;

    use super::*;

    #[test]
    fn every_rounded_price_is_valid_and_agrees_with_the_rules() {
        let classes = [
            (TickClass::KrxStock, "005930"),
            (TickClass::KrxEtf, "069500"),
            (TickClass::UpbitKrw, "KRW-BTC"),
            (TickClass::UpbitKrw, "KRW-USDT"),
            (TickClass::KrxGold, "04020000"),
            (TickClass::UsStock, "AAPL"),
            (TickClass::UsdCommodity, "HG"),
        ];
        for (class, code) in classes {
            let table = TickTable::for_class(class, code);
            let grid = Grid::new(&table);
            for step in 0..4_000_i32 {
                let logarithm = -9.0 + f64::from(step) * 0.007;
                let exact = grid.units(logarithm);
                let price = |units: i64| {
                    Price(Decimal::from_i128_with_scale(
                        i128::from(units),
                        grid.scale(),
                    ))
                };
                for units in [grid.floor(exact), grid.nearest(exact)] {
                    assert!(table.is_on_tick(price(units)), "{code} {units} of {exact}");
                    assert_eq!(price(grid.step_up(units, 1)), table.next_up(price(units)));
                    if let Some(below) = table.next_down(price(units)) {
                        assert_eq!(price(grid.step_down(units, 1)), below, "{code} {units}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_valid_price_survives_its_logarithm() {
        let grid = Grid::new(&TickTable::for_class(TickClass::UpbitKrw, "KRW-BTC"));
        let price = 148_601_000_i64 * 100_000_000;
        assert_eq!(grid.floor(grid.units(grid.logarithm(price))), price);
    }
}
