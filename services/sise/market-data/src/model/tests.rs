//! Acceptance tests of the price model: statistics and invariants.

use std::sync::Arc;

use chrono::NaiveDate;
use kernel::{Currency, MarketCode, Price, WarningCode};
use market_rules::{Calendar, TickClass, TickTable};
use rust_decimal::Decimal;
use rust_decimal_macros::dec;

use super::day::{InstrumentDay, ModelCandle, Trade};
use super::session::MarketHours;
use super::simulation::{MarketParameters, Simulation};
use crate::catalogue::{Catalogue, Dynamics, ForeignCurrency, Instrument};

fn instrument(code: &str, market: MarketCode, class: TickClass, base: Decimal) -> Instrument {
    Instrument {
        code: code.to_owned(),
        korean_name: code.to_owned(),
        english_name: String::new(),
        aliases: Vec::new(),
        market,
        exchange: "TEST".to_owned(),
        currency: match market {
            MarketCode::Global => Currency::Usd,
            MarketCode::Kospi
            | MarketCode::Kosdaq
            | MarketCode::Coin
            | MarketCode::Gold
            | MarketCode::Etf => Currency::Krw,
        },
        tick_table: TickTable::for_class(class, code),
        leverage: 1,
        warning: WarningCode::None,
        halted: false,
        administrative: false,
        tradable: true,
        isin: None,
        sector_code: None,
        sector_name: None,
        listed_on: None,
        listed_shares: None,
        market_cap: None,
        unit: "주".to_owned(),
        base_price: Price(base),
        dynamics: Dynamics {
            daily_volatility: dec!(0.02),
            beta: Decimal::ONE,
            average_daily_volume: Some(dec!(1000000)),
            average_daily_value_won: None,
            size_class: Some("LARGE".to_owned()),
            underlying: None,
            asset_kind: None,
        },
    }
}

