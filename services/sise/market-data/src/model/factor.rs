//! The six things that move everything else: what each is like.

use market_rules::Venue;

use super::bridge::Bridge;
use super::session::Session;

/// A common cause of price moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Factor {
    /// The S&P 500.
    Spx,
    /// The KOSPI.
    Kospi,
    /// The KOSDAQ.
    Kosdaq,
    /// Coins; BTC is the factor itself.
    Crypto,
    /// Gold in dollars.
    Gold,
    /// Won per dollar.
    Fx,
}

/// How a factor behaves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Habit {
    /// Whose hours it keeps.
    pub(super) venue: Venue,
    /// Standard deviation of a day's return.
    pub(super) daily_volatility: f64,
    /// How restless the volatility itself is.
    pub(super) restlessness: f64,
    /// Share of a day's variance that falls into the hours of sleep.
    pub(super) overnight_share: f64,
    /// Days after which half of a distance to the anchor is gone.
    pub(super) half_life_days: f64,
    /// Of the anchor.
    pub(super) drift_per_day: f64,
}

/// Return per year towards which a price drifts, divided over its trading days.
pub const DRIFT_PER_DAY: f64 = 0.05 / 250.0;
/// Days after which half of a distance to the anchor is gone.
pub const HALF_LIFE_DAYS: f64 = 250.0;
/// What stays of a volatility's excitement from one day to the next.
const VOLATILITY_MEMORY: f64 = 0.97;
/// How much of New York's day shows in Seoul's next gap.
pub(super) const NEW_YORK_IN_SEOUL: f64 = 0.35;
/// How much of the KOSPI's surprise is the KOSDAQ's.
pub(super) const KOSPI_IN_KOSDAQ: f64 = 0.75;

impl Factor {
    /// Every factor; one that another's gap depends on comes before it.
    pub const ALL: [Self; 6] = [
        Self::Spx,
        Self::Kospi,
        Self::Kosdaq,
        Self::Crypto,
        Self::Gold,
        Self::Fx,
    ];

    /// Standard deviation of a day's return.
    #[must_use]
    pub fn daily_volatility(self) -> f64 {
        self.habit().daily_volatility
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

    pub(super) fn habit(self) -> Habit {
        let habit = |venue, daily_volatility, restlessness, overnight_share| Habit {
            venue,
            daily_volatility,
            restlessness,
            overnight_share,
            half_life_days: HALF_LIFE_DAYS,
            drift_per_day: DRIFT_PER_DAY,
        };
        match self {
            Self::Spx => habit(Venue::Us, 0.0105, 0.12, 0.38),
            Self::Kospi => habit(Venue::Krx, 0.0125, 0.12, 0.40),
            Self::Kosdaq => habit(Venue::Krx, 0.0160, 0.10, 0.23),
            Self::Crypto => habit(Venue::Coin, 0.0240, 0.10, 0.0),
            Self::Gold => habit(Venue::Coin, 0.0095, 0.10, 0.0),
            Self::Fx => Habit {
                half_life_days: 120.0,
                drift_per_day: 0.0,
                ..habit(Venue::Coin, 0.0045, 0.10, 0.0)
            },
        }
    }

    /// Independent sources that make up its noise: squares of the weights sum to one.
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

/// One step of a volatility's state, and the factor by which it stretches the usual one. The
/// expected square of the stretch is one.
pub fn stretch(state: &mut f64, restlessness: f64, normal: f64) -> f64 {
    *state = VOLATILITY_MEMORY * *state + restlessness * normal;
    let variance = restlessness.powi(2) / (1.0 - VOLATILITY_MEMORY.powi(2));
    (*state - variance).exp()
}

/// Divides a day's move into the gap and the path. Where nothing sleeps the gap's part walks the
/// path.
pub fn split_day(
    session: &Session,
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
