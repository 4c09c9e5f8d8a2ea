//! A valid request for every route, which tests change in one place.

use gateway::endpoint::{Class, RouteSpec, Subject};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::test_gateway::TestGateway;

/// A request that the route accepts from `member`.
pub(crate) struct Sample {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) query: String,
    pub(crate) body: Option<Value>,
    /// The body of a route that takes a file instead.
    pub(crate) form: Option<Vec<u8>>,
}

pub(crate) const FORM: &str = "multipart/form-data; boundary=between";

/// A form with one file.
pub(crate) fn form(file: &[u8]) -> Vec<u8> {
    let head =
        b"--between\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.jpg\"\r\n\
          Content-Type: image/jpeg\r\n\r\n";
    [head, file, b"\r\n--between--\r\n"].concat()
}

impl Sample {
    pub(crate) fn of(spec: &RouteSpec, member: i64) -> Self {
        let mut path = spec
            .path
            .replace("{code}", code(spec.path))
            .replace("{articleSid}", "deposits-4")
            .replace("{termSid}", "%EC%98%88%EA%B8%88")
            .replace("{studySid}", "9001")
            .replace("{isCorrect}", "true")
            .replace("{point}", "10")
            .replace("{answer}", "1%7C3")
            .replace("{isSurvey}", "false")
            .replace("{text}", "%EC%98%88%EA%B8%88")
            .replace("{limit}", "15")
            .replace("{orderSid}", "7001")
            .replace("{email}", "kim@example.com")
            .replace("{eventSid}", "2")
            .replace("/user/{userSid}", "/user/100002")
            .replace("{productSid}", "28")
            .replace("{acno}", "000000004301")
            .replace("{picture}", PICTURE)
            .replace("{size}", "446")
            .replace("{type}", kind(spec.path));
        if let Subject::Path(name) | Subject::PublicOrSelf(name) = spec.subject {
            path = path.replace(&format!("{{{name}}}"), &member.to_string());
        }
        if spec.method == actix_web::http::Method::DELETE {
            path = path.replace("account/{id}", "account/000000004301");
        }
        // Lists of articles take the article of one, or the page of others.
        let path = if path.contains("get-article") {
            path.replace("{a}", "deposits-4")
        } else {
            path.replace("{b}", "1")
        };
        assert!(!path.contains('{'), "no sample for a parameter of {path}");
        let takes_file = spec.class == Class::Upload;
        let takes_json = spec.method != actix_web::http::Method::GET && !takes_file;
        Self {
            method: spec.method.as_str().parse().unwrap(),
            query: query(spec, member),
            body: takes_json.then(|| body(spec, member)),
            form: takes_file.then(|| form(b"a picture")),
            path,
        }
    }

    pub(crate) fn url(&self) -> String {
        if self.query.is_empty() {
            self.path.clone()
        } else {
            format!("{}?{}", self.path, self.query)
        }
    }

    pub(crate) fn on(&self, gateway: &TestGateway) -> RequestBuilder {
        let request = gateway.request(self.method.clone(), &self.url());
        match (&self.body, &self.form) {
            (Some(body), _) => request.json(body),
            (None, Some(form)) => request.header("Content-Type", FORM).body(form.clone()),
            (None, None) => request,
        }
    }
}

pub(crate) const PICTURE: &str = "0123456789abcdef0123456789abcdef";
/// More bytes than sockets and connections hold.
pub(crate) const LARGE_PICTURE: &str = "00000000000000000000000000000016";

fn code(path: &str) -> &'static str {
    if path.contains("/coin/") {
        "KRW-BTC"
    } else if path.contains("/commodity/") {
        "04020000"
    } else {
        "005930"
    }
}

fn kind(path: &str) -> &'static str {
    if path.contains("market-trend") {
        "KOSPI"
    } else if path.contains("orderHistory") {
        "ALL"
    } else {
        "STOCK"
    }
}

fn query(spec: &RouteSpec, member: i64) -> String {
    let mut pairs = Vec::new();
    if let Subject::Query(name) | Subject::QueryOrNobody(name) = spec.subject {
        pairs.push(format!("{name}={member}"));
    }
    pairs.extend(Some(parameters(spec)).filter(|pairs| !pairs.is_empty()));
    pairs.join("&")
}

fn parameters(spec: &RouteSpec) -> String {
    match spec.path {
        "/api/v1/community/get-post-detail"
        | "/api/v1/community/like-up"
        | "/api/v1/community/like-down" => "sid=51".to_owned(),
        "/api/v1/community/new-count" => "after=51".to_owned(),
        "/api/v1/community/hiding" => "kind=POST&sid=51".to_owned(),
        "/api/v1/community/comment" if spec.method == actix_web::http::Method::GET => {
            "boardSid=51".to_owned()
        }
        "/api/v1/community/comment-detail"
        | "/api/v1/community/comment-like-up"
        | "/api/v1/community/comment-like-down" => "commentSid=61".to_owned(),
        "/api/v1/community/answer" if spec.method == actix_web::http::Method::GET => {
            "commentSid=61".to_owned()
        }
        "/api/v1/community/community-member-info" | "/api/v1/community/community-member-action" => {
            "userSid=100002".to_owned()
        }
        path if path.contains("/education/") => String::new(),
        path if path.contains("/search/") => "searchTxt=abc".to_owned(),
        path if path.ends_with("/sparklines") => "codes=005930,KRW-BTC".to_owned(),
        path if path.ends_with("/interest") => "amount=1000000".to_owned(),
        path if path.ends_with("time-tab")
            || path.ends_with("outline")
            || path.ends_with("commodity-price") =>
        {
            format!("isuSrtCd={}", code(path))
        }
        _ => String::new(),
    }
}

