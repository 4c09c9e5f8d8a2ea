//! Every event with its exact text and link.

use chrono::{DateTime, Utc};
use messaging::Event;
use prost::Message;
use proto::common::v1::{Currency, Decimal};
use proto::education::v1::StreakAtRisk;
use proto::market::v1::MarketAlertFired;
use proto::trading::v1::{
    CompetitionEnded, CompetitionRanked, CompetitionStarted, ContractMatured, ContractMissed,
    FillNotice, Order, OrderCategory, OrderEnded, OrderFilled, OrderSide, OrderStatus,
};
use rstest::rstest;
use uuid::Uuid;

use super::*;
use crate::notifications::Batching;

mod community;

const MEMBER: i64 = 100_000;

fn event(event_type: &str, body: &impl Message) -> Event {
    Event {
        event_id: Uuid::from_u128(1),
        event_type: event_type.to_owned(),
        aggregate_id: "1".to_owned(),
        occurred_at: DateTime::<Utc>::UNIX_EPOCH,
        body: body.encode_to_vec().into(),
    }
}

fn told(event_type: &str, body: &impl Message) -> Vec<Notice> {
    notices(&event(event_type, body)).unwrap()
}

/// Type, title, body, link and key of the only notice.
fn text(event_type: &str, body: &impl Message) -> [String; 5] {
    let notices = told(event_type, body);
    let [notice] = notices.as_slice() else {
        panic!("{notices:?}");
    };
    let notice = notice.clone();
    [
        notice.kind.as_str().to_owned(),
        notice.title,
        notice.body,
        notice.link,
        notice.dedupe_key,
    ]
}

fn decimal(text: &str) -> Option<Decimal> {
    Some(Decimal {
        value: text.to_owned(),
    })
}

fn order(status: OrderStatus, filled: &str) -> Order {
    Order {
        order_id: 7,
        instrument_name: "삼성전자".to_owned(),
        side: OrderSide::Buy.into(),
        category: OrderCategory::Stock.into(),
        currency: Currency::Krw.into(),
        status: status.into(),
        quantity: decimal("10"),
        filled_quantity: decimal(filled),
        average_price: decimal("71300"),
        filled_amount_won: 213_900,
        ..Order::default()
    }
}

fn filled(order: Order) -> OrderFilled {
    OrderFilled {
        notice: Some(FillNotice {
            seq: 12,
            member_id: MEMBER,
            order: Some(order),
            fill: None,
        }),
    }
}

#[test]
fn a_filled_order_is_told_with_its_price_and_sum() {
    assert_eq!(
        text(ORDER_FILLED, &filled(order(OrderStatus::Filled, "3"))),
        [
            "FILL",
            "삼성전자 3주를 샀어요",
            "1주 평균 71,300원, 모두 213,900원이에요.",
            "/my/orders/history",
            "fill:7"
        ]
    );
    let coin = Order {
        instrument_name: "비트코인".to_owned(),
        side: OrderSide::Sell.into(),
        category: OrderCategory::Coin.into(),
        average_price: decimal("148601000.123456"),
        filled_amount_won: 14_860,
        ..order(OrderStatus::Filled, "0.00010000")
    };
    assert_eq!(
        text(ORDER_FILLED, &filled(coin.clone()))[1..3],
        [
            "비트코인 0.0001개를 팔았어요",
            "1개 평균 148,601,000원, 모두 14,860원이에요."
        ]
    );
    let cheap = Order {
        average_price: decimal("7.123456"),
        ..coin
    };
    assert_eq!(
        text(ORDER_FILLED, &filled(cheap))[2],
        "1개 평균 7.1235원, 모두 14,860원이에요."
    );
    let gold = Order {
        instrument_name: "금 99.99_1Kg".to_owned(),
        category: OrderCategory::Gold.into(),
        ..order(OrderStatus::Filled, "10")
    };
    assert_eq!(
        text(ORDER_FILLED, &filled(gold))[1],
        "금 99.99_1Kg 10g을 샀어요"
    );
    let dollars = Order {
        instrument_name: "애플".to_owned(),
        currency: Currency::Usd.into(),
        average_price: decimal("182.3456"),
        ..order(OrderStatus::Filled, "3")
    };
    assert_eq!(
        text(ORDER_FILLED, &filled(dollars))[2],
        "1주 평균 182.35달러, 모두 213,900원이에요."
    );
}

