//! The routes that every kind of asset has. A kind is a row of data, [`AssetKind`]; the handlers take
//! it as their first argument and are registered once for each kind. What only one kind has is in
//! `stock`, `coin` and `commodity`.

pub(super) mod charts;
mod document;
mod history;
mod holding;
mod holdings;
pub(crate) mod items;
mod kinds;
pub(super) mod order_request;
mod orders;

use crate::endpoint::{Class, Endpoint, Subject};

pub(crate) use document::document;
pub(crate) use kinds::{AssetKind, COIN, COMMODITY, STOCK, STOCK_MARKETS};
use kinds::{AssetRoute, Operation};

pub(crate) fn endpoints() -> Vec<Endpoint> {
    let of_kind = |kind: &'static AssetKind| {
        let routes = kind.routes.iter();
        routes.map(move |route| endpoint(kind, route))
    };
    [&STOCK, &COIN, &COMMODITY]
        .into_iter()
        .flat_map(of_kind)
        .collect()
}

fn endpoint(kind: &'static AssetKind, route: &AssetRoute) -> Endpoint {
    let path = route.path;
    let member = Subject::Path(route.member_parameter());
    let endpoint = match route.operation {
        Operation::List => Endpoint::get(path, Subject::Anyone, move |state, query, caller| {
            items::list_items(kind, state, query, caller)
        })
        .class(Class::Browse),
        Operation::Popular => {
            let subject = Subject::PublicOrSelf(route.member_parameter());
            Endpoint::get(path, subject, move |state, caller| {
                items::popular_items(kind, state, caller)
            })
            .class(Class::Browse)
        }
        Operation::Search => Endpoint::get(path, Subject::Anyone, move |state, query, caller| {
            items::search_items(kind, state, query, caller)
        })
        .class(Class::Search),
        Operation::Item => Endpoint::get(path, Subject::Anyone, move |state, path, caller| {
            items::get_item(kind, state, path, caller)
        }),
        Operation::Order => {
            let subject = Subject::Body("memberSid");
            Endpoint::post(path, subject, move |state, caller, draft| {
                orders::order(kind, state, caller, draft)
            })
        }
        Operation::WaitingOrders => Endpoint::get(path, member, move |state, caller, query| {
            orders::waiting_orders(kind, state, caller, query)
        }),
        Operation::WaitingOrdersOfCode => {
            Endpoint::get(path, member, move |state, caller, path, query| {
                orders::waiting_orders_of_code(kind, state, caller, path, query)
            })
        }
        Operation::Holdings => Endpoint::get(path, member, move |state, caller, query| {
            holdings::holdings(kind, state, caller, query)
        }),
        Operation::HoldingsOfCode => {
            Endpoint::get(path, member, move |state, caller, path, query| {
                holdings::holdings_of_code(kind, state, caller, path, query)
            })
        }
        Operation::OrderHistory => {
            Endpoint::get(path, member, move |state, caller, path, query| {
                history::order_history(kind, state, caller, path, query)
            })
        }
    };
    if route.is_extension {
        endpoint.extension()
    } else {
        endpoint
    }
}
