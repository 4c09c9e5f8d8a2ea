//! What runs before and around the handlers, from the outside in: early load shedding, the trace and
//! headers of every response, panics, authorization.

pub(crate) mod authorize;
pub(crate) mod body_read;
pub(crate) mod catch_panic;
pub(crate) mod concurrency;
pub(crate) mod headers;
pub(crate) mod load_shed;
pub(crate) mod rate_limit;
mod shed_response;
pub(crate) mod trace;
pub(crate) mod upload_turns;
