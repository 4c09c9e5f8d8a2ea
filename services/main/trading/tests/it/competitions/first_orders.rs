//! Orders in the mode of a member who has no event yet: the first one joins the practice league.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use proto::trading::v1 as wire;
use sqlx::PgPool;
use tonic::Code;

use super::{BITCOIN, CompetitionWorld, ME, OTHER, SAMSUNG, in_competition, reason};
use crate::world::buy;

const OTHERS: std::ops::Range<i64> = OTHER..OTHER + 20;
/// A lock is waited for twice as long.
const SOON: Duration = Duration::from_secs(1);
const ENTRIES: &str = "select count(*) from competition_entry";

fn first(key: &str) -> wire::PlaceOrderRequest {
    wire::PlaceOrderRequest {
        request_id: key.to_owned(),
        ..in_competition(buy(ME, SAMSUNG, "70000", "1"))
    }
}

impl CompetitionWorld {
    /// The member competes, as of a month whose league is not joined yet.
    async fn in_a_new_month(pool: PgPool) -> Self {
        let world = Self::new(pool).await;
        world.world.basic(ME).await;
        let update = "update account set competition_mode = true where member_id = 100001";
        world.sql(update).await;
        world
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn nobody_waits_for_the_locked_account_of_another_who_joins(pool: PgPool) {
    let world = CompetitionWorld::in_a_new_month(pool).await;
    for member in OTHERS {
        world.world.basic(member).await;
    }
    let mut holder = world.world.pool.begin().await.unwrap();
    sqlx::query("select from account where member_id = $1 for update")
        .bind(ME)
        .execute(&mut *holder)
        .await
        .unwrap();
    let client = world.world.connected();
    let orders_of_others = async {
        // The order that must join is on its way.
        tokio::time::sleep(Duration::from_millis(100)).await;
        let begun = Instant::now();
        let orders = OTHERS.map(|member| client.place(buy(member, BITCOIN, "100000000", "0.001")));
        for placed in join_all(orders).await {
            placed.unwrap();
        }
        begun.elapsed()
    };
    let (refused, took) = tokio::join!(client.place(first("first-order-1")), orders_of_others);
    assert!(took < SOON, "{took:?}");
    let refused = refused.unwrap_err();
    assert_eq!(
        (refused.code(), reason(&refused).as_str()),
        (Code::Aborted, "UNAVAILABLE")
    );
    assert_eq!(world.world.count(ENTRIES).await, 0);

    holder.rollback().await.unwrap();
    let placed = world.world.place(first("first-order-1")).await.unwrap();
    assert!(!placed.replayed);
    assert_eq!(world.mode(ME).await.title, "11월 연습 리그");
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn first_orders_at_once_join_once(pool: PgPool) {
    let world = CompetitionWorld::in_a_new_month(pool).await;
    let client = world.world.connected();
    let keys: Vec<String> = (0..8)
        .map(|number| format!("first-order-{number}"))
        .collect();
    let orders = keys.iter().map(|key| client.place(first(key)));
    for placed in join_all(orders).await {
        placed.unwrap();
    }
    assert_eq!(world.world.count(ENTRIES).await, 1);
    assert_eq!(world.world.waiting(ME).await.len(), keys.len());
    world.world.audit().await;
}
