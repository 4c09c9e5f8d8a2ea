//! Business errors: a `Problem` in the details of a gRPC status.

use prost::Message;
use proto::common::v1::Problem;
use tonic::{Code, Status};

/// `reason` is UPPER_SNAKE, the sentence is shown to the member, and the numbers are parameters of
/// the reason.
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

#[must_use]
pub fn carry(code: Code, problem: Problem) -> Status {
    let details = problem.encode_to_vec();
    Status::with_details(code, problem.message, details.into())
}

/// `None` for a status without a problem, which is a technical failure.
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
