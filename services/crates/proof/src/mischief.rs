//! Requests that no rule lets pass, whatever the books say at the moment.

use rust_decimal::Decimal;

use crate::client::Client;
use crate::door::Door;
use crate::wish::{Act, Answer, Category, Side, Wish};

/// Won worth of an order that nobody in the proof can pay or own, and that is still an order.
const TOO_MUCH: i64 = 600_000_000;

/// A request and the reasons of which one must be the answer.
pub(crate) struct Trick {
    pub(crate) wish: Wish,
    pub(crate) reasons: &'static [&'static str],
    /// Whether the refusal is kept with the retry key.
    pub(crate) is_stored: bool,
}

/// Something that must be refused.
pub(crate) async fn think_of(client: &mut Client) -> Option<Trick> {
    match client.dice.below(4) {
        0 => reused_key(client),
        1 => anothers_order(client),
        _ => impossible_order(client).await,
    }
}

/// A retry key that was used for something else.
fn reused_key(client: &mut Client) -> Option<Trick> {
    let mut wish = client.dice.pick(&client.done)?.clone();
    let was_done = matches!(client.told.answers.get(&wish.identity())?, Answer::Done(_));
    if !was_done || wish.act != Act::Place {
        return None;
    }
    wish.quantity = wish.quantity.map(|quantity| quantity + Decimal::ONE);
    Some(Trick {
        wish,
        reasons: &["REQ_SID_REUSED"],
        is_stored: false,
    })
}

/// Cancels what belongs to somebody else.
fn anothers_order(client: &mut Client) -> Option<Trick> {
    let known = client.model.pick(&mut client.dice)?;
    let member_id = match &client.door {
        // Numbers below the first belong to nobody.
        Door::Inside(_, first, _) => i64::try_from(*first).ok()? - 1,
        Door::Public(_) => return None,
    };
    Some(Trick {
        wish: Wish {
            member_id,
            key: client.key(),
            act: Act::Cancel(known.order_id),
            code: known.code,
            side: known.side,
            price: None,
            quantity: None,
        },
        reasons: &["ORDER_NOT_FOUND"],
        is_stored: false,
    })
}

async fn impossible_order(client: &mut Client) -> Option<Trick> {
    let member_id = client.door.member(&mut client.dice);
    let code = client.code()?;
    let sheet = client.sheet(member_id, &code).await?;
    let kind = client.dice.below(5);
    let side = if kind == 4 { Side::Sell } else { Side::Buy };
    let (price, quantity, reasons): (_, _, &'static [&'static str]) = match kind {
        0 => {
            let price = sheet.on_tick(sheet.last)?;
            let off = sheet.tick_at(price)? / Decimal::TWO;
            (
                Some(price + off),
                sheet.step,
                &["INVALID_TICK", "NOT_TRADABLE"],
            )
        }
        1 => {
            let beyond = sheet.on_tick(sheet.upper? * Decimal::TWO)?;
            (Some(beyond), sheet.step, &["PRICE_LIMIT", "NOT_TRADABLE"])
        }
        2 if Category::of(&code) != Category::Coin => {
            let half = sheet.step / Decimal::TWO;
            (None, half, &["INVALID_QUANTITY", "NOT_TRADABLE"])
        }
        3 | 4 if Category::of(&code) != Category::Gold => {
            let units = Decimal::from(TOO_MUCH).checked_div(sheet.last.checked_mul(sheet.rate)?)?;
            let quantity = units - units % sheet.step;
            match side {
                Side::Buy => (None, quantity, &["INSUFFICIENT_CASH", "NOT_TRADABLE"]),
                Side::Sell => (None, quantity, &["INSUFFICIENT_QTY", "NOT_TRADABLE"]),
            }
        }
        _ => return None,
    };
    Some(Trick {
        wish: client.order(member_id, code, side, price, quantity),
        reasons,
        is_stored: true,
    })
}
