//! The transaction that changes an open order: canceling and modifying share its locks, its
//! idempotency check and its write.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use kernel::{AccountCode, AccountId, MemberId, OrderId, Quantity, RequestId, Won};
use proto::trading::v1::OrderReply;
use sea_orm::{
    ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, TransactionTrait,
};

use crate::competitions::facts::CompetitionFacts;
use crate::entity::{account, holding, trade_order};
use crate::error::TradingError;
use crate::orders::order::{Order, Side};
use crate::orders::validation::Category;
use crate::store::Store;
use crate::store::lock::{self, Accounts};
use crate::store::once;
use crate::store::request::{self, RequestDigest, StoredReplies};
use crate::store::skip_locked;
use crate::store::write_set::WriteSet;

/// A request to change an order. The order must match every field, or it counts as not found.
#[derive(Clone, Debug)]
pub struct ChangeRequest {
    pub member_id: MemberId,
    pub request_id: RequestId,
    /// A digest of the request without its key.
    pub digest: RequestDigest,
    pub order_id: OrderId,
    pub side: Side,
    pub category: Category,
    /// `None` when the request names no instrument.
    pub instrument_code: Option<String>,
}

/// The message that is stored with the request and sent; see `store::stored_reply`.
pub(crate) type OrderResult = Result<OrderReply, TradingError>;

/// An open order that matches the request, and the rows locked with it.
pub(crate) struct Locked {
    pub(crate) order: Order,
    pub(crate) account: account::WithWon,
    /// The member's BASIC account, where the order is one of a sub-account.
    pub(crate) basic: Option<account::WithWon>,
    /// Sell orders alone have it.
    pub(crate) holding: Option<holding::Model>,
    /// Empty when no new order is placed: no rule of a competition keeps an order from being canceled.
    pub(crate) competitions: CompetitionFacts,
    /// Whether new orders of the member's present mode are orders of this account.
    pub(crate) is_current: bool,
    pub(crate) now: DateTime<Utc>,
}

impl Store {
    /// Calls `decide` with the locked order, and commits its writes with the reply. If the order was
    /// filled first, the reply is [`TradingError::OrderFinal`].
    pub(crate) async fn change(
        &self,
        request: &ChangeRequest,
        new_orders: usize,
        decide: impl Fn(Locked, &mut StoredReplies, &mut WriteSet) -> Result<OrderResult, TradingError>
        + Sync,
    ) -> OrderResult {
        let basic = self.known_basic(request.member_id).await?;
        let run = || {
            request::retry_on_duplicate(|| self.change_once(request, basic, new_orders, &decide))
        };
        self.until_unlocked(request.member_id, &request.request_id, run)
            .await?
    }

    async fn change_once(
        &self,
        request: &ChangeRequest,
        basic: Option<AccountId>,
        new_orders: usize,
        decide: &(
             impl Fn(Locked, &mut StoredReplies, &mut WriteSet) -> Result<OrderResult, TradingError>
             + Sync
         ),
    ) -> Result<OrderResult, TradingError> {
        let transaction = self.db.begin().await?;
        let changed = self
            .change_in(&transaction, request, basic, new_orders, decide)
            .await;
        once::end(transaction, changed).await
    }

    async fn change_in(
        &self,
        transaction: &DatabaseTransaction,
        request: &ChangeRequest,
        basic: Option<AccountId>,
        new_orders: usize,
        decide: &(
             impl Fn(Locked, &mut StoredReplies, &mut WriteSet) -> Result<OrderResult, TradingError>
             + Sync
         ),
    ) -> Result<OrderResult, TradingError> {
        let found = trade_order::Entity::find_by_id(request.order_id)
            .filter(trade_order::Column::MemberId.eq(request.member_id))
            .one(transaction)
            .await?;
        let ids = found
            .iter()
            .flat_map(|row| basic.into_iter().chain([row.account_id]));
        let ids: BTreeSet<AccountId> = ids.collect();
        let accounts = skip_locked::accounts(transaction, &ids).await?;
        let key = (request.member_id, request.request_id.clone());
        let mut stored = StoredReplies::load(transaction, [&key], new_orders).await?;
        if let Some(reply) = stored.reply_to(&key, &request.digest) {
            return Ok(reply);
        }
        once::check_deadline()?;
        let mut writes = WriteSet::default();
        let locked = match found {
            None => Err(TradingError::OrderNotFound),
            Some(_) if accounts.len() < ids.len() => return Err(TradingError::AccountLocked),
            Some(row) => {
                let places = new_orders > 0;
                let locked = self.lock(transaction, request, row, places, basic, accounts);
                locked.await?
            }
        };
        let outcome = match locked {
            Ok(locked) => decide(locked, &mut stored, &mut writes)?,
            Err(error) => Err(error),
        };
        if let Some(reply) = request::storable(&outcome) {
            if outcome.is_err()
                && let Err(rate) = self.rejection_limit.check(request.member_id)
            {
                return Ok(Err(rate.into()));
            }
            writes.request(
                request.member_id,
                &request.request_id,
                &request.digest,
                &reply,
                self.clock.now(),
            );
        }
        writes.write(transaction).await?;
        Ok(outcome)
    }

