//! Places orders, many in one transaction: accounts are locked once, each order is validated by
//! itself, a rejection does not affect the others, and all outcomes commit together.

mod batch;

use bootstrap::deadline::Deadline;
use futures_util::{StreamExt, stream};
use kernel::{AccountCode, AccountId, MemberId, RequestId};
use sea_orm::TransactionTrait;
use telemetry::trace::TraceContext;

use super::change::OrderResult;
use crate::accounts::open::AccountChoice;
use crate::error::{TradingError, is_lock_timeout};
use crate::orders::validation::{OrderRejection, OrderRequest};
use crate::store::Store;
use crate::store::request::{self, RequestDigest};
use batch::Batch;

/// Accounts of a group that are looked up at the same time, by half of the connections of a process.
const LOOKED_UP_AT_ONCE: usize = 3;

#[derive(Clone, Debug)]
pub struct PlaceOrder {
    pub member_id: MemberId,
    pub account: AccountChoice,
    pub request_id: RequestId,
    /// A digest of the request without its key.
    pub digest: RequestDigest,
    pub instrument_code: String,
    pub order: OrderRequest,
    pub trace: Option<TraceContext>,
    /// Until when its caller waits. Later nothing is decided: the caller may have repeated the request,
    /// and been refused for a reason that has passed since.
    pub deadline: Option<Deadline>,
}

impl PlaceOrder {
    pub(super) fn is_late(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| deadline.remaining().is_zero())
    }
}

/// A request with the account it names, or why the member may not use that account.
struct ResolvedRequest<'a> {
    request: &'a PlaceOrder,
    account: Result<OrderAccount, OrderRejection>,
}

/// An account that is ordered for, and the one that counts its orders.
#[derive(Clone, Copy)]
struct OrderAccount {
    id: AccountId,
    /// The member's BASIC account; a competition account counts its own.
    counting: AccountId,
    /// The member's BASIC account, which says whether the member competes.
    basic: AccountId,
}

impl Store {
    /// Places orders in one transaction. The outcomes are in the order of the requests; an order
    /// whose account another transaction has locked gets [`TradingError::AccountLocked`].
    ///
    /// # Errors
    /// [`TradingError`] when the transaction as a whole failed and nothing was placed.
    pub async fn place_orders(
        &self,
        requests: &[PlaceOrder],
    ) -> Result<Vec<OrderResult>, TradingError> {
        let lookups: Vec<_> = requests.iter().map(|one| self.order_account(one)).collect();
        let found = stream::iter(lookups).buffered(LOOKED_UP_AT_ONCE);
        let found: Vec<_> = found.collect().await;
        let mut addressed = Vec::with_capacity(requests.len());
        // What is wrong with the account of one must not keep the others from being placed.
        let mut failed = Vec::new();
        for (index, (request, account)) in requests.iter().zip(found).enumerate() {
            let account = match account {
                Ok(account) => Ok(account),
                Err(TradingError::Rejected(rejection)) => Err(rejection),
                Err(error) => {
                    failed.push((index, error));
                    continue;
                }
            };
            addressed.push(ResolvedRequest { request, account });
        }
        let mut outcomes = request::retry_on_duplicate(|| self.place(&addressed)).await?;
        for (index, error) in failed {
            outcomes.insert(index, Err(error));
        }
        Ok(outcomes)
    }

    /// # Errors
    /// [`TradingError`]: the member may not use it; another transaction has locked the BASIC account with
    /// which the practice league is joined; or of the database.
    async fn order_account(&self, request: &PlaceOrder) -> Result<OrderAccount, TradingError> {
        let member_id = request.member_id;
        if request.account.code() == AccountCode::Competition {
            // The others of the group must not wait for the locked account of one.
            let id = self.try_current_account(member_id).await?;
            let is_named = matches!(request.account, AccountChoice::Number(_));
            if is_named && self.resolve(member_id, &request.account).await? != id {
                return Err(OrderRejection::AccountForbidden.into());
            }
            let basic = self.open_basic_account(member_id).await?.0;
            return Ok(OrderAccount {
                id,
                counting: id,
                basic,
            });
        }
        let id = self.resolve(member_id, &request.account).await?;
        let basic = self.open_basic_account(member_id).await?.0;
        Ok(OrderAccount {
            id,
            counting: basic,
            basic,
        })
    }

    async fn place(
        &self,
        addressed: &[ResolvedRequest<'_>],
    ) -> Result<Vec<OrderResult>, TradingError> {
        let transaction = self.db.begin().await?;
        let mut batch = Batch::lock(self, &transaction, addressed).await?;
        let mut outcomes = Vec::with_capacity(addressed.len());
        for one in addressed {
            outcomes.push(batch.handle(one)?);
        }
        let open = match batch.finish(&transaction).await {
            // Accounts and holdings are locked already, so the timeout was on the request's key:
            // another process is storing a reply to the same request.
            Err(TradingError::Database(error))
                if addressed.len() == 1 && is_lock_timeout(&error) =>
            {
                return Err(TradingError::RequestInProgress);
            }
            finished => finished?,
        };
        transaction.commit().await?;
        self.new_order_cache.insert(open);
        Ok(outcomes)
    }
}
