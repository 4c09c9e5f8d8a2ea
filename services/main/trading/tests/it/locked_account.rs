//! An account locked by another transaction: its orders wait or get 503, those of others do neither.

use std::ops::Range;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use bootstrap::deadline::{self, Deadline};
use futures_util::future::join_all;
use kernel::{MemberId, RequestId, Won};
use proto::trading::v1 as wire;
use secrecy::SecretString;
use sqlx::{PgPool, Postgres, Transaction};
use tonic::{Code, Status};
use trading::accounts::open::AccountChoice;
use trading::error::TradingError;
use trading::store::request::{RequestDigest, RequestKind};
use trading::transfers::TransferTarget;
use trading::transfers::transfer::Transfer;

use crate::connected::Connected;
use crate::front::{CONNECTIONS, Front, METRICS};
use crate::world::{BITCOIN, SAMSUNG, World, buy, reason};

const HELD: i64 = 100_001;
const OTHERS: Range<i64> = 100_002..100_022;
/// Keys of the orders that meet the locked account.
const KEYS: [&str; 3] = ["held-key-1", "held-key-2", "held-key-3"];

const CALM: Duration = Duration::from_secs(4);
const LOCKED: Duration = Duration::from_secs(10);
/// Nobody else waits as long as this; a lock is waited for twice as long.
const SOON: Duration = Duration::from_secs(1);
/// Less than a locked account is waited for.
const GIVES_UP: Duration = Duration::from_millis(500);
/// What a wait of two seconds may take on a busy machine.
const BOUNDED: Duration = Duration::from_secs(4);

/// A world whose database connections are few and bounded as in production.
pub(crate) async fn world_as_served(pool: &PgPool) -> World {
    let name: String = sqlx::query_scalar("select current_database()")
        .fetch_one(pool)
        .await
        .unwrap();
    let url = SecretString::from(testkit::database_url(&name));
    let connected = bootstrap::database::connect(&url, CONNECTIONS);
    let (own, _) = connected.await.unwrap();
    World::new(own).await
}

async fn lock(pool: &PgPool, member: i64) -> Transaction<'static, Postgres> {
    let mut holder = pool.begin().await.unwrap();
    sqlx::query("select 1 from account where member_id = $1 for update")
        .bind(member)
        .execute(&mut *holder)
        .await
        .unwrap();
    holder
}

fn keyed(member: i64, key: &str) -> wire::PlaceOrderRequest {
    let mut request = buy(member, SAMSUNG, "70000", "1");
    key.clone_into(&mut request.request_id);
    request
}

/// Between two orders of a member, who would have spent everything otherwise.
const THINKS: Duration = Duration::from_millis(30);

/// Lets each of `OTHERS` order one after another for so long; how long each order took.
async fn orders_of_others(world: &World, lasts: Duration) -> Vec<Duration> {
    let until = Instant::now() + lasts;
    let each = OTHERS.map(|member| {
        let client = world.connected();
        async move {
            let mut took = Vec::new();
            while Instant::now() < until {
                let begun = Instant::now();
                let order = buy(member, BITCOIN, "100000000", "0.00005");
                client.place(order).await.unwrap();
                took.push(begun.elapsed());
                tokio::time::sleep(THINKS).await;
            }
            took
        }
    });
    let mut took: Vec<Duration> = join_all(each).await.into_iter().flatten().collect();
    took.sort();
    took
}

fn p99(sorted: &[Duration]) -> Duration {
    sorted[sorted.len() * 99 / 100]
}

