//! What an order may not do in a competition.

use std::sync::Arc;

use kernel::{Quantity, WarningCode};
use proto::trading::v1::trading_service_client::TradingServiceClient;
use rust_decimal::Decimal;
use sqlx::PgPool;
use tonic::service::Routes;
use trading::grpc::Trading;
use trading::market_cache::MarketCache;
use trading::orders::committer::Committer;
use trading::store::{AccountPolicy, Store};
use trading::tick_log::Batch;

use super::{APPLE, CompetitionWorld, ME, SAMSUNG, in_competition, reason};
use crate::world::{DAY, buy, listing, sell};

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn no_more_than_forty_percent_are_in_one_item(pool: PgPool) {
    let mut world = CompetitionWorld::new(pool).await;
    world.compete(ME).await;
    let most = 4_000_000;
    // 56 shares for 3,993,398 won with the fee.
    let refused = world
        .world
        .place(in_competition(buy(ME, SAMSUNG, "71300", "57")))
        .await;
    let refused = refused.unwrap_err();
    assert_eq!(reason(&refused), "COMPETITION_CONCENTRATION");
    let facts = bootstrap::problem::of(&refused).unwrap().facts;
    assert_eq!(facts["most"], most.to_string());
    world
        .world
        .placed(in_competition(buy(ME, SAMSUNG, "71300", "50")))
        .await;
    // What waits counts.
    let refused = world
        .world
        .place(in_competition(buy(ME, SAMSUNG, "71300", "7")))
        .await;
    assert_eq!(reason(&refused.unwrap_err()), "COMPETITION_CONCENTRATION");
    world
        .world
        .placed(in_competition(buy(ME, SAMSUNG, "71300", "6")))
        .await;
    // Another item has a share of its own.
    world
        .world
        .placed(in_competition(buy(ME, APPLE, "230", "10")))
        .await;

    // What is owned counts at its price, and equity grows with it.
    world.world.trade(SAMSUNG, "71200", 100_000).await;
    world.world.trade(SAMSUNG, "80000", 1).await;
    let refused = world
        .world
        .place(in_competition(buy(ME, SAMSUNG, "80000", "1")))
        .await;
    assert_eq!(reason(&refused.unwrap_err()), "COMPETITION_CONCENTRATION");
    world
        .world
        .placed(in_competition(sell(ME, SAMSUNG, "80000", "56")))
        .await;
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_modification_releases_what_it_replaces(pool: PgPool) {
    let world = CompetitionWorld::new(pool).await;
    world.compete(ME).await;
    let placed = in_competition(buy(ME, SAMSUNG, "71300", "56"));
    let placed = world.world.placed(placed).await;
    let modify = |key: &str, quantity: &str| proto::trading::v1::ModifyOrderRequest {
        member_id: ME,
        request_id: key.to_owned(),
        order_id: placed.order_id,
        side: placed.side,
        category: placed.category,
        quantity: crate::world::dec(quantity),
        ..Default::default()
    };
    let refused = world
        .world
        .orders
        .clone()
        .modify_order(modify("more-of-it", "57"))
        .await;
    assert_eq!(reason(&refused.unwrap_err()), "COMPETITION_CONCENTRATION");
    let less = world
        .world
        .orders
        .clone()
        .modify_order(modify("less-of-it", "55"))
        .await;
    less.unwrap();
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn no_more_than_a_tenth_of_a_days_volume_is_ordered(pool: PgPool) {
    let mut world = CompetitionWorld::new(pool).await;
    world.compete(ME).await;
    let volume = Quantity(Decimal::from(200));
    world
        .world
        .market_cache
        .set_volume_before(SAMSUNG, DAY, volume);
    let refused = world
        .world
        .place(in_competition(buy(ME, SAMSUNG, "71300", "21")))
        .await;
    let refused = refused.unwrap_err();
    assert_eq!(reason(&refused), "COMPETITION_VOLUME");
    world
        .world
        .placed(in_competition(buy(ME, SAMSUNG, "71300", "15")))
        .await;
    world.world.trade(SAMSUNG, "71200", 100_000).await;
    // Fills of the day count as what waits does, also of a sale.
    let refused = world
        .world
        .place(in_competition(sell(ME, SAMSUNG, "", "6")))
        .await;
    let refused = refused.unwrap_err();
    assert_eq!(reason(&refused), "COMPETITION_VOLUME");
    assert_eq!(bootstrap::problem::of(&refused).unwrap().facts["most"], "5");
    world
        .world
        .placed(in_competition(sell(ME, SAMSUNG, "", "5")))
        .await;
    // Outside it is no rule.
    world.set_mode(ME, false, 0).await.unwrap();
    world.world.placed(buy(ME, SAMSUNG, "71300", "21")).await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn cheap_and_risky_items_can_be_sold_and_not_bought(pool: PgPool) {
    let mut world = CompetitionWorld::new(pool).await;
    world.compete(ME).await;
    world
        .world
        .placed(in_competition(buy(ME, SAMSUNG, "", "2")))
        .await;
    world.world.trade(SAMSUNG, "71300", 1_000).await;
    let mut risky = listing(SAMSUNG);
    risky.warning = WarningCode::Warning;
    world
        .world
        .market_cache
        .set_listings([risky, listing(APPLE)]);
    let mut bought = in_competition(buy(ME, SAMSUNG, "71300", "1"));
    bought.risk_acknowledged = true;
    let refused = world.world.place(bought).await.unwrap_err();
    assert_eq!(reason(&refused), "COMPETITION_WARNING");
    let mut sold = in_competition(sell(ME, SAMSUNG, "71300", "1"));
    sold.risk_acknowledged = true;
    world.world.placed(sold).await;

    world.world.trade(APPLE, "0.99", 1_000).await;
    let refused = world
        .world
        .place(in_competition(buy(ME, APPLE, "0.99", "1")))
        .await;
    assert_eq!(reason(&refused.unwrap_err()), "COMPETITION_PRICE");
    world.world.trade(APPLE, "1.00", 1_000).await;
    world
        .world
        .placed(in_competition(buy(ME, APPLE, "1.00", "1")))
        .await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn before_any_venue_is_known_a_price_is_awaited(pool: PgPool) {
    let mut world = CompetitionWorld::new(pool).await;
    world.compete(ME).await;
    world
        .world
        .placed(in_competition(buy(ME, SAMSUNG, "", "2")))
        .await;
    world.world.trade(SAMSUNG, "71300", 1_000).await;

    // A process that has begun since, and has read a batch of the log and nothing else.
    let market_cache = MarketCache::default();
    market_cache.apply(&Batch {
        offset: world.world.offset,
        epoch: world.world.epoch,
        closed_at: world.world.now,
        records: Vec::new(),
    });
    let store = Store::new(
        world.world.db(),
        Arc::new(market_cache),
        Arc::new(world.world.clock.clone()),
        AccountPolicy::default(),
    );
    let committer = Committer::start(&store);
    let served = testkit::serve(Routes::new(Trading::server(store, committer))).await;
    let client = TradingServiceClient::connect(served.url.clone()).await;
    let order = in_competition(buy(ME, SAMSUNG, "70000", "1"));
    let refused = client.unwrap().place_order(order.clone()).await;
    assert_eq!(reason(&refused.unwrap_err()), "MARKET_UNAVAILABLE");
    // Nothing was stored for it.
    assert!(!world.world.place(order).await.unwrap().replayed);
    world.world.audit().await;
}
