//! What moderators decide about a text, and what follows for its author.

use chrono::{DateTime, TimeDelta, Utc};

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

/// A row of a text's history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// By the weight of its reports.
    Hidden,
    Upheld,
    Dismissed,
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
    const ALL: [Self; 10] = [
        Self::Hidden,
        Self::Upheld,
        Self::Dismissed,
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
}

/// What is known of a text when it is decided about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// Apart from a restriction.
    pub publication: Publication,
    pub is_restricted: bool,
    pub has_reports: bool,
    /// That nobody has decided.
    pub has_appeal: bool,
    /// Of a hidden text: the step that hid it, apart from a restriction.
    pub hidden_by: Option<StepKind>,
    /// What was decided last.
    pub last: Option<StepKind>,
}

/// What a decision changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Apart from a restriction.
    pub publication: Publication,
    pub is_restricted: bool,
    /// `None` leaves an appeal undecided.
    pub appeal_upheld: Option<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    #[error("it was decided already")]
    Repeated,
    #[error("nobody has reported it since it was decided, and its author does not appeal")]
    NothingReported,
    #[error("it is not held")]
    NotHeld,
    #[error("it is not restricted")]
    NotRestricted,
}

/// # Errors
/// [`Misfit`] where the decision does not fit the case; [`Misfit::Repeated`] where it was decided so
/// before.
pub fn decide(decision: Decision, case: &Case) -> Result<Outcome, Misfit> {
    use Publication::{Held, Hidden, Published};
    let appeals_against = |kinds: &[StepKind]| {
        case.has_appeal && case.hidden_by.is_some_and(|kind| kinds.contains(&kind))
    };
    let by_reports = [StepKind::Hidden, StepKind::Upheld];
    let about_reports = case.has_reports || appeals_against(&by_reports);
    let about_holding = case.publication == Held || appeals_against(&[StepKind::Refused]);
    let about_claim = case.is_restricted || appeals_against(&[StepKind::Removed]);
    let (fits, misfit) = match decision {
        Decision::Uphold | Decision::Dismiss => (about_reports, Misfit::NothingReported),
        Decision::Publish | Decision::Refuse => (about_holding, Misfit::NotHeld),
        Decision::Restrict => (!case.is_restricted, Misfit::Repeated),
        Decision::Lift | Decision::Remove => (about_claim, Misfit::NotRestricted),
    };
    if !fits {
        return Err(if case.last == Some(decision.step()) {
            Misfit::Repeated
        } else {
            misfit
        });
    }
    let publication = match decision {
        Decision::Uphold | Decision::Refuse | Decision::Remove => Hidden,
        Decision::Publish => Published,
        Decision::Dismiss
            if case
                .hidden_by
                .is_some_and(|kind| by_reports.contains(&kind)) =>
        {
            Published
        }
        Decision::Lift if case.hidden_by == Some(StepKind::Removed) => Published,
        Decision::Dismiss | Decision::Restrict | Decision::Lift => case.publication,
    };
    let is_restricted = match decision {
        Decision::Restrict => true,
        Decision::Lift | Decision::Remove => false,
        Decision::Uphold | Decision::Dismiss | Decision::Publish | Decision::Refuse => {
            case.is_restricted
        }
    };
    let is_shown = publication == Published && !is_restricted;
    let appeal_upheld = match case.has_appeal {
        true if is_shown => Some(true),
        true if decision.confirms_hiding() => Some(false),
        true | false => None,
    };
    Ok(Outcome {
        publication,
        is_restricted,
        appeal_upheld,
    })
}