#[test]
fn parts_of_an_order_share_a_row_that_takes_the_newest() {
    let part = filled(order(OrderStatus::Partial, "3"));
    assert_eq!(
        text(ORDER_FILLED, &part),
        [
            "PARTIAL",
            "삼성전자 일부가 체결됐어요",
            "10주 중 3주를 샀어요.",
            "/my/orders/wait",
            "partial:7"
        ]
    );
    let notice = told(ORDER_FILLED, &part).remove(0);
    assert_eq!((&notice.batching, notice.position), (&Batching::Newest, 12));
    assert_eq!(notice.collapse_key, "order:7");
    let by_amount = Order {
        order_amount_won: Some(1_000_000),
        ..order(OrderStatus::Partial, "3")
    };
    assert_eq!(text(ORDER_FILLED, &filled(by_amount))[2], "3주를 샀어요.");
}

#[rstest]
#[case("SESSION_ENDED", "0", "장이 끝날 때까지 체결되지 않았어요.")]
#[case("TERM_ENDED", "0", "90일 동안 체결되지 않았어요.")]
#[case("SLIPPAGE_GUARD", "0", "가격이 많이 움직여서 주문을 멈췄어요.")]
#[case("STALE_MARKET", "0", "시세가 한동안 오지 않아서 주문을 취소했어요.")]
#[case("PRICE_LIMIT", "0", "가격이 오늘의 범위를 벗어나 주문을 취소했어요.")]
#[case("AMOUNT_REACHED", "0", "주문 금액으로 살 수 있는 수량이 없었어요.")]
#[case("OF_A_LATER_RELEASE", "0", "체결되지 않고 끝났어요.")]
#[case(
    "INSUFFICIENT_CASH",
    "3",
    "주문 가능 금액이 모자라서 남은 주문을 취소했어요. 10주 중 3주를 샀어요."
)]
fn an_order_that_ends_says_why(#[case] reason: &str, #[case] done: &str, #[case] body: &str) {
    let ended = OrderEnded {
        member_id: MEMBER,
        order: Some(Order {
            end_reason: reason.to_owned(),
            ..order(OrderStatus::Expired, done)
        }),
    };
    assert_eq!(
        text(ORDER_ENDED, &ended),
        [
            "ORDER_ENDED",
            "삼성전자 매수 주문이 끝났어요",
            body,
            "/my/orders/history",
            "order-ended:7"
        ]
    );
}

#[test]
fn an_order_by_amount_that_bought_is_complete_and_a_competition_says_its_end_once() {
    let ended = |reason: &str| OrderEnded {
        member_id: MEMBER,
        order: Some(Order {
            end_reason: reason.to_owned(),
            order_amount_won: Some(220_000),
            ..order(OrderStatus::Canceled, "3")
        }),
    };
    let complete = text(ORDER_ENDED, &ended("AMOUNT_REACHED"));
    assert_eq!(complete[0], "FILL");
    assert_eq!(complete[4], "fill:7", "as if its last fill had said so");
    assert_eq!(told(ORDER_ENDED, &ended("COMPETITION_ENDED")), []);
}

