//! The OpenAPI operations of the routes of all kinds, made from one template for each operation.

use utoipa::OpenApi as _;
use utoipa::openapi::path::{self, HttpMethod};
use utoipa::openapi::{OpenApi, Paths, RefOr};

use super::kinds::{AssetKind, AssetRoute, COIN, COMMODITY, Operation, STOCK};
use super::{history, holdings, items, orders};

/// The operations without what differs between kinds.
#[derive(utoipa::OpenApi)]
#[openapi(paths(
    items::list_items,
    items::popular_items,
    items::search_items,
    items::get_item,
    orders::order,
    orders::waiting_orders,
    orders::waiting_orders_of_code,
    holdings::holdings,
    holdings::holdings_of_code,
    history::order_history
))]
struct Template;

pub(crate) fn document() -> OpenApi {
    let mut document = Template::openapi();
    let templates = std::mem::replace(&mut document.paths, Paths::new());
    for kind in [&STOCK, &COIN, &COMMODITY] {
        for route in kind.routes {
            let (method, template) = route.operation.template();
            let item = templates.paths.get(template);
            let operation = item.and_then(|item| item.get.as_ref().or(item.post.as_ref()));
            if let Some(operation) = operation {
                let operation = filled(operation.clone(), kind, route);
                let paths = &mut document.paths;
                paths.add_path_operation(route.path, vec![method], operation);
            }
        }
    }
    document
}

fn filled(mut operation: path::Operation, kind: &AssetKind, route: &AssetRoute) -> path::Operation {
    operation.tags = Some(vec![kind.tag.to_owned()]);
    operation.operation_id = Some(route.id.to_owned());
    operation.summary = Some(route.summary.to_owned());
    operation.description = None;
    for parameter in operation.parameters.iter_mut().flatten() {
        if let RefOr::T(parameter) = parameter
            && parameter.name == "id"
        {
            route.member_parameter().clone_into(&mut parameter.name);
        }
    }
    if let Some(RefOr::T(response)) = operation.responses.responses.get_mut("200") {
        route.response.clone_into(&mut response.description);
    }
    operation
}

impl Operation {
    fn template(self) -> (HttpMethod, &'static str) {
        match self {
            Self::List => (HttpMethod::Get, "list"),
            Self::Popular => (HttpMethod::Get, "popular"),
            Self::Search => (HttpMethod::Get, "search"),
            Self::Item => (HttpMethod::Get, "item"),
            Self::Order => (HttpMethod::Post, "order"),
            Self::WaitingOrders => (HttpMethod::Get, "waiting"),
            Self::WaitingOrdersOfCode => (HttpMethod::Get, "waiting/{code}"),
            Self::Holdings => (HttpMethod::Get, "holdings"),
            Self::HoldingsOfCode => (HttpMethod::Get, "holdings/{code}"),
            Self::OrderHistory => (HttpMethod::Get, "history"),
        }
    }
}
