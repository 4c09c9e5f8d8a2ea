//! Instruments, prices, products and trends.

use proto::common::v1::{Currency, Market};
use proto::market::v1 as market;

use super::{INSTANT_US, decimal};

/// Gold or a coin when the code looks like one, else a stock.
/// A code that no market has.
pub(in crate::fakes) const NO_CODE: &str = "UNKNOWN";

pub(in crate::fakes) fn instrument(code: &str) -> market::Instrument {
    let coin = code.starts_with("KRW-");
    if code.starts_with("0402") {
        return market::Instrument {
            code: code.to_owned(),
            korean_name: "금 99.99_1Kg".to_owned(),
            market: Market::Gold.into(),
            exchange: "KRXGOLD".to_owned(),
            currency: Currency::Krw.into(),
            tick_class: "KRX_GOLD".to_owned(),
            leverage: 1,
            warning_code: "00".to_owned(),
            tradable: true,
            unit: "g".to_owned(),
            ..market::Instrument::default()
        };
    }
    market::Instrument {
        code: code.to_owned(),
        korean_name: if coin { "비트코인" } else { "삼성전자" }.to_owned(),
        english_name: if coin {
            "Bitcoin"
        } else {
            "SamsungElectronics"
        }
        .to_owned(),
        market: if coin { Market::Coin } else { Market::Kospi }.into(),
        exchange: if coin { "UPBIT" } else { "KRX" }.to_owned(),
        currency: Currency::Krw.into(),
        tick_class: if coin { "UPBIT_KRW" } else { "KRX_STOCK" }.to_owned(),
        leverage: 1,
        warning_code: "00".to_owned(),
        tradable: true,
        isin: "KR7005930003".to_owned(),
        sector_code: "0013".to_owned(),
        sector_name: "전기·전자".to_owned(),
        listed_on: "19750611".to_owned(),
        listed_shares: 5_846_278_000,
        ..market::Instrument::default()
    }
}

pub(in crate::fakes) fn item(code: &str) -> market::Item {
    market::Item {
        instrument: Some(instrument(code)),
        quote: Some(market::Quote {
            code: code.to_owned(),
            price: decimal("71300"),
            prev_close: decimal("70000"),
            open: decimal("70100"),
            high: decimal("71500"),
            low: decimal("69900"),
            bid: decimal("71200"),
            ask: None,
            acc_volume: decimal("1234567.00012345"),
            last_volume: decimal("10"),
            tick_seq: 42,
            event_time_us: INSTANT_US,
            trading_day: 20_261_121,
            session: market::SessionState::Open.into(),
            fx_rate: None,
            lower_limit: decimal("49000"),
            upper_limit: decimal("91000"),
            ..market::Quote::default()
        }),
    }
}

pub(in crate::fakes) fn candles() -> market::Candles {
    market::Candles {
        candles: vec![market::Candle {
            start_us: INSTANT_US,
            open: decimal("71000"),
            high: decimal("71300"),
            low: decimal("70900"),
            close: decimal("71300.5"),
            volume: decimal("350"),
            trading_day: 20_261_121,
        }],
        instrument: None,
    }
}

pub(in crate::fakes) fn outline() -> market::CompanyOutline {
    market::CompanyOutline {
        code: "005930".to_owned(),
        korean_name: "삼성전자".to_owned(),
        industry: "통신 및 방송 장비 제조업".to_owned(),
        established_on: "19690113".to_owned(),
        per: "15.2".to_owned(),
        listed_shares: 5_846_278_000,
        market_cap_eok: 15_141_861,
        ..market::CompanyOutline::default()
    }
}

pub(in crate::fakes) fn exchange_rates() -> market::ExchangeRates {
    market::ExchangeRates {
        rates: vec![market::ExchangeRate {
            unit: "USD".to_owned(),
            korean_name: "미국 달러".to_owned(),
            rate: decimal("1471.4700"),
            prev_close: decimal("1470"),
            as_of_us: INSTANT_US,
        }],
    }
}

pub(in crate::fakes) fn product(product_id: i64) -> market::Product {
    market::Product {
        product_id,
        name: "카카오뱅크 정기예금".to_owned(),
        kind: market::ProductKind::Deposit.into(),
        bank_code: "090".to_owned(),
        bank_name: "카카오뱅크".to_owned(),
        interest_type: market::InterestType::Simple.into(),
        term_months: 12,
        base_rate: decimal("3.3"),
        best_rate: decimal("3.30"),
        least_amount_won: 1_000_000,
        conditions: "우대조건 없음".to_owned(),
        disclosed_month: "202404".to_owned(),
        ..market::Product::default()
    }
}

pub(in crate::fakes) fn product_detail(product_id: i64) -> market::ProductDetail {
    market::ProductDetail {
        product: Some(product(product_id)),
        options: vec![market::ProductOption {
            term_months: 12,
            interest_type: market::InterestType::Simple.into(),
            base_rate: decimal("3.3"),
            ..market::ProductOption::default()
        }],
        deposit_insurance_won: 100_000_000,
        tax_rate: decimal("15.4"),
    }
}

pub(in crate::fakes) fn interest(amount_won: i64) -> market::InterestQuote {
    market::InterestQuote {
        principal_won: amount_won,
        interest_won: 330_000,
        tax_won: 50_820,
        after_tax_won: 279_180,
        payout_won: amount_won.saturating_add(279_180),
        applied_rate: decimal("3.3"),
        term_months: 12,
        interest_type: market::InterestType::Simple.into(),
        schedule: vec![market::InterestMonth {
            month: 1,
            paid_won: amount_won,
            interest_won: 27_500,
        }],
        ..market::InterestQuote::default()
    }
}