/// Asks under the same key again and again, as a client that is told to does; every refusal.
async fn insist(client: Connected, key: &str, lasts: Duration) -> Vec<(Status, Duration)> {
    let until = Instant::now() + lasts;
    let mut refused = Vec::new();
    while Instant::now() < until {
        let begun = Instant::now();
        match client.place(keyed(HELD, key)).await {
            Ok(placed) => panic!("placed behind a lock: {placed:?}"),
            Err(status) => refused.push((status, begun.elapsed())),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    refused
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn orders_of_a_locked_account_do_not_delay_others(pool: PgPool) {
    let world = world_as_served(&pool).await;
    for member in OTHERS.chain([HELD]) {
        world.basic(member).await;
    }
    let calm = orders_of_others(&world, CALM).await;

    let holder = lock(&pool, HELD).await;
    let held = join_all(KEYS.map(|key| insist(world.connected(), key, LOCKED - BOUNDED)));
    let (refused, crowded) = tokio::join!(held, orders_of_others(&world, LOCKED));
    eprintln!(
        "p99 {:?} of {} orders without the lock, {:?} of {} with it",
        p99(&calm),
        calm.len(),
        p99(&crowded),
        crowded.len()
    );
    assert!(p99(&crowded) < SOON, "{:?}", p99(&crowded));
    for (status, took) in refused.into_iter().flatten() {
        assert_eq!(
            (status.code(), reason(&status)),
            (Code::Aborted, "UNAVAILABLE".to_owned()),
            "nobody asked twice at a time"
        );
        assert!(took < BOUNDED, "{took:?}");
    }

    holder.rollback().await.unwrap();
    for key in KEYS {
        let placed = world.place(keyed(HELD, key)).await.unwrap();
        let again = world.place(keyed(HELD, key)).await.unwrap();
        assert!(again.replayed);
        assert_eq!(placed.order, again.order);
    }
    let orders = "select count(*) from trade_order where member_id = 100001";
    assert_eq!(world.count(orders).await, 3, "each once");
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_locked_account_does_not_open_the_circuit_breaker(pool: PgPool) {
    let world = world_as_served(&pool).await;
    let front = Front::before(&world).await;
    assert!(front.order(HELD, "before").await.is_done());
    let holder = lock(&pool, HELD).await;
    // More than the gateway needs to stop asking a service.
    let keys: Vec<String> = (0..30).map(|number| format!("locked-{number}")).collect();
    let refused = join_all(keys.iter().map(|key| front.order(HELD, key))).await;
    for response in refused {
        assert!(!response.is_done(), "{response:?}");
    }
    assert!(front.order(HELD + 1, "after").await.is_done());
    assert_eq!(front.breaker_refusals(), 0);
    holder.rollback().await.unwrap();
    assert!(front.order(HELD, "locked-0").await.is_done());
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn changes_of_a_locked_account_hold_no_connections(pool: PgPool) {
    let world = world_as_served(&pool).await;
    let order = world.placed(buy(HELD, SAMSUNG, "70000", "1")).await;
    for member in OTHERS {
        world.basic(member).await;
    }
    let holder = lock(&pool, HELD).await;
    let client = world.connected();
    let impatient = join_all((0..3 * CONNECTIONS).map(|_| client.cancel(&order, HELD)));
    let (canceled, crowded) = tokio::join!(impatient, orders_of_others(&world, CALM));
    assert!(p99(&crowded) < SOON, "{:?}", p99(&crowded));
    for refused in canceled {
        assert_eq!(reason(&refused.unwrap_err()), "UNAVAILABLE");
    }
    holder.rollback().await.unwrap();
    world.cancel(&order, HELD).await.unwrap();
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_fill_waits_for_a_locked_account_and_happens_once(pool: PgPool) {
    LazyLock::force(&METRICS);
    let mut world = world_as_served(&pool).await;
    let order = world.placed(buy(HELD, SAMSUNG, "", "1")).await;
    world.log(Vec::new()).await;
    let holder = lock(&pool, HELD).await;
    // Longer than two waits for a lock.
    let release = tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(5)).await;
        holder.rollback().await.unwrap();
    });
    world.trade(SAMSUNG, "71300", 1_000).await;
    release.await.unwrap();
    let waits = METRICS.render();
    assert!(
        waits.contains("trading_matcher_lock_waits_total 2"),
        "{waits}"
    );
    let detail = world.detail(HELD, order.order_id).await;
    assert_eq!(detail.fills.len(), 1);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn nothing_is_done_for_a_caller_who_gave_up_before_the_account_was_free(pool: PgPool) {
    let world = World::new(pool.clone()).await;
    world.basic(HELD).await;
    let moved = Transfer {
        member_id: MemberId(HELD),
        request_id: RequestId::parse("given-up-and-repeated").unwrap(),
        digest: RequestDigest::new(RequestKind::Transfer, &()),
        from: AccountChoice::Basic,
        to: TransferTarget::parse("01").unwrap(),
        amount: Won(1_000),
    };
    let holder = lock(&pool, HELD).await;
    // A repetition may be refused meanwhile, as in the competition mode, and the reason pass.
    let given_up = deadline::scope(Deadline::within(GIVES_UP), world.store.transfer(&moved));
    let is_free = async {
        tokio::time::sleep(GIVES_UP * 2).await;
        holder.rollback().await.unwrap();
    };
    let (late, ()) = tokio::join!(given_up, is_free);
    assert!(
        matches!(late, Err(TradingError::DeadlinePassed)),
        "{late:?}"
    );
    assert_eq!(world.count("select count(*) from transfer").await, 0);

    let again = world.store.transfer(&moved).await.unwrap();
    assert!(!again.replayed);
    world.audit().await;
}
