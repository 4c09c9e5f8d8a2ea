//! Services behind a network that is slow and loses things.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use fault_proxy::{FaultProxy, Faults, Way};
use futures_util::future::join_all;
use serde_json::json;
use testkit::Served;
use tonic::Code;

use crate::fakes::{self, MEMBER, Script};
use crate::stage::{Answer, Stage};

const SEARCH: &str = "/api/v1/stock/search/get-stock-list?searchTxt=a";
const PATIENCE: Duration = Duration::from_secs(60);

/// A gateway whose services are all behind one network.
struct FarAway {
    stage: Stage,
    script: Arc<Script>,
    proxy: FaultProxy,
    _services: Served,
}

impl FarAway {
    async fn open() -> Self {
        let script = Arc::<Script>::default();
        let services = testkit::serve(fakes::routes(&script)).await;
        let (proxy, url) = FaultProxy::before_url(&services.url).await.unwrap();
        let names = ["auth-url", "trading-url", "market-url"];
        let stage = Stage::with(&names.map(|name| (name, url.as_str()))).await;
        Self {
            stage,
            script,
            proxy,
            _services: services,
        }
    }

    /// How many were done. The others were refused in the way that says when to come again.
    async fn searches(&self, count: usize) -> usize {
        let asked = (0..count).map(|_| self.stage.get_anonymously(SEARCH));
        done(join_all(asked).await)
    }

    async fn orders(&self, name: &str, count: usize) -> usize {
        let asked = (0..count).map(async |number| {
            let draft = json!({
                "isuSrtCd": "005930", "juQty": 1, "memberSid": MEMBER, "orderGb": "매수주문",
                "orderCategory": "STOCK", "reqSid": format!("{name}-{number}"),
            });
            self.stage.post("/api/v1/stock/order", &draft).await
        });
        done(join_all(asked).await)
    }

    /// The calls that reached the services since this was last asked.
    fn calls(&self, rpc: &str) -> Vec<String> {
        let mut calls = self.script.take_calls();
        calls.retain(|call| call.starts_with(rpc));
        calls
    }
}

#[track_caller]
fn done(answers: Vec<Answer>) -> usize {
    let is_done = |answer: &Answer| {
        let verdict = answer.verdict();
        let is_refused = matches!(verdict, (503, 9007 | 9008));
        assert!(verdict.0 == 200 || is_refused, "{answer:?}");
        assert_eq!(answer.headers.contains_key("retry-after"), is_refused);
        verdict.0 == 200
    };
    answers.iter().filter(|answer| is_done(answer)).count()
}

#[actix_web::test]
async fn a_far_and_lossy_network_costs_time_and_no_storm_of_retries() {
    const SEARCHES: usize = 40;
    const ORDERS: usize = 40;
    let far = FarAway::open().await;
    testkit::eventually(PATIENCE, async || far.orders("nearby", 1).await == 1).await;
    far.script.take_calls();
    far.proxy.set(Faults::both(Way {
        latency: Duration::from_millis(150),
        loses_one_in: NonZeroU32::new(50),
        ..Way::default()
    }));
    assert!(far.orders("far-away", ORDERS).await > 0);
    let mut orders = far.calls("place_order");
    assert!(orders.len() <= ORDERS, "an order is sent once");
    orders.sort();
    orders.dedup();
    assert!(!orders.is_empty());
    assert!(far.searches(SEARCHES).await > 0);
    let searches = far.calls("search_items").len();
    assert!(searches <= SEARCHES + most_retries(SEARCHES), "{searches}");
}

#[actix_web::test]
async fn a_network_slower_than_the_deadline_is_not_asked_for_ever() {
    const AT_ONCE: usize = 30;
    let far = FarAway::open().await;
    testkit::eventually(PATIENCE, async || far.searches(1).await == 1).await;
    far.proxy
        .set(Faults::both(Way::slow(Duration::from_secs(2))));
    // At first each is cut off by its deadline; then nobody is made to wait for that any more.
    let mut asked = 0;
    testkit::eventually(PATIENCE, async || {
        asked += AT_ONCE;
        assert_eq!(far.searches(AT_ONCE).await, 0);
        let one_more = far.stage.get_anonymously(SEARCH).await;
        asked += 1;
        one_more.verdict() == (503, 9007)
    })
    .await;
    far.proxy.heal();
    testkit::eventually(PATIENCE, async || {
        asked += 1;
        far.searches(1).await == 1
    })
    .await;
    let reached = far.calls("search_items").len();
    assert!(reached <= asked + most_retries(asked), "{reached}");
}

#[actix_web::test]
async fn a_service_that_says_itself_that_it_is_late_is_left_alone_too() {
    let stage = Stage::open().await;
    let late = bootstrap::problem::status(Code::DeadlineExceeded, "DEADLINE", "late", []);
    stage.script.refuse("search_items", late);
    for call in 0..30 {
        let code = if call < 20 { 9008 } else { 9007 };
        let answer = stage.get_anonymously(SEARCH).await;
        answer.must_be_problem(503, code);
    }
    let mut reached = stage.script.take_calls();
    reached.retain(|call| call.starts_with("search_items"));
    assert_eq!(reached.len(), 20);
}

/// A tenth of what was asked, and what was saved up before.
fn most_retries(asked: usize) -> usize {
    asked / 10 + 10
}
