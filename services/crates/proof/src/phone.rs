//! The door of the public: a member who joined, with tokens, over HTTP.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use kernel::{Clock, SystemClock};
use parking_lot::Mutex;
use reqwest::{Client, Method, StatusCode};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::wish::{Act, Answer, Category, Cost, Outcome, Reply, Sheet, Side, Wish};

const CALL_TIMEOUT: Duration = Duration::from_secs(6);
const PAUSE: Duration = Duration::from_millis(200);
/// Calls after which a session is renewed although it need not be, so that auth has work.
const RENEW_EVERY: u64 = 150;
/// Renewals after which the member logs in anew instead.
const LOGIN_EVERY: u64 = 6;
const PASSWORD: &str = "every won is counted";

/// A member's phone.
pub(crate) struct Phone {
    http: Client,
    origin: String,
    email: String,
    nickname: String,
    session: Mutex<Session>,
    calls: AtomicU64,
    /// Sessions that were begun.
    pub(crate) logins: AtomicU64,
    /// Renewals that were answered.
    pub(crate) renewals: AtomicU64,
    /// Renewals and logins without an answer.
    pub(crate) failed_renewals: AtomicU64,
}

#[derive(Clone, Default)]
struct Session {
    member_id: i64,
    access: String,
    refresh: String,
}

impl Phone {
    /// A phone whose member joins as soon as the product lets it.
    pub(crate) async fn join(origin: &str, seed: u64, index: u64) -> anyhow::Result<Self> {
        // Each run has members of its own.
        let run = SystemClock.now().timestamp();
        let phone = Self {
            http: Client::builder().timeout(CALL_TIMEOUT).build()?,
            origin: origin.to_owned(),
            email: format!("proof-{seed}-{index}-{run}@example.com"),
            nickname: format!("p{index}x{}", run % 10_000_000),
            session: Mutex::default(),
            calls: AtomicU64::new(0),
            logins: AtomicU64::new(0),
            renewals: AtomicU64::new(0),
            failed_renewals: AtomicU64::new(0),
        };
        let joining = json!({
            "email": phone.email, "password": PASSWORD, "nickname": phone.nickname,
            "birthYear": 1990, "termsAgreed": true, "privacyAgreed": true, "age14": true,
        });
        for _ in 0..300 {
            match phone
                .send(Method::POST, "/api/v1/auth/join", Some(joining.to_string()))
                .await
            {
                Ok((StatusCode::OK, session)) => {
                    phone.keep(&session);
                    return Ok(phone);
                }
                // The answer to an earlier try was lost.
                Ok((StatusCode::CONFLICT, _)) => {
                    if phone.login().await {
                        return Ok(phone);
                    }
                }
                Ok((status, body)) if status.is_client_error() && status.as_u16() != 429 => {
                    anyhow::bail!("nobody can join: {body}");
                }
                Ok(_) | Err(_) => {}
            }
            tokio::time::sleep(PAUSE).await;
        }
        anyhow::bail!("nobody could join within a minute")
    }

    pub(crate) fn member_id(&self) -> i64 {
        self.session.lock().member_id
    }

    pub(crate) async fn ask(&self, wish: &Wish) -> Outcome {
        let path = match wish.category() {
            Category::Stock => "/api/v1/stock/order",
            Category::Coin => "/api/v1/coin/order",
            Category::Gold => "/api/v1/commodity/order",
        };
        match self.call(Method::POST, path, Some(draft(wish))).await {
            Ok((StatusCode::OK, body)) => match body.get("order").and_then(read) {
                Some(reply) => Outcome::Told(Answer::Done(Box::new(reply))),
                None => Outcome::Unknown(format!("an answer without an order: {body}")),
            },
            Ok((status, body)) => {
                let reason = body
                    .get("reason")
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                let again = status.is_server_error()
                    || [401, 408, 429].contains(&status.as_u16())
                    || reason.is_empty()
                    || reason == "REQ_SID_IN_PROGRESS";
                if again {
                    Outcome::Unknown(format!("{status} {reason}"))
                } else {
                    Outcome::Told(Answer::Refused(reason.to_owned()))
                }
            }
            Err(error) => Outcome::Unknown(error.to_string()),
        }
    }

