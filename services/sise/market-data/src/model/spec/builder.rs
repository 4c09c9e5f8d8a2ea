//! Builds the spec of an instrument from the catalogue.

use std::sync::Arc;

use kernel::{Currency, MarketCode};
use market_rules::{TickClass, Venue};

use crate::catalogue::{Catalogue, Instrument};
use crate::model::events::{ConfiguredEvents, Events};
use crate::model::factor::Factor;
use crate::model::grid::Grid;
use crate::model::noise::Key;

use super::{InstrumentSpec, Node, PriceDriver, Residual, average_volume, to_f64, volume_scale};

/// Fund fees per year.
const PLAIN_FEE: f64 = 0.0015;
const LEVERAGED_FEE: f64 = 0.0064;
/// Yearly rate of money-market funds.
const MONEY_RATE: f64 = 0.029;

pub(super) struct SpecBuilder<'a> {
    seed: &'a [u8],
    catalogue: &'a Catalogue,
    configured: &'a Arc<ConfiguredEvents>,
}

impl<'a> SpecBuilder<'a> {
    pub(super) fn new(
        seed: &'a [u8],
        catalogue: &'a Catalogue,
        configured: &'a Arc<ConfiguredEvents>,
    ) -> Self {
        Self {
            seed,
            catalogue,
            configured,
        }
    }

    pub(super) fn spec(&self, instrument: &Arc<Instrument>) -> InstrumentSpec {
        let grid = Grid::new(&instrument.tick_table);
        let base = to_f64(instrument.base_price.0);
        let base_units = grid.nearest(base * 10_f64.powi(i32::try_from(grid.scale()).unwrap_or(0)));
        let volume = average_volume(instrument);
        let volume_scale = volume_scale(instrument);
        let value_won = match instrument.currency {
            Currency::Krw => volume * base,
            Currency::Usd => volume * base * self.won_per_dollar(),
        };
        InstrumentSpec {
            instrument: Arc::clone(instrument),
            events: Events::new(self.seed, instrument, self.configured),
            node: self.node(instrument),
            base_units,
            volume_scale,
            average_volume_units: volume * 10_f64.powi(i32::try_from(volume_scale).unwrap_or(0)),
            daily_volatility: to_f64(instrument.dynamics.daily_volatility),
            // The most active instruments trade about thirty times as often as the least active
            // ones.
            trades_per_second: value_won.max(1.0).powf(0.3),
            spread_ticks: spread_ticks(instrument, &grid, base_units, value_won),
            auction_shares: match instrument.market {
                MarketCode::Coin => (0.0, 0.0),
                MarketCode::Kospi
                | MarketCode::Kosdaq
                | MarketCode::Etf
                | MarketCode::Global
                | MarketCode::Gold => (0.025, 0.065),
            },
            size_deviation: match instrument.market {
                MarketCode::Coin => 1.5,
                MarketCode::Kospi
                | MarketCode::Kosdaq
                | MarketCode::Etf
                | MarketCode::Global
                | MarketCode::Gold => 0.8,
            },
            grid,
        }
    }

    fn won_per_dollar(&self) -> f64 {
        let mut currencies = self.catalogue.currencies().iter();
        let dollar = currencies.find(|currency| currency.unit == "USD");
        dollar.map_or(1_470.0, |currency| to_f64(currency.base_rate))
    }

    fn node(&self, instrument: &Instrument) -> Arc<Node> {
        let driver = match instrument.market {
            MarketCode::Kospi => self.share(instrument, Factor::Kospi),
            MarketCode::Kosdaq => self.share(instrument, Factor::Kosdaq),
            MarketCode::Global => self.share(instrument, Factor::Spx),
            MarketCode::Coin => self.coin(instrument),
            MarketCode::Gold => self.commodity(instrument),
            MarketCode::Etf => self.fund(instrument),
        };
        let percent = instrument.limit_percent();
        Arc::new(Node {
            key: Key::of(self.seed, &instrument.code),
            venue: instrument.venue(),
            driver,
            limit: percent.map(|percent| f64::from(percent) / 100.0),
        })
    }

