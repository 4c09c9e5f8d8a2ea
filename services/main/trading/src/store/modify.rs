//! Modifying an order (정정): what is left of it is replaced by a new one, in one transaction.

use std::collections::BTreeSet;

use bootstrap::database;
use chrono::{DateTime, Utc};
use kernel::{AccountId, MemberId, OrderId, Price, Quantity, RequestId, Won};
use proto::trading::v1::OrderReply;
use sea_orm::{
    ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, TransactionTrait,
};

use super::Store;
use super::lock::{self, Accounts, Holdings};
use super::place::{count_acceptance, means_of};
use super::request::{self, Known};
use crate::domain::market::MarketView;
use crate::domain::order::{Booked, Change, Order, Side, Status};
use crate::domain::validation::{Acceptance, Category, Refusal, Wish, validate};
use crate::entity::{account, trade_order};
use crate::error::TradingError;
use crate::events;
use crate::store::write_set::WriteSet;

/// The reason that the history of a replaced order names.
const MODIFIED: &str = "MODIFIED_BY_MEMBER";

/// A request to modify an order.
#[derive(Clone, Debug)]
pub struct ModifyOrder {
    /// Who asks.
    pub member_id: MemberId,
    /// The retry key.
    pub request_id: RequestId,
    /// A digest of the request without its key.
    pub body_hash: Vec<u8>,
    /// Which order.
    pub order_id: OrderId,
    /// The side it must have.
    pub side: Side,
    /// The route it must belong to.
    pub category: Category,
    /// The instrument it must be for, when the request names one.
    pub instrument_code: Option<String>,
    /// Its new price; `None` keeps it.
    pub price: Option<Price>,
    /// What shall be left to fill; `None` keeps what is left.
    pub quantity: Option<Quantity>,
    /// Whether the member accepted a warning.
    pub risk_acknowledged: bool,
}

type Outcome = Result<OrderReply, TradingError>;

/// What the transaction has locked.
struct Locked {
    accounts: Accounts,
    holdings: Holdings,
    now: DateTime<Utc>,
}

impl Store {
    /// Replaces what is left of an order. The new order keeps the old one's place in time when
    /// only its quantity falls. If a fill came first the answer is [`TradingError::OrderFinal`];
    /// if a rule refuses the new order, the old one stays as it was.
    ///
    /// # Errors
    /// [`TradingError`]: not found, final already, refused, or of the database.
    pub async fn modify_order(&self, modify: &ModifyOrder) -> Outcome {
        let mut tries = 0;
        loop {
            let outcome =
                database::retry_serialization(|| async { self.modify_once(modify).await }).await;
            match outcome {
                Err(TradingError::Database(error))
                    if database::constraint(&error) == Some("request_once") && tries < 3 =>
                {
                    tries += 1;
                }
                Err(error) => return Err(error),
                Ok(outcome) => return outcome,
            }
        }
    }

    async fn modify_once(&self, modify: &ModifyOrder) -> Result<Outcome, TradingError> {
        let transaction = self.db.begin().await?;
        let found = trade_order::Entity::find_by_id(modify.order_id)
            .filter(trade_order::Column::MemberId.eq(modify.member_id))
            .one(&transaction)
            .await?;
        let ids: BTreeSet<AccountId> = found.iter().map(|row| row.account_id).collect();
        let accounts = lock::accounts(&transaction, &ids).await?;
        let key = (modify.member_id, modify.request_id.clone());
        let mut known = Known::load(&transaction, [&key], 1).await?;
        if let Some(answer) = known.answered(&key, &modify.body_hash) {
            return Ok(answer);
        }
        let mut writes = WriteSet::default();
        let outcome = match found {
            None => Err(TradingError::OrderNotFound),
            Some(row) => {
                let keys = (modify.side == Side::Sell)
                    .then(|| (row.account_id, row.instrument_code.clone()));
                let keys = keys.into_iter().collect();
                let locked = Locked {
                    accounts,
                    holdings: lock::holdings(&transaction, &keys).await?,
                    now: self.clock.now(),
                };
                let old = locked_order(&transaction, modify).await?;
                let id = known.order_id()?;
                match old {
                    Ok(old) => self.replace(modify, old, id, locked, &mut writes)?,
                    Err(refused) => Err(refused),
                }
            }
        };
        if let Some(answer) = request::to_store(&outcome) {
            writes.request(
                modify.member_id,
                &modify.request_id,
                &modify.body_hash,
                &answer,
                self.clock.now(),
            );
        }
        writes.write(&transaction).await?;
        transaction.commit().await?;
        Ok(outcome)
    }

