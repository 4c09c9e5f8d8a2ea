//! A price path from one trading day to the next.

use std::f64::consts::LN_2;
use std::sync::Arc;

use super::bridge::{Bridge, block_minutes};
use super::factor::{DRIFT_PER_DAY, Factor, HALF_LIFE_DAYS, split_day, volatility_multiplier};
use super::factors::Factors;
use super::noise::Key;
use super::profile::Profile;
use super::session::SimulatedSession;
use super::spec::{Node, PriceDriver, Residual};

const VOLATILITY: u64 = 0;
const INTRADAY: u64 = 1;
const OVERNIGHT: u64 = 2;
const JUMP: u64 = 3;
const JUMP_SIGN: u64 = 4;
const JUMP_MINUTE: u64 = 5;
const PATH: u64 = 6;

const JUMP_DEVIATIONS: f64 = 3.0;
/// Keeps the path slightly inside the daily limit, so that rounding to a tick cannot cross it.
const LIMIT_MARGIN: f64 = 0.998;
const TRADING_DAYS_PER_YEAR: f64 = 252.0;

/// The state of a path between two days.
#[derive(Clone, Debug)]
pub struct Track {
    node: Arc<Node>,
    level: f64,
    anchor: f64,
    volatility_state: f64,
    premium: f64,
    previous: Option<SimulatedSession>,
    underlying: Option<Box<Track>>,
}

/// One day of a path, from which any of its points can be computed.
#[derive(Clone, Debug)]
pub struct PathDay {
    pub session: SimulatedSession,
    pub profile: Arc<Profile>,
    /// Logarithm of the previous close.
    pub before: f64,
    /// Logarithm of the close.
    pub after: f64,
    /// Standard deviation of the path from open to close.
    pub deviation: f64,
    pub key: Key,
    // The weighted factor levels at the previous close; factors with other hours move until the
    // open.
    common_before: f64,
    bounds: Option<(f64, f64)>,
    path: DayPath,
}

#[derive(Clone, Debug)]
enum DayPath {
    FactorModel {
        node: Arc<Node>,
        gap: f64,
        bridge: Bridge,
        jump: Option<(usize, f64)>,
    },
    Leveraged {
        underlying: Box<PathDay>,
        leverage: f64,
        fee_per_day: f64,
    },
}

impl Track {
    /// Starts at `level`, the logarithm of a price, which is also the anchor.
    #[must_use]
    pub fn new(node: &Arc<Node>, level: f64) -> Self {
        let underlying = match &node.driver {
            PriceDriver::FactorModel { .. } => None,
            PriceDriver::Leveraged { underlying, .. } => Some(Box::new(Self::new(underlying, 0.0))),
        };
        Self {
            node: Arc::clone(node),
            level,
            anchor: level,
            volatility_state: 0.0,
            premium: 0.0,
            previous: None,
            underlying,
        }
    }

    #[must_use]
    pub fn level(&self) -> f64 {
        self.level
    }

    /// Makes the current level the anchor.
    pub fn anchor_here(&mut self) {
        self.anchor = self.level;
        if let Some(underlying) = &mut self.underlying {
            underlying.anchor_here();
        }
    }

    /// Shifts level and anchor between two days: a split or an ex-dividend drop.
    pub fn shift(&mut self, by: f64) {
        self.level += by;
        self.anchor += by;
    }

    /// Advances by one trading day.
    pub fn advance(&mut self, session: &SimulatedSession, factors: &Factors) -> PathDay {
        let node = Arc::clone(&self.node);
        let key = node.key.on(session.day);
        let before = self.level;
        let before_us = self.previous.map_or(session.open_us, |day| day.end_us);
        let (path, deviation) = match &node.driver {
            PriceDriver::FactorModel {
                exposures,
                residual,
            } => self.factor_model(session, factors, key, exposures, *residual),
            PriceDriver::Leveraged {
                leverage,
                fee_per_year,
                ..
            } => self.leveraged(session, factors, *leverage, *fee_per_year),
        };
        let bounds = node.limit.map(|limit| {
            let limit = limit.min(0.95) * LIMIT_MARGIN;
            (before + (1.0 - limit).ln(), before + (1.0 + limit).ln())
        });
        let mut day = PathDay {
            session: *session,
            profile: factors.profile_of(session),
            before,
            after: before,
            deviation,
            key,
            common_before: common_at(&node, factors, before_us),
            bounds,
            path,
        };
        let minutes = session.minutes();
        let residual_end = match &day.path {
            DayPath::FactorModel { bridge, .. } => bridge.total,
            DayPath::Leveraged { .. } => 0.0,
        };
        day.after = day.point(factors, minutes, residual_end);
        self.level = day.after;
        self.previous = Some(*session);
        day
    }

