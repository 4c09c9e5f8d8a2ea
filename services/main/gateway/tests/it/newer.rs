//! Services of a newer release, as during a rollout.

use gateway::routes::endpoints;

use crate::fakes::MEMBER;
use crate::requests::Sample;
use crate::test_gateway::{TestGateway, answer};

#[actix_web::test]
async fn every_route_answers_the_same_when_services_send_unknown_fields() {
    let (alike, newer) = (TestGateway::open().await, TestGateway::among_newer().await);
    for endpoint in endpoints() {
        let sample = Sample::of(&endpoint.spec, MEMBER);
        let ask = async |gateway: &TestGateway| {
            let request = sample.on(gateway).bearer_auth(gateway.token(MEMBER));
            answer(request).await
        };
        let (expected, found) = (ask(&alike).await, ask(&newer).await);
        let path = endpoint.spec.path;
        assert_eq!(
            found.status_and_code(),
            expected.status_and_code(),
            "{path}: {found:?}"
        );
        // An error has its own trace id.
        if expected.status.is_success() {
            assert_eq!(found.text, expected.text, "{path}");
        }
        let [known, told] =
            [&alike, &newer].map(|gateway| comparable(gateway.scenario.take_business_calls()));
        assert_eq!(told, known, "{path}");
    }
}

/// The calls without generated idempotency keys, sorted, because concurrent calls arrive in any order.
fn comparable(calls: Vec<String>) -> Vec<String> {
    let without = |call: String| match call.split_once("request_id: \"") {
        Some((before, rest)) => {
            let (_id, after) = rest.split_once('"').unwrap();
            format!("{before}{after}")
        }
        None => call,
    };
    let mut calls: Vec<String> = calls.into_iter().map(without).collect();
    calls.sort();
    calls
}
