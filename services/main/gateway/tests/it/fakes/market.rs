//! The market-data service of a test: it knows `005930` and `KRW-BTC`.

use std::sync::Arc;

use proto::market::v1::market_service_server::MarketService;
use proto::market::v1::{
    BrowseItemsRequest, Candles, CompanyOutline, ExchangeRates, GetCandlesRequest,
    GetCompanyOutlineRequest, GetExchangeRatesRequest, GetInstrumentRequest, GetMarketInfoRequest,
    GetQuotesRequest, GetSiseJwksRequest, GetSnapshotRequest, InstrumentDetail, Item, ItemPage,
    Items, ListInstrumentsRequest, ListInstrumentsResponse, ListPopularRequest, MarketInfo,
    NoteItemOpenedRequest, NoteItemOpenedResponse, SearchItemsRequest, SiseJwks, SiseMember,
    SiseToken, SiseTokenRequest, Snapshot,
};

use super::samples::market_data as samples;
use super::{Scenario, fake};

pub(crate) struct Fake(pub(crate) Arc<Scenario>);

fake! { MarketService:
    list_instruments(ListInstrumentsRequest) -> ListInstrumentsResponse =
        |_| ListInstrumentsResponse::default();
    get_instrument(GetInstrumentRequest) -> InstrumentDetail = |request| InstrumentDetail {
        instrument: Some(samples::instrument(&request.code)),
        quote: None,
    };
    get_snapshot(GetSnapshotRequest) -> Snapshot = |_| Snapshot::default();
    browse_items(BrowseItemsRequest) -> ItemPage = |request| ItemPage {
        items: vec![samples::item("005930")],
        page: request.page,
        total: 21,
    };
    list_popular(ListPopularRequest) -> ItemPage = |_| ItemPage {
        // The second has no price and must not hide the first.
        items: vec![
            samples::item("KRW-BTC"),
            Item { instrument: Some(samples::instrument("005930")), quote: None },
        ],
        page: 1,
        total: 2,
    };
    search_items(SearchItemsRequest) -> ItemPage = |_| ItemPage {
        items: vec![samples::item("005930")],
        page: 1,
        total: 1,
    };
    get_quotes(GetQuotesRequest) -> Items = |request| Items {
        items: request
            .codes
            .iter()
            .filter(|code| code.as_str() != samples::NO_CODE)
            .map(|code| samples::item(code))
            .collect(),
        liked: request.member_ids.iter().filter_map(|member| samples::remembered(*member)).collect(),
    };
    get_candles(GetCandlesRequest) -> Candles = |_| samples::candles();
    get_company_outline(GetCompanyOutlineRequest) -> CompanyOutline =
        |_| samples::outline();
    get_exchange_rates(GetExchangeRatesRequest) -> ExchangeRates =
        |_| samples::exchange_rates();
    get_market_info(GetMarketInfoRequest) -> MarketInfo = |_| MarketInfo {
        clock: "practice".to_owned(),
        feed: "builtin".to_owned(),
        simulated: true,
        ..MarketInfo::default()
    };
    note_item_opened(NoteItemOpenedRequest) -> NoteItemOpenedResponse =
        |_| NoteItemOpenedResponse {};
    register_sise_member(SiseTokenRequest) -> SiseMember = |_| SiseMember::default();
    issue_sise_token(SiseTokenRequest) -> SiseToken = |_| SiseToken::default();
    get_sise_jwks(GetSiseJwksRequest) -> SiseJwks = |_| SiseJwks::default();
}
