//! What the responses of all members say: texts, likes, reports and relations. Shares no code with
//! the service, so that a mistake in one of the two is a difference.

mod relation;
mod text;

use std::collections::BTreeMap;
use std::time::Instant;

use crate::rng::Rng;

pub(super) use relation::{Relations, Wanted};
pub(super) use text::{Deletion, Place, Text};

/// Texts that were written last; most of what members do is about these, so that they meet.
const RECENT: usize = 60;
/// Reports, each with a weight of one, that hide a text.
pub(super) const HIDING_REPORTS: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Subject {
    Post(i64),
    /// Or a reply.
    Comment(i64),
}

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Done,
    Refused,
    /// Refused after a call without a response, which may have been done before.
    Unclear,
}

/// Whether there is a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Yes,
    No,
    Either,
}

#[derive(Default)]
pub(super) struct Model {
    texts: BTreeMap<Subject, Text>,
    posts: Vec<i64>,
    /// Comments that may have replies.
    comments: Vec<i64>,
    /// By text and member.
    likes: BTreeMap<(Subject, i64), Expected>,
    reports: BTreeMap<(Subject, i64), Expected>,
    /// Reports that are done or under way.
    reporting: BTreeMap<Subject, usize>,
    pub(super) relations: Relations,
}

impl Expected {
    pub(super) fn allows(self, is_there: bool) -> bool {
        match self {
            Self::Yes => is_there,
            Self::No => !is_there,
            Self::Either => true,
        }
    }

    fn after(before: Option<Self>, wanted: bool, fate: Fate) -> Self {
        let before = before.unwrap_or(Self::No);
        let then = if wanted { Self::Yes } else { Self::No };
        match fate {
            Fate::Done => then,
            Fate::Refused => before,
            Fate::Unclear if before == then => then,
            Fate::Unclear => Self::Either,
        }
    }
}

impl Model {
    /// # Errors
    /// When an earlier response was about a text with this id.
    pub(super) fn wrote(&mut self, subject: Subject, text: Text) -> Result<(), String> {
        match (subject, text.place) {
            (Subject::Post(id), _) => self.posts.push(id),
            (Subject::Comment(id), Some(Place { parent: None, .. })) => self.comments.push(id),
            (Subject::Comment(_), _) => {}
        }
        match self.texts.insert(subject, text) {
            None => Ok(()),
            Some(before) => Err(format!(
                "{subject:?} was written twice, first as {before:?}"
            )),
        }
    }

    pub(super) fn text(&self, subject: Subject) -> Option<&Text> {
        self.texts.get(&subject)
    }

    pub(super) fn text_mut(&mut self, subject: Subject) -> Option<&mut Text> {
        self.texts.get_mut(&subject)
    }

    pub(super) fn texts(&self) -> impl Iterator<Item = (Subject, &Text)> {
        self.texts.iter().map(|(subject, text)| (*subject, text))
    }

    /// The text with the comment and the post above it.
    fn line(&self, subject: Subject) -> impl Iterator<Item = Subject> {
        let place = self.text(subject).and_then(|text| text.place);
        let parent = place.and_then(|place| place.parent).map(Subject::Comment);
        let post = place.map(|place| Subject::Post(place.post));
        [Some(subject), parent, post].into_iter().flatten()
    }

    /// A post: one of the last, or any.
    pub(super) fn pick_post(&self, rng: &mut Rng) -> Option<i64> {
        pick(&self.posts, rng)
    }

    /// A comment that is no reply.
    pub(super) fn pick_comment(&self, rng: &mut Rng) -> Option<i64> {
        pick(&self.comments, rng)
    }

    pub(super) fn liked(&mut self, (subject, member): (Subject, i64), on: bool, fate: Fate) {
        let before = self.likes.get(&(subject, member)).copied();
        let after = Expected::after(before, on, fate);
        self.likes.insert((subject, member), after);
    }

    pub(super) fn like(&self, subject: Subject, member: i64) -> Expected {
        let like = self.likes.get(&(subject, member)).copied();
        like.unwrap_or(Expected::No)
    }

    pub(super) fn likes(&self) -> impl Iterator<Item = (Subject, i64)> {
        self.likes.keys().copied()
    }

    /// From here on the text may be hidden.
    pub(super) fn reports(&mut self, subject: Subject) {
        *self.reporting.entry(subject).or_default() += 1;
    }

    pub(super) fn reported(&mut self, (subject, member): (Subject, i64), fate: Fate) {
        let before = self.reports.get(&(subject, member)).copied();
        let after = Expected::after(before, true, fate);
        self.reports.insert((subject, member), after);
    }

    pub(super) fn report(&self, subject: Subject, member: i64) -> Expected {
        let report = self.reports.get(&(subject, member)).copied();
        report.unwrap_or(Expected::No)
    }

    pub(super) fn all_reports(&self) -> impl Iterator<Item = (Subject, i64)> {
        self.reports.keys().copied()
    }

    /// Whether `member` could be refused because of a text that was there: somebody began to delete
    /// or hide it or what is above it, or to block one of both.
    pub(super) fn may_be_missing(&self, subject: Subject, member: i64) -> bool {
        self.line(subject).any(|subject| {
            let reports = self.reporting.get(&subject).copied().unwrap_or_default();
            reports >= HIDING_REPORTS
                || self.text(subject).is_none_or(|text| {
                    text.deletion != Deletion::None
                        || text.is_held
                        || self.relations.was_blocked(member, text.author)
                })
        })
    }

    /// Whether a request that began at `began` came after the deletion of the text or its post. A reply
    /// stays when the comment above it goes.
    pub(super) fn was_deleted(&self, subject: Subject, began: Instant) -> bool {
        let place = self.text(subject).and_then(|text| text.place);
        let post = place.map(|place| Subject::Post(place.post));
        [Some(subject), post].into_iter().flatten().any(|subject| {
            let deletion = self.text(subject).map(|text| text.deletion);
            matches!(deletion, Some(Deletion::Since(at)) if at < began)
        })
    }
}

fn pick(all: &[i64], rng: &mut Rng) -> Option<i64> {
    let recent = all.get(all.len().saturating_sub(RECENT)..)?;
    let from = if rng.below(8) == 0 { all } else { recent };
    rng.pick(from).copied()
}

#[cfg(test)]
mod tests;
