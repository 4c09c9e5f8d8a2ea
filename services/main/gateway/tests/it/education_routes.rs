//! Learning: the JSON of sets, results, articles and progress.

use insta::assert_snapshot;
use reqwest::Method;
use serde_json::json;
use tonic::Code;

use crate::fakes::MEMBER;
use crate::test_gateway::{TestGateway, answer, shown};

const STUDY: &str = "/api/v1/education/study-complete";

#[actix_web::test]
async fn a_quiz_reveals_its_answer_only_when_it_is_answered() {
    let gateway = TestGateway::open().await;
    let path = format!("/api/v1/education/dailyQuiz/random/{MEMBER}");
    let set = gateway.post(&path, &json!({})).await.json();
    let (answered, open) = (&set[0], &set[1]);
    assert_eq!(answered["isSubmit"], true);
    assert_eq!(answered["answer"], json!(["2"]));
    assert_eq!(answered["optionDescription"], json!({"1": "한 달 치예요."}));
    assert_eq!(open["isSubmit"], false);
    for hidden in [
        "answer",
        "answerDescription",
        "optionDescription",
        "isCorrect",
        "inputAnswer",
        "point",
    ] {
        assert!(open[hidden].is_null(), "{hidden}: {open}");
    }
    assert_eq!(open["title"], "예금과 적금 · 입문");
    assert_eq!(open["figure"]["rows"], json!([["15,000원"]]));
    assert_eq!(
        open["answerOption"],
        json!({"1": "2,500원", "2": "15,000원"})
    );
}

