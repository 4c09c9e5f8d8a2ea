use kernel::{MarketCode, Price};
use market_rules::volatility::{Interruption, thresholds};
use market_rules::{TickClass, TickTable};
use rstest::rstest;
use rust_decimal::Decimal;

fn won(price: i64) -> Price {
    Price(Decimal::from(price))
}

#[rstest]
#[case::calm(71_000, 70_000, 70_000, None)]
#[case::three_percent_at_once(72_100, 70_000, 70_000, Some(Interruption::Dynamic))]
#[case::three_percent_down(67_900, 70_000, 70_000, Some(Interruption::Dynamic))]
#[case::just_below(72_000, 70_000, 70_000, None)]
#[case::ten_percent_in_small_steps(77_000, 76_900, 70_000, Some(Interruption::Static))]
#[case::cheap_and_few_ticks(13, 10, 10, None)]
#[case::cheap_and_many_ticks(14, 10, 10, Some(Interruption::Static))]
fn a_price_that_runs_is_interrupted(
    #[case] price: i64,
    #[case] last: i64,
    #[case] auction: i64,
    #[case] expected: Option<Interruption>,
) {
    let table = TickTable::for_class(TickClass::KrxStock, "005930");
    let thresholds = thresholds(MarketCode::Kospi, 1).unwrap();
    let judged = thresholds.judge(won(price), won(last), won(auction), &table);
    assert_eq!(judged, expected);
}

#[test]
fn each_market_has_its_thresholds() {
    let moving =
        |market, leverage| thresholds(market, leverage).map(|thresholds| thresholds.moving_percent);
    assert_eq!(moving(MarketCode::Kosdaq, 1), Some(6));
    assert_eq!(moving(MarketCode::Etf, 1), Some(3));
    assert_eq!(moving(MarketCode::Etf, -2), Some(6));
    assert_eq!(moving(MarketCode::Global, 1), None);
    assert_eq!(moving(MarketCode::Coin, 1), None);
    assert_eq!(moving(MarketCode::Gold, 1), None);
}
