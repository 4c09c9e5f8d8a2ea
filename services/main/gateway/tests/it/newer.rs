//! Services of a newer version, as they are beside the gateway while one after another is updated.

use gateway::routes::endpoints;

use crate::fakes::MEMBER;
use crate::requests::Sample;
use crate::stage::{Stage, answer};

#[actix_web::test]
async fn every_route_answers_the_same_when_the_services_know_more_fields() {
    let (alike, newer) = (Stage::open().await, Stage::among_newer().await);
    for endpoint in endpoints() {
        let sample = Sample::of(&endpoint.spec, MEMBER);
        let ask = async |stage: &Stage| {
            let request = sample.on(stage).bearer_auth(stage.token(MEMBER));
            answer(request).await
        };
        let (expected, found) = (ask(&alike).await, ask(&newer).await);
        let path = endpoint.spec.path;
        assert_eq!(found.verdict(), expected.verdict(), "{path}: {found:?}");
        // A refusal names its own trace.
        if expected.status.is_success() {
            assert_eq!(found.text, expected.text, "{path}");
        }
        let [known, told] =
            [&alike, &newer].map(|stage| comparable(stage.script.take_business_calls()));
        assert_eq!(told, known, "{path}");
    }
}

/// The calls without the number the gateway gives a request that comes without one, and in an order
/// of their own: what a route asks for at the same time arrives as it likes.
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