#[actix_web::test]
async fn the_answer_is_decoded_and_what_the_client_claims_is_ignored() {
    let gateway = TestGateway::open().await;
    let put = |path: &str| {
        gateway
            .request(Method::PUT, &format!("{STUDY}/{path}"))
            .bearer_auth(gateway.token(MEMBER))
            .json(&json!({}))
    };
    let result = answer(put("9001/true/9999/1%7C3/false")).await;
    assert_snapshot!(shown(&result), @r#"
    {
      "isCorrect": false,
      "answer": [
        "2"
      ],
      "answerDescription": "절반만 맡겼어요.",
      "optionDescription": {
        "1": "한 달 치예요."
      },
      "point": 10,
      "setBonus": 10,
      "memberPoint": 53,
      "triedQuizCount": 6,
      "correctQuizCount": 5,
      "streak": 4,
      "isDailyStudyDone": true,
      "nextReviewOn": "2026-11-24"
    }
    "#);
    let asked = gateway.scenario.take_business_calls().join("\n");
    assert!(asked.contains(r#"answers: ["1", "3"]"#), "{asked}");
    assert!(!asked.contains("9999"), "{asked}");
    let late = put("9001/true/0/2/false").header("X-Answered-At", "2026-11-20T23:59:00+09:00");
    assert_eq!(answer(late).await.status, 200);
    let asked = gateway.scenario.take_business_calls().join("\n");
    assert!(
        asked.contains("answered_at_us: 1795186740000000"),
        "{asked}"
    );
    let bad = put("9001/true/0/2/false").header("X-Answered-At", "yesterday");
    answer(bad).await.assert_problem(400, 9001);
    assert!(gateway.scenario.take_business_calls().is_empty());
}

#[actix_web::test]
async fn refusals_of_education_have_their_codes() {
    let gateway = TestGateway::open().await;
    for (reason, code, status) in [
        ("TOO_MANY_ANSWERS", 6002, 422),
        ("READING_TOO_SHORT", 6004, 422),
        ("STUDY_NOT_FOUND", 6001, 404),
    ] {
        let facts = [("secondsLeft", "12".to_owned())];
        let refused =
            bootstrap::problem::status(Code::FailedPrecondition, reason, "안 돼요.", facts);
        gateway.scenario.refuse("answer", refused);
        let put = gateway
            .request(Method::PUT, &format!("{STUDY}/9001/true/0/2/false"))
            .bearer_auth(gateway.token(MEMBER))
            .json(&json!({}));
        let answer = answer(put).await;
        answer.assert_problem(status, code);
        assert_eq!(answer.json()["facts"]["secondsLeft"], 12);
    }
}

#[actix_web::test]
async fn a_visitor_reads_and_searches_articles() {
    let gateway = TestGateway::open().await;
    let list = gateway
        .get_anonymously("/api/v1/education/articles/0?page=1&size=10")
        .await;
    assert_snapshot!(shown(&list), @r#"
    {
      "rows": [
        {
          "articleSid": "deposits-4",
          "title": "깨기 전에 계산해요",
          "summary": "이율과 기간이 함께 줄어요.",
          "educationTitle": "예금과 적금",
          "themeSid": "deposits",
          "level": "NORMAL",
          "minutes": 3,
          "figure": {
            "kind": "table",
            "alt": "이자와 세금",
            "columns": [
              "이자"
            ],
            "rows": [
              [
                "15,000원"
              ]
            ]
          },
          "isComplete": true,
          "completedAt": "2026-11-21T09:03:00+09:00"
        }
      ],
      "page": 1,
      "hasNext": false,
      "total": 1
    }
    "#);
    let open = gateway
        .request(
            Method::POST,
            "/api/v1/education/article/get-article/deposits-4/0",
        )
        .json(&json!({}));
    let article = answer(open).await.json();
    assert!(article["memberEducationSid"].is_null(), "{article}");
    assert_eq!(article["articleSid"], "deposits-4");
    let text = "%2F%25%20%EC%98%88%EA%B8%88";
    let hits = gateway
        .get_anonymously(&format!("/api/v1/education/articles/search/{text}/15"))
        .await;
    assert_eq!(
        hits.json()[0]["snippet"],
        json!([{"text": "/% 예금", "isMatch": true}])
    );
    let blank = gateway
        .get_anonymously("/api/v1/education/articles/search/%20/15")
        .await;
    assert_eq!(blank.text, "[]");
}

#[actix_web::test]
async fn progress_tells_the_streak_and_what_can_be_repaired() {
    let gateway = TestGateway::open().await;
    let path = format!("/api/v1/education/dailyQuiz/progress/v2/{MEMBER}");
    assert_snapshot!(shown(&gateway.get(&path).await), @r#"
    {
      "today": {
        "done": 1,
        "total": 5,
        "points": 53,
        "cap": 100,
        "isDailyStudyDone": true
      },
      "streak": {
        "current": 4,
        "best": 9,
        "freezes": 1,
        "atRiskUntil": "2026-11-21T09:03:00+09:00",
        "restWeekday": 7,
        "nextRestWeekday": null,
        "nextRestFrom": null,
        "repair": {
          "date": "2026-11-20",
          "streak": 9,
          "points": 50,
          "until": "2026-11-21T09:03:00+09:00"
        }
      },
      "themes": [
        {
          "id": "deposits",
          "name": "예금과 적금",
          "done": 6,
          "total": 30,
          "mastery": 18
        }
      ],
      "review": {
        "due": 3,
        "nextAt": "2026-11-22"
      },
      "stats": {
        "triedQuizCount": 6,
        "correctQuizCount": 5,
        "memberPoint": 53
      },
      "completedLessons": 2
    }
    "#);
    let first = format!("/api/v1/education/dailyQuiz/progress/{MEMBER}");
    let first = gateway.get(&first).await.json();
    assert_eq!(first, json!({"done": 1, "total": 5}));
}

#[actix_web::test]
async fn a_trade_card_has_the_numbers_of_the_order() {
    let gateway = TestGateway::open().await;
    let path = format!("/api/v1/education/cards/{MEMBER}");
    let cards = gateway.get(&path).await;
    assert_snapshot!(shown(&cards), @r#"
    [
      {
        "kind": "SLIPPAGE",
        "orderSid": 7001,
        "isuKorNm": "삼성전자",
        "orderCategory": "STOCK",
        "isSale": false,
        "tradedAt": "2026-11-21T09:03:00+09:00",
        "won": 1200,
        "slippageTicks": 3,
        "fillCount": 1,
        "filledQty": 40,
        "limitPrc": null,
        "currency": "KRW",
        "term": {
          "sid": "정기예금",
          "word": "정기예금",
          "gist": "한 번 맡기는 예금",
          "text": "100만원을 맡겨요.",
          "themeSid": "deposits",
          "themeName": "예금과 적금",
          "aliases": [
            "예금"
          ]
        },
        "articleSid": "orders-3",
        "articleTitle": "슬리피지, 보이지 않는 한 칸",
        "articleSummary": "칸과 수량을 곱해 봐요.",
        "isDue": true
      },
      {
        "kind": "EARLY_CLOSE",
        "acno": "110000123403",
        "name": "새싹 정기예금",
        "paidIn": 1000000,
        "interest": 1200,
        "tax": 180,
        "interestAtMaturity": 12300,
        "openedOn": "2026-10-21",
        "closedOn": "2026-11-21",
        "maturesOn": "2027-10-21",
        "term": null,
        "articleSid": "deposits-4",
        "articleTitle": "깨기 전에 계산해요",
        "articleSummary": "받을 돈을 먼저 계산해 봐요.",
        "isDue": false
      },
      {
        "kind": "CONCENTRATION",
        "isuSrtCd": "005930",
        "isuKorNm": "삼성전자",
        "percent": 52.3,
        "value": 2615000,
        "total": 5000000,
        "noticedAt": "2026-11-21T09:03:00+09:00",
        "term": null,
        "articleSid": "etf-2",
        "articleTitle": "열 종목인데 왜 같이 내릴까요",
        "articleSummary": "무엇에 흔들리는지 봐요.",
        "isDue": true
      }
    ]
    "#);
    let asked = gateway.scenario.take_business_calls().join("\n");
    assert!(asked.contains("order_id: 0"), "{asked}");
    assert_eq!(
        gateway.get(&format!("{path}?orderSid=7001")).await.status,
        200
    );
    let asked = gateway.scenario.take_business_calls().join("\n");
    assert!(asked.contains("order_id: 7001"), "{asked}");
    let of_contract = gateway.get(&format!("{path}?acno=110000123403")).await;
    assert_eq!(of_contract.status, 200);
    let asked = gateway.scenario.take_business_calls().join("\n");
    assert!(asked.contains(r#"account_no: "110000123403""#), "{asked}");
    for bad in ["0", "-1", "x", "9223372036854775808", ""] {
        let refused = gateway.get(&format!("{path}?orderSid={bad}")).await;
        refused.assert_problem(400, 9001);
    }
    for bad in ["acno=", "acno=1100", "orderSid=7001&acno=110000123403"] {
        let refused = gateway.get(&format!("{path}?{bad}")).await;
        refused.assert_problem(400, 9001);
    }
    assert!(gateway.scenario.take_business_calls().is_empty());
}

#[actix_web::test]
async fn a_card_hands_out_its_quiz() {
    let gateway = TestGateway::open().await;
    let path = format!("/api/v1/education/cards/{MEMBER}/quiz");
    let body = json!({"orderSid": 7001, "kind": "SLIPPAGE"});
    let quiz = gateway.post(&path, &body).await.json();
    assert_eq!(quiz[0]["isPractice"], true);
    let asked = gateway.scenario.take_business_calls().join("\n");
    assert!(asked.contains("order_id: 7001, kind: Slippage"), "{asked}");
    for (body, told) in [
        (
            json!({"acno": "110000123403", "kind": "EARLY_CLOSE"}),
            r#"order_id: 0, kind: EarlyClose, account_no: "110000123403""#,
        ),
        (
            json!({"isuSrtCd": "005930", "kind": "CONCENTRATION", "orderSid": 7001}),
            r#"kind: Concentration, account_no: "", instrument_code: "005930""#,
        ),
    ] {
        gateway.post(&path, &body).await.json();
        let asked = gateway.scenario.take_business_calls().join("\n");
        assert!(asked.contains(told), "{asked}");
    }
    for bad in [
        json!({}),
        json!({"orderSid": 7001, "kind": "EARLY_CLOSE"}),
        json!({"acno": "1100", "kind": "EARLY_CLOSE"}),
        json!({"orderSid": 7001, "kind": "CONCENTRATION"}),
        json!({"isuSrtCd": "", "kind": "CONCENTRATION"}),
        json!({"orderSid": 7001}),
        json!({"orderSid": 0, "kind": "FEE"}),
        json!({"orderSid": -7, "kind": "FEE"}),
        json!({"orderSid": "7001", "kind": "FEE"}),
        json!({"orderSid": 7001, "kind": "fee"}),
        json!({"orderSid": 7001, "kind": "UNSPECIFIED"}),
        json!({"orderSid": 1.5, "kind": "FEE"}),
    ] {
        gateway.post(&path, &bad).await.assert_problem(400, 9001);
    }
    assert!(gateway.scenario.take_business_calls().is_empty());
    let missing = bootstrap::problem::status(Code::NotFound, "STUDY_NOT_FOUND", "없어요.", []);
    gateway.scenario.refuse("open_card_quiz", missing);
    gateway.post(&path, &body).await.assert_problem(404, 6001);
}
