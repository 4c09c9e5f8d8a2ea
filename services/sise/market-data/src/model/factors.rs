//! The factors from day to day and within a day.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use chrono::NaiveDate;
use market_rules::{Calendar, Venue};

use super::bridge::{BLOCK_MINUTES, Bridge};
use super::factor::{Factor, KOSPI_IN_KOSDAQ, NEW_YORK_IN_SEOUL, split_day, volatility_multiplier};
use super::noise::Key;
use super::profile::{Profile, Shape};
use super::session::{MINUTE_US, MarketHours, SimulatedSession};

const VOLATILITY: u64 = 0;
const INTRADAY: u64 = 1;
const OVERNIGHT: u64 = 2;
const PATH: u64 = 3;

#[derive(Debug)]
struct FactorDay {
    session: SimulatedSession,
    profile: Arc<Profile>,
    before: f64,
    open: f64,
    bridge: Bridge,
    // The path from the open at the start of each block and at the end.
    blocks: Vec<f64>,
    // The path per minute, computed for days whose minutes are read repeatedly.
    minutes: OnceLock<Vec<f64>>,
    // The day's return in units of the usual deviation.
    surprise: f64,
}

#[derive(Debug)]
struct FactorTrack {
    factor: Factor,
    days: Vec<FactorDay>,
    volatility_state: f64,
    level: f64,
    anchor: f64,
    // Level at the end of the history.
    reference: f64,
    reference_set: bool,
}

/// All factors over a span of days.
#[derive(Debug)]
pub struct Factors {
    hours: MarketHours,
    calendar: Arc<Calendar>,
    first_live_day: NaiveDate,
    computed_until: Option<NaiveDate>,
    // In the order of `Factor::ALL`.
    keys: [Key; 6],
    tracks: [FactorTrack; 6],
    profiles: HashMap<(Shape, usize), Arc<Profile>>,
}

impl Factors {
    /// Before the first day. From `first_live_day` on the anchors are the levels reached then,
    /// which correspond to the base values of the seed.
    #[must_use]
    pub fn new(
        seed: &[u8],
        calendar: Arc<Calendar>,
        hours: MarketHours,
        first_live_day: NaiveDate,
    ) -> Self {
        let keys = Factor::ALL.map(|factor| Key::of(seed, factor.label()));
        let tracks = Factor::ALL.map(|factor| FactorTrack {
            factor,
            days: Vec::new(),
            volatility_state: 0.0,
            level: 0.0,
            anchor: 0.0,
            reference: 0.0,
            reference_set: false,
        });
        Self {
            hours,
            calendar,
            first_live_day,
            computed_until: None,
            keys,
            tracks,
            profiles: HashMap::new(),
        }
    }

    /// Computes the days until `until`, from `from` or from the day after the last computed one.
    pub fn extend(&mut self, from: NaiveDate, until: NaiveDate) {
        let first = match self.computed_until.and_then(|day| day.succ_opt()) {
            Some(next) => next.max(from),
            None => from,
        };
        for day in first.iter_days().take_while(|day| *day <= until) {
            for factor in Factor::ALL {
                self.add_day(factor, day);
            }
            self.computed_until = Some(day);
        }
    }

    /// `None` when the venue does not trade.
    #[must_use]
    pub fn session(&self, venue: Venue, day: NaiveDate) -> Option<SimulatedSession> {
        self.hours.session(&self.calendar, venue, day)
    }

    #[must_use]
    pub fn computed_until(&self) -> Option<NaiveDate> {
        self.computed_until
    }

    pub fn profile(&mut self, session: &SimulatedSession) -> Arc<Profile> {
        let (shape, minutes) = (session.shape, session.minutes());
        let profile = self.profiles.entry((shape, minutes));
        Arc::clone(profile.or_insert_with(|| Arc::new(Profile::new(shape, minutes))))
    }

    /// As [`Factors::profile`], without caching a new one.
    #[must_use]
    pub fn profile_of(&self, session: &SimulatedSession) -> Arc<Profile> {
        let (shape, minutes) = (session.shape, session.minutes());
        let known = self.profiles.get(&(shape, minutes)).map(Arc::clone);
        known.unwrap_or_else(|| Arc::new(Profile::new(shape, minutes)))
    }

