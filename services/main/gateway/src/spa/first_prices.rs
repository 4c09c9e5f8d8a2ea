//! The prices that a screen shows first, to be inlined in its index page without anybody's likes: on a
//! slow line a phone has them seconds before its script could request them.

use std::sync::Arc;

use actix_web::web::{Bytes, Data};
use serde::Serialize;

use crate::routes::asset::{AssetKind, COIN, COMMODITY, STOCK, items};
use crate::routes::stock;
use crate::state::AppState;
use crate::wire::code::Code;
use crate::wire::market::MarketCode;

/// `{"at": Unix milliseconds, "read": URL, "answer": its response}` for the request that the screen
/// at `path` would make first; `None` when it makes none or prices are unavailable. Index pages are
/// not rate-limited, so market-data is called once a second for all of them.
pub(super) async fn first_prices(state: &Data<AppState>, path: &str) -> Option<Arc<str>> {
    let request = FirstRequest::of_screen(path)?;
    let url = request.url();
    let fetching = fetch(Data::clone(state), request, url.clone());
    state.first_prices.get(&url, fetching).await?
}

/// The first request of a screen.
enum FirstRequest {
    PopularStocks,
    PopularCoins,
    GoldList,
    Item(&'static AssetKind, Code),
}

impl FirstRequest {
    fn of_screen(path: &str) -> Option<Self> {
        let path = path.strip_suffix('/').unwrap_or(path);
        Some(match path.strip_prefix("/invest-v2/").unwrap_or(path) {
            "" | "stock" => Self::PopularStocks,
            "coin" => Self::PopularCoins,
            "gold" => Self::GoldList,
            detail => {
                let (tab, code) = detail.split_once('/')?;
                let kind = match tab {
                    "stock" | "stock-etf" => &STOCK,
                    "coin" => &COIN,
                    "gold" => &COMMODITY,
                    _ => return None,
                };
                Self::Item(kind, Code::try_from(code.to_owned()).ok()?)
            }
        })
    }

    fn url(&self) -> String {
        match self {
            Self::PopularStocks => "/api/v1/stock/popular/member/0".to_owned(),
            Self::PopularCoins => "/api/v1/coin/popular/member/0".to_owned(),
            Self::GoldList => "/api/v1/commodity/list?marketCode=GOLD&sort=value&page=1".to_owned(),
            Self::Item(kind, code) => {
                format!("/api/v1/{}/real/code/{}", kind.tag, code.as_str())
            }
        }
    }

    async fn response(&self, state: &AppState) -> Option<Bytes> {
        match self {
            Self::PopularStocks => json(&stock::popular(state, None).await.ok()?),
            Self::PopularCoins => json(&items::popular(state, COIN.markets, None).await.ok()?),
            Self::GoldList => {
                let query = items::ListQuery::first_page(MarketCode::Gold);
                json(&items::list(state, &COMMODITY, query, None).await.ok()?)
            }
            Self::Item(kind, code) => items::item_json(state, code, kind.markets).await.ok(),
        }
    }
}

async fn fetch(state: Data<AppState>, request: FirstRequest, url: String) -> Option<Arc<str>> {
    let response = request.response(&state).await?;
    let at_ms = state.clock.now().timestamp_millis();
    let response = std::str::from_utf8(&response).ok()?;
    // No URL has a character that JSON would escape.
    let inlined = format!(r#"{{"at":{at_ms},"read":"{url}","answer":{response}}}"#);
    Some(inlined.into())
}

fn json(response: &impl Serialize) -> Option<Bytes> {
    serde_json::to_vec(response).ok().map(Bytes::from)
}