    /// Locks the holding and then the order, and checks that the order still matches the request.
    async fn lock(
        &self,
        transaction: &DatabaseTransaction,
        request: &ChangeRequest,
        row: trade_order::Model,
        places: bool,
        basic: Option<AccountId>,
        mut accounts: Accounts,
    ) -> Result<Result<Locked, TradingError>, TradingError> {
        let account = accounts
            .remove(&row.account_id)
            .ok_or_else(|| DbErr::Custom(format!("account {} does not exist", row.account_id)))?;
        let competitions = if places {
            let competing: Accounts = [(row.account_id, account.clone())].into();
            CompetitionFacts::load(self, transaction, &competing).await?
        } else {
            CompetitionFacts::default()
        };
        let is_competition = account.account.account_code()? == AccountCode::Competition;
        let is_current = if is_competition {
            let basics = basic.into_iter().collect();
            let current = self.current_accounts(transaction, &basics).await?;
            current.into_values().any(|id| id == row.account_id)
        } else {
            let basic = basic.and_then(|id| accounts.get(&id)).unwrap_or(&account);
            !basic.account.competition_mode
        };
        let basic = basic.filter(|_| !is_competition);
        let basic = basic.and_then(|id| accounts.remove(&id));
        let key = (row.account_id, row.instrument_code);
        let sold = (request.side == Side::Sell).then(|| key.clone());
        let mut holdings = lock::holdings(transaction, &sold.into_iter().collect()).await?;
        let ids = BTreeSet::from([request.order_id]);
        let open = lock::open_orders(transaction, &ids).await?;
        let Some(order) = open.into_values().next() else {
            let ended = self.ended(transaction, request.order_id, &account.account.account_no);
            return Ok(Err(ended.await?));
        };
        if !request.matches(&order) {
            return Ok(Err(TradingError::OrderNotFound));
        }
        Ok(Ok(Locked {
            order,
            account,
            basic,
            holding: holdings.remove(&key),
            competitions,
            is_current,
            now: self.clock.now(),
        }))
    }

    /// The error for an order that ended between the read of its row and the lock.
    async fn ended(
        &self,
        transaction: &DatabaseTransaction,
        id: OrderId,
        account_no: &str,
    ) -> Result<TradingError, DbErr> {
        let row = trade_order::Entity::find_by_id(id).one(transaction).await?;
        let Some(row) = row else {
            return Ok(TradingError::OrderNotFound);
        };
        let order = row.to_order(Won::ZERO)?;
        Ok(TradingError::OrderFinal {
            status: order.status,
            order: Box::new(self.order_view(&order, account_no)),
        })
    }
}

impl ChangeRequest {
    fn matches(&self, order: &Order) -> bool {
        let code = self.instrument_code.as_ref();
        order.side == self.side
            && Category::of(order.market.asset_kind()) == self.category
            && code.is_none_or(|code| *code == order.instrument_code)
    }
}

impl Locked {
    /// Adds `more` to what is held of the holding; a negative quantity releases.
    pub(crate) fn adjust_hold(
        &mut self,
        more: Quantity,
        writes: &mut WriteSet,
    ) -> Result<(), DbErr> {
        if let Some(row) = &mut self.holding {
            row.held_quantity.0 += more.0;
            let code = &row.instrument_code;
            let (label, holding) = (row.label()?, row.to_holding());
            writes.holding(row.account_id, row.member_id, code, &label, &holding);
        }
        Ok(())
    }
}
