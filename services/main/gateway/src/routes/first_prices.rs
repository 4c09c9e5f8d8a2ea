//! The prices that a screen shows first. Its page brings them along, as they are for nobody in
//! particular: a phone on a slow line has them seconds before its program could ask.

use std::sync::Arc;

use actix_web::web::{Bytes, Data};
use serde::Serialize;

use super::lookup::{self, COINS, COMMODITIES, ListQuery, STOCKS_AND_ETFS};
use super::shape::words::{Code, MarketCode};
use super::stock;
use crate::state::Gateway;

/// The call that a screen makes first, its answer, and when that was, in milliseconds of Unix time,
/// as JSON; nothing where the prices are away.
pub(crate) type Brought = Option<Arc<str>>;

/// What the page of the screen at `path` brings along; nothing where a screen asks for no prices.
/// No limit counts pages, so market-data is asked once a second for all of them.
pub(crate) async fn of(state: &Data<Gateway>, path: &str) -> Brought {
    let first = First::of(path)?;
    let read = first.read();
    let asking = brought(Data::clone(state), first, read.clone());
    state.first_prices.get(&read, asking).await?
}

/// What a screen shows first.
enum First {
    PopularStocks,
    PopularCoins,
    Gold,
    Detail(&'static str, &'static [MarketCode], Code),
}

impl First {
    fn of(path: &str) -> Option<Self> {
        let path = path.strip_suffix('/').unwrap_or(path);
        Some(match path.strip_prefix("/invest-v2/").unwrap_or(path) {
            "" | "stock" => Self::PopularStocks,
            "coin" => Self::PopularCoins,
            "gold" => Self::Gold,
            detail => {
                let (kind, code) = detail.split_once('/')?;
                let (route, markets): (_, &[MarketCode]) = match kind {
                    "stock" | "stock-etf" => ("stock", &STOCKS_AND_ETFS),
                    "coin" => ("coin", &COINS),
                    "gold" => ("commodity", &COMMODITIES),
                    _ => return None,
                };
                Self::Detail(route, markets, Code::try_from(code.to_owned()).ok()?)
            }
        })
    }

    /// The call.
    fn read(&self) -> String {
        match self {
            Self::PopularStocks => "/api/v1/stock/popular/member/0".to_owned(),
            Self::PopularCoins => "/api/v1/coin/popular/member/0".to_owned(),
            Self::Gold => "/api/v1/commodity/list?marketCode=GOLD&sort=value&page=1".to_owned(),
            Self::Detail(route, _, code) => format!("/api/v1/{route}/real/code/{}", code.as_str()),
        }
    }

    async fn answer(&self, state: &Gateway) -> Option<Bytes> {
        match self {
            Self::PopularStocks => json(&stock::popular(state, None).await.ok()?),
            Self::PopularCoins => json(&lookup::popular(state, &COINS, None).await.ok()?),
            Self::Gold => {
                let query = ListQuery::first_of(MarketCode::Gold);
                let list = lookup::list(state, query, &COMMODITIES, &COMMODITIES, None);
                json(&list.await.ok()?)
            }
            Self::Detail(_, markets, code) => lookup::shared_item(state, code, markets).await.ok(),
        }
    }
}

async fn brought(state: Data<Gateway>, first: First, read: String) -> Brought {
    let answer = first.answer(&state).await?;
    let at_ms = state.clock.now().timestamp_millis();
    let answer = std::str::from_utf8(&answer).ok()?;
    // No call has a letter that JSON would write in another way.
    let brought = format!(r#"{{"at":{at_ms},"read":"{read}","answer":{answer}}}"#);
    Some(brought.into())
}

fn json(answer: &impl Serialize) -> Option<Bytes> {
    serde_json::to_vec(answer).ok().map(Bytes::from)
}
