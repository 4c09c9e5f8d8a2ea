use kernel::Clock;
use market_data::config::MarketFeed;
use proto::market::v1 as wire;
use rust_decimal_macros::dec;
use sqlx::PgPool;

use crate::world::{World, reason};

async fn list(world: &mut World, request: wire::ListProductsRequest) -> Vec<wire::Product> {
    let products = world.products.list_products(request).await.unwrap();
    products.into_inner().products
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn lists_are_of_a_kind_and_in_an_order(pool: PgPool) {
    let mut world = World::new(pool).await;
    let request = |sort: wire::ProductSort, kind: wire::ProductKind| wire::ListProductsRequest {
        sort: sort.into(),
        kind: kind.into(),
    };
    let all = request(wire::ProductSort::Popular, wire::ProductKind::Unspecified);
    assert_eq!(list(&mut world, all).await.len(), 56);
    let deposits = request(wire::ProductSort::Rate, wire::ProductKind::Deposit);
    let deposits = list(&mut world, deposits).await;
    assert_eq!(deposits.len(), 29);
    assert!(
        deposits
            .iter()
            .all(|product| product.kind() == wire::ProductKind::Deposit)
    );
    let savings = request(wire::ProductSort::Rate, wire::ProductKind::Savings);
    let savings = list(&mut world, savings).await;
    assert_eq!(savings[0].best_rate.as_ref().unwrap().value, "8");
    assert_eq!(savings[0].reserve_type(), wire::ReserveType::Free);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_product_has_terms_and_interest_quotes(pool: PgPool) {
    let mut world = World::new(pool).await;
    let request = wire::GetProductRequest { product_id: 28 };
    let detail = world
        .products
        .get_product(request)
        .await
        .unwrap()
        .into_inner();
    assert_eq!(detail.product.unwrap().bank_name, "카카오뱅크");
    assert_eq!(detail.deposit_insurance_won, 100_000_000);
    assert_eq!(detail.tax_rate.unwrap().value, "15.4");
    assert!(detail.options.is_sorted_by_key(|option| option.term_months));

    let wish = wire::QuoteInterestRequest {
        product_id: 28,
        amount_won: 10_000_000,
        ..wire::QuoteInterestRequest::default()
    };
    let quote = world
        .products
        .quote_interest(wish)
        .await
        .unwrap()
        .into_inner();
    assert_eq!((quote.interest_won, quote.tax_won), (330_000, 50_820));
    assert_eq!(quote.payout_won, 10_279_180);
    assert_eq!(quote.schedule.len(), 12);
    for (amount_won, term_months, told) in [
        (999_999, 12, "INVALID_AMOUNT"),
        (1_000_000, 7, "TERM_NOT_OFFERED"),
    ] {
        let odd = wire::QuoteInterestRequest {
            amount_won,
            term_months,
            ..wish
        };
        let refused = world.products.quote_interest(odd).await.unwrap_err();
        assert_eq!(reason(&refused), told);
    }
    let nothing = wire::GetProductRequest { product_id: 0 };
    let refused = world.products.get_product(nothing).await.unwrap_err();
    assert_eq!(reason(&refused), "PRODUCT_NOT_FOUND");
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn several_quotes_are_one_call_and_each_is_refused_by_itself(pool: PgPool) {
    let mut world = World::new(pool).await;
    let wish = |amount_won, term_months| wire::QuoteInterestRequest {
        product_id: 28,
        amount_won,
        term_months,
        ..wire::QuoteInterestRequest::default()
    };
    let requests = vec![
        wish(10_000_000, 12),
        wish(999_999, 12),
        wish(1_000_000, 7),
        wire::QuoteInterestRequest::default(),
        wish(20_000_000, 12),
    ];
    let mut alone = Vec::new();
    for request in &requests {
        alone.push(world.products.quote_interest(*request).await);
    }
    let request = wire::QuoteInterestsRequest { requests };
    let quotes = world.products.quote_interests(request).await.unwrap();
    let quotes = quotes.into_inner().quotes;
    assert_eq!(quotes.len(), 5);
    for (together, alone) in quotes.into_iter().zip(alone) {
        match alone {
            Ok(alone) => {
                let alone = wire::InterestQuote {
                    schedule: Vec::new(),
                    ..alone.into_inner()
                };
                assert_eq!((together.quote, together.refusal), (Some(alone), None));
            }
            Err(refused) => {
                assert_eq!(together.quote, None);
                assert_eq!(together.refusal.unwrap().reason, reason(&refused));
            }
        }
    }
    let none = world
        .products
        .quote_interests(wire::QuoteInterestsRequest::default());
    assert_eq!(none.await.unwrap().into_inner().quotes, []);
    let many = wire::QuoteInterestsRequest {
        requests: vec![wish(10_000_000, 12); 501],
    };
    let refused = world.products.quote_interests(many).await.unwrap_err();
    assert_eq!(refused.code(), tonic::Code::InvalidArgument);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn products_are_searched_page_by_page(pool: PgPool) {
    let mut world = World::new(pool).await;
    let mut find = async |text: &str, page| {
        let request = wire::SearchProductsRequest {
            text: text.to_owned(),
            page,
        };
        world
            .products
            .search_products(request)
            .await
            .unwrap()
            .into_inner()
    };
    let first = find("적금", 1).await;
    assert_eq!(first.products.len(), 20);
    assert!(first.total > 20);
    let second = find("적금", 2).await;
    assert_eq!(
        i64::try_from(second.products.len()).unwrap(),
        first.total - 20
    );
    assert_eq!(
        find("ㅋㅋㅇㅂㅋㅈㄱㅇㄱ", 1).await.products[0].product_id,
        28
    );
    assert!(find("", 1).await.products.is_empty());
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_rate_change_is_listed_for_a_week(pool: PgPool) {
    let world = World::new(pool).await;
    let trend = |world: &World| {
        let mut products = world.products.clone();
        async move {
            let trend = products
                .get_product_trend(wire::GetProductTrendRequest {})
                .await;
            trend.unwrap().into_inner()
        }
    };
    assert_eq!(trend(&world).await.averages.len(), 8);
    let mut newer = MarketFeed::Builtin.seed().read().unwrap();
    newer.digest = "newer".to_owned();
    let product = newer
        .products
        .iter_mut()
        .find(|product| product.id == 28)
        .unwrap();
    product.best_rate = dec!(3.55);
    world.store.apply_seed(&newer, &world.clock).await.unwrap();
    let changes = world
        .store
        .rate_changes(world.clock.now() - chrono::TimeDelta::days(7));
    let changes = changes.await.unwrap();
    assert_eq!(changes.len(), 1);
    assert_eq!(
        (changes[0].product_id, changes[0].rate_after),
        (28, dec!(3.55))
    );
    // The cached result of the last minute.
    assert!(trend(&world).await.movers.is_empty());
    world.clock.advance(chrono::TimeDelta::days(8));
    let since = world.clock.now() - chrono::TimeDelta::days(7);
    assert!(world.store.rate_changes(since).await.unwrap().is_empty());
}
