//! What the fakes answer.

use proto::auth::v1 as auth;
use proto::common::v1::{Currency, Decimal, Market};
use proto::market::v1 as market;
use proto::trading::v1 as trading;

/// The member whose token the tests carry.
pub(crate) const MEMBER: i64 = 100_000;
/// Another member.
pub(crate) const OTHER: i64 = 100_001;
/// A session that its member has ended.
pub(crate) const ENDED_SESSION: &str = "9f0c1c0e-8a55-4d0c-9f0e-3f4b1f0f3a11";

/// 2026-11-21 09:03:00 in Korea.
const INSTANT_US: i64 = 1_795_219_380_000_000;

pub(super) fn session(refresh_token: &str) -> auth::Session {
    auth::Session {
        member_id: MEMBER,
        access_token: "access-1".to_owned(),
        refresh_token: refresh_token.to_owned(),
        expires_in_s: 900,
    }
}

pub(super) fn member(member_id: i64) -> auth::Member {
    auth::Member {
        member_id,
        email: "kim@example.com".to_owned(),
        nickname: "김씨앗".to_owned(),
        birth_year: 1999,
        os: "web".to_owned(),
        joined_at_us: INSTANT_US,
        ..auth::Member::default()
    }
}

/// Gold or a coin when the code looks like one, else a stock.
pub(super) fn instrument(code: &str) -> market::Instrument {
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

pub(super) fn item(code: &str) -> market::Item {
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

pub(super) fn candles() -> market::Candles {
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

pub(super) fn outline() -> market::CompanyOutline {
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

pub(super) fn exchange_rates() -> market::ExchangeRates {
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

pub(super) fn product(product_id: i64) -> market::Product {
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

pub(super) fn product_detail(product_id: i64) -> market::ProductDetail {
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

pub(super) fn interest(amount_won: i64) -> market::InterestQuote {
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
    }
}

pub(super) fn product_trend() -> market::ProductTrend {
    market::ProductTrend {
        averages: vec![market::RateAverage {
            kind: market::ProductKind::Savings.into(),
            term_months: 12,
            average: decimal("3.41"),
            best: decimal("8"),
            count: 24,
        }],
        movers: vec![market::RateMove {
            product: Some(product(28)),
            before: decimal("3.3"),
            after: decimal("3.55"),
        }],
        as_of_us: INSTANT_US,
    }
}

pub(super) fn index(name: &str, value: &str, previous: &str) -> market::IndexValue {
    market::IndexValue {
        name: name.to_owned(),
        value: decimal(value),
        previous: decimal(previous),
        as_of_us: INSTANT_US,
        delayed: false,
    }
}

pub(super) fn trend() -> market::Trend {
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
pub(super) fn sparklines(codes: &[String]) -> market::Sparklines {
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

pub(super) fn premium() -> market::GoldPremium {
    market::GoldPremium {
        rate: decimal("3"),
        domestic_price: decimal("193260"),
        world_price: decimal("187628.54"),
        world_dollars_per_ounce: decimal("3970"),
        dollar_won: decimal("1470"),
        as_of_us: INSTANT_US,
    }
}

pub(super) fn gold_trend() -> market::GoldTrend {
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

pub(crate) fn order(status: trading::OrderStatus) -> trading::Order {
    trading::Order {
        order_id: 7_001,
        account_no: "000000004200".to_owned(),
        instrument_code: "005930".to_owned(),
        instrument_name: "삼성전자".to_owned(),
        market: Market::Kospi.into(),
        side: trading::OrderSide::Buy.into(),
        category: trading::OrderCategory::Stock.into(),
        status: status.into(),
        price: decimal("71300"),
        quantity: decimal("3"),
        filled_quantity: decimal("1"),
        remaining_quantity: decimal("2"),
        average_price: decimal("71250.5"),
        fee_won: 10,
        filled_amount_won: 71_251,
        placed_at_us: INSTANT_US,
        held_won: 142_621,
        currency: Currency::Krw.into(),
        ..trading::Order::default()
    }
}

pub(super) fn fill() -> trading::Fill {
    trading::Fill {
        fill_id: 9_001,
        order_id: 7_001,
        tick_seq: 42,
        event_time_us: INSTANT_US,
        tick_price: decimal("71200"),
        rule: "MARKET_ONE_TICK_WORSE".to_owned(),
        slippage_ticks: 1,
        quantity: decimal("1"),
        price: decimal("71300"),
        amount_won: 71_300,
        fee_won: 10,
        model_version: "v1".to_owned(),
        ..trading::Fill::default()
    }
}

pub(super) fn holding() -> trading::Holding {
    trading::Holding {
        account_no: "000000004200".to_owned(),
        instrument_code: "005930".to_owned(),
        instrument_name: "삼성전자".to_owned(),
        market: Market::Kospi.into(),
        currency: Currency::Krw.into(),
        quantity: decimal("3"),
        average_price: decimal("70000"),
        cost_won: 210_000,
        last_price: decimal("71300"),
        value_won: 213_900,
        profit_won: 3_900,
        prev_close: decimal("70000"),
        warning_code: "02".to_owned(),
        ..trading::Holding::default()
    }
}

/// A US dividend that is paid, due without a known exchange rate, or announced with one.
pub(super) fn dividend(state: trading::DividendState) -> trading::Dividend {
    let paid = state == trading::DividendState::Paid;
    let reckoned = state != trading::DividendState::Due;
    trading::Dividend {
        dividend_id: if state == trading::DividendState::Announced {
            0
        } else {
            501
        },
        account_no: "000000004200".to_owned(),
        instrument_code: "AAPL".to_owned(),
        instrument_name: "애플".to_owned(),
        state: state.into(),
        ex_day: 20_261_109,
        pay_day: 20_261_121,
        quantity: decimal("11"),
        amount: decimal("0.26"),
        currency: Currency::Usd.into(),
        gross_won: if reckoned { 4_199 } else { 0 },
        tax_won: if reckoned { 629 } else { 0 },
        net_won: if reckoned { 3_570 } else { 0 },
        fx_rate: reckoned.then(|| decimal("1470")).flatten(),
        paid_at_us: if paid { INSTANT_US } else { 0 },
        market: Market::Global.into(),
    }
}

pub(super) fn index_constituents() -> market::IndexConstituents {
    let member = |code: &str, weight| market::IndexConstituent {
        item: Some(item(code)),
        weight: decimal(weight),
    };
    market::IndexConstituents {
        constituents: vec![member("005930", "36.65"), member("000660", "12.5")],
        total: 119,
    }
}

pub(super) fn account_summary() -> trading::AccountSummary {
    trading::AccountSummary {
        accounts: vec![trading::Account {
            account_no: "000000004200".to_owned(),
            account_code: "00".to_owned(),
            account_type: "BASIC".to_owned(),
            deposit_won: 9_790_000,
            available_won: 9_790_000,
            initial_deposit_won: 10_000_000,
            holdings_value_won: 213_900,
            holdings_cost_won: 210_000,
            ..trading::Account::default()
        }],
        total_won: 10_003_900,
        base_won: 10_000_000,
        profit_rate: decimal("0.04"),
        level: 2,
        level_name: "빈곤층".to_owned(),
        level_gauge_percent: decimal("0.02"),
        to_next_level_won: 19_996_100,
        multiplier_tenths: 11,
        day_traded_won: Some(-1_250),
        day_traded_dollars: vec![trading::DayTradedDollars {
            instrument_code: "AAPL".to_owned(),
            dollars: decimal("-228.37"),
            won: -335_704,
        }],
    }
}

pub(super) fn capacity() -> trading::OrderCapacity {
    let band = |from, tick| trading::TickBand {
        from: decimal(from),
        tick: decimal(tick),
    };
    trading::OrderCapacity {
        account_no: "000000004200".to_owned(),
        instrument_code: "005930".to_owned(),
        available_won: 9_790_000,
        max_buy_quantity: decimal("137"),
        sellable_quantity: decimal("3"),
        fee_rate: decimal("0.00015"),
        sell_tax_rate: decimal("0.0020"),
        tick_table: vec![band("0", "1"), band("50000", "100")],
        lower_limit: decimal("49000"),
        upper_limit: decimal("91000"),
        session: "OPEN".to_owned(),
        quantity_step: decimal("1"),
        tradable: true,
        last_price: decimal("71300"),
        currency: Currency::Krw.into(),
        ..trading::OrderCapacity::default()
    }
}

fn decimal(text: &str) -> Option<Decimal> {
    Some(Decimal {
        value: text.to_owned(),
    })
}

/// A member whose likes the market always has at hand, and the one code they like.
pub(crate) const REMEMBERED: (i64, &str) = (100_777, "005930");

pub(super) fn remembered(member_id: i64) -> Option<market::LikedCodes> {
    let (remembered, code) = REMEMBERED;
    (member_id == remembered).then(|| market::LikedCodes {
        member_id,
        codes: vec![code.to_owned()],
    })
}
