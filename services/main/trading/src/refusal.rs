//! Why a request for money that is not an order is refused.

use tonic::Code;

/// A rule that a request breaks: the reason code, the sentence for the member, and the numbers
/// that clients read. The gateway's table of reasons gives the HTTP status.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    code: Code,
    reason: &'static str,
    message: String,
    facts: Vec<(&'static str, String)>,
    subject: Vec<u8>,
    passes_with_time: bool,
}

impl Refusal {
    /// A refusal that is stored as the reply to the request.
    #[must_use]
    pub fn new(reason: &'static str, message: impl Into<String>) -> Self {
        Self {
            code: Code::FailedPrecondition,
            reason,
            message: message.into(),
            facts: Vec::new(),
            subject: Vec::new(),
            passes_with_time: false,
        }
    }

    /// The row that the request names is not the member's, or does not exist.
    #[must_use]
    pub fn not_found(reason: &'static str, message: impl Into<String>) -> Self {
        Self {
            code: Code::NotFound,
            ..Self::new(reason, message)
        }
    }

    /// The row exists, and the member may not see it.
    #[must_use]
    pub fn forbidden(reason: &'static str, message: impl Into<String>) -> Self {
        Self {
            code: Code::PermissionDenied,
            ..Self::new(reason, message)
        }
    }

    /// What the member has seen is no longer true.
    #[must_use]
    pub fn conflict(reason: &'static str, message: impl Into<String>) -> Self {
        Self {
            code: Code::Aborted,
            ..Self::new(reason, message)
        }
    }

    /// Adds a number by the name that clients read.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.facts.push((name, value.to_string()));
        self
    }

    /// Carries the row that has changed, as the bytes of its message.
    #[must_use]
    pub fn about(self, subject: Vec<u8>) -> Self {
        Self { subject, ..self }
    }

    /// The same request may be granted later: the refusal is not stored.
    #[must_use]
    pub fn passing(self) -> Self {
        Self {
            passes_with_time: true,
            ..self
        }
    }

    /// Whether the same request may be granted later.
    #[must_use]
    pub fn passes_with_time(&self) -> bool {
        self.passes_with_time
    }

    pub(crate) fn code(&self) -> Code {
        self.code
    }

    /// The reason code in UPPER_SNAKE.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        self.reason
    }

    pub(crate) fn subject(&self) -> &[u8] {
        &self.subject
    }

    pub(crate) fn facts(&self) -> &[(&'static str, String)] {
        &self.facts
    }
}