    /// Logarithm of a factor at an instant. Only differences are meaningful.
    #[must_use]
    pub fn level_at(&self, factor: Factor, time_us: i64) -> f64 {
        self.tracks
            .get(factor as usize)
            .map_or(0.0, |track| self.level_in(track, time_us))
    }

    /// Logarithm of a factor relative to the start of the live period.
    #[must_use]
    pub fn growth_at(&self, factor: Factor, time_us: i64) -> f64 {
        let reference = self
            .tracks
            .get(factor as usize)
            .map_or(0.0, |track| track.reference);
        self.level_at(factor, time_us) - reference
    }

    /// As [`Factors::growth_at`], at the close before the session that runs or ran last at an
    /// instant. A session begins with its opening auction.
    #[must_use]
    pub fn growth_before(&self, factor: Factor, time_us: i64) -> f64 {
        let Some(track) = self.tracks.get(factor as usize) else {
            return 0.0;
        };
        let begun = track
            .days
            .partition_point(|day| day.session.auction_from_us <= time_us);
        let session = track.days.get(begun.saturating_sub(1));
        session.map_or(track.level, |day| day.before) - track.reference
    }

    /// Standard deviation of a factor's path within a span of one of its days.
    #[must_use]
    pub fn deviation(&self, factor: Factor, from_us: i64, until_us: i64) -> f64 {
        let day = self
            .tracks
            .get(factor as usize)
            .and_then(|track| day_at(track, from_us));
        day.map_or(0.0, |day| {
            let passed = |time_us: i64| {
                let minute = (time_us - day.session.open_us).max(0) / MINUTE_US;
                day.profile.cumulative(usize::try_from(minute).unwrap_or(0))
            };
            let share = (passed(until_us) - passed(from_us)).max(0.0);
            day.bridge.deviation * share.sqrt()
        })
    }

    /// Caches the minutes of the days that overlap a span.
    pub fn cache_minutes(&self, from_us: i64, until_us: i64) {
        for track in &self.tracks {
            let touched = track.days.iter().rev();
            let touched = touched.take_while(|day| day.session.close_us > from_us);
            for day in touched.filter(|day| day.session.open_us < until_us) {
                day.minutes.get_or_init(|| {
                    let noise = |step| self.noise(track.factor, day.session.day, step);
                    day.bridge.minutes(&day.profile, noise)
                });
            }
        }
    }

    fn level_in(&self, track: &FactorTrack, time_us: i64) -> f64 {
        let Some(day) = day_at(track, time_us) else {
            return track.days.first().map_or(track.level, |day| day.before);
        };
        let minutes = day.session.minutes();
        let last_point = day.blocks.last().copied().unwrap_or(0.0);
        let elapsed_us = time_us - day.session.open_us;
        let minute = usize::try_from(elapsed_us / MINUTE_US).unwrap_or(0);
        if minute >= minutes {
            return day.open + last_point;
        }
        let inside = (elapsed_us % MINUTE_US) as f64 / MINUTE_US as f64;
        let at = |minute: usize| self.minute_point(track.factor, day, minute);
        let here = at(minute);
        if inside == 0.0 {
            return day.open + here;
        }
        day.open + here + (at(minute + 1) - here) * inside
    }

    fn minute_point(&self, factor: Factor, day: &FactorDay, minute: usize) -> f64 {
        let block = minute / BLOCK_MINUTES;
        let block_point = |block: usize| {
            let point = day.blocks.get(block).or(day.blocks.last());
            point.copied().unwrap_or(0.0)
        };
        if minute.is_multiple_of(BLOCK_MINUTES) {
            return block_point(block);
        }
        if let Some(minutes) = day.minutes.get() {
            return minutes
                .get(minute)
                .or(minutes.last())
                .copied()
                .unwrap_or(0.0);
        }
        let first = block * BLOCK_MINUTES;
        let last = (first + BLOCK_MINUTES).min(day.session.minutes());
        let mut path = vec![block_point(block)];
        let noise = |step| self.noise(factor, day.session.day, step);
        day.bridge.refine(
            &mut path,
            block_point(block + 1),
            &day.profile,
            first..=last,
            &noise,
        );
        let point = path.get(minute - first).or(path.last());
        point.copied().unwrap_or(0.0)
    }

