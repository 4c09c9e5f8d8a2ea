//! Calls to the other services: typed clients with one retry policy and a circuit breaker each, and
//! what makes many requests share one call.

mod breaker;
pub(crate) mod clients;
pub(crate) mod coalescer;
pub(crate) mod response_cache;
mod retry_budget;
pub(crate) mod shared_reads;
