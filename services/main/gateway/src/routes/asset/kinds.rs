//! The kinds of assets and their routes.

use crate::wire::market::MarketCode;
use crate::wire::order_enums::OrderCategory;

pub(crate) struct AssetKind {
    /// In the OpenAPI document and in paths.
    pub(crate) tag: &'static str,
    pub(super) category: OrderCategory,
    /// Whose items the routes of the kind serve.
    pub(crate) markets: &'static [MarketCode],
    /// What a list without `marketCode` shows.
    pub(super) default_markets: &'static [MarketCode],
    pub(super) routes: &'static [AssetRoute],
}

/// One route of one kind, with what differs from the same route of other kinds.
pub(super) struct AssetRoute {
    pub(super) operation: Operation,
    pub(super) path: &'static str,
    /// `operationId` in the OpenAPI document.
    pub(super) id: &'static str,
    pub(super) summary: &'static str,
    /// Description of the 200 response.
    pub(super) response: &'static str,
    /// Whether the product's list lacks the route.
    pub(super) is_extension: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    List,
    Popular,
    Search,
    Item,
    Order,
    WaitingOrders,
    WaitingOrdersOfCode,
    Holdings,
    HoldingsOfCode,
    OrderHistory,
}

impl AssetRoute {
    /// The product calls the member `sid` in some paths and `id` in others.
    pub(super) fn member_parameter(&self) -> &'static str {
        if self.path.contains("{sid}") {
            "sid"
        } else {
            "id"
        }
    }
}

/// Without ETFs.
pub(crate) const STOCK_MARKETS: &[MarketCode] =
    &[MarketCode::Kospi, MarketCode::Kosdaq, MarketCode::Global];

const ONE_PAGE: &str = "One page.";
const POPULAR: &str = "At most 20, most popular first.";
const BEST_FIRST: &str = "At most 20, best first.";
const ITEM: &str = "The item.";
const REPLY: &str = "How the order stands.";
const NEWEST_FIRST: &str = "At most 100, newest first.";
const PER_ACCOUNT: &str = "At most one per account.";

/// Stocks and ETFs. Their popular list and search take parameters of their own (`stock`).
pub(crate) static STOCK: AssetKind = AssetKind {
    tag: "stock",
    category: OrderCategory::Stock,
    markets: &[
        MarketCode::Kospi,
        MarketCode::Kosdaq,
        MarketCode::Global,
        MarketCode::Etf,
    ],
    default_markets: STOCK_MARKETS,
    routes: &[
        AssetRoute {
            operation: Operation::List,
            path: "/api/v1/stock/list",
            id: "list_stocks",
            summary: "All stocks, or those of one market, with prices.",
            response: ONE_PAGE,
            is_extension: true,
        },
        AssetRoute {
            operation: Operation::Item,
            path: "/api/v1/stock/real/code/{code}",
            id: "stock",
            summary: "The price of a stock or ETF at this moment.",
            response: ITEM,
            is_extension: false,
        },
        AssetRoute {
            operation: Operation::Order,
            path: "/api/v1/stock/order",
            id: "order_stock",
            summary: "Order a stock or ETF, or modify or cancel an order.",
            response: REPLY,
            is_extension: false,
        },
        AssetRoute {
            operation: Operation::WaitingOrders,
            path: "/api/v1/stock/wait/member/{sid}",
            id: "waiting_stock_orders",
            summary: "Orders for stocks and ETFs that wait.",
            response: NEWEST_FIRST,
            is_extension: false,
        },
        AssetRoute {
            operation: Operation::WaitingOrdersOfCode,
            path: "/api/v1/stock/wait/member/{sid}/code/{code}",
            id: "waiting_orders_of_stock",
            summary: "Orders for one stock or ETF that wait.",
            response: NEWEST_FIRST,
            is_extension: false,
        },
        AssetRoute {
            operation: Operation::Holdings,
            path: "/api/v1/stock/member/{sid}",
            id: "stock_holdings",
            summary: "Stocks and ETFs the caller holds.",
            response: "One per account and item.",
            is_extension: false,
        },
        AssetRoute {
            operation: Operation::HoldingsOfCode,
            path: "/api/v1/stock/member/{sid}/code/{code}",
            id: "holdings_of_stock",
            summary: "What the caller holds of one stock or ETF.",
            response: PER_ACCOUNT,
            is_extension: false,
        },
        AssetRoute {
            operation: Operation::OrderHistory,
            path: "/api/v1/orderHistory/stock/member/{sid}/{type}",
            id: "stock_order_history",
            summary: "Orders for stocks and ETFs, newest first.",
            response: ONE_PAGE,
            is_extension: false,
        },
    ],
};

