//! A database that others hold: its connections, its rows.

use std::ops::Range;

use futures_util::future::join_all;
use messaging::Amqp;
use messaging::outbox::Relay;
use secrecy::SecretString;
use sqlx::{Connection, Executor, PgConnection, PgPool};
use tokio_util::sync::CancellationToken;
use trading::events;

use crate::front::{CONNECTIONS, Front, TIMEOUT};
use crate::world::{SAMSUNG, World, buy};

const MEMBERS: Range<i64> = 100_001..100_061;
const ME: i64 = 100_001;
const OTHER: i64 = 100_002;

async fn url_of(pool: &PgPool) -> String {
    let name: String = sqlx::query_scalar("select current_database()")
        .fetch_one(pool)
        .await
        .unwrap();
    testkit::database_url(&name)
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn without_a_free_connection_everyone_is_refused_and_nobody_hangs(pool: PgPool) {
    let url = SecretString::from(url_of(&pool).await);
    let connected = bootstrap::database::connect(&url, CONNECTIONS);
    let (own, _) = connected.await.unwrap();
    let mut world = World::new(own.clone()).await;
    let front = Front::before(&world).await;
    // Also of members that were never seen: their account would have to be opened first.
    assert!(front.order(ME, "calm").await.is_done());

    let held = join_all((0..CONNECTIONS).map(|_| own.acquire())).await;
    assert!(held.iter().all(Result::is_ok));
    let (ordered, read) = tokio::join!(
        front.orders(MEMBERS, "held"),
        join_all(MEMBERS.map(|member| front.waiting(member))),
    );
    for response in ordered.into_iter().chain(read) {
        assert!(!response.is_done(), "{response:?}");
    }

    drop(held);
    for member in MEMBERS {
        let again = async || front.order(member, "held").await.is_done();
        testkit::eventually(TIMEOUT, again).await;
    }
    own.close().await;
    world.pool = pool;
    // Each of them once, and the one from before.
    let placed = world.count("select count(*) from trade_order").await;
    assert_eq!(placed, MEMBERS.end - MEMBERS.start + 1);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_forgotten_transaction_is_cut_and_what_waited_for_it_goes_on(pool: PgPool) {
    bootstrap::database::cut_idle_transactions(&pool)
        .await
        .unwrap();
    let url = url_of(&pool).await;
    let secret = SecretString::from(url.as_str());
    let (own, _) = bootstrap::database::connect(&secret, CONNECTIONS)
        .await
        .unwrap();
    let mut world = World::new(own.clone()).await;
    world.placed(buy(ME, SAMSUNG, "70000", "1")).await;
    world.placed(buy(OTHER, SAMSUNG, "70000", "1")).await;
    let unsent = "select count(*) from outbox";
    assert!(world.count(unsent).await > 0);

    // Somebody at a console looks at an account and at the events, and goes to lunch.
    let mut console = PgConnection::connect(&url).await.unwrap();
    console.execute("begin").await.unwrap();
    for look in [
        "select 1 from account where member_id = 100001 for update",
        "select 1 from outbox for update",
    ] {
        console.execute(look).await.unwrap();
    }
    let stop = CancellationToken::new();
    let amqp = Amqp::new(&testkit::amqp_url()).unwrap();
    let relay = Relay::new(own.clone(), amqp, "trading").with_live(&events::LIVE);
    tokio::spawn(relay.run(stop.clone()));

    // Others go on meanwhile; in the end so does whoever is locked out, and every event leaves.
    world.placed(buy(OTHER, SAMSUNG, "70000", "1")).await;
    let mut order = buy(ME, SAMSUNG, "70000", "1");
    order.request_id = "after-lunch".to_owned();
    testkit::eventually(TIMEOUT, async || world.place(order.clone()).await.is_ok()).await;
    testkit::eventually(TIMEOUT, async || world.count(unsent).await == 0).await;
    let cut = console.execute("select 1").await;
    assert!(cut.is_err(), "the console was cut off");
    stop.cancel();
    own.close().await;
    world.pool = pool;
    world.audit().await;
}
