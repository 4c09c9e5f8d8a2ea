//! What moderators decide about a text, and what follows for its author.

use chrono::{DateTime, TimeDelta, Utc};

use super::causes::{Causes, StepKind};
use super::post::Publication;

/// Which rule a report or a decision is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    Abuse,
    /// And rooms that recommend items for money.
    Spam,
    /// And false facts.
    Manipulation,
    Obscene,
    PersonalData,
    Other,
}

impl Rule {
    const ALL: [Self; 6] = [
        Self::Abuse,
        Self::Spam,
        Self::Manipulation,
        Self::Obscene,
        Self::PersonalData,
        Self::Other,
    ];

    /// The column's word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Abuse => "ABUSE",
            Self::Spam => "SPAM",
            Self::Manipulation => "MANIPULATION",
            Self::Obscene => "OBSCENE",
            Self::PersonalData => "PERSONAL_DATA",
            Self::Other => "OTHER",
        }
    }

    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == text)
    }
}

/// What a moderator decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Reports were right: the text stays hidden and its author is sanctioned.
    Uphold,
    /// Reports were wrong: the text is shown again.
    Dismiss,
    /// A held text, or one that was refused, may be seen.
    Publish,
    /// A held text may not be seen.
    Refuse,
    /// Hide a text for thirty days, because somebody claims that it violates their rights.
    Restrict,
    /// The claim was wrong.
    Lift,
    /// The claim was right: the text stays hidden.
    Remove,
}

impl Decision {
    #[must_use]
    pub fn step(self) -> StepKind {
        match self {
            Self::Uphold => StepKind::Upheld,
            Self::Dismiss => StepKind::Dismissed,
            Self::Publish => StepKind::Published,
            Self::Refuse => StepKind::Refused,
            Self::Restrict => StepKind::Restricted,
            Self::Lift => StepKind::Lifted,
            Self::Remove => StepKind::Removed,
        }
    }

    /// Whether it answers an appeal even if the text stays hidden.
    fn confirms_hiding(self) -> bool {
        matches!(self, Self::Uphold | Self::Refuse | Self::Remove)
    }
}

/// What is known of a text when it is decided about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    pub causes: Causes,
    /// Whether reports wait for a decision.
    pub has_reports: bool,
    /// Whether an appeal waits for a decision.
    pub has_appeal: bool,
    /// What a moderator decided last about the cause that the decision is about.
    pub last: Option<StepKind>,
}

/// What a decision changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecisionEffect {
    pub causes: Causes,
    /// `None` leaves an appeal undecided.
    pub appeal_upheld: Option<bool>,
}

/// Why a decision does not fit the case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecisionError {
    #[error("it was decided already")]
    Repeated,
    #[error("nobody has reported it since it was decided, and its author does not appeal")]
    NothingReported,
    #[error("it is not held")]
    NotHeld,
    #[error("it is not restricted")]
    NotRestricted,
    #[error("it was removed for a claim already")]
    Removed,
}

/// # Errors
/// [`DecisionError`], of which [`DecisionError::Repeated`] says that it was decided so before.
pub fn decide(decision: Decision, case: &Case) -> Result<DecisionEffect, DecisionError> {
    let stands = |kind| case.causes.contains(kind);
    let is_appealed = |kind| case.has_appeal && stands(kind);
    let (fits, otherwise) = match decision {
        Decision::Uphold | Decision::Dismiss => (
            case.has_reports || stands(StepKind::Hidden) || is_appealed(StepKind::Upheld),
            DecisionError::NothingReported,
        ),
        Decision::Publish | Decision::Refuse => (
            stands(StepKind::Held) || is_appealed(StepKind::Refused),
            DecisionError::NotHeld,
        ),
        Decision::Restrict if stands(StepKind::Restricted) => (false, DecisionError::Repeated),
        // It would end after thirty days what was decided for good.
        Decision::Restrict => (!stands(StepKind::Removed), DecisionError::Removed),
        Decision::Lift | Decision::Remove => (
            stands(StepKind::Restricted) || is_appealed(StepKind::Removed),
            DecisionError::NotRestricted,
        ),
    };
    if !fits {
        return Err(if case.last == Some(decision.step()) {
            DecisionError::Repeated
        } else {
            otherwise
        });
    }
    let causes = case.causes.after(decision.step());
    let appeal_upheld = match case.has_appeal {
        true if causes.publication() == Publication::Published => Some(true),
        true if decision.confirms_hiding() => Some(false),
        true | false => None,
    };
    Ok(DecisionEffect {
        causes,
        appeal_upheld,
    })
}

