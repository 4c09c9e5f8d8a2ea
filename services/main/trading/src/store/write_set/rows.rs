//! The rows of each section, named as the columns are.

use chrono::{DateTime, Utc};
use kernel::{AccountId, FillId, MemberId, OrderId, Price, Quantity, Won};
use rust_decimal::Decimal;

pub(super) struct AccountRow {
    pub(super) id: AccountId,
    pub(super) open_orders: i32,
    pub(super) rate_second: i64,
    pub(super) rate_second_count: i32,
    pub(super) rate_minute: i64,
    pub(super) rate_minute_count: i32,
}

pub(super) struct NewOrderRow {
    pub(super) id: OrderId,
    pub(super) orig_order_id: Option<OrderId>,
    pub(super) priority_id: Option<OrderId>,
    pub(super) resting: bool,
    pub(super) queue_ahead: Option<Quantity>,
    pub(super) account_id: AccountId,
    pub(super) member_id: MemberId,
    pub(super) instrument_code: String,
    pub(super) instrument_name: String,
    pub(super) market: &'static str,
    pub(super) currency: &'static str,
    pub(super) tick_class: &'static str,
    pub(super) side: &'static str,
    pub(super) status: &'static str,
    pub(super) price: Option<Price>,
    pub(super) quantity: Quantity,
    pub(super) order_amount_won: Option<Won>,
    pub(super) reference_price: Option<Price>,
    pub(super) time_in_force: &'static str,
    pub(super) trading_day: Option<i32>,
    pub(super) split_day: i32,
    pub(super) expires_at: Option<DateTime<Utc>>,
    pub(super) end_reason: String,
    pub(super) placed_at: DateTime<Utc>,
    pub(super) placed_market_at: DateTime<Utc>,
    pub(super) ended_at: Option<DateTime<Utc>>,
}

pub(super) struct OrderRow {
    pub(super) id: OrderId,
    pub(super) status: &'static str,
    pub(super) price: Option<Price>,
    pub(super) quantity: Quantity,
    pub(super) filled_quantity: Quantity,
    pub(super) reference_price: Option<Price>,
    pub(super) trading_day: Option<i32>,
    pub(super) split_day: i32,
    pub(super) gross_exact: Decimal,
    pub(super) quote_exact: Decimal,
    pub(super) amount_won: Won,
    pub(super) base_won: Won,
    pub(super) fee_won: Won,
    pub(super) tax_won: Won,
    pub(super) end_reason: String,
    pub(super) resting: bool,
    pub(super) queue_ahead: Option<Quantity>,
    pub(super) ended_at: Option<DateTime<Utc>>,
}

pub(super) struct EndedRow {
    pub(super) id: OrderId,
    pub(super) from_status: &'static str,
    pub(super) to_status: &'static str,
    pub(super) reason: String,
    pub(super) occurred_at: DateTime<Utc>,
    pub(super) ended_at: DateTime<Utc>,
}

/// New orders that the matcher takes from a batch on.
pub(crate) struct AdmissionRow {
    pub(crate) shard: i32,
    pub(crate) epoch: i64,
    /// The offset of that batch.
    pub(crate) eligible_from: i64,
    pub(crate) order_ids: Vec<OrderId>,
}

pub(super) struct QueuePositionRow {
    pub(super) id: OrderId,
    pub(super) resting: bool,
    pub(super) queue_ahead: Option<Quantity>,
    pub(super) reference_price: Option<Price>,
}

pub(super) struct HoldRow {
    pub(super) order_id: OrderId,
    pub(super) account_id: AccountId,
    pub(super) instrument_code: String,
    pub(super) amount_won: Won,
    pub(super) quantity: Quantity,
}

pub(super) struct HoldingRow {
    pub(super) account_id: AccountId,
    pub(super) instrument_code: String,
    pub(super) member_id: MemberId,
    pub(super) instrument_name: String,
    pub(super) market: &'static str,
    pub(super) currency: &'static str,
    pub(super) quantity: Quantity,
    pub(super) held_quantity: Quantity,
    pub(super) cost_won: Won,
    pub(super) cost_quote: Decimal,
}