    fn factor_model(
        &mut self,
        session: &SimulatedSession,
        factors: &Factors,
        key: Key,
        exposures: &[(Factor, f64)],
        residual: Residual,
    ) -> (DayPath, f64) {
        let mut jump = None;
        let (gap, bridge) = match residual {
            Residual::MeanReverting {
                deviation: usual_deviation,
                vol_of_vol,
                overnight_share,
                jump_probability,
            } => {
                let deviation = usual_deviation
                    * volatility_multiplier(
                        &mut self.volatility_state,
                        vol_of_vol,
                        key.normal(VOLATILITY),
                    );
                let gap = deviation * overnight_share.sqrt() * key.heavy_tailed(OVERNIGHT);
                let intraday = deviation * (1.0 - overnight_share).sqrt() * key.normal(INTRADAY);
                self.anchor += DRIFT_PER_DAY;
                let pull = (self.anchor - self.level) * LN_2 / HALF_LIFE_DAYS;
                if key.uniform(JUMP) < jump_probability {
                    jump = Some(self.jump(session, key, usual_deviation));
                }
                split_day(session, gap, intraday + pull, deviation, overnight_share)
            }
            Residual::Premium {
                deviation,
                half_life_days,
            } => (0.0, self.move_premium(key, deviation, half_life_days)),
            Residual::Accrual {
                deviation,
                rate_per_year,
            } => {
                let total =
                    self.interest(session, rate_per_year) + deviation * key.normal(INTRADAY);
                (0.0, Bridge { total, deviation })
            }
        };
        let common: f64 = exposures
            .iter()
            .map(|(factor, weight)| {
                (weight * factors.deviation(*factor, session.open_us, session.end_us)).powi(2)
            })
            .sum();
        let deviation = (common + bridge.deviation.powi(2)).sqrt();
        let path = DayPath::FactorModel {
            node: Arc::clone(&self.node),
            gap,
            bridge,
            jump,
        };
        (path, deviation)
    }

    /// Moves the premium towards zero, and returns the way there.
    fn move_premium(&mut self, key: Key, deviation: f64, half_life_days: f64) -> Bridge {
        let kept = (-LN_2 / half_life_days).exp();
        let step = deviation * (1.0 - kept * kept).sqrt();
        let next = self.premium * kept + step * key.normal(INTRADAY);
        let total = next - self.premium;
        self.premium = next;
        Bridge {
            total,
            deviation: step,
        }
    }

    /// Of the nights since the previous session.
    fn interest(&self, session: &SimulatedSession, rate_per_year: f64) -> f64 {
        let since = self.previous.map_or(session.day, |day| day.day);
        let nights = (session.day - since).num_days() as f64;
        rate_per_year / 365.0 * nights
    }

    /// A jump: at the open where there is an overnight close, otherwise at a random minute.
    fn jump(&self, session: &SimulatedSession, key: Key, usual_deviation: f64) -> (usize, f64) {
        let sign = if key.uniform(JUMP_SIGN) < 0.5 {
            -1.0
        } else {
            1.0
        };
        let minute = if session.overnight {
            0
        } else {
            (key.uniform(JUMP_MINUTE) * session.minutes() as f64) as usize
        };
        (minute, sign * JUMP_DEVIATIONS * usual_deviation)
    }

    fn leveraged(
        &mut self,
        session: &SimulatedSession,
        factors: &Factors,
        leverage: f64,
        fee_per_year: f64,
    ) -> (DayPath, f64) {
        let node = Arc::clone(&self.node);
        let underlying = self
            .underlying
            .get_or_insert_with(|| Box::new(Self::new(&node, 0.0)));
        let underlying = underlying.advance(session, factors);
        let deviation = leverage.abs() * underlying.deviation;
        let path = DayPath::Leveraged {
            underlying: Box::new(underlying),
            leverage,
            fee_per_day: fee_per_year / TRADING_DAYS_PER_YEAR,
        };
        (path, deviation)
    }
}

