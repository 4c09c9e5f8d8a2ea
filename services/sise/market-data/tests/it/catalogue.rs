use kernel::FixedClock;
use market_data::catalogue::Catalogue;
use market_data::config::{MarketClock, MarketFeed};
use market_data::error::MarketError;
use market_data::seed::{MARKET, REPLAY, Universe};
use market_data::store::Store;
use sqlx::PgPool;

use crate::world::noon;

async fn seeded(store: &Store, universe: &Universe) -> (bool, Catalogue) {
    let written = store
        .apply_seed(universe, &FixedClock::at(noon()))
        .await
        .unwrap();
    (written, store.catalogue().await.unwrap())
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_seed_is_read_back_as_it_was_written(pool: PgPool) {
    let universe = MARKET.read().unwrap();
    let (written, catalogue) = seeded(&Store::new(pool), &universe).await;
    assert!(written);
    assert_eq!(catalogue.instruments().len(), 483);
    for (stored, given) in catalogue.instruments().iter().zip(&universe.instruments) {
        assert_eq!(stored.as_ref(), given);
    }
    assert_eq!(catalogue.indices(), universe.indices);
    assert_eq!(catalogue.currencies(), universe.currencies);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn the_same_seed_again_changes_nothing_and_another_one_updates(pool: PgPool) {
    let store = Store::new(pool.clone());
    let mut universe = MARKET.read().unwrap();
    seeded(&store, &universe).await;
    assert!(!seeded(&store, &universe).await.0);

    universe.digest = "another".to_owned();
    universe.instruments[0].korean_name = "새 이름".to_owned();
    universe.instruments.remove(1);
    let (written, catalogue) = seeded(&store, &universe).await;
    assert!(written);
    assert_eq!(catalogue.get("005930").unwrap().korean_name, "새 이름");
    assert!(
        catalogue.get("000660").is_some(),
        "a row that members may hold stays"
    );
    for (table, rows) in [
        ("savings_product", 56),
        ("savings_option", 186),
        ("sector", 655),
    ] {
        let count = sqlx::AssertSqlSafe(format!("select count(*) from {table}"));
        let count: i64 = sqlx::query_scalar(count).fetch_one(&pool).await.unwrap();
        assert_eq!(count, rows, "{table}");
    }
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn the_replay_has_a_universe_of_its_own(pool: PgPool) {
    let (_, catalogue) = seeded(&Store::new(pool), &REPLAY.read().unwrap()).await;
    assert_eq!(catalogue.instruments().len(), 5);
    assert_eq!(catalogue.get("FB").unwrap().korean_name, "페이스북");
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_database_keeps_its_clock_and_feed(pool: PgPool) {
    let store = Store::new(pool);
    let clock = FixedClock::at(noon());
    let claim = |market_clock, feed| store.claim_market(market_clock, feed, &clock);
    let begun = claim(MarketClock::Practice, MarketFeed::Builtin)
        .await
        .unwrap();
    clock.advance(chrono::TimeDelta::days(3));
    let again = claim(MarketClock::Practice, MarketFeed::Builtin)
        .await
        .unwrap();
    assert_eq!(begun, again);
    for (market_clock, feed) in [
        (MarketClock::Exchange, MarketFeed::Builtin),
        (MarketClock::Practice, MarketFeed::Replay),
    ] {
        let refused = claim(market_clock, feed).await.unwrap_err();
        assert!(
            matches!(refused, MarketError::OtherMarket { .. }),
            "{refused}"
        );
        assert!(refused.to_string().contains("make reset"), "{refused}");
    }
}