fn catalogue() -> Catalogue {
    let mut large = instrument(
        "005930",
        MarketCode::Kospi,
        TickClass::KrxStock,
        dec!(259000),
    );
    large.dynamics.daily_volatility = dec!(0.0213);
    large.dynamics.beta = dec!(1.2);
    let mut growth = instrument(
        "247540",
        MarketCode::Kosdaq,
        TickClass::KrxStock,
        dec!(105900),
    );
    growth.dynamics.daily_volatility = dec!(0.032);
    growth.dynamics.beta = dec!(0.9);
    let mut penny = instrument(
        "900110",
        MarketCode::Kosdaq,
        TickClass::KrxStock,
        dec!(1916),
    );
    penny.dynamics.daily_volatility = dec!(0.054);
    penny.dynamics.average_daily_volume = Some(dec!(5135));
    let mut apple = instrument("AAPL", MarketCode::Global, TickClass::UsStock, dec!(309.35));
    apple.dynamics.daily_volatility = dec!(0.018);
    apple.dynamics.beta = dec!(1.2);
    let mut bitcoin = instrument(
        "KRW-BTC",
        MarketCode::Coin,
        TickClass::UpbitKrw,
        dec!(148601000),
    );
    bitcoin.dynamics.daily_volatility = dec!(0.024);
    bitcoin.dynamics.average_daily_volume = None;
    bitcoin.dynamics.average_daily_value_won = Some(dec!(200000000000));
    let mut alt = instrument(
        "KRW-BTT",
        MarketCode::Coin,
        TickClass::UpbitKrw,
        dec!(0.00089),
    );
    alt.dynamics.daily_volatility = dec!(0.045);
    alt.dynamics.beta = dec!(1.2);
    alt.dynamics.average_daily_volume = None;
    alt.dynamics.average_daily_value_won = Some(dec!(4424778761));
    let mut stable = instrument(
        "KRW-USDT",
        MarketCode::Coin,
        TickClass::UpbitKrw,
        dec!(1475),
    );
    stable.dynamics.daily_volatility = dec!(0.0015);
    stable.dynamics.beta = Decimal::ZERO;
    let gold = instrument(
        "04020000",
        MarketCode::Gold,
        TickClass::KrxGold,
        dec!(187500),
    );
    let fund = |code: &str, underlying: &str, kind: &str, leverage, base| {
        let mut fund = instrument(code, MarketCode::Etf, TickClass::KrxEtf, base);
        fund.leverage = leverage;
        fund.dynamics.underlying = Some(underlying.to_owned());
        fund.dynamics.asset_kind = Some(kind.to_owned());
        fund.dynamics.daily_volatility = dec!(0.0125) * Decimal::from(leverage.abs());
        fund
    };
    let instruments = vec![
        large,
        growth,
        penny,
        apple,
        bitcoin,
        alt,
        stable,
        gold,
        fund("069500", "KOSPI200", "EQ_KR", 1, dec!(108140)),
        fund("122630", "KOSPI200", "EQ_KR_LEV", 2, dec!(118065)),
        fund("252670", "KOSPI200", "EQ_KR_INV", -2, dec!(101)),
        fund("0193W0", "STOCK:005930", "SINGLE_LEV", 2, dec!(13550)),
        fund("411060", "KRX_GOLD", "GOLD", 1, dec!(26635)),
        fund("360750", "SP500", "EQ_US", 1, dec!(27370)),
    ];
    let dollar = ForeignCurrency {
        unit: "USD".to_owned(),
        korean_name: "미국 달러".to_owned(),
        base_rate: dec!(1470),
        daily_volatility: dec!(0.0045),
    };
    Catalogue::new(instruments, Vec::new(), vec![dollar])
}

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn simulation(seed: &[u8], hours: MarketHours, from: &str, live: &str, until: &str) -> Simulation {
    let parameters = MarketParameters {
        seed: seed.to_vec(),
        hours,
        history_from: day(from),
        first_live_day: day(live),
        trades_per_second: 8.0,
        ordered: Arc::default(),
    };
    let calendar = Arc::new(Calendar::embedded().unwrap());
    Simulation::new(parameters, calendar, &catalogue(), day(until))
}

/// A market of seven exchange years and some practice days.
fn exchange_and_practice_market(seed: &[u8]) -> Simulation {
    let hours = MarketHours::Practice {
        from: day("2026-11-21"),
    };
    simulation(seed, hours, "2019-11-21", "2026-11-21", "2026-11-25")
}

fn days_of(market: &Simulation, code: &str, until: &str) -> Vec<InstrumentDay> {
    let mut specs = market.specs().iter();
    let spec = specs.find(|spec| spec.instrument.code == code).unwrap();
    let mut days = Vec::new();
    market.walk(spec, day(until), |day| days.push(day));
    days
}

struct Statistics {
    days: usize,
    deviation: f64,
    range: f64,
    kurtosis: f64,
    autocorrelation: f64,
}

fn statistics(code: &str, seeds: u64) -> Statistics {
    let (mut returns, mut ranges, mut products) = (Vec::new(), Vec::new(), 0.0);
    for seed in 0..seeds {
        let market = exchange_and_practice_market(&seed.to_be_bytes());
        let days = days_of(&market, code, "2026-11-20");
        let candles: Vec<ModelCandle> = days
            .iter()
            .map(|day| day.candle(market.factors()))
            .collect();
        let moves: Vec<f64> = candles
            .windows(2)
            .map(|pair| (pair[1].close_units as f64 / pair[0].close_units as f64).ln())
            .collect();
        products += moves.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>();
        ranges.extend(
            candles
                .iter()
                .map(|c| (c.high_units as f64 / c.low_units as f64).ln()),
        );
        returns.extend(moves);
    }
    let count = returns.len() as f64;
    let mean = returns.iter().sum::<f64>() / count;
    let central = |power| returns.iter().map(|r| (r - mean).powi(power)).sum::<f64>() / count;
    let deviation = central(2).sqrt();
    Statistics {
        days: returns.len(),
        deviation,
        range: ranges.iter().sum::<f64>() / ranges.len() as f64 / deviation,
        kurtosis: central(4) / central(2).powi(2),
        autocorrelation: products / count / central(2),
    }
}

