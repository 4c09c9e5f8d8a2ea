//! What moves money by the value of holdings waits until shares and prices are in the same units.

use std::sync::Arc;

use proto::trading::v1 as wire;
use proto::trading::v1::point_service_client::PointServiceClient;
use proto::trading::v1::season_service_client::SeasonServiceClient;
use sqlx::PgPool;
use testkit::Served;
use tonic::{Code, Status};
use trading::domain::split::SplitRatio;
use trading::grpc::Service;
use trading::market_cache::MarketCache;
use trading::store::{AccountPolicy, Store};
use trading::tick_log::{Batch, Scope, SessionRecordKind};

use crate::points::{ME, earn, transfer};
use crate::seasons::reset;
use crate::world::{APPLE, DAY, SAMSUNG, World, buy, number, reason};

const SEASONS: &str = "select count(*) from past_season";
const OPENED: i64 = 5_000_000;
const REQUESTS: &str = "select count(*) from request";

fn awaited(refused: &Status) {
    assert_eq!(
        (refused.code(), reason(refused).as_str()),
        (Code::FailedPrecondition, "MARKET_UNAVAILABLE")
    );
}

impl World {
    /// One share becomes two.
    fn halved(&mut self, code: &str, day: i32) -> Batch {
        let ratio = SplitRatio {
            numerator: 2,
            denominator: 1,
        };
        let scope = Scope::Code(code.to_owned());
        let split = self.session_record(SessionRecordKind::Split(ratio), scope, day);
        self.batch(vec![split])
    }

    /// A process that knows no prices.
    async fn unpriced(&self) -> Served {
        let store = Store::new(
            self.db(),
            Arc::new(MarketCache::default()),
            Arc::new(self.clock.clone()),
            AccountPolicy::default(),
        );
        testkit::serve(Service::routes(store)).await
    }
}

async fn transfer_at(
    served: &Served,
    points: i64,
    key: &str,
) -> Result<wire::MovePointsReply, Status> {
    let client = PointServiceClient::connect(served.url.clone()).await;
    let request = wire::MovePointsRequest {
        member_id: ME,
        request_id: key.to_owned(),
        points,
        account_no: String::new(),
    };
    let moved = client.unwrap().move_points(request).await;
    moved.map(tonic::Response::into_inner)
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn points_wait_until_a_split_has_divided_shares_and_price(pool: PgPool) {
    let mut world = World::new(pool).await;
    earn(&world, ME, "quiz-1", 10).await;
    world.placed(buy(ME, SAMSUNG, "", "10")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;

    // The market cache is ahead of the matcher.
    let split = world.halved(SAMSUNG, DAY + 1);
    world.market_cache.apply(&split);
    let before = world.count(REQUESTS).await;
    awaited(&transfer(&world, 2, "transfer-1").await.unwrap_err());
    assert_eq!(world.count(REQUESTS).await, before);
    world.shard.process(split).await.unwrap();
    let moved = transfer(&world, 2, "transfer-1").await.unwrap();
    assert_eq!((moved.won, moved.replayed), (2_000, false));

    // The matcher is ahead of the market cache.
    let split = world.halved(SAMSUNG, DAY + 2);
    world.shard.process(split.clone()).await.unwrap();
    awaited(&transfer(&world, 2, "transfer-2").await.unwrap_err());
    world.market_cache.apply(&split);
    transfer(&world, 2, "transfer-2").await.unwrap();
    // What was stored is replayed whatever the prices are.
    assert!(transfer(&world, 2, "transfer-1").await.unwrap().replayed);
    let owned = world.holdings(ME).await;
    assert_eq!(number(&owned[0].quantity), 40.into());
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn shares_that_were_bought_since_a_split_are_in_its_units(pool: PgPool) {
    let mut world = World::new(pool).await;
    earn(&world, ME, "quiz-1", 10).await;
    let split = world.halved(APPLE, DAY + 1);
    world.market_cache.apply(&split);
    world.shard.process(split).await.unwrap();
    world.traded_on(APPLE, "115.25", DAY + 1).await;
    world.placed(buy(ME, APPLE, "", "2")).await;
    world.traded_on(APPLE, "115.25", DAY + 1).await;
    assert_eq!(world.holdings(ME).await.len(), 1);
    transfer(&world, 2, "transfer-1").await.unwrap();
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn points_wait_for_the_prices_of_what_a_member_owns(pool: PgPool) {
    let mut world = World::new(pool).await;
    earn(&world, ME, "quiz-1", 10).await;
    let unpriced = world.unpriced().await;
    // Cash alone needs no price.
    let moved = transfer_at(&unpriced, 1, "transfer-1").await.unwrap();
    assert_eq!(moved.deposit_won, OPENED + 1_000);
    world.placed(buy(ME, SAMSUNG, "", "1")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    let refused = transfer_at(&unpriced, 2, "transfer-2").await;
    awaited(&refused.unwrap_err());
    // The same request, at a process that knows the price.
    let moved = transfer(&world, 2, "transfer-2").await.unwrap();
    assert!(!moved.replayed);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_season_ends_when_what_it_owned_has_its_value(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.placed(buy(ME, SAMSUNG, "", "10")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    let split = world.halved(SAMSUNG, DAY + 1);
    world.market_cache.apply(&split);
    let again = || reset(ME, "reset-me-1", false);
    awaited(&world.reset(again()).await.unwrap_err());
    assert_eq!(world.count(SEASONS).await, 0);
    world.shard.process(split).await.unwrap();
    let begun = world.reset(again()).await.unwrap();
    assert_eq!((begun.season, begun.replayed), (2, false));
    // Twice the shares at half the price: nothing but a fee is lost.
    let lost = OPENED - world.seasons(ME).await.past[0].total_won;
    assert!((0..5_000).contains(&lost), "{lost}");
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn no_season_ends_before_the_market_is_known(pool: PgPool) {
    let world = World::new(pool).await;
    world.basic(ME).await;
    let unpriced = world.unpriced().await;
    let again = || reset(ME, "reset-me-1", false);
    let client = SeasonServiceClient::connect(unpriced.url.clone()).await;
    let refused = client.unwrap().reset(again()).await;
    awaited(&refused.unwrap_err());
    assert_eq!(world.count(SEASONS).await, 0);
    assert_eq!(world.reset(again()).await.unwrap().season, 2);
    world.audit().await;
}
