//! The active alerts in memory: for each instrument sorted sets, so that a batch costs two looks at each
//! and what it fires, however many wait.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use rust_decimal::Decimal;

use super::AlertKind;
use super::tick_price::{Reach, Splits, TickPrice, TicksByCode, of_units, to_units};

/// An active alert as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActiveAlert {
    pub alert_id: i64,
    pub member_id: i64,
    pub code: String,
    pub kind: AlertKind,
    pub value: Decimal,
    /// The trading day in whose shares a price is.
    pub shares_day: i32,
    /// Only later ticks fire it.
    pub after_seq: i64,
}

/// An alert and the tick that fired it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FiredAlert {
    pub alert_id: i64,
    pub member_id: i64,
    pub code: Arc<str>,
    pub kind: AlertKind,
    /// In the shares of the tick, as its price.
    pub value: Decimal,
    pub price: Decimal,
    pub tick_seq: i64,
    pub fired_at_us: i64,
}

#[derive(Debug, Default)]
pub struct AlertBook {
    alerts: HashMap<i64, OpenAlert>,
    by_code: HashMap<Arc<str>, Levels>,
    splits: HashMap<Arc<str>, Splits>,
}

#[derive(Clone, Debug)]
struct OpenAlert {
    member_id: i64,
    code: Arc<str>,
    condition: Condition,
    /// A price is in shares of `shares_day`.
    level: i64,
    /// At least the day of the newest known split.
    shares_day: i32,
    after_seq: i64,
}

/// Percentages are two conditions, by their sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Condition {
    Above,
    Below,
    Rise,
    Fall,
}

/// Level and id of the alerts of one instrument.
#[derive(Debug, Default)]
struct Levels {
    above: BTreeSet<(i64, i64)>,
    below: BTreeSet<(i64, i64)>,
    rise: BTreeSet<(i64, i64)>,
    fall: BTreeSet<(i64, i64)>,
}

impl AlertBook {
    #[must_use]
    pub fn len(&self) -> usize {
        self.alerts.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.alerts.is_empty()
    }

    /// Adds an alert or replaces it. One whose value no price can reach is left out.
    pub fn insert(&mut self, alert: ActiveAlert) {
        self.remove(alert.alert_id);
        let Some(value) = to_units(alert.value) else {
            return;
        };
        let code: Arc<str> = match self.by_code.get_key_value(alert.code.as_str()) {
            Some((code, _)) => Arc::clone(code),
            None => Arc::from(alert.code.as_str()),
        };
        let condition = Condition::of(alert.kind, value);
        let (mut level, mut shares_day) = (value, alert.shares_day);
        if let Some(splits) = self.splits.get(&code) {
            level = match condition {
                Condition::Above | Condition::Below => splits.newest(value, shares_day),
                Condition::Rise | Condition::Fall => value,
            };
            shares_day = splits.newest_day().unwrap_or(0).max(shares_day);
        }
        let levels = self.by_code.entry(Arc::clone(&code)).or_default();
        levels.of(condition).insert((level, alert.alert_id));
        let waiting = OpenAlert {
            member_id: alert.member_id,
            code,
            condition,
            level,
            shares_day,
            after_seq: alert.after_seq,
        };
        self.alerts.insert(alert.alert_id, waiting);
    }

    pub fn remove(&mut self, alert_id: i64) {
        let Some(waiting) = self.alerts.remove(&alert_id) else {
            return;
        };
        if let Some(levels) = self.by_code.get_mut(&waiting.code) {
            levels
                .of(waiting.condition)
                .remove(&(waiting.level, alert_id));
            if levels.is_empty() {
                self.by_code.remove(&waiting.code);
            }
        }
    }

    /// Converts the prices of an instrument's alerts to the shares after a split. A known split has no
    /// effect, so each is applied once, wherever it is heard of.
    pub fn split(&mut self, code: &str, day: i32, ratio: (i64, i64)) {
        let splits = self.splits.entry(Arc::from(code)).or_default();
        let is_newest = splits.newest_day().is_none_or(|newest| day > newest);
        if !splits.learn(day, ratio) || !is_newest {
            return;
        }
        let Some(levels) = self.by_code.get_mut(code) else {
            return;
        };
        // In shares of the day before, which no other known split follows.
        let before = day.saturating_sub(1);
        for side in [&mut levels.above, &mut levels.below] {
            for (level, id) in std::mem::take(side) {
                let Some(waiting) = self.alerts.get_mut(&id) else {
                    continue;
                };
                if waiting.shares_day < day {
                    waiting.level = splits.newest(level, before);
                    waiting.shares_day = day;
                }
                side.insert((waiting.level, id));
            }
        }
    }

