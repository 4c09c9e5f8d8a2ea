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
pub struct AuthorTold {
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
pub fn author_told(told: &AuthorTold, clock: &dyn Clock) -> NewEvent {
    let (decision, until) = match told.notice {
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
        decision_id: told.step,
        told_author_id: told.author.0,
        kind: told.text.kind().to_owned(),
        post_id: told.text.post,
        comment_id: told.text.comment.unwrap_or_default(),
        decision: decision.to_owned(),
        reason: told.rule.to_owned(),
        until_us: until.map(micros).unwrap_or_default(),
        may_appeal: told.may_appeal,
        decided_at_us: micros(told.decided_at),
    };
    NewEvent::new(POST_HIDDEN, told.author.to_string(), &body, clock)
}

#[derive(Clone, Copy, Debug)]
pub struct ReporterTold {
    pub report: i64,
    pub reporter: MemberId,
    pub text: DecidedText,
    pub is_upheld: bool,
    pub decided_at: DateTime<Utc>,
}

/// `community.report.decided.v1`. The aggregate is the reporter.
#[must_use]
pub fn reporter_told(told: &ReporterTold, clock: &dyn Clock) -> NewEvent {
    let body = ReportDecided {
        report_id: told.report,
        told_reporter_id: told.reporter.0,
        kind: told.text.kind().to_owned(),
        post_id: told.text.post,
        comment_id: told.text.comment.unwrap_or_default(),
        is_upheld: told.is_upheld,
        decided_at_us: micros(told.decided_at),
    };
    NewEvent::new(REPORT_DECIDED, told.reporter.to_string(), &body, clock)
}

impl DecidedText {
    fn kind(self) -> &'static str {
        match self.comment {
            Some(_) => "COMMENT",
            None => "POST",
        }
    }
}
