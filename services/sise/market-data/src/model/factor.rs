//! The six common factors and their parameters.

use market_rules::Venue;

use super::bridge::Bridge;
use super::session::SimulatedSession;

/// A common driver of prices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Factor {
    /// The S&P 500.
    Spx,
    Kospi,
    Kosdaq,
    /// Coins; BTC equals the factor.
    Crypto,
    /// Gold in dollars.
    Gold,
    /// Won per dollar.
    Fx,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct FactorParameters {
    /// The venue whose hours apply.
    pub(super) venue: Venue,
    /// Standard deviation of a daily return.
    pub(super) daily_volatility: f64,
    pub(super) vol_of_vol: f64,
    /// Share of the daily variance between close and open.
    pub(super) overnight_share: f64,
    /// Half-life of the deviation from the anchor.
    pub(super) half_life_days: f64,
    pub(super) drift_per_day: f64,
}

/// Drift of the anchor per trading day.
pub const DRIFT_PER_DAY: f64 = 0.05 / 250.0;
/// Half-life of the deviation from the anchor.
pub const HALF_LIFE_DAYS: f64 = 250.0;
/// Autocorrelation of the log volatility from day to day.
const VOLATILITY_MEMORY: f64 = 0.97;
/// Share of New York's return in Seoul's next overnight gap.
pub(super) const NEW_YORK_IN_SEOUL: f64 = 0.35;
/// Correlation of the KOSDAQ with the KOSPI.
pub(super) const KOSPI_IN_KOSDAQ: f64 = 0.75;

impl Factor {
    /// Every factor; a factor comes after those that its gap depends on.
    pub const ALL: [Self; 6] = [
        Self::Spx,
        Self::Kospi,
        Self::Kosdaq,
        Self::Crypto,
        Self::Gold,
        Self::Fx,
    ];

    /// Standard deviation of a daily return.
    #[must_use]
    pub fn daily_volatility(self) -> f64 {
        self.parameters().daily_volatility
    }

    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Spx => "factor:SPX",
            Self::Kospi => "factor:KOSPI",
            Self::Kosdaq => "factor:KOSDAQ",
            Self::Crypto => "factor:CRYPTO",
            Self::Gold => "factor:GOLD",
            Self::Fx => "factor:FX",
        }
    }

    pub(super) fn parameters(self) -> FactorParameters {
        let parameters = |venue, daily_volatility, vol_of_vol, overnight_share| FactorParameters {
            venue,
            daily_volatility,
            vol_of_vol,
            overnight_share,
            half_life_days: HALF_LIFE_DAYS,
            drift_per_day: DRIFT_PER_DAY,
        };
        match self {
            Self::Spx => parameters(Venue::Us, 0.0105, 0.12, 0.38),
            Self::Kospi => parameters(Venue::Krx, 0.0125, 0.12, 0.40),
            Self::Kosdaq => parameters(Venue::Krx, 0.0160, 0.10, 0.23),
            Self::Crypto => parameters(Venue::Coin, 0.0240, 0.10, 0.0),
            Self::Gold => parameters(Venue::Coin, 0.0095, 0.10, 0.0),
            Self::Fx => FactorParameters {
                half_life_days: 120.0,
                drift_per_day: 0.0,
                ..parameters(Venue::Coin, 0.0045, 0.10, 0.0)
            },
        }
    }

    /// The factors whose noise it mixes, and their weights; the squares of the weights sum to one.
    pub(super) fn mixture(self) -> [(Self, f64); 2] {
        let mixed =
            |with: Self, weight: f64| [(with, weight), (self, (1.0 - weight * weight).sqrt())];
        match self {
            Self::Spx | Self::Kospi => mixed(self, 0.0),
            Self::Kosdaq => mixed(Self::Kospi, KOSPI_IN_KOSDAQ),
            Self::Crypto => mixed(Self::Spx, 0.35),
            Self::Gold => mixed(Self::Spx, 0.05),
            Self::Fx => mixed(Self::Kospi, -0.45),
        }
    }
}

/// Advances the volatility state by one step and returns the multiplier of the usual volatility,
/// whose expected square is one.
pub fn volatility_multiplier(state: &mut f64, vol_of_vol: f64, normal: f64) -> f64 {
    *state = VOLATILITY_MEMORY * *state + vol_of_vol * normal;
    let variance = vol_of_vol.powi(2) / (1.0 - VOLATILITY_MEMORY.powi(2));
    (*state - variance).exp()
}

/// Splits a day's move into the overnight gap and the intraday path. Without an overnight close all
/// of it is in the path.
pub fn split_day(
    session: &SimulatedSession,
    gap: f64,
    intraday: f64,
    deviation: f64,
    overnight_share: f64,
) -> (f64, Bridge) {
    if session.overnight {
        let deviation = deviation * (1.0 - overnight_share).sqrt();
        (
            gap,
            Bridge {
                total: intraday,
                deviation,
            },
        )
    } else {
        (
            0.0,
            Bridge {
                total: gap + intraday,
                deviation,
            },
        )
    }
}
