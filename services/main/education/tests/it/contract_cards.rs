//! Cards of contracts that members closed early, and of purchases that left much in one item.

use std::time::Duration;

use chrono::{DateTime, Utc};
use education::MIGRATOR;
use education::concentration_events::{self, NOTICED};
use education::contract_events::{self, CLOSED};
use education::domain::cards::KEPT_CONTRACTS;
use education::store::Store;
use messaging::outbox::{self, Relay};
use messaging::{Amqp, Event, NewEvent};
use prost::Message;
use proto::common::v1::Decimal;
use proto::education::v1::{
    CardKind as Kind, ListTradeCardsRequest, OpenCardQuizRequest, QuizSet, TradeCard,
};
use proto::trading::v1::{ConcentrationNoticed, ContractClosed, ContractKind};
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;
use tonic::Status;
use uuid::Uuid;

use crate::world::{MEMBER, OTHER, World, kst, reason};

const TIMEOUT: Duration = Duration::from_secs(60);

/// A deposit of a year that was closed after a month.
fn closed(account_no: &str) -> ContractClosed {
    ContractClosed {
        member_id: MEMBER,
        account_no: account_no.to_owned(),
        name: "새싹 정기예금".to_owned(),
        kind: ContractKind::Deposit.into(),
        paid_in_won: 1_000_000,
        interest_won: 1_200,
        tax_won: 180,
        interest_at_maturity_won: 12_300,
        opened_on: 20_261_023,
        closed_on: 20_261_123,
        matures_on: 20_271_023,
    }
}

fn account(number: i64) -> String {
    format!("{:010}03", 1_100_000_000 + number)
}

fn noticed(at: &str) -> ConcentrationNoticed {
    ConcentrationNoticed {
        member_id: MEMBER,
        instrument_code: "005930".to_owned(),
        instrument_name: "삼성전자".to_owned(),
        percent: Some(Decimal {
            value: "52.3".to_owned(),
        }),
        value_won: 2_615_000,
        total_won: 5_000_000,
        noticed_at_us: kst(at).timestamp_micros(),
    }
}

fn event(event_type: &str, body: &impl Message, occurred_at: DateTime<Utc>) -> Event {
    Event {
        event_id: Uuid::now_v7(),
        event_type: event_type.to_owned(),
        aggregate_id: "member-1".to_owned(),
        occurred_at,
        body: body.encode_to_vec().into(),
    }
}

async fn hear_closed(world: &World, body: &ContractClosed, at: &str) {
    let event = event(CLOSED, body, kst(at));
    contract_events::note(&world.store, event).await.unwrap();
}

async fn hear_noticed(world: &World, body: &ConcentrationNoticed) {
    let event = event(NOTICED, body, DateTime::UNIX_EPOCH);
    concentration_events::note(&world.store, event)
        .await
        .unwrap();
}

async fn cards_of(world: &World, member_id: i64, account_no: &str) -> Vec<TradeCard> {
    let request = ListTradeCardsRequest {
        member_id,
        account_no: account_no.to_owned(),
        ..ListTradeCardsRequest::default()
    };
    let answer = world.cards.clone().list_trade_cards(request).await;
    answer.unwrap().into_inner().cards
}

async fn cards(world: &World) -> Vec<TradeCard> {
    cards_of(world, MEMBER, "").await
}

async fn quiz(world: &World, request: OpenCardQuizRequest) -> Result<QuizSet, Status> {
    let answer = world.cards.clone().open_card_quiz(request).await;
    answer.map(tonic::Response::into_inner)
}

fn of_contract(member_id: i64, account_no: &str) -> OpenCardQuizRequest {
    OpenCardQuizRequest {
        member_id,
        kind: Kind::EarlyClose.into(),
        account_no: account_no.to_owned(),
        ..OpenCardQuizRequest::default()
    }
}

fn of_instrument(member_id: i64, code: &str) -> OpenCardQuizRequest {
    OpenCardQuizRequest {
        member_id,
        kind: Kind::Concentration.into(),
        instrument_code: code.to_owned(),
        ..OpenCardQuizRequest::default()
    }
}

