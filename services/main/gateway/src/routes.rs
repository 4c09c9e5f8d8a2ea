//! The routes: one file for each heading of the product's list of calls, and `asset` for what stocks,
//! coins and commodities have in common.

pub(crate) mod account;
pub(crate) mod asset;
pub(crate) mod auth;
pub(crate) mod coin;
pub(crate) mod commodity;
pub(crate) mod community;
pub(crate) mod competition;
pub(crate) mod contract;
pub(crate) mod credential;
pub(crate) mod dividend;
pub(crate) mod education;
pub(crate) mod equity;
pub(crate) mod file;
pub(crate) mod invest;
mod levels;
pub(crate) mod like;
pub(crate) mod member;
pub(crate) mod notification;
mod path;
pub(crate) mod price_alert;
pub(crate) mod product;
pub(crate) mod profit;
pub(crate) mod push;
mod repeatable;
pub(crate) mod search_history;
pub(crate) mod season;
pub(crate) mod stock;
pub(crate) mod system;
pub(crate) mod transfer;
pub(crate) mod trend;

use actix_web::web;

use crate::endpoint::Endpoint;
use crate::error::ApiError;
use crate::state::AppState;

/// Every route of the API. Of two patterns that match a path the earlier one serves it.
#[must_use]
pub fn endpoints() -> Vec<Endpoint> {
    [
        auth::endpoints(),
        credential::endpoints(),
        like::endpoints(),
        // After `like`, because `product-like` would match `/api/v1/member/{id}`.
        member::endpoints(),
        account::endpoints(),
        stock::endpoints(),
        coin::endpoints(),
        commodity::endpoints(),
        asset::endpoints(),
        // Before `product`, whose `{productSid}` would match `payment`.
        contract::endpoints(),
        product::endpoints(),
        trend::endpoints(),
        search_history::endpoints(),
        price_alert::endpoints(),
        invest::endpoints(),
        transfer::endpoints(),
        dividend::endpoints(),
        profit::endpoints(),
        equity::endpoints(),
        season::endpoints(),
        competition::endpoints(),
        education::endpoints(),
        community::endpoints(),
        push::endpoints(),
        notification::endpoints(),
        file::endpoints(),
        system::endpoints(),
    ]
    .concat()
}

/// What all handlers share, as they take it.
type State = web::Data<AppState>;

/// The answer of most handlers.
type Reply<T> = Result<web::Json<T>, ApiError>;
