//! Services behind a slow and lossy network.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use fault_proxy::{DirectionFaults, FaultProxy, Faults};
use futures_util::future::join_all;
use serde_json::json;
use testkit::Served;
use tonic::Code;

use crate::fakes::{self, MEMBER, Scenario};
use crate::test_gateway::{Answer, TestGateway};

const SEARCH: &str = "/api/v1/stock/search/get-stock-list?searchTxt=a";
const TIMEOUT: Duration = Duration::from_secs(60);

/// A gateway whose services are all behind one network.
struct SlowNetwork {
    gateway: TestGateway,
    scenario: Arc<Scenario>,
    proxy: FaultProxy,
    _services: Served,
}

impl SlowNetwork {
    async fn open() -> Self {
        let scenario = Arc::<Scenario>::default();
        let services = testkit::serve(fakes::routes(&scenario)).await;
        let (proxy, url) = FaultProxy::for_url(&services.url).await.unwrap();
        let names = ["auth-url", "trading-url", "market-url"];
        let gateway = TestGateway::with(&names.map(|name| (name, url.as_str()))).await;
        Self {
            gateway,
            scenario,
            proxy,
            _services: services,
        }
    }

    /// How many succeeded; the others failed with 503.
    async fn searches(&self, count: usize) -> usize {
        let asked = (0..count).map(|_| self.gateway.get_anonymously(SEARCH));
        done(join_all(asked).await)
    }

    async fn orders(&self, name: &str, count: usize) -> usize {
        let asked = (0..count).map(async |number| {
            let draft = json!({
                "isuSrtCd": "005930", "juQty": 1, "memberSid": MEMBER, "orderGb": "매수주문",
                "orderCategory": "STOCK", "reqSid": format!("{name}-{number}"),
            });
            self.gateway.post("/api/v1/stock/order", &draft).await
        });
        done(join_all(asked).await)
    }

    /// The calls that reached the services since the last take.
    fn calls(&self, rpc: &str) -> Vec<String> {
        let mut calls = self.scenario.take_calls();
        calls.retain(|call| call.starts_with(rpc));
        calls
    }
}

#[track_caller]
fn done(answers: Vec<Answer>) -> usize {
    let is_done = |answer: &Answer| {
        let verdict = answer.status_and_code();
        let is_refused = matches!(verdict, (503, 9007 | 9008));
        assert!(verdict.0 == 200 || is_refused, "{answer:?}");
        assert_eq!(answer.headers.contains_key("retry-after"), is_refused);
        verdict.0 == 200
    };
    answers.iter().filter(|answer| is_done(answer)).count()
}

#[actix_web::test]
async fn a_slow_and_lossy_network_causes_no_retry_storm() {
    const SEARCHES: usize = 40;
    const ORDERS: usize = 40;
    let network = SlowNetwork::open().await;
    testkit::eventually(TIMEOUT, async || network.orders("nearby", 1).await == 1).await;
    network.scenario.take_calls();
    network.proxy.set(Faults::both(DirectionFaults {
        latency: Duration::from_millis(150),
        one_lost_in: NonZeroU32::new(50),
        ..DirectionFaults::default()
    }));
    assert!(network.orders("far-away", ORDERS).await > 0);
    let mut orders = network.calls("place_order");
    assert!(orders.len() <= ORDERS, "an order is sent once");
    orders.sort();
    orders.dedup();
    assert!(!orders.is_empty());
    assert!(network.searches(SEARCHES).await > 0);
    let searches = network.calls("search_items").len();
    assert!(searches <= SEARCHES + most_retries(SEARCHES), "{searches}");
}

#[actix_web::test]
async fn a_network_slower_than_the_deadline_opens_the_breaker() {
    const AT_ONCE: usize = 30;
    let network = SlowNetwork::open().await;
    testkit::eventually(TIMEOUT, async || network.searches(1).await == 1).await;
    network
        .proxy
        .set(Faults::both(DirectionFaults::slow(Duration::from_secs(2))));
    // At first each ends at its deadline; then the breaker rejects them at once.
    let mut asked = 0;
    testkit::eventually(TIMEOUT, async || {
        asked += AT_ONCE;
        assert_eq!(network.searches(AT_ONCE).await, 0);
        let one_more = network.gateway.get_anonymously(SEARCH).await;
        asked += 1;
        one_more.status_and_code() == (503, 9007)
    })
    .await;
    network.proxy.clear();
    testkit::eventually(TIMEOUT, async || {
        asked += 1;
        network.searches(1).await == 1
    })
    .await;
    let reached = network.calls("search_items").len();
    assert!(reached <= asked + most_retries(asked), "{reached}");
}

#[actix_web::test]
async fn a_service_that_reports_missed_deadlines_opens_the_breaker() {
    let gateway = TestGateway::open().await;
    let late = bootstrap::problem::status(Code::DeadlineExceeded, "DEADLINE", "late", []);
    gateway.scenario.refuse("search_items", late);
    for call in 0..30 {
        let code = if call < 20 { 9008 } else { 9007 };
        let answer = gateway.get_anonymously(SEARCH).await;
        answer.assert_problem(503, code);
    }
    let mut reached = gateway.scenario.take_calls();
    reached.retain(|call| call.starts_with("search_items"));
    assert_eq!(reached.len(), 20);
}

/// A tenth of the requests, and the saved budget.
fn most_retries(asked: usize) -> usize {
    asked / 10 + 10
}
