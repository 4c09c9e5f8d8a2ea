//! What an order would cost or bring, before it is placed.

use kernel::{MemberId, Price, Quantity};
use proto::convert::decimal;
use proto::trading::v1 as wire;
use sea_orm::EntityTrait;

use crate::accounts::holding::Holding;
use crate::accounts::open::AccountChoice;
use crate::entity::holding;
use crate::error::TradingError;
use crate::market_cache::fx_of;
use crate::orders::estimate::{self, estimate_fill};
use crate::orders::order::Side;
use crate::orders::validation::{OrderRejection, buy_hold, check_terms};
use crate::store::Store;

impl Store {
    /// What a fill at `price`, or at what a market order would get now, would book.
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
        terms: (Option<Price>, Quantity),
    ) -> Result<wire::OrderPreview, TradingError> {
        let (limit, quantity) = terms;
        let account_id = self.resolve(member_id, choice).await?;
        let view = self.market_cache.view_to_trade(code)?;
        let quote = view.quote.as_ref().ok_or(OrderRejection::PriceAwaited)?;
        let listing = &view.listing;
        check_terms(listing, quote, limit, quantity)?;
        let row = holding::Entity::find_by_id((account_id, code.to_owned()))
            .one(&self.db)
            .await?;
        let held = row.map_or(Holding::EMPTY, |row| row.to_holding());
        let price = limit.unwrap_or_else(|| estimate::market_price(side, listing, quote));
        let rates = self.costs.on(listing.market, quote.trading_day);
        let hold = match side {
            Side::Buy => Some(buy_hold(listing, quote, terms, &rates)?),
            Side::Sell => None,
        };
        let fx_rate = fx_of(Some(quote));
        let estimate = estimate_fill(side, price, quantity, (listing, quote), &held, &rates)?;
        Ok(wire::OrderPreview {
            price: Some(price.into()),
            amount_won: estimate.charge.amount.0,
            fee_won: estimate.charge.fee.0,
            tax_won: estimate.charge.tax.0,
            total_won: estimate.total.0,
            fx_rate: fx_rate.map(decimal),
            applied_fx_rate: fx_rate.map(|fx| decimal(estimate::applied_fx(side, fx, &rates))),
            hold_won: hold.map(|won| won.0),
            cost_of_sale_won: estimate.cost_of_sale.map(|won| won.0),
            profit_won: estimate.profit().map(|won| won.0),
            average_after: estimate.average_after.map(Into::into),
        })
    }
}
