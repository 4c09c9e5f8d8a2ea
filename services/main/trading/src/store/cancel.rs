//! Taking an order back.

use std::collections::BTreeSet;

use bootstrap::database;
use kernel::{AccountId, MemberId, OrderId, RequestId};
use proto::trading::v1::OrderReply;
use sea_orm::{
    ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, TransactionTrait,
};

use super::Store;
use super::lock;
use super::request::{self, Known};
use crate::domain::order::{Change, Side, Status, end_reason};
use crate::domain::validation::Category;
use crate::entity::trade_order;
use crate::error::TradingError;
use crate::events;
use crate::store::write_set::WriteSet;

/// A request to cancel an order.
#[derive(Clone, Debug)]
pub struct CancelOrder {
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
}

type Outcome = Result<OrderReply, TradingError>;

impl Store {
    /// Cancels what is left of an order and gives back what it kept aside. If a fill came first
    /// the answer is [`TradingError::OrderFinal`].
    ///
    /// # Errors
    /// [`TradingError`]: not found, final already, or of the database.
    pub async fn cancel_order(&self, cancel: &CancelOrder) -> Outcome {
        let mut tries = 0;
        loop {
            let outcome =
                database::retry_serialization(|| async { self.cancel_once(cancel).await }).await;
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

    async fn cancel_once(&self, cancel: &CancelOrder) -> Result<Outcome, TradingError> {
        let transaction = self.db.begin().await?;
        let found = trade_order::Entity::find_by_id(cancel.order_id)
            .filter(trade_order::Column::MemberId.eq(cancel.member_id))
            .one(&transaction)
            .await?;
        let ids: BTreeSet<AccountId> = found.iter().map(|row| row.account_id).collect();
        let accounts = lock::accounts(&transaction, &ids).await?;
        let key = (cancel.member_id, cancel.request_id.clone());
        let known = Known::load(&transaction, [&key], 0).await?;
        if let Some(answer) = known.answered(&key, &cancel.body_hash) {
            return Ok(answer);
        }
        let mut writes = WriteSet::default();
        let outcome = match found {
            None => Err(TradingError::OrderNotFound),
            Some(row) => {
                self.cancel_found(&transaction, cancel, row.account_id, accounts, &mut writes)
                    .await?
            }
        };
        if let Some(answer) = request::to_store(&outcome) {
            writes.request(
                cancel.member_id,
                &cancel.request_id,
                &cancel.body_hash,
                &answer,
                self.clock.now(),
            );
        }
        writes.write(&transaction).await?;
        transaction.commit().await?;
        Ok(outcome)
    }

    async fn cancel_found(
        &self,
        transaction: &DatabaseTransaction,
        cancel: &CancelOrder,
        account_id: AccountId,
        mut accounts: lock::Accounts,
        writes: &mut WriteSet,
    ) -> Result<Outcome, TradingError> {
        // The holding comes before the order in the order of locks, so its code is read first.
        let row = trade_order::Entity::find_by_id(cancel.order_id)
            .one(transaction)
            .await?
            .ok_or(TradingError::OrderNotFound)?;
        let key = (account_id, row.instrument_code.clone());
        let sells = cancel.side == Side::Sell;
        let keys = sells.then(|| key.clone()).into_iter().collect();
        let mut holdings = lock::holdings(transaction, &keys).await?;
        let ids = BTreeSet::from([cancel.order_id]);
        let open = lock::open_orders(transaction, &ids).await?;
        let now = self.clock.now();
        let Some(mut order) = open.into_values().next() else {
            // The row was read before it could be locked; what it says now is final.
            let row = trade_order::Entity::find_by_id(cancel.order_id)
                .one(transaction)
                .await?
                .ok_or(TradingError::OrderNotFound)?;
            let order = row.to_order(kernel::Won::ZERO)?;
            return Ok(Err(TradingError::OrderFinal {
                order_id: order.id,
                status: order.status,
            }));
        };
        if order.side != cancel.side || Category::of(order.market.asset_kind()) != cancel.category {
            return Ok(Err(TradingError::OrderNotFound));
        }
        let from = order.status;
        order.status = cancel_change(from)?;
        end_reason::CANCELED_BY_MEMBER.clone_into(&mut order.end_reason);
        let account = accounts
            .get_mut(&account_id)
            .ok_or_else(|| DbErr::Custom(format!("account {account_id} is not there")))?;
        account.open_orders -= 1;
        match order.side {
            Side::Buy => account.held_won.0 -= order.held_won.0,
            Side::Sell => {
                if let Some(row) = holdings.get_mut(&key) {
                    row.held_quantity.0 -= order.remaining().0;
                    let label = row.label()?;
                    let holding = row.to_holding();
                    writes.holding(account_id, row.member_id, &key.1, &label, &holding);
                }
            }
        }
        order.held_won = kernel::Won::ZERO;
        writes.account(account);
        writes.order(&order, now);
        writes.order_event(&order, Some(from.as_str()), &order.end_reason, now);
        let wire = self.order_view(&order, &account.account_no);
        writes.event(&events::order_changed(
            cancel.member_id,
            wire.clone(),
            self.clock.as_ref(),
        ));
        let message = format!(
            "{} {} 취소 완료",
            order.instrument_name,
            order.side.korean()
        );
        Ok(Ok(OrderReply {
            order: Some(wire),
            replayed: false,
            message,
            fills: Vec::new(),
        }))
    }
}

fn cancel_change(from: Status) -> Result<Status, TradingError> {
    from.after(Change::Canceled)
        .map_err(|error| TradingError::Ledger(error.into()))
}
