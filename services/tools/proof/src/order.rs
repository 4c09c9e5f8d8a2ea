//! Order requests and their responses, independent of the transport.

use rust_decimal::Decimal;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OrderSide {
    Buy,
    Sell,
}

/// Decides the HTTP route of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OrderCategory {
    Stock,
    Coin,
    Gold,
}

impl OrderCategory {
    /// Read from the form of the instrument code.
    pub(crate) fn of(code: &str) -> Self {
        if code.starts_with("KRW-") {
            Self::Coin
        } else if code.len() == 8 {
            Self::Gold
        } else {
            Self::Stock
        }
    }
}

/// Cancel and Modify name the order id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Place,
    Cancel(i64),
    /// A price or quantity of `None` stays as it is.
    Modify(i64),
}

#[derive(Clone, Debug)]
pub(crate) struct OrderRequest {
    pub(crate) member_id: i64,
    /// The idempotency key (`reqSid`).
    pub(crate) key: String,
    pub(crate) action: Action,
    pub(crate) code: String,
    pub(crate) side: OrderSide,
    pub(crate) price: Option<Decimal>,
    pub(crate) quantity: Option<Decimal>,
    /// The most that a market buy may cost; with it the quantity is an upper bound, if any.
    pub(crate) amount_won: Option<i64>,
    /// Whether it is of an account of a competition.
    pub(crate) competes: bool,
}

impl OrderRequest {
    /// The code of the account that it names.
    pub(crate) fn account(&self) -> &'static str {
        if self.competes { "99" } else { "00" }
    }

    /// Member and idempotency key, unique per request.
    pub(crate) fn identity(&self) -> (i64, String) {
        (self.member_id, self.key.clone())
    }

    pub(crate) fn category(&self) -> OrderCategory {
        OrderCategory::of(&self.code)
    }
}

/// The order in a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OrderView {
    pub(crate) order_id: i64,
    /// The order it replaced; zero for none.
    pub(crate) replaced_id: i64,
    pub(crate) code: String,
    pub(crate) side: OrderSide,
    /// ACCEPTED, CANCELED …
    pub(crate) status: String,
    pub(crate) price: Option<Decimal>,
    pub(crate) quantity: Decimal,
    pub(crate) filled: Decimal,
    pub(crate) held_won: i64,
    pub(crate) amount_won: Option<i64>,
}

/// The final response to a request: an order, or the reason of a rejection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OrderResponse {
    Order(Box<OrderView>),
    Rejected(String),
}

/// How one call ended.
#[derive(Debug)]
pub(crate) enum Outcome<T = OrderResponse> {
    Final(T),
    /// The request may or may not have taken effect; it has to be retried with the same key.
    Unknown(String),
}

/// What an order needs to know of an instrument.
#[derive(Clone, Debug)]
pub(crate) struct OrderSheet {
    pub(crate) last: Decimal,
    pub(crate) step: Decimal,
    pub(crate) upper: Option<Decimal>,
    /// Won per unit of the instrument's currency.
    pub(crate) rate: Decimal,
    pub(crate) is_won: bool,
    pub(crate) fee_rate: Decimal,
    /// Lowest price of each band with its tick size, ascending.
    pub(crate) ticks: Vec<(Decimal, Decimal)>,
}

impl OrderSheet {
    pub(crate) fn tick_at(&self, price: Decimal) -> Option<Decimal> {
        let below = self.ticks.iter().filter(|(from, _)| *from <= price);
        below.map(|(_, tick)| *tick).next_back()
    }

    /// Rounds down to a tick; `None` if that is zero.
    pub(crate) fn on_tick(&self, price: Decimal) -> Option<Decimal> {
        let tick = self.tick_at(price)?;
        Some(price - price.checked_rem(tick)?).filter(|price| *price > Decimal::ZERO)
    }
}

/// The cost or proceeds that a preview shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) amount_won: i64,
    pub(crate) fee_won: i64,
    pub(crate) tax_won: i64,
    /// Won per dollar.
    pub(crate) fx_rate: Option<Decimal>,
}
