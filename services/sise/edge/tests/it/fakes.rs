//! Fake market-data and trading services.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bootstrap::problem;
use parking_lot::Mutex;
use proto::common::v1::{Currency, Market};
use proto::market::v1::market_service_server::MarketService;
use proto::market::v1::*;
use proto::market::v1::{Item, Items};
use proto::trading::v1::trading_service_server::TradingService;
use proto::trading::v1::*;
use tonic::{Code, Request, Response, Status};

type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<Response<T>, Status>> + Send + 'a>>;

macro_rules! unused {
    ($($name:ident($request:ty) -> $response:ty;)*) => {
        // Written as `async_trait` expands it, because it cannot expand inside a macro.
        $(fn $name<'a, 'b>(&'a self, _: Request<$request>) -> Answer<'b, $response>
        where
            'a: 'b,
            Self: 'b,
        {
            Box::pin(async { Err(Status::unimplemented(stringify!($name))) })
        })*
    };
}

#[derive(Default)]
pub(crate) struct MarketData {
    pub(crate) snapshot: Mutex<Snapshot>,
    pub(crate) snapshots: AtomicUsize,
    /// Number of popular requests, and the markets that cannot be listed.
    pub(crate) popular_requests: AtomicUsize,
    pub(crate) unlistable: Mutex<Vec<Market>>,
}

#[derive(Clone, Default)]
pub(crate) struct FakeMarket(pub(crate) Arc<MarketData>);

pub(crate) const LISTED: [(&str, &str, Market); 5] = [
    ("005930", "삼성전자", Market::Kospi),
    ("069500", "KODEX 200", Market::Etf),
    ("AAPL", "애플", Market::Global),
    ("BTC", "비트코인", Market::Coin),
    ("GOLD", "금", Market::Gold),
];

#[tonic::async_trait]
impl MarketService for FakeMarket {
    async fn list_instruments(
        &self,
        _: Request<ListInstrumentsRequest>,
    ) -> Result<Response<ListInstrumentsResponse>, Status> {
        let listed = LISTED.into_iter().map(|(code, name, market)| Instrument {
            code: code.to_owned(),
            korean_name: name.to_owned(),
            market: market.into(),
            currency: Currency::Krw.into(),
            ..Instrument::default()
        });
        // Five hundred more coins, for clients with many subscriptions.
        let more = (0..500).map(|number| Instrument {
            code: format!("C{number}"),
            market: Market::Coin.into(),
            ..Instrument::default()
        });
        let instruments = listed.chain(more).collect();
        Ok(Response::new(ListInstrumentsResponse { instruments }))
    }

    async fn get_snapshot(
        &self,
        _: Request<GetSnapshotRequest>,
    ) -> Result<Response<Snapshot>, Status> {
        self.0.snapshots.fetch_add(1, Ordering::SeqCst);
        Ok(Response::new(self.0.snapshot.lock().clone()))
    }

    async fn list_popular(
        &self,
        request: Request<ListPopularRequest>,
    ) -> Result<Response<ItemPage>, Status> {
        let wanted = request.into_inner().markets;
        self.0.popular_requests.fetch_add(1, Ordering::SeqCst);
        let unlistable = self.0.unlistable.lock();
        if unlistable
            .iter()
            .any(|market| wanted.contains(&i32::from(*market)))
        {
            return Err(Status::unavailable("not now"));
        }
        let listed = LISTED.into_iter();
        let popular = listed.filter(|(_, _, market)| wanted.contains(&i32::from(*market)));
        let items = popular.map(|(code, _, _)| Item {
            instrument: Some(Instrument {
                code: code.to_owned(),
                ..Instrument::default()
            }),
            quote: None,
        });
        Ok(Response::new(ItemPage {
            items: items.collect(),
            ..ItemPage::default()
        }))
    }

    async fn register_sise_member(
        &self,
        request: Request<SiseTokenRequest>,
    ) -> Result<Response<SiseMember>, Status> {
        let member_id = member(&request.into_inner().main_access_token)?;
        Ok(Response::new(SiseMember { member_id }))
    }

    async fn issue_sise_token(
        &self,
        request: Request<SiseTokenRequest>,
    ) -> Result<Response<SiseToken>, Status> {
        Ok(Response::new(SiseToken {
            member_id: member(&request.into_inner().main_access_token)?,
            token: "a-sise-token".to_owned(),
            expires_in_s: 3_600,
        }))
    }

    async fn get_sise_jwks(
        &self,
        _: Request<GetSiseJwksRequest>,
    ) -> Result<Response<SiseJwks>, Status> {
        let json = testkit::keys::jwks();
        Ok(Response::new(SiseJwks { json }))
    }

    unused! {
        get_instrument(GetInstrumentRequest) -> InstrumentDetail;
        browse_items(BrowseItemsRequest) -> ItemPage;
        search_items(SearchItemsRequest) -> ItemPage;
        get_quotes(GetQuotesRequest) -> Items;
        get_candles(GetCandlesRequest) -> Candles;
        get_company_outline(GetCompanyOutlineRequest) -> CompanyOutline;
        get_exchange_rates(GetExchangeRatesRequest) -> ExchangeRates;
        get_market_info(GetMarketInfoRequest) -> MarketInfo;
        note_item_opened(NoteItemOpenedRequest) -> NoteItemOpenedResponse;
    }
}

/// "good" is member 100000; "old" has expired; "down" fails; anything else is invalid.
fn member(token: &str) -> Result<i64, Status> {
    let refused = |reason| problem::status(Code::Unauthenticated, reason, "로그인이 필요해요.", []);
    match token {
        "good" => Ok(100_000),
        "old" => Err(refused("Authentication is expired")),
        "down" => Err(Status::unavailable("keys")),
        _ => Err(refused("Authentication is invalid")),
    }
}

#[derive(Clone, Default)]
pub(crate) struct FakeTrading {
    pub(crate) fills: Arc<Mutex<HashMap<i64, MemberFills>>>,
    /// Number of `list_member_fills` requests.
    pub(crate) fetches: Arc<AtomicUsize>,
}

#[tonic::async_trait]
impl TradingService for FakeTrading {
    async fn list_member_fills(
        &self,
        request: Request<ListMemberFillsRequest>,
    ) -> Result<Response<MemberFills>, Status> {
        let request = request.into_inner();
        self.fetches.fetch_add(1, Ordering::SeqCst);
        let members = self.fills.lock();
        let mut fills = members.get(&request.member_id).cloned().unwrap_or_default();
        fills
            .notices
            .retain(|notice| notice.seq > request.after_seq);
        Ok(Response::new(fills))
    }

    unused! {
        place_order(PlaceOrderRequest) -> OrderReply;
        cancel_order(CancelOrderRequest) -> OrderReply;
        list_waiting_orders(ListWaitingOrdersRequest) -> Orders;
        get_order(GetOrderRequest) -> OrderDetail;
        list_holdings(ListHoldingsRequest) -> Holdings;
        get_account_summary(GetAccountSummaryRequest) -> AccountSummary;
        get_order_capacity(GetOrderCapacityRequest) -> OrderCapacity;
        get_balances(GetBalancesRequest) -> Balances;
        list_levels(ListLevelsRequest) -> Levels;
    }
}
