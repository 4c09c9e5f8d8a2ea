//! What an order would cost or yield, before it is placed.

use kernel::{MemberId, Price, Quantity, Won};
use rust_decimal::Decimal;
use sea_orm::EntityTrait;

use crate::accounts::holding::Holding;
use crate::accounts::open::AccountChoice;
use crate::entity::holding;
use crate::error::TradingError;
use crate::market_cache::fx_of;
use crate::orders::estimate::{FillEstimate, applied_fx, estimate_fill, market_price};
use crate::orders::order::Side;
use crate::orders::reserve::hold_of;
use crate::orders::validation::{OrderRejection, OrderSize, check_terms};
use crate::store::Store;

#[derive(Clone, Debug)]
pub struct OrderPreview {
    pub quantity: Quantity,
    pub estimate: FillEstimate,
    /// Won that the order would hold (buys).
    pub hold: Option<Won>,
    /// Won per dollar at the middle rate.
    pub fx_rate: Option<Decimal>,
    /// Won per dollar, spread included.
    pub applied_fx_rate: Option<Decimal>,
}

impl Store {
    /// Estimates a fill of the whole order at its limit, or at the present price of a market order.
    ///
    /// # Errors
    /// [`TradingError`]: the account is not the member's, the terms do not fit the instrument, no
    /// exchange rate is known, or of the database.
    pub async fn preview(
        &self,
        member_id: MemberId,
        choice: &AccountChoice,
        code: &str,
        side: Side,
        terms: (Option<Price>, OrderSize),
    ) -> Result<OrderPreview, TradingError> {
        let (limit, size) = terms;
        let account_id = self.resolve(member_id, choice).await?;
        let view = self.market_cache.view_for_order(code)?;
        if !choice.code().may_hold(view.listing.market.asset_kind()) {
            return Err(OrderRejection::AccountForbidden.into());
        }
        let quote = view.quote.as_ref().ok_or(OrderRejection::PriceAwaited)?;
        let listing = &view.listing;
        let rates = self.costs.on(listing.market, quote.trading_day);
        let quantity = check_terms(listing, quote, limit, &size, &rates)?;
        let row = holding::Entity::find_by_id((account_id, code.to_owned()))
            .one(&self.db)
            .await?;
        let held = row.map_or(Holding::EMPTY, |row| row.to_holding());
        let price = limit.unwrap_or_else(|| market_price(side, listing, quote));
        let hold = match side {
            Side::Buy => Some(hold_of(limit, &size, quantity, listing, quote, &rates)?),
            Side::Sell => None,
        };
        let fx_rate = fx_of(Some(quote));
        Ok(OrderPreview {
            quantity,
            estimate: estimate_fill(side, price, quantity, (listing, quote), &held, &rates)?,
            hold,
            fx_rate,
            applied_fx_rate: fx_rate.map(|fx| applied_fx(side, fx, &rates)),
        })
    }
}