/// What a text becomes when nobody decided a claim for thirty days. What its author wrote meanwhile
/// nobody has read.
#[must_use]
pub fn after_restriction(publication: Publication, is_changed: bool) -> Publication {
    match publication {
        Publication::Published if is_changed => Publication::Held,
        Publication::Published | Publication::Held | Publication::Hidden => publication,
    }
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

    const REPORTED: Case = Case {
        publication: Publication::Hidden,
        is_restricted: false,
        has_reports: true,
        has_appeal: false,
        hidden_by: Some(StepKind::Hidden),
        last: None,
    };
    const PUBLISHED: Case = Case {
        publication: Publication::Published,
        has_reports: false,
        hidden_by: None,
        ..REPORTED
    };

    fn outcome(publication: Publication, appeal_upheld: Option<bool>) -> Result<Outcome, Misfit> {
        Ok(Outcome {
            publication,
            is_restricted: false,
            appeal_upheld,
        })
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
        use Publication::{Hidden, Published};
        assert_eq!(decide(Decision::Uphold, &REPORTED), outcome(Hidden, None));
        assert_eq!(
            decide(Decision::Dismiss, &REPORTED),
            outcome(Published, None)
        );
        let upheld = Case {
            has_reports: false,
            hidden_by: Some(StepKind::Upheld),
            last: Some(StepKind::Upheld),
            ..REPORTED
        };
        let repeated = decide(Decision::Uphold, &upheld);
        assert_eq!(repeated, Err(Misfit::Repeated));
        let other = decide(Decision::Dismiss, &upheld);
        assert_eq!(other, Err(Misfit::NothingReported));
        let appealed = Case {
            has_appeal: true,
            ..upheld
        };
        let confirmed = decide(Decision::Uphold, &appealed);
        assert_eq!(confirmed, outcome(Hidden, Some(false)));
        let granted = decide(Decision::Dismiss, &appealed);
        assert_eq!(granted, outcome(Published, Some(true)));
        let refused = decide(Decision::Refuse, &appealed);
        assert_eq!(refused, Err(Misfit::NotHeld));
        // Few reports hide nothing, and their dismissal shows nothing that is held.
        let held = Case {
            publication: Publication::Held,
            hidden_by: None,
            ..REPORTED
        };
        let dismissed = decide(Decision::Dismiss, &held);
        assert_eq!(dismissed, outcome(Publication::Held, None));
    }

    #[test]
    fn held_texts_are_published_or_refused() {
        use Publication::{Held, Hidden, Published};
        let held = Case {
            publication: Held,
            ..PUBLISHED
        };
        assert_eq!(decide(Decision::Publish, &held), outcome(Published, None));
        assert_eq!(decide(Decision::Refuse, &held), outcome(Hidden, None));
        assert_eq!(decide(Decision::Publish, &PUBLISHED), Err(Misfit::NotHeld));
        let refused = Case {
            publication: Hidden,
            hidden_by: Some(StepKind::Refused),
            last: Some(StepKind::Refused),
            ..PUBLISHED
        };
        assert_eq!(decide(Decision::Refuse, &refused), Err(Misfit::Repeated));
        // Reports from before it was held do not show it.
        let reported = Case {
            has_reports: true,
            ..refused
        };
        assert_eq!(decide(Decision::Dismiss, &reported), outcome(Hidden, None));
        let appealed = Case {
            has_appeal: true,
            ..refused
        };
        let granted = decide(Decision::Publish, &appealed);
        assert_eq!(granted, outcome(Published, Some(true)));
        let confirmed = decide(Decision::Refuse, &appealed);
        assert_eq!(confirmed, outcome(Hidden, Some(false)));
    }

    #[test]
    fn a_restriction_is_apart_from_other_decisions() {
        use Publication::{Held, Hidden, Published};
        let restricted = decide(Decision::Restrict, &PUBLISHED).unwrap();
        assert!(restricted.is_restricted && restricted.publication == Published);
        let both = Case {
            is_restricted: true,
            has_appeal: true,
            ..REPORTED
        };
        let dismissed = decide(Decision::Dismiss, &both).unwrap();
        assert!(dismissed.is_restricted && dismissed.appeal_upheld.is_none());
        let lifted = decide(Decision::Lift, &both);
        assert_eq!(lifted, outcome(Hidden, None), "reports still hide it");
        let removed = decide(Decision::Remove, &both);
        assert_eq!(removed, outcome(Hidden, Some(false)));
        assert_eq!(
            decide(Decision::Lift, &PUBLISHED),
            Err(Misfit::NotRestricted)
        );
        assert_eq!(decide(Decision::Restrict, &both), Err(Misfit::Repeated));
        assert_eq!(after_restriction(Published, false), Published);
        assert_eq!(after_restriction(Published, true), Held);
        assert_eq!(after_restriction(Hidden, true), Hidden);
    }

    #[test]
    fn words_are_read_as_they_are_written() {
        for kind in StepKind::ALL {
            assert_eq!(StepKind::parse(kind.as_str()), Some(kind));
        }
        for rule in Rule::ALL {
            assert_eq!(Rule::parse(rule.as_str()), Some(rule));
        }
        assert_eq!(Rule::parse("BORING"), None);
    }
}
