//! Group commit: which orders share a transaction, and how many may be queued.

use std::ops::Range;
use std::time::Duration;

use bootstrap::deadline::Deadline;
use futures_util::FutureExt;
use futures_util::future::join_all;
use kernel::{MemberId, Price, Quantity, RequestId};
use sqlx::{PgPool, Postgres, Transaction};
use tokio::time::timeout;
use trading::accounts::open::AccountChoice;
use trading::error::TradingError;
use trading::orders::committer::Committer;
use trading::orders::order::Side;
use trading::orders::place::PlaceOrder;
use trading::orders::validation::{Category, OrderRequest, OrderSize};
use trading::store::request::{RequestDigest, RequestKind};

use crate::front::TIMEOUT;
use crate::world::{SAMSUNG, World};

/// Whose request another transaction is about to answer, so that a transaction with it waits.
const HELD: i64 = 100_001;
const HELD_KEY: &str = "held-request";
const FEW: Range<i64> = 100_002..100_006;
const MANY: Range<i64> = 100_002..100_032;

/// In which orders that wait for nothing are placed many times over.
const LONG_ENOUGH: Duration = Duration::from_millis(300);

/// How long the caller of a slow order waits.
const GIVES_UP: Duration = Duration::from_millis(500);

const TRANSACTIONS: &str = "select count(distinct xmin::text) from trade_order";

fn order_within(limit: Duration, member: i64) -> PlaceOrder {
    PlaceOrder {
        deadline: Some(Deadline::within(limit)),
        ..order_of(member)
    }
}

fn order_of(member: i64) -> PlaceOrder {
    PlaceOrder {
        member_id: MemberId(member),
        account: AccountChoice::Basic,
        request_id: RequestId::parse(&match member {
            HELD => HELD_KEY.to_owned(),
            _other => testkit::unique("crowd"),
        })
        .unwrap(),
        digest: RequestDigest::new(RequestKind::Place, &()),
        instrument_code: SAMSUNG.to_owned(),
        order: OrderRequest {
            side: Side::Buy,
            category: Category::Stock,
            price: Some(Price(70_000.into())),
            size: OrderSize::Quantity(Quantity(1.into())),
            seen_price: None,
            risk_acknowledged: false,
        },
        trace: None,
        deadline: None,
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn orders_beyond_the_queue_are_rejected(pool: PgPool) {
    let world = World::new(pool).await;
    let committer = Committer::start(&world.store);
    // Nobody commits while this does not wait, and nobody needs to afterwards.
    let hand_in = || {
        let late = order_within(Duration::ZERO, 100_001);
        committer.place(late).now_or_never()
    };
    for _ in 0..2_000 {
        assert!(hand_in().is_none(), "it waits");
    }
    assert!(matches!(hand_in(), Some(Err(TradingError::Busy))));
    // Late orders make room without a transaction.
    testkit::eventually(TIMEOUT, async || hand_in().is_none()).await;
    assert_eq!(world.count("select count(*) from trade_order").await, 0);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn orders_that_arrive_during_a_transaction_share_the_next_one(pool: PgPool) {
    let world = World::new(pool).await;
    let committer = Committer::start(&world.store);
    let (held, first) = under_way(&world, &committer, FEW).await;
    let mut crowd = Box::pin(place_all(&committer, FEW));
    let placed = timeout(LONG_ENOUGH, crowd.as_mut()).await;
    assert!(placed.is_err(), "they wait for their turn");
    held.rollback().await.unwrap();
    first.await.unwrap().unwrap();
    for placed in crowd.await {
        placed.unwrap();
    }
    assert_eq!(
        world.count(TRANSACTIONS).await,
        2,
        "the first, and the others together"
    );
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_large_group_does_not_wait_for_the_transaction_before_it(pool: PgPool) {
    let world = World::new(pool).await;
    let committer = Committer::start(&world.store);
    let (held, first) = under_way(&world, &committer, MANY).await;
    for placed in place_all(&committer, MANY).await {
        placed.unwrap();
    }
    assert!(!first.is_finished(), "it still waits for the answer");
    held.rollback().await.unwrap();
    first.await.unwrap().unwrap();
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_duplicate_of_an_order_in_flight_is_in_progress_after_two_seconds(pool: PgPool) {
    let world = World::new(pool).await;
    let committer = Committer::start(&world.store);
    let (held, first) = under_way(&world, &committer, FEW).await;
    let begun = std::time::Instant::now();
    let copy = timeout(TIMEOUT, committer.place(order_of(HELD))).await;
    let refused = copy.unwrap().unwrap_err();
    assert!(
        matches!(refused, TradingError::RequestInProgress),
        "{refused:?}"
    );
    assert!(begun.elapsed() >= Duration::from_secs(2));
    held.rollback().await.unwrap();
    let placed = first.await.unwrap().unwrap();
    // A copy that comes now reads the answer, as does the one that was not waited for.
    let again = committer.place(order_of(HELD)).await.unwrap();
    assert!(again.replayed);
    assert_eq!(again.order, placed.order);
    assert_eq!(world.count("select count(*) from trade_order").await, 1);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_order_is_not_placed_after_its_caller_gave_up(pool: PgPool) {
    let world = World::new(pool).await;
    let committer = Committer::start(&world.store);
    world.basic(HELD).await;
    let mut holder = world.pool.begin().await.unwrap();
    sqlx::query("lock table balance")
        .execute(&mut *holder)
        .await
        .unwrap();
    // Its transaction begins in time. A repetition may be refused meanwhile, as while no price is
    // known, and the reason pass.
    let given_up = committer.place(order_within(GIVES_UP, HELD));
    let is_free = async {
        tokio::time::sleep(GIVES_UP * 2).await;
        holder.rollback().await.unwrap();
    };
    let (late, ()) = tokio::join!(given_up, is_free);
    assert!(
        matches!(late, Err(TradingError::DeadlinePassed)),
        "{late:?}"
    );
    assert_eq!(world.count("select count(*) from trade_order").await, 0);

    let again = committer.place(order_of(HELD)).await.unwrap();
    assert!(!again.replayed);
    assert_eq!(world.count("select count(*) from trade_order").await, 1);
    world.audit().await;
}

type Placing = tokio::task::JoinHandle<Result<proto::trading::v1::OrderReply, TradingError>>;

/// Opens everybody's account, and leaves a transaction waiting for another one that is about to
/// answer the same request.
async fn under_way(
    world: &World,
    committer: &Committer,
    others: Range<i64>,
) -> (Transaction<'static, Postgres>, Placing) {
    for member in others.chain([HELD]) {
        world.basic(member).await;
    }
    let mut held = world.pool.begin().await.unwrap();
    let answering = "insert into request (member_id, request_id, body_hash, answer, created_at) \
                     values ($1, $2, '', '', now())";
    sqlx::query(answering)
        .bind(HELD)
        .bind(HELD_KEY)
        .execute(&mut *held)
        .await
        .unwrap();
    let orders = committer.clone();
    let first = tokio::spawn(async move { orders.place(order_of(HELD)).await });
    let waits = "select count(*) from pg_stat_activity \
                 where datname = current_database() and wait_event_type = 'Lock'";
    testkit::eventually(TIMEOUT, async || world.count(waits).await == 1).await;
    (held, first)
}

async fn place_all(
    committer: &Committer,
    members: Range<i64>,
) -> Vec<Result<proto::trading::v1::OrderReply, TradingError>> {
    join_all(members.map(|member| committer.place(order_of(member)))).await
}
