//! What the stock, coin and commodity routes ask of market-data in the same way.

use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::header::ContentType;
use actix_web::web::Bytes;
use proto::market::v1 as market;
use serde::de::IntoDeserializer;
use serde::{Deserialize, Deserializer};
use utoipa::IntoParams;

use super::liked::{Likeable, Liked};
use super::shape::candle::{Candle, Chart, TimeTab, candles};
use super::shape::item::{Item, ItemList, rows};
use super::shape::words::{CandleType, Code, ItemSort, MarketCode, Page, SearchText, Until};
use super::shared::{Priced, Quoted};
use crate::error::{ApiError, Reason};
use crate::session::Caller;
use crate::state::Gateway;

/// A detail does not wait longer than this for having been counted.
const NOTING_LIMIT: Duration = Duration::from_millis(100);

/// What the stock routes are about; `stocks` are US stocks.
pub(super) const STOCKS: [MarketCode; 3] =
    [MarketCode::Kospi, MarketCode::Kosdaq, MarketCode::Global];
/// What the stock routes are about besides stocks.
pub(super) const STOCKS_AND_ETFS: [MarketCode; 4] = [
    MarketCode::Kospi,
    MarketCode::Kosdaq,
    MarketCode::Global,
    MarketCode::Etf,
];
/// What the coin routes are about.
pub(super) const COINS: [MarketCode; 1] = [MarketCode::Coin];
/// What the commodity routes are about.
pub(super) const COMMODITIES: [MarketCode; 1] = [MarketCode::Gold];

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(super) struct ListQuery {
    /// One market; absent or empty = every market of the route.
    #[serde(default, deserialize_with = "empty_is_absent")]
    #[param(inline)]
    pub(super) market_code: Option<MarketCode>,
    #[serde(default)]
    #[param(required = false, inline)]
    sort: ItemSort,
    /// From 1; 20 rows a page.
    #[serde(default)]
    #[param(required = false, inline)]
    page: Page,
}

