use chrono::DateTime;
use kernel::{Currency, MarketCode, WarningCode};
use market_rules::TickClass;
use rstest::rstest;
use rust_decimal::Decimal;
use rust_decimal_macros::dec;

use super::*;
use crate::domain::cost::Costs;
use crate::orders::reserve::largest_buy;

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
            session: TradingSession::Open,
            trading_day: DAY,
            fx_rate: None,
            tick_time: DateTime::UNIX_EPOCH,
            day_volume: None,
            volume_before: None,
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

fn buy(price: Option<Decimal>, quantity: Decimal) -> OrderRequest {
    OrderRequest {
        side: Side::Buy,
        category: Category::Stock,
        price: price.map(Price),
        size: OrderSize::Quantity(Quantity(quantity)),
        seen_price: None,
        risk_acknowledged: false,
    }
}

fn buy_for(won: i64, most: Option<Decimal>) -> OrderRequest {
    OrderRequest {
        size: OrderSize::Amount {
            won: Won(won),
            most: most.map(Quantity),
        },
        ..buy(None, dec!(1))
    }
}

fn buying_power() -> BuyingPower {
    BuyingPower {
        account_code: AccountCode::Basic,
        available: Won(5_000_000),
        sellable: Quantity(dec!(3)),
        open_orders: 0,
        accepted_this_second: 0,
        second_ends_in_s: 1,
        minute_frees_in_s: 0,
        competition: None,
    }
}

fn decide(
    request: &OrderRequest,
    view: &MarketView,
    buying_power: &BuyingPower,
) -> Result<Acceptance, OrderRejection> {
    let rates = |day| Costs::standard().on(view.listing.market, day);
    validate(request, view, buying_power, &OrderLimits::default(), rates)
}

fn reason(request: &OrderRequest, view: &MarketView, buying_power: &BuyingPower) -> &'static str {
    decide(request, view, buying_power).unwrap_err().reason()
}

#[test]
fn an_accepted_buy_has_a_hold_and_a_trading_day() {
    let limit = decide(&buy(Some(dec!(71_300)), dec!(10)), &view(), &buying_power()).unwrap();
    assert_eq!(limit.hold, Won(713_107));
    assert_eq!((limit.queued, limit.trading_day), (false, Some(DAY)));
    let market = decide(&buy(None, dec!(10)), &view(), &buying_power()).unwrap();
    // 71,300 × 1.05 is 74,865, on a tick 74,900.
    assert_eq!(market.hold, Won(749_113));
    assert_eq!(market.reference, Some(Price(dec!(71_300))));
}

