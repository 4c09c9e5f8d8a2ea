//! One client: does something at random, and asks again until it is told what became of it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bootstrap::deadline::{self, Deadline};
use bootstrap::grpc;
use bootstrap::problem;
use proto::common::v1::Decimal as WireDecimal;
use proto::trading::v1::trading_service_client::TradingServiceClient;
use proto::trading::v1::{
    CancelOrderRequest, GetOrderCapacityRequest, ListHoldingsRequest, Order, OrderCapacity,
    OrderCategory, OrderReply, OrderSide, PlaceOrderRequest,
};
use rust_decimal::Decimal;
use tonic::{Code, Status};

use crate::Arguments;
use crate::dice::Dice;

const CALL_TIMEOUT: Duration = Duration::from_secs(3);
const PAUSE: Duration = Duration::from_millis(200);
/// Orders that a client keeps in mind to cancel or repeat.
const REMEMBERED: usize = 50;

/// A request that changes something.
#[derive(Clone)]
enum Wish {
    Place(Box<PlaceOrderRequest>),
    Cancel(Box<CancelOrderRequest>),
}

/// What a client was told about a request: the order, or the reason of a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Done { order_id: i64 },
    Refused { reason: String },
}

/// Everything the clients were told.
#[derive(Default)]
pub(crate) struct Told {
    /// By member and request id.
    pub(crate) answers: BTreeMap<(i64, String), Answer>,
    /// Orders that were placed.
    pub(crate) placed: u64,
    /// Orders that were canceled.
    pub(crate) canceled: u64,
    /// Repeats that were answered.
    pub(crate) repeated: u64,
    /// Calls that failed without an answer, and were asked again.
    pub(crate) failed_calls: u64,
    /// Answers that differed from the one before.
    pub(crate) contradictions: u64,
    /// Requests that never had an answer.
    pub(crate) unresolved: Vec<String>,
    refusals: BTreeMap<String, u64>,
}

impl Told {
    pub(crate) fn add(&mut self, other: Self) {
        self.answers.extend(other.answers);
        self.placed += other.placed;
        self.canceled += other.canceled;
        self.repeated += other.repeated;
        self.failed_calls += other.failed_calls;
        self.contradictions += other.contradictions;
        self.unresolved.extend(other.unresolved);
        for (reason, count) in other.refusals {
            *self.refusals.entry(reason).or_default() += count;
        }
    }
}

impl fmt::Display for Told {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "told: {} placed, {} canceled, {} repeats answered alike, {} contradictions, \
             {} calls without an answer asked again, refused {:?}",
            self.placed,
            self.canceled,
            self.repeated,
            self.contradictions,
            self.failed_calls,
            self.refusals
        )
    }
}

pub(crate) struct Client {
    trading: TradingServiceClient<grpc::Client>,
    dice: Dice,
    arguments: Arguments,
    index: u64,
    first_member: u64,
    sheets: BTreeMap<String, (Instant, OrderCapacity)>,
    orders: Vec<(i64, Order)>,
    wishes: Vec<Wish>,
    serial: u64,
    told: Told,
}

impl Client {
    pub(crate) fn new(
        arguments: &Arguments,
        index: u64,
        first_member: u64,
    ) -> anyhow::Result<Self> {
        Ok(Self {
            trading: TradingServiceClient::new(grpc::channel(&arguments.trading_url)?),
            dice: Dice::new(arguments.seed.wrapping_mul(0x1000_0001).wrapping_add(index)),
            arguments: arguments.clone(),
            index,
            first_member,
            sheets: BTreeMap::new(),
            orders: Vec::new(),
            wishes: Vec::new(),
            serial: 0,
            told: Told::default(),
        })
    }

