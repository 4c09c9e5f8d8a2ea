//! The requests that a client makes up: random within what the instrument and the holding allow.

use std::time::{Duration, Instant};

use rust_decimal::{Decimal, prelude::ToPrimitive};

use super::{Client, PAUSE};
use crate::model::TrackedOrder;
use crate::order::{Action, OrderRequest, OrderSheet, OrderSide};

const SHEET_AGE: Duration = Duration::from_secs(1);

impl Client {
    pub(crate) fn key(&mut self) -> String {
        self.serial += 1;
        format!("{}-{}", self.name, self.serial)
    }

    pub(crate) fn code(&mut self) -> Option<String> {
        self.rng.pick(&self.codes).cloned()
    }

    pub(super) fn cancellation(&mut self, order: &TrackedOrder) -> OrderRequest {
        OrderRequest {
            member_id: order.member_id,
            key: self.key(),
            action: Action::Cancel(order.order_id),
            code: order.code.clone(),
            side: order.side,
            price: None,
            quantity: None,
            amount_won: None,
            competes: order.competes,
        }
    }

    /// Another price, another quantity, or both; a market order has no price to change.
    pub(super) async fn modification(&mut self, order: &TrackedOrder) -> Option<OrderRequest> {
        let sheet = self.sheet(order.member_id, &order.code).await?;
        let what = if order.price.is_none() {
            1
        } else {
            self.rng.below(3)
        };
        let price = if what == 1 { None } else { self.near(&sheet) };
        let quantity = if what == 0 {
            None
        } else {
            let part = order.quantity * Decimal::from(1 + self.rng.below(6)) / Decimal::from(4);
            Some((part - part % sheet.step).max(sheet.step))
        };
        if price.is_none() && quantity.is_none() {
            return None;
        }
        Some(OrderRequest {
            member_id: order.member_id,
            key: self.key(),
            action: Action::Modify(order.order_id),
            code: order.code.clone(),
            side: order.side,
            price,
            quantity,
            amount_won: None,
            competes: order.competes,
        })
    }

    pub(super) async fn placement(&mut self) -> Option<OrderRequest> {
        let member_id = self.transport.member(&mut self.rng);
        self.order_of(member_id).await
    }

    /// A purchase, or a sale of what the accounts of the present mode have.
    pub(super) async fn order_of(&mut self, member_id: i64) -> Option<OrderRequest> {
        if self.rng.below(3) == 0
            && let Some(sale) = self.sale(member_id).await
        {
            return Some(sale);
        }
        let code = self.code()?;
        let sheet = self.sheet(member_id, &code).await?;
        let price = self.limit(&sheet);
        // About 50,000원 to 500,000원.
        let won = Decimal::from(50_000 + self.rng.below(450_000));
        let units = won.checked_div(sheet.last.checked_mul(sheet.rate)?)?;
        let quantity = (units - units % sheet.step).max(sheet.step);
        let mut request = self.order(member_id, code, OrderSide::Buy, price, quantity);
        if price.is_none() && self.rng.below(2) == 0 {
            request.amount_won = won.to_i64();
            // Without a bound, the service computes the quantity.
            request.quantity = request.quantity.filter(|_| self.rng.below(4) == 0);
        }
        Some(request)
    }

    async fn sale(&mut self, member_id: i64) -> Option<OrderRequest> {
        let owned = self.transport.sellable(member_id).await?;
        let (code, free) = self.rng.pick(&owned)?.clone();
        let sheet = self.sheet(member_id, &code).await?;
        let part = free * Decimal::from(1 + self.rng.below(4)) / Decimal::from(4);
        let quantity = part - part % sheet.step;
        if quantity <= Decimal::ZERO {
            return None;
        }
        let price = self.limit(&sheet);
        Some(self.order(member_id, code, OrderSide::Sell, price, quantity))
    }

    pub(crate) fn order(
        &mut self,
        member_id: i64,
        code: String,
        side: OrderSide,
        price: Option<Decimal>,
        quantity: Decimal,
    ) -> OrderRequest {
        OrderRequest {
            member_id,
            key: self.key(),
            action: Action::Place,
            code,
            side,
            price,
            quantity: Some(quantity),
            amount_won: None,
            competes: false,
        }
    }

    /// A market order half the time (`None`), else a price near the last.
    fn limit(&mut self, sheet: &OrderSheet) -> Option<Decimal> {
        if self.rng.below(2) == 0 {
            return None;
        }
        self.near(sheet)
    }

    /// On a tick, at most two percent from the last price.
    fn near(&mut self, sheet: &OrderSheet) -> Option<Decimal> {
        let permille = Decimal::from(980 + self.rng.below(41));
        sheet.on_tick(sheet.last * permille / Decimal::ONE_THOUSAND)
    }

    /// Cached for a second.
    pub(crate) async fn sheet(&mut self, member_id: i64, code: &str) -> Option<OrderSheet> {
        if let Some((at, sheet)) = self.sheets.get(code)
            && at.elapsed() < SHEET_AGE
        {
            return Some(sheet.clone());
        }
        let Some(sheet) = self.transport.sheet(member_id, code).await else {
            self.results.failed_calls += 1;
            tokio::time::sleep(PAUSE).await;
            return None;
        };
        self.sheets
            .insert(code.to_owned(), (Instant::now(), sheet.clone()));
        Some(sheet)
    }
}
