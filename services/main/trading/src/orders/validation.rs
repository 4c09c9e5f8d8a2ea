//! Whether an order may be placed. The checks run in a fixed order, and the first
//! one that fails is the rejection.

mod limits;

use kernel::{AccountCode, AssetKind, Price, Quantity, Won};
use market_rules::{FeeRates, PriceBand, TickTable, quantity::LARGEST_ORDER};

use crate::competitions::rules::CompetitionState;
use crate::domain::market::{Listing, MarketView, Quote, TradingSession, middle_rate};
use crate::matching::fill_model::FillModel;
use crate::orders::by_amount;
use crate::orders::order::Side;
use crate::orders::reserve::hold_of;

pub use crate::orders::rejection::OrderRejection;
pub use crate::orders::request::{Category, OrderRequest, OrderSize};
pub use limits::{BuyingPower, OrderLimits};

/// What validation fixes about an accepted order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acceptance {
    pub quantity: Quantity,
    /// Whether the market is closed, so that the order waits for its session.
    pub queued: bool,
    /// Won to hold (buys).
    pub hold: Won,
    /// The price slippage is measured from (market orders in an open market).
    pub reference: Option<Price>,
    /// The trading day the order lives in; `None` while queued.
    pub trading_day: Option<i32>,
}

/// Accepts or rejects an order. `rates` gives the fees of a trading day.
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
    if buying_power.competition.is_some() {
        CompetitionState::check_item(request.side, listing, quote)?;
    }
    if listing.warning.needs_acknowledgement() && !request.risk_acknowledged {
        return Err(OrderRejection::RiskAckRequired);
    }
    let rates = rates(quote.trading_day);
    let quantity = resolve_quantity(&request.size, listing, quote, &rates)?;
    check_price(request.price, quote.band, &listing.tick_table())?;
    check_amount(request, quantity, listing, quote)?;
    check_seen_price(request, quote)?;

    let queued = quote.session == TradingSession::Closed;
    let hold = match request.side {
        Side::Buy => {
            let need = hold_of(
                request.price,
                &request.size,
                quantity,
                listing,
                quote,
                &rates,
            )?;
            if need > buying_power.available {
                return Err(OrderRejection::InsufficientCash {
                    need,
                    have: buying_power.available,
                });
            }
            need
        }
        Side::Sell => {
            if quantity > buying_power.sellable {
                return Err(OrderRejection::InsufficientQuantity {
                    need: quantity,
                    have: buying_power.sellable,
                });
            }
            Won::ZERO
        }
    };
    if let Some(state) = &buying_power.competition {
        state.check_size(request.side, quantity, hold, quote)?;
    }
    limits.check(buying_power)?;
    Ok(Acceptance {
        quantity,
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
    if buying_power
        .competition
        .is_some_and(|state| !state.is_ongoing)
    {
        return Err(OrderRejection::CompetitionNotOngoing);
    }
    if buying_power.account_code == AccountCode::Competition
        && !matches!(kind, AssetKind::Stock | AssetKind::Etf)
    {
        return Err(OrderRejection::CompetitionOnlyStockEtf);
    }
    if !buying_power.account_code.may_hold(kind) {
        return Err(OrderRejection::AccountForbidden);
    }
    if !view.listing.tradable || request.category != Category::of(kind) {
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
    quantity: Quantity,
    listing: &Listing,
    quote: &Quote,
) -> Result<(), OrderRejection> {
    let middle =
        middle_rate(listing.currency, quote.fx_rate).ok_or(OrderRejection::PriceAwaited)?;
    if request.size.quantity() != Some(quantity) {
        // The order amount is the bound, and it was checked by itself.
        return Ok(());
    }
    let price = request.price.unwrap_or(quote.last);
    let amount = price
        .0
        .checked_mul(quantity.0)
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

/// The quantity of an order at the present price, checked against the rules of the instrument.
fn resolve_quantity(
    size: &OrderSize,
    listing: &Listing,
    quote: &Quote,
    rates: &FeeRates,
) -> Result<Quantity, OrderRejection> {
    if let Some(quantity) = size.quantity() {
        check_quantity(listing, quantity)?;
    }
    match *size {
        OrderSize::Quantity(quantity) => Ok(quantity),
        OrderSize::Amount { won, most } => {
            by_amount::affordable_quantity(listing, quote, won, most, rates)
        }
    }
}

/// Checks a size and a price against the rules of the instrument alone, without an account, and
/// returns the quantity.
///
/// # Errors
/// The first [`OrderRejection`] that applies.
pub fn check_terms(
    listing: &Listing,
    quote: &Quote,
    price: Option<Price>,
    size: &OrderSize,
    rates: &FeeRates,
) -> Result<Quantity, OrderRejection> {
    if !listing.tradable {
        return Err(OrderRejection::NotTradable);
    }
    let quantity = resolve_quantity(size, listing, quote, rates)?;
    check_price(price, quote.band, &listing.tick_table())?;
    Ok(quantity)
}

#[cfg(test)]
mod tests;