fn assert_statistics(code: &str, target: f64, ranges: std::ops::RangeInclusive<f64>) {
    let found = statistics(code, 8);
    let told = format!(
        "{code}: {} days, deviation {:.4} of {target}, range {:.2}, kurtosis {:.1}, ac1 {:.3}",
        found.days, found.deviation, found.range, found.kurtosis, found.autocorrelation
    );
    assert!(found.days >= 2_000, "{told}");
    assert!((found.deviation / target - 1.0).abs() < 0.15, "{told}");
    assert!(ranges.contains(&found.range), "{told}");
    assert!((3.5..=12.0).contains(&found.kurtosis), "{told}");
    assert!(found.autocorrelation.abs() < 0.06, "{told}");
    println!("{told}");
}

#[test]
fn a_large_korean_share_moves_as_real_ones() {
    assert_statistics("005930", 0.0213, 1.0..=1.3);
}

#[test]
fn a_kosdaq_share_moves_as_real_ones() {
    assert_statistics("247540", 0.032, 1.0..=1.3);
}

#[test]
fn a_us_share_moves_as_real_ones() {
    assert_statistics("AAPL", 0.018, 1.0..=1.3);
}

#[test]
fn coins_move_as_real_ones() {
    assert_statistics("KRW-BTC", 0.024, 1.3..=1.6);
    assert_statistics("KRW-BTT", 0.045, 1.3..=1.6);
}

#[test]
fn history_ends_at_the_price_of_the_seed() {
    let market = exchange_and_practice_market(b"end");
    for spec in market.specs() {
        let mut last = None;
        market.walk(spec, day("2026-11-20"), |day| last = Some(day.close_units));
        assert_eq!(last, Some(spec.base_units), "{}", spec.instrument.code);
    }
}

#[test]
fn a_fund_returns_its_multiple_less_the_fee_every_day() {
    let market = exchange_and_practice_market(b"fund");
    for (code, leverage) in [
        ("122630", 2.0),
        ("252670", -2.0),
        ("0193W0", 2.0),
        ("069500", 1.0),
    ] {
        let fee = if leverage == 1.0 { 0.0015 } else { 0.0064 } / 252.0;
        for day in days_of(&market, code, "2026-11-25") {
            let followed = day.path.underlying().unwrap();
            let expected = leverage * followed.simple_return() - fee;
            let found = day.path.simple_return();
            assert!((found - expected).abs() < 1e-9, "{code} {found} {expected}");
        }
    }
    let own = days_of(&market, "005930", "2026-11-25");
    let fund = days_of(&market, "0193W0", "2026-11-25");
    for (share, fund) in own.iter().zip(&fund) {
        let followed = fund.path.underlying().unwrap();
        let difference = share.path.simple_return() - followed.simple_return();
        assert!(difference.abs() < 1e-9, "{:?}", share.path.session.day);
    }
}

fn trades(market: &Simulation, code: &str, which: usize) -> (InstrumentDay, Vec<Trade>) {
    let days = days_of(market, code, "2026-11-25");
    let day = days[days.len() - 1 - which].clone();
    let drawn = day.clone().draw(market.factors());
    let mut trades = Vec::new();
    for minute in 0..day.path.session.minutes() {
        drawn.for_each_trade(minute, |trade| trades.push(trade));
    }
    trades.extend(drawn.auction_trade());
    (day, trades)
}

