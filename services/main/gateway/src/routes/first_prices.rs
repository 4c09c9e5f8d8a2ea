//! The prices that a screen shows first. Its page brings them along, as they are for nobody in
//! particular: a phone on a slow line has them seconds before its program could ask.

use actix_web::web::Bytes;
use serde::Serialize;

use super::lookup::{self, COINS, COMMODITIES, ListQuery, STOCKS_AND_ETFS};
use super::shape::words::{Code, MarketCode};
use super::stock;
use crate::state::Gateway;

/// The call that the screen at `path` makes first, its answer, and when that was, in milliseconds of
/// Unix time, as JSON; nothing where a screen asks for no prices or they are away.
pub(crate) async fn of(state: &Gateway, path: &str) -> Option<String> {
    let (read, answer) = answered(state, path).await?;
    let at_ms = state.clock.now().timestamp_millis();
    let answer = std::str::from_utf8(&answer).ok()?;
    // No call has a letter that JSON would write in another way.
    Some(format!(
        r#"{{"at":{at_ms},"read":"{read}","answer":{answer}}}"#
    ))
}

async fn answered(state: &Gateway, path: &str) -> Option<(String, Bytes)> {
    let path = path.strip_suffix('/').unwrap_or(path);
    match path.strip_prefix("/invest-v2/").unwrap_or(path) {
        "" | "stock" => {
            let items = stock::popular(state, None).await.ok()?;
            Some(("/api/v1/stock/popular/member/0".to_owned(), json(&items)?))
        }
        "coin" => {
            let items = lookup::popular(state, &COINS, None).await.ok()?;
            Some(("/api/v1/coin/popular/member/0".to_owned(), json(&items)?))
        }
        "gold" => {
            let list = lookup::list(
                state,
                ListQuery::first_of(MarketCode::Gold),
                &COMMODITIES,
                &COMMODITIES,
                None,
            );
            let read = "/api/v1/commodity/list?marketCode=GOLD&sort=value&page=1";
            Some((read.to_owned(), json(&list.await.ok()?)?))
        }
        detail => {
            let (kind, code) = detail.split_once('/')?;
            let (route, markets): (_, &[MarketCode]) = match kind {
                "stock" | "stock-etf" => ("stock", &STOCKS_AND_ETFS),
                "coin" => ("coin", &COINS),
                "gold" => ("commodity", &COMMODITIES),
                _ => return None,
            };
            let code = Code::try_from(code.to_owned()).ok()?;
            let item = lookup::shared_item(state, &code, markets).await.ok()?;
            Some((format!("/api/v1/{route}/real/code/{}", code.as_str()), item))
        }
    }
}

fn json(answer: &impl Serialize) -> Option<Bytes> {
    serde_json::to_vec(answer).ok().map(Bytes::from)
}
