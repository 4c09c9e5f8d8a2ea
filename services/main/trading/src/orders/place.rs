//! Placing orders, many at a time: accounts are locked once, each order is decided alone, one
//! rejection never affects another, and all of it commits together.

mod batch;

use kernel::{AccountId, MemberId, RequestId};
use messaging::trace::TraceContext;
use sea_orm::TransactionTrait;

use super::change::Outcome;
use crate::accounts::open::AccountChoice;
use crate::error::{TradingError, is_lock_timeout};
use crate::orders::validation::{OrderRejection, OrderRequest};
use crate::store::{Store, request};
use batch::Batch;

/// A request to place an order.
#[derive(Clone, Debug)]
pub struct PlaceOrder {
    /// Who asks.
    pub member_id: MemberId,
    /// For which account.
    pub account: AccountChoice,
    /// The retry key.
    pub request_id: RequestId,
    /// A digest of the request without its key.
    pub body_hash: Vec<u8>,
    /// What is to be traded.
    pub instrument_code: String,
    /// How.
    pub order: OrderRequest,
    /// The trace of the request.
    pub trace: Option<TraceContext>,
}

/// A request with the account it means, or why it may not have one.
struct ResolvedRequest<'a> {
    request: &'a PlaceOrder,
    account: Result<AccountId, OrderRejection>,
}

impl Store {
    /// Places orders in one transaction. The outcomes are in the order of the requests; that of an
    /// order whose account somebody else has locked is [`TradingError::AccountLocked`].
    ///
    /// # Errors
    /// [`TradingError`] when the transaction as a whole failed and nothing was placed.
    pub async fn place_orders(
        &self,
        requests: &[PlaceOrder],
    ) -> Result<Vec<Outcome>, TradingError> {
        let mut addressed = Vec::with_capacity(requests.len());
        for request in requests {
            let account = match self.resolve(request.member_id, &request.account).await {
                Ok(id) => Ok(id),
                Err(TradingError::Rejected(rejection)) => Err(rejection),
                Err(error) => return Err(error),
            };
            addressed.push(ResolvedRequest { request, account });
        }
        request::retry_on_duplicate(|| self.place(&addressed)).await
    }

    async fn place(&self, addressed: &[ResolvedRequest<'_>]) -> Result<Vec<Outcome>, TradingError> {
        let transaction = self.db.begin().await?;
        let mut batch = Batch::lock(self, &transaction, addressed).await?;
        let mut outcomes = Vec::with_capacity(addressed.len());
        for one in addressed {
            outcomes.push(batch.handle(one)?);
        }
        let open = match batch.finish(&transaction).await {
            // Accounts and holdings are locked, so what remains to wait for is another answer to
            // the same request.
            Err(error) if addressed.len() == 1 && is_lock_timeout(&error) => {
                return Err(TradingError::RequestInProgress);
            }
            finished => finished?,
        };
        transaction.commit().await?;
        self.new_order_cache.remember(open);
        Ok(outcomes)
    }
}
