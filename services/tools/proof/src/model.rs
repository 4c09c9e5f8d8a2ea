//! A client's model of its orders, built from the responses alone, and the responses that it allows
//! next. Shares no code with the service, so that a mistake in one of the two is a difference.

mod new_order;
mod rejection;
mod split_order;

use rust_decimal::Decimal;

use self::new_order::check_new_order;
use crate::order::{
    Action, OrderCategory, OrderRequest, OrderResponse, OrderSheet, OrderSide, OrderView,
};
use crate::rng::Rng;
use crate::splits::Splits;

const TRACKED_MAX: usize = 80;

/// As of the last response about the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OrderState {
    /// It may have ended since.
    Open,
    /// A request was rejected because it had filled.
    Filled,
    /// Canceled, replaced, or ended by the service.
    Ended,
}

#[derive(Clone, Debug)]
pub(crate) struct TrackedOrder {
    pub(crate) member_id: i64,
    pub(crate) order_id: i64,
    pub(crate) code: String,
    pub(crate) side: OrderSide,
    pub(crate) price: Option<Decimal>,
    pub(crate) quantity: Decimal,
    pub(crate) amount_won: Option<i64>,
    /// Whether it is of an account of a competition.
    pub(crate) competes: bool,
    pub(crate) state: OrderState,
    /// Whether a response showed it after its split; an order is split once.
    is_split: bool,
}

#[derive(Default)]
pub(crate) struct Model {
    orders: Vec<TrackedOrder>,
    splits: Splits,
}

impl Model {
    pub(crate) fn new(splits: Splits) -> Self {
        Self {
            splits,
            ..Self::default()
        }
    }

    pub(crate) fn pick(&self, rng: &mut Rng) -> Option<TrackedOrder> {
        rng.pick(&self.orders).cloned()
    }

    pub(crate) fn is_open(&self, order_id: i64) -> bool {
        self.order(order_id)
            .is_some_and(|order| order.state == OrderState::Open)
    }

    /// Checks `response` against the model, then updates the model.
    ///
    /// # Errors
    /// The difference, as a sentence.
    pub(crate) fn check_response(
        &mut self,
        request: &OrderRequest,
        response: &OrderResponse,
        sheet: Option<&OrderSheet>,
        rng: &mut Rng,
    ) -> Result<(), String> {
        let outcome = match response {
            OrderResponse::Order(reply) => self.check_order(request, reply, sheet),
            OrderResponse::Rejected(reason) => self.check_rejection(request, reason),
        };
        self.update(request, response, sheet, rng);
        outcome
    }

    fn order(&self, order_id: i64) -> Option<&TrackedOrder> {
        self.orders.iter().find(|order| order.order_id == order_id)
    }

    fn check_order(
        &self,
        request: &OrderRequest,
        reply: &OrderView,
        sheet: Option<&OrderSheet>,
    ) -> Result<(), String> {
        if reply.code != request.code || reply.side != request.side {
            return Err(format!("an order of another kind: {reply:?}"));
        }
        let is_stock = request.category() == OrderCategory::Stock;
        if request.competes && !is_stock {
            return Err(format!("an order that no competition takes: {reply:?}"));
        }
        match request.action {
            Action::Place => check_new_order(reply, request.price, request, 0, sheet),
            Action::Modify(order_id) => {
                let Some(order) = self.order(order_id) else {
                    return Ok(());
                };
                if order.state != OrderState::Open {
                    return Err(format!("modified an order that was {:?}", order.state));
                }
                if order.amount_won.is_some() {
                    return Err("modified an order by amount".to_owned());
                }
                let split_order = self.split_order(order, request, reply, sheet);
                let order = split_order.as_ref().unwrap_or(order);
                let price = request.price.or(order.price);
                check_new_order(reply, price, request, order_id, sheet)?;
                // The remaining quantity of an order never grows by itself.
                if request.quantity.is_none() && reply.quantity > order.quantity {
                    return Err(format!("more remains than was ordered: {reply:?}"));
                }
                Ok(())
            }
            Action::Cancel(order_id) => {
                let state = self
                    .order(order_id)
                    .map_or(OrderState::Open, |order| order.state);
                if state != OrderState::Open {
                    return Err(format!("canceled an order that was {state:?}"));
                }
                let is_canceled = reply.order_id == order_id
                    && reply.status == "CANCELED"
                    && reply.held_won == 0
                    && reply.filled < reply.quantity;
                is_canceled
                    .then_some(())
                    .ok_or_else(|| format!("not canceled: {reply:?}"))
            }
        }
    }

    fn update(
        &mut self,
        request: &OrderRequest,
        response: &OrderResponse,
        sheet: Option<&OrderSheet>,
        rng: &mut Rng,
    ) {
        if let Action::Cancel(order_id) | Action::Modify(order_id) = request.action {
            let state = match response {
                OrderResponse::Order(_) => Some(OrderState::Ended),
                OrderResponse::Rejected(reason) if reason == "ORDER_ALREADY_FILLED" => {
                    Some(OrderState::Filled)
                }
                OrderResponse::Rejected(reason) if reason == "ORDER_STATE" => {
                    Some(OrderState::Ended)
                }
                OrderResponse::Rejected(_) => None,
            };
            let mut orders = self.orders.iter_mut();
            if let Some(state) = state
                && let Some(order) = orders.find(|order| order.order_id == order_id)
            {
                order.state = state;
            }
        }
        let OrderResponse::Order(reply) = response else {
            return;
        };
        let is_split = match request.action {
            Action::Place => false,
            Action::Cancel(_) => return,
            Action::Modify(order_id) => self.order(order_id).is_some_and(|order| {
                // With both given, the reply does not show whether it was split.
                order.is_split
                    || !(request.price.is_some() && request.quantity.is_some())
                        && self.split_order(order, request, reply, sheet).is_some()
            }),
        };
        if self.orders.len() >= TRACKED_MAX {
            let count = u64::try_from(self.orders.len()).unwrap_or(1);
            if let Ok(index) = usize::try_from(rng.below(count)) {
                self.orders.swap_remove(index);
            }
        }
        self.orders.push(TrackedOrder {
            member_id: request.member_id,
            order_id: reply.order_id,
            code: reply.code.clone(),
            side: reply.side,
            price: reply.price,
            quantity: reply.quantity,
            amount_won: reply.amount_won,
            competes: request.competes,
            state: OrderState::Open,
            is_split,
        });
    }
}

#[cfg(test)]
mod tests;