    /// Works as long as operations are left, and answers what it was told.
    pub(crate) async fn work(mut self, left: Arc<AtomicU64>, until: Instant) -> Told {
        while Instant::now() < until {
            let taken = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(1)
            });
            if taken.is_err() {
                break;
            }
            self.operate().await;
        }
        self.told
    }

    async fn operate(&mut self) {
        let wish = match self.dice.below(20) {
            0..=2 => self.cancellation(),
            3..=4 => {
                let again = self.dice.pick(&self.wishes).cloned();
                self.told.repeated += u64::from(again.is_some());
                again
            }
            _ => None,
        };
        let wish = match wish {
            Some(wish) => wish,
            None => match self.placement().await {
                Some(wish) => wish,
                None => return,
            },
        };
        self.insist(wish).await;
    }

    /// Asks until there is an answer, always with the same request id.
    async fn insist(&mut self, wish: Wish) {
        let asked = Instant::now();
        let patience = Duration::from_secs(self.arguments.patience_s);
        loop {
            match self.call(&wish).await {
                Ok(reply) => return self.note_reply(wish, reply),
                Err(status) => {
                    if let Some(reason) = refusal(&status) {
                        self.note(&wish, Answer::Refused { reason });
                        return;
                    }
                    self.told.failed_calls += 1;
                    if asked.elapsed() > patience {
                        let (member, key) = wish.key();
                        self.told
                            .unresolved
                            .push(format!("{member} {key}: {status}"));
                        return;
                    }
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }

    async fn call(&mut self, wish: &Wish) -> Result<OrderReply, Status> {
        let within = Deadline::within(CALL_TIMEOUT);
        let reply = match wish {
            Wish::Place(request) => {
                let call = self.trading.place_order(request.as_ref().clone());
                deadline::scope(within, call).await
            }
            Wish::Cancel(request) => {
                let call = self.trading.cancel_order(request.as_ref().clone());
                deadline::scope(within, call).await
            }
        };
        reply.map(tonic::Response::into_inner)
    }

    fn note_reply(&mut self, wish: Wish, reply: OrderReply) {
        let Some(order) = reply.order else {
            self.told.contradictions += 1;
            return;
        };
        let answer = Answer::Done {
            order_id: order.order_id,
        };
        let first = self.note(&wish, answer);
        if !first {
            return;
        }
        match &wish {
            Wish::Place(request) => {
                self.told.placed += 1;
                remember(&mut self.orders, (request.member_id, order), &mut self.dice);
            }
            Wish::Cancel(_) => self.told.canceled += 1,
        }
        remember(&mut self.wishes, wish, &mut self.dice);
    }

    /// Writes an answer down; `false` when the request had one already.
    fn note(&mut self, wish: &Wish, answer: Answer) -> bool {
        match self.told.answers.get(&wish.key()) {
            Some(before) => {
                if *before != answer {
                    self.told.contradictions += 1;
                    println!(
                        "contradiction: {:?}: {before:?}, then {answer:?}",
                        wish.key()
                    );
                }
                false
            }
            None => {
                if let Answer::Refused { reason } = &answer {
                    *self.told.refusals.entry(reason.clone()).or_default() += 1;
                }
                self.told.answers.insert(wish.key(), answer);
                true
            }
        }
    }

    fn request_id(&mut self) -> String {
        self.serial += 1;
        format!(
            "proof-{}-{}-{}",
            self.arguments.seed, self.index, self.serial
        )
    }

    fn cancellation(&mut self) -> Option<Wish> {
        let (member_id, order) = self.dice.pick(&self.orders).cloned()?;
        Some(Wish::Cancel(Box::new(CancelOrderRequest {
            member_id,
            request_id: self.request_id(),
            order_id: order.order_id,
            side: order.side,
            category: order.category,
        })))
    }

    async fn placement(&mut self) -> Option<Wish> {
        let member = self.first_member + self.dice.below(self.arguments.members);
        let member_id = i64::try_from(member).ok()?;
        if self.dice.below(3) == 0
            && let Some(sale) = self.sale(member_id).await
        {
            return Some(sale);
        }
        let code = self.dice.pick(&self.arguments.codes).cloned()?;
        let sheet = self.sheet(member_id, &code).await?;
        let last = decimal(sheet.last_price.as_ref())?;
        let price = self.limit(&sheet, last);
        let step = decimal(sheet.quantity_step.as_ref())?;
        // About 50,000원 to 500,000원.
        let won = Decimal::from(50_000 + self.dice.below(450_000));
        let fx = decimal(sheet.fx_rate.as_ref()).unwrap_or(Decimal::ONE);
        let units = won.checked_div(last.checked_mul(fx)?)?;
        let quantity = (units - units % step).max(step);
        Some(self.place(
            member_id,
            &code,
            OrderSide::Buy,
            category(&code),
            price,
            quantity,
        ))
    }

    async fn sale(&mut self, member_id: i64) -> Option<Wish> {
        let request = ListHoldingsRequest {
            member_id,
            ..ListHoldingsRequest::default()
        };
        let call = self.trading.list_holdings(request);
        let answer = deadline::scope(Deadline::within(CALL_TIMEOUT), call).await;
        let holdings = answer.ok()?.into_inner().holdings;
        let holding = self.dice.pick(&holdings)?.clone();
        let owned = decimal(holding.quantity.as_ref())? - decimal(holding.held_quantity.as_ref())?;
        let code = holding.instrument_code;
        let sheet = self.sheet(member_id, &code).await?;
        let step = decimal(sheet.quantity_step.as_ref())?;
        let part = owned * Decimal::from(1 + self.dice.below(4)) / Decimal::from(4);
        let quantity = part - part % step;
        if quantity <= Decimal::ZERO {
            return None;
        }
        let last = decimal(sheet.last_price.as_ref())?;
        let price = self.limit(&sheet, last);
        Some(self.place(
            member_id,
            &code,
            OrderSide::Sell,
            category(&code),
            price,
            quantity,
        ))
    }

    /// No price, or one on a tick at most two percent from the last.
    fn limit(&mut self, sheet: &OrderCapacity, last: Decimal) -> Option<Decimal> {
        if self.dice.below(2) == 0 {
            return None;
        }
        let permille = Decimal::from(980 + self.dice.below(41));
        let wanted = last * permille / Decimal::ONE_THOUSAND;
        let bands = sheet.tick_table.iter();
        let tick = bands
            .filter_map(|band| Some((decimal(band.from.as_ref())?, decimal(band.tick.as_ref())?)))
            .filter(|(from, _)| *from <= wanted)
            .map(|(_, tick)| tick)
            .next_back()?;
        Some(wanted - wanted % tick).filter(|price| *price > Decimal::ZERO)
    }

    fn place(
        &mut self,
        member_id: i64,
        code: &str,
        side: OrderSide,
        category: OrderCategory,
        price: Option<Decimal>,
        quantity: Decimal,
    ) -> Wish {
        Wish::Place(Box::new(PlaceOrderRequest {
            member_id,
            request_id: self.request_id(),
            instrument_code: code.to_owned(),
            side: side.into(),
            category: category.into(),
            price: price.map(proto::convert::decimal),
            quantity: Some(proto::convert::decimal(quantity)),
            risk_acknowledged: true,
            ..PlaceOrderRequest::default()
        }))
    }

    /// The order sheet of an instrument, at most a second old.
    async fn sheet(&mut self, member_id: i64, code: &str) -> Option<OrderCapacity> {
        if let Some((at, sheet)) = self.sheets.get(code)
            && at.elapsed() < Duration::from_secs(1)
        {
            return Some(sheet.clone());
        }
        let request = GetOrderCapacityRequest {
            member_id,
            instrument_code: code.to_owned(),
            ..GetOrderCapacityRequest::default()
        };
        let call = self.trading.get_order_capacity(request);
        let Ok(answer) = deadline::scope(Deadline::within(CALL_TIMEOUT), call).await else {
            self.told.failed_calls += 1;
            tokio::time::sleep(PAUSE).await;
            return None;
        };
        let sheet = answer.into_inner();
        self.sheets
            .insert(code.to_owned(), (Instant::now(), sheet.clone()));
        Some(sheet)
    }
}

impl Wish {
    fn key(&self) -> (i64, String) {
        match self {
            Self::Place(request) => (request.member_id, request.request_id.clone()),
            Self::Cancel(request) => (request.member_id, request.request_id.clone()),
        }
    }
}

/// The reason of a refusal; `None` for a call that has to be asked again.
fn refusal(status: &Status) -> Option<String> {
    let again = [
        Code::Unavailable,
        Code::DeadlineExceeded,
        Code::Internal,
        Code::Unknown,
        Code::Cancelled,
    ];
    let reason = problem::of(status)?.reason;
    let asked_again = again.contains(&status.code()) || reason == "REQ_SID_IN_PROGRESS";
    (!asked_again).then_some(reason)
}

fn decimal(value: Option<&WireDecimal>) -> Option<Decimal> {
    value?.value.parse().ok()
}

fn category(code: &str) -> OrderCategory {
    if code.starts_with("KRW-") {
        OrderCategory::Coin
    } else {
        OrderCategory::Stock
    }
}

fn remember<T>(memory: &mut Vec<T>, new: T, dice: &mut Dice) {
    if memory.len() >= REMEMBERED {
        let count = u64::try_from(memory.len()).unwrap_or(1);
        if let Ok(index) = usize::try_from(dice.below(count)) {
            memory.swap_remove(index);
        }
    }
    memory.push(new);
}