    pub(crate) async fn sheet(&self, code: &str) -> Option<Sheet> {
        let path = format!("/api/v1/invest/member/{}/code/{code}", self.member_id());
        let sheet = self.read(Method::GET, &path, None).await?;
        let bands = sheet.get("tickTable")?.as_array()?.iter();
        Some(Sheet {
            last: number(&sheet, "trdPrc")?,
            step: number(&sheet, "qtyStep")?,
            upper: number(sheet.get("limits")?, "upper"),
            rate: number(&sheet, "fxRate").unwrap_or(Decimal::ONE),
            is_won: sheet.get("currency")?.as_str()? == "KRW",
            fee_rate: number(&sheet, "feeRate")?,
            ticks: bands
                .filter_map(|band| Some((number(band, "from")?, number(band, "tick")?)))
                .collect(),
        })
    }

    /// Codes and what of each may be sold.
    pub(crate) async fn owned(&self) -> Option<Vec<(String, Decimal)>> {
        let member_id = self.member_id();
        let mut owned = Vec::new();
        for kind in ["stock", "coin", "commodity"] {
            let path = format!("/api/v1/{kind}/member/{member_id}");
            let holdings = self.read(Method::GET, &path, None).await?;
            owned.extend(holdings.as_array()?.iter().filter_map(|holding| {
                let free = number(holding, "juQty")? - number(holding, "heldQty")?;
                Some((holding.get("isuSrtCd")?.as_str()?.to_owned(), free))
            }));
        }
        Some(owned)
    }

    pub(crate) async fn preview(&self, wish: &Wish) -> Option<Cost> {
        let side = match wish.side {
            Side::Buy => "BUY",
            Side::Sell => "SELL",
        };
        let body = format!(
            r#"{{"memberSid":{},"isuSrtCd":"{}","side":"{side}","juPrc":{},"juQty":{}}}"#,
            wish.member_id,
            wish.code,
            or_null(wish.price),
            or_null(wish.quantity)
        );
        let preview = self
            .read(Method::POST, "/api/v1/invest/preview", Some(body))
            .await?;
        Some(Cost {
            amount_won: preview.get("amount")?.as_i64()?,
            fee_won: preview.get("fee")?.as_i64()?,
            tax_won: preview.get("tax")?.as_i64()?,
            fx_rate: number(&preview, "fxRate"),
        })
    }

    /// The body of an answer of 200.
    async fn read(&self, method: Method, path: &str, body: Option<String>) -> Option<Value> {
        match self.call(method, path, body).await {
            Ok((StatusCode::OK, body)) => Some(body),
            Ok(_) | Err(_) => None,
        }
    }

    /// A call with the member's token; a session that is over is renewed for the next one.
    pub(crate) async fn call(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
    ) -> reqwest::Result<(StatusCode, Value)> {
        if self.calls.fetch_add(1, Ordering::Relaxed) % RENEW_EVERY == RENEW_EVERY - 1 {
            self.renew().await;
        }
        let answer = self.send(method, path, body).await?;
        if answer.0 == StatusCode::UNAUTHORIZED {
            self.renew().await;
        }
        Ok(answer)
    }

    /// Renews the session, now and then by logging in. A session whose renewal was lost for longer
    /// than its grace is over, as a stolen one would be; the member logs in again.
    async fn renew(&self) {
        let renewals = self.renewals.fetch_add(1, Ordering::Relaxed);
        if renewals % LOGIN_EVERY != LOGIN_EVERY - 1 {
            let refresh = self.session.lock().refresh.clone();
            let body = json!({ "refreshToken": refresh }).to_string();
            let path = "/api/v1/auth/refresh-refresh-token";
            match self.send(Method::POST, path, Some(body)).await {
                Ok((StatusCode::OK, session)) => return self.keep(&session),
                Ok((StatusCode::UNAUTHORIZED, _)) => {}
                // Asked again by whoever needs it.
                Ok(_) | Err(_) => {
                    self.failed_renewals.fetch_add(1, Ordering::Relaxed);
                    return;
                }
            }
        }
        if !self.login().await {
            self.failed_renewals.fetch_add(1, Ordering::Relaxed);
        }
    }

