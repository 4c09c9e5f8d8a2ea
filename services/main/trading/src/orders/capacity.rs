//! What an order sheet needs to know about one instrument and account.

use kernel::{MemberId, Price, Quantity, Won};
use market_rules::FeeRates;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};

use crate::accounts::open::AccountChoice;
use crate::domain::market::{MarketView, TradingSession};
use crate::entity::{account, holding};
use crate::error::TradingError;
use crate::orders::reserve::largest_buy;
use crate::orders::validation::OrderRejection;
use crate::store::Store;

#[derive(Clone, Debug)]
pub struct OrderCapacity {
    pub account_no: String,
    /// Won that no open order holds.
    pub available: Won,
    pub max_buy: Quantity,
    pub sellable: Quantity,
    pub rates: FeeRates,
    pub market: MarketView,
}

impl OrderCapacity {
    #[must_use]
    pub fn session(&self) -> TradingSession {
        let quote = self.market.quote.as_ref();
        quote.map_or(TradingSession::Unknown, |quote| quote.session)
    }

    /// Whether an order would be accepted or queued now, as far as the instrument is concerned.
    #[must_use]
    pub fn is_tradable(&self) -> bool {
        let is_halted = self.session() == TradingSession::Halted;
        self.market.listing.tradable && self.market.quote.is_some() && !is_halted
    }
}

impl Store {
    /// # Errors
    /// [`TradingError`]: the account is not the member's, the instrument is unknown, or of the
    /// database.
    pub async fn order_capacity(
        &self,
        member_id: MemberId,
        choice: &AccountChoice,
        code: &str,
        price: Option<Price>,
    ) -> Result<OrderCapacity, TradingError> {
        let account_id = self.resolve(member_id, choice).await?;
        let market = self.market_cache.view_for_order(code)?;
        if !choice.code().may_hold(market.listing.market.asset_kind()) {
            return Err(OrderRejection::AccountForbidden.into());
        }
        let found = account::WithWon::find()
            .filter(account::Column::Id.eq(account_id))
            .one(&self.db)
            .await?
            .ok_or(OrderRejection::AccountForbidden)?;
        let account = account::WithWon::from(found);
        let held = holding::Entity::find_by_id((account_id, code.to_owned()))
            .one(&self.db)
            .await?;
        let sellable = held.map_or(Quantity::ZERO, |row| row.to_holding().available());
        let (listing, quote) = (&market.listing, market.quote.as_ref());
        let available = account.to_cash()?.available();
        let day = quote.map_or(0, |quote| quote.trading_day);
        let rates = self.costs.on(listing.market, day);
        let max_buy = quote.map_or(Quantity::ZERO, |quote| {
            largest_buy(listing, quote, price, available, &rates)
        });
        Ok(OrderCapacity {
            account_no: account.account.account_no,
            available,
            max_buy,
            sellable,
            rates,
            market,
        })
    }
}