/// A step of the ladder: 경고, 1 day, 7 days, 30 days, 영구.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rung(i16);

impl Rung {
    pub const WARNING: Self = Self(1);
    const HIGHEST: Self = Self(5);

    /// After so many sanctions.
    #[must_use]
    pub fn after(sanctions: i64) -> Self {
        let next = i16::try_from(sanctions.saturating_add(1)).unwrap_or(i16::MAX);
        Self(next).clamp(Self::WARNING, Self::HIGHEST)
    }

    #[must_use]
    pub fn number(self) -> i16 {
        self.0
    }

    /// When the member may write again; `None` is never. Who is warned may write at once.
    #[must_use]
    pub fn ends_at(self, begins_at: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let days = match self.0 {
            1 => 0,
            2 => 1,
            3 => 7,
            4 => 30,
            _ => return None,
        };
        Some(begins_at + TimeDelta::days(days))
    }
}

pub const RESTRICTED_FOR: TimeDelta = TimeDelta::days(30);

#[cfg(test)]
mod tests {
    use super::*;

    fn case(history: &[StepKind]) -> Case {
        Case {
            causes: Causes::of(history.iter().copied()),
            has_reports: false,
            has_appeal: false,
            last: None,
        }
    }

    fn appealed(history: &[StepKind]) -> Case {
        Case {
            has_appeal: true,
            ..case(history)
        }
    }

    /// What a text becomes, and an appeal.
    fn outcome(
        decision: Decision,
        case: &Case,
    ) -> Result<(Publication, Option<bool>), DecisionError> {
        let outcome = decide(decision, case)?;
        Ok((outcome.causes.publication(), outcome.appeal_upheld))
    }

    #[test]
    fn the_ladder_ends_with_forever() {
        let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        let days = |sanctions| {
            let ends_at = Rung::after(sanctions).ends_at(now);
            ends_at.map(|ends_at| (ends_at - now).num_days())
        };
        let expected = [Some(0), Some(1), Some(7), Some(30), None, None, None];
        assert_eq!([0, 1, 2, 3, 4, 5, i64::MAX].map(days), expected);
        assert_eq!(Rung::after(0), Rung::WARNING);
    }

    #[test]
    fn reports_are_decided_once() {
        use Publication::{Held, Hidden, Published};
        let reported = case(&[StepKind::Hidden]);
        assert_eq!(outcome(Decision::Uphold, &reported), Ok((Hidden, None)));
        assert_eq!(outcome(Decision::Dismiss, &reported), Ok((Published, None)));
        let upheld = [StepKind::Hidden, StepKind::Upheld];
        let repeated = Case {
            last: Some(StepKind::Upheld),
            ..case(&upheld)
        };
        let again = outcome(Decision::Uphold, &repeated);
        assert_eq!(again, Err(DecisionError::Repeated));
        let other = outcome(Decision::Dismiss, &repeated);
        assert_eq!(other, Err(DecisionError::NothingReported));
        let appealed = appealed(&upheld);
        let confirmed = outcome(Decision::Uphold, &appealed);
        assert_eq!(confirmed, Ok((Hidden, Some(false))));
        let granted = outcome(Decision::Dismiss, &appealed);
        assert_eq!(granted, Ok((Published, Some(true))));
        let refused = outcome(Decision::Refuse, &appealed);
        assert_eq!(refused, Err(DecisionError::NotHeld));
        // Few reports hide nothing, and their dismissal shows nothing that is held.
        let held = Case {
            has_reports: true,
            ..case(&[StepKind::Held])
        };
        assert_eq!(outcome(Decision::Dismiss, &held), Ok((Held, None)));
    }

