use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::connection::Answer;

#[derive(Clone, Debug, Default)]
struct Class {
    statuses: BTreeMap<u16, u64>,
    failed: u64,
    unasked: u64,
    late: u64,
    good: Vec<Duration>,
    bodies: BTreeSet<u64>,
}

#[derive(Clone, Debug)]
pub(crate) struct Tally {
    patience: Duration,
    classes: BTreeMap<String, Class>,
}

impl Tally {
    /// Responses that take longer than `patience` count as late.
    pub(crate) fn new(patience: Duration) -> Self {
        Self {
            patience,
            classes: BTreeMap::new(),
        }
    }

    pub(crate) fn patience(&self) -> Duration {
        self.patience
    }

    pub(crate) fn answered(&mut self, class: &str, answer: &Answer, took: Duration) {
        let patience = self.patience;
        let class = self.class(class);
        *class.statuses.entry(answer.status).or_default() += 1;
        let mut hasher = DefaultHasher::new();
        answer.body.hash(&mut hasher);
        // Enough to see whether all bodies are equal.
        if class.bodies.len() < 3 {
            class.bodies.insert(hasher.finish());
        }
        if took > patience {
            class.late += 1;
        } else if (200..300).contains(&answer.status) {
            class.good.push(took);
        }
    }

    pub(crate) fn failed(&mut self, class: &str) {
        self.class(class).failed += 1;
    }

    pub(crate) fn unasked(&mut self, class: &str) {
        self.class(class).unasked += 1;
    }

    /// Adds the results of another connection.
    pub(crate) fn add(&mut self, other: Self) {
        for (name, seen) in other.classes {
            let class = self.class(&name);
            for (status, count) in seen.statuses {
                *class.statuses.entry(status).or_default() += count;
            }
            class.failed += seen.failed;
            class.unasked += seen.unasked;
            class.late += seen.late;
            class.good.extend(seen.good);
            class.bodies.extend(seen.bodies);
        }
    }

    /// As JSON, with the good responses a second of all classes together.
    pub(crate) fn report(self, lasted: Duration) -> Value {
        let seconds = lasted.as_secs_f64();
        let good: usize = self.classes.values().map(|class| class.good.len()).sum();
        let classes: Map<String, Value> = self
            .classes
            .into_iter()
            .map(|(name, class)| (name, class.report(seconds)))
            .collect();
        json!({"seconds": seconds, "goodPerSecond": good as f64 / seconds, "classes": classes})
    }

    fn class(&mut self, name: &str) -> &mut Class {
        self.classes.entry(name.to_owned()).or_default()
    }
}

impl Class {
    fn report(mut self, seconds: f64) -> Value {
        self.good.sort_unstable();
        let count = self.good.len();
        let at = |permille: usize| -> f64 {
            let place = (count * permille / 1_000).min(count.saturating_sub(1));
            self.good
                .get(place)
                .map_or(0.0, |took| took.as_secs_f64() * 1_000.0)
        };
        let statuses: Map<String, Value> = self
            .statuses
            .iter()
            .map(|(status, count)| (status.to_string(), json!(count)))
            .collect();
        json!({
            "good": count,
            "goodPerSecond": count as f64 / seconds,
            "p50Ms": at(500),
            "p99Ms": at(990),
            "statuses": statuses,
            "failed": self.failed,
            "late": self.late,
            "unasked": self.unasked,
            "differentBodies": self.bodies.len(),
        })
    }
}