    fn share(&self, instrument: &Instrument, factor: Factor) -> PriceDriver {
        let (vol_of_vol, overnight_share, jump_probability) = match factor {
            Factor::Kospi if instrument.dynamics.size_class.as_deref() == Some("LARGE") => {
                (0.12, 0.40, 0.004)
            }
            Factor::Kospi => (0.12, 0.35, 0.004),
            Factor::Spx => (0.12, 0.38, 0.004),
            Factor::Kosdaq => (0.10, 0.23, 0.006),
            Factor::Crypto | Factor::Gold | Factor::Fx => (0.10, 0.0, 0.006),
        };
        let volatility = to_f64(instrument.dynamics.daily_volatility);
        let beta = to_f64(instrument.dynamics.beta);
        PriceDriver::FactorModel {
            exposures: vec![(factor, beta)],
            residual: Residual::MeanReverting {
                deviation: own_deviation(volatility, beta * factor.daily_volatility(), 0.35),
                vol_of_vol,
                overnight_share,
                jump_probability,
            },
        }
    }

    fn coin(&self, instrument: &Instrument) -> PriceDriver {
        if instrument.dynamics.beta.is_zero() {
            // A stablecoin is the dollar with a small premium.
            return PriceDriver::FactorModel {
                exposures: vec![(Factor::Fx, 1.0)],
                residual: Residual::Premium {
                    deviation: to_f64(instrument.dynamics.daily_volatility),
                    half_life_days: 2.0,
                },
            };
        }
        self.share(instrument, Factor::Crypto)
    }

    fn commodity(&self, instrument: &Instrument) -> PriceDriver {
        let volatility = to_f64(instrument.dynamics.daily_volatility);
        if instrument.tick_class() == TickClass::KrxGold {
            return PriceDriver::FactorModel {
                exposures: vec![(Factor::Gold, 1.0), (Factor::Fx, 1.0)],
                residual: Residual::Premium {
                    deviation: 0.008,
                    half_life_days: 10.0,
                },
            };
        }
        let metal = |beta: f64| PriceDriver::FactorModel {
            exposures: vec![(Factor::Gold, beta)],
            residual: mean_reverting(
                own_deviation(volatility, beta * Factor::Gold.daily_volatility(), 0.05),
                0.0,
            ),
        };
        match instrument.code.as_str() {
            "XAUUSD" => metal(1.0),
            "XAGUSD" | "XPTUSD" => metal(1.2),
            "BRENT" => match self.catalogue.get("WTI") {
                // The ratio of the two crude oils is constant.
                Some(crude) => PriceDriver::Leveraged {
                    underlying: self.node(crude),
                    leverage: 1.0,
                    fee_per_year: 0.0,
                },
                None => residual_only(volatility),
            },
            _ => residual_only(volatility),
        }
    }

    fn fund(&self, instrument: &Instrument) -> PriceDriver {
        let leverage = f64::from(instrument.leverage);
        let dynamics = &instrument.dynamics;
        let kind = dynamics.asset_kind.as_deref().unwrap_or_default();
        let volatility = to_f64(dynamics.daily_volatility);
        if kind == "MONEY" {
            return PriceDriver::FactorModel {
                exposures: Vec::new(),
                residual: Residual::Accrual {
                    deviation: volatility,
                    rate_per_year: MONEY_RATE,
                },
            };
        }
        let name = dynamics.underlying.as_deref().unwrap_or(&instrument.code);
        PriceDriver::Leveraged {
            underlying: self.underlying(name, kind, volatility / leverage.abs()),
            leverage,
            fee_per_year: if instrument.leverage == 1 {
                PLAIN_FEE
            } else {
                LEVERAGED_FEE
            },
        }
    }

