//! What the service publishes of decisions about texts and their authors.

use chrono::{DateTime, Utc};
use kernel::{Clock, MemberId};
use messaging::NewEvent;
use proto::community::v1::{PostHidden, ReportDecided};
use proto::convert::micros;

/// What became of a member's report.
pub const REPORT_DECIDED: &str = "community.report.decided.v1";

/// A decision about what a member wrote, or about the member.
pub const POST_HIDDEN: &str = "community.post.hidden.v1";

/// A text, as events name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecidedText {
    /// Also of a comment.
    pub post: i64,
    pub comment: Option<i64>,
}

/// What an author is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuthorNotice {
    Hidden,
    Restricted {
        until: DateTime<Utc>,
    },
    /// A restriction ran out, which nobody decided.
    Expired,
    Restored,
    Published,
    /// A text that was held is not published.
    Refused,
    KeptHidden,
    Warned,
    /// `None` for good.
    Suspended {
        until: Option<DateTime<Utc>>,
    },
}

impl AuthorNotice {
    /// Whether it concerns the author also after the text is deleted.
    #[must_use]
    pub fn is_of_author(self) -> bool {
        match self {
            Self::KeptHidden | Self::Warned | Self::Suspended { .. } => true,
            Self::Hidden
            | Self::Restricted { .. }
            | Self::Expired
            | Self::Restored
            | Self::Published
            | Self::Refused => false,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct AuthorDecision {
    pub step: i64,
    pub author: MemberId,
    pub text: DecidedText,
    pub notice: AuthorNotice,
    /// The rule's word; empty for none.
    pub rule: &'static str,
    pub may_appeal: bool,
    pub decided_at: DateTime<Utc>,
}

/// `community.post.hidden.v1`. The aggregate is the author, whose notices stay in order.
#[must_use]
pub fn post_hidden(decision: &AuthorDecision, clock: &dyn Clock) -> NewEvent {
    let (word, until) = match decision.notice {
        AuthorNotice::Hidden => ("HIDDEN", None),
        AuthorNotice::Restricted { until } => ("RESTRICTED", Some(until)),
        AuthorNotice::Expired => ("EXPIRED", None),
        AuthorNotice::Restored => ("RESTORED", None),
        AuthorNotice::Published => ("PUBLISHED", None),
        AuthorNotice::Refused => ("REFUSED", None),
        AuthorNotice::KeptHidden => ("KEPT_HIDDEN", None),
        AuthorNotice::Warned => ("WARNED", None),
        AuthorNotice::Suspended { until } => ("SUSPENDED", until),
    };
    let body = PostHidden {
        decision_id: decision.step,
        told_author_id: decision.author.0,
        kind: decision.text.kind().to_owned(),
        post_id: decision.text.post,
        comment_id: decision.text.comment.unwrap_or_default(),
        decision: word.to_owned(),
        reason: decision.rule.to_owned(),
        until_us: until.map(micros).unwrap_or_default(),
        may_appeal: decision.may_appeal,
        decided_at_us: micros(decision.decided_at),
    };
    NewEvent::new(POST_HIDDEN, decision.author.to_string(), &body, clock)
}

#[derive(Clone, Copy, Debug)]
pub struct ReportDecision {
    pub report: i64,
    pub reporter: MemberId,
    pub text: DecidedText,
    pub is_upheld: bool,
    pub decided_at: DateTime<Utc>,
}

/// `community.report.decided.v1`. The aggregate is the reporter.
#[must_use]
pub fn report_decided(decision: &ReportDecision, clock: &dyn Clock) -> NewEvent {
    let body = ReportDecided {
        report_id: decision.report,
        told_reporter_id: decision.reporter.0,
        kind: decision.text.kind().to_owned(),
        post_id: decision.text.post,
        comment_id: decision.text.comment.unwrap_or_default(),
        is_upheld: decision.is_upheld,
        decided_at_us: micros(decision.decided_at),
    };
    NewEvent::new(REPORT_DECIDED, decision.reporter.to_string(), &body, clock)
}

impl DecidedText {
    fn kind(self) -> &'static str {
        match self.comment {
            Some(_) => "COMMENT",
            None => "POST",
        }
    }
}
