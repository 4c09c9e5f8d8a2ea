//! The index page: what is inlined, and how often that is fetched.

use std::time::Duration;

use chrono::TimeDelta;
use futures_util::future::join_all;

use crate::test_gateway::{ClientFolder, Settings, TestGateway};

const A_SECOND: TimeDelta = TimeDelta::seconds(1);
const A_MINUTE: Duration = Duration::from_secs(60);

async fn gateway(folder: &ClientFolder, settings: Settings<'_>) -> TestGateway {
    let client = ("client-dir", folder.path().to_str().unwrap());
    TestGateway::with(&[&[client], settings].concat()).await
}

#[actix_web::test]
async fn the_page_has_the_configuration_inlined_unless_a_part_is_unknown() {
    let folder = ClientFolder::new();
    let gateway = gateway(&folder, &[("least-ios-app", "</script>")]).await;
    let page = gateway.get_anonymously("/home").await.text;
    let (before, rest) = page
        .split_once(r#"<script type="application/json" id="runtime-config">"#)
        .unwrap();
    assert!(before.contains("시드업"));
    let (brought, _) = rest.split_once("</script>").unwrap();
    assert!(!brought.contains('<'), "{brought}");
    let asked = gateway.get_anonymously("/config.json").await.json();
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(brought).unwrap(),
        asked
    );

    let must_be_empty = |page: &str| {
        assert!(page.contains(r#"id="runtime-config"></script>"#), "{page}");
    };
    gateway.clock.advance(A_SECOND);
    let gone = tonic::Status::unavailable("gone");
    gateway.scenario.refuse("get_market_info", gone);
    must_be_empty(&gateway.get_anonymously("/home").await.text);
    gateway.clock.advance(A_SECOND);
    gateway.scenario.allow("get_market_info");
    gateway.scenario.delay("get_market_info", A_MINUTE);
    must_be_empty(&gateway.get_anonymously("/home").await.text);
}

#[actix_web::test]
async fn the_page_has_the_first_prices_of_its_screen_inlined() {
    let folder = ClientFolder::new();
    let gateway = gateway(&folder, &[]).await;
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
        // The same for every caller: nothing personal is inlined.
        let brought = brought_prices(&gateway.get(path).await.text);
        let brought = serde_json::from_str::<serde_json::Value>(&brought).unwrap();
        assert_eq!(brought["read"], read, "{path}");
        let asked = gateway.get_anonymously(read).await;
        assert_eq!(brought["answer"], asked.json(), "{path}");
        assert!(
            brought["at"].as_u64() > Some(1_700_000_000_000),
            "{brought}"
        );
    }
    // Nothing for unknown items, other screens and files.
    for path in [
        "/home",
        "/login",
        "/invest-v2/product",
        "/invest-v2/coin/005930",
        "/invest-v2/stock/;",
        "/invest-v2/stock/005930/more",
    ] {
        let page = gateway.get_anonymously(path).await.text;
        assert!(!page.contains("\"read\""), "{path}: {page}");
    }
    gateway.clock.advance(A_SECOND);
    gateway.scenario.delay("get_quotes", A_MINUTE);
    let page = gateway
        .get_anonymously("/invest-v2/stock/005930")
        .await
        .text;
    assert_eq!(brought_prices(&page), "");
}

/// The content of the page's script element for prices.
fn brought_prices(page: &str) -> String {
    let (_, rest) = page.split_once(r#"id="first-prices">"#).unwrap();
    let (brought, _) = rest.split_once("</script>").unwrap();
    brought.to_owned()
}

#[actix_web::test]
async fn many_visitors_cost_market_data_one_call_a_second() {
    let folder = ClientFolder::new();
    let gateway = gateway(&folder, &[]).await;
    let popular = "/invest-v2/stock";
    for path in [popular, "/invest-v2/coin", "/invest-v2/coin/KRW-BTC"] {
        for _second in 0..3 {
            gateway.clock.advance(A_SECOND);
            gateway.scenario.take_calls();
            join_all((0..30).map(|_| gateway.get_anonymously(path))).await;
            gateway.clock.advance(TimeDelta::milliseconds(999));
            let page = gateway.get_anonymously(path).await.text;
            assert!(brought_prices(&page).contains("\"read\""), "{page}");
            let calls = gateway.scenario.take_calls();
            let info = |call: &&String| call.starts_with("get_market_info");
            assert_eq!(calls.iter().filter(info).count(), 1, "{path}: {calls:?}");
            assert_eq!(calls.len(), 2, "{path}: {calls:?}");
        }
    }
    // A failure is cached as well.
    gateway.clock.advance(A_SECOND);
    gateway
        .scenario
        .refuse("list_popular", tonic::Status::internal("broken"));
    gateway.scenario.take_calls();
    for _visitor in 0..3 {
        let page = gateway.get_anonymously(popular).await.text;
        assert_eq!(brought_prices(&page), "");
    }
    assert_eq!(gateway.scenario.take_calls().len(), 2);
}
