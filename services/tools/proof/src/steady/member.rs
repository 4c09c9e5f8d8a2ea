//! A member under steady load: reads, orders, modifications and cancellations, one at a time.

use std::fmt::{Display, Formatter};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use parking_lot::Mutex;
use reqwest::{Method, StatusCode};
use rust_decimal::Decimal;
use serde_json::Value;

use super::RequestStats;
use crate::order::{Action, OrderRequest, OrderResponse, OrderSide, Outcome};
use crate::phone::Phone;
use crate::rng::Rng;

/// Open orders per member.
const RESTING_MAX: usize = 20;
const STOCK: &str = "005930";

pub(super) struct Member {
    pub(super) phone: Phone,
    /// Orders far below the market.
    resting: Mutex<Vec<i64>>,
    resting_price: Option<Decimal>,
}

impl Member {
    pub(super) async fn with(phone: Phone) -> Self {
        let sheet = phone.sheet(STOCK).await;
        // Within the day's price limits, but too low to fill.
        let resting_price = sheet.and_then(|sheet| sheet.on_tick(sheet.last * Decimal::new(8, 1)));
        Self {
            phone,
            resting: Mutex::default(),
            resting_price,
        }
    }

    pub(super) async fn send_request(&self, rng: &mut Rng, stats: &RequestStats) {
        match rng.below(20) {
            0..=1 => self.buy(rng, stats).await,
            2 => self.place_resting(rng, stats).await,
            3 => self.cancel_or_modify(rng, stats).await,
            other => self.read(other, rng, stats).await,
        }
    }

    async fn read(&self, what: u64, rng: &mut Rng, stats: &RequestStats) {
        let member = self.phone.member_id();
        let code = rng.pick(&super::CODES).copied().unwrap_or(STOCK);
        let path = match what {
            4 => "/api/v1/stock/list?marketCode=KOSPI&page=1".to_owned(),
            5 => format!("/api/v1/invest/account/{member}"),
            6 => format!("/api/v1/stock/wait/member/{member}"),
            7 => format!("/api/v1/stock/member/{member}"),
            8 => format!("/api/v1/member/{member}"),
            9 => format!("/api/v1/stock/popular/member/{member}"),
            10 => format!("/api/v1/invest/member/{member}/code/{code}"),
            11 => format!("/api/v1/stock/get-stock-detail-time-tab?isuSrtCd={code}"),
            12 => "/api/v1/stock/search/get-stock-list?searchTxt=%EC%82%BC%EC%84%B1".to_owned(),
            _ => format!("/api/v1/stock/real/code/{code}"),
        };
        let started = Instant::now();
        let response = self.phone.call(Method::GET, &path, None).await;
        stats.record_response(&path, started, &response);
    }

    /// A market order.
    async fn buy(&self, rng: &mut Rng, stats: &RequestStats) {
        let code = rng.pick(&super::CODES).copied().unwrap_or(STOCK);
        let request = self.request(rng, Action::Place, code, None);
        self.order(&request, stats).await;
    }

    /// A limit order that stays open.
    async fn place_resting(&self, rng: &mut Rng, stats: &RequestStats) {
        if self.resting.lock().len() >= RESTING_MAX {
            return self.cancel_or_modify(rng, stats).await;
        }
        let request = self.request(rng, Action::Place, STOCK, self.resting_price);
        if let Some(OrderResponse::Order(reply)) = self.order(&request, stats).await {
            self.resting.lock().push(reply.order_id);
        }
    }

    /// Cancels an open order, or changes its quantity one time in four.
    async fn cancel_or_modify(&self, rng: &mut Rng, stats: &RequestStats) {
        let Some(order_id) = self.resting.lock().pop() else {
            return self.buy(rng, stats).await;
        };
        if rng.below(4) > 0 {
            let request = self.request(rng, Action::Cancel(order_id), STOCK, None);
            self.order(&request, stats).await;
            return;
        }
        let mut request = self.request(rng, Action::Modify(order_id), STOCK, None);
        request.quantity = Some(Decimal::TWO);
        if let Some(OrderResponse::Order(reply)) = self.order(&request, stats).await {
            self.resting.lock().push(reply.order_id);
        }
    }

    fn request(
        &self,
        rng: &mut Rng,
        action: Action,
        code: &str,
        price: Option<Decimal>,
    ) -> OrderRequest {
        OrderRequest {
            member_id: self.phone.member_id(),
            key: format!("steady-{}", rng.next_u64()),
            action,
            code: code.to_owned(),
            side: OrderSide::Buy,
            price,
            quantity: matches!(action, Action::Place).then_some(Decimal::ONE),
            amount_won: None,
            competes: false,
        }
    }

    /// Sends once; a request without a response counts as failed.
    async fn order(&self, request: &OrderRequest, stats: &RequestStats) -> Option<OrderResponse> {
        let started = Instant::now();
        let (response, failure) = match self.phone.send_order(request).await {
            Outcome::Final(response) => (Some(response), None),
            Outcome::Unknown(failure) => (None, Some(failure)),
        };
        // A resting order ends before its cancellation only when the market closes.
        let failure = match (&response, request.action) {
            (Some(OrderResponse::Rejected(reason)), Action::Cancel(_))
                if reason != "ORDER_STATE" =>
            {
                Some(reason.clone())
            }
            _ => failure,
        };
        stats.record(&format!("{:?}", request.action), started, failure);
        response
    }
}

/// Why the response to a read counts as a failure.
pub(super) fn failure(response: &reqwest::Result<(StatusCode, Value)>) -> Option<String> {
    match response {
        Ok((status, _)) if status.is_success() => None,
        Ok((status, body)) => Some(format!("{status} {body}")),
        Err(error) => Some(format!("{error:?}")),
    }
}

/// Sessions of all members.
#[derive(Clone, Copy)]
pub(super) struct SessionCounts {
    renewed: u64,
    logins: u64,
    /// Renewals and logins without a response.
    pub(super) failed: u64,
}

impl SessionCounts {
    pub(super) fn of(members: &[Arc<Member>]) -> Self {
        let sum = |of: fn(&Phone) -> &AtomicU64| {
            let counts = members.iter().map(|member| of(&member.phone));
            counts.map(|count| count.load(Ordering::Relaxed)).sum()
        };
        Self {
            renewed: sum(|phone| &phone.renewals),
            logins: sum(|phone| &phone.logins),
            failed: sum(|phone| &phone.failed_renewals),
        }
    }

    pub(super) fn since(self, before: Self) -> Self {
        Self {
            renewed: self.renewed - before.renewed,
            logins: self.logins - before.logins,
            failed: self.failed - before.failed,
        }
    }
}

impl Display for SessionCounts {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "{} sessions renewed, {} of them by login, {} failed",
            self.renewed, self.logins, self.failed
        )
    }
}