async fn count(world: &World, query: &'static str) -> i64 {
    sqlx::query_scalar(query)
        .fetch_one(&world.pool)
        .await
        .unwrap()
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_contract_that_was_closed_early_becomes_one_card(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T10:01").await;
    let event = event(CLOSED, &closed(&account(1)), kst("2026-11-23T10:00"));
    for _ in 0..3 {
        let noted = contract_events::note(&world.store, event.clone()).await;
        noted.unwrap();
    }
    let [card] = cards(&world).await.try_into().unwrap();
    assert_eq!((card.kind(), card.is_due), (Kind::EarlyClose, true));
    assert_eq!(card.term.as_ref().unwrap().word, "중도해지");
    assert_eq!(card.article_id, "deposits-4");
    let contract = card.contract.clone().unwrap();
    assert_eq!(contract.account_no, account(1));
    assert_eq!(contract.name, "새싹 정기예금");
    let won = [contract.paid_in_won, contract.interest_won];
    assert_eq!((won, contract.tax_won), ([1_000_000, 1_200], 180));
    assert_eq!(contract.interest_at_maturity_won, 12_300);
    assert_eq!(
        [contract.opened_on, contract.closed_on, contract.matures_on],
        [20_261_023, 20_261_123, 20_271_023]
    );
    assert_eq!(cards_of(&world, MEMBER, &account(1)).await, [card]);
    assert_eq!(cards_of(&world, MEMBER, &account(2)).await, []);
    assert_eq!(cards_of(&world, OTHER, "").await, []);
    let anothers = cards_of(&world, OTHER, &account(1)).await;
    assert_eq!(anothers, [], "another's contract");
    assert_eq!(count(&world, "select count(*) from inbox").await, 1);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn the_newest_contracts_are_kept_in_whatever_order_they_arrive(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T10:01").await;
    let newest = [8, 3, 7, 1, 6, 2, 5, 4];
    let heard = newest.map(|number| {
        let at = kst(&format!("2026-11-23T09:0{number}"));
        let event = event(CLOSED, &closed(&account(number)), at);
        let store: Store = world.store.clone();
        tokio::spawn(async move { contract_events::note(&store, event).await })
    });
    for done in heard {
        done.await.unwrap().unwrap();
    }
    let kept = count(&world, "select count(*) from closed_contract").await;
    assert_eq!(kept, KEPT_CONTRACTS);
    let [card] = cards(&world).await.try_into().unwrap();
    assert_eq!(card.contract.unwrap().account_no, account(8));
    assert_eq!(cards_of(&world, MEMBER, &account(4)).await.len(), 1);
    assert_eq!(cards_of(&world, MEMBER, &account(3)).await.len(), 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_contract_that_would_not_have_earned_more_teaches_nothing(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T10:01").await;
    let nothing_lost = ContractClosed {
        interest_at_maturity_won: 1_200,
        ..closed(&account(1))
    };
    hear_closed(&world, &nothing_lost, "2026-11-23T10:00").await;
    assert_eq!(cards(&world).await, []);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn the_newest_concentration_is_a_card_for_a_week(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T10:01").await;
    hear_noticed(&world, &noticed("2026-11-23T10:00")).await;
    let [card] = cards(&world).await.try_into().unwrap();
    assert_eq!((card.kind(), card.is_due), (Kind::Concentration, true));
    assert_eq!(card.term.as_ref().unwrap().word, "분산 투자");
    assert_eq!(card.article_id, "etf-2");
    let shown = card.concentration.unwrap();
    assert_eq!(shown.percent.unwrap().value, "52.3");
    assert_eq!(
        (shown.instrument_code, shown.instrument_name),
        ("005930".to_owned(), "삼성전자".to_owned())
    );
    assert_eq!((shown.value_won, shown.total_won), (2_615_000, 5_000_000));

    // One that arrives late replaces nothing.
    let older = ConcentrationNoticed {
        instrument_name: "다른 것".to_owned(),
        ..noticed("2026-11-16T09:59")
    };
    hear_noticed(&world, &older).await;
    let [card] = cards(&world).await.try_into().unwrap();
    assert_eq!(card.concentration.unwrap().instrument_name, "삼성전자");
    world.set_time("2026-11-30T09:59");
    assert_eq!(cards(&world).await.len(), 1);
    world.set_time("2026-11-30T10:00");
    assert_eq!(cards(&world).await, []);
    hear_noticed(&world, &noticed("2026-11-30T10:00")).await;
    assert_eq!(cards(&world).await.len(), 1);
    assert_eq!(count(&world, "select count(*) from concentration").await, 1);
    assert_eq!(cards_of(&world, OTHER, "").await, []);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn their_quizzes_are_asked_once_a_week_and_only_of_who_has_the_card(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T10:01").await;
    hear_closed(&world, &closed(&account(1)), "2026-11-23T10:00").await;
    hear_noticed(&world, &noticed("2026-11-23T10:00")).await;
    for request in [
        of_contract(OTHER, &account(1)),
        of_contract(MEMBER, &account(2)),
        of_contract(MEMBER, ""),
        of_instrument(OTHER, "005930"),
        of_instrument(MEMBER, "000660"),
        of_instrument(MEMBER, ""),
    ] {
        let refused = quiz(&world, request).await.unwrap_err();
        assert_eq!(reason(&refused), "STUDY_NOT_FOUND");
    }
    assert_eq!(count(&world, "select count(*) from handout").await, 0);
    for (request, expected) in [
        (of_contract(MEMBER, &account(1)), "deposits-basic-10"),
        (of_instrument(MEMBER, "005930"), "etf-intro-02"),
    ] {
        let set = quiz(&world, request.clone()).await.unwrap();
        let [asked] = set.quizzes.as_slice() else {
            panic!("{set:?}");
        };
        assert_eq!(asked.quiz_id, expected);
        assert_eq!(quiz(&world, request).await.unwrap(), set, "all day");
        let right = world.right(asked);
        let result = world.answer(MEMBER, asked.member_education_id, right).await;
        assert!(result.is_correct && result.points == 0);
    }
    let due = async || {
        let cards = cards(&world).await.into_iter();
        cards.map(|card| card.is_due).collect::<Vec<bool>>()
    };
    assert_eq!(due().await, [false, false]);
    world.set_time("2026-11-30T10:00");
    hear_closed(&world, &closed(&account(2)), "2026-11-30T10:00").await;
    hear_noticed(&world, &noticed("2026-11-30T10:00")).await;
    assert_eq!(due().await, [false, false]);
    world.set_time("2026-11-30T10:02");
    assert_eq!(due().await, [true, true]);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn nonsense_is_refused_and_leaves_nothing(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T10:01").await;
    let wrong: [fn(&mut ContractClosed); 7] = [
        |closed| closed.member_id = 0,
        |closed| closed.account_no = "1100".to_owned(),
        |closed| closed.interest_won = -1,
        |closed| closed.interest_at_maturity_won = i64::MIN,
        |closed| closed.opened_on = 0,
        |closed| closed.closed_on = 20_261_332,
        |closed| closed.matures_on = -20_271_023,
    ];
    for change in wrong {
        let mut body = closed(&account(1));
        change(&mut body);
        let refused =
            contract_events::note(&world.store, event(CLOSED, &body, kst("2026-11-23T10:00")));
        refused.await.expect_err(&format!("{body:?}"));
    }
    let wrong: [fn(&mut ConcentrationNoticed); 7] = [
        |noticed| noticed.member_id = -1,
        |noticed| noticed.instrument_code.clear(),
        |noticed| noticed.percent = None,
        |noticed| noticed.value_won = 0,
        |noticed| noticed.value_won = 5_000_001,
        |noticed| noticed.noticed_at_us = i64::MAX,
        |noticed| noticed.percent.as_mut().unwrap().value = "100.1".to_owned(),
    ];
    for change in wrong {
        let mut body = noticed("2026-11-23T10:00");
        change(&mut body);
        let refused =
            concentration_events::note(&world.store, event(NOTICED, &body, DateTime::UNIX_EPOCH));
        refused.await.expect_err(&format!("{body:?}"));
    }
    let both = ListTradeCardsRequest {
        member_id: MEMBER,
        order_id: 7,
        account_no: account(1),
    };
    let refused = world.cards.clone().list_trade_cards(both).await;
    assert_eq!(reason(&refused.unwrap_err()), "MALFORMED");
    let rows = "select (select count(*) from inbox) + (select count(*) from closed_contract) \
                + (select count(*) from concentration)";
    assert_eq!(count(&world, rows).await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn both_arrive_over_the_broker_in_queues_of_their_own(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T10:01").await;
    let stop = CancellationToken::new();
    let amqp = Amqp::new(&testkit::amqp_url()).unwrap();
    let relay = Relay::new(world.pool.clone(), amqp.clone(), "education");
    tokio::spawn(relay.run(stop.clone()));
    let contracts: &'static str = testkit::unique("test.education-contracts").leak();
    let concentrations: &'static str = testkit::unique("test.education-concentrations").leak();
    tokio::spawn(contract_events::follow(
        world.store.clone(),
        amqp.clone(),
        contracts,
        stop.clone(),
    ));
    tokio::spawn(concentration_events::follow(
        world.store.clone(),
        amqp.clone(),
        concentrations,
        stop.clone(),
    ));
    // Queues of other tests take what these do not yet: they are bound when something arrives.
    testkit::eventually(TIMEOUT, async || {
        let (closed, noticed) = (closed(&account(1)), noticed("2026-11-23T10:00"));
        let events = [
            NewEvent::new(CLOSED, "account-1".to_owned(), &closed, &world.clock),
            NewEvent::new(NOTICED, "member-1".to_owned(), &noticed, &world.clock),
        ];
        let mut connection = world.pool.acquire().await.unwrap();
        outbox::append_all(&mut connection, events).await.unwrap();
        cards(&world).await.len() == 2
    })
    .await;
    stop.cancel();
    let link = amqp.channel().await;
    for queue in [contracts, concentrations] {
        let _gone = link.queue_delete(queue.into(), Default::default()).await;
    }
}
