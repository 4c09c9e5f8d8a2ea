//! The master record of an instrument, with its tick table.

use market_rules::{TickClass, TickTable};
use proto::convert::InvalidField;
use proto::market::v1 as market;
use rust_decimal::Decimal;
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::item::{non_empty, unit};
use crate::wire::market::{Currency, MarketCode};
use crate::wire::number::Exact;
use crate::wire::tick_band::TickBand;

/// The master record of an instrument.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Master {
    /// Code.
    isu_srt_cd: String,
    /// Korean name.
    isu_kor_nm: String,
    /// English name; may be empty.
    isu_eng_nm: String,
    market_code: MarketCode,
    ex_change_code: String,
    isin: Option<String>,
    currency: Currency,
    sector_code: Option<String>,
    sector_name: Option<String>,
    /// Investment warning, 00 to 03.
    warn_code: String,
    halted: bool,
    /// Under administration of the exchange.
    administrative: bool,
    tradable: bool,
    /// yyyymmdd.
    list_date: Option<String>,
    listed_shares: Option<Exact>,
    /// In the instrument's currency.
    market_cap: Option<Exact>,
    /// Leverage of an ETF, may be negative; 1 for everything else.
    leverage: i32,
    unit: String,
    tick_table: Vec<TickBand>,
}

impl TryFrom<market::Instrument> for Master {
    type Error = InvalidField;

    fn try_from(instrument: market::Instrument) -> Result<Self, InvalidField> {
        let market_code = MarketCode::from(instrument.market().to_kernel()?);
        let class = TickClass::parse(&instrument.tick_class).ok_or(InvalidField("tick_class"))?;
        let ticks = TickTable::for_class(class, &instrument.code);
        let band = |band: &market_rules::tick::TickBand| TickBand {
            from: Exact(band.from),
            tick: Exact(band.tick),
        };
        Ok(Self {
            currency: instrument.currency().to_kernel()?.into(),
            tick_table: ticks.bands().iter().map(band).collect(),
            market_code,
            isu_srt_cd: instrument.code,
            isu_kor_nm: instrument.korean_name,
            isu_eng_nm: instrument.english_name,
            ex_change_code: instrument.exchange,
            isin: non_empty(instrument.isin),
            sector_code: non_empty(instrument.sector_code),
            sector_name: non_empty(instrument.sector_name),
            warn_code: instrument.warning_code,
            halted: instrument.halted,
            administrative: instrument.administrative,
            tradable: instrument.tradable,
            list_date: non_empty(instrument.listed_on),
            listed_shares: known(instrument.listed_shares),
            market_cap: known(instrument.market_cap),
            leverage: instrument.leverage,
            unit: unit(market_code, instrument.unit),
        })
    }
}

/// `None` for 0, which stands for unknown.
fn known(count: i64) -> Option<Exact> {
    Some(count)
        .filter(|count| *count != 0)
        .map(|count| Exact(Decimal::from(count)))
}
