//! The trends of a test.

use std::sync::Arc;

use proto::market::v1::close_service_server::CloseService;
use proto::market::v1::trend_service_server::TrendService;
use proto::market::v1::{
    CommodityPrice, DayVolumes, GetCommodityPriceRequest, GetGoldTrendRequest, GetTrendRequest,
    GoldTrend, IndexCloses, IndexConstituents, ListDayVolumesRequest, ListIndexClosesRequest,
    ListIndexConstituentsRequest, ListPricesAtRequest, ListSparklinesRequest, PricesAt, Sparklines,
    Trend,
};

use super::samples::market_data as samples;
use super::{Scenario, fake};

pub(crate) struct Fake(pub(crate) Arc<Scenario>);

fake! { TrendService:
    get_trend(GetTrendRequest) -> Trend = |_| samples::trend();
    get_gold_trend(GetGoldTrendRequest) -> GoldTrend = |_| samples::gold_trend();
    get_commodity_price(GetCommodityPriceRequest) -> CommodityPrice = |request| CommodityPrice {
        premium: Some(samples::premium()),
        item: Some(samples::item(&request.code)),
    };
    list_index_constituents(ListIndexConstituentsRequest) -> IndexConstituents = |_| samples::index_constituents();
    list_sparklines(ListSparklinesRequest) -> Sparklines = |request| samples::sparklines(&request.codes);
}

fake! { CloseService:
    list_prices_at(ListPricesAtRequest) -> PricesAt = |_| PricesAt::default();
    list_index_closes(ListIndexClosesRequest) -> IndexCloses = |_| samples::index_closes();
    list_day_volumes(ListDayVolumesRequest) -> DayVolumes = |_| DayVolumes::default();
}
