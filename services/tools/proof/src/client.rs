//! One client: sends random requests, retries each until it has a final response, and compares
//! the response with its model.

mod acts;
mod competitions;
mod requests;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rust_decimal::Decimal;

use crate::acts::ActRequest;
use crate::acts::competitions::Events;
use crate::acts::products::Products;
use crate::arguments::Arguments;
use crate::invalid_request;
use crate::model::{Model, OrderState, TrackedOrder};
use crate::order::{
    Action, OrderCategory, OrderRequest, OrderResponse, OrderSheet, OrderSide, Outcome,
};
use crate::results::{PreviewedOrder, Results};
use crate::rng::Rng;
use crate::transport::Transport;
use crate::workload::Workload;

const PAUSE: Duration = Duration::from_millis(200);
/// Requests that a client keeps for repeats.
const REPEATABLE_MAX: usize = 50;
/// Share of the operations; the others are about orders.
const ACTS_PERCENT: u64 = 15;
/// Share of the operations; each may be several requests.
const COMPETITIONS_PERCENT: u64 = 4;
const ACTS_OR_COMPETITIONS: u64 = ACTS_PERCENT + COMPETITIONS_PERCENT;

pub(crate) struct Client {
    pub(crate) transport: Transport,
    pub(crate) rng: Rng,
    timeout: Duration,
    codes: Vec<String>,
    name: String,
    serial: u64,
    sheets: BTreeMap<String, (Instant, OrderSheet)>,
    pub(crate) model: Model,
    pub(crate) done: Vec<OrderRequest>,
    acts_done: Vec<ActRequest>,
    products: Products,
    events: Events,
    pub(crate) results: Results,
}

impl Client {
    pub(crate) fn new(
        arguments: &Arguments,
        index: u64,
        transport: Transport,
        (products, events): (Products, Events),
    ) -> Self {
        Self {
            transport,
            rng: Rng::new(arguments.seed.wrapping_mul(0x1000_0001).wrapping_add(index)),
            timeout: Duration::from_secs(arguments.timeout_s),
            codes: arguments.codes.clone(),
            name: format!("proof-{}-{index}", arguments.seed),
            serial: 0,
            sheets: BTreeMap::new(),
            model: Model::new(arguments.splits.clone()),
            done: Vec::new(),
            acts_done: Vec::new(),
            products,
            events,
            results: Results::default(),
        }
    }

    /// Places this many orders a fifth below the market, which stay open.
    pub(crate) async fn place_resting(&mut self, orders: u64) {
        // Some are rejected: too large for the member's cash, or below the minimum amount.
        for _ in 0..orders * 3 {
            if self.results.placed >= orders {
                break;
            }
            let member_id = self.transport.member(&mut self.rng);
            let Some(code) = self
                .code()
                .filter(|code| OrderCategory::of(code) != OrderCategory::Coin)
            else {
                continue;
            };
            let Some(sheet) = self.sheet(member_id, &code).await else {
                continue;
            };
            let price = sheet.on_tick(sheet.last * Decimal::new(80, 2));
            if price.is_some() {
                let request = self.order(member_id, code, OrderSide::Buy, price, sheet.step);
                self.execute(request).await;
            }
        }
    }

    pub(crate) async fn run(mut self, workload: Arc<Workload>) -> Results {
        while workload.take() {
            self.operate().await;
        }
        if let Transport::Http(phone) = &self.transport {
            self.results.logins = phone.logins.load(Ordering::Relaxed);
            self.results.renewals = phone.renewals.load(Ordering::Relaxed);
        }
        self.results
    }

    async fn operate(&mut self) {
        match self.rng.below(100) {
            0..ACTS_PERCENT => return self.act().await,
            ACTS_PERCENT..ACTS_OR_COMPETITIONS => return self.compete().await,
            _ => {}
        }
        match self.rng.below(40) {
            0..=4 => {
                if let Some(order) = self.model.pick(&mut self.rng) {
                    let request = self.cancellation(&order);
                    return self.execute(request).await;
                }
            }
            5..=10 => {
                if let Some(order) = self.model.pick(&mut self.rng)
                    && let Some(request) = self.modification(&order).await
                {
                    return self.execute(request).await;
                }
            }
            11..=13 => {
                if let Some(request) = self.rng.pick(&self.done).cloned() {
                    self.results.repeated += 1;
                    return self.execute(request).await;
                }
            }
            14 => {
                if let Some(order) = self.model.pick(&mut self.rng)
                    && order.state == OrderState::Open
                    && let Some(request) = self.modification(&order).await
                {
                    return self.race(&order, request).await;
                }
            }
            15 => {
                if let Some(invalid) = invalid_request::generate(self).await {
                    return self.send_invalid(invalid).await;
                }
            }
            _ => {}
        }
        if let Some(request) = self.placement().await {
            self.place(request).await;
        }
    }

    async fn execute(&mut self, request: OrderRequest) {
        if let Some(response) = self.send_until_final(&request).await {
            self.accept(request, response);
        }
    }

    /// Previews one limit order in four first.
    async fn place(&mut self, request: OrderRequest) {
        let preview = if request.price.is_some() && self.rng.below(4) == 0 {
            self.transport.preview(&request).await
        } else {
            None
        };
        let Some(response) = self.send_until_final(&request).await else {
            return;
        };
        if let (Some(cost), OrderResponse::Order(reply)) = (preview, &response) {
            let order_id = reply.order_id;
            self.results
                .previews
                .push(PreviewedOrder { order_id, cost });
        }
        self.accept(request, response);
    }

