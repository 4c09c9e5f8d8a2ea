//! Calls to the services: one retry of a read when its service is away, within a budget, and a
//! breaker that stops asking a service that keeps failing.

mod breaker;
mod budget;

use std::sync::Arc;
use std::time::Instant;

use bootstrap::problem;
use tonic::{Code, Response, Status};

use crate::error::{ApiError, Reason};
use breaker::Breaker;
pub(crate) use budget::RetryBudget;

/// A service and how it has behaved lately.
pub(crate) struct Upstream<C> {
    name: &'static str,
    client: C,
    breaker: Breaker,
    budget: Arc<RetryBudget>,
}

impl<C: Clone> Upstream<C> {
    pub(crate) fn new(name: &'static str, client: C, budget: Arc<RetryBudget>) -> Self {
        Self {
            name,
            client,
            breaker: Breaker::default(),
            budget,
        }
    }

    /// A call that changes nothing, so it may be made a second time.
    pub(crate) async fn read<T>(
        &self,
        call: impl AsyncFn(C) -> Result<Response<T>, Status>,
    ) -> Result<T, ApiError> {
        self.budget.note_request();
        let first = self.attempt(call(self.client.clone())).await;
        let answer = match first {
            Err(status) if status.code() == Code::Unavailable && self.budget.take_retry() => {
                metrics::counter!("gateway_retries_total", "service" => self.name).increment(1);
                self.attempt(call(self.client.clone())).await
            }
            other => other,
        };
        answer.map_err(ApiError::from)
    }

    /// A call that acts; it is made once, and repeating it is the caller's decision.
    pub(crate) async fn act<T>(
        &self,
        call: impl AsyncFnOnce(C) -> Result<Response<T>, Status>,
    ) -> Result<T, ApiError> {
        self.budget.note_request();
        Ok(self.attempt(call(self.client.clone())).await?)
    }

    async fn attempt<T>(
        &self,
        call: impl Future<Output = Result<Response<T>, Status>>,
    ) -> Result<T, Status> {
        let Some(ticket) = self.breaker.admit(Instant::now()) else {
            metrics::counter!("gateway_breaker_refusals_total", "service" => self.name)
                .increment(1);
            // Not UNAVAILABLE: asking once more at once would be pointless.
            return Err(problem::status(
                Code::ResourceExhausted,
                Reason::Unavailable.as_str(),
                Reason::Unavailable.sentence(),
                [],
            ));
        };
        let answer = call.await;
        let failed = answer.as_ref().err().is_some_and(is_outage);
        self.breaker.note(ticket, Instant::now(), !failed);
        if failed {
            metrics::counter!("gateway_upstream_failures_total", "service" => self.name)
                .increment(1);
        }
        answer.map(Response::into_inner)
    }
}

/// Whether the service itself was in no state to answer, as opposed to having refused.
fn is_outage(status: &Status) -> bool {
    // A connection reports its own time limit as a cancellation.
    let away = matches!(
        status.code(),
        Code::Unavailable | Code::DeadlineExceeded | Code::Cancelled
    );
    let outages = ["UNAVAILABLE", "DEADLINE"];
    away && problem::of(status).is_none_or(|problem| outages.contains(&problem.reason.as_str()))
}
