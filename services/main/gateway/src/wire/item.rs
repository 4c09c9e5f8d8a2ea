//! Instruments with their prices.

use proto::convert::{
    InvalidField, to_optional_decimal as optional, to_required_decimal as required,
};
use proto::market::v1 as market;
use rust_decimal::{Decimal, RoundingStrategy};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::likes::{Likeable, Likes};
use super::market::{Currency, MarketCode, MarketSession};
use super::number::Exact;
use super::rows::decode_rows;
use super::time::day_and_time;
use super::variants::{from_proto, to_proto};

/// Rows of one page of a list.
const PAGE_SIZE: i32 = 20;

/// An instrument with its latest price.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Item {
    /// Code.
    pub(crate) isu_srt_cd: String,
    /// Korean name.
    pub(crate) isu_kor_nm: String,
    /// English name; may be empty.
    pub(crate) isu_eng_nm: String,
    pub(crate) market_code: MarketCode,
    /// KRX, NAS, NYS, AMS, UPBIT, KRXGOLD, GLOBAL or REPLAY.
    ex_change_code: String,
    pub(crate) currency: Currency,
    /// Last price, in the instrument's currency.
    trd_prc: Exact,
    /// Close of the previous trading day.
    prev_dd_prc: Exact,
    /// Change since the previous close in percent, two decimals.
    fluc_rt: Exact,
    /// Change since the previous close.
    fluc_prc: Exact,
    opn_prc: Exact,
    hg_prc: Exact,
    lw_prc: Exact,
    /// Quantity traded today.
    acc_vol: Exact,
    /// Best bid; null when nobody bids.
    bid_prc: Option<Exact>,
    /// Best ask; null when nobody asks.
    ask_prc: Option<Exact>,
    /// Rises with every trade of the instrument.
    tick_seq: i64,
    /// Korean date of the last trade, yyyymmdd.
    trd_dd: String,
    /// Korean time of the last trade, HHmmss.
    trd_tm: String,
    session: MarketSession,
    /// Why a call auction of this item alone is on; null otherwise.
    vi: Option<Vi>,
    /// Won per dollar; null for instruments in won.
    fx_rt: Option<Exact>,
    /// Investment warning, 00 to 03.
    warn_code: String,
    halted: bool,
    tradable: bool,
    pub(crate) like: bool,
    /// What one unit of quantity is called: 주, 개, g, oz …
    unit: String,
    sector_code: Option<String>,
    sector_name: Option<String>,
    /// Lowest price of the day that may be ordered; null when there is no limit.
    lower_limit: Option<Exact>,
    /// Highest price of the day that may be ordered; null when there is no limit.
    upper_limit: Option<Exact>,
}

/// What an item is to a member: its kind among likes and searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum ItemKind {
    Stock,
    Etf,
    Coin,
    Gold,
    Product,
}

to_proto!(pub(crate) ItemKind => market::ItemKind { Stock, Etf, Coin, Gold, Product });

/// A volatility interruption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Vi {
    /// Too far from the last auction's price.
    Static,
    /// Too far from the trade before.
    Dynamic,
}

from_proto!(market::Interruption => Option<Vi> { Static, Dynamic });

