//! Bad values in every parameter and field of every route: what the document does not allow is rejected
//! before any call, and what it allows is answered as documented.

use chrono::TimeDelta;
use gateway::endpoint::Subject;
use serde_json::{Value, json};

use crate::fakes::MEMBER;
use crate::input_fields::{InputField, InvalidRequest, Location, input_fields, statuses};
use crate::test_gateway::{Answer, TestGateway, answer};

/// Values of path and query.
const TEXTS: &[&str] = &[
    "-1",
    "0",
    "-0",
    "1.5",
    "1e9",
    "1,000",
    "１０",
    " 10 ",
    "NaN",
    "2147483648",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "9999999999999999999999999999999999999999",
    "true",
    "null",
    "[]",
    "\"",
    "%",
    ";",
    "kospi",
    "ALL ",
    "'; DROP TABLE orders; --",
    "price desc",
    "..",
    "a/b",
    "a\0b",
    "\r\nSet-Cookie: a=b",
    "\u{200b}",
    "\u{202e}cod",
    "🍀",
    "삼성전자",
    "ㅅ",
    "<script>alert(1)</script>",
    "{{7*7}}",
    "(a+)+$",
    "2024-02-30",
    "0000-00-00",
    "2026-13-01",
    "0001-01-01",
    "2026-11-21T25:00:00",
    "1700000000",
];

/// Values of body fields; not all of them are JSON.
const RAW: &[&str] = &[
    "null",
    "true",
    "{}",
    "[]",
    "[1]",
    "[null]",
    "[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]",
    "-1",
    "0",
    "-0",
    "1.5",
    "0.000000001",
    "1e3",
    "1e309",
    "1E400",
    "NaN",
    "Infinity",
    "-Infinity",
    "007",
    "+1",
    "0x10",
    "1,000",
    "１０",
    "2147483648",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "9999999999999999999999999999999999999999",
    "\"\"",
    "\" \"",
    "\"10\"",
    "\" 10 \"",
    "\"1,000\"",
    "\"１０\"",
    "\"NaN\"",
    "\"-1\"",
    "\"true\"",
    "\"buy\"",
    "\"stock\"",
    "\"2024-02-30\"",
    "\"0000-00-00\"",
    "\"<script>alert(1)</script>\"",
    "\"'; DROP TABLE orders; --\"",
    "\"{{7*7}}\"",
    "\"../../etc/passwd\"",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "\"\\u200b\"",
    "\"\\u202ecod\"",
    "\"a\\r\\nBcc: b@example.com\"",
    "'x'",
    "x",
    "",
];

/// Rules that the schema of a double cannot express: at most eight decimals, not negative.
const NO_SUMS: &[&str] = &["-1", "0.000000001"];

/// Impossible dates that match the pattern of a date.
const NO_DAYS: &[&str] = &[
    "2024-02-30",
    "0000-00-00",
    "2026-13-01",
    "0001-01-01",
    "2026-02-29",
];

fn is_day(field: &InputField) -> bool {
    field.schema["pattern"]
        .as_str()
        .is_some_and(|pattern| pattern.contains("{4}-?"))
}

fn is_sum(field: &InputField) -> bool {
    let schema = field.schema.to_string();
    schema.contains("\"number\"")
}

async fn send(gateway: &TestGateway, token: &str, request: &InvalidRequest) -> Answer {
    answer(request.on(gateway).bearer_auth(token)).await
}

/// Asserts a 400 with a problem body and without any call.
#[track_caller]
fn must_be_refused(gateway: &TestGateway, statuses: &[u16], answer: &Answer, what: &str) {
    let (status, code) = answer.status_and_code();
    assert!(statuses.contains(&status), "{what}: {answer:?}");
    answer.assert_problem(status, code);
    let calls = gateway.scenario.take_business_calls();
    assert!(calls.is_empty(), "{what}: {calls:?}");
    for echo in ["<scenario", "DROP TABLE", "Bcc", "Set-Cookie: a"] {
        assert!(!answer.text.contains(echo), "{what}: {answer:?}");
    }
}

