//! The routes: one file per heading of the product's list of calls, and what they share.

pub(crate) mod auth;
pub(crate) mod coin;
pub(crate) mod commodity;
pub(crate) mod invest;
mod lookup;
pub(crate) mod member;
pub(crate) mod shape;
pub(crate) mod stock;
pub(crate) mod system;
mod trade;

use crate::registry::Endpoint;

/// Every route of the API. Where two patterns fit a path the earlier one is taken.
#[must_use]
pub fn endpoints() -> Vec<Endpoint> {
    [
        auth::endpoints(),
        member::endpoints(),
        stock::endpoints(),
        coin::endpoints(),
        commodity::endpoints(),
        invest::endpoints(),
        system::endpoints(),
    ]
    .concat()
}
