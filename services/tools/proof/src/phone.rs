//! A member's phone: an HTTP client of the gateway with the tokens of one member.

mod acts;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use kernel::{Clock, SystemClock};
use parking_lot::Mutex;
use reqwest::{Client, Method, StatusCode};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::order::{
    Action, Cost, OrderCategory, OrderRequest, OrderResponse, OrderSheet, OrderSide, OrderView,
    Outcome,
};

const CALL_TIMEOUT: Duration = Duration::from_secs(6);
const PAUSE: Duration = Duration::from_millis(200);
/// Calls between two renewals of the session, more often than needed so that auth is loaded.
const RENEW_EVERY: u64 = 150;
/// Each so many renewals the member logs in instead.
const LOGIN_EVERY: u64 = 6;
const PASSWORD: &str = "every won is counted";

pub(crate) struct Phone {
    http: Client,
    origin: String,
    email: String,
    nickname: String,
    tokens: Mutex<Tokens>,
    calls: AtomicU64,
    /// Successful logins.
    pub(crate) logins: AtomicU64,
    pub(crate) renewals: AtomicU64,
    /// Renewals and logins without a response.
    pub(crate) failed_renewals: AtomicU64,
}

#[derive(Clone, Default)]
struct Tokens {
    member_id: i64,
    access: String,
    refresh: String,
}

