//! What a client knows of its orders from the answers alone, and so which answers may come next.
//! It shares no code with the service: a difference is a fault of one of the two.

use rust_decimal::{Decimal, RoundingStrategy, prelude::ToPrimitive};

use crate::dice::Dice;
use crate::splits::Splits;
use crate::wish::{Act, Answer, Reply, Sheet, Side, Wish};

/// Orders that a client keeps in mind.
const REMEMBERED: usize = 80;

/// Where an order stands, as far as answers have told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// It was open when it was last heard of.
    Open,
    /// A request was refused because it had filled.
    Filled,
    /// Canceled, replaced, or over for a reason of its own.
    Ended,
}

/// An order that is known.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) member_id: i64,
    pub(crate) order_id: i64,
    pub(crate) code: String,
    pub(crate) side: Side,
    pub(crate) price: Option<Decimal>,
    pub(crate) quantity: Decimal,
    pub(crate) state: State,
    /// Whether it was seen in the shares after a split: it is divided once.
    is_divided: bool,
}

/// The orders of one client.
#[derive(Default)]
pub(crate) struct Model {
    orders: Vec<Known>,
    splits: Splits,
}

/// Facts that stand in the way of any new order, whatever it asks for.
const OF_THE_MARKET: [&str; 3] = ["NOT_TRADABLE", "PRICE_LIMIT", "MIN_AMOUNT"];

impl Model {
    /// Knows of splits that come during the run.
    pub(crate) fn new(splits: Splits) -> Self {
        Self {
            splits,
            ..Self::default()
        }
    }

    pub(crate) fn pick(&self, dice: &mut Dice) -> Option<Known> {
        dice.pick(&self.orders).cloned()
    }

    /// Whether nothing was heard yet that ended it.
    pub(crate) fn is_open(&self, order_id: i64) -> bool {
        self.known(order_id)
            .is_some_and(|known| known.state == State::Open)
    }

    /// Whether `answer` may be the answer to `wish` now, and remembers what it tells.
    ///
    /// # Errors
    /// The sentence that says what was expected instead.
    pub(crate) fn take(
        &mut self,
        wish: &Wish,
        answer: &Answer,
        sheet: Option<&Sheet>,
        dice: &mut Dice,
    ) -> Result<(), String> {
        let verdict = match answer {
            Answer::Done(reply) => self.expect_done(wish, reply, sheet),
            Answer::Refused(reason) => self.expect_refused(wish, reason),
        };
        self.learn(wish, answer, sheet, dice);
        verdict
    }

    fn known(&self, order_id: i64) -> Option<&Known> {
        self.orders.iter().find(|known| known.order_id == order_id)
    }

