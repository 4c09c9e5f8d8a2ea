//! May this order be placed? Rule R3, in its order; the first refusal wins.

use kernel::{AccountCode, AssetKind, Currency, Price, Quantity, Won};
use market_rules::{FeeRates, PriceBand, TickTable, quantity::LARGEST_ORDER};
use rust_decimal::Decimal;

use crate::domain::market::{Listing, MarketView, Quote, Session, middle_rate};
use crate::domain::matching::model::FillModel;
use crate::domain::order::Side;
use crate::domain::reserve;

mod refusal;

pub use refusal::Refusal;

/// The kind of route an order came through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// Stocks and ETFs.
    Stock,
    /// Coins.
    Coin,
    /// Gold.
    Gold,
}

impl Category {
    /// Whether an asset is ordered through this route.
    #[must_use]
    pub fn takes(self, kind: AssetKind) -> bool {
        match kind {
            AssetKind::Stock | AssetKind::Etf => self == Self::Stock,
            AssetKind::Coin => self == Self::Coin,
            AssetKind::Gold => self == Self::Gold,
        }
    }

    /// The route an asset is ordered through.
    #[must_use]
    pub fn of(kind: AssetKind) -> Self {
        match kind {
            AssetKind::Stock | AssetKind::Etf => Self::Stock,
            AssetKind::Coin => Self::Coin,
            AssetKind::Gold => Self::Gold,
        }
    }
}

/// An order as a member asks for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    /// Which way.
    pub side: Side,
    /// The route it came through.
    pub category: Category,
    /// `None` is a market order.
    pub price: Option<Price>,
    /// How much.
    pub quantity: Quantity,
    /// The price the member saw.
    pub seen_price: Option<Price>,
    /// Whether the member accepted a warning.
    pub risk_acknowledged: bool,
}

/// What the account has when the order is decided, under its lock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Means {
    /// Which kind of account.
    pub account_code: AccountCode,
    /// Won that can be spent.
    pub available: Won,
    /// Quantity of the instrument that can be sold.
    pub sellable: Quantity,
    /// Orders that wait already.
    pub open_orders: i32,
    /// Orders accepted in the running second.
    pub accepted_this_second: i32,
    /// Seconds until the running second ends.
    pub second_ends_in_s: i64,
    /// Seconds until one more order fits in a minute; 0 when it does now.
    pub minute_frees_in_s: i64,
}

/// How many orders an account may have and place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Open orders at a time.
    pub open_orders: i32,
    /// Accepted orders in a second.
    pub per_second: i32,
    /// Accepted orders at once; each leaves room for another after its share of a minute.
    pub per_minute: i32,
}

impl Default for Allowance {
    fn default() -> Self {
        Self {
            open_orders: 100,
            per_second: 5,
            per_minute: 60,
        }
    }
}

/// What acceptance settles about an order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acceptance {
    /// Whether it waits for a session.
    pub queued: bool,
    /// Won to keep aside (buys).
    pub hold: Won,
    /// The price slippage is measured from (market orders of an open market).
    pub reference: Option<Price>,
    /// The trading day it lives in, if its session is on.
    pub trading_day: Option<i32>,
}

/// Decides.
///
/// # Errors
/// The first [`Refusal`] that applies.
pub fn validate(
    wish: &Wish,
    market: &MarketView,
    means: &Means,
    allowance: &Allowance,
    rates: impl Fn(i32) -> FeeRates,
) -> Result<Acceptance, Refusal> {
    let (listing, quote) = tradable(wish, market, means)?;
    if listing.warning.needs_acknowledgement() && !wish.risk_acknowledged {
        return Err(Refusal::RiskAckRequired);
    }
    let table = listing.tick_table();
    check_quantity(listing, wish.quantity)?;
    check_price(wish.price, quote.band, &table)?;
    let middle = middle_rate(listing.currency, quote.fx_rate).ok_or(Refusal::PriceAwaited)?;
    check_amount(wish, listing, quote, middle)?;
    check_seen_price(wish, quote)?;

    let queued = quote.session == Session::Closed;
    let hold = match wish.side {
        Side::Buy => {
            let rates = rates(quote.trading_day);
            let need = buy_hold(listing, quote, (wish.price, wish.quantity), &rates)?;
            if need > means.available {
                return Err(Refusal::InsufficientCash {
                    need,
                    have: means.available,
                });
            }
            need
        }
        Side::Sell => {
            if wish.quantity > means.sellable {
                return Err(Refusal::InsufficientQuantity {
                    need: wish.quantity,
                    have: means.sellable,
                });
            }
            Won::ZERO
        }
    };
    check_allowance(means, allowance)?;
    Ok(Acceptance {
        queued,
        hold,
        reference: (wish.price.is_none() && !queued).then_some(quote.last),
        trading_day: (!queued).then_some(quote.trading_day),
    })
}

fn tradable<'a>(
    wish: &Wish,
    view: &'a MarketView,
    means: &Means,
) -> Result<(&'a Listing, &'a Quote), Refusal> {
    let kind = view.listing.market.asset_kind();
    if means.account_code == AccountCode::Competition
        && !matches!(kind, AssetKind::Stock | AssetKind::Etf)
    {
        return Err(Refusal::CompetitionOnlyStockEtf);
    }
    if !view.listing.tradable || !wish.category.takes(kind) {
        return Err(Refusal::NotTradable);
    }
    let quote = view.quote.as_ref().ok_or(Refusal::PriceAwaited)?;
    match quote.session {
        Session::Halted => Err(Refusal::Halted),
        Session::Unknown => Err(Refusal::PriceAwaited),
        Session::Closed | Session::Auction | Session::Open => Ok((&view.listing, quote)),
    }
}

