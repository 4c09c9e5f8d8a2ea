//! The JSON of a tick.

use chrono::{DateTime, Utc};
use kernel::clock::KST;
use kernel::{ExactNumber, MarketCode};
use proto::convert::{InvalidField, scaled, to_instant};
use proto::market::v1::{Interruption, SessionState, Tick};
use rust_decimal::{Decimal, RoundingStrategy};
use serde::Serialize;

use crate::json;

/// A tick as clients get it.
#[derive(Serialize)]
struct TickJson<'a> {
    isu_srt_cd: &'a str,
    isu_kor_nm: &'a str,
    market_code: &'a str,
    trd_dd: String,
    trd_tm: String,
    trd_prc: ExactNumber,
    prev_dd_prc: ExactNumber,
    opn_prc: ExactNumber,
    hg_prc: ExactNumber,
    lw_prc: ExactNumber,
    tick_seq: i64,
    chg_rt: Option<ExactNumber>,
    acc_vol: Option<ExactNumber>,
    trd_vol: Option<ExactNumber>,
    bid_prc: Option<ExactNumber>,
    ask_prc: Option<ExactNumber>,
    currency: &'a str,
    fx_rt: Option<ExactNumber>,
    session: &'a str,
    vi: Option<&'a str>,
}

/// `session` replaces the state in the tick: the venue may have changed since.
///
/// # Errors
/// [`InvalidField`] when a field is out of range. Such a tick is not sent.
pub fn to_json(
    tick: &Tick,
    market: MarketCode,
    korean_name: &str,
    session: SessionState,
) -> Result<String, InvalidField> {
    let price = |units: i64, field| scaled(units, tick.price_scale, field).map(ExactNumber);
    let volume = |units: i64, field| scaled(units, tick.volume_scale, field).map(ExactNumber);
    let last = price(tick.price_units, "price_units")?;
    if last.0 <= Decimal::ZERO {
        return Err(InvalidField("price_units"));
    }
    let prev_close = price(tick.prev_close_units, "prev_close_units")?;
    let at: DateTime<Utc> = to_instant(tick.event_time_us, "event_time_us")?;
    let at = at.with_timezone(&KST);
    let side = |units: i64, field| (units > 0).then(|| price(units, field)).transpose();
    let traded = |units: i64, field| tick.has_volume.then(|| volume(units, field)).transpose();
    Ok(json::text(&TickJson {
        isu_srt_cd: &tick.code,
        isu_kor_nm: korean_name,
        market_code: market.as_str(),
        trd_dd: at.format("%Y%m%d").to_string(),
        trd_tm: at.format("%H%M%S").to_string(),
        trd_prc: last,
        prev_dd_prc: prev_close,
        opn_prc: price(tick.open_units, "open_units")?,
        hg_prc: price(tick.high_units, "high_units")?,
        lw_prc: price(tick.low_units, "low_units")?,
        tick_seq: tick.tick_seq,
        chg_rt: change_percent(last.0, prev_close.0).map(ExactNumber),
        acc_vol: traded(tick.acc_volume_units, "acc_volume_units")?,
        trd_vol: traded(tick.volume_units, "volume_units")?,
        bid_prc: side(tick.bid_units, "bid_units")?,
        ask_prc: side(tick.ask_units, "ask_units")?,
        currency: tick.currency().to_kernel()?.as_str(),
        fx_rt: (tick.fx_rate_e4 > 0).then(|| ExactNumber(Decimal::new(tick.fx_rate_e4, 4))),
        session: session_name(session),
        vi: interruption_name(tick, session),
    }))
}

/// Percent with two decimals; `None` without a previous close.
fn change_percent(last: Decimal, prev_close: Decimal) -> Option<Decimal> {
    let ratio = last.checked_sub(prev_close)?.checked_div(prev_close)?;
    let percent = ratio.checked_mul(Decimal::ONE_HUNDRED)?;
    Some(percent.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero))
}

fn session_name(session: SessionState) -> &'static str {
    match session {
        SessionState::Unspecified | SessionState::Closed => "CLOSED",
        SessionState::Auction => "AUCTION",
        SessionState::Open => "OPEN",
        SessionState::Halted => "HALTED",
    }
}

/// The reason of a volatility interruption.
fn interruption_name(tick: &Tick, session: SessionState) -> Option<&'static str> {
    match tick.interruption() {
        Interruption::Static if session == SessionState::Auction => Some("STATIC"),
        Interruption::Dynamic if session == SessionState::Auction => Some("DYNAMIC"),
        Interruption::Unspecified | Interruption::Static | Interruption::Dynamic => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proto::common::v1::{Currency, Market};

    fn samsung() -> Tick {
        Tick {
            code: "005930".to_owned(),
            market: Market::Kospi.into(),
            tick_seq: 42,
            // 2026-11-21 00:03:05 UTC
            event_time_us: 1_795_219_385_000_000,
            trading_day: 20_261_121,
            price_scale: 0,
            price_units: 71_300,
            prev_close_units: 70_000,
            open_units: 70_100,
            high_units: 71_500,
            low_units: 70_000,
            bid_units: 71_200,
            ask_units: 71_300,
            volume_units: 15,
            acc_volume_units: 1_234_567,
            session: SessionState::Open.into(),
            has_volume: true,
            currency: Currency::Krw.into(),
            ..Tick::default()
        }
    }

    #[test]
    fn a_tick_has_the_names_of_the_spec() {
        let json = to_json(
            &samsung(),
            MarketCode::Kospi,
            "삼성전자",
            SessionState::Open,
        )
        .unwrap();
        let expected = concat!(
            r#"{"isu_srt_cd":"005930","isu_kor_nm":"삼성전자","market_code":"KOSPI","#,
            r#""trd_dd":"20261121","trd_tm":"090305","trd_prc":71300,"prev_dd_prc":70000,"#,
            r#""opn_prc":70100,"hg_prc":71500,"lw_prc":70000,"tick_seq":42,"chg_rt":1.86,"#,
            r#""acc_vol":1234567,"trd_vol":15,"bid_prc":71200,"ask_prc":71300,"#,
            r#""currency":"KRW","fx_rt":null,"session":"OPEN","vi":null}"#
        );
        assert_eq!(json, expected);
    }

    #[test]
    fn small_prices_and_dollars_stay_exact() {
        let tick = Tick {
            code: "AAPL".to_owned(),
            price_scale: 8,
            price_units: 12_345,
            prev_close_units: 0,
            bid_units: 0,
            has_volume: false,
            fx_rate_e4: 14_700_500,
            currency: Currency::Usd.into(),
            ..samsung()
        };
        let json = to_json(&tick, MarketCode::Global, "애플", SessionState::Closed).unwrap();
        for part in [
            r#""market_code":"stocks""#,
            r#""trd_prc":0.00012345,"#,
            r#""chg_rt":null,"acc_vol":null,"trd_vol":null,"bid_prc":null"#,
            r#""currency":"USD","fx_rt":1470.05,"session":"CLOSED""#,
        ] {
            assert!(json.contains(part), "{part} in {json}");
        }
    }

    #[test]
    fn invalid_prices_are_refused() {
        for broken in [
            Tick {
                price_units: 0,
                ..samsung()
            },
            Tick {
                price_units: -5,
                ..samsung()
            },
            Tick {
                price_scale: 40,
                ..samsung()
            },
            Tick {
                event_time_us: i64::MAX,
                ..samsung()
            },
            Tick {
                currency: 0,
                ..samsung()
            },
        ] {
            assert!(to_json(&broken, MarketCode::Kospi, "x", SessionState::Open).is_err());
        }
    }
}
