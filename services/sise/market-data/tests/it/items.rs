use proto::common::v1::Market;
use proto::market::v1 as wire;
use sqlx::PgPool;
use tonic::Code;

use crate::world::{World, reason};

fn codes(page: &wire::ItemPage) -> Vec<&str> {
    let items = page.items.iter();
    items
        .map(|item| item.instrument.as_ref().unwrap().code.as_str())
        .collect()
}

async fn items(world: &mut World, codes: &[&str]) -> Vec<wire::Item> {
    let codes = codes.iter().map(|code| (*code).to_owned()).collect();
    let member_ids = Vec::new();
    let found = world
        .client
        .get_quotes(wire::GetQuotesRequest { codes, member_ids })
        .await;
    found.unwrap().into_inner().items
}

async fn item(world: &mut World, code: &str) -> wire::Item {
    items(world, &[code]).await.remove(0)
}

async fn browse(
    world: &mut World,
    market: Market,
    sort: wire::ItemSort,
    page: i32,
) -> wire::ItemPage {
    let request = wire::BrowseItemsRequest {
        markets: vec![market.into()],
        sort: sort.into(),
        page,
    };
    world
        .client
        .browse_items(request)
        .await
        .unwrap()
        .into_inner()
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn an_instrument_is_returned_with_its_quote(pool: PgPool) {
    let mut world = World::new(pool).await;
    let before = item(&mut world, "005930").await;
    assert_eq!(before.quote, None);
    world.trade(&[("005930", 259_000, 260_500, 100)]);
    let item = item(&mut world, "005930").await;
    let (instrument, quote) = (item.instrument.unwrap(), item.quote.unwrap());
    assert_eq!(instrument.korean_name, "삼성전자");
    assert_eq!(instrument.tick_class, "KRX_STOCK");
    assert_eq!(instrument.sector_name, "전기·전자");
    assert_eq!(instrument.listed_on, "19750611");
    assert_eq!(quote.session(), wire::SessionState::Open);
    assert_eq!(quote.price.unwrap().value, "260500");

    let all = world
        .client
        .list_instruments(wire::ListInstrumentsRequest {})
        .await
        .unwrap();
    assert_eq!(all.into_inner().instruments.len(), 483);
    let detail = wire::GetInstrumentRequest {
        code: "WTI".to_owned(),
    };
    let detail = world
        .client
        .get_instrument(detail)
        .await
        .unwrap()
        .into_inner();
    assert!(!detail.instrument.unwrap().tradable);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn an_unknown_code_is_not_found(pool: PgPool) {
    let mut world = World::new(pool).await;
    for code in [
        "999999",
        "",
        "005930 ",
        "%",
        "\u{0}",
        "'; drop table instrument; --",
    ] {
        let code = code.to_owned();
        // Known codes are returned all the same.
        let known = items(&mut world, &[&code, "005930"]).await;
        assert_eq!(known.len(), 1, "{code:?}");
        let candles = wire::GetCandlesRequest {
            code: code.clone(),
            ..Default::default()
        };
        let candles = world.client.get_candles(candles).await;
        let outline = wire::GetCompanyOutlineRequest { code: code.clone() };
        let outline = world.client.get_company_outline(outline).await;
        for refused in [candles.unwrap_err(), outline.unwrap_err()] {
            assert_eq!(refused.code(), Code::NotFound, "{code:?}");
            assert_eq!(reason(&refused), "INSTRUMENT_NOT_FOUND");
        }
        let opened = wire::NoteItemOpenedRequest { member_id: 1, code };
        world.client.note_item_opened(opened).await.unwrap();
    }
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn at_most_a_thousand_quotes_are_returned(pool: PgPool) {
    let mut world = World::new(pool).await;
    assert!(items(&mut world, &[]).await.is_empty());
    assert_eq!(items(&mut world, &["005930"; 1_000]).await.len(), 1_000);
    for request in [
        wire::GetQuotesRequest {
            codes: vec!["005930".to_owned(); 1_001],
            member_ids: Vec::new(),
        },
        wire::GetQuotesRequest {
            codes: Vec::new(),
            member_ids: vec![1; 1_001],
        },
    ] {
        let refused = world.client.get_quotes(request).await;
        assert_eq!(refused.unwrap_err().code(), Code::InvalidArgument);
    }
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn lists_come_in_the_order_asked_for(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.trade(&[
        ("005930", 100_000, 110_000, 5),
        ("000660", 100_000, 95_000, 50),
        ("005380", 100_000, 101_000, 10),
    ]);
    let first = |page: &wire::ItemPage| codes(page)[0].to_owned();
    for (sort, code) in [
        (wire::ItemSort::RateUp, "005930"),
        (wire::ItemSort::RateDown, "000660"),
        (wire::ItemSort::TradedValue, "000660"),
        (wire::ItemSort::Unspecified, "000660"),
        (wire::ItemSort::Price, "005930"),
        (wire::ItemSort::MarketCap, "005930"),
    ] {
        let page = browse(&mut world, Market::Kospi, sort, 1).await;
        assert_eq!(first(&page), code, "{sort:?}");
        assert_eq!((page.items.len(), page.total), (20, 132));
    }
    let named = browse(&mut world, Market::Kospi, wire::ItemSort::Name, 1).await;
    let name = |index: usize| {
        named.items[index]
            .instrument
            .as_ref()
            .unwrap()
            .korean_name
            .clone()
    };
    assert!(name(0) < name(1) && name(1) < name(19));
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn pages_cover_a_market_once(pool: PgPool) {
    let mut world = World::new(pool).await;
    let mut seen = std::collections::BTreeSet::new();
    for number in 1..=4 {
        let page = browse(&mut world, Market::Coin, wire::ItemSort::MarketCap, number).await;
        assert_eq!(page.total, 70);
        for code in codes(&page) {
            assert!(seen.insert(code.to_owned()), "{code} twice");
        }
    }
    assert_eq!(seen.len(), 70);
    for beyond in [5, i32::MAX] {
        assert!(
            browse(&mut world, Market::Coin, wire::ItemSort::Name, beyond)
                .await
                .items
                .is_empty()
        );
    }
    let unknown = wire::BrowseItemsRequest {
        markets: vec![99],
        ..Default::default()
    };
    let refused = world.client.browse_items(unknown).await.unwrap_err();
    assert_eq!(refused.code(), Code::InvalidArgument);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn search_answers_in_pages(pool: PgPool) {
    let mut world = World::new(pool).await;
    let mut find = async |text: &str, page| {
        let request = wire::SearchItemsRequest {
            text: text.to_owned(),
            markets: vec![
                Market::Kospi.into(),
                Market::Kosdaq.into(),
                Market::Global.into(),
            ],
            page,
        };
        world
            .client
            .search_items(request)
            .await
            .unwrap()
            .into_inner()
    };
    assert_eq!(codes(&find("삼성전자", 1).await)[0], "005930");
    assert_eq!(codes(&find("ㅅㅅㅈㅈ", 1).await)[0], "005930");
    let all = find("s", 1).await;
    assert_eq!(all.items.len(), 20);
    let rest = find("s", 2).await;
    assert!(!rest.items.is_empty() && rest.total == all.total);
    assert!(codes(&rest).iter().all(|code| !codes(&all).contains(code)));
    assert_eq!(find("", 1).await.total, 0);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn companies_have_outlines_and_coins_have_none(pool: PgPool) {
    let mut world = World::new(pool).await;
    let mut ask = async |code: &str| {
        let code = code.to_owned();
        world
            .client
            .get_company_outline(wire::GetCompanyOutlineRequest { code })
            .await
    };
    let samsung = ask("005930").await.unwrap().into_inner();
    assert_eq!(samsung.industry, "통신 및 방송 장비 제조업");
    assert_eq!(
        (samsung.established_on.as_str(), samsung.per.as_str()),
        ("19690113", "37.78")
    );
    let apple = ask("AAPL").await.unwrap().into_inner();
    assert_eq!(
        (apple.industry.as_str(), apple.products.as_str()),
        ("기술", "")
    );
    for code in ["KRW-BTC", "069500", "04020000"] {
        let refused = ask(code).await.unwrap_err();
        assert_eq!(reason(&refused), "OUTLINE_NOT_FOUND", "{code}");
    }
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn an_outline_counts_in_todays_shares(pool: PgPool) {
    let mut world = World::new(pool).await;
    let mut ask = async || {
        let code = "005930".to_owned();
        let request = wire::GetCompanyOutlineRequest { code };
        let outline = world.client.get_company_outline(request).await;
        let outline = outline.unwrap().into_inner();
        (outline.eps, outline.bps, outline.listed_shares)
    };
    let whole = |eps: &str, bps: &str, shares: i64| (eps.to_owned(), bps.to_owned(), shares);
    assert_eq!(ask().await, whole("6564.0", "63997.0", 5_846_278_000));
    let splits = vec![
        ("005930".to_owned(), 20_261_118, 5, 1),
        ("005930".to_owned(), 20_261_119, 1, 2),
        ("000660".to_owned(), 20_261_119, 7, 1),
    ];
    let board = &world.board;
    board.restore(board.progress(), &board.sessions(), Vec::new(), splits);
    assert_eq!(ask().await, whole("2625.6", "25598.8", 14_615_695_000));
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn market_info_has_clock_rates_and_sessions(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.trade(&[("AAPL", 30_000, 30_935, 10)]);
    let info = world
        .client
        .get_market_info(wire::GetMarketInfoRequest {})
        .await
        .unwrap()
        .into_inner();
    assert_eq!(
        (info.clock.as_str(), info.feed.as_str(), info.simulated),
        ("practice", "builtin", true)
    );
    assert_eq!(info.venues.len(), 4);
    let rates = world
        .client
        .get_exchange_rates(wire::GetExchangeRatesRequest {})
        .await
        .unwrap();
    let rates = rates.into_inner().rates;
    let units: Vec<&str> = rates.iter().map(|rate| rate.unit.as_str()).collect();
    assert_eq!(units, ["USD", "JPY(100)", "EUR", "CNH"]);
    let codes = vec!["AAPL".to_owned(), "nothing".to_owned()];
    let snapshot = world
        .client
        .get_snapshot(wire::GetSnapshotRequest { codes })
        .await
        .unwrap();
    let snapshot = snapshot.into_inner();
    assert_eq!(
        (snapshot.ticks.len(), snapshot.next_offset, snapshot.epoch),
        (1, 1, 1)
    );
}