pub(in crate::fakes) fn product_trend() -> market::ProductTrend {
    market::ProductTrend {
        averages: vec![
            market::RateAverage {
                kind: market::ProductKind::Savings.into(),
                term_months: 12,
                average: decimal("3.41"),
                best: decimal("8"),
                count: 24,
            },
            market::RateAverage {
                kind: market::ProductKind::Deposit.into(),
                term_months: 12,
                average: decimal("2.9"),
                best: decimal("3.65"),
                count: 31,
            },
        ],
        movers: vec![market::RateMove {
            product: Some(product(28)),
            before: decimal("3.3"),
            after: decimal("3.55"),
        }],
        as_of_us: INSTANT_US,
    }
}

/// KOSPI of two days, and S&P 500 of one.
pub(in crate::fakes) fn index_closes() -> market::IndexCloses {
    let close = |day, value| market::IndexClose {
        day,
        value: decimal(value),
    };
    let history = |code: &str, name: &str, closes| market::IndexHistory {
        code: code.to_owned(),
        name: name.to_owned(),
        closes,
    };
    let kospi = vec![close(20_261_119, "4000"), close(20_261_121, "4050.5")];
    market::IndexCloses {
        indices: vec![
            history("0001", "코스피", kospi),
            history("SPX", "S&P 500", vec![close(20_261_121, "6700")]),
        ],
    }
}

pub(in crate::fakes) fn index(name: &str, value: &str, previous: &str) -> market::IndexValue {
    market::IndexValue {
        name: name.to_owned(),
        value: decimal(value),
        previous: decimal(previous),
        as_of_us: INSTANT_US,
        delayed: false,
    }
}

pub(in crate::fakes) fn trend() -> market::Trend {
    market::Trend {
        index: Some(index("코스피", "5800.13", "5781.2")),
        up: 2,
        flat: 1,
        down: 1,
        gainers: vec![item("005930")],
        sectors: vec![market::SectorRate {
            code: "0013".to_owned(),
            name: "전기·전자".to_owned(),
            rate: decimal("1.25"),
        }],
        as_of_us: INSTANT_US,
        ..market::Trend::default()
    }
}

/// The last of `codes` has not traded.
pub(in crate::fakes) fn sparklines(codes: &[String]) -> market::Sparklines {
    let traded = |code: &String| market::Sparkline {
        code: code.clone(),
        prev_close: decimal("70000"),
        prices: ["70100", "69900.5"]
            .into_iter()
            .filter_map(decimal)
            .collect(),
    };
    let mut sparklines: Vec<_> = codes.iter().map(traded).collect();
    if let Some(last) = sparklines.last_mut() {
        (last.prev_close, last.prices) = (None, vec![]);
    }
    market::Sparklines { sparklines }
}

pub(in crate::fakes) fn premium() -> market::GoldPremium {
    market::GoldPremium {
        rate: decimal("3"),
        domestic_price: decimal("193260"),
        world_price: decimal("187628.54"),
        world_dollars_per_ounce: decimal("3970"),
        dollar_won: decimal("1470"),
        as_of_us: INSTANT_US,
    }
}

pub(in crate::fakes) fn gold_trend() -> market::GoldTrend {
    market::GoldTrend {
        index: Some(market::IndexValue {
            delayed: true,
            ..index("금 99.99_1Kg", "193260", "187500")
        }),
        premium: Some(premium()),
        items: vec![item("04020000")],
        as_of_us: INSTANT_US,
    }
}

pub(in crate::fakes) fn index_constituents() -> market::IndexConstituents {
    let member = |code: &str, weight| market::IndexConstituent {
        item: Some(item(code)),
        weight: decimal(weight),
    };
    market::IndexConstituents {
        constituents: vec![member("005930", "36.65"), member("000660", "12.5")],
        total: 119,
    }
}

/// A member whose likes the market always has at hand, and the one code they like.
pub(crate) const REMEMBERED: (i64, &str) = (100_777, "005930");

pub(in crate::fakes) fn remembered(member_id: i64) -> Option<market::LikedCodes> {
    let (remembered, code) = REMEMBERED;
    (member_id == remembered).then(|| market::LikedCodes {
        member_id,
        codes: vec![code.to_owned()],
    })
}

pub(in crate::fakes) fn alert(request: &market::CreateAlertRequest) -> market::Alert {
    let instrument = instrument(&request.code);
    market::Alert {
        alert_id: 81,
        code: request.code.clone(),
        name: instrument.korean_name,
        market: instrument.market,
        currency: instrument.currency,
        kind: request.kind,
        value: request.value.clone(),
        created_at_us: INSTANT_US,
        ..market::Alert::default()
    }
}

pub(in crate::fakes) fn active_alert() -> market::Alert {
    alert(&market::CreateAlertRequest {
        code: "005930".to_owned(),
        kind: market::AlertKind::Above.into(),
        value: decimal("80000"),
        ..market::CreateAlertRequest::default()
    })
}

pub(in crate::fakes) fn fired_alert() -> market::Alert {
    let request = market::CreateAlertRequest {
        code: "KRW-BTC".to_owned(),
        kind: market::AlertKind::Percent.into(),
        value: decimal("-3.5"),
        ..market::CreateAlertRequest::default()
    };
    market::Alert {
        alert_id: 80,
        fired_at_us: INSTANT_US,
        fired_price: decimal("99000000.5"),
        tick_seq: 77,
        ..alert(&request)
    }
}