impl PathDay {
    /// Logarithms of the price at the start of each block and at the close.
    #[must_use]
    pub fn blocks(&self, factors: &Factors) -> Vec<f64> {
        let minutes = block_minutes(self.profile.minutes());
        self.points(factors, minutes, |bridge, profile, key| {
            bridge.blocks(profile, |step| key.normal(step))
        })
    }

    /// Logarithms of the price at the start of each minute and at the close.
    #[must_use]
    pub fn minutes(&self, factors: &Factors) -> Vec<f64> {
        let minutes = 0..=self.profile.minutes();
        self.points(factors, minutes, |bridge, profile, key| {
            bridge.minutes(profile, |step| key.normal(step))
        })
    }

    /// The daily return: `after / before - 1`.
    #[must_use]
    pub fn simple_return(&self) -> f64 {
        (self.after - self.before).exp_m1()
    }

    /// The underlying's day of a leveraged fund.
    #[must_use]
    pub fn underlying(&self) -> Option<&PathDay> {
        match &self.path {
            DayPath::FactorModel { .. } => None,
            DayPath::Leveraged { underlying, .. } => Some(underlying),
        }
    }

    fn points(
        &self,
        factors: &Factors,
        minutes: impl Iterator<Item = usize> + Clone,
        residual: impl Fn(&Bridge, &Profile, Key) -> Vec<f64> + Copy,
    ) -> Vec<f64> {
        match &self.path {
            DayPath::FactorModel { bridge, .. } => {
                let residual = residual(bridge, &self.profile, self.key.child(PATH));
                let points = minutes.zip(residual);
                points
                    .map(|(minute, residual)| self.point(factors, minute, residual))
                    .collect()
            }
            DayPath::Leveraged {
                underlying,
                leverage,
                fee_per_day,
            } => {
                let underlying_points = underlying.points(factors, minutes.clone(), residual);
                let points = minutes.zip(underlying_points);
                points
                    .map(|(minute, underlying_points)| {
                        let passed = self.profile.cumulative(minute);
                        let underlying_move = underlying_points - underlying.before;
                        self.bounded(
                            self.before
                                + leveraged_move(underlying_move, *leverage, fee_per_day * passed),
                        )
                    })
                    .collect()
            }
        }
    }

    /// The point at a minute; `residual` is the bridge's value there.
    fn point(&self, factors: &Factors, minute: usize, residual: f64) -> f64 {
        match &self.path {
            DayPath::FactorModel {
                node, gap, jump, ..
            } => {
                let time_us = self.session.minute_start_us(minute);
                let common = common_at(node, factors, time_us) - self.common_before;
                let news = jump
                    .filter(|(from, _)| minute >= *from)
                    .map_or(0.0, |(_, size)| size);
                self.bounded(self.before + common + gap + residual + news)
            }
            DayPath::Leveraged {
                underlying,
                leverage,
                fee_per_day,
            } => {
                let underlying_move = underlying.after - underlying.before;
                let passed = self.profile.cumulative(minute);
                self.bounded(
                    self.before + leveraged_move(underlying_move, *leverage, fee_per_day * passed),
                )
            }
        }
    }

    fn bounded(&self, level: f64) -> f64 {
        match self.bounds {
            Some((lowest, highest)) => level.clamp(lowest, highest),
            None => level,
        }
    }
}

/// The weighted levels of a node's factors.
fn common_at(node: &Node, factors: &Factors, time_us: i64) -> f64 {
    match &node.driver {
        PriceDriver::FactorModel { exposures, .. } => {
            let levels = exposures.iter();
            levels
                .map(|(factor, weight)| weight * factors.level_at(*factor, time_us))
                .sum()
        }
        PriceDriver::Leveraged { .. } => 0.0,
    }
}

/// Logarithm of a fund's move for a logarithmic move of its underlying.
fn leveraged_move(underlying_move: f64, leverage: f64, fee: f64) -> f64 {
    const MIN_VALUE: f64 = 0.05;
    (1.0 + leverage * underlying_move.exp_m1() - fee)
        .max(MIN_VALUE)
        .ln()
}