    fn expect_done(&self, wish: &Wish, reply: &Reply, sheet: Option<&Sheet>) -> Result<(), String> {
        if reply.code != wish.code || reply.side != wish.side {
            return Err(format!("an order of another kind: {reply:?}"));
        }
        match wish.act {
            Act::Place => fresh(reply, wish.price, wish.quantity, 0, sheet),
            Act::Modify(order_id) => {
                let Some(known) = self.known(order_id) else {
                    return Ok(());
                };
                if known.state != State::Open {
                    return Err(format!("a modified order that was {:?}", known.state));
                }
                let divided = self.divided(known, wish, reply, sheet);
                let known = divided.as_ref().unwrap_or(known);
                let price = wish.price.or(known.price);
                fresh(reply, price, wish.quantity, order_id, sheet)?;
                // What is left of an order never grows by itself.
                if wish.quantity.is_none() && reply.quantity > known.quantity {
                    return Err(format!("more left than was ordered: {reply:?}"));
                }
                Ok(())
            }
            Act::Cancel(order_id) => {
                let state = self
                    .known(order_id)
                    .map_or(State::Open, |known| known.state);
                if state != State::Open {
                    return Err(format!("a canceled order that was {state:?}"));
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

    /// The order after the split of its instrument, if only that explains the reply.
    fn divided(
        &self,
        known: &Known,
        wish: &Wish,
        reply: &Reply,
        sheet: Option<&Sheet>,
    ) -> Option<Known> {
        let split = self.splits.of(&known.code).filter(|_| !known.is_divided)?;
        let price = match known.price {
            Some(price) => Some(split.price(price, sheet?)?),
            None => None,
        };
        let divided = Known {
            price,
            quantity: split.quantity(known.quantity),
            is_divided: true,
            ..known.clone()
        };
        let is_explained = reply.price == divided.price && reply.price != known.price
            || wish.quantity.is_none() && reply.quantity > known.quantity;
        is_explained.then_some(divided)
    }

    fn expect_refused(&self, wish: &Wish, reason: &str) -> Result<(), String> {
        let lacking = match wish.side {
            Side::Buy => "INSUFFICIENT_CASH",
            Side::Sell => "INSUFFICIENT_QTY",
        };
        let of_new = reason == lacking || OF_THE_MARKET.contains(&reason);
        let expected = match wish.act {
            Act::Place => of_new,
            Act::Cancel(order_id) | Act::Modify(order_id) => {
                match self
                    .known(order_id)
                    .map_or(State::Open, |known| known.state)
                {
                    State::Filled => reason == "ORDER_ALREADY_FILLED",
                    State::Ended => reason == "ORDER_STATE",
                    // It may have filled or ended since; the end of the proof asks the books.
                    State::Open => {
                        let modifies = matches!(wish.act, Act::Modify(_));
                        ["ORDER_ALREADY_FILLED", "ORDER_STATE"].contains(&reason)
                            || (modifies && (of_new || reason == "MODIFY_NOTHING"))
                    }
                }
            }
        };
        expected
            .then_some(())
            .ok_or_else(|| format!("refused with {reason}"))
    }

    fn learn(&mut self, wish: &Wish, answer: &Answer, sheet: Option<&Sheet>, dice: &mut Dice) {
        if let Act::Cancel(order_id) | Act::Modify(order_id) = wish.act {
            let state = match answer {
                Answer::Done(_) => Some(State::Ended),
                Answer::Refused(reason) if reason == "ORDER_ALREADY_FILLED" => Some(State::Filled),
                Answer::Refused(reason) if reason == "ORDER_STATE" => Some(State::Ended),
                Answer::Refused(_) => None,
            };
            let mut orders = self.orders.iter_mut();
            if let Some(state) = state
                && let Some(known) = orders.find(|known| known.order_id == order_id)
            {
                known.state = state;
            }
        }
        let Answer::Done(reply) = answer else {
            return;
        };
        let is_divided = match wish.act {
            Act::Place => false,
            Act::Cancel(_) => return,
            Act::Modify(order_id) => self.known(order_id).is_some_and(|known| {
                // Given both, the reply does not tell.
                known.is_divided
                    || !(wish.price.is_some() && wish.quantity.is_some())
                        && self.divided(known, wish, reply, sheet).is_some()
            }),
        };
        if self.orders.len() >= REMEMBERED {
            let count = u64::try_from(self.orders.len()).unwrap_or(1);
            if let Ok(index) = usize::try_from(dice.below(count)) {
                self.orders.swap_remove(index);
            }
        }
        self.orders.push(Known {
            member_id: wish.member_id,
            order_id: reply.order_id,
            code: reply.code.clone(),
            side: reply.side,
            price: reply.price,
            quantity: reply.quantity,
            state: State::Open,
            is_divided,
        });
    }
}

/// An order as it must be when it was just accepted.
fn fresh(
    reply: &Reply,
    price: Option<Decimal>,
    quantity: Option<Decimal>,
    replaced_id: i64,
    sheet: Option<&Sheet>,
) -> Result<(), String> {
    let is_as_asked = ["ACCEPTED", "QUEUED"].contains(&reply.status.as_str())
        && reply.replaced_id == replaced_id
        && reply.price == price
        && quantity.is_none_or(|quantity| reply.quantity == quantity)
        && reply.filled.is_zero();
    if !is_as_asked {
        return Err(format!("another order than was asked for: {reply:?}"));
    }
    let held = match (reply.side, price, sheet) {
        (Side::Sell, _, _) => Some(0),
        (Side::Buy, Some(price), Some(sheet)) if sheet.is_won => {
            let exact = price * reply.quantity;
            Some(up(exact) + up(exact * sheet.fee_rate))
        }
        // What a market order and an order in dollars hold depends on the price of the moment.
        (Side::Buy, _, _) => None,
    };
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

    fn wish(act: Act) -> Wish {
        Wish {
            member_id: 1,
            key: "key".to_owned(),
            act,
            code: "005930".to_owned(),
            side: Side::Buy,
            price: Some(Decimal::from(71_300)),
            quantity: Some(Decimal::from(10)),
        }
    }

    fn sheet() -> Sheet {
        Sheet {
            last: Decimal::from(71_300),
            step: Decimal::ONE,
            upper: None,
            rate: Decimal::ONE,
            is_won: true,
            fee_rate: Decimal::new(15, 5),
            ticks: vec![(Decimal::ZERO, Decimal::ONE)],
        }
    }

    fn done(order_id: i64, replaced_id: i64, status: &str, held_won: i64) -> Answer {
        Answer::Done(Box::new(Reply {
            order_id,
            replaced_id,
            code: "005930".to_owned(),
            side: Side::Buy,
            status: status.to_owned(),
            price: Some(Decimal::from(71_300)),
            quantity: Decimal::from(10),
            filled: Decimal::ZERO,
            held_won,
        }))
    }

    fn refused(reason: &str) -> Answer {
        Answer::Refused(reason.to_owned())
    }

    #[test]
    fn a_hold_of_another_size_is_a_fault() {
        let mut dice = Dice::new(1);
        let take = |held_won, dice: &mut Dice| {
            let answer = done(7, 0, "ACCEPTED", held_won);
            Model::default().take(&wish(Act::Place), &answer, Some(&sheet()), dice)
        };
        // 713,000 and a fee of 106.95, up.
        assert_eq!(take(713_107, &mut dice), Ok(()));
        assert!(take(713_106, &mut dice).is_err());
    }

    /// An order of 10 at 71,300, then a modification of it that keeps the price.
    fn modified_after(splits: &str, price: i64, quantity: i64) -> Result<(), String> {
        modified_to(None, splits, price, quantity)
    }

    /// The same, of which `asked` is the new quantity.
    fn modified_to(
        asked: Option<i64>,
        splits: &str,
        price: i64,
        quantity: i64,
    ) -> Result<(), String> {
        let mut dice = Dice::new(1);
        let mut model = Model::new(splits.parse().unwrap());
        let placed = done(7, 0, "ACCEPTED", 713_107);
        model.take(&wish(Act::Place), &placed, Some(&sheet()), &mut dice)?;
        let keeping = Wish {
            price: None,
            quantity: asked.map(Decimal::from),
            ..wish(Act::Modify(7))
        };
        let Answer::Done(mut reply) = done(8, 7, "ACCEPTED", 0) else {
            return Err("no order".to_owned());
        };
        reply.price = Some(Decimal::from(price));
        reply.quantity = Decimal::from(quantity);
        let exact = Decimal::from(price * quantity);
        reply.held_won = up(exact) + up(exact * sheet().fee_rate);
        model.take(&keeping, &Answer::Done(reply), Some(&sheet()), &mut dice)
    }

    #[test]
    fn a_split_divides_an_order_as_its_ratio_says() {
        let split = "split 005930 2026-11-24 5/1";
        assert_eq!(modified_after(split, 71_300, 10), Ok(()));
        assert_eq!(modified_after(split, 14_260, 50), Ok(()));
        // More, as asked for, and not by the split.
        assert_eq!(modified_to(Some(15), split, 71_300, 15), Ok(()));
        assert!(modified_after(split, 14_260, 51).is_err());
        assert!(modified_after(split, 14_261, 50).is_err());
        assert!(modified_after(split, 71_300, 50).is_err());
        assert!(modified_after("split 000660 2026-11-24 5/1", 14_260, 50).is_err());
    }

    #[test]
    fn an_order_ends_once() {
        let mut dice = Dice::new(1);
        let mut model = Model::default();
        let mut take =
            |act, answer: Answer| model.take(&wish(act), &answer, Some(&sheet()), &mut dice);
        assert_eq!(take(Act::Place, done(7, 0, "ACCEPTED", 713_107)), Ok(()));
        assert_eq!(
            take(Act::Modify(7), done(8, 7, "ACCEPTED", 713_107)),
            Ok(())
        );
        assert!(take(Act::Cancel(7), done(7, 0, "CANCELED", 0)).is_err());
        assert_eq!(take(Act::Cancel(7), refused("ORDER_STATE")), Ok(()));
        assert!(take(Act::Modify(7), refused("MODIFY_NOTHING")).is_err());
        assert_eq!(
            take(Act::Cancel(8), refused("ORDER_ALREADY_FILLED")),
            Ok(())
        );
        assert!(take(Act::Cancel(8), refused("ORDER_STATE")).is_err());
    }
}