impl Item {
    pub(crate) fn new(
        instrument: market::Instrument,
        quote: &market::Quote,
    ) -> Result<Self, InvalidField> {
        let price = required(quote.price.as_ref(), "price")?;
        let prev_close = required(quote.prev_close.as_ref(), "prev_close")?;
        let (trd_dd, trd_tm) = day_and_time(quote.event_time_us, "event_time_us")?;
        let session = MarketSession::from(quote.session());
        let market_code = MarketCode::from(instrument.market().to_kernel()?);
        Ok(Self {
            currency: instrument.currency().to_kernel()?.into(),
            trd_prc: Exact(price),
            prev_dd_prc: Exact(prev_close),
            fluc_rt: Exact(percent_change(price, prev_close)),
            fluc_prc: Exact(price - prev_close),
            opn_prc: Exact(required(quote.open.as_ref(), "open")?),
            hg_prc: Exact(required(quote.high.as_ref(), "high")?),
            lw_prc: Exact(required(quote.low.as_ref(), "low")?),
            acc_vol: Exact(
                optional(quote.acc_volume.as_ref(), "acc_volume")?.unwrap_or(Decimal::ZERO),
            ),
            bid_prc: optional(quote.bid.as_ref(), "bid")?.map(Exact),
            ask_prc: optional(quote.ask.as_ref(), "ask")?.map(Exact),
            tick_seq: quote.tick_seq,
            trd_dd,
            trd_tm,
            halted: instrument.halted || session == MarketSession::Halted,
            session,
            vi: Vi::from_proto(quote.interruption()),
            fx_rt: optional(quote.fx_rate.as_ref(), "fx_rate")?.map(Exact),
            warn_code: instrument.warning_code,
            tradable: instrument.tradable,
            like: false,
            unit: unit(market_code, instrument.unit),
            market_code,
            isu_srt_cd: instrument.code,
            isu_kor_nm: instrument.korean_name,
            isu_eng_nm: instrument.english_name,
            ex_change_code: instrument.exchange,
            sector_code: non_empty(instrument.sector_code),
            sector_name: non_empty(instrument.sector_name),
            lower_limit: optional(quote.lower_limit.as_ref(), "lower_limit")?.map(Exact),
            upper_limit: optional(quote.upper_limit.as_ref(), "upper_limit")?.map(Exact),
        })
    }
}

impl TryFrom<market::Item> for Item {
    type Error = InvalidField;

    fn try_from(item: market::Item) -> Result<Self, InvalidField> {
        let instrument = item.instrument.ok_or(InvalidField("instrument"))?;
        Self::new(instrument, &item.quote.ok_or(InvalidField("quote"))?)
    }
}

impl Likeable for Item {
    fn is_in(&self, likes: &Likes) -> bool {
        likes.has_code(&self.isu_srt_cd)
    }

    fn like(&mut self) -> &mut bool {
        &mut self.like
    }
}

/// One page of a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ItemList {
    pub(crate) items: Vec<Item>,
    /// From 1.
    page: i32,
    /// Rows of a full page.
    size: i32,
    /// Rows of all pages.
    total: i64,
    has_next: bool,
}

impl From<market::ItemPage> for ItemList {
    fn from(page: market::ItemPage) -> Self {
        Self {
            page: page.page,
            size: PAGE_SIZE,
            total: page.total,
            has_next: i64::from(page.page) * i64::from(PAGE_SIZE) < page.total,
            items: decode_rows(page.items),
        }
    }
}

/// From `before` to `now` with two decimals; 0 when `before` is 0.
pub(crate) fn percent_change(now: Decimal, before: Decimal) -> Decimal {
    (now - before)
        .checked_div(before)
        .and_then(|ratio| ratio.checked_mul(Decimal::ONE_HUNDRED))
        .unwrap_or(Decimal::ZERO)
        .round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero)
}

/// The name of one unit of quantity.
pub(crate) fn unit(market: MarketCode, unit: String) -> String {
    match market {
        MarketCode::Kospi | MarketCode::Kosdaq | MarketCode::Global | MarketCode::Etf => {
            "주".to_owned()
        }
        MarketCode::Coin => "개".to_owned(),
        MarketCode::Gold => unit,
    }
}

/// `None` for an empty text, which stands for an unknown one.
pub(crate) fn non_empty(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use rust_decimal_macros::dec;

    use super::*;

    #[test]
    fn changes_have_two_decimals_and_round_half_away_from_zero() {
        for (now, before, percent) in [
            (dec!(71300), dec!(70000), dec!(1.86)),
            (dec!(99.995), dec!(100), dec!(-0.01)),
            (dec!(1), dec!(0), dec!(0)),
            (dec!(100), dec!(100), dec!(0)),
        ] {
            assert_eq!(percent_change(now, before), percent);
        }
    }
}
