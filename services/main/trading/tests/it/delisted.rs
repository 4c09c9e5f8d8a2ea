//! What nobody can trade any more and has no other price counts at its last close, and keeps no member from
//! points or from a new season.

mod splits;

use std::sync::Arc;

use kernel::clock::KST;
use proto::trading::v1 as wire;
use proto::trading::v1::point_service_client::PointServiceClient;
use proto::trading::v1::profit_service_client::ProfitServiceClient;
use proto::trading::v1::season_service_client::SeasonServiceClient;
use sqlx::PgPool;
use testkit::Served;
use tonic::{Code, Status};
use trading::accounts::account::Totals;
use trading::domain::market::Listing;
use trading::domain::split::SplitRatio;
use trading::grpc::Service;
use trading::market_cache::MarketCache;
use trading::store::{AccountPolicy, Store};
use trading::tick_log::{Batch, Scope, SessionRecordKind};

use crate::equity::closes::Closes;
use crate::points::{ME, earn};
use crate::profits::all;
use crate::seasons::reset;
use crate::world::{APPLE, BITCOIN, DAY, SAMSUNG, World, buy, listing, member, reason};

const COST: &str = "select sum(cost_won)::bigint from holding where quantity > 0";

/// A process that has begun since, with these instruments and without any price.
struct Process {
    store: Store,
    served: Served,
}

impl Process {
    async fn begin(world: &World, listings: Vec<Listing>) -> Self {
        let market_cache = MarketCache::default();
        market_cache.set_listings(listings);
        market_cache.apply(&Batch {
            offset: world.offset,
            epoch: world.epoch,
            closed_at: world.now,
            records: Vec::new(),
        });
        let store = Store::new(
            world.db(),
            Arc::new(market_cache),
            Arc::new(world.clock.clone()),
            AccountPolicy::default(),
        );
        let served = testkit::serve(Service::routes(store.clone())).await;
        Self { store, served }
    }

    async fn totals(&self) -> Totals {
        let summary = self.store.account_summary(member(ME)).await;
        summary.unwrap().totals
    }

    async fn transfer(&self, points: i64, key: &str) -> Result<wire::MovePointsReply, Status> {
        let client = PointServiceClient::connect(self.served.url.clone()).await;
        let request = wire::MovePointsRequest {
            member_id: ME,
            request_id: key.to_owned(),
            points,
            account_no: String::new(),
        };
        let moved = client.unwrap().move_points(request).await;
        moved.map(tonic::Response::into_inner)
    }

    async fn reset(&self, key: &str) -> Result<wire::ResetReply, Status> {
        let client = SeasonServiceClient::connect(self.served.url.clone()).await;
        let begun = client.unwrap().reset(reset(ME, key, false)).await;
        begun.map(tonic::Response::into_inner)
    }

    /// All gains less costs.
    async fn gained(&self) -> i64 {
        let client = ProfitServiceClient::connect(self.served.url.clone()).await;
        let listed = client.unwrap().list_profits(all(ME)).await;
        listed.unwrap().into_inner().summary.unwrap().total_won
    }
}