#[test]
fn an_order_in_a_closed_market_is_queued() {
    let mut view = view();
    view.quote.as_mut().unwrap().session = TradingSession::Closed;
    let queued = decide(&buy(None, dec!(10)), &view, &buying_power()).unwrap();
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
fn invalid_quantities_are_rejected(#[case] quantity: Decimal, #[case] expected: &str) {
    let request = buy(Some(dec!(71_300)), quantity);
    assert_eq!(reason(&request, &view(), &buying_power()), expected);
}

#[test]
fn a_price_off_tick_names_the_two_valid_prices_around_it() {
    let rejection =
        decide(&buy(Some(dec!(71_330)), dec!(1)), &view(), &buying_power()).unwrap_err();
    assert_eq!(
        rejection,
        OrderRejection::InvalidTick {
            below: Some(Price(dec!(71_300))),
            above: Price(dec!(71_400)),
        }
    );
    assert_eq!(
        rejection.to_string(),
        "호가 단위에 맞지 않아요. 71300, 71400 중에서 골라 주세요."
    );
}

#[rstest]
#[case(dec!(49_650), "PRICE_LIMIT")]
#[case(dec!(92_400), "PRICE_LIMIT")]
#[case(dec!(-71_300), "INVALID_TICK")]
fn invalid_prices_are_rejected(#[case] price: Decimal, #[case] expected: &str) {
    assert_eq!(
        reason(&buy(Some(price), dec!(1)), &view(), &buying_power()),
        expected
    );
}

#[test]
fn an_instrument_that_does_not_trade_is_rejected() {
    let request = buy(None, dec!(1));
    let mut untradable = view();
    untradable.listing.tradable = false;
    assert_eq!(
        decide(&request, &untradable, &buying_power()),
        Err(OrderRejection::NotTradable)
    );
    assert_eq!(
        decide(&request, &coin(), &buying_power()),
        Err(OrderRejection::NotTradable)
    );
    let mut silent = view();
    silent.quote = None;
    assert_eq!(
        decide(&request, &silent, &buying_power()),
        Err(OrderRejection::PriceAwaited)
    );
    let mut halted = view();
    halted.quote.as_mut().unwrap().session = TradingSession::Halted;
    assert_eq!(
        decide(&request, &halted, &buying_power()),
        Err(OrderRejection::Halted)
    );
}

#[test]
fn a_warned_instrument_needs_the_members_acceptance() {
    let mut warned = view();
    warned.listing.warning = WarningCode::Danger;
    let mut request = buy(None, dec!(1));
    assert_eq!(
        decide(&request, &warned, &buying_power()),
        Err(OrderRejection::RiskAckRequired)
    );
    request.risk_acknowledged = true;
    assert!(decide(&request, &warned, &buying_power()).is_ok());
}

#[test]
fn a_coin_order_is_worth_five_thousand_won_at_least() {
    let mut request = buy(Some(dec!(3_000)), dec!(1.66666666));
    request.category = Category::Coin;
    assert_eq!(reason(&request, &coin(), &buying_power()), "MIN_AMOUNT");
    request.size = OrderSize::Quantity(Quantity(dec!(1.66666667)));
    assert!(decide(&request, &coin(), &buying_power()).is_ok());
}

#[test]
fn a_buy_by_amount_is_for_what_the_amount_affords_and_holds_no_more() {
    let accepted = decide(&buy_for(500_000, None), &view(), &buying_power()).unwrap();
    // Seven at 71,400 are 499,874 with the fee; at 74,900 they would hold 524,379.
    assert_eq!(accepted.quantity, Quantity(dec!(7)));
    assert_eq!(accepted.hold, Won(500_000));
    let fewer = decide(&buy_for(500_000, Some(dec!(3))), &view(), &buying_power());
    let fewer = fewer.unwrap();
    assert_eq!(fewer.quantity, Quantity(dec!(3)));
    assert_eq!(fewer.hold, Won(224_734));
    let mut queued = view();
    queued.quote.as_mut().unwrap().session = TradingSession::Closed;
    let queued = decide(&buy_for(500_000, None), &queued, &buying_power()).unwrap();
    assert_eq!((queued.hold, queued.reference), (Won(500_000), None));
}

#[rstest]
#[case(71_409, None, OrderRejection::MinAmount { least: Won(71_410) })]
#[case(1, None, OrderRejection::MinAmount { least: Won(71_410) })]
#[case(1_000_000_001, None, OrderRejection::MaxAmount { most: Won(1_000_000_000) })]
#[case(6_000_000, None, OrderRejection::InsufficientCash { need: Won(6_000_000), have: Won(5_000_000) })]
#[case(500_000, Some(dec!(1.5)), OrderRejection::InvalidQuantity { step: Quantity(dec!(1)), most: None })]
#[case(500_000, Some(dec!(0)), OrderRejection::InvalidQuantity { step: Quantity(dec!(1)), most: None })]
fn an_amount_out_of_bounds_is_rejected(
    #[case] won: i64,
    #[case] most: Option<Decimal>,
    #[case] expected: OrderRejection,
) {
    let decided = decide(&buy_for(won, most), &view(), &buying_power());
    assert_eq!(decided, Err(expected));
}

#[rstest]
#[case(4_999, None, "MIN_AMOUNT")]
#[case(5_000, None, "")]
// Worth 3,000원.
#[case(5_000, Some(dec!(1)), "MIN_AMOUNT")]
#[case(5_000, Some(dec!(9)), "")]
fn a_coin_is_bought_for_five_thousand_won_at_least(
    #[case] won: i64,
    #[case] most: Option<Decimal>,
    #[case] expected: &str,
) {
    let mut request = buy_for(won, most);
    request.category = Category::Coin;
    let decided = decide(&request, &coin(), &buying_power());
    assert_eq!(decided.err().map_or("", |error| error.reason()), expected);
}

#[test]
fn a_competition_account_trades_no_coins() {
    let mut request = buy(None, dec!(10));
    request.category = Category::Coin;
    let mut buying_power = buying_power();
    buying_power.account_code = AccountCode::Competition;
    assert_eq!(
        decide(&request, &coin(), &buying_power),
        Err(OrderRejection::CompetitionOnlyStockEtf)
    );
}

#[test]
fn a_sale_needs_enough_quantity() {
    let mut request = buy(None, dec!(4));
    request.side = Side::Sell;
    assert_eq!(
        reason(&request, &view(), &buying_power()),
        "INSUFFICIENT_QTY"
    );
    request.size = OrderSize::Quantity(Quantity(dec!(3)));
    assert_eq!(
        decide(&request, &view(), &buying_power()).unwrap().hold,
        Won(0)
    );
}

#[test]
fn an_outdated_seen_price_is_rejected() {
    let mut request = buy(None, dec!(1));
    request.seen_price = Some(Price(dec!(67_700)));
    assert_eq!(reason(&request, &view(), &buying_power()), "SLIPPAGE_GUARD");
    request.seen_price = Some(Price(dec!(67_800)));
    assert!(decide(&request, &view(), &buying_power()).is_ok());
}

#[test]
fn a_dollar_order_needs_an_exchange_rate() {
    let mut apple = view();
    apple.listing.market = MarketCode::Global;
    apple.listing.currency = Currency::Usd;
    apple.listing.tick_class = TickClass::UsStock;
    let mut quote = apple.quote.take().unwrap();
    (quote.last, quote.band) = (Price(dec!(230.50)), None);
    apple.quote = Some(quote.clone());
    let mut sale = buy(Some(dec!(230)), dec!(1));
    sale.side = Side::Sell;
    for request in [buy(Some(dec!(230)), dec!(1)), buy(None, dec!(1)), sale] {
        assert_eq!(
            decide(&request, &apple, &buying_power()),
            Err(OrderRejection::PriceAwaited)
        );
        let mut known = apple.clone();
        known.quote = Some(Quote {
            fx_rate: Some(dec!(1_470)),
            ..quote.clone()
        });
        assert!(decide(&request, &known, &buying_power()).is_ok());
    }
    let rates = Costs::standard().on(MarketCode::Global, DAY);
    let most = largest_buy(&apple.listing, &quote, None, Won(5_000_000), &rates);
    assert_eq!(most, Quantity::ZERO);
}

#[test]
fn open_orders_and_their_rate_are_limited() {
    let request = buy(None, dec!(1));
    let mut busy = buying_power();
    busy.open_orders = 100;
    assert_eq!(reason(&request, &view(), &busy), "TOO_MANY_OPEN_ORDERS");
    let mut fast = buying_power();
    fast.accepted_this_second = 5;
    let wait = |retry_after_s| Err(OrderRejection::OrderRate { retry_after_s });
    assert_eq!(decide(&request, &view(), &fast), wait(1));
    fast.minute_frees_in_s = 42;
    assert_eq!(decide(&request, &view(), &fast), wait(42));
}

#[test]
fn the_first_failed_check_is_the_rejection() {
    let mut request = buy(Some(dec!(1)), dec!(1.5));
    let mut warned = view();
    warned.listing.warning = WarningCode::Warning;
    assert_eq!(
        reason(&request, &warned, &buying_power()),
        "RISK_ACK_REQUIRED"
    );
    request.risk_acknowledged = true;
    assert_eq!(
        reason(&request, &warned, &buying_power()),
        "INVALID_QUANTITY"
    );
    request.size = OrderSize::Quantity(Quantity(dec!(1)));
    assert_eq!(reason(&request, &warned, &buying_power()), "PRICE_LIMIT");
}

#[test]
fn the_largest_buy_is_accepted_and_one_more_is_not() {
    let view = view();
    let quote = view.quote.clone().unwrap();
    let rates = Costs::standard().on(MarketCode::Kospi, DAY);
    for price in [None, Some(Price(dec!(71_300)))] {
        let most = largest_buy(&view.listing, &quote, price, Won(5_000_000), &rates);
        let mut request = buy(price.map(|price| price.0), most.0);
        assert!(decide(&request, &view, &buying_power()).is_ok());
        request.size = OrderSize::Quantity(Quantity(most.0 + dec!(1)));
        assert_eq!(
            reason(&request, &view, &buying_power()),
            "INSUFFICIENT_CASH"
        );
    }
}
