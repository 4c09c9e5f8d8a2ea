//! Long lists that are asked for at once leave connections to everybody else.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use proto::trading::v1 as wire;
use sqlx::PgPool;
use tonic::Code;

use super::{ME, OTHER, all};
use crate::front::CONNECTIONS;
use crate::locked_account::world_as_served;
use crate::world::reason;

/// Whoever waits for a lock waits for twice as long.
const SOON: Duration = Duration::from_secs(1);

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn lists_of_gains_do_not_take_all_connections(pool: PgPool) {
    let world = world_as_served(&pool).await;
    for member in [ME, OTHER] {
        world.basic(member).await;
    }
    // A list is read for as long as this is held.
    let mut holder = pool.begin().await.unwrap();
    sqlx::query("lock table contract_interest in access exclusive mode")
        .execute(&mut *holder)
        .await
        .unwrap();
    let lists = join_all((0..2 * CONNECTIONS).map(|_| world.listed_profits(all(ME))));
    let others = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let begun = Instant::now();
        let request = wire::GetBalancesRequest { member_id: OTHER };
        let balances = world.client.clone().get_balances(request).await;
        balances.unwrap();
        begun.elapsed()
    };
    let (lists, took) = tokio::join!(lists, others);
    assert!(took < SOON, "{took:?}");
    let refused = lists.into_iter().filter_map(Result::err);
    let mut crowded = refused.filter(|status| status.code() == Code::Aborted);
    let first = crowded.next().unwrap();
    assert_eq!(reason(&first), "UNAVAILABLE");
    let problem = bootstrap::problem::of(&first).unwrap();
    assert_eq!(
        problem.message,
        "지금은 조회가 몰려 있어요. 잠시 후 다시 시도해 주세요."
    );
    holder.rollback().await.unwrap();
    // Of those who come again all are served, one after another.
    for listed in join_all((0..2 * CONNECTIONS).map(|_| world.listed_profits(all(ME)))).await {
        listed.unwrap();
    }
    world.audit().await;
}
