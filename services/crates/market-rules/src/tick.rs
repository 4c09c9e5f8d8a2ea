//! Tick sizes.
//!
//! A table is a list of bands, each from a price upwards. Valid prices are the positive multiples
//! of a band's tick within the band. Every band starts at a multiple of its own tick and of the
//! previous one, so rounding always gives a valid price.

mod bands;

use kernel::Price;
use rust_decimal::{Decimal, prelude::ToPrimitive};
use serde::{Deserialize, Serialize};

/// Identifies a tick table (`tick_class` of instruments).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum TickClass {
    /// Shares on KOSPI and KOSDAQ.
    KrxStock,
    /// Exchange-traded funds in Korea.
    KrxEtf,
    /// Coins in won.
    UpbitKrw,
    /// Gold on the Korea Exchange, per gram.
    KrxGold,
    UsStock,
    /// World commodities in dollars.
    UsdCommodity,
    /// Recorded prices, which have four decimals.
    Replay,
}

impl TickClass {
    pub const ALL: [Self; 7] = [
        Self::KrxStock,
        Self::KrxEtf,
        Self::UpbitKrw,
        Self::KrxGold,
        Self::UsStock,
        Self::UsdCommodity,
        Self::Replay,
    ];

    /// The name in columns and messages.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::KrxStock => "KRX_STOCK",
            Self::KrxEtf => "KRX_ETF",
            Self::UpbitKrw => "UPBIT_KRW",
            Self::KrxGold => "KRX_GOLD",
            Self::UsStock => "US_STOCK",
            Self::UsdCommodity => "USD_COMMODITY",
            Self::Replay => "REPLAY",
        }
    }

    /// `None` for an unknown name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.as_str() == text)
    }
}

/// Prices from `from` (inclusive) have this tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TickBand {
    pub from: Decimal,
    pub tick: Decimal,
}

/// The tick table of an instrument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TickTable {
    class: TickClass,
    bands: &'static [TickBand],
}

impl TickTable {
    /// `code` selects instruments with their own tick (stablecoins, natural gas, copper).
    #[must_use]
    pub fn for_class(class: TickClass, code: &str) -> Self {
        Self {
            class,
            bands: bands::of(class, code),
        }
    }

    #[must_use]
    pub fn class(&self) -> TickClass {
        self.class
    }

    /// From the lowest price upwards; the first band starts at zero.
    #[must_use]
    pub fn bands(&self) -> &'static [TickBand] {
        self.bands
    }

    /// The decimals of a valid price.
    #[must_use]
    pub fn scale(&self) -> u32 {
        let scales = self.bands.iter().map(|band| band.tick.normalize().scale());
        scales.max().unwrap_or(0)
    }

    /// The distance to the next higher price.
    #[must_use]
    pub fn tick_at(&self, price: Price) -> Decimal {
        self.band_at(price.0).tick
    }

    #[must_use]
    pub fn is_on_tick(&self, price: Price) -> bool {
        price.is_positive() && (price.0 % self.tick_at(price)).is_zero()
    }

    /// The highest valid price at or below `price`; zero when there is none.
    #[must_use]
    pub fn floor(&self, price: Price) -> Price {
        if !price.is_positive() {
            return Price::ZERO;
        }
        Price(price.0 - price.0 % self.tick_at(price))
    }

    #[must_use]
    pub fn ceil(&self, price: Price) -> Price {
        let below = self.floor(price);
        if below == price && price.is_positive() {
            return price;
        }
        self.next_up(below)
    }

    /// Rounds half up, at least to the lowest valid price.
    #[must_use]
    pub fn nearest(&self, price: Price) -> Price {
        let below = self.floor(price);
        let above = self.ceil(price);
        if below.is_positive() && price.0 - below.0 < above.0 - price.0 {
            below
        } else {
            above
        }
    }

    /// The valid prices around an invalid one; there is no lower one below the lowest valid price.
    /// For a valid price both are `price`.
    #[must_use]
    pub fn neighbours(&self, price: Price) -> (Option<Price>, Price) {
        let below = self.floor(price);
        (below.is_positive().then_some(below), self.ceil(price))
    }

    /// One tick worse for a buyer.
    #[must_use]
    pub fn next_up(&self, price: Price) -> Price {
        let below = self.floor(price);
        Price(below.0.saturating_add(self.tick_at(below)))
    }

    /// One tick worse for a seller. `None` at the lowest valid price.
    #[must_use]
    pub fn next_down(&self, price: Price) -> Option<Price> {
        let below = self.floor(price);
        let next = if below < price {
            below.0
        } else {
            below.0 - self.band_below(below.0).tick
        };
        (next > Decimal::ZERO).then_some(Price(next))
    }

    #[must_use]
    pub fn step_up(&self, price: Price, ticks: u32) -> Price {
        (0..ticks).fold(price, |price, _| self.next_up(price))
    }

    /// Stops at the lowest valid price.
    #[must_use]
    pub fn step_down(&self, price: Price, ticks: u32) -> Price {
        (0..ticks).fold(price, |price, _| self.next_down(price).unwrap_or(price))
    }

    /// Number of ticks between two prices; negative when `to` is lower. Invalid prices count as the
    /// valid price below.
    #[must_use]
    pub fn ticks_between(&self, from: Price, to: Price) -> i64 {
        self.ordinal(to) - self.ordinal(from)
    }

    /// The rank of a price among the valid prices: 1 for the lowest.
    fn ordinal(&self, price: Price) -> i64 {
        let mut ordinal = Decimal::ZERO;
        for (index, band) in self.bands.iter().enumerate() {
            if price.0 < band.from {
                break;
            }
            let until = match self.bands.get(index + 1) {
                Some(next) => price.0.min(next.from),
                None => price.0,
            };
            let ticks = (until - band.from).checked_div(band.tick);
            ordinal = ordinal.saturating_add(ticks.unwrap_or(Decimal::MAX).floor());
        }
        ordinal.to_i64().unwrap_or(i64::MAX)
    }

    fn band_at(&self, price: Decimal) -> TickBand {
        self.last_band(|band| band.from <= price)
    }

    fn band_below(&self, price: Decimal) -> TickBand {
        self.last_band(|band| band.from < price)
    }

    fn last_band(&self, holds: impl Fn(&TickBand) -> bool) -> TickBand {
        let bands = self.bands.iter();
        let found = bands.take_while(|band| holds(band)).last();
        found.or(self.bands.first()).copied().unwrap_or(TickBand {
            from: Decimal::ZERO,
            tick: Decimal::ONE,
        })
    }
}
