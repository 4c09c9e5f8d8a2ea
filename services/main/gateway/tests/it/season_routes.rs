//! Resets and seasons: JSON, refusals, ownership.

use insta::assert_snapshot;
use serde_json::json;
use tonic::Code;

use crate::test_gateway::TestGateway;

const RESET: &str = "/api/v1/invest/reset/member/100000";
const SEASONS: &str = "/api/v1/invest/season/member/100000";

#[actix_web::test]
async fn a_reset_begins_the_next_season() {
    let gateway = TestGateway::open().await;
    let body = json!({"memberSid": 100_000, "reqSid": "reset-me-1", "useTicket": true,
        "season": 2});
    let answer = gateway.post(RESET, &body).await.json();
    assert_eq!(
        answer,
        json!({"season": 3, "deposit": 5_000_000, "usedTicket": true,
            "nextAt": "2026-11-21T09:03:00+09:00", "message": "3번째 시즌을 시작했어요"})
    );
    let calls = gateway.scenario.take_calls();
    assert_snapshot!(calls.last().unwrap(), @r#"reset ResetRequest { member_id: 100000, request_id: "reset-me-1", use_ticket: true, season: 2 }"#);
    let answer = gateway.post(RESET, &json!({"memberSid": 100_000})).await;
    assert_eq!(answer.json()["nextAt"], json!(null));
}

#[actix_web::test]
async fn seasons_have_their_final_returns() {
    let gateway = TestGateway::open().await;
    let body = gateway.get(SEASONS).await.json();
    assert_eq!(
        body,
        json!({"season": 3, "nextAt": null, "tickets": 1, "deposit": 5_000_000, "past": [
            {"season": 2, "startedAt": "2026-11-21T09:03:00+09:00",
                "endedAt": "2026-11-21T09:03:00+09:00", "total": 5_500_000, "base": 5_000_000,
                "profitRt": 10},
            {"season": 1, "startedAt": "2026-11-21T09:03:00+09:00",
                "endedAt": "2026-11-21T09:03:00+09:00", "total": 10, "base": 0,
                "profitRt": null}]})
    );
}

#[actix_web::test]
async fn refusals_say_when_and_why() {
    let gateway = TestGateway::open().await;
    for (reason, code, facts) in [
        (
            "RESET_TOO_SOON",
            3056,
            vec![("nextAt", "2026-11-27T10:00:00+09:00".to_owned())],
        ),
        ("NO_SEASON_TICKET", 3057, Vec::new()),
    ] {
        let refusal =
            bootstrap::problem::status(Code::FailedPrecondition, reason, "안 돼요.", facts.clone());
        gateway.scenario.refuse("reset", refusal);
        let answer = gateway.post(RESET, &json!({"memberSid": 100_000})).await;
        answer.assert_problem(422, code);
        for (name, value) in facts {
            assert_eq!(answer.json()["facts"][name], json!(value));
        }
    }
}

#[actix_web::test]
async fn bad_bodies_and_other_members_change_nothing() {
    let gateway = TestGateway::open().await;
    gateway.get("/api/v1/member/100000").await;
    gateway.scenario.take_business_calls();
    for body in [
        json!({"memberSid": "me"}),
        json!({"reqSid": "short"}),
        json!({"reqSid": "no spaces!"}),
        json!({"useTicket": "yes"}),
        json!({"season": 0}),
        json!({"season": 1.5}),
        json!([]),
    ] {
        gateway.post(RESET, &body).await.assert_problem(400, 9001);
    }
    let other = json!({"memberSid": 100_001});
    gateway.post(RESET, &other).await.assert_problem(403, 2001);
    for path in [RESET, SEASONS].map(|path| path.replace("100000", "100001")) {
        let answer = if path.contains("reset") {
            gateway.post(&path, &json!({"memberSid": 100_001})).await
        } else {
            gateway.get(&path).await
        };
        answer.assert_problem(403, 2001);
    }
    assert!(gateway.scenario.take_business_calls().is_empty());
}

#[actix_web::test]
async fn lists_ask_for_a_season() {
    let gateway = TestGateway::open().await;
    for path in [
        "/api/v1/invest/all-transfer-list/member/?season=2",
        "/api/v1/invest/all-transfer-list/member/100000?season=2",
        "/api/v1/orderHistory/coin/member/100000/ALL?season=2",
    ] {
        gateway.get(path).await;
        let calls = gateway.scenario.take_calls();
        assert!(calls.last().unwrap().contains("season: 2"), "{calls:?}");
        let wrong = path.replace("season=2", "season=0");
        gateway.get(&wrong).await.assert_problem(400, 9001);
    }
}
