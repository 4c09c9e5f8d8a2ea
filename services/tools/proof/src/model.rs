//! A client's model of its orders, built from the responses alone, and the responses that it allows
//! next. Shares no code with the service, so that a mistake in one of the two is a difference.

use rust_decimal::{Decimal, RoundingStrategy, prelude::ToPrimitive};

use crate::order::{Action, OrderRequest, OrderResponse, OrderSheet, OrderSide, OrderView};
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
    pub(crate) state: OrderState,
    /// Whether a response showed it after its split; an order is split once.
    is_split: bool,
}

#[derive(Default)]
pub(crate) struct Model {
    orders: Vec<TrackedOrder>,
    splits: Splits,
}

/// Market conditions that may reject any new order.
const MARKET_REASONS: [&str; 3] = ["NOT_TRADABLE", "PRICE_LIMIT", "MIN_AMOUNT"];

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

    /// The order after the split of its instrument, if only the split explains the reply.
    fn split_order(
        &self,
        order: &TrackedOrder,
        request: &OrderRequest,
        reply: &OrderView,
        sheet: Option<&OrderSheet>,
    ) -> Option<TrackedOrder> {
        let split = self.splits.of(&order.code).filter(|_| !order.is_split)?;
        let price = match order.price {
            Some(price) => Some(split.price(price, sheet?)?),
            None => None,
        };
        let split_order = TrackedOrder {
            price,
            quantity: split.quantity(order.quantity),
            is_split: true,
            ..order.clone()
        };
        let is_explained = reply.price == split_order.price && reply.price != order.price
            || request.quantity.is_none() && reply.quantity > order.quantity;
        is_explained.then_some(split_order)
    }

    fn check_rejection(&self, request: &OrderRequest, reason: &str) -> Result<(), String> {
        let insufficient = match request.side {
            OrderSide::Buy => "INSUFFICIENT_CASH",
            OrderSide::Sell => "INSUFFICIENT_QTY",
        };
        let is_of_new_order = reason == insufficient || MARKET_REASONS.contains(&reason);
        let expected = match request.action {
            Action::Place => is_of_new_order,
            Action::Cancel(order_id) | Action::Modify(order_id) => {
                match self
                    .order(order_id)
                    .map_or(OrderState::Open, |order| order.state)
                {
                    OrderState::Filled => reason == "ORDER_ALREADY_FILLED",
                    OrderState::Ended => reason == "ORDER_STATE",
                    // It may have filled or ended since; the final checks compare that with the
                    // database.
                    OrderState::Open => {
                        let modifies = matches!(request.action, Action::Modify(_));
                        ["ORDER_ALREADY_FILLED", "ORDER_STATE"].contains(&reason)
                            || (modifies && (is_of_new_order || reason == "MODIFY_NOTHING"))
                    }
                }
            }
        };
        expected
            .then_some(())
            .ok_or_else(|| format!("rejected with {reason}"))
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
            state: OrderState::Open,
            is_split,
        });
    }
}

/// What a new or modified order must look like.
fn check_new_order(
    reply: &OrderView,
    price: Option<Decimal>,
    request: &OrderRequest,
    replaced_id: i64,
    sheet: Option<&OrderSheet>,
) -> Result<(), String> {
    let has_quantity = |quantity| match request.amount_won {
        None => reply.quantity == quantity,
        Some(_) => reply.quantity <= quantity,
    };
    let is_as_requested = ["ACCEPTED", "QUEUED"].contains(&reply.status.as_str())
        && reply.replaced_id == replaced_id
        && reply.price == price
        && reply.amount_won == request.amount_won
        && reply.quantity > Decimal::ZERO
        && request.quantity.is_none_or(has_quantity)
        && reply.filled.is_zero();
    if !is_as_requested {
        return Err(format!("another order than was requested: {reply:?}"));
    }
    let held = match (reply.side, price, sheet) {
        (OrderSide::Sell, _, _) => Some(0),
        (OrderSide::Buy, Some(price), Some(sheet)) if sheet.is_won => {
            let exact = price * reply.quantity;
            Some(up(exact) + up(exact * sheet.fee_rate))
        }
        // The hold of a market order or an order in dollars depends on the current price or rate.
        (OrderSide::Buy, _, _) => None,
    };
    if let Some(most) = request.amount_won.filter(|most| reply.held_won > *most) {
        return Err(format!("holds more than {most}: {reply:?}"));
    }
    match held {
        Some(held) if held != reply.held_won => Err(format!("{held} held expected: {reply:?}")),
        Some(_) | None => Ok(()),
    }
}