fn body(spec: &RouteSpec, member: i64) -> Value {
    let path = spec.path;
    match path {
        "/api/v1/product" if spec.method == actix_web::http::Method::DELETE => json!({
            "memberSid": member, "acno": "000000004203", "reqSid": "once-only-000000000003",
        }),
        "/api/v1/product" => json!({
            "memberSid": member, "productSid": 28, "saveTrm": 12, "amount": 1_000_000, "reqSid": "once-only-000000000001",
        }),
        "/api/v1/product/payment" => json!({
            "memberSid": member, "acno": "000000004203", "amount": 10_000, "reqSid": "once-only-000000000002",
        }),
        "/api/v1/auth/join" => json!({
            "email": "kim@example.com", "password": "long enough to pass", "nickname": "김씨앗",
            "birthYear": 1999, "termsAgreed": true, "privacyAgreed": true, "age14": true,
        }),
        "/api/v1/auth/login" => json!({"email": "kim@example.com", "password": "long enough"}),
        "/api/v1/auth/refresh-refresh-token"
        | "/api/v1/auth/access-token"
        | "/api/v1/auth/logout" => json!({"refreshToken": "refresh-1"}),
        "/api/v1/stock/order" | "/api/v1/coin/order" => json!({
            "isuSrtCd": code(path), "juPrc": null, "juQty": 1, "memberSid": member,
            "orderGb": "매수주문", "acno": "00",
            "orderCategory": if path.contains("coin") { "COIN" } else { "STOCK" },
        }),
        "/api/v1/commodity/order" => json!({
            "isuSrtCd": "04020000", "juPrc": null, "juQty": 1, "memberSid": member,
            "orderGb": "매수주문", "acno": "00", "orderCategory": "GOLD",
        }),
        "/api/v1/invest/preview" => json!({
            "memberSid": member, "isuSrtCd": "005930", "side": "BUY", "juPrc": null, "juQty": 1,
        }),
        "/api/v1/invest/transfer" => json!({
            "memberSid": member, "fromAcno": "00", "toAcno": "01", "amount": 100_000,
            "reqSid": "request-0001",
        }),
        "/api/v1/invest/account/{id}" => json!({
            "memberSid": member, "reqSid": "request-0001",
        }),
        "/api/v1/invest/close-request" => json!({
            "memberSid": member, "reqSid": "request-0001",
        }),
        "/api/v1/member/stock-like" => json!({
            "memberSid": member, "targetCode": "005930", "like": true, "type": "STOCK",
        }),
        "/api/v1/member/product-like" => json!({
            "memberSid": member, "targetSid": 28, "like": true,
        }),
        "/api/v1/market/alert" if spec.method == actix_web::http::Method::DELETE => json!({
            "memberSid": member, "sid": 81,
        }),
        "/api/v1/market/alert" => json!({
            "memberSid": member, "code": "005930", "kind": "ABOVE", "value": 80_000,
            "reqSid": "request-0001",
        }),
        "/api/v1/search/search" | "/api/v1/search/history" => json!({
            "memberSid": member, "searchTxt": "삼성", "type": "STOCK",
        }),
        "/api/v1/commodity/commodity_chart" => json!({
            "isuSrtCd": "04020000", "type": "WEEKLY", "targetDate": "2026-11-21",
            "commodityType": "GOLD",
        }),
        "/api/v1/account/educationPoint/{id}" => json!({
            "transPoint": 3, "reqSid": "request-0001",
        }),
        "/api/v1/auth/change-cash" => json!({
            "memberSid": member, "cash": 2, "reqSid": "request-0001",
        }),
        "/api/v1/invest/reset/member/{id}" => json!({
            "memberSid": member, "reqSid": "request-0001", "useTicket": false,
        }),
        "/api/v1/competition/{eventSid}/join" if spec.method == actix_web::http::Method::DELETE => {
            json!({
                "memberSid": member, "reqSid": "request-0001",
            })
        }
        "/api/v1/competition/{eventSid}/join" => json!({
            "memberSid": member, "inviteCode": "ABCD2345", "reqSid": "request-0001",
        }),
        "/api/v1/competition/league" => json!({
            "memberSid": member, "title": "우리끼리", "days": 7, "startCash": 10_000_000,
            "mostEntrants": 10, "reqSid": "request-0001",
        }),
        "/api/v1/competition/{eventSid}/objection" => json!({
            "memberSid": member, "text": "마지막 가격이 이상해서 다시 확인해 주세요."}),
        "/api/v1/competition/league/{eventSid}" => json!({
            "memberSid": member, "isJoiningClosed": true,
        }),
        "/api/v1/member/competition-mode/{id}" => json!({
            "competitionMode": true, "eventSid": 2,
        }),
        "/api/v1/invest/buy-item" => json!({
            "memberSid": member, "itemSid": 10, "quantity": 1, "reqSid": "request-0001",
        }),
        "/api/v1/auth/password" => json!({
            "memberSid": member, "password": "long enough", "newPassword": "longer still",
        }),
        "/api/v1/auth/password/reset" => json!({"token": "x", "newPassword": "longer still"}),
        "/api/v1/auth/email/code" => json!({"memberSid": member}),
        "/api/v1/auth/email/verify" => json!({"memberSid": member, "code": "123456"}),
        "/api/v1/member/info" => json!({
            "memberSid": member, "nickname": "김씨앗", "birthYear": 1999, "gender": "F",
        }),
        "/api/v1/member/appearance" => json!({"memberSid": member, "frame": "frame-gold"}),
        "/api/v1/member/os/{id}" => json!({"os": "web"}),
        "/api/v1/member/tutorial/{id}"
        | "/api/v1/member/welcomePopup/{id}"
        | "/api/v1/account/popup/{id}"
        | "/api/v1/auth/password/email/{email}" => json!({}),
        "/api/v1/education/dailyQuiz/theme/{id}" => json!({"themeSid": "deposits"}),
        "/api/v1/education/streak/repair/{id}" => json!({"reqSid": "request-0001"}),
        "/api/v1/education/cards/{id}/quiz" => json!({"orderSid": 7001, "kind": "SLIPPAGE"}),
        "/api/v1/education/rest-day/{id}" => json!({"weekday": 7}),
        "/api/v1/community/post" => json!({
            "sid": 51, "memberSid": member, "category": "STOCK", "content": "오늘은 쉬어요",
            "contentImg": "", "tags": [{"code": "005930", "isHeld": true}],
            "reqSid": "request-0001",
        }),
        "/api/v1/file/delete" => json!({"target_image": format!("/files/{PICTURE}/1920")}),
        "/api/v1/community/delete-post" => json!({"sid": 51}),
        "/api/v1/community/comment" if spec.method == actix_web::http::Method::POST => json!({
            "boardSid": 51, "memberSid": member, "content": "저도요", "contentImg": "",
            "reqSid": "request-0001",
        }),
        "/api/v1/community/comment" if spec.method == actix_web::http::Method::PUT => json!({
            "commentSid": 61, "content": "저도 그래요", "contentImg": "",
        }),
        "/api/v1/community/comment" => json!({"commentSid": 61}),
        "/api/v1/community/answer" => json!({
            "commentSid": 61, "memberSid": member, "content": "고마워요", "contentImg": "",
            "tagUserSid": 100_002, "reqSid": "request-0001",
        }),
        "/api/v1/community/follow" | "/api/v1/community/block" => json!({
            "memberSid": member, "userSid": 100_002, "on": true,
        }),
        "/api/v1/community/mute" => json!({"memberSid": member, "sid": 51, "on": true}),
        "/api/v1/community/appeal" => json!({
            "memberSid": member, "kind": "COMMENT", "sid": 61, "text": "다시 봐 주세요",
            "reqSid": "request-0001",
        }),
        "/api/v1/notification/read" => json!({"memberSid": member, "sids": [71, 72]}),
        "/api/v1/notification/setting" => json!({
            "memberSid": member, "types": [{"type": "LIKE", "inbox": true, "push": false}],
            "quiet": {"from": "22:00", "until": "07:30"}, "digest": true,
        }),
        "/api/v1/community/report" => json!({
            "memberSid": member, "kind": "POST", "sid": 51, "reason": "SPAM", "text": "도배예요",
        }),
        "/api/v1/community/like-up"
        | "/api/v1/community/like-down"
        | "/api/v1/community/comment-like-up"
        | "/api/v1/community/comment-like-down"
        | "/api/v1/education/dailyQuiz/random/{id}"
        | "/api/v1/education/article/get-article/{a}/{b}"
        | "/api/v1/education/study-complete/{studySid}/{isCorrect}/{point}/{answer}/{isSurvey}" => {
            json!({})
        }
        "/api/v1/notification/subscription" if spec.method == actix_web::http::Method::DELETE => {
            json!({"memberSid": member, "kind": "WEB", "endpoint": "https://push.example.com/x"})
        }
        "/api/v1/notification/subscription" => json!({
            "memberSid": member, "kind": "WEB", "endpoint": "https://push.example.com/x",
            "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "auth": "BTBZMqHH6r4Tts7J_aSIgg",
        }),
        "/api/v1/member/quizFilter/{id}" => json!({
            "quizFilter": {"themes": ["환율"], "levels": ["EASY"]},
        }),
        other => panic!("no sample body for {other}"),
    }
}
