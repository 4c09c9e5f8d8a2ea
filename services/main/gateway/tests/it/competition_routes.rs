//! Competitions: JSON, refusals, ownership, and the mode of a member.

use insta::assert_snapshot;
use reqwest::Method;
use serde_json::json;
use tonic::Code;

use crate::test_gateway::TestGateway;

const LIST: &str = "/api/v1/competition/list";
const EVENT: &str = "/api/v1/competition/2";
const JOIN: &str = "/api/v1/competition/2/join";
const LEAGUE: &str = "/api/v1/competition/league";
const MODE: &str = "/api/v1/member/competition-mode/100000";

#[actix_web::test]
async fn events_have_the_callers_own_part() {
    let gateway = TestGateway::open().await;
    let listed = gateway
        .get(&format!("{LIST}?status=ONGOING&page=1"))
        .await
        .json();
    let instant = "2026-11-21T09:03:00+09:00";
    assert_eq!(
        listed,
        json!({"hasNext": true, "competitions": [{
            "sid": 2, "kind": "OFFICIAL", "title": "첫걸음 투자 대회", "prize": null,
            "status": "ONGOING", "startsAt": instant, "endsAt": instant, "joinFrom": instant,
            "joinUntil": instant, "startCash": 10_000_000, "entrants": 3, "mostEntrants": null,
            "canJoin": true, "isHost": false, "inviteCode": null,
            "entry": {"acno": "000000004499", "accountSid": 44, "joinedAt": instant,
                "rankedFrom": instant, "hasLeft": false, "equity": 10_123_400, "returnRt": 1.234,
                "activity": {"buys": 1, "items": 1, "days": 1},
                "needed": {"buys": 3, "items": 2, "days": 2}},
            "isJoiningClosed": false, "showsHoldings": false, "prizes": [], "awardAt": null, "isAwarded": false,
            "awards": [], "canObject": false, "objection": null}]})
    );
    let calls = gateway.scenario.take_calls();
    assert_snapshot!(calls.last().unwrap(), @"list_competitions ListCompetitionsRequest { member_id: 100000, status: Ongoing, page: 1 }");
    let found = gateway
        .get(&format!("{EVENT}?inviteCode=ABCD2345"))
        .await
        .json();
    assert_eq!(found["entry"], json!(null));
    let calls = gateway.scenario.take_calls();
    assert_snapshot!(calls.last().unwrap(), @r#"get_competition GetCompetitionRequest { member_id: 100000, competition_id: 2, invite_code: "ABCD2345" }"#);
}

#[actix_web::test]
async fn an_event_is_joined_and_left_once() {
    let gateway = TestGateway::open().await;
    let body = json!({"memberSid": 100_000, "inviteCode": "ABCD2345", "reqSid": "seen-before"});
    let answer = gateway.post(JOIN, &body).await;
    assert_eq!(
        answer.json(),
        json!({"sid": 2, "acno": "000000004499", "accountSid": 44, "startCash": 10_000_000,
            "message": "첫걸음 투자 대회에 참여했어요"})
    );
    assert_eq!(answer.header("Idempotent-Replayed"), "true");
    let calls = gateway.scenario.take_calls();
    assert_snapshot!(calls.last().unwrap(), @r#"join_competition JoinCompetitionRequest { member_id: 100000, request_id: "seen-before", competition_id: 2, invite_code: "ABCD2345" }"#);
    let body = json!({"memberSid": 100_000, "reqSid": "leave-once"});
    let left = gateway.send(Method::DELETE, JOIN, &body).await.json();
    assert_eq!(
        left,
        json!({"sid": 2, "message": "첫걸음 투자 대회에서 나왔어요"})
    );
}

#[actix_web::test]
async fn a_board_has_names_and_never_amounts() {
    let gateway = TestGateway::open().await;
    let board = gateway
        .get("/api/v1/competition/2/board?kind=CALM&cursor=50")
        .await
        .json();
    let mine = json!({"place": 2, "rank": 2, "userSid": 100_000, "nickname": "김씨앗",
        "frame": "frame-gold", "plate": null, "level": 3, "returnRt": 1.234, "gained": -1, "isMine": true});
    assert_eq!(
        board,
        json!({"rows": [
                {"place": 1, "rank": 1, "userSid": 100_999, "nickname": "탈퇴한 사용자",
                    "frame": null, "plate": null, "level": null, "returnRt": 2.5, "gained": null,
                    "isMine": false},
                mine],
            "cursor": "2", "ranked": 9, "valuedAt": "2026-11-21T09:03:00+09:00", "mine": mine,
            "isFinal": false})
    );
    let calls = gateway.scenario.take_calls();
    let asked: Vec<&String> = calls
        .iter()
        .filter(|call| call.starts_with("get_board"))
        .collect();
    assert_snapshot!(asked[0], @"get_board GetBoardRequest { member_id: 100000, competition_id: 2, kind: Calm, after_place: 50, around_me: false }");
    gateway.get("/api/v1/competition/2/me").await;
    let calls = gateway.scenario.take_calls();
    let asked = calls
        .iter()
        .find(|call| call.starts_with("get_board"))
        .unwrap();
    assert!(asked.contains("around_me: true"), "{asked}");
}

#[actix_web::test]
async fn a_board_has_no_levels_while_trading_tells_none() {
    let gateway = TestGateway::open().await;
    let away = bootstrap::problem::status(Code::Unavailable, "UNAVAILABLE", "", []);
    gateway.scenario.refuse("list_levels", away);
    let board = gateway.get("/api/v1/competition/2/board").await.json();
    let rows = board["rows"].as_array().unwrap().iter();
    let levels: Vec<_> = rows.map(|row| &row["level"]).collect();
    assert_eq!(levels, [&json!(null), &json!(null)]);
    assert_eq!(board["mine"]["nickname"], json!("김씨앗"));
}

#[actix_web::test]
async fn holdings_of_an_entrant_are_weights() {
    let gateway = TestGateway::open().await;
    let path = "/api/v1/competition/2/user/100002/holdings";
    let owned = gateway.get(path).await.json();
    assert_eq!(
        owned,
        json!({"holdings": [{"isuSrtCd": "005930", "isuKorNm": "삼성전자",
                "marketCode": "KOSPI", "weight": 38.5}],
            "cashWeight": 61.5, "asOf": "2026-11-21T09:03:00+09:00"})
    );
    let calls = gateway.scenario.take_calls();
    assert_snapshot!(calls.last().unwrap(), @"list_entrant_holdings ListEntrantHoldingsRequest { member_id: 100000, competition_id: 2, entrant_id: 100002 }");
    for (reason, code, status, number) in [
        (
            "COMPETITION_HOLDINGS_HIDDEN",
            Code::PermissionDenied,
            403,
            3076,
        ),
        ("COMPETITION_ENTRANT_NOT_FOUND", Code::NotFound, 404, 3077),
    ] {
        let refusal = bootstrap::problem::status(code, reason, "안 돼요.", []);
        gateway.scenario.refuse("list_entrant_holdings", refusal);
        gateway.get(path).await.assert_problem(status, number);
    }
    for odd in ["2/user/0", "2/user/a", "0/user/100002", "2/user/-1"] {
        let odd = format!("/api/v1/competition/{odd}/holdings");
        gateway.get(&odd).await.assert_problem(400, 9001);
    }
}

#[actix_web::test]
async fn a_league_has_an_invite_code() {
    let gateway = TestGateway::open().await;
    let body = json!({"memberSid": 100_000, "title": "우리끼리", "days": 7,
        "startCash": 10_000_000, "mostEntrants": 10, "reqSid": "league-no-1"});
    let made = gateway.post(LEAGUE, &body).await.json();
    assert_eq!(
        made,
        json!({"sid": 7, "inviteCode": "ABCD2345", "acno": "000000004599",
            "message": "우리끼리 리그를 만들었어요"})
    );
    for (field, value) in [
        ("title", json!("a")),
        ("title", json!("가".repeat(21))),
        ("title", json!("가\n나")),
        ("days", json!(2)),
        ("days", json!(31)),
        ("startCash", json!(5)),
        ("mostEntrants", json!(1)),
        ("mostEntrants", json!(51)),
        ("showsHoldings", json!("yes")),
        ("reqSid", json!("short")),
    ] {
        let mut odd = body.clone();
        odd[field] = value;
        gateway.post(LEAGUE, &odd).await.assert_problem(400, 9001);
    }
}

#[actix_web::test]
async fn an_event_that_is_over_has_its_prizes() {
    let gateway = TestGateway::open().await;
    let found = gateway.get("/api/v1/competition/8").await.json();
    let instant = "2026-11-21T09:03:00+09:00";
    assert_eq!(
        found["prizes"],
        json!([{"board": "CALM", "firstPlace": 2, "lastPlace": 3, "point": 200}])
    );
    assert_eq!(
        found["awards"],
        json!([{"board": "CALM", "place": 2, "point": 200, "isWithheld": false}])
    );
    assert_eq!(
        found["objection"],
        json!({"text": "왜 두 번째인지 궁금해요.", "time": instant, "status": "DISMISSED",
            "answer": "가격을 다시 확인했어요."})
    );
    assert_eq!(found["awardAt"], json!(instant));
    assert_eq!(found["isAwarded"], json!(true));
}

#[actix_web::test]
async fn an_objection_is_10_to_500_characters() {
    let gateway = TestGateway::open().await;
    let path = "/api/v1/competition/8/objection";
    let text = "  마지막 가격이 이상해요. ";
    let filed = gateway
        .post(path, &json!({"memberSid": 100_000, "text": text}))
        .await;
    assert_eq!(filed.json()["text"], json!("마지막 가격이 이상해요."));
    gateway.scenario.take_calls();
    for odd in [
        "짧아요",
        "           ",
        "마지막 가격이 \u{7} 이상해요.",
        &"가".repeat(501),
    ] {
        let body = json!({"memberSid": 100_000, "text": odd});
        gateway.post(path, &body).await.assert_problem(400, 9001);
    }
    assert!(gateway.scenario.take_calls().is_empty());
}

#[actix_web::test]
async fn refusals_keep_their_status() {
    let gateway = TestGateway::open().await;
    for (reason, code, status, number) in [
        ("COMPETITION_NOT_FOUND", Code::NotFound, 404, 3060),
        (
            "COMPETITION_JOIN_CLOSED",
            Code::FailedPrecondition,
            422,
            3061,
        ),
        ("COMPETITION_JOINED", Code::Aborted, 409, 3062),
        ("COMPETITION_LEFT", Code::FailedPrecondition, 422, 3063),
        ("COMPETITION_FULL", Code::FailedPrecondition, 422, 3064),
        ("COMPETITION_OVER", Code::Aborted, 409, 3067),
    ] {
        let refusal = bootstrap::problem::status(code, reason, "안 돼요.", []);
        gateway.scenario.refuse("join_competition", refusal);
        let answer = gateway.post(JOIN, &json!({"memberSid": 100_000})).await;
        answer.assert_problem(status, number);
    }
}

#[actix_web::test]
async fn the_mode_is_tradings() {
    let gateway = TestGateway::open().await;
    let on = gateway
        .send(
            Method::PATCH,
            MODE,
            &json!({"competitionMode": true, "eventSid": 2}),
        )
        .await;
    assert_eq!(
        on.json(),
        json!({"competitionMode": true, "competitionAccountSid": 44, "eventSid": 2})
    );
    let off = gateway
        .send(Method::PATCH, MODE, &json!({"competitionMode": false}))
        .await;
    assert_eq!(
        off.json(),
        json!({"competitionMode": false, "competitionAccountSid": null, "eventSid": null})
    );
    for odd in [
        json!({}),
        json!({"competitionMode": "on"}),
        json!({"competitionMode": true, "eventSid": 0}),
    ] {
        gateway
            .send(Method::PATCH, MODE, &odd)
            .await
            .assert_problem(400, 9001);
    }
}

#[actix_web::test]
async fn a_member_is_told_while_trading_is_away() {
    let gateway = TestGateway::open().await;
    let away = bootstrap::problem::status(Code::Unavailable, "UNAVAILABLE", "", []);
    gateway.scenario.refuse("get_competition_mode", away);
    let member = gateway.get("/api/v1/member/100000").await.json();
    assert_eq!(
        (&member["competitionMode"], &member["sid"]),
        (&json!(null), &json!(100_000))
    );
}
