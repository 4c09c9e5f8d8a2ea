//! Trading: the same routes for every kind of asset. To order it, what waits, what is held, and
//! the orders of the past.

pub(super) mod amount;
mod history;
mod lists;
pub(super) mod order;

/// Declares the routes of one kind of asset: what each is called in the API document, its address,
/// and the list that it answers. All of them are about the caller whom the path or the body names.
macro_rules! trade_routes {
    (
        $asset:ident: $category:ident, $tag:tt;
        $(#[$order_words:meta])*
        $order:ident: $order_at:tt;
        $(
            $(#[$words:meta])*
            $list:ident: $at:tt, $path:ident $($mark:ident)?
                => $read:ident($query:ident) -> $rows:ident$(<$row:ident>)?, $answer:tt;
        )+
    ) => {
        pub(crate) mod $asset {
            use actix_web::{HttpResponse, web};

            use super::history::{HistoryPath, HistoryQuery, history};
            use super::lists::{AccountQuery, holdings, waiting};
            use super::order;
            use crate::body::Json;
            use crate::error::ApiError;
            use crate::params::{Path, Query};
            use crate::registry::{Endpoint, Subject};
            use crate::routes::paths::*;
            use crate::routes::shape::holding::Holding;
            use crate::routes::shape::order::{Order, OrderDraft, OrderPage, OrderReply};
            use crate::routes::shape::words::OrderCategory;
            use crate::session::Caller;
            use crate::state::Gateway;

            #[derive(utoipa::OpenApi)]
            #[openapi(paths($order, $($list),+))]
            pub(crate) struct Document;

            pub(crate) fn endpoints() -> Vec<Endpoint> {
                vec![
                    Endpoint::post($order_at, Subject::Body("memberSid"), $order),
                    $(Endpoint::get($at, $path::SUBJECT, $list)$(.$mark())?,)+
                ]
            }

            $(#[$order_words])*
            #[utoipa::path(post, path = $order_at, tag = $tag, request_body = OrderDraft,
                responses((status = 200, description = "How the order stands.",
                    body = OrderReply)))]
            async fn $order(
                state: web::Data<Gateway>,
                caller: Caller,
                draft: Json<OrderDraft>,
            ) -> Result<HttpResponse, ApiError> {
                order::act(&state, &caller, draft.0, OrderCategory::$category).await
            }

            $(
                $(#[$words])*
                #[utoipa::path(get, path = $at, tag = $tag, params($path, $query),
                    responses((status = 200, description = $answer, body = $rows$(<$row>)?)))]
                async fn $list(
                    state: web::Data<Gateway>,
                    caller: Caller,
                    path: Path<$path>,
                    query: Query<$query>,
                ) -> Result<web::Json<$rows$(<$row>)?>, ApiError> {
                    let rows = $read(&state, &caller, OrderCategory::$category, path.0, query.0);
                    Ok(web::Json(rows.await?))
                }
            )+
        }
    };
}

trade_routes! {
    stock: Stock, "stock";
    /// Order a stock or ETF, or cancel an order.
    order_stock: "/api/v1/stock/order";
    /// Orders for stocks and ETFs that wait.
    waiting_stock_orders: "/api/v1/stock/wait/member/{sid}",
        SidPath => waiting(AccountQuery) -> Vec<Order>, "At most 100, newest first.";
    /// Orders for one stock or ETF that wait.
    waiting_orders_of_stock: "/api/v1/stock/wait/member/{sid}/code/{code}",
        SidCodePath => waiting(AccountQuery) -> Vec<Order>, "At most 100, newest first.";
    /// Stocks and ETFs the caller holds.
    stock_holdings: "/api/v1/stock/member/{sid}",
        SidPath => holdings(AccountQuery) -> Vec<Holding>, "One per account and item.";
    /// What the caller holds of one stock or ETF.
    holdings_of_stock: "/api/v1/stock/member/{sid}/code/{code}",
        SidCodePath => holdings(AccountQuery) -> Vec<Holding>, "At most one per account.";
    /// Orders for stocks and ETFs, newest first.
    stock_order_history: "/api/v1/orderHistory/stock/member/{sid}/{type}",
        HistoryPath => history(HistoryQuery) -> OrderPage, "One page.";
}

trade_routes! {
    coin: Coin, "coin";
    /// Order a coin, or cancel an order.
    order_coin: "/api/v1/coin/order";
    /// Orders for coins that wait.
    waiting_coin_orders: "/api/v1/coin/wait/member/{id}",
        IdPath => waiting(AccountQuery) -> Vec<Order>, "At most 100, newest first.";
    /// Orders for one coin that wait.
    waiting_orders_of_coin: "/api/v1/coin/wait/member/{id}/code/{code}",
        IdCodePath => waiting(AccountQuery) -> Vec<Order>, "At most 100, newest first.";
    /// Coins the caller holds.
    coin_holdings: "/api/v1/coin/member/{id}",
        IdPath => holdings(AccountQuery) -> Vec<Holding>, "One per account and coin.";
    /// What the caller holds of one coin.
    holdings_of_coin: "/api/v1/coin/member/{id}/code/{code}",
        IdCodePath => holdings(AccountQuery) -> Vec<Holding>, "At most one per account.";
    /// Orders for coins, newest first.
    coin_order_history: "/api/v1/orderHistory/coin/member/{sid}/{type}",
        HistoryPath extension => history(HistoryQuery) -> OrderPage, "One page.";
}

trade_routes! {
    commodity: Gold, "commodity";
    /// Order gold, or modify or cancel an order. World commodities are shown only.
    order_gold: "/api/v1/commodity/order";
    /// Orders for gold that wait.
    waiting_gold_orders: "/api/v1/commodity/wait/member/{sid}",
        SidPath extension => waiting(AccountQuery) -> Vec<Order>, "At most 100, newest first.";
    /// Orders for one kind of gold that wait.
    waiting_orders_of_gold: "/api/v1/commodity/wait/member/{sid}/code/{code}",
        SidCodePath extension => waiting(AccountQuery) -> Vec<Order>, "At most 100, newest first.";
    /// Gold the caller holds.
    gold_holdings: "/api/v1/commodity/member/{sid}",
        SidPath => holdings(AccountQuery) -> Vec<Holding>, "One per account and item.";
    /// What the caller holds of one kind of gold.
    holdings_of_gold: "/api/v1/commodity/member/{id}/code/{code}",
        IdCodePath => holdings(AccountQuery) -> Vec<Holding>, "At most one per account.";
    /// Orders for gold, newest first.
    commodity_order_history: "/api/v1/orderHistory/commodity/member/{sid}/{type}",
        HistoryPath extension => history(HistoryQuery) -> OrderPage, "One page.";
}