    /// The underlying of a fund: a listed instrument, the gold price, the dollar, or a virtual
    /// index.
    fn underlying(&self, name: &str, kind: &str, volatility: f64) -> Arc<Node> {
        let listed = match name {
            "KRX_GOLD" => self.catalogue.get("04020000"),
            _ => name
                .strip_prefix("STOCK:")
                .and_then(|code| self.catalogue.get(code)),
        };
        if let Some(instrument) = listed {
            return self.node(instrument);
        }
        let (factor, beta, floor) = match kind {
            "EQ_KR" | "EQ_KR_LEV" | "EQ_KR_INV" if name.starts_with("KOSDAQ") => {
                (Some(Factor::Kosdaq), 1.0, 0.10)
            }
            "EQ_KR" | "EQ_KR_LEV" | "EQ_KR_INV" => (Some(Factor::Kospi), 1.0, 0.10),
            "EQ_KR_SECTOR" | "SINGLE_LEV" => (Some(Factor::Kospi), 1.0, 0.35),
            "EQ_US" | "EQ_US_LEV" => (Some(Factor::Spx), 1.0, 0.10),
            "EQ_CN" => (Some(Factor::Spx), 0.6, 0.35),
            "GOLD" | "COMMODITY" => (Some(Factor::Gold), 1.0, 0.10),
            "FX" => (Some(Factor::Fx), 1.0, 0.02),
            "REIT" => (Some(Factor::Kospi), 0.35, 0.35),
            _ => (None, 0.0, 1.0),
        };
        // Funds of one index share its path, so the volatility depends on the index only.
        let volatility = match (name, factor) {
            ("KOSPI200" | "KOSDAQ150" | "SP500" | "NASDAQ100", Some(factor)) => {
                factor.daily_volatility()
            }
            _ => volatility,
        };
        let exposures: Vec<(Factor, f64)> = factor
            .map(|factor| (factor, capped_beta(factor, beta, volatility)))
            .into_iter()
            .collect();
        let common: f64 = exposures
            .iter()
            .map(|(factor, beta)| beta * factor.daily_volatility())
            .sum();
        let overnight_share = if factor == Some(Factor::Kosdaq) {
            0.23
        } else {
            0.40
        };
        Arc::new(Node {
            key: Key::of(self.seed, &format!("underlying:{name}")),
            venue: Venue::Krx,
            driver: PriceDriver::FactorModel {
                exposures,
                residual: mean_reverting(own_deviation(volatility, common, floor), overnight_share),
            },
            limit: Some(0.30),
        })
    }
}

fn residual_only(volatility: f64) -> PriceDriver {
    PriceDriver::FactorModel {
        exposures: Vec::new(),
        residual: mean_reverting(volatility, 0.0),
    }
}

fn mean_reverting(deviation: f64, overnight_share: f64) -> Residual {
    Residual::MeanReverting {
        deviation,
        vol_of_vol: 0.10,
        overnight_share,
        jump_probability: 0.0,
    }
}

/// The residual volatility after the common part, at least `floor` of the total.
fn own_deviation(volatility: f64, common: f64, floor: f64) -> f64 {
    let rest = volatility.powi(2) - common.powi(2);
    rest.max((floor * volatility).powi(2)).sqrt()
}

/// A factor explains at most nine tenths of a volatility.
fn capped_beta(factor: Factor, beta: f64, volatility: f64) -> f64 {
    beta.min(volatility / factor.daily_volatility())
}

fn spread_ticks(instrument: &Instrument, grid: &Grid, base_units: i64, value_won: f64) -> u32 {
    let by_share = |basis_points: f64| {
        let tick = grid.tick_at(base_units) as f64;
        let ticks = (base_units as f64 * basis_points * 1e-4 / tick).round();
        (ticks as u32).max(1)
    };
    match instrument.market {
        MarketCode::Kospi | MarketCode::Kosdaq | MarketCode::Etf if value_won < 3e8 => 3,
        MarketCode::Kospi | MarketCode::Kosdaq | MarketCode::Etf if value_won < 3e9 => 2,
        MarketCode::Kospi | MarketCode::Kosdaq | MarketCode::Etf | MarketCode::Gold
            if instrument.currency == Currency::Krw =>
        {
            1
        }
        MarketCode::Coin if value_won >= 1e11 => by_share(2.0),
        MarketCode::Coin if value_won >= 1e10 => by_share(3.0),
        MarketCode::Coin => by_share(6.0),
        MarketCode::Kospi
        | MarketCode::Kosdaq
        | MarketCode::Etf
        | MarketCode::Global
        | MarketCode::Gold => by_share(0.5).min(12),
    }
}
