use chrono::DateTime;
use kernel::{MarketCode, WarningCode};
use market_rules::TickClass;
use rstest::rstest;
use rust_decimal_macros::dec;

use super::*;
use crate::domain::cost::Costs;

const DAY: i32 = 20_261_120;

fn view() -> MarketView {
    MarketView {
        split_day: 0,
        listing: Listing {
            code: "005930".to_owned(),
            name: "삼성전자".to_owned(),
            market: MarketCode::Kospi,
            currency: Currency::Krw,
            tick_class: TickClass::KrxStock,
            warning: WarningCode::None,
            tradable: true,
        },
        quote: Some(Quote {
            last: Price(dec!(71_300)),
            prev_close: Price(dec!(71_000)),
            bid: None,
            ask: None,
            band: Some(PriceBand {
                lower: Price(dec!(49_700)),
                upper: Price(dec!(92_300)),
            }),
            session: Session::Open,
            trading_day: DAY,
            fx_rate: None,
            tick_time: DateTime::UNIX_EPOCH,
        }),
        now: DateTime::UNIX_EPOCH,
    }
}

fn coin() -> MarketView {
    let mut view = view();
    view.listing.market = MarketCode::Coin;
    view.listing.tick_class = TickClass::UpbitKrw;
    view.listing.code = "KRW-XRP".to_owned();
    if let Some(quote) = &mut view.quote {
        quote.last = Price(dec!(3_000));
        quote.band = None;
    }
    view
}

fn buy(price: Option<Decimal>, quantity: Decimal) -> Wish {
    Wish {
        side: Side::Buy,
        category: Category::Stock,
        price: price.map(Price),
        quantity: Quantity(quantity),
        seen_price: None,
        risk_acknowledged: false,
    }
}

fn means() -> Means {
    Means {
        account_code: AccountCode::Basic,
        available: Won(5_000_000),
        sellable: Quantity(dec!(3)),
        open_orders: 0,
        accepted_this_second: 0,
        second_ends_in_s: 1,
        minute_frees_in_s: 0,
    }
}

fn decide(wish: &Wish, view: &MarketView, means: &Means) -> Result<Acceptance, Refusal> {
    let rates = |day| Costs::standard().on(view.listing.market, day);
    validate(wish, view, means, &Allowance::default(), rates)
}

fn reason(wish: &Wish, view: &MarketView, means: &Means) -> &'static str {
    decide(wish, view, means).unwrap_err().reason()
}

#[test]
fn an_accepted_buy_keeps_its_cash_and_knows_its_day() {
    let limit = decide(&buy(Some(dec!(71_300)), dec!(10)), &view(), &means()).unwrap();
    assert_eq!(limit.hold, Won(713_107));
    assert_eq!((limit.queued, limit.trading_day), (false, Some(DAY)));
    let market = decide(&buy(None, dec!(10)), &view(), &means()).unwrap();
    // 71,300 × 1.05 is 74,865, on a tick 74,900.
    assert_eq!(market.hold, Won(749_113));
    assert_eq!(market.reference, Some(Price(dec!(71_300))));
}

#[test]
fn while_the_market_is_shut_an_order_is_queued() {
    let mut view = view();
    view.quote.as_mut().unwrap().session = Session::Closed;
    let queued = decide(&buy(None, dec!(10)), &view, &means()).unwrap();
    assert!(queued.queued && queued.reference.is_none() && queued.trading_day.is_none());
    // At the upper limit.
    assert_eq!(queued.hold, Won(923_139));
}

#[rstest]
#[case(dec!(0), "INVALID_QUANTITY")]
#[case(dec!(-1), "INVALID_QUANTITY")]
#[case(dec!(1.5), "INVALID_QUANTITY")]
#[case(dec!(71), "INSUFFICIENT_CASH")]
#[case(dec!(20_000), "MAX_AMOUNT")]
#[case(dec!(79228162514264337593543950335), "MAX_AMOUNT")]
fn quantities_are_refused(#[case] quantity: Decimal, #[case] expected: &str) {
    let wish = buy(Some(dec!(71_300)), quantity);
    assert_eq!(reason(&wish, &view(), &means()), expected);
}

#[test]
fn a_price_off_its_tick_names_the_two_around_it() {
    let refusal = decide(&buy(Some(dec!(71_330)), dec!(1)), &view(), &means()).unwrap_err();
    assert_eq!(
        refusal,
        Refusal::InvalidTick {
            below: Some(Price(dec!(71_300))),
            above: Price(dec!(71_400)),
        }
    );
    assert_eq!(
        refusal.to_string(),
        "호가 단위에 맞지 않아요. 71300, 71400 중에서 골라 주세요."
    );
}

#[rstest]
#[case(dec!(49_650), "PRICE_LIMIT")]
#[case(dec!(92_400), "PRICE_LIMIT")]
#[case(dec!(-71_300), "INVALID_TICK")]
fn prices_are_refused(#[case] price: Decimal, #[case] expected: &str) {
    assert_eq!(
        reason(&buy(Some(price), dec!(1)), &view(), &means()),
        expected
    );
}

