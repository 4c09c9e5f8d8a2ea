//! May this order be placed? Rule R3, in its order; the first rejection wins.

use kernel::{AccountCode, AssetKind, Currency, Price, Quantity, Won};
use market_rules::{FeeRates, PriceBand, TickTable, quantity::LARGEST_ORDER};
use rust_decimal::Decimal;

use crate::domain::market::{Listing, MarketView, Quote, TradingSession, middle_rate};
use crate::matching::fill_model::FillModel;
use crate::orders::order::Side;
use crate::orders::reserve;

mod rejection;

pub use rejection::OrderRejection;

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
pub struct OrderRequest {
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
pub struct BuyingPower {
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
pub struct OrderLimits {
    /// Open orders at a time.
    pub open_orders: i32,
    /// Accepted orders in a second.
    pub per_second: i32,
    /// Accepted orders at once; each leaves room for another after its share of a minute.
    pub per_minute: i32,
}

impl Default for OrderLimits {
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
/// The first [`OrderRejection`] that applies.
pub fn validate(
    request: &OrderRequest,
    market: &MarketView,
    buying_power: &BuyingPower,
    limits: &OrderLimits,
    rates: impl Fn(i32) -> FeeRates,
) -> Result<Acceptance, OrderRejection> {
    let (listing, quote) = tradable(request, market, buying_power)?;
    if listing.warning.needs_acknowledgement() && !request.risk_acknowledged {
        return Err(OrderRejection::RiskAckRequired);
    }
    let table = listing.tick_table();
    check_quantity(listing, request.quantity)?;
    check_price(request.price, quote.band, &table)?;
    let middle =
        middle_rate(listing.currency, quote.fx_rate).ok_or(OrderRejection::PriceAwaited)?;
    check_amount(request, listing, quote, middle)?;
    check_seen_price(request, quote)?;

    let queued = quote.session == TradingSession::Closed;
    let hold = match request.side {
        Side::Buy => {
            let rates = rates(quote.trading_day);
            let need = buy_hold(listing, quote, (request.price, request.quantity), &rates)?;
            if need > buying_power.available {
                return Err(OrderRejection::InsufficientCash {
                    need,
                    have: buying_power.available,
                });
            }
            need
        }
        Side::Sell => {
            if request.quantity > buying_power.sellable {
                return Err(OrderRejection::InsufficientQuantity {
                    need: request.quantity,
                    have: buying_power.sellable,
                });
            }
            Won::ZERO
        }
    };
    check_limits(buying_power, limits)?;
    Ok(Acceptance {
        queued,
        hold,
        reference: (request.price.is_none() && !queued).then_some(quote.last),
        trading_day: (!queued).then_some(quote.trading_day),
    })
}

fn tradable<'a>(
    request: &OrderRequest,
    view: &'a MarketView,
    buying_power: &BuyingPower,
) -> Result<(&'a Listing, &'a Quote), OrderRejection> {
    let kind = view.listing.market.asset_kind();
    if buying_power.account_code == AccountCode::Competition
        && !matches!(kind, AssetKind::Stock | AssetKind::Etf)
    {
        return Err(OrderRejection::CompetitionOnlyStockEtf);
    }
    if !view.listing.tradable || !request.category.takes(kind) {
        return Err(OrderRejection::NotTradable);
    }
    let quote = view.quote.as_ref().ok_or(OrderRejection::PriceAwaited)?;
    match quote.session {
        TradingSession::Halted => Err(OrderRejection::Halted),
        TradingSession::Unknown => Err(OrderRejection::PriceAwaited),
        TradingSession::Closed | TradingSession::Auction | TradingSession::Open => {
            Ok((&view.listing, quote))
        }
    }
}

fn check_quantity(listing: &Listing, quantity: Quantity) -> Result<(), OrderRejection> {
    let rule = listing.quantity_rule();
    rule.check(quantity)
        .map_err(|_fault| OrderRejection::InvalidQuantity {
            step: rule.step,
            most: rule.most,
        })
}

fn check_price(
    price: Option<Price>,
    band: Option<PriceBand>,
    table: &TickTable,
) -> Result<(), OrderRejection> {
    let Some(price) = price else {
        return Ok(());
    };
    if !table.is_on_tick(price) {
        let (below, above) = table.neighbours(price);
        return Err(OrderRejection::InvalidTick { below, above });
    }
    match band {
        Some(band) if !band.contains(price) => Err(OrderRejection::PriceLimit {
            lower: band.lower,
            upper: band.upper,
        }),
        Some(_) | None => Ok(()),
    }
}

fn check_amount(
    request: &OrderRequest,
    listing: &Listing,
    quote: &Quote,
    middle: Decimal,
) -> Result<(), OrderRejection> {
    let price = request.price.unwrap_or(quote.last);
    let amount = price
        .0
        .checked_mul(request.quantity.0)
        .and_then(|amount| amount.checked_mul(middle));
    match (amount, listing.quantity_rule().least_amount) {
        (Some(amount), _) if amount > LARGEST_ORDER.to_decimal() => {
            Err(OrderRejection::MaxAmount {
                most: LARGEST_ORDER,
            })
        }
        (None, _) => Err(OrderRejection::MaxAmount {
            most: LARGEST_ORDER,
        }),
        (Some(amount), Some(least)) if amount < least.to_decimal() => {
            Err(OrderRejection::MinAmount { least })
        }
        (Some(_), _) => Ok(()),
    }
}

fn check_seen_price(request: &OrderRequest, quote: &Quote) -> Result<(), OrderRejection> {
    match request.seen_price {
        Some(seen) if FillModel::V1.exceeds_slippage(seen, quote.last) => {
            Err(OrderRejection::SlippageGuard { last: quote.last })
        }
        Some(_) | None => Ok(()),
    }
}

fn check_limits(buying_power: &BuyingPower, limits: &OrderLimits) -> Result<(), OrderRejection> {
    if buying_power.open_orders >= limits.open_orders {
        return Err(OrderRejection::TooManyOpenOrders {
            most: limits.open_orders,
        });
    }
    let wait_s = if buying_power.minute_frees_in_s > 0 {
        buying_power.minute_frees_in_s
    } else if buying_power.accepted_this_second >= limits.per_second {
        buying_power.second_ends_in_s
    } else {
        return Ok(());
    };
    Err(OrderRejection::OrderRate {
        retry_after_s: wait_s,
    })
}

/// Whether a quantity and a price fit the rules of an instrument, whatever the account has.
///
/// # Errors
/// The first [`OrderRejection`] that applies.
pub fn check_terms(
    listing: &Listing,
    quote: &Quote,
    price: Option<Price>,
    quantity: Quantity,
) -> Result<(), OrderRejection> {
    if !listing.tradable {
        return Err(OrderRejection::NotTradable);
    }
    check_quantity(listing, quantity)?;
    check_price(price, quote.band, &listing.tick_table())
}

/// Won that a buy keeps aside until it has filled; a market buy at what it may come to cost.
///
/// # Errors
/// [`OrderRejection`]: no exchange rate is known, or the sum is beyond any order.
pub fn buy_hold(
    listing: &Listing,
    quote: &Quote,
    (price, quantity): (Option<Price>, Quantity),
    rates: &FeeRates,
) -> Result<Won, OrderRejection> {
    let middle =
        middle_rate(listing.currency, quote.fx_rate).ok_or(OrderRejection::PriceAwaited)?;
    let at = price.unwrap_or_else(|| market_buy_price(listing, quote));
    reserve::for_buy(at, quantity, middle, listing.currency, rates).map_err(|_beyond| {
        OrderRejection::MaxAmount {
            most: LARGEST_ORDER,
        }
    })
}

fn market_buy_price(listing: &Listing, quote: &Quote) -> Price {
    let queued = quote.session == TradingSession::Closed;
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