impl Phone {
    /// Creates a member, retrying for a minute while the product is unavailable.
    pub(crate) async fn join(origin: &str, seed: u64, index: u64) -> anyhow::Result<Self> {
        // A run must not reuse the members of another.
        let run = SystemClock.now().timestamp();
        let phone = Self {
            http: Client::builder().timeout(CALL_TIMEOUT).build()?,
            origin: origin.to_owned(),
            email: format!("proof-{seed}-{index}-{run}@example.com"),
            nickname: format!("p{index}x{}", run % 10_000_000),
            tokens: Mutex::default(),
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
                    phone.store_tokens(&session);
                    return Ok(phone);
                }
                // An earlier attempt succeeded and its response was lost.
                Ok((StatusCode::CONFLICT, _)) => {
                    if phone.login().await {
                        return Ok(phone);
                    }
                }
                Ok((status, body)) if status.is_client_error() && status.as_u16() != 429 => {
                    anyhow::bail!("join was rejected: {body}");
                }
                Ok(_) | Err(_) => {}
            }
            tokio::time::sleep(PAUSE).await;
        }
        anyhow::bail!("join had no response within a minute")
    }

    pub(crate) fn member_id(&self) -> i64 {
        self.tokens.lock().member_id
    }

    pub(crate) async fn send_order(&self, request: &OrderRequest) -> Outcome {
        let path = match request.category() {
            OrderCategory::Stock => "/api/v1/stock/order",
            OrderCategory::Coin => "/api/v1/coin/order",
            OrderCategory::Gold => "/api/v1/commodity/order",
        };
        match self
            .call(Method::POST, path, Some(order_body(request)))
            .await
        {
            Ok((StatusCode::OK, body)) => match body.get("order").and_then(order_view) {
                Some(reply) => Outcome::Final(OrderResponse::Order(Box::new(reply))),
                None => Outcome::Unknown(format!("a response without an order: {body}")),
            },
            Ok((status, body)) => match final_reason(status, &body) {
                Ok(reason) => Outcome::Final(OrderResponse::Rejected(reason)),
                Err(error) => Outcome::Unknown(error),
            },
            Err(error) => Outcome::Unknown(error.to_string()),
        }
    }

    pub(crate) async fn sheet(&self, code: &str) -> Option<OrderSheet> {
        let path = format!("/api/v1/invest/member/{}/code/{code}", self.member_id());
        let sheet = self.read_json(Method::GET, &path, None).await?;
        let bands = sheet.get("tickTable")?.as_array()?.iter();
        Some(OrderSheet {
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

    /// Codes with the quantity of each that the member can sell.
    pub(crate) async fn sellable(&self) -> Option<Vec<(String, Decimal)>> {
        let member_id = self.member_id();
        let mut owned = Vec::new();
        for kind in ["stock", "coin", "commodity"] {
            let path = format!("/api/v1/{kind}/member/{member_id}");
            let holdings = self.read_json(Method::GET, &path, None).await?;
            owned.extend(holdings.as_array()?.iter().filter_map(|holding| {
                let free = number(holding, "juQty")? - number(holding, "heldQty")?;
                Some((holding.get("isuSrtCd")?.as_str()?.to_owned(), free))
            }));
        }
        Some(owned)
    }

    pub(crate) async fn preview(&self, request: &OrderRequest) -> Option<Cost> {
        let side = match request.side {
            OrderSide::Buy => "BUY",
            OrderSide::Sell => "SELL",
        };
        let body = format!(
            r#"{{"memberSid":{},"isuSrtCd":"{}","side":"{side}","juPrc":{},"juQty":{}}}"#,
            request.member_id,
            request.code,
            or_null(request.price),
            or_null(request.quantity)
        );
        let preview = self
            .read_json(Method::POST, "/api/v1/invest/preview", Some(body))
            .await?;
        Some(Cost {
            amount_won: preview.get("amount")?.as_i64()?,
            fee_won: preview.get("fee")?.as_i64()?,
            tax_won: preview.get("tax")?.as_i64()?,
            fx_rate: number(&preview, "fxRate"),
        })
    }

    /// The body of a 200; `None` for any other outcome.
    async fn read_json(&self, method: Method, path: &str, body: Option<String>) -> Option<Value> {
        match self.call(method, path, body).await {
            Ok((StatusCode::OK, body)) => Some(body),
            Ok(_) | Err(_) => None,
        }
    }

    /// Sends with the member's token; after a 401 the session is renewed for the next call.
    pub(crate) async fn call(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
    ) -> reqwest::Result<(StatusCode, Value)> {
        if self.calls.fetch_add(1, Ordering::Relaxed) % RENEW_EVERY == RENEW_EVERY - 1 {
            self.renew().await;
        }
        let response = self.send(method, path, body).await?;
        if response.0 == StatusCode::UNAUTHORIZED {
            self.renew().await;
        }
        Ok(response)
    }

    /// Refreshes the tokens, or logs in. A session whose refresh response was lost for longer than
    /// the grace period has ended, as after a theft; then the member logs in.
    async fn renew(&self) {
        let renewals = self.renewals.fetch_add(1, Ordering::Relaxed);
        if renewals % LOGIN_EVERY != LOGIN_EVERY - 1 {
            let refresh = self.tokens.lock().refresh.clone();
            let body = json!({ "refreshToken": refresh }).to_string();
            let path = "/api/v1/auth/refresh-refresh-token";
            match self.send(Method::POST, path, Some(body)).await {
                Ok((StatusCode::OK, session)) => return self.store_tokens(&session),
                Ok((StatusCode::UNAUTHORIZED, _)) => {}
                // The next call that needs a token retries.
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
                self.store_tokens(&session);
                self.logins.fetch_add(1, Ordering::Relaxed);
                true
            }
            Ok(_) | Err(_) => false,
        }
    }

    fn store_tokens(&self, session: &Value) {
        let text = |name: &str| session.get(name).and_then(Value::as_str).map(str::to_owned);
        let mut tokens = self.tokens.lock();
        if let Some(member_id) = session.get("memberSid").and_then(Value::as_i64) {
            tokens.member_id = member_id;
        }
        tokens.access = text("accessToken").unwrap_or_default();
        tokens.refresh = text("refreshToken").unwrap_or_default();
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
    ) -> reqwest::Result<(StatusCode, Value)> {
        let access = self.tokens.lock().access.clone();
        let mut request = self.http.request(method, format!("{}{path}", self.origin));
        if !access.is_empty() && !path.starts_with("/api/v1/auth/") {
            request = request.bearer_auth(access);
        }
        if let Some(body) = body {
            request = request
                .header("content-type", "application/json")
                .body(body);
        }
        let response = request.send().await?;
        let status = response.status();
        let body = response.bytes().await?;
        Ok((status, serde_json::from_slice(&body).unwrap_or_default()))
    }
}

/// The reason of a final rejection, or why the call has to be retried.
fn final_reason(status: StatusCode, body: &Value) -> Result<String, String> {
    let reason = body
        .get("reason")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let is_retried = status.is_server_error()
        || [401, 408, 429].contains(&status.as_u16())
        || reason.is_empty()
        || reason == "REQ_SID_IN_PROGRESS";
    if is_retried {
        Err(format!("{status} {reason}"))
    } else {
        Ok(reason.to_owned())
    }
}

/// The body of the order routes.
fn order_body(request: &OrderRequest) -> String {
    let category = match request.category() {
        OrderCategory::Stock => "STOCK",
        OrderCategory::Coin => "COIN",
        OrderCategory::Gold => "GOLD",
    };
    let (order_gb, target) = match (request.action, request.side) {
        (Action::Place, OrderSide::Buy) => ("매수주문", None),
        (Action::Place, OrderSide::Sell) => ("매도주문", None),
        (Action::Cancel(order_id), OrderSide::Buy) => ("매수취소", Some(order_id)),
        (Action::Cancel(order_id), OrderSide::Sell) => ("매도취소", Some(order_id)),
        (Action::Modify(order_id), OrderSide::Buy) => ("매수정정", Some(order_id)),
        (Action::Modify(order_id), OrderSide::Sell) => ("매도정정", Some(order_id)),
    };
    format!(
        r#"{{"acno":"{}","isuSrtCd":"{}","juPrc":{},"juQty":{},"orderAmount":{},"memberSid":{},"orderGb":"{order_gb}","orderCategory":"{category}","orderSid":{},"riskAck":true,"reqSid":"{}"}}"#,
        request.account(),
        request.code,
        or_null(request.price),
        or_null(request.quantity),
        or_null(request.amount_won.map(Decimal::from)),
        request.member_id,
        target.map_or_else(|| "null".to_owned(), |id| id.to_string()),
        request.key
    )
}

fn order_view(order: &Value) -> Option<OrderView> {
    Some(OrderView {
        order_id: order.get("orderSid")?.as_i64()?,
        replaced_id: order
            .get("origOrderSid")
            .and_then(Value::as_i64)
            .unwrap_or(0),
        code: order.get("isuSrtCd")?.as_str()?.to_owned(),
        side: match order.get("side")?.as_str()? {
            "BUY" => OrderSide::Buy,
            "SELL" => OrderSide::Sell,
            _ => return None,
        },
        status: order.get("status")?.as_str()?.to_owned(),
        price: number(order, "juPrc"),
        quantity: number(order, "juQty")?,
        filled: number(order, "filledQty")?,
        held_won: order.get("heldAmount")?.as_i64()?,
        amount_won: order.get("orderAmount").and_then(Value::as_i64),
    })
}

/// Exact: prices and quantities have fewer digits than a JSON number keeps.
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