#[rstest]
#[case(
    "PAID_OUT",
    "이자는 13,000원이에요. 1,013,000원을 기본 계좌로 옮겼어요."
)]
#[case("KEPT", "이자는 13,000원이에요. 1,013,000원을 찾을 수 있어요.")]
#[case("RENEWED", "이자는 13,000원이에요. 같은 상품에 다시 맡겼어요.")]
fn a_contract_matures(#[case] outcome: &str, #[case] body: &str) {
    let matured = ContractMatured {
        member_id: MEMBER,
        account_no: "000000004203".to_owned(),
        name: "새싹 정기예금".to_owned(),
        paid_in_won: 1_000_000,
        interest_won: 13_000,
        outcome: outcome.to_owned(),
        matured_on: 20_261_127,
        ..ContractMatured::default()
    };
    assert_eq!(
        text(CONTRACT_MATURED, &matured),
        [
            "MATURITY",
            "새싹 정기예금 만기가 됐어요",
            body,
            "/my/contracts/000000004203",
            "maturity:000000004203"
        ]
    );
}

#[rstest]
#[case(true, "기본 계좌에 100,000원이 없었어요. 내일 다시 시도할게요.")]
#[case(false, "기본 계좌에 100,000원이 없었어요. 직접 넣을 수 있어요.")]
fn a_payment_is_missed(#[case] is_retried: bool, #[case] body: &str) {
    let missed = ContractMissed {
        member_id: MEMBER,
        account_no: "000000004203".to_owned(),
        name: "새싹 적금".to_owned(),
        amount_won: 100_000,
        number: 3,
        is_retried,
        missed_on: 20_261_127,
    };
    assert_eq!(
        text(CONTRACT_MISSED, &missed),
        [
            "AUTOPAY_MISSED",
            "새싹 적금 자동이체를 하지 못했어요",
            body,
            "/my/contracts/000000004203",
            "autopay:000000004203:3:20261127"
        ]
    );
}

#[test]
fn competitions_begin_end_and_have_ranks() {
    let started = CompetitionStarted {
        competition_id: 5,
        name: "봄 대회".to_owned(),
        member_id: MEMBER,
    };
    assert_eq!(
        text(COMPETITION_STARTED, &started),
        [
            "COMPETITION",
            "대회가 시작됐어요",
            "봄 대회에서 지금부터 주문할 수 있어요.",
            "/competition/5",
            "competition-started:5"
        ]
    );
    let ended = CompetitionEnded {
        competition_id: 5,
        name: "봄 대회".to_owned(),
        member_id: MEMBER,
    };
    assert_eq!(
        text(COMPETITION_ENDED, &ended),
        [
            "COMPETITION",
            "대회가 끝났어요",
            "봄 대회 순위를 정리하고 있어요.",
            "/competition/5",
            "competition-ended:5"
        ]
    );
    let ranked = |points: i64| CompetitionRanked {
        competition_id: 5,
        name: "봄 대회".to_owned(),
        member_id: MEMBER,
        rank: 3,
        ranked: 1_204,
        points,
    };
    assert_eq!(
        text(COMPETITION_RANKED, &ranked(0)),
        [
            "COMPETITION",
            "대회 결과가 나왔어요",
            "봄 대회 1,204명 중 3위예요.",
            "/competition/5",
            "competition-ranked:5"
        ]
    );
    assert_eq!(
        text(COMPETITION_RANKED, &ranked(5_000))[2],
        "봄 대회 1,204명 중 3위예요. 이의 신청 기간이 지나면 5,000포인트를 받아요."
    );
}

#[test]
fn a_streak_ends_tonight() {
    let until: DateTime<Utc> = "2026-11-27T15:00:00Z".parse().unwrap();
    let at_risk = StreakAtRisk {
        member_id: MEMBER,
        days: 12,
        day: 20_261_127,
        until_us: until.timestamp_micros(),
    };
    assert_eq!(
        text(STREAK_AT_RISK, &at_risk),
        [
            "STREAK",
            "12일 연속 학습이 오늘 밤에 끝나요",
            "오늘의 퀴즈를 풀면 이어갈 수 있어요.",
            "/study-v2/quiz/random",
            "streak:20261127"
        ]
    );
    assert_eq!(told(STREAK_AT_RISK, &at_risk)[0].until, Some(until));
}