/// Asserts a status that the document lists.
#[track_caller]
fn must_be_documented(gateway: &TestGateway, documented: &[u16], answer: &Answer, what: &str) {
    let (status, code) = answer.status_and_code();
    assert!(documented.contains(&status), "{what}: {answer:?}");
    assert!(status < 500, "{what}: {answer:?}");
    if !answer.status.is_success() {
        answer.assert_problem(status, code);
    }
    assert_ne!(answer.header("content-type"), "text/html", "{what}");
    gateway.scenario.take_business_calls();
}

fn is_nobody(field: &InputField, value: &Value) -> bool {
    let zero = value == &json!(0);
    let subject = field.spec.subject;
    zero && matches!(
        subject,
        Subject::PublicOrSelf(_) | Subject::QueryOrNobody(_)
    ) || (zero || value.is_null()) && matches!(subject, Subject::BodyOrNobody(_))
}

#[actix_web::test]
async fn a_value_that_the_document_does_not_allow_reaches_no_service() {
    let gateway = TestGateway::open().await;
    let token = gateway.token(MEMBER);
    let long = [
        "9".repeat(21),
        "a".repeat(51),
        "가".repeat(51),
        "a".repeat(2_000),
    ];
    gateway.get("/api/v1/member/100000").await;
    gateway.scenario.take_business_calls();
    let mut refused = 0;
    for field in input_fields()
        .iter()
        .filter(|field| field.location != Location::Body)
    {
        let documented = statuses(&field.spec);
        let texts = TEXTS.iter().copied().chain(long.iter().map(String::as_str));
        for text in texts {
            let request = field.with_text(text);
            let answer = send(&gateway, &token, &request).await;
            let what = format!("{} {:.200}", request.sample.method, request.sample.url());
            let value = field.reading(text);
            let no_day = is_day(field) && NO_DAYS.contains(&text);
            let no_sum = is_sum(field) && NO_SUMS.contains(&text);
            let allowed = field.allows(&value) && !no_day && !no_sum;
            if field.is_subject() && !is_nobody(field, &value) {
                must_be_refused(&gateway, &[400, 403, 404], &answer, &what);
            } else if allowed {
                must_be_documented(&gateway, &documented, &answer, &what);
            } else if field.location == Location::Path {
                must_be_refused(&gateway, &[400, 404], &answer, &what);
            } else {
                must_be_refused(&gateway, &[400], &answer, &what);
            }
            refused += usize::from(!answer.status.is_success());
            gateway.scenario.take_business_calls();
        }
    }
    assert!(refused > 2_000, "only {refused} were refused");
}

#[actix_web::test]
async fn a_field_that_the_document_does_not_allow_reaches_no_service() {
    let gateway = TestGateway::open().await;
    let token = gateway.token(MEMBER);
    let long = [51, 5_000].map(|length| format!("\"{}\"", "x".repeat(length)));
    gateway.get("/api/v1/member/100000").await;
    gateway.scenario.take_business_calls();
    let mut refused = 0;
    for field in input_fields()
        .iter()
        .filter(|field| field.location == Location::Body)
    {
        let documented = statuses(&field.spec);
        let texts = RAW.iter().copied().chain(long.iter().map(String::as_str));
        for raw in texts {
            let request = field.with_raw(raw);
            let answer = send(&gateway, &token, &request).await;
            let what = format!("{} {}={raw:.60}", field.spec.path, field.names.join("."));
            let value = serde_json::from_str::<Value>(raw).ok();
            let unread = raw.contains("\\u0000") || raw.contains("[[[[[[[[[[[[[[[[[[[[");
            let no_sum = is_sum(field) && NO_SUMS.contains(&raw);
            let no_day = is_day(field) && NO_DAYS.iter().any(|day| raw.contains(day));
            let bad = unread || no_sum || no_day;
            match value.filter(|value| !bad && field.allows(value)) {
                Some(value) if field.is_subject() && !is_nobody(field, &value) => {
                    must_be_refused(&gateway, &[400, 403], &answer, &what);
                }
                Some(_) => must_be_documented(&gateway, &documented, &answer, &what),
                None if field.is_subject() => {
                    must_be_refused(&gateway, &[400, 403], &answer, &what);
                }
                None => must_be_refused(&gateway, &[400], &answer, &what),
            }
            refused += usize::from(!answer.status.is_success());
        }
    }
    assert!(refused > 1_500, "only {refused} were refused");
}

