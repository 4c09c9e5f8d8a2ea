use kernel::{AccountId, Currency, MarketCode, MemberId, OrderId, Price, Quantity, Won};
use market_rules::TickClass;
use rust_decimal::Decimal;
use sea_orm::Condition;
use sea_orm::entity::prelude::*;

use crate::orders::order::{FillTotals, Order, Side, Status, TimeInForce};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "trade_order")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: OrderId,
    pub orig_order_id: Option<OrderId>,
    pub priority_id: Option<OrderId>,
    pub account_id: AccountId,
    pub member_id: MemberId,
    pub instrument_code: String,
    pub instrument_name: String,
    pub market: String,
    pub currency: String,
    pub tick_class: String,
    pub side: String,
    pub status: String,
    #[sea_orm(column_type = "Decimal(Some((28, 8)))")]
    pub price: Option<Price>,
    #[sea_orm(column_type = "Decimal(Some((28, 8)))")]
    pub quantity: Quantity,
    pub order_amount_won: Option<Won>,
    #[sea_orm(column_type = "Decimal(Some((28, 8)))")]
    pub filled_quantity: Quantity,
    #[sea_orm(column_type = "Decimal(Some((28, 8)))")]
    pub reference_price: Option<Price>,
    pub time_in_force: String,
    pub trading_day: Option<i32>,
    pub split_day: i32,
    pub expires_at: Option<ChronoDateTimeUtc>,
    #[sea_orm(column_type = "Decimal(Some((38, 16)))")]
    pub gross_exact: Decimal,
    #[sea_orm(column_type = "Decimal(Some((38, 16)))")]
    pub quote_exact: Decimal,
    pub amount_won: Won,
    pub base_won: Won,
    pub fee_won: Won,
    pub tax_won: Won,
    pub end_reason: String,
    pub resting: bool,
    #[sea_orm(column_type = "Decimal(Some((28, 8)))")]
    pub queue_ahead: Option<Quantity>,
    pub placed_at: ChronoDateTimeUtc,
    pub placed_market_at: ChronoDateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// Orders that wait: QUEUED, ACCEPTED and PARTIAL.
#[must_use]
pub fn is_open() -> Condition {
    has_status(Status::is_open)
}

pub fn has_status(includes: impl Fn(Status) -> bool) -> Condition {
    let included = Status::ALL.into_iter().filter(|status| includes(*status));
    // Literals, not parameters: the partial indexes are only used when the planner sees them.
    let list: Vec<String> = included
        .map(|status| format!("'{}'", status.as_str()))
        .collect();
    let sql = format!("trade_order.status in ({})", list.join(", "));
    Condition::all().add(sea_orm::sea_query::Expr::cust(sql))
}

impl Model {
    /// The order as the domain knows it; what it holds is in another table.
    ///
    /// # Errors
    /// [`DbErr`] when a column holds an unknown word.
    pub fn to_order(&self, held_won: Won) -> Result<Order, DbErr> {
        let fault = |column| super::inconsistent("trade_order", column, self.id);
        let time_in_force = [TimeInForce::Day, TimeInForce::GoodTillCanceled]
            .into_iter()
            .find(|known| known.as_str() == self.time_in_force);
        Ok(Order {
            id: self.id,
            orig_id: self.orig_order_id,
            priority_id: self.priority_id.unwrap_or(self.id),
            account_id: self.account_id,
            member_id: self.member_id,
            instrument_code: self.instrument_code.clone(),
            instrument_name: self.instrument_name.clone(),
            market: MarketCode::parse(&self.market).ok_or_else(|| fault("market"))?,
            currency: Currency::parse(&self.currency).ok_or_else(|| fault("currency"))?,
            tick_class: TickClass::parse(&self.tick_class).ok_or_else(|| fault("tick_class"))?,
            side: Side::parse(&self.side).ok_or_else(|| fault("side"))?,
            status: Status::parse(&self.status).ok_or_else(|| fault("status"))?,
            price: self.price,
            quantity: self.quantity,
            order_amount: self.order_amount_won,
            filled: self.filled_quantity,
            reference_price: self.reference_price,
            time_in_force: time_in_force.ok_or_else(|| fault("time_in_force"))?,
            trading_day: self.trading_day,
            split_day: self.split_day,
            expires_at: self.expires_at,
            totals: FillTotals {
                gross_exact: self.gross_exact,
                quote_exact: self.quote_exact,
                amount: self.amount_won,
                base: self.base_won,
                fee: self.fee_won,
                tax: self.tax_won,
            },
            held_won,
            resting: self.resting,
            queue_ahead: self.queue_ahead,
            placed_at: self.placed_at,
            placed_market_at: self.placed_market_at,
            end_reason: self.end_reason.clone(),
        })
    }
}