fn alert(kind: &str, value: &str) -> MarketAlertFired {
    MarketAlertFired {
        alert_id: 9,
        member_id: MEMBER,
        code: "005930".to_owned(),
        name: "삼성전자".to_owned(),
        kind: kind.to_owned(),
        value: value.to_owned(),
        price: "80100".to_owned(),
        currency: "KRW".to_owned(),
        tick_seq: 4,
        fired_at_us: 1_796_274_300_000_000,
        market_code: "KOSPI".to_owned(),
    }
}

#[rstest]
#[case("ABOVE", "80000", "삼성전자 80,000원 이상이에요")]
#[case("BELOW", "60000", "삼성전자 60,000원 이하예요")]
#[case("PERCENT", "5", "삼성전자 5% 넘게 올랐어요")]
#[case("PERCENT", "-3.50", "삼성전자 3.5% 넘게 내렸어요")]
fn an_alert_fires(#[case] kind: &str, #[case] value: &str, #[case] title: &str) {
    assert_eq!(
        text(ALERT_FIRED, &alert(kind, value)),
        [
            "PRICE",
            title,
            "12월 3일 14:05 가격은 80,100원이에요.",
            "/invest-v2/stock/005930",
            "alert:9"
        ]
    );
}

#[rstest]
#[case("ETF", "069500", "/invest-v2/stock-etf/069500")]
#[case("COIN", "KRW-BTC", "/invest-v2/coin/KRW-BTC?refMarketCode=coin")]
#[case("GOLD", "04020000", "/invest-v2/gold/04020000")]
#[case("stocks", "BRK.B", "/invest-v2/stock/BRK.B")]
fn an_alert_leads_to_its_item(#[case] market: &str, #[case] code: &str, #[case] link: &str) {
    let dollars = MarketAlertFired {
        code: code.to_owned(),
        market_code: market.to_owned(),
        price: "182.3500".to_owned(),
        currency: "USD".to_owned(),
        ..alert("ABOVE", "180")
    };
    let [_, title, body, found, _] = text(ALERT_FIRED, &dollars);
    assert_eq!(found, link);
    assert_eq!(title, "삼성전자 180달러 이상이에요");
    assert_eq!(body, "12월 3일 14:05 가격은 182.35달러예요.");
}

#[test]
fn what_does_not_say_enough_is_refused() {
    let refused = |event_type: &str, body: &dyn Fn() -> Vec<u8>| {
        let event = Event {
            body: body().into(),
            ..event(event_type, &OrderEnded::default())
        };
        assert!(notices(&event).is_err(), "{event_type}");
    };
    for (event_type, _) in RULES {
        refused(event_type, &|| vec![0xff, 0xff]);
    }
    refused("trading.order.changed.v1", &Vec::new);
    refused(ORDER_FILLED, &Vec::new);
    refused(ORDER_ENDED, &Vec::new);
    refused(CONTRACT_MATURED, &Vec::new);
    refused(CONTRACT_MISSED, &Vec::new);
    refused(REPORT_DECIDED, &Vec::new);
    refused(POST_HIDDEN, &Vec::new);
    refused(ALERT_FIRED, &Vec::new);
    for alert in [
        alert("ABOVE", "much"),
        alert("SIDEWAYS", "1"),
        MarketAlertFired {
            code: "../../my".to_owned(),
            ..alert("ABOVE", "1")
        },
        MarketAlertFired {
            market_code: "MOON".to_owned(),
            ..alert("ABOVE", "1")
        },
    ] {
        refused(ALERT_FIRED, &|| alert.encode_to_vec());
    }
}

#[test]
fn nobody_is_not_told() {
    let ended = CompetitionEnded::default();
    assert_eq!(told(COMPETITION_ENDED, &ended), []);
}