    /// Decides by the rules of a new order, with what the old one keeps aside given back to it.
    fn replace(
        &self,
        modify: &ModifyOrder,
        mut old: Order,
        id: OrderId,
        mut locked: Locked,
        writes: &mut WriteSet,
    ) -> Result<Outcome, TradingError> {
        let wish = match wish(modify, &old) {
            Ok(wish) => wish,
            Err(refusal) => return Ok(Err(refusal.into())),
        };
        let Some(row) = locked.accounts.get_mut(&old.account_id) else {
            return Ok(Err(Refusal::AccountForbidden.into()));
        };
        let key = (old.account_id, old.instrument_code.clone());
        let held = locked.holdings.get_mut(&key);
        let sellable = held.as_ref().map(|row| row.to_holding().available());
        let mut means = means_of(row, sellable.unwrap_or(Quantity::ZERO), locked.now)?;
        means.available = means
            .available
            .checked_add(old.held_won)
            .unwrap_or(means.available);
        if old.side == Side::Sell {
            means.sellable.0 += old.remaining().0;
        }
        means.open_orders -= 1;
        let view = self.board.view(&old.instrument_code);
        let decided = validate(&wish, view.as_ref(), &means, &self.terms.allowance, |day| {
            self.costs.on(old.market, day)
        });
        let (acceptance, view) = match (decided, view) {
            (Ok(acceptance), Some(view)) => (acceptance, view),
            (Ok(_), None) => return Ok(Err(Refusal::NotTradable.into())),
            (Err(refusal), _) => return Ok(Err(refusal.into())),
        };

        let new = successor(&old, id, &wish, &acceptance, &view, locked.now);
        count_acceptance(row, locked.now);
        row.held_won.0 += new.held_won.0 - old.held_won.0;
        if let (Side::Sell, Some(held)) = (old.side, held) {
            held.held_quantity.0 += new.quantity.0 - old.remaining().0;
            let label = held.label()?;
            writes.holding(key.0, held.member_id, &key.1, &label, &held.to_holding());
        }
        let from = old.status;
        old.status = from
            .after(Change::Replaced)
            .map_err(|error| TradingError::Ledger(error.into()))?;
        old.held_won = Won::ZERO;
        writes.account(row);
        writes.order(&old, locked.now);
        writes.order_event(&old, Some(from.as_str()), MODIFIED, locked.now);
        writes.new_order(&new);
        writes.order_event(&new, None, MODIFIED, locked.now);
        Ok(Ok(self.modified(&old, &new, row, writes)))
    }

    /// Tells of both orders; the answer is about the new one.
    fn modified(
        &self,
        old: &Order,
        new: &Order,
        row: &account::Model,
        writes: &mut WriteSet,
    ) -> OrderReply {
        let clock = self.clock.as_ref();
        let gone = self.order_view(old, &row.account_no);
        writes.event(&events::order_changed(old.member_id, gone, clock));
        let wire = self.order_view(new, &row.account_no);
        writes.event(&events::order_changed(new.member_id, wire.clone(), clock));
        OrderReply {
            order: Some(wire),
            replayed: false,
            message: format!("{} {} 정정 완료", new.instrument_name, new.side.korean()),
            fills: Vec::new(),
        }
    }
}

/// The order under its lock, if it is still open and is what the request says.
async fn locked_order(
    transaction: &DatabaseTransaction,
    modify: &ModifyOrder,
) -> Result<Result<Order, TradingError>, DbErr> {
    let ids = BTreeSet::from([modify.order_id]);
    let open = lock::open_orders(transaction, &ids).await?;
    let Some(order) = open.into_values().next() else {
        // The row was read before it could be locked; what it says now is final.
        let row = trade_order::Entity::find_by_id(modify.order_id)
            .one(transaction)
            .await?;
        return Ok(Err(row.map_or(TradingError::OrderNotFound, |row| {
            TradingError::OrderFinal {
                order_id: row.id,
                status: Status::parse(&row.status).unwrap_or(Status::Rejected),
            }
        })));
    };
    let same_code = modify
        .instrument_code
        .as_ref()
        .is_none_or(|code| *code == order.instrument_code);
    let is_meant = order.side == modify.side
        && Category::of(order.market.asset_kind()) == modify.category
        && same_code;
    Ok(if is_meant {
        Ok(order)
    } else {
        Err(TradingError::OrderNotFound)
    })
}

/// The new order as a member would ask for it.
fn wish(modify: &ModifyOrder, old: &Order) -> Result<Wish, Refusal> {
    if old.price.is_none() && modify.price.is_some() {
        return Err(Refusal::ModifyMarketPrice);
    }
    let price = modify.price.or(old.price);
    let quantity = modify.quantity.unwrap_or(old.remaining());
    if price == old.price && quantity == old.remaining() {
        return Err(Refusal::ModifyNothing);
    }
    Ok(Wish {
        side: old.side,
        category: modify.category,
        price,
        quantity,
        seen_price: None,
        risk_acknowledged: modify.risk_acknowledged,
    })
}

/// The order that takes the place of `old`. It counts its own fills from nothing, and lives as
/// long as the old one would have.
fn successor(
    old: &Order,
    id: OrderId,
    wish: &Wish,
    acceptance: &Acceptance,
    view: &MarketView,
    now: DateTime<Utc>,
) -> Order {
    let keeps_place = wish.price == old.price && wish.quantity < old.remaining();
    let status = match old.status {
        Status::Queued => Status::Queued,
        Status::Accepted
        | Status::Partial
        | Status::Filled
        | Status::Canceled
        | Status::Expired
        | Status::Replaced
        | Status::Rejected => Status::Accepted,
    };
    Order {
        id,
        orig_id: Some(old.id),
        priority_id: if keeps_place { old.priority_id } else { id },
        status,
        price: wish.price,
        quantity: wish.quantity,
        filled: Quantity::ZERO,
        booked: Booked::default(),
        held_won: acceptance.hold,
        resting: keeps_place && old.resting,
        queue_ahead: old.queue_ahead.filter(|_| keeps_place),
        placed_at: now,
        placed_market_at: if keeps_place {
            old.placed_market_at
        } else {
            view.now
        },
        end_reason: String::new(),
        ..old.clone()
    }
}
