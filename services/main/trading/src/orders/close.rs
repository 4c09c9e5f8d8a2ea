//! Looks up the outcome of a request whose reply the client lost.

use std::time::Duration;

use kernel::{MemberId, OrderId, RequestId};
use proto::trading::v1::OrderReply;
use sea_orm::TransactionTrait;
use tokio::time::Instant;

use super::change::OrderResult;
use super::message::order_detail;
use crate::error::{TradingError, is_lock_timeout};
use crate::store::Store;
use crate::store::request::{self, Key, RequestDigest, StoredReplies};
use crate::store::write_set::WriteSet;

/// How long the call waits for a request that is in flight.
const TIMEOUT: Duration = Duration::from_secs(2);
const POLL_INTERVAL: Duration = Duration::from_millis(20);

impl Store {
    /// The stored reply to a request, with its order and fills as they are now. A request that has
    /// not arrived is closed, so that it never takes effect: this call and every later request with
    /// the key get [`TradingError::OrderNotReceived`].
    ///
    /// # Errors
    /// [`TradingError`]: the rejection of the request, in progress, or of the database.
    pub async fn close_request(&self, member_id: MemberId, request_id: RequestId) -> OrderResult {
        let in_flight = self.begin_request(member_id, &request_id);
        let until = Instant::now() + TIMEOUT;
        while in_flight.first().is_some_and(|first| first.is_in_flight()) {
            if Instant::now() >= until {
                return Err(TradingError::RequestInProgress);
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        let key = (member_id, request_id);
        let reply = request::retry_on_duplicate(|| self.close_once(&key)).await??;
        let Some(order) = &reply.order else {
            return Ok(reply);
        };
        let order_id = OrderId(order.order_id);
        let detail = order_detail(self.order_detail(member_id, order_id).await?);
        Ok(OrderReply {
            order: detail.order,
            fills: detail.fills,
            ..reply
        })
    }

    async fn close_once(&self, key: &Key) -> Result<OrderResult, TradingError> {
        let transaction = self.db.begin().await?;
        let stored = StoredReplies::load(&transaction, [key], 0).await?;
        if let Some(reply) = stored.order_reply_to(key) {
            transaction.commit().await?;
            return Ok(reply);
        }
        let outcome: OrderResult = Err(TradingError::OrderNotReceived);
        let mut writes = WriteSet::default();
        if let Some(reply) = request::storable(&outcome) {
            let (member_id, request_id) = key;
            self.rejection_limit.check(*member_id)?;
            let now = self.clock.now();
            writes.request(
                *member_id,
                request_id,
                &RequestDigest::closed(),
                &reply,
                now,
            );
        }
        match writes.write(&transaction).await {
            // Another transaction is storing its reply right now.
            Err(TradingError::Database(error)) if is_lock_timeout(&error) => {
                return Err(TradingError::RequestInProgress);
            }
            written => written?,
        }
        transaction.commit().await?;
        Ok(outcome)
    }
}
