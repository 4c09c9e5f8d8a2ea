//! Charts of items, and the record that an item was opened.

use std::time::Duration;

use proto::market::v1 as market;

use super::items::{liked, quoted_item};
use crate::authentication::Caller;
use crate::error::ApiError;
use crate::state::AppState;
use crate::wire::candle::{Candle, CandleType, Chart, TimeTab, candles};
use crate::wire::code::Code;
use crate::wire::market::MarketCode;
use crate::wire::time::Until;

/// How long a response waits for the popular lists to be fed.
const RECORD_TIMEOUT: Duration = Duration::from_millis(100);

/// Counts as opening the item.
pub(in crate::routes) async fn time_tab(
    state: &AppState,
    code: &Code,
    markets: &[MarketCode],
    period: CandleType,
    until: Option<Until>,
    caller: Option<&Caller>,
) -> Result<TimeTab, ApiError> {
    let (quoted, candles, ()) = tokio::join!(
        quoted_item(state, code, markets, caller),
        candle_rows(state, code, period, until),
        record_opened(state, code, caller),
    );
    let (quoted, is_liked) = quoted?;
    Ok(TimeTab {
        item: if is_liked {
            liked(&quoted)
        } else {
            quoted.item.clone()
        },
        candles: candles?,
    })
}

pub(in crate::routes) async fn chart(
    state: &AppState,
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

async fn candle_rows(
    state: &AppState,
    code: &Code,
    period: CandleType,
    until: Option<Until>,
) -> Result<Vec<Candle>, ApiError> {
    let request = market::GetCandlesRequest {
        code: code.as_str().to_owned(),
        period: period.to_proto().into(),
        before_us: until.map_or(0, |until| proto::convert::micros(until.0)),
    };
    let response = state
        .market
        .call_idempotent(async |mut market| market.get_candles(request.clone()).await)
        .await?;
    Ok(candles(response, period)?)
}

/// Feeds the popular lists. A failure does not fail the request.
pub(in crate::routes) async fn record_opened(
    state: &AppState,
    code: &Code,
    caller: Option<&Caller>,
) {
    let Some(caller) = caller else {
        return;
    };
    let request = market::NoteItemOpenedRequest {
        member_id: caller.member_id.0,
        code: code.as_str().to_owned(),
    };
    let recording = state
        .market
        .call(async |mut market| market.note_item_opened(request).await);
    if !matches!(
        tokio::time::timeout(RECORD_TIMEOUT, recording).await,
        Ok(Ok(_))
    ) {
        tracing::debug!("cannot record an opened item");
    }
}
