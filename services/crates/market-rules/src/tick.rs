//! Tick sizes: which prices exist.
//!
//! A table is a list of bands, each valid from a price upwards. The valid prices are the positive
//! multiples of a band's tick inside the band, and every band begins on a multiple of its own tick
//! and of the tick below, so rounding never leaves the set of valid prices.

mod bands;

use kernel::Price;
use rust_decimal::{Decimal, prelude::ToPrimitive};
use serde::{Deserialize, Serialize};

/// Names a family of tick tables, as instruments carry it (`tick_class`).
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
    /// US shares.
    UsStock,
    /// World commodities in dollars.
    UsdCommodity,
    /// Recorded prices, which have four decimals.
    Replay,
}

impl TickClass {
    /// Every class.
    pub const ALL: [Self; 7] = [
        Self::KrxStock,
        Self::KrxEtf,
        Self::UpbitKrw,
        Self::KrxGold,
        Self::UsStock,
        Self::UsdCommodity,
        Self::Replay,
    ];

    /// The spelling in columns and messages.
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

    /// Reads the spelling; `None` when it is not one of the list.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.as_str() == text)
    }
}

/// Part of a table: prices from `from` (inclusive) move by `tick`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TickBand {
    /// Lowest price of the band.
    pub from: Decimal,
    /// Distance between two valid prices of the band.
    pub tick: Decimal,
}

/// The valid prices of an instrument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TickTable {
    class: TickClass,
    bands: &'static [TickBand],
}

impl TickTable {
    /// The table of an instrument. `code` matters where single instruments have a tick of their
    /// own (stable coins, natural gas, copper).
    #[must_use]
    pub fn for_class(class: TickClass, code: &str) -> Self {
        Self {
            class,
            bands: bands::of(class, code),
        }
    }

    /// Which family the table belongs to.
    #[must_use]
    pub fn class(&self) -> TickClass {
        self.class
    }

    /// The bands from the lowest price upwards; the first begins at zero.
    #[must_use]
    pub fn bands(&self) -> &'static [TickBand] {
        self.bands
    }

    /// The most decimals a valid price has: the scale in which every price is a whole number.
    #[must_use]
    pub fn scale(&self) -> u32 {
        let scales = self.bands.iter().map(|band| band.tick.normalize().scale());
        scales.max().unwrap_or(0)
    }

    /// The tick at `price`: what the next higher price differs by.
    #[must_use]
    pub fn tick_at(&self, price: Price) -> Decimal {
        self.band_at(price.0).tick
    }

    /// Whether an order may name `price`.
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

    /// The lowest valid price at or above `price`.
    #[must_use]
    pub fn ceil(&self, price: Price) -> Price {
        let below = self.floor(price);
        if below == price && price.is_positive() {
            return price;
        }
        self.next_up(below)
    }

    /// The valid price nearest to `price`, the higher one when two are equally near, and never
    /// below the lowest valid price.
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

    /// The two valid prices around one that is not valid. The lower one is absent under the
    /// lowest valid price; both are `price` itself when it is valid.
    #[must_use]
    pub fn neighbours(&self, price: Price) -> (Option<Price>, Price) {
        let below = self.floor(price);
        (below.is_positive().then_some(below), self.ceil(price))
    }

    /// The lowest valid price above `price`: one tick worse for a buyer.
    #[must_use]
    pub fn next_up(&self, price: Price) -> Price {
        let below = self.floor(price);
        Price(below.0.saturating_add(self.tick_at(below)))
    }

    /// The highest valid price below `price`: one tick worse for a seller. `None` when `price` is
    /// the lowest valid price already.
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

    /// `price` moved up by `ticks`.
    #[must_use]
    pub fn step_up(&self, price: Price, ticks: u32) -> Price {
        (0..ticks).fold(price, |price, _| self.next_up(price))
    }

    /// `price` moved down by `ticks`, stopping at the lowest valid price.
    #[must_use]
    pub fn step_down(&self, price: Price, ticks: u32) -> Price {
        (0..ticks).fold(price, |price, _| self.next_down(price).unwrap_or(price))
    }

    /// How many ticks lie between two prices; negative when `to` is the lower. Prices that are
    /// not valid count as the valid price below them.
    #[must_use]
    pub fn ticks_between(&self, from: Price, to: Price) -> i64 {
        self.ordinal(to) - self.ordinal(from)
    }

    /// Position of a price among the valid prices: 1 for the lowest.
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
