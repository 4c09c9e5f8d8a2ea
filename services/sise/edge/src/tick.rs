//! The JSON of a tick.

use chrono::{DateTime, Utc};
use kernel::MarketCode;
use kernel::clock::KST;
use proto::convert::{InvalidField, scaled, to_instant};
use proto::market::v1::{Interruption, SessionState, Tick};
use rust_decimal::{Decimal, RoundingStrategy};

use crate::json::Object;

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
    let price = |units: i64, field| scaled(units, tick.price_scale, field);
    let volume = |units: i64, field| scaled(units, tick.volume_scale, field);
    let last = price(tick.price_units, "price_units")?;
    if last <= Decimal::ZERO {
        return Err(InvalidField("price_units"));
    }
    let prev_close = price(tick.prev_close_units, "prev_close_units")?;
    let at: DateTime<Utc> = to_instant(tick.event_time_us, "event_time_us")?;
    let at = at.with_timezone(&KST);
    let currency = tick.currency().to_kernel()?;
    let side = |units: i64, field| -> Result<Option<Decimal>, InvalidField> {
        (units > 0).then(|| price(units, field)).transpose()
    };
    let traded = |units: i64, field| -> Result<Option<Decimal>, InvalidField> {
        tick.has_volume.then(|| volume(units, field)).transpose()
    };
    let fx_rate = (tick.fx_rate_e4 > 0).then(|| Decimal::new(tick.fx_rate_e4, 4));
    Ok(Object::new()
        .text("isu_srt_cd", &tick.code)
        .text("isu_kor_nm", korean_name)
        .text("market_code", market.as_str())
        .text("trd_dd", &at.format("%Y%m%d").to_string())
        .text("trd_tm", &at.format("%H%M%S").to_string())
        .decimal("trd_prc", last)
        .decimal("prev_dd_prc", prev_close)
        .decimal("opn_prc", price(tick.open_units, "open_units")?)
        .decimal("hg_prc", price(tick.high_units, "high_units")?)
        .decimal("lw_prc", price(tick.low_units, "low_units")?)
        .plain("tick_seq", tick.tick_seq)
        .decimal_or_null("chg_rt", change_percent(last, prev_close))
        .decimal_or_null(
            "acc_vol",
            traded(tick.acc_volume_units, "acc_volume_units")?,
        )
        .decimal_or_null("trd_vol", traded(tick.volume_units, "volume_units")?)
        .decimal_or_null("bid_prc", side(tick.bid_units, "bid_units")?)
        .decimal_or_null("ask_prc", side(tick.ask_units, "ask_units")?)
        .text("currency", currency.as_str())
        .decimal_or_null("fx_rt", fx_rate)
        .text("session", session_name(session))
        .text_or_null("vi", interruption_name(tick, session))
        .end())
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

/// The reason of a volatility interruption; empty otherwise.
fn interruption_name(tick: &Tick, session: SessionState) -> &'static str {
    match tick.interruption() {
        Interruption::Static if session == SessionState::Auction => "STATIC",
        Interruption::Dynamic if session == SessionState::Auction => "DYNAMIC",
        Interruption::Unspecified | Interruption::Static | Interruption::Dynamic => "",
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