    #[test]
    fn held_texts_are_published_or_refused() {
        use Publication::{Hidden, Published};
        let held = case(&[StepKind::Held]);
        assert_eq!(outcome(Decision::Publish, &held), Ok((Published, None)));
        assert_eq!(outcome(Decision::Refuse, &held), Ok((Hidden, None)));
        let shown = outcome(Decision::Publish, &case(&[]));
        assert_eq!(shown, Err(DecisionError::NotHeld));
        let history = [StepKind::Held, StepKind::Refused];
        let repeated = Case {
            last: Some(StepKind::Refused),
            ..case(&history)
        };
        let again = outcome(Decision::Refuse, &repeated);
        assert_eq!(again, Err(DecisionError::Repeated));
        let granted = outcome(Decision::Publish, &appealed(&history));
        assert_eq!(granted, Ok((Published, Some(true))));
        let confirmed = outcome(Decision::Refuse, &appealed(&history));
        assert_eq!(confirmed, Ok((Hidden, Some(false))));
    }

    #[test]
    fn a_claim_is_decided_once() {
        use Publication::{Hidden, Published};
        let restricted = case(&[StepKind::Restricted]);
        let lifted = outcome(Decision::Lift, &restricted);
        assert_eq!(lifted, Ok((Published, None)));
        let removed = outcome(Decision::Remove, &restricted);
        assert_eq!(removed, Ok((Hidden, None)));
        let again = outcome(Decision::Restrict, &restricted);
        assert_eq!(again, Err(DecisionError::Repeated));
        let none = outcome(Decision::Lift, &case(&[]));
        assert_eq!(none, Err(DecisionError::NotRestricted));
        let removed = [StepKind::Restricted, StepKind::Removed];
        let again = outcome(Decision::Restrict, &case(&removed));
        assert_eq!(
            again,
            Err(DecisionError::Removed),
            "it would end after thirty days"
        );
        let granted = outcome(Decision::Lift, &appealed(&removed));
        assert_eq!(granted, Ok((Published, Some(true))));
    }

    /// Each pair of causes, in both orders.
    #[test]
    fn lifting_one_cause_leaves_what_another_hides() {
        use Publication::{Held, Hidden, Published};
        let endings = [
            (StepKind::Hidden, Decision::Dismiss),
            (StepKind::Upheld, Decision::Dismiss),
            (StepKind::Held, Decision::Publish),
            (StepKind::Refused, Decision::Publish),
            (StepKind::Restricted, Decision::Lift),
            (StepKind::Removed, Decision::Lift),
        ];
        for (first, ends_first) in endings {
            for (second, ends_second) in endings {
                if first.cause() == second.cause() {
                    continue;
                }
                let both = appealed(&[first, second]);
                assert_eq!(both.causes.publication(), Hidden, "{first:?} {second:?}");
                for (ends, left) in [(ends_first, second), (ends_second, first)] {
                    let ended = decide(ends, &both).unwrap();
                    let seen = if left == StepKind::Held { Held } else { Hidden };
                    assert_eq!(ended.causes.publication(), seen, "{ends:?} {left:?}");
                    assert_eq!(ended.appeal_upheld, None, "{ends:?} {left:?}");
                }
                let one = decide(ends_first, &both).unwrap();
                let rest = Case {
                    causes: one.causes,
                    ..both
                };
                let none = outcome(ends_second, &rest);
                assert_eq!(none, Ok((Published, Some(true))), "{first:?} {second:?}");
            }
        }
    }

    #[test]
    fn confirming_one_cause_answers_an_appeal_and_keeps_the_other() {
        let both = appealed(&[StepKind::Hidden, StepKind::Restricted]);
        let confirmed = decide(Decision::Uphold, &both).unwrap();
        assert_eq!(confirmed.appeal_upheld, Some(false));
        assert!(confirmed.causes.contains(StepKind::Restricted));
    }

    #[test]
    fn words_are_read_as_they_are_written() {
        for rule in Rule::ALL {
            assert_eq!(Rule::parse(rule.as_str()), Some(rule));
        }
        assert_eq!(Rule::parse("BORING"), None);
    }
}