    /// Removes and returns what the ticks of a batch fire, each with the first tick that does.
    pub fn fire(&mut self, ticks: &TicksByCode) -> Vec<FiredAlert> {
        let mut fired: Vec<FiredAlert> = ticks
            .iter()
            .flat_map(|(code, ticks)| self.fired_of(code, ticks))
            .collect();
        fired.sort_unstable_by_key(|fired| fired.alert_id);
        for alert in &fired {
            self.remove(alert.alert_id);
        }
        fired
    }

    /// As [`Self::fire`], of one alert.
    pub fn fire_one(&mut self, alert_id: i64, ticks: &[TickPrice]) -> Option<FiredAlert> {
        let waiting = self.alerts.get(&alert_id)?;
        let splits = self.splits.get(&waiting.code);
        let fired = waiting.fired(alert_id, ticks, splits)?;
        self.remove(alert_id);
        Some(fired)
    }

    fn fired_of(&self, code: &Arc<str>, ticks: &[TickPrice]) -> Vec<FiredAlert> {
        let Some(levels) = self.by_code.get(code) else {
            return Vec::new();
        };
        let splits = self.splits.get(code);
        let reach = ticks
            .iter()
            .map(|tick| tick.reach(splits))
            .fold(Reach::NOTHING, Reach::and);
        levels
            .reached(reach)
            .filter_map(|id| self.alerts.get(&id)?.fired(id, ticks, splits))
            .collect()
    }
}

impl OpenAlert {
    fn fired(
        &self,
        alert_id: i64,
        ticks: &[TickPrice],
        splits: Option<&Splits>,
    ) -> Option<FiredAlert> {
        let fires = |tick: &&TickPrice| {
            tick.seq > self.after_seq && self.condition.holds(self.level, tick.reach(splits))
        };
        let tick = ticks.iter().find(fires)?;
        let (kind, value) = match (self.condition, splits) {
            (Condition::Rise | Condition::Fall, _) => (AlertKind::Percent, self.level),
            (Condition::Above, None) => (AlertKind::Above, self.level),
            (Condition::Below, None) => (AlertKind::Below, self.level),
            (Condition::Above, Some(splits)) => (
                AlertKind::Above,
                splits.on_day(self.level, tick.trading_day),
            ),
            (Condition::Below, Some(splits)) => (
                AlertKind::Below,
                splits.on_day(self.level, tick.trading_day),
            ),
        };
        Some(FiredAlert {
            alert_id,
            member_id: self.member_id,
            code: Arc::clone(&self.code),
            kind,
            value: of_units(value),
            price: tick.price(),
            tick_seq: tick.seq,
            fired_at_us: tick.event_time_us,
        })
    }
}

impl Condition {
    fn of(kind: AlertKind, value: i64) -> Self {
        match kind {
            AlertKind::Above => Self::Above,
            AlertKind::Below => Self::Below,
            AlertKind::Percent if value < 0 => Self::Fall,
            AlertKind::Percent => Self::Rise,
        }
    }

    fn holds(self, level: i64, reach: Reach) -> bool {
        match self {
            Self::Above => level <= reach.high,
            Self::Below => level >= reach.low,
            Self::Rise => level <= reach.rise,
            Self::Fall => level >= reach.fall,
        }
    }
}

impl Levels {
    fn of(&mut self, condition: Condition) -> &mut BTreeSet<(i64, i64)> {
        match condition {
            Condition::Above => &mut self.above,
            Condition::Below => &mut self.below,
            Condition::Rise => &mut self.rise,
            Condition::Fall => &mut self.fall,
        }
    }

    fn is_empty(&self) -> bool {
        let sets = [&self.above, &self.below, &self.rise, &self.fall];
        sets.into_iter().all(BTreeSet::is_empty)
    }

    fn reached(&self, reach: Reach) -> impl Iterator<Item = i64> {
        let up = [(&self.above, reach.high), (&self.rise, reach.rise)];
        let down = [(&self.below, reach.low), (&self.fall, reach.fall)];
        let up = up
            .into_iter()
            .flat_map(|(set, to)| set.range(..=(to, i64::MAX)));
        let down = down
            .into_iter()
            .flat_map(|(set, to)| set.range((to, i64::MIN)..));
        up.chain(down).map(|(_, id)| *id)
    }
}

#[cfg(test)]
mod tests;
