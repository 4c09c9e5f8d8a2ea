//! The causes for which texts are hidden. Each is decided by itself, and a text is shown when none is
//! left.

use super::post::Publication;

/// A row of a text's history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// By the weight of its reports.
    Hidden,
    Upheld,
    Dismissed,
    /// By the judge of writing, of which there is a step where another cause hides the text, too.
    Held,
    /// Also by the service, when its author changed what was held.
    Published,
    Refused,
    Restricted,
    Lifted,
    Removed,
    /// A restriction that nobody decided.
    Expired,
    Appealed,
}

impl StepKind {
    const ALL: [Self; 11] = [
        Self::Hidden,
        Self::Upheld,
        Self::Dismissed,
        Self::Held,
        Self::Published,
        Self::Refused,
        Self::Restricted,
        Self::Lifted,
        Self::Removed,
        Self::Expired,
        Self::Appealed,
    ];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hidden => "HIDDEN",
            Self::Upheld => "UPHELD",
            Self::Dismissed => "DISMISSED",
            Self::Held => "HELD",
            Self::Published => "PUBLISHED",
            Self::Refused => "REFUSED",
            Self::Restricted => "RESTRICTED",
            Self::Lifted => "LIFTED",
            Self::Removed => "REMOVED",
            Self::Expired => "EXPIRED",
            Self::Appealed => "APPEALED",
        }
    }

    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == text)
    }

    /// `None` for a step that is about no single cause.
    #[must_use]
    pub fn cause(self) -> Option<Cause> {
        match self {
            Self::Hidden | Self::Upheld | Self::Dismissed => Some(Cause::Reports),
            Self::Held | Self::Published | Self::Refused => Some(Cause::Writing),
            Self::Restricted | Self::Lifted | Self::Removed | Self::Expired => Some(Cause::Claim),
            Self::Appealed => None,
        }
    }

    /// Whether its cause stands after it.
    fn begins(self) -> bool {
        match self {
            Self::Hidden
            | Self::Upheld
            | Self::Held
            | Self::Refused
            | Self::Restricted
            | Self::Removed => true,
            Self::Dismissed | Self::Published | Self::Lifted | Self::Expired | Self::Appealed => {
                false
            }
        }
    }
}

/// Why a text may be hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    Reports,
    /// What the judge of writing says.
    Writing,
    /// That the text violates somebody's rights.
    Claim,
}

/// The causes that stand: of each its newest step, if that does not end it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Causes {
    reports: Option<StepKind>,
    writing: Option<StepKind>,
    claim: Option<StepKind>,
}

impl Causes {
    /// The causes that a history leaves; oldest step first.
    pub fn of(history: impl IntoIterator<Item = StepKind>) -> Self {
        history.into_iter().fold(Self::default(), Self::after)
    }

    #[must_use]
    pub fn after(mut self, step: StepKind) -> Self {
        let standing = step.begins().then_some(step);
        match step.cause() {
            Some(Cause::Reports) => self.reports = standing,
            Some(Cause::Writing) => self.writing = standing,
            Some(Cause::Claim) => self.claim = standing,
            None => {}
        }
        self
    }

    #[must_use]
    pub fn contains(&self, kind: StepKind) -> bool {
        [self.reports, self.writing, self.claim].contains(&Some(kind))
    }

    /// Who sees the text, unless it is deleted.
    #[must_use]
    pub fn publication(&self) -> Publication {
        match (self.reports, self.claim, self.writing) {
            (None, None, None) => Publication::Published,
            (None, None, Some(StepKind::Held)) => Publication::Held,
            (_, _, _) => Publication::Hidden,
        }
    }

    #[must_use]
    pub fn without_claim(self) -> Self {
        Self {
            claim: None,
            ..self
        }
    }

    /// The step that a history lacks of a text that, apart from a claim that nobody has decided, is
    /// seen like `shown`: its author writes on while it is shown or held, and what reports hid before
    /// there was a history has none.
    #[must_use]
    pub fn unrecorded(&self, shown: Publication) -> Option<StepKind> {
        let others = match self.claim {
            Some(StepKind::Restricted) => self.without_claim(),
            Some(_) | None => *self,
        };
        match shown {
            Publication::Held if self.writing != Some(StepKind::Held) => Some(StepKind::Held),
            Publication::Published if self.writing == Some(StepKind::Held) => {
                Some(StepKind::Published)
            }
            Publication::Hidden if others.publication() != Publication::Hidden => {
                Some(StepKind::Hidden)
            }
            Publication::Published | Publication::Held | Publication::Hidden => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_are_written() {
        for kind in StepKind::ALL {
            assert_eq!(StepKind::parse(kind.as_str()), Some(kind));
        }
    }

    #[test]
    fn the_newest_step_of_each_cause_stands() {
        use StepKind::{
            Appealed, Dismissed, Expired, Hidden, Lifted, Refused, Removed, Restricted, Upheld,
        };
        for (history, expected) in [
            (&[][..], Publication::Published),
            (&[StepKind::Held], Publication::Held),
            (
                &[StepKind::Held, StepKind::Published],
                Publication::Published,
            ),
            (&[Hidden, Appealed], Publication::Hidden),
            (&[Hidden, Dismissed], Publication::Published),
            (&[Hidden, Dismissed, Hidden], Publication::Hidden),
            (&[Hidden, Upheld, Dismissed], Publication::Published),
            (&[Restricted, Expired], Publication::Published),
            (
                &[Restricted, Lifted, Restricted, Removed],
                Publication::Hidden,
            ),
            (&[Refused, Restricted, Expired], Publication::Hidden),
            (&[StepKind::Held, Hidden, Dismissed], Publication::Held),
        ] {
            let causes = Causes::of(history.iter().copied());
            assert_eq!(causes.publication(), expected, "{history:?}");
        }
    }

    #[test]
    fn a_history_is_completed_by_what_is_shown() {
        use Publication::{Held, Hidden, Published};
        let unrecorded = |history: &[StepKind], shown| {
            let causes = Causes::of(history.iter().copied());
            causes.unrecorded(shown)
        };
        // Before there was a history, and where a claim came after that.
        assert_eq!(unrecorded(&[], Hidden), Some(StepKind::Hidden));
        let claimed = [StepKind::Restricted];
        assert_eq!(unrecorded(&claimed, Hidden), Some(StepKind::Hidden));
        assert_eq!(unrecorded(&claimed, Published), None);
        assert_eq!(unrecorded(&[StepKind::Removed], Hidden), None);
        // The author writes on.
        assert_eq!(unrecorded(&[], Held), Some(StepKind::Held));
        let published = [StepKind::Held, StepKind::Published];
        assert_eq!(unrecorded(&published, Held), Some(StepKind::Held));
        let held = [StepKind::Held];
        assert_eq!(unrecorded(&held, Published), Some(StepKind::Published));
        assert_eq!(unrecorded(&held, Held), None);
    }
}