#[actix_web::test]
async fn required_values_cannot_be_omitted_nor_repeated() {
    let gateway = TestGateway::open().await;
    let token = gateway.token(MEMBER);
    gateway.get("/api/v1/member/100000").await;
    gateway.scenario.take_business_calls();
    for field in input_fields() {
        let name = field.name().to_owned();
        let what = format!("{} {name}", field.spec.path);
        match field.location {
            Location::Path => {}
            Location::Query => {
                let mut twice = field.with_text("1");
                twice.sample.query = format!("{0}&{0}", twice.sample.query);
                let answer = send(&gateway, &token, &twice).await;
                must_be_refused(&gateway, &[400], &answer, &what);
                if field.required {
                    let mut without = field.with_text("1");
                    without.sample.query = String::new();
                    let answer = send(&gateway, &token, &without).await;
                    must_be_refused(&gateway, &[400], &answer, &what);
                }
            }
            Location::Body => {
                let twice = field.with_raw(&format!("1,\"{name}\":1"));
                let answer = send(&gateway, &token, &twice).await;
                must_be_refused(&gateway, &[400], &answer, &what);
                if field.required && field.names.len() == 1 {
                    let mut without = field.with_raw("1");
                    without.raw_body = None;
                    without
                        .sample
                        .body
                        .as_mut()
                        .unwrap()
                        .as_object_mut()
                        .unwrap()
                        .remove(&name);
                    let answer = send(&gateway, &token, &without).await;
                    must_be_refused(&gateway, &[400], &answer, &what);
                }
            }
        }
    }
}

#[actix_web::test]
async fn unknown_fields_and_parameters_change_nothing() {
    let gateway = TestGateway::open().await;
    let token = gateway.token(MEMBER);
    gateway.get("/api/v1/member/100000").await;
    gateway.scenario.take_business_calls();
    for endpoint in gateway::routes::endpoints() {
        let good = || {
            let mut sample = crate::requests::Sample::of(&endpoint.spec, MEMBER);
            if endpoint.spec.path.ends_with("/order") {
                // A generated key would differ each time.
                sample.body.as_mut().unwrap()["reqSid"] = json!("the-same-key");
            }
            sample
        };
        let plain = answer(good().on(&gateway).bearer_auth(&token)).await;
        // Concurrent calls arrive in any order.
        let mut expected = gateway.scenario.take_business_calls();
        expected.sort_unstable();
        let mut sample = good();
        let joint = if sample.query.is_empty() { "" } else { "&" };
        sample.query = format!(
            "{}{joint}isAdmin=true&operator=true&debug=1&cash=1&member_id=100001&_method=DELETE",
            sample.query
        );
        if let Some(body) = sample.body.as_mut() {
            for (name, value) in [
                ("isAdmin", json!(true)),
                ("operator", json!(true)),
                ("cash", json!(1_000_000_000)),
                ("deposit", json!(1_000_000_000)),
                ("status", json!("FILLED")),
                ("member_id", json!(100_001)),
                ("memberId", json!(100_001)),
                ("sid", json!(100_001)),
                ("price", json!(1)),
                ("__proto__", json!({"operator": true})),
            ] {
                // `cash` is a field of one route.
                if body[name].is_null() {
                    body[name] = value;
                }
            }
        }
        // Some responses are cached for a second.
        gateway.clock.advance(TimeDelta::seconds(1));
        let spoiled = answer(sample.on(&gateway).bearer_auth(&token)).await;
        let path = endpoint.spec.path;
        assert_eq!(spoiled.status, plain.status, "{path}: {spoiled:?}");
        assert_eq!(spoiled.text, plain.text, "{path}");
        let mut called = gateway.scenario.take_business_calls();
        called.sort_unstable();
        assert_eq!(called, expected, "{path}");
    }
}
