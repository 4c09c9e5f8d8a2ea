//! What a client asks for, in words that both doors understand.

use rust_decimal::Decimal;

/// Which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Buy,
    Sell,
}

/// The kind of route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Category {
    Stock,
    Coin,
    Gold,
}

impl Category {
    /// The kind of an instrument, by how its code is written.
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

/// What is to happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Place,
    /// Of the order with this number.
    Cancel(i64),
    /// Of the order with this number; no price or quantity keeps it.
    Modify(i64),
}

/// A request that changes something.
#[derive(Clone, Debug)]
pub(crate) struct Wish {
    pub(crate) member_id: i64,
    /// The retry key.
    pub(crate) key: String,
    pub(crate) act: Act,
    pub(crate) code: String,
    pub(crate) side: Side,
    pub(crate) price: Option<Decimal>,
    pub(crate) quantity: Option<Decimal>,
}

impl Wish {
    /// What identifies it: whose it is and its retry key.
    pub(crate) fn identity(&self) -> (i64, String) {
        (self.member_id, self.key.clone())
    }

    /// The route it takes.
    pub(crate) fn category(&self) -> Category {
        Category::of(&self.code)
    }
}

/// The order of a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    pub(crate) order_id: i64,
    /// The order it replaced; zero for none.
    pub(crate) replaced_id: i64,
    pub(crate) code: String,
    pub(crate) side: Side,
    /// ACCEPTED, CANCELED …
    pub(crate) status: String,
    pub(crate) price: Option<Decimal>,
    pub(crate) quantity: Decimal,
    pub(crate) filled: Decimal,
    pub(crate) held_won: i64,
}

/// What a client was told: the order, or the reason of a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Done(Box<Reply>),
    Refused(String),
}

/// How one call ended.
#[derive(Debug)]
pub(crate) enum Outcome {
    Told(Answer),
    /// Nobody can say what became of it; it has to be asked again.
    Unknown(String),
}

/// What an order sheet shows of an instrument.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    pub(crate) last: Decimal,
    pub(crate) step: Decimal,
    pub(crate) upper: Option<Decimal>,
    /// Won per unit of the instrument's currency.
    pub(crate) rate: Decimal,
    pub(crate) is_won: bool,
    pub(crate) fee_rate: Decimal,
    /// From which price on, and the tick there.
    pub(crate) ticks: Vec<(Decimal, Decimal)>,
}

impl Sheet {
    /// The tick at a price.
    pub(crate) fn tick_at(&self, price: Decimal) -> Option<Decimal> {
        let below = self.ticks.iter().filter(|(from, _)| *from <= price);
        below.map(|(_, tick)| *tick).next_back()
    }

    /// The highest price on a tick that is not above `price`.
    pub(crate) fn on_tick(&self, price: Decimal) -> Option<Decimal> {
        let tick = self.tick_at(price)?;
        Some(price - price.checked_rem(tick)?).filter(|price| *price > Decimal::ZERO)
    }
}

/// What a preview says an order would cost or bring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) amount_won: i64,
    pub(crate) fee_won: i64,
    pub(crate) tax_won: i64,
    /// Won per dollar.
    pub(crate) fx_rate: Option<Decimal>,
}