#[test]
fn every_trade_is_on_a_tick_inside_the_limits_and_the_day_adds_up() {
    let market = exchange_and_practice_market(b"trades");
    for spec in market.specs() {
        for which in [0, 8] {
            let code = &spec.instrument.code;
            let (day, trades) = trades(&market, code, which);
            let table = &spec.instrument.tick_table;
            let session = day.path.session;
            let price = |units: i64| {
                Price(Decimal::from_i128_with_scale(
                    i128::from(units),
                    spec.grid.scale(),
                ))
            };
            for trade in &trades {
                for units in [trade.price_units, trade.bid_units, trade.ask_units] {
                    assert!(
                        units == 0 || table.is_on_tick(price(units)),
                        "{code} {trade:?}"
                    );
                }
                let allowed = day.upper_units == 0
                    || (day.lower_units..=day.upper_units).contains(&trade.price_units);
                assert!(allowed, "{code} {trade:?}");
                assert!(trade.volume_units > 0, "{code} {trade:?}");
                let when = session.open_us..session.close_us;
                assert!(when.contains(&trade.event_time_us), "{code} {trade:?}");
            }
            for pair in trades.windows(2) {
                assert!(
                    pair[0].event_time_us < pair[1].event_time_us,
                    "{code} {pair:?}"
                );
            }
            let volume: i64 = trades.iter().map(|trade| trade.volume_units).sum();
            assert_eq!(volume, day.volume_units, "{code} {}", session.day);
            assert_eq!(
                trades.last().unwrap().price_units,
                day.close_units,
                "{code}"
            );
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_trades_also_from_the_middle_of_a_day() {
    let (_, first) = trades(&exchange_and_practice_market(b"same"), "005930", 0);
    let again = exchange_and_practice_market(b"same");
    let days = days_of(&again, "005930", "2026-11-25");
    let drawn = days.last().unwrap().clone().draw(again.factors());
    let mut from_noon = Vec::new();
    for minute in 720..1440 {
        drawn.for_each_trade(minute, |trade| from_noon.push(trade));
    }
    assert!(!from_noon.is_empty());
    assert_eq!(first[first.len() - from_noon.len()..], from_noon);
    let (_, other) = trades(&exchange_and_practice_market(b"other"), "005930", 0);
    assert_ne!(first, other);
}

#[test]
fn cached_minutes_change_nothing() {
    let market = exchange_and_practice_market(b"kept");
    let draw = |market: &Simulation| {
        let days = days_of(market, "411060", "2026-11-20");
        let drawn = days.last().unwrap().clone().draw(market.factors());
        (0..380)
            .map(|minute| drawn.minute_candle(minute))
            .collect::<Vec<_>>()
    };
    let before = draw(&market);
    let session = market
        .session(market_rules::Venue::Krx, day("2026-11-20"))
        .unwrap();
    market
        .factors()
        .cache_minutes(session.open_us, session.close_us);
    assert_eq!(before, draw(&market));
}

#[test]
fn a_practice_day_begins_where_the_last_one_ended() {
    let market = exchange_and_practice_market(b"practice");
    let days = days_of(&market, "005930", "2026-11-25");
    for pair in days.windows(2) {
        assert_eq!(pair[0].close_units, pair[1].base_units);
    }
    let practice: Vec<_> = days
        .iter()
        .filter(|d| d.path.session.minutes() == 1440)
        .collect();
    assert_eq!(practice.len(), 5);
    for day in practice {
        let open = day.candle(market.factors()).open_units;
        assert_eq!(open, day.base_units, "nothing sleeps, so nothing gaps");
    }
}

#[test]
fn the_dollar_and_stable_coins_stay_together() {
    let market = exchange_and_practice_market(b"stable");
    let days = days_of(&market, "KRW-USDT", "2026-11-25");
    for day in &days {
        let rate = market.won_per_dollar_e4(day.path.session.end_us) as f64 / 10_000.0;
        let coin = day.path.after.exp();
        assert!((coin / rate - 1.0).abs() < 0.02, "{coin} {rate}");
    }
}