fn up(exact: Decimal) -> i64 {
    let won = exact.round_dp_with_strategy(0, RoundingStrategy::ToPositiveInfinity);
    won.to_i64().unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(action: Action) -> OrderRequest {
        OrderRequest {
            member_id: 1,
            key: "key".to_owned(),
            action,
            code: "005930".to_owned(),
            side: OrderSide::Buy,
            price: Some(Decimal::from(71_300)),
            quantity: Some(Decimal::from(10)),
            amount_won: None,
        }
    }

    fn sheet() -> OrderSheet {
        OrderSheet {
            last: Decimal::from(71_300),
            step: Decimal::ONE,
            upper: None,
            rate: Decimal::ONE,
            is_won: true,
            fee_rate: Decimal::new(15, 5),
            ticks: vec![(Decimal::ZERO, Decimal::ONE)],
        }
    }

    fn order_response(
        order_id: i64,
        replaced_id: i64,
        status: &str,
        held_won: i64,
    ) -> OrderResponse {
        OrderResponse::Order(Box::new(OrderView {
            order_id,
            replaced_id,
            code: "005930".to_owned(),
            side: OrderSide::Buy,
            status: status.to_owned(),
            price: Some(Decimal::from(71_300)),
            quantity: Decimal::from(10),
            filled: Decimal::ZERO,
            held_won,
            amount_won: None,
        }))
    }

    fn rejected(reason: &str) -> OrderResponse {
        OrderResponse::Rejected(reason.to_owned())
    }

    #[test]
    fn a_different_hold_is_a_fault() {
        let mut rng = Rng::new(1);
        let take = |held_won, rng: &mut Rng| {
            let response = order_response(7, 0, "ACCEPTED", held_won);
            Model::default().check_response(&request(Action::Place), &response, Some(&sheet()), rng)
        };
        // 713,000 and a fee of 106.95, rounded up.
        assert_eq!(take(713_107, &mut rng), Ok(()));
        assert!(take(713_106, &mut rng).is_err());
    }

    #[test]
    fn an_order_by_amount_holds_no_more_than_the_amount_and_is_never_modified() {
        let mut rng = Rng::new(1);
        let mut model = Model::default();
        let by_amount = |action, quantity: Option<i64>| OrderRequest {
            price: None,
            quantity: quantity.map(Decimal::from),
            amount_won: Some(700_000),
            ..request(action)
        };
        let reply = |quantity, held_won, amount_won| {
            OrderResponse::Order(Box::new(OrderView {
                order_id: 7,
                replaced_id: 0,
                code: "005930".to_owned(),
                side: OrderSide::Buy,
                status: "ACCEPTED".to_owned(),
                price: None,
                quantity: Decimal::from(quantity),
                filled: Decimal::ZERO,
                held_won,
                amount_won,
            }))
        };
        let mut take = |request: &OrderRequest, response| {
            model.check_response(request, &response, Some(&sheet()), &mut rng)
        };
        let unbounded = by_amount(Action::Place, None);
        assert_eq!(take(&unbounded, reply(9, 700_000, Some(700_000))), Ok(()));
        assert!(take(&unbounded, reply(9, 700_001, Some(700_000))).is_err());
        assert!(take(&unbounded, reply(9, 700_000, None)).is_err());
        let bounded = by_amount(Action::Place, Some(8));
        assert_eq!(take(&bounded, reply(8, 600_000, Some(700_000))), Ok(()));
        assert!(take(&bounded, reply(9, 700_000, Some(700_000))).is_err());
        let modified = OrderRequest {
            amount_won: None,
            ..by_amount(Action::Modify(7), Some(3))
        };
        assert!(take(&modified, reply(3, 250_000, None)).is_err());
    }

    /// Places 10 at 71,300 and keeps price and quantity in a modification.
    fn modify_after(splits: &str, price: i64, quantity: i64) -> Result<(), String> {
        modify_to(None, splits, price, quantity)
    }

    /// The same with the new quantity `asked`.
    fn modify_to(
        asked: Option<i64>,
        splits: &str,
        price: i64,
        quantity: i64,
    ) -> Result<(), String> {
        let mut rng = Rng::new(1);
        let mut model = Model::new(splits.parse().unwrap());
        let placed = order_response(7, 0, "ACCEPTED", 713_107);
        model.check_response(&request(Action::Place), &placed, Some(&sheet()), &mut rng)?;
        let keeping = OrderRequest {
            price: None,
            quantity: asked.map(Decimal::from),
            ..request(Action::Modify(7))
        };
        let OrderResponse::Order(mut reply) = order_response(8, 7, "ACCEPTED", 0) else {
            return Err("no order".to_owned());
        };
        reply.price = Some(Decimal::from(price));
        reply.quantity = Decimal::from(quantity);
        let exact = Decimal::from(price * quantity);
        reply.held_won = up(exact) + up(exact * sheet().fee_rate);
        model.check_response(
            &keeping,
            &OrderResponse::Order(reply),
            Some(&sheet()),
            &mut rng,
        )
    }

    #[test]
    fn a_split_changes_an_order_by_its_ratio() {
        let split = "split 005930 2026-11-24 5/1";
        assert_eq!(modify_after(split, 71_300, 10), Ok(()));
        assert_eq!(modify_after(split, 14_260, 50), Ok(()));
        // A larger quantity that was requested is not the split.
        assert_eq!(modify_to(Some(15), split, 71_300, 15), Ok(()));
        assert!(modify_after(split, 14_260, 51).is_err());
        assert!(modify_after(split, 14_261, 50).is_err());
        assert!(modify_after(split, 71_300, 50).is_err());
        assert!(modify_after("split 000660 2026-11-24 5/1", 14_260, 50).is_err());
    }

    #[test]
    fn an_order_ends_once() {
        let mut rng = Rng::new(1);
        let mut model = Model::default();
        let mut take = |action, response: OrderResponse| {
            model.check_response(&request(action), &response, Some(&sheet()), &mut rng)
        };
        assert_eq!(
            take(Action::Place, order_response(7, 0, "ACCEPTED", 713_107)),
            Ok(())
        );
        assert_eq!(
            take(Action::Modify(7), order_response(8, 7, "ACCEPTED", 713_107)),
            Ok(())
        );
        assert!(take(Action::Cancel(7), order_response(7, 0, "CANCELED", 0)).is_err());
        assert_eq!(take(Action::Cancel(7), rejected("ORDER_STATE")), Ok(()));
        assert!(take(Action::Modify(7), rejected("MODIFY_NOTHING")).is_err());
        assert_eq!(
            take(Action::Cancel(8), rejected("ORDER_ALREADY_FILLED")),
            Ok(())
        );
        assert!(take(Action::Cancel(8), rejected("ORDER_STATE")).is_err());
    }
}