pub(crate) static COIN: AssetKind = AssetKind {
    tag: "coin",
    category: OrderCategory::Coin,
    markets: &[MarketCode::Coin],
    default_markets: &[MarketCode::Coin],
    routes: &[
        AssetRoute {
            operation: Operation::List,
            path: "/api/v1/coin/list",
            id: "list_coins",
            summary: "All coins with prices.",
            response: ONE_PAGE,
            is_extension: true,
        },
        AssetRoute {
            operation: Operation::Popular,
            path: "/api/v1/coin/popular/member/{id}",
            id: "popular_coins",
            summary: "The most popular coins.",
            response: POPULAR,
            is_extension: false,
        },
        AssetRoute {
            operation: Operation::Search,
            path: "/api/v1/coin/search/get-coin-list",
            id: "search_coins",
            summary: "Find coins by name, code or 초성.",
            response: BEST_FIRST,
            is_extension: false,
        },
        AssetRoute {
            operation: Operation::Item,
            path: "/api/v1/coin/real/code/{code}",
            id: "coin",
            summary: "The price of a coin at this moment.",
            response: ITEM,
            is_extension: false,
        },
        AssetRoute {
            operation: Operation::Order,
            path: "/api/v1/coin/order",
            id: "order_coin",
            summary: "Order a coin, or modify or cancel an order.",
            response: REPLY,
            is_extension: false,
        },
        AssetRoute {
            operation: Operation::WaitingOrders,
            path: "/api/v1/coin/wait/member/{id}",
            id: "waiting_coin_orders",
            summary: "Orders for coins that wait.",
            response: NEWEST_FIRST,
            is_extension: false,
        },
        AssetRoute {
            operation: Operation::WaitingOrdersOfCode,
            path: "/api/v1/coin/wait/member/{id}/code/{code}",
            id: "waiting_orders_of_coin",
            summary: "Orders for one coin that wait.",
            response: NEWEST_FIRST,
            is_extension: false,
        },
        AssetRoute {
            operation: Operation::Holdings,
            path: "/api/v1/coin/member/{id}",
            id: "coin_holdings",
            summary: "Coins the caller holds.",
            response: "One per account and coin.",
            is_extension: false,
        },
        AssetRoute {
            operation: Operation::HoldingsOfCode,
            path: "/api/v1/coin/member/{id}/code/{code}",
            id: "holdings_of_coin",
            summary: "What the caller holds of one coin.",
            response: PER_ACCOUNT,
            is_extension: false,
        },
        AssetRoute {
            operation: Operation::OrderHistory,
            path: "/api/v1/orderHistory/coin/member/{sid}/{type}",
            id: "coin_order_history",
            summary: "Orders for coins, newest first.",
            response: ONE_PAGE,
            is_extension: true,
        },
    ],
};

/// Gold and world commodities; only gold is traded.
pub(crate) static COMMODITY: AssetKind = AssetKind {
    tag: "commodity",
    category: OrderCategory::Gold,
    markets: &[MarketCode::Gold],
    default_markets: &[MarketCode::Gold],
    routes: &[
        AssetRoute {
            operation: Operation::List,
            path: "/api/v1/commodity/list",
            id: "list_commodities",
            summary: "Gold and world commodities with prices.",
            response: ONE_PAGE,
            is_extension: true,
        },
        AssetRoute {
            operation: Operation::Popular,
            path: "/api/v1/commodity/popular/member/{id}",
            id: "popular_commodities",
            summary: "The most popular commodities.",
            response: POPULAR,
            is_extension: true,
        },
        AssetRoute {
            operation: Operation::Search,
            path: "/api/v1/commodity/search/get-commodity-list",
            id: "search_commodities",
            summary: "Find gold and commodities by name, code or 초성.",
            response: BEST_FIRST,
            is_extension: false,
        },
        AssetRoute {
            operation: Operation::Item,
            path: "/api/v1/commodity/real/code/{code}",
            id: "commodity",
            summary: "The price of gold or a commodity at this moment.",
            response: ITEM,
            is_extension: true,
        },
        AssetRoute {
            operation: Operation::Order,
            path: "/api/v1/commodity/order",
            id: "order_gold",
            summary: "Order gold, or modify or cancel an order. World commodities are shown only.",
            response: REPLY,
            is_extension: false,
        },
        AssetRoute {
            operation: Operation::WaitingOrders,
            path: "/api/v1/commodity/wait/member/{sid}",
            id: "waiting_gold_orders",
            summary: "Orders for gold that wait.",
            response: NEWEST_FIRST,
            is_extension: true,
        },
        AssetRoute {
            operation: Operation::WaitingOrdersOfCode,
            path: "/api/v1/commodity/wait/member/{sid}/code/{code}",
            id: "waiting_orders_of_gold",
            summary: "Orders for one kind of gold that wait.",
            response: NEWEST_FIRST,
            is_extension: true,
        },
        AssetRoute {
            operation: Operation::Holdings,
            path: "/api/v1/commodity/member/{sid}",
            id: "gold_holdings",
            summary: "Gold the caller holds.",
            response: "One per account and item.",
            is_extension: false,
        },
        AssetRoute {
            operation: Operation::HoldingsOfCode,
            path: "/api/v1/commodity/member/{id}/code/{code}",
            id: "holdings_of_gold",
            summary: "What the caller holds of one kind of gold.",
            response: PER_ACCOUNT,
            is_extension: false,
        },
        AssetRoute {
            operation: Operation::OrderHistory,
            path: "/api/v1/orderHistory/commodity/member/{sid}/{type}",
            id: "commodity_order_history",
            summary: "Orders for gold, newest first.",
            response: ONE_PAGE,
            is_extension: true,
        },
    ],
};
