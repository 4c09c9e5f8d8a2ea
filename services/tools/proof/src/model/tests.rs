use super::new_order::up;
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
        competes: false,
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

fn order_response(order_id: i64, replaced_id: i64, status: &str, held_won: i64) -> OrderResponse {
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

#[test]
fn an_order_of_an_event_that_has_ended_is_not_modified() {
    let mut rng = Rng::new(1);
    let mut model = Model::default();
    let competing = |action| OrderRequest {
        competes: true,
        ..request(action)
    };
    let ended = rejected("COMPETITION_NOT_ONGOING");
    let mut take =
        |request: &OrderRequest| model.check_response(request, &ended, Some(&sheet()), &mut rng);
    assert!(take(&competing(Action::Place)).is_err());
    assert_eq!(take(&competing(Action::Modify(7))), Ok(()));
    assert!(take(&competing(Action::Cancel(7))).is_err());
    assert!(take(&request(Action::Modify(7))).is_err());
}

/// Places 10 at 71,300 and keeps price and quantity in a modification.
fn modify_after(splits: &str, price: i64, quantity: i64) -> Result<(), String> {
    modify_to(None, splits, price, quantity)
}

/// The same with the new quantity `asked`.
fn modify_to(asked: Option<i64>, splits: &str, price: i64, quantity: i64) -> Result<(), String> {
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
