//! Orders and fills with what their messages need besides the rows.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kernel::AccountId;
use market_rules::FeeRates;

use crate::entity::fill;
use crate::orders::order::{Order, Side};
use crate::store::Store;

#[derive(Clone, Debug)]
pub struct OrderSnapshot {
    pub order: Order,
    pub context: OrderContext,
}

#[derive(Clone, Debug)]
pub struct OrderContext {
    pub account_no: String,
    /// When the session of a DAY order ends, if the calendar knows it.
    pub day_end: Option<DateTime<Utc>>,
    /// Whether no tick of the instrument has arrived for some time.
    pub silent: bool,
}

#[derive(Clone, Debug)]
pub struct FillSnapshot {
    pub fill: fill::Model,
    pub side: Side,
    /// Rates of the market on the trading day of the fill.
    pub rates: FeeRates,
}

impl Store {
    pub(super) fn snapshot(
        &self,
        order: Order,
        account_numbers: &BTreeMap<AccountId, String>,
    ) -> OrderSnapshot {
        let account_no = account_numbers.get(&order.account_id);
        let context = self.order_context(&order, account_no.cloned().unwrap_or_default());
        OrderSnapshot { order, context }
    }

    pub(super) fn fill_snapshot(&self, fill: fill::Model, order: &Order) -> FillSnapshot {
        let rates = self.costs.on(order.market, fill.trading_day);
        FillSnapshot {
            fill,
            side: order.side,
            rates,
        }
    }

    pub(super) fn order_context(&self, order: &Order, account_no: String) -> OrderContext {
        let day_end = order
            .trading_day
            .and_then(|day| self.market_cache.day_end(order.market, day));
        OrderContext {
            account_no,
            day_end,
            silent: self
                .market_cache
                .is_silent(order.market, &order.instrument_code),
        }
    }
}