fn check_quantity(listing: &Listing, quantity: Quantity) -> Result<(), Refusal> {
    let rule = listing.quantity_rule();
    rule.check(quantity)
        .map_err(|_fault| Refusal::InvalidQuantity {
            step: rule.step,
            most: rule.most,
        })
}

fn check_price(
    price: Option<Price>,
    band: Option<PriceBand>,
    table: &TickTable,
) -> Result<(), Refusal> {
    let Some(price) = price else {
        return Ok(());
    };
    if !table.is_on_tick(price) {
        let (below, above) = table.neighbours(price);
        return Err(Refusal::InvalidTick { below, above });
    }
    match band {
        Some(band) if !band.contains(price) => Err(Refusal::PriceLimit {
            lower: band.lower,
            upper: band.upper,
        }),
        Some(_) | None => Ok(()),
    }
}

fn check_amount(
    wish: &Wish,
    listing: &Listing,
    quote: &Quote,
    middle: Decimal,
) -> Result<(), Refusal> {
    let price = wish.price.unwrap_or(quote.last);
    let amount = price
        .0
        .checked_mul(wish.quantity.0)
        .and_then(|amount| amount.checked_mul(middle));
    match (amount, listing.quantity_rule().least_amount) {
        (Some(amount), _) if amount > LARGEST_ORDER.to_decimal() => Err(Refusal::MaxAmount {
            most: LARGEST_ORDER,
        }),
        (None, _) => Err(Refusal::MaxAmount {
            most: LARGEST_ORDER,
        }),
        (Some(amount), Some(least)) if amount < least.to_decimal() => {
            Err(Refusal::MinAmount { least })
        }
        (Some(_), _) => Ok(()),
    }
}

fn check_seen_price(wish: &Wish, quote: &Quote) -> Result<(), Refusal> {
    match wish.seen_price {
        Some(seen) if FillModel::V1.is_far(seen, quote.last) => {
            Err(Refusal::SlippageGuard { last: quote.last })
        }
        Some(_) | None => Ok(()),
    }
}

fn check_allowance(means: &Means, allowance: &Allowance) -> Result<(), Refusal> {
    if means.open_orders >= allowance.open_orders {
        return Err(Refusal::TooManyOpenOrders {
            most: allowance.open_orders,
        });
    }
    let wait_s = if means.minute_frees_in_s > 0 {
        means.minute_frees_in_s
    } else if means.accepted_this_second >= allowance.per_second {
        means.second_ends_in_s
    } else {
        return Ok(());
    };
    Err(Refusal::OrderRate {
        retry_after_s: wait_s,
    })
}

/// Whether a quantity and a price fit the rules of an instrument, whatever the account has.
///
/// # Errors
/// The first [`Refusal`] that applies.
pub fn check_terms(
    listing: &Listing,
    quote: &Quote,
    price: Option<Price>,
    quantity: Quantity,
) -> Result<(), Refusal> {
    if !listing.tradable {
        return Err(Refusal::NotTradable);
    }
    check_quantity(listing, quantity)?;
    check_price(price, quote.band, &listing.tick_table())
}

/// Won that a buy keeps aside until it has filled; a market buy at what it may come to cost.
///
/// # Errors
/// [`Refusal`]: no exchange rate is known, or the sum is beyond any order.
pub fn buy_hold(
    listing: &Listing,
    quote: &Quote,
    (price, quantity): (Option<Price>, Quantity),
    rates: &FeeRates,
) -> Result<Won, Refusal> {
    let middle = middle_rate(listing.currency, quote.fx_rate).ok_or(Refusal::PriceAwaited)?;
    let at = price.unwrap_or_else(|| market_buy_price(listing, quote));
    reserve::for_buy(at, quantity, middle, listing.currency, rates).map_err(|_beyond| {
        Refusal::MaxAmount {
            most: LARGEST_ORDER,
        }
    })
}

fn market_buy_price(listing: &Listing, quote: &Quote) -> Price {
    let queued = quote.session == Session::Closed;
    reserve::market_buy_price(quote.last, quote.band, &listing.tick_table(), queued)
}

/// The most a buy of this instrument could ask for with `available` won: what the 최대 chip shows.
#[must_use]
pub fn largest_buy(
    listing: &Listing,
    quote: &Quote,
    price: Option<Price>,
    available: Won,
    rates: &FeeRates,
) -> Quantity {
    let Some(middle) = middle_rate(listing.currency, quote.fx_rate) else {
        return Quantity::ZERO;
    };
    let at = price.unwrap_or_else(|| market_buy_price(listing, quote));
    if !at.is_positive() {
        return Quantity::ZERO;
    }
    let amount_of = |price: Price| match listing.currency {
        Currency::Krw => price.0,
        Currency::Usd => price.0.saturating_mul(middle),
    };
    let by_amount = LARGEST_ORDER
        .to_decimal()
        .checked_div(amount_of(price.unwrap_or(quote.last)));
    let upper = by_amount.map_or(Quantity::ZERO, Quantity);
    let cost = |quantity| reserve::for_buy(at, quantity, middle, listing.currency, rates);
    reserve::largest_affordable(&listing.quantity_rule(), upper, available, cost)
}

#[cfg(test)]
mod tests;
