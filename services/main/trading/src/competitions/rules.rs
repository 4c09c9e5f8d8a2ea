//! What an order may not do in a competition, beside the rules of every order.

use kernel::{Currency, Price, Quantity, Won};
use rust_decimal::Decimal;

use crate::domain::market::{Listing, Quote};
use crate::orders::order::Side;
use crate::orders::rejection::OrderRejection;

/// Share of the account's equity in one item.
const CONCENTRATION: Decimal = Decimal::from_parts(4, 0, 0, false, 1);
/// Share of a day's volume.
const VOLUME: Decimal = Decimal::from_parts(1, 0, 0, false, 1);
const LEAST_WON: Decimal = Decimal::ONE_THOUSAND;
const LEAST_DOLLARS: Decimal = Decimal::ONE;

/// What the account of a competition has, as one order finds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompetitionState {
    pub is_ongoing: bool,
    /// Cash and holdings at the latest prices.
    pub equity: Won,
    /// The holding of the item at the latest price, and what open buys hold.
    pub exposure: Won,
    /// Fills of the item on the trading day, and what remains of open orders.
    pub ordered: Quantity,
}

impl CompetitionState {
    /// Cheap or risky items cannot be bought, but whoever has one may sell it.
    pub(crate) fn check_item(
        side: Side,
        listing: &Listing,
        quote: &Quote,
    ) -> Result<(), OrderRejection> {
        if side == Side::Sell {
            return Ok(());
        }
        if listing.warning.needs_acknowledgement() {
            return Err(OrderRejection::CompetitionWarning);
        }
        let least = match listing.currency {
            Currency::Krw => LEAST_WON,
            Currency::Usd => LEAST_DOLLARS,
        };
        if quote.last < Price(least) {
            return Err(OrderRejection::CompetitionPrice);
        }
        Ok(())
    }

    /// `hold` is what a buy holds.
    pub(crate) fn check_size(
        &self,
        side: Side,
        quantity: Quantity,
        hold: Won,
        quote: &Quote,
    ) -> Result<(), OrderRejection> {
        if let Some(before) = quote.volume_before {
            let volume = before.max(quote.day_volume.unwrap_or_default());
            let most = (volume.0 * VOLUME).floor();
            if self.ordered.0 + quantity.0 > most {
                let left = (most - self.ordered.0).max(Decimal::ZERO);
                return Err(OrderRejection::CompetitionVolume {
                    most: Quantity(left),
                });
            }
        }
        if side == Side::Sell {
            return Ok(());
        }
        let most = (self.equity.to_decimal() * CONCENTRATION).floor();
        if self.exposure.to_decimal() + hold.to_decimal() > most {
            let left = (most - self.exposure.to_decimal()).max(Decimal::ZERO);
            let left = i64::try_from(left).map_or(Won::ZERO, Won);
            return Err(OrderRejection::CompetitionConcentration { most: left });
        }
        Ok(())
    }
}