    fn add_day(&mut self, factor: Factor, date: NaiveDate) {
        let parameters = factor.parameters();
        let Some(session) = self.hours.session(&self.calendar, parameters.venue, date) else {
            return;
        };
        let profile = self.profile(&session);
        let volatility_noise = self.key_on(factor, date).normal(VOLATILITY);
        let intraday_noise =
            self.mixed(factor, |source| self.key_on(source, date).normal(INTRADAY));
        let gap_noise = self.gap_noise(factor, date, session.open_us);
        let live = date >= self.first_live_day;
        let Some(track) = self.tracks.get_mut(factor as usize) else {
            return;
        };
        if live && !track.reference_set {
            track.reference = track.level;
            track.anchor = track.level;
            track.reference_set = true;
        }
        track.anchor += parameters.drift_per_day;
        let pull =
            (track.anchor - track.level) * std::f64::consts::LN_2 / parameters.half_life_days;
        let deviation = parameters.daily_volatility
            * volatility_multiplier(
                &mut track.volatility_state,
                parameters.vol_of_vol,
                volatility_noise,
            );
        let gap = deviation * parameters.overnight_share.sqrt() * gap_noise;
        let intraday = deviation * (1.0 - parameters.overnight_share).sqrt() * intraday_noise;
        let (gap, bridge) = split_day(
            &session,
            gap,
            intraday,
            deviation,
            parameters.overnight_share,
        );
        let bridge = Bridge {
            total: bridge.total + pull,
            ..bridge
        };
        let before = track.level;
        let mut day = FactorDay {
            session,
            profile,
            before,
            open: before + gap,
            bridge,
            blocks: Vec::new(),
            minutes: OnceLock::new(),
            surprise: (gap + bridge.total) / deviation,
        };
        track.level = day.open + bridge.total;
        day.blocks = bridge.blocks(&day.profile, |step| self.noise(factor, date, step));
        if let Some(track) = self.tracks.get_mut(factor as usize) {
            track.days.push(day);
        }
    }

    /// The overnight noise. For Seoul it includes part of New York's return, for the KOSDAQ part of
    /// the KOSPI's.
    fn gap_noise(&self, factor: Factor, date: NaiveDate, open_us: i64) -> f64 {
        let own = self.key_on(factor, date).heavy_tailed(OVERNIGHT);
        let with =
            |shared: f64, weight: f64| weight * shared + (1.0 - weight * weight).sqrt() * own;
        match factor {
            Factor::Kospi => {
                let new_york = self.tracks.get(Factor::Spx as usize);
                let days = new_york.map_or(&[][..], |track| track.days.as_slice());
                let last = days
                    .iter()
                    .rev()
                    .find(|day| day.session.close_us <= open_us);
                with(last.map_or(0.0, |day| day.surprise), NEW_YORK_IN_SEOUL)
            }
            Factor::Kosdaq => with(
                self.gap_noise(Factor::Kospi, date, open_us),
                KOSPI_IN_KOSDAQ,
            ),
            Factor::Spx | Factor::Crypto | Factor::Gold | Factor::Fx => own,
        }
    }

    fn noise(&self, factor: Factor, date: NaiveDate, step: u64) -> f64 {
        self.mixed(factor, |source| {
            self.key_on(source, date).child(PATH).normal(step)
        })
    }

    fn mixed(&self, factor: Factor, number: impl Fn(Factor) -> f64) -> f64 {
        let parts = factor.mixture().into_iter();
        let parts = parts.filter(|(_, weight)| *weight != 0.0);
        parts.map(|(source, weight)| weight * number(source)).sum()
    }

    fn key_on(&self, factor: Factor, date: NaiveDate) -> Key {
        let [spx, kospi, kosdaq, crypto, gold, fx] = self.keys;
        let key = match factor {
            Factor::Spx => spx,
            Factor::Kospi => kospi,
            Factor::Kosdaq => kosdaq,
            Factor::Crypto => crypto,
            Factor::Gold => gold,
            Factor::Fx => fx,
        };
        key.on(date)
    }
}

fn day_at(track: &FactorTrack, time_us: i64) -> Option<&FactorDay> {
    let begun = track
        .days
        .partition_point(|day| day.session.open_us <= time_us);
    track.days.get(begun.checked_sub(1)?)
}