    async fn login(&self) -> bool {
        let body = json!({ "email": self.email, "password": PASSWORD }).to_string();
        match self
            .send(Method::POST, "/api/v1/auth/login", Some(body))
            .await
        {
            Ok((StatusCode::OK, session)) => {
                self.keep(&session);
                self.logins.fetch_add(1, Ordering::Relaxed);
                true
            }
            Ok(_) | Err(_) => false,
        }
    }

    fn keep(&self, session: &Value) {
        let text = |name: &str| session.get(name).and_then(Value::as_str).map(str::to_owned);
        let mut kept = self.session.lock();
        if let Some(member_id) = session.get("memberSid").and_then(Value::as_i64) {
            kept.member_id = member_id;
        }
        kept.access = text("accessToken").unwrap_or_default();
        kept.refresh = text("refreshToken").unwrap_or_default();
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
    ) -> reqwest::Result<(StatusCode, Value)> {
        let access = self.session.lock().access.clone();
        let mut request = self.http.request(method, format!("{}{path}", self.origin));
        if !access.is_empty() && !path.starts_with("/api/v1/auth/") {
            request = request.bearer_auth(access);
        }
        if let Some(body) = body {
            request = request
                .header("content-type", "application/json")
                .body(body);
        }
        let answer = request.send().await?;
        let status = answer.status();
        let body = answer.bytes().await?;
        Ok((status, serde_json::from_slice(&body).unwrap_or_default()))
    }
}

/// An order, a modification or a cancellation as the routes take it.
fn draft(wish: &Wish) -> String {
    let category = match wish.category() {
        Category::Stock => "STOCK",
        Category::Coin => "COIN",
        Category::Gold => "GOLD",
    };
    let (order_gb, target) = match (wish.act, wish.side) {
        (Act::Place, Side::Buy) => ("매수주문", None),
        (Act::Place, Side::Sell) => ("매도주문", None),
        (Act::Cancel(order_id), Side::Buy) => ("매수취소", Some(order_id)),
        (Act::Cancel(order_id), Side::Sell) => ("매도취소", Some(order_id)),
        (Act::Modify(order_id), Side::Buy) => ("매수정정", Some(order_id)),
        (Act::Modify(order_id), Side::Sell) => ("매도정정", Some(order_id)),
    };
    format!(
        r#"{{"acno":"00","isuSrtCd":"{}","juPrc":{},"juQty":{},"memberSid":{},"orderGb":"{order_gb}","orderCategory":"{category}","orderSid":{},"riskAck":true,"reqSid":"{}"}}"#,
        wish.code,
        or_null(wish.price),
        or_null(wish.quantity),
        wish.member_id,
        target.map_or_else(|| "null".to_owned(), |id| id.to_string()),
        wish.key
    )
}

fn read(order: &Value) -> Option<Reply> {
    Some(Reply {
        order_id: order.get("orderSid")?.as_i64()?,
        replaced_id: order
            .get("origOrderSid")
            .and_then(Value::as_i64)
            .unwrap_or(0),
        code: order.get("isuSrtCd")?.as_str()?.to_owned(),
        side: match order.get("side")?.as_str()? {
            "BUY" => Side::Buy,
            "SELL" => Side::Sell,
            _ => return None,
        },
        status: order.get("status")?.as_str()?.to_owned(),
        price: number(order, "juPrc"),
        quantity: number(order, "juQty")?,
        filled: number(order, "filledQty")?,
        held_won: order.get("heldAmount")?.as_i64()?,
    })
}

/// Prices and quantities have too few digits to lose any on the way.
fn number(object: &Value, name: &str) -> Option<Decimal> {
    let text = object.get(name)?.as_number()?.to_string();
    text.parse()
        .ok()
        .or_else(|| Decimal::from_scientific(&text).ok())
}

fn or_null(number: Option<Decimal>) -> String {
    number.map_or_else(
        || "null".to_owned(),
        |number| number.normalize().to_string(),
    )
}
