//! What trading says of fills: the numbers of cards from a member's own trades.

use kernel::MemberId;
use messaging::consumer::{self, ConsumerSpec};
use messaging::{Amqp, Event};
use prost::Message;
use proto::common::v1::Currency;
use proto::convert::{InvalidField, to_instant, to_optional_decimal, to_required_decimal};
use proto::trading::v1::{FillNotice, OrderCategory, OrderFilled, OrderSide};
use rust_decimal::Decimal;
use tokio_util::sync::CancellationToken;

use crate::domain::trade_cards::TradedOrder;
use crate::error::StudyError;
use crate::store::Store;

pub const FILLED: &str = "trading.order.filled.v1";

pub const QUEUE: &str = "education.order-events";

/// Rules of fills for which a limit order waited.
const WAITED: [&str; 2] = ["LIMIT_THROUGH", "LIMIT_AT_PRICE"];
/// Beyond every price and quantity, and within every column.
const TOO_LARGE: Decimal = Decimal::from_parts(2_808_348_672, 232_830_643, 0, false, 0);

/// Handles the events that arrive in `queue` until `shutdown`.
pub async fn follow(store: Store, amqp: Amqp, queue: &'static str, shutdown: CancellationToken) {
    let spec = ConsumerSpec {
        queue,
        bindings: &[FILLED],
        prefetch: 12,
    };
    let handler = |event: Event| {
        let store = store.clone();
        async move { note(&store, event).await }
    };
    consumer::run(amqp, spec, handler, shutdown).await;
}

/// Notes one fill. Idempotent by event.
///
/// # Errors
/// [`StudyError::Malformed`], and those of the database.
pub async fn note(store: &Store, event: Event) -> Result<(), StudyError> {
    let filled = OrderFilled::decode(event.body).map_err(|_shape| StudyError::Malformed)?;
    let notice = filled.notice.ok_or(StudyError::Malformed)?;
    let member = MemberId(notice.member_id);
    let fill = fill_of(notice).map_err(|_field| StudyError::Malformed)?;
    if member.0 <= 0 || !is_plausible(&fill) {
        return Err(StudyError::Malformed);
    }
    store.note_fill(event.event_id, member, fill).await
}

/// An order with this fill alone.
fn fill_of(notice: FillNotice) -> Result<TradedOrder, InvalidField> {
    let order = notice.order.ok_or(InvalidField("order"))?;
    let fill = notice.fill.ok_or(InvalidField("fill"))?;
    let is_sale = match order.side() {
        OrderSide::Buy => false,
        OrderSide::Sell => true,
        OrderSide::Unspecified => return Err(InvalidField("side")),
    };
    let category = match order.category() {
        OrderCategory::Stock => "STOCK",
        OrderCategory::Coin => "COIN",
        OrderCategory::Gold => "GOLD",
        OrderCategory::Unspecified => return Err(InvalidField("category")),
    };
    let currency = match order.currency() {
        Currency::Krw => "KRW",
        Currency::Usd => "USD",
        Currency::Unspecified => return Err(InvalidField("currency")),
    };
    Ok(TradedOrder {
        order_id: order.order_id,
        traded_at: to_instant(fill.event_time_us, "event_time_us")?,
        category: category.to_owned(),
        currency: currency.to_owned(),
        is_sale,
        limit_price: to_optional_decimal(order.price.as_ref(), "price")?,
        filled_quantity: to_required_decimal(order.filled_quantity.as_ref(), "filled_quantity")?,
        amount_won: order.filled_amount_won,
        fee_won: order.fee_won,
        tax_won: order.tax_won,
        instrument_name: order.instrument_name,
        heard_quantity: to_required_decimal(fill.quantity.as_ref(), "quantity")?,
        fills: 1,
        has_waited: WAITED.contains(&fill.rule.as_str()),
        // The ticks of limit orders are not slippage.
        slippage_ticks: match fill.slippage_won {
            Some(_) => fill.slippage_ticks,
            None => 0,
        },
        slippage_won: fill.slippage_won.unwrap_or_default(),
        exchange_won: fill.exchange_cost_won.unwrap_or_default(),
    })
}

fn is_plausible(fill: &TradedOrder) -> bool {
    let quantities = [fill.heard_quantity, fill.filled_quantity];
    let sums = [
        fill.amount_won,
        fill.fee_won,
        fill.tax_won,
        fill.slippage_won,
        fill.exchange_won,
    ];
    fill.order_id > 0
        && fill.slippage_ticks >= 0
        && sums.into_iter().all(|sum| sum >= 0)
        && quantities
            .into_iter()
            .chain(fill.limit_price)
            .all(|number| number > Decimal::ZERO && number < TOO_LARGE)
}
