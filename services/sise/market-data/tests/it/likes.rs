use chrono::TimeDelta;
use proto::common::v1::Market;
use proto::market::v1 as wire;
use sqlx::PgPool;
use tonic::{Code, Status};

use crate::world::{World, reason};

const MEMBER: i64 = 100_000;

async fn like(
    world: &mut World,
    code: &str,
    kind: wire::ItemKind,
    liked: bool,
) -> Result<(), Status> {
    let request = wire::SetItemLikeRequest {
        member_id: MEMBER,
        code: code.to_owned(),
        kind: kind.into(),
        liked,
    };
    world.clock.advance(TimeDelta::seconds(1));
    world.likes.set_item_like(request).await.map(|_| ())
}

async fn likes(world: &mut World, member_id: i64) -> wire::Likes {
    let request = wire::ListLikesRequest { member_id };
    world.likes.list_likes(request).await.unwrap().into_inner()
}

async fn liked_items(world: &mut World, markets: &[Market]) -> Vec<String> {
    let request = wire::ListLikedItemsRequest {
        member_id: MEMBER,
        markets: markets.iter().map(|market| (*market).into()).collect(),
    };
    let page = world.likes.list_liked_items(request).await.unwrap();
    let items = page.into_inner().items.into_iter();
    items.map(|item| item.instrument.unwrap().code).collect()
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn likes_are_kept_once_newest_first(pool: PgPool) {
    let mut world = World::new(pool).await;
    for (code, kind) in [
        ("005930", wire::ItemKind::Stock),
        ("069500", wire::ItemKind::Etf),
        ("KRW-BTC", wire::ItemKind::Coin),
        ("04020000", wire::ItemKind::Gold),
        ("AAPL", wire::ItemKind::Stock),
        // Repeated: the order does not change.
        ("005930", wire::ItemKind::Stock),
    ] {
        like(&mut world, code, kind, true).await.unwrap();
    }
    assert_eq!(
        likes(&mut world, MEMBER).await.codes,
        ["AAPL", "04020000", "KRW-BTC", "069500", "005930"]
    );
    let stocks = [Market::Kospi, Market::Kosdaq, Market::Global];
    assert_eq!(liked_items(&mut world, &stocks).await, ["AAPL", "005930"]);
    assert_eq!(liked_items(&mut world, &[Market::Etf]).await, ["069500"]);
    assert_eq!(liked_items(&mut world, &[Market::Coin]).await, ["KRW-BTC"]);
    assert_eq!(liked_items(&mut world, &[]).await.len(), 5);
    assert_eq!(likes(&mut world, MEMBER + 1).await, wire::Likes::default());

    for _ in 0..2 {
        like(&mut world, "AAPL", wire::ItemKind::Stock, false)
            .await
            .unwrap();
    }
    assert_eq!(liked_items(&mut world, &stocks).await, ["005930"]);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn cached_likes_mark_quotes(pool: PgPool) {
    let mut world = World::new(pool).await;
    for code in ["005930", "000660"] {
        like(&mut world, code, wire::ItemKind::Stock, true)
            .await
            .unwrap();
    }
    let quoted = async |world: &mut World| {
        let request = wire::GetQuotesRequest {
            codes: vec!["005930".to_owned(), "005380".to_owned()],
            member_ids: vec![MEMBER, MEMBER + 1],
        };
        let found = world.client.get_quotes(request).await.unwrap();
        found.into_inner().liked
    };
    assert_eq!(quoted(&mut world).await, []);
    likes(&mut world, MEMBER).await;
    likes(&mut world, MEMBER + 1).await;
    let of = |member_id, codes: &[&str]| wire::LikedCodes {
        member_id,
        codes: codes.iter().map(|code| (*code).to_owned()).collect(),
    };
    assert_eq!(
        quoted(&mut world).await,
        [of(MEMBER, &["005930"]), of(MEMBER + 1, &[])]
    );
    // A response after a change never shows the state before it.
    like(&mut world, "005380", wire::ItemKind::Stock, true)
        .await
        .unwrap();
    assert_eq!(quoted(&mut world).await, [of(MEMBER + 1, &[])]);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn unknown_items_and_other_kinds_are_refused(pool: PgPool) {
    let mut world = World::new(pool).await;
    let unknown = like(&mut world, "999999", wire::ItemKind::Stock, true).await;
    assert_eq!(reason(&unknown.unwrap_err()), "INSTRUMENT_NOT_FOUND");
    for (code, kind) in [
        ("005930", wire::ItemKind::Etf),
        ("KRW-BTC", wire::ItemKind::Gold),
        ("005930", wire::ItemKind::Product),
        ("005930", wire::ItemKind::Unspecified),
    ] {
        let refused = like(&mut world, code, kind, true).await.unwrap_err();
        assert_eq!(reason(&refused), "ITEM_KIND_MISMATCH", "{code}");
    }
    let nobody = wire::ListLikesRequest { member_id: 0 };
    let refused = world.likes.list_likes(nobody).await.unwrap_err();
    assert_eq!(refused.code(), Code::InvalidArgument);
    assert_eq!(likes(&mut world, MEMBER).await, wire::Likes::default());
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn at_most_five_hundred_likes_even_concurrently(pool: PgPool) {
    let mut world = World::new(pool.clone()).await;
    sqlx::query(
        "insert into item_like (member_id, code, liked_at) \
         select $1, code, now() from instrument where code <> 'AAPL' and code <> 'MSFT' \
         order by position limit 480",
    )
    .bind(MEMBER)
    .execute(&pool)
    .await
    .unwrap();
    // The seed is smaller than the limit, so further rows are generated.
    sqlx::raw_sql(
        "insert into instrument select 'X' || n, position, korean_name, english_name, aliases, \
         market, exchange, currency, tick_class, leverage, warning_code, halted, administrative, \
         tradable, isin, sector_code, sector_name, listed_on, listed_shares, market_cap, unit, \
         base_price, daily_volatility, beta, average_daily_volume, average_daily_value_won, \
         size_class, underlying, asset_kind from instrument, generate_series(1, 40) n \
         where code = '005930'",
    )
    .execute(&pool)
    .await
    .unwrap();
    sqlx::query(
        "insert into item_like (member_id, code, liked_at) \
         select $1, code, now() from instrument where code like 'X%' and code not in \
         (select code from item_like) order by code \
         limit 499 - (select count(*) from item_like)",
    )
    .bind(MEMBER)
    .execute(&pool)
    .await
    .unwrap();
    let request = |code: &str| wire::SetItemLikeRequest {
        member_id: MEMBER,
        code: code.to_owned(),
        kind: wire::ItemKind::Stock.into(),
        liked: true,
    };
    let (mut one, mut other) = (world.likes.clone(), world.likes.clone());
    let (first, second) = tokio::join!(
        one.set_item_like(request("AAPL")),
        other.set_item_like(request("MSFT")),
    );
    let refused = match (first, second) {
        (Ok(_), Err(refused)) | (Err(refused), Ok(_)) => refused,
        both => panic!("one of two may pass: {both:?}"),
    };
    assert_eq!(reason(&refused), "TOO_MANY_LIKES");
    assert_eq!(likes(&mut world, MEMBER).await.codes.len(), 500);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn products_are_liked_by_number(pool: PgPool) {
    let mut world = World::new(pool).await;
    let request = |product_id, liked| wire::SetProductLikeRequest {
        member_id: MEMBER,
        product_id,
        liked,
    };
    for product_id in [1, 28] {
        world.clock.advance(TimeDelta::seconds(1));
        world
            .likes
            .set_product_like(request(product_id, true))
            .await
            .unwrap();
    }
    let refused = world.likes.set_product_like(request(9_999, true)).await;
    assert_eq!(reason(&refused.unwrap_err()), "PRODUCT_NOT_FOUND");
    assert_eq!(likes(&mut world, MEMBER).await.product_ids, [28, 1]);
    let mine = wire::ListLikedProductsRequest { member_id: MEMBER };
    let products = world
        .likes
        .list_liked_products(mine)
        .await
        .unwrap()
        .into_inner()
        .products;
    assert_eq!(products[0].name, "카카오뱅크 정기예금");
    // Liked products come first in the popular order.
    let popular = wire::ListProductsRequest::default();
    let listed = world
        .products
        .list_products(popular)
        .await
        .unwrap()
        .into_inner()
        .products;
    assert_eq!(
        listed[..2]
            .iter()
            .map(|product| product.product_id)
            .collect::<Vec<_>>(),
        [1, 28]
    );
    world
        .likes
        .set_product_like(request(28, false))
        .await
        .unwrap();
    assert_eq!(likes(&mut world, MEMBER).await.product_ids, [1]);
}