#[test]
fn what_the_market_does_not_trade_is_refused() {
    let wish = buy(None, dec!(1));
    let mut shown_only = view();
    shown_only.listing.tradable = false;
    assert_eq!(
        decide(&wish, &shown_only, &means()),
        Err(Refusal::NotTradable)
    );
    assert_eq!(decide(&wish, &coin(), &means()), Err(Refusal::NotTradable));
    let mut silent = view();
    silent.quote = None;
    assert_eq!(decide(&wish, &silent, &means()), Err(Refusal::PriceAwaited));
    let mut halted = view();
    halted.quote.as_mut().unwrap().session = Session::Halted;
    assert_eq!(decide(&wish, &halted, &means()), Err(Refusal::Halted));
}

#[test]
fn a_warned_instrument_needs_the_members_acceptance() {
    let mut warned = view();
    warned.listing.warning = WarningCode::Danger;
    let mut wish = buy(None, dec!(1));
    assert_eq!(
        decide(&wish, &warned, &means()),
        Err(Refusal::RiskAckRequired)
    );
    wish.risk_acknowledged = true;
    assert!(decide(&wish, &warned, &means()).is_ok());
}

#[test]
fn a_coin_order_is_worth_five_thousand_won_at_least() {
    let mut wish = buy(Some(dec!(3_000)), dec!(1.66666666));
    wish.category = Category::Coin;
    assert_eq!(reason(&wish, &coin(), &means()), "MIN_AMOUNT");
    wish.quantity = Quantity(dec!(1.66666667));
    assert!(decide(&wish, &coin(), &means()).is_ok());
}

#[test]
fn a_competition_account_trades_no_coins() {
    let mut wish = buy(None, dec!(10));
    wish.category = Category::Coin;
    let mut means = means();
    means.account_code = AccountCode::Competition;
    assert_eq!(
        decide(&wish, &coin(), &means),
        Err(Refusal::CompetitionOnlyStockEtf)
    );
}

#[test]
fn a_sale_needs_the_quantity() {
    let mut wish = buy(None, dec!(4));
    wish.side = Side::Sell;
    assert_eq!(reason(&wish, &view(), &means()), "INSUFFICIENT_QTY");
    wish.quantity = Quantity(dec!(3));
    assert_eq!(decide(&wish, &view(), &means()).unwrap().hold, Won(0));
}

#[test]
fn a_price_seen_long_ago_is_not_traded_on() {
    let mut wish = buy(None, dec!(1));
    wish.seen_price = Some(Price(dec!(67_700)));
    assert_eq!(reason(&wish, &view(), &means()), "SLIPPAGE_GUARD");
    wish.seen_price = Some(Price(dec!(67_800)));
    assert!(decide(&wish, &view(), &means()).is_ok());
}

#[test]
fn nothing_in_dollars_is_traded_without_a_rate() {
    let mut apple = view();
    apple.listing.market = MarketCode::Global;
    apple.listing.currency = Currency::Usd;
    apple.listing.tick_class = TickClass::UsStock;
    let mut quote = apple.quote.take().unwrap();
    (quote.last, quote.band) = (Price(dec!(230.50)), None);
    apple.quote = Some(quote.clone());
    let mut sale = buy(Some(dec!(230)), dec!(1));
    sale.side = Side::Sell;
    for wish in [buy(Some(dec!(230)), dec!(1)), buy(None, dec!(1)), sale] {
        assert_eq!(decide(&wish, &apple, &means()), Err(Refusal::PriceAwaited));
        let mut known = apple.clone();
        known.quote = Some(Quote {
            fx_rate: Some(dec!(1_470)),
            ..quote.clone()
        });
        assert!(decide(&wish, &known, &means()).is_ok());
    }
    let rates = Costs::standard().on(MarketCode::Global, DAY);
    let most = largest_buy(&apple.listing, &quote, None, Won(5_000_000), &rates);
    assert_eq!(most, Quantity::ZERO);
}

#[test]
fn open_orders_and_their_pace_are_bounded() {
    let wish = buy(None, dec!(1));
    let mut busy = means();
    busy.open_orders = 100;
    assert_eq!(reason(&wish, &view(), &busy), "TOO_MANY_OPEN_ORDERS");
    let mut fast = means();
    fast.accepted_this_second = 5;
    let wait = |retry_after_s| Err(Refusal::OrderRate { retry_after_s });
    assert_eq!(decide(&wish, &view(), &fast), wait(1));
    fast.minute_frees_in_s = 42;
    assert_eq!(decide(&wish, &view(), &fast), wait(42));
}

#[test]
fn the_first_refusal_of_the_rule_wins() {
    let mut wish = buy(Some(dec!(1)), dec!(1.5));
    let mut warned = view();
    warned.listing.warning = WarningCode::Warning;
    assert_eq!(reason(&wish, &warned, &means()), "RISK_ACK_REQUIRED");
    wish.risk_acknowledged = true;
    assert_eq!(reason(&wish, &warned, &means()), "INVALID_QUANTITY");
    wish.quantity = Quantity(dec!(1));
    assert_eq!(reason(&wish, &warned, &means()), "PRICE_LIMIT");
}

#[test]
fn the_largest_buy_is_accepted_and_one_more_is_not() {
    let view = view();
    let quote = view.quote.clone().unwrap();
    let rates = Costs::standard().on(MarketCode::Kospi, DAY);
    for price in [None, Some(Price(dec!(71_300)))] {
        let most = largest_buy(&view.listing, &quote, price, Won(5_000_000), &rates);
        let mut wish = buy(price.map(|price| price.0), most.0);
        assert!(decide(&wish, &view, &means()).is_ok());
        wish.quantity.0 += dec!(1);
        assert_eq!(reason(&wish, &view, &means()), "INSUFFICIENT_CASH");
    }
}