/// A member with points, ten shares of one company and two of another; returns what is left in cash.
async fn owner(world: &mut World) -> i64 {
    earn(world, ME, "quiz-1", 10).await;
    world.placed(buy(ME, SAMSUNG, "", "10")).await;
    world.placed(buy(ME, APPLE, "", "2")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    world.trade(APPLE, "230.50", 1_000).await;
    world.basic(ME).await.deposit_won
}

/// Yesterday ended at these prices, and a dollar at 1,470 won.
async fn closed_at(world: &mut World, prices: &[(&str, &str)]) {
    let closes = Closes::new().await;
    closes.tell(prices);
    let mut worker = closes.worker(world);
    let today = world.now.with_timezone(&KST).date_naive();
    world
        .day_closed(&mut worker, today.pred_opt().unwrap())
        .await;
}

fn suspended(code: &str) -> Listing {
    Listing {
        tradable: false,
        ..listing(code)
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_was_removed_counts_at_its_last_close(pool: PgPool) {
    let mut world = World::new(pool).await;
    let cash = owner(&mut world).await;
    closed_at(&mut world, &[(SAMSUNG, "70000"), (APPLE, "200")]).await;
    let process = Process::begin(&world, vec![listing(BITCOIN)]).await;
    let worth = 700_000 + 2 * 200 * 1_470;
    let totals = process.totals().await;
    assert_eq!(totals.total.0, cash + worth);
    assert_eq!(process.gained().await, totals.total.0 - totals.base.0);

    let moved = process.transfer(2, "transfer-1").await.unwrap();
    assert_eq!((moved.won, moved.replayed), (2_000, false));
    assert!(process.transfer(2, "transfer-1").await.unwrap().replayed);
    let begun = process.reset("reset-me-1").await.unwrap();
    assert_eq!((begun.season, begun.replayed), (2, false));
    let past = world.seasons(ME).await.past;
    assert_eq!(past[0].total_won, cash + 2_000 + worth);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_suspended_share_without_a_price_counts_at_its_last_close(pool: PgPool) {
    let mut world = World::new(pool).await;
    let cash = owner(&mut world).await;
    closed_at(&mut world, &[(SAMSUNG, "70000"), (APPLE, "200")]).await;
    let listings = vec![suspended(SAMSUNG), suspended(APPLE)];
    let process = Process::begin(&world, listings).await;
    let total = process.totals().await.total.0;
    assert_eq!(total, cash + 700_000 + 2 * 200 * 1_470);
    process.transfer(2, "transfer-1").await.unwrap();
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_price_that_may_still_come_is_waited_for(pool: PgPool) {
    let mut world = World::new(pool).await;
    owner(&mut world).await;
    closed_at(&mut world, &[(SAMSUNG, "70000"), (APPLE, "200")]).await;
    let listings = vec![suspended(SAMSUNG), listing(APPLE)];
    let process = Process::begin(&world, listings).await;
    for refused in [
        process.transfer(2, "transfer-1").await.unwrap_err(),
        process.reset("reset-me-1").await.unwrap_err(),
    ] {
        assert_eq!(refused.code(), Code::FailedPrecondition);
        assert_eq!(reason(&refused), "MARKET_UNAVAILABLE");
    }
    // The same requests, once it can be traded no more.
    let process = Process::begin(&world, vec![suspended(SAMSUNG)]).await;
    process.transfer(2, "transfer-1").await.unwrap();
    process.reset("reset-me-1").await.unwrap();
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_never_had_a_close_counts_at_its_cost(pool: PgPool) {
    let mut world = World::new(pool).await;
    let cash = owner(&mut world).await;
    let process = Process::begin(&world, vec![listing(BITCOIN)]).await;
    let cost = world.count(COST).await;
    assert_eq!(process.totals().await.total.0, cash + cost);
    process.transfer(2, "transfer-1").await.unwrap();
    process.reset("reset-me-1").await.unwrap();
    let past = world.seasons(ME).await.past;
    assert_eq!(past[0].total_won, cash + 2_000 + cost);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_suspended_share_that_was_split_waits_for_its_close(pool: PgPool) {
    let mut world = World::new(pool).await;
    let cash = owner(&mut world).await;
    closed_at(&mut world, &[(SAMSUNG, "70000"), (APPLE, "200")]).await;
    let ratio = SplitRatio {
        numerator: 2,
        denominator: 1,
    };
    let scope = Scope::Code(SAMSUNG.to_owned());
    let split = world.session_record(SessionRecordKind::Split(ratio), scope, DAY + 1);
    world.log(vec![split]).await;
    let listings = || vec![suspended(SAMSUNG), suspended(APPLE)];
    let process = Process::begin(&world, listings()).await;
    let refused = process.transfer(2, "transfer-1").await.unwrap_err();
    assert_eq!(reason(&refused), "MARKET_UNAVAILABLE");

    world.now = "2026-11-21T15:00:15Z".parse().unwrap();
    world.clock.set(world.now);
    closed_at(&mut world, &[(SAMSUNG, "35000"), (APPLE, "200")]).await;
    let process = Process::begin(&world, listings()).await;
    let total = process.totals().await.total.0;
    assert_eq!(total, cash + 20 * 35_000 + 2 * 200 * 1_470);
    process.transfer(2, "transfer-1").await.unwrap();
    world.audit().await;
}
