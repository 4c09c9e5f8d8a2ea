//! The routes: one file per heading of the product's list of calls, one for the trading
//! of every kind of asset, and what they share.

pub(crate) mod auth;
pub(crate) mod coin;
pub(crate) mod commodity;
pub(crate) mod credential;
pub(crate) mod dividend;
pub(crate) mod first_prices;
pub(crate) mod invest;
pub(crate) mod like;
mod liked;
mod lookup;
pub(crate) mod member;
mod paging;
mod paths;
pub(crate) mod product;
pub(crate) mod search_history;
pub(crate) mod shape;
pub(crate) mod shared;
pub(crate) mod stock;
pub(crate) mod system;
pub(crate) mod trade;
pub(crate) mod trend;

use crate::registry::Endpoint;

/// Every route of the API. Where two patterns fit a path the earlier one is taken.
#[must_use]
pub fn endpoints() -> Vec<Endpoint> {
    [
        auth::endpoints(),
        credential::endpoints(),
        // Before the member's own record: `product-like` must not be read as a member.
        like::endpoints(),
        member::endpoints(),
        stock::endpoints(),
        coin::endpoints(),
        commodity::endpoints(),
        trade::stock::endpoints(),
        trade::coin::endpoints(),
        trade::commodity::endpoints(),
        product::endpoints(),
        trend::endpoints(),
        search_history::endpoints(),
        invest::endpoints(),
        dividend::endpoints(),
        system::endpoints(),
    ]
    .concat()
}
