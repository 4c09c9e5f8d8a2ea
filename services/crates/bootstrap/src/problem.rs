//! Refusals with their facts: a `Problem` in the details of a gRPC status.

use prost::Message;
use proto::common::v1::Problem;
use tonic::{Code, Status};

/// A status that carries a reason (UPPER_SNAKE), the sentence a member reads, and the numbers of
/// the fact.
pub fn status<'a>(
    code: Code,
    reason: &str,
    message: impl Into<String>,
    facts: impl IntoIterator<Item = (&'a str, String)>,
) -> Status {
    let problem = Problem {
        reason: reason.to_owned(),
        message: message.into(),
        facts: facts
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
        ..Problem::default()
    };
    carry(code, problem)
}

/// A status that carries a problem as it is.
#[must_use]
pub fn carry(code: Code, problem: Problem) -> Status {
    let details = problem.encode_to_vec();
    Status::with_details(code, problem.message, details.into())
}

/// The problem a status carries; `None` for a failure that is nobody's business rule.
#[must_use]
pub fn of(status: &Status) -> Option<Problem> {
    if status.details().is_empty() {
        return None;
    }
    Problem::decode(status.details())
        .ok()
        .filter(|problem| !problem.reason.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_travels_in_a_status() {
        let facts = [("need", "71300".to_owned())];
        let status = status(
            Code::FailedPrecondition,
            "INSUFFICIENT_CASH",
            "잔액이 부족해요",
            facts,
        );
        let problem = of(&status).unwrap();
        assert_eq!(problem.reason, "INSUFFICIENT_CASH");
        assert_eq!(problem.message, "잔액이 부족해요");
        assert_eq!(problem.facts["need"], "71300");
        assert_eq!(of(&Status::internal("broken")), None);
    }
}
