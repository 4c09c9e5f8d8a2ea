//! One member, who does one thing after another.

use std::sync::Arc;

use parking_lot::Mutex;

use super::Acted;
use super::api::{Answer, Api};
use super::model::{Model, Subject};
use crate::rng::Rng;
use crate::workload::Workload;

pub(super) struct Member {
    pub(super) id: i64,
    others: Vec<i64>,
    pub(super) rng: Rng,
    pub(super) api: Api,
    pub(super) model: Arc<Mutex<Model>>,
    /// Uploaded, and in no text yet.
    pub(super) pictures: Vec<String>,
    /// The last that the member wrote.
    pub(super) own: Vec<Subject>,
    /// How often the member has reported.
    pub(super) reports: u32,
    pub(super) acted: Acted,
}

impl Member {
    pub(super) fn new(
        (id, all): (i64, &[i64]),
        seed: u64,
        api: Api,
        model: Arc<Mutex<Model>>,
    ) -> Self {
        Self {
            id,
            others: all.iter().copied().filter(|other| *other != id).collect(),
            rng: Rng::new(seed ^ (u64::try_from(id).unwrap_or_default() << 20)),
            api,
            model,
            pictures: Vec::new(),
            own: Vec::new(),
            reports: 0,
            acted: Acted::default(),
        }
    }

    pub(super) async fn run(mut self, workload: Arc<Workload>) -> Acted {
        while workload.take() {
            if let Err(error) = self.act().await {
                let fault = format!("member {}: {error}", self.id);
                self.acted.record_fault(fault);
            }
        }
        self.acted
    }

    async fn act(&mut self) -> anyhow::Result<()> {
        match self.rng.below(100) {
            0..8 => self.write_post().await,
            8..24 => self.write_comment().await,
            24..36 => self.write_reply().await,
            36..44 => self.edit().await,
            44..50 => self.delete().await,
            50..53 => self.race().await,
            53..55 => self.withdraw_deletion().await,
            55..68 => self.like_post().await,
            68..76 => self.like_comment().await,
            76..78 => self.block().await,
            78..81 => self.follow().await,
            81..86 => self.report().await,
            86..88 => self.upload().await,
            88..95 => self.read_lists().await,
            95..97 => self.read_activity().await,
            _ => self.read_post().await,
        }
    }

    pub(super) fn other(&mut self) -> Option<i64> {
        self.rng.pick(&self.others).copied()
    }

    /// Some members, so that relations between them change often.
    pub(super) fn neighbour(&mut self) -> Option<i64> {
        let near = self.others.get(..12).unwrap_or(&self.others);
        self.rng.pick(near).copied()
    }

    pub(super) fn key(&mut self) -> String {
        format!("proof-{:016x}", self.rng.next_u64())
    }

    pub(super) fn one_in(&mut self, count: u64) -> bool {
        self.rng.below(count) == 0
    }

    /// Counts an answer, and checks the reason of a refusal: one of `reasons`, where the text may be
    /// missing for the member.
    pub(super) fn count<T>(
        &mut self,
        name: &'static str,
        answer: &Answer<T>,
        subject: Subject,
        reasons: &[&str],
    ) {
        self.acted.count(name, answer.result.is_ok());
        let Some(reason) = answer.reason() else {
            return;
        };
        let may_be_missing = self.model.lock().may_be_missing(subject, self.id);
        if !reasons.contains(&reason) || !may_be_missing {
            self.unexpected(name, subject, reason);
        }
    }

    pub(super) fn unexpected(&mut self, name: &str, subject: Subject, reason: &str) {
        let fault = format!("{name} of {subject:?} by {}: {reason}", self.id);
        self.acted.record_fault(fault);
    }
}