impl ListQuery {
    /// What a list shows of `market` before anything is chosen.
    pub(super) fn first_of(market: MarketCode) -> Self {
        Self {
            market_code: Some(market),
            sort: ItemSort::default(),
            page: Page::default(),
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(super) struct SearchQuery {
    /// Name, code or 초성; at most 50 characters. Blank finds nothing.
    #[param(inline)]
    pub(super) search_txt: SearchText,
    /// From 1; 20 rows a page.
    #[serde(default)]
    #[param(required = false, inline)]
    pub(super) search_page: Page,
}

/// One page of a list of the markets that `allowed` has.
pub(super) async fn list(
    state: &Gateway,
    query: ListQuery,
    allowed: &[MarketCode],
    default: &[MarketCode],
    caller: Option<&Caller>,
) -> Result<ItemList, ApiError> {
    let asked = match query.market_code {
        Some(market) if !allowed.contains(&market) => {
            return Err(ApiError::field("marketCode", "이 목록에 없는 시장이에요"));
        }
        Some(market) => vec![market],
        None => default.to_vec(),
    };
    let request = market::BrowseItemsRequest {
        markets: to_proto(&asked),
        sort: query.sort.to_proto().into(),
        page: query.page.0,
    };
    let browsing = state
        .market
        .read(async |mut market| market.browse_items(request.clone()).await);
    let (page, liked) = tokio::join!(browsing, Liked::of(state, caller));
    let mut list = ItemList::from(page?);
    liked.mark(&mut list.items);
    Ok(list)
}

/// The popular items of `markets`.
pub(super) async fn popular(
    state: &Gateway,
    markets: &[MarketCode],
    caller: Option<&Caller>,
) -> Result<Vec<Item>, ApiError> {
    let request = market::ListPopularRequest {
        markets: to_proto(markets),
    };
    let listing = state
        .market
        .read(async |mut market| market.list_popular(request.clone()).await);
    let (page, liked) = tokio::join!(listing, Liked::of(state, caller));
    let mut items = rows(page?);
    liked.mark(&mut items);
    Ok(items)
}

/// The items of `markets` that match.
pub(super) async fn search(
    state: &Gateway,
    query: &SearchQuery,
    markets: &[MarketCode],
    caller: Option<&Caller>,
) -> Result<Vec<Item>, ApiError> {
    let text = query.search_txt.as_str().trim();
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let request = market::SearchItemsRequest {
        text: text.to_owned(),
        markets: to_proto(markets),
        page: query.search_page.0,
    };
    let searching = state
        .market
        .read(async |mut market| market.search_items(request.clone()).await);
    let (page, liked) = tokio::join!(searching, Liked::of(state, caller));
    let mut items = rows(page?);
    liked.mark(&mut items);
    Ok(items)
}

/// The item `code`, if it is of one of `markets`.
pub(super) async fn item(
    state: &Gateway,
    code: &Code,
    markets: &[MarketCode],
    caller: Option<&Caller>,
) -> Result<HttpResponse, ApiError> {
    let (priced, is_liked) = priced(state, code, markets, caller).await?;
    Ok(if is_liked {
        HttpResponse::Ok().json(liked(&priced))
    } else {
        HttpResponse::Ok()
            .content_type(ContentType::json())
            .body(priced.json()?)
    })
}

/// The item `code` as it is sent to nobody in particular, if it is of one of `markets`.
pub(super) async fn shared_item(
    state: &Gateway,
    code: &Code,
    markets: &[MarketCode],
) -> Result<Bytes, ApiError> {
    priced(state, code, markets, None).await?.0.json()
}

/// The price of `code` and its chart of `period`, asked for at once. Counts as opening it.
pub(super) async fn time_tab(
    state: &Gateway,
    code: &Code,
    markets: &[MarketCode],
    period: CandleType,
    until: Option<Until>,
    caller: Option<&Caller>,
) -> Result<TimeTab, ApiError> {
    let (priced, candles, ()) = tokio::join!(
        priced(state, code, markets, caller),
        candle_rows(state, code, period, until),
        note_opened(state, code, caller),
    );
    let (priced, is_liked) = priced?;
    Ok(TimeTab {
        item: if is_liked {
            liked(&priced)
        } else {
            priced.item.clone()
        },
        candles: candles?,
    })
}

/// A chart of `code`.
pub(super) async fn chart(
    state: &Gateway,
    code: &Code,
    period: CandleType,
    until: Option<Until>,
) -> Result<Chart, ApiError> {
    Ok(Chart {
        isu_srt_cd: code.as_str().to_owned(),
        candle_type: period,
        candles: candle_rows(state, code, period, until).await?,
    })
}

/// The item `code`, if it is of one of `markets`, and whether the caller likes it.
async fn priced(
    state: &Gateway,
    code: &Code,
    markets: &[MarketCode],
    caller: Option<&Caller>,
) -> Result<(Arc<Priced>, bool), ApiError> {
    let member = caller.map(|caller| caller.member_id);
    let Quoted { priced, is_liked } = state.shared.quote(code.as_str(), member).await?;
    if !markets.contains(&priced.item.market_code) {
        return Err(Reason::InstrumentNotFound.into());
    }
    let is_liked = match is_liked {
        Some(is_liked) => is_liked,
        None => priced.item.is_in(Liked::of(state, caller).await.as_ref()),
    };
    Ok((priced, is_liked))
}

fn liked(priced: &Priced) -> Item {
    let mut item = priced.item.clone();
    item.mark_liked();
    item
}

async fn candle_rows(
    state: &Gateway,
    code: &Code,
    period: CandleType,
    until: Option<Until>,
) -> Result<Vec<Candle>, ApiError> {
    let request = market::GetCandlesRequest {
        code: code.as_str().to_owned(),
        period: period.to_proto().into(),
        before_us: until.map_or(0, |until| proto::convert::micros(until.0)),
    };
    let answer = state
        .market
        .read(async |mut market| market.get_candles(request.clone()).await)
        .await?;
    Ok(candles(answer, period)?)
}

/// Feeds the popular lists; that it fails is nothing a member should notice.
pub(super) async fn note_opened(state: &Gateway, code: &Code, caller: Option<&Caller>) {
    let Some(caller) = caller else {
        return;
    };
    let request = market::NoteItemOpenedRequest {
        member_id: caller.member_id.0,
        code: code.as_str().to_owned(),
    };
    let noting = state
        .market
        .act(async |mut market| market.note_item_opened(request).await);
    if !matches!(tokio::time::timeout(NOTING_LIMIT, noting).await, Ok(Ok(_))) {
        tracing::debug!("an opened item was not noted");
    }
}

pub(super) fn to_proto(markets: &[MarketCode]) -> Vec<i32> {
    markets
        .iter()
        .map(|market| market.to_proto().into())
        .collect()
}

/// An optional parameter that may also be sent empty.
pub(super) fn empty_is_absent<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let text = String::deserialize(deserializer)?;
    if text.is_empty() {
        return Ok(None);
    }
    T::deserialize(text.into_deserializer()).map(Some)
}

/// An optional field of a body that may also be null or empty.
pub(super) fn blank_is_absent<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    match Option::<String>::deserialize(deserializer)? {
        Some(text) if !text.is_empty() => T::deserialize(text.into_deserializer()).map(Some),
        _ => Ok(None),
    }
}
