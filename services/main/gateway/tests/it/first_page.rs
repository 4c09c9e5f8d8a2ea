//! The page of the client: what it brings along, and how seldom that is asked for.

use std::time::Duration;

use chrono::TimeDelta;
use futures_util::future::join_all;

use crate::stage::{ClientFolder, Settings, Stage};

const A_SECOND: TimeDelta = TimeDelta::seconds(1);
const A_MINUTE: Duration = Duration::from_secs(60);

async fn stage(folder: &ClientFolder, settings: Settings<'_>) -> Stage {
    let client = ("client-dir", folder.path().to_str().unwrap());
    Stage::with(&[&[client], settings].concat()).await
}

#[actix_web::test]
async fn the_page_brings_the_configuration_along_unless_a_part_of_it_is_unknown() {
    let folder = ClientFolder::new();
    let stage = stage(&folder, &[("least-ios-app", "</script>")]).await;
    let page = stage.get_anonymously("/home").await.text;
    let (before, rest) = page
        .split_once(r#"<script type="application/json" id="runtime-config">"#)
        .unwrap();
    assert!(before.contains("시드업"));
    let (brought, _) = rest.split_once("</script>").unwrap();
    assert!(!brought.contains('<'), "{brought}");
    let asked = stage.get_anonymously("/config.json").await.json();
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(brought).unwrap(),
        asked
    );

    let must_be_empty = |page: &str| {
        assert!(page.contains(r#"id="runtime-config"></script>"#), "{page}");
    };
    stage.clock.advance(A_SECOND);
    let gone = tonic::Status::unavailable("gone");
    stage.script.refuse("get_market_info", gone);
    must_be_empty(&stage.get_anonymously("/home").await.text);
    stage.clock.advance(A_SECOND);
    stage.script.allow("get_market_info");
    stage.script.delay("get_market_info", A_MINUTE);
    must_be_empty(&stage.get_anonymously("/home").await.text);
}

#[actix_web::test]
async fn the_page_brings_the_prices_along_that_its_screen_asks_for_first() {
    let folder = ClientFolder::new();
    let stage = stage(&folder, &[]).await;
    for (path, read) in [
        ("/", "/api/v1/stock/popular/member/0"),
        (
            "/invest-v2/stock?tab=kospi",
            "/api/v1/stock/popular/member/0",
        ),
        ("/invest-v2/coin/", "/api/v1/coin/popular/member/0"),
        (
            "/invest-v2/gold",
            "/api/v1/commodity/list?marketCode=GOLD&sort=value&page=1",
        ),
        ("/invest-v2/stock/005930", "/api/v1/stock/real/code/005930"),
        (
            "/invest-v2/coin/KRW-BTC?refMarketCode=coin",
            "/api/v1/coin/real/code/KRW-BTC",
        ),
    ] {
        // Whoever asks: what is brought is nobody's.
        let brought = brought_prices(&stage.get(path).await.text);
        let brought = serde_json::from_str::<serde_json::Value>(&brought).unwrap();
        assert_eq!(brought["read"], read, "{path}");
        let asked = stage.get_anonymously(read).await;
        assert_eq!(brought["answer"], asked.json(), "{path}");
        assert!(
            brought["at"].as_u64() > Some(1_700_000_000_000),
            "{brought}"
        );
    }
    // Nothing of what does not exist, is not asked for, or is elsewhere.
    for path in [
        "/home",
        "/login",
        "/invest-v2/product",
        "/invest-v2/coin/005930",
        "/invest-v2/stock/;",
        "/invest-v2/stock/005930/more",
    ] {
        let page = stage.get_anonymously(path).await.text;
        assert!(!page.contains("\"read\""), "{path}: {page}");
    }
    stage.clock.advance(A_SECOND);
    stage.script.delay("get_quotes", A_MINUTE);
    let page = stage.get_anonymously("/invest-v2/stock/005930").await.text;
    assert_eq!(brought_prices(&page), "");
}

/// What stands in the page's place for prices.
fn brought_prices(page: &str) -> String {
    let (_, rest) = page.split_once(r#"id="first-prices">"#).unwrap();
    let (brought, _) = rest.split_once("</script>").unwrap();
    brought.to_owned()
}

#[actix_web::test]
async fn a_crowd_of_visitors_asks_market_data_once_a_second() {
    let folder = ClientFolder::new();
    let stage = stage(&folder, &[]).await;
    let popular = "/invest-v2/stock";
    for path in [popular, "/invest-v2/coin", "/invest-v2/coin/KRW-BTC"] {
        for _second in 0..3 {
            stage.clock.advance(A_SECOND);
            stage.script.take_calls();
            join_all((0..30).map(|_| stage.get_anonymously(path))).await;
            stage.clock.advance(TimeDelta::milliseconds(999));
            let page = stage.get_anonymously(path).await.text;
            assert!(brought_prices(&page).contains("\"read\""), "{page}");
            let calls = stage.script.take_calls();
            let info = |call: &&String| call.starts_with("get_market_info");
            assert_eq!(calls.iter().filter(info).count(), 1, "{path}: {calls:?}");
            assert_eq!(calls.len(), 2, "{path}: {calls:?}");
        }
    }
    // A failure is not asked for again at once either.
    stage.clock.advance(A_SECOND);
    stage
        .script
        .refuse("list_popular", tonic::Status::internal("broken"));
    stage.script.take_calls();
    for _visitor in 0..3 {
        let page = stage.get_anonymously(popular).await.text;
        assert_eq!(brought_prices(&page), "");
    }
    assert_eq!(stage.script.take_calls().len(), 2);
}