pub(crate) struct FillRow {
    pub(crate) id: FillId,
    pub(crate) order_id: OrderId,
    pub(crate) account_id: AccountId,
    pub(crate) member_id: MemberId,
    pub(crate) member_seq: i64,
    pub(crate) instrument_code: String,
    pub(crate) side: &'static str,
    pub(crate) tick_seq: i64,
    pub(crate) event_time: DateTime<Utc>,
    pub(crate) trading_day: i32,
    pub(crate) tick_price: Price,
    pub(crate) bid: Option<Price>,
    pub(crate) ask: Option<Price>,
    pub(crate) rule: &'static str,
    pub(crate) slippage_ticks: i32,
    pub(crate) cap_quantity: Option<Quantity>,
    pub(crate) quantity: Quantity,
    pub(crate) price: Price,
    pub(crate) amount_won: Won,
    pub(crate) base_won: Won,
    pub(crate) fee_won: Won,
    pub(crate) tax_won: Won,
    pub(crate) fx_rate: Option<Decimal>,
    pub(crate) cost_won: Won,
    pub(crate) cost_quote: Decimal,
    pub(crate) model_version: &'static str,
    pub(crate) journal_id: i64,
}

/// A share split as it reached a holding.
pub(crate) struct SplitRow {
    pub(crate) id: FillId,
    pub(crate) account_id: AccountId,
    pub(crate) instrument_code: String,
    pub(crate) trading_day: i32,
    pub(crate) numerator: i64,
    pub(crate) denominator: i64,
    pub(crate) quantity_before: Quantity,
    pub(crate) quantity_after: Quantity,
    pub(crate) paid_won: Won,
    pub(crate) cost_won: Won,
    pub(crate) cost_quote: Decimal,
}

#[derive(Clone)]
pub(super) struct OrderEventRow {
    pub(super) order_id: OrderId,
    pub(super) from_status: Option<&'static str>,
    pub(super) to_status: &'static str,
    pub(super) reason: String,
    pub(super) occurred_at: DateTime<Utc>,
}

pub(super) struct OutboxRow {
    pub(super) event_id: uuid::Uuid,
    pub(super) event_type: &'static str,
    pub(super) aggregate_id: String,
    pub(super) body: Vec<u8>,
    pub(super) traceparent: Option<String>,
    pub(super) occurred_at: DateTime<Utc>,
}

pub(super) struct RequestRow {
    pub(super) member_id: MemberId,
    pub(super) request_id: String,
    pub(super) kind: Option<&'static str>,
    pub(super) body_hash: Vec<u8>,
    pub(super) answer: Vec<u8>,
    pub(super) created_at: DateTime<Utc>,
}

/// Won by which the parts of an account's base change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BaseChange {
    /// Education points that became won.
    pub(crate) education: Won,
    /// Packs and 캐시 that became won.
    pub(crate) bought: Won,
    /// Won that items cost.
    pub(crate) items: Won,
    /// Won moved in from another account of the member; negative when moved out.
    pub(crate) transferred: Won,
}

pub(super) struct BaseRow {
    pub(super) account: AccountId,
    pub(super) change: BaseChange,
}

/// Won that moved between two accounts of a member, and what both have afterwards, holds included.
pub(crate) struct TransferRow {
    /// The number of its journal, too.
    pub(crate) id: i64,
    pub(crate) member_id: MemberId,
    pub(crate) from_account_id: AccountId,
    pub(crate) to_account_id: AccountId,
    pub(crate) amount_won: Won,
    pub(crate) from_balance_won: Won,
    pub(crate) to_balance_won: Won,
    /// Empty where nobody asked for it, as at the end of a season.
    pub(crate) request_id: String,
    pub(crate) created_at: DateTime<Utc>,
}

/// Items that an account has bought.
pub(crate) struct PurchaseRow {
    pub(crate) id: i64,
    pub(crate) account_id: AccountId,
    pub(crate) item_id: i64,
    pub(crate) quantity: i32,
    /// Those that were used up at once.
    pub(crate) used: i32,
    pub(crate) currency: &'static str,
    /// In the currency, for all of them.
    pub(crate) spent: i64,
    /// Won that they added to the account.
    pub(crate) deposit_won: Won,
    pub(crate) status: &'static str,
    pub(crate) bought_at: DateTime<Utc>,
}
