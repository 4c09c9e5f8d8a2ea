//! What waits for a member, and what the member holds.

use proto::trading::v1 as trading;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::error::ApiError;
use crate::routes::liked::Liked;
use crate::routes::paths::CallerPath;
use crate::routes::shape::holding::Holding;
use crate::routes::shape::order::Order;
use crate::routes::shape::rows::readable;
use crate::routes::shape::words::{Acno, OrderCategory};
use crate::session::Caller;
use crate::state::Gateway;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct AccountQuery {
    /// An account of the caller; absent = all of them.
    #[param(inline)]
    acno: Option<Acno>,
}

/// Orders of the caller that wait, in all instruments of `category` or the one that `path` names.
pub(super) async fn waiting(
    state: &Gateway,
    caller: &Caller,
    category: OrderCategory,
    path: impl CallerPath,
    account: AccountQuery,
) -> Result<Vec<Order>, ApiError> {
    let request = trading::ListWaitingOrdersRequest {
        member_id: caller.member_id.0,
        account_no: account.acno.map(String::from).unwrap_or_default(),
        category: category.to_proto().into(),
        instrument_code: path.code().map(String::from).unwrap_or_default(),
    };
    let answer = state
        .trading
        .read(async |mut trading| trading.list_waiting_orders(request.clone()).await)
        .await?;
    Ok(readable(answer.orders))
}

/// What the caller holds of `category`, or of the instrument that `path` names.
pub(super) async fn holdings(
    state: &Gateway,
    caller: &Caller,
    category: OrderCategory,
    path: impl CallerPath,
    account: AccountQuery,
) -> Result<Vec<Holding>, ApiError> {
    let request = trading::ListHoldingsRequest {
        member_id: caller.member_id.0,
        account_no: account.acno.map(String::from).unwrap_or_default(),
        category: category.to_proto().into(),
        instrument_code: path.code().map(String::from).unwrap_or_default(),
    };
    let listing = state
        .trading
        .read(async |mut trading| trading.list_holdings(request.clone()).await);
    let (answer, liked) = tokio::join!(listing, Liked::of(state, Some(caller)));
    let mut holdings: Vec<Holding> = readable(answer?.holdings);
    liked.mark(&mut holdings);
    Ok(holdings)
}