    /// Sends two requests for one order concurrently, or one request twice.
    async fn race(&mut self, order: &TrackedOrder, first: OrderRequest) {
        let second = match self.rng.below(3) {
            0 => first.clone(),
            1 => self.cancellation(order),
            _ => match self.modification(order).await {
                Some(other) => other,
                None => return,
            },
        };
        self.results.raced += 1;
        let (timeout, transport) = (self.timeout, &self.transport);
        let (one, other) = tokio::join!(
            retry_until_final(|| transport.send(&first), timeout),
            retry_until_final(|| transport.send(&second), timeout)
        );
        self.results.failed_calls += one.1 + other.1;
        let (one, other) = (
            self.record_unresolved(&first, one.0),
            self.record_unresolved(&second, other.0),
        );
        let (Some(one), Some(other)) = (one, other) else {
            return;
        };
        let is_one_request = first.key == second.key;
        if is_one_request != (one == other)
            && (is_one_request
                || matches!(
                    (&one, &other),
                    (OrderResponse::Order(_), OrderResponse::Order(_))
                ))
        {
            self.results.record_fault(format!(
                "of {first:?} and {second:?} at once: {one:?} and {other:?}"
            ));
        }
        // The service order: rejections for other reasons than the order's end, then the request
        // that ended it, then those that came too late.
        let mut responses = [(first, one), (second, other)];
        responses.sort_by_key(|(_, response)| match response {
            OrderResponse::Rejected(reason) if !is_end(reason) => 0,
            OrderResponse::Order(_) => 1,
            OrderResponse::Rejected(_) => 2,
        });
        for (request, response) in responses {
            self.accept(request, response);
        }
    }

    /// Expects a rejection with one of the reasons it names.
    async fn send_invalid(&mut self, invalid: invalid_request::InvalidRequest) {
        self.results.invalid += 1;
        let Some(response) = self.send_until_final(&invalid.request).await else {
            return;
        };
        let as_expected = match &response {
            OrderResponse::Order(_) => false,
            OrderResponse::Rejected(reason) => invalid.reasons.contains(&reason.as_str()),
        };
        if !as_expected {
            let Some(expected) = invalid.reasons.first() else {
                return;
            };
            self.results.record_fault(format!(
                "{:?}: {response:?} instead of {expected}",
                invalid.request
            ));
        }
        if invalid.is_stored {
            self.record(&invalid.request, response);
        }
    }

    /// Compares a repeated response with the first one, and a first one with the model.
    fn accept(&mut self, request: OrderRequest, response: OrderResponse) {
        if !self.record(&request, response.clone()) {
            return;
        }
        let was_open = matches!(request.action, Action::Cancel(id) | Action::Modify(id) if self.model.is_open(id));
        let sheet = self.sheets.get(&request.code).map(|(_, sheet)| sheet);
        if let Err(fault) = self
            .model
            .check_response(&request, &response, sheet, &mut self.rng)
        {
            self.results.record_fault(format!("{request:?}: {fault}"));
        }
        match &response {
            OrderResponse::Order(_) => match request.action {
                Action::Place => self.results.placed += 1,
                Action::Cancel(_) => self.results.canceled += 1,
                Action::Modify(_) => self.results.modified += 1,
            },
            OrderResponse::Rejected(reason) => {
                *self.results.rejections.entry(reason.clone()).or_default() += 1;
                if let Action::Cancel(id) | Action::Modify(id) = request.action
                    && was_open
                    && reason == "ORDER_STATE"
                {
                    self.results.ended_alone.push(id);
                }
            }
        }
        if self.done.len() >= REPEATABLE_MAX {
            let count = u64::try_from(self.done.len()).unwrap_or(1);
            if let Ok(index) = usize::try_from(self.rng.below(count)) {
                self.done.swap_remove(index);
            }
        }
        self.done.push(request);
    }

    /// Returns `false` if the request had a response already; a different one is a fault.
    fn record(&mut self, request: &OrderRequest, response: OrderResponse) -> bool {
        match self.results.responses.get(&request.identity()) {
            Some(before) => {
                if *before != response {
                    let fault = format!("{:?}: {before:?}, then {response:?}", request.identity());
                    self.results.record_fault(fault);
                }
                false
            }
            None => {
                self.results.responses.insert(request.identity(), response);
                true
            }
        }
    }

    async fn send_until_final(&mut self, request: &OrderRequest) -> Option<OrderResponse> {
        let (timeout, transport) = (self.timeout, &self.transport);
        let (response, failed) = retry_until_final(|| transport.send(request), timeout).await;
        self.results.failed_calls += failed;
        self.record_unresolved(request, response)
    }

    fn record_unresolved<T>(
        &mut self,
        request: &impl fmt::Debug,
        response: Result<T, String>,
    ) -> Option<T> {
        response
            .map_err(|error| {
                self.results
                    .unresolved
                    .push(format!("{request:?}: {error}"))
            })
            .ok()
    }
}

/// Whether a rejection means that the order has ended.
fn is_end(reason: &str) -> bool {
    ["ORDER_STATE", "ORDER_ALREADY_FILLED"].contains(&reason)
}

/// Retries with the same key until a final response or `timeout`; also returns how many calls had
/// none.
async fn retry_until_final<T, F>(
    send: impl Fn() -> F,
    timeout: Duration,
) -> (Result<T, String>, u64)
where
    F: Future<Output = Outcome<T>>,
{
    let started = Instant::now();
    let mut failed = 0;
    loop {
        match send().await {
            Outcome::Final(response) => return (Ok(response), failed),
            Outcome::Unknown(error) if started.elapsed() > timeout => {
                return (Err(error), failed);
            }
            Outcome::Unknown(_) => {
                failed += 1;
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}
