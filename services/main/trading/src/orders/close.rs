//! What became of a request whose answer was lost.

use std::time::Duration;

use kernel::{MemberId, OrderId, RequestId};
use proto::trading::v1::OrderReply;
use sea_orm::TransactionTrait;
use tokio::time::Instant;

use super::change::Outcome;
use crate::error::{TradingError, is_lock_timeout};
use crate::store::Store;
use crate::store::request::{self, Key, StoredReplies};
use crate::store::write_set::WriteSet;

/// How long a request that is under way is waited for.
const TIMEOUT: Duration = Duration::from_secs(2);
const REST: Duration = Duration::from_millis(20);

impl Store {
    /// What the request was answered, with its order and fills as they stand now. One that has not
    /// arrived is closed first, so that it never has an effect: then this is
    /// [`TradingError::OrderNotReceived`], and so is every later answer to it.
    ///
    /// # Errors
    /// [`TradingError`]: what the request was refused with, in progress, or of the database.
    pub async fn close_request(&self, member_id: MemberId, request_id: RequestId) -> Outcome {
        let under_way = self.begin_request(member_id, &request_id);
        let until = Instant::now() + TIMEOUT;
        while under_way.first().is_some_and(|first| first.is_in_flight()) {
            if Instant::now() >= until {
                return Err(TradingError::RequestInProgress);
            }
            tokio::time::sleep(REST).await;
        }
        let key = (member_id, request_id);
        let reply = request::retry_on_duplicate(|| self.close_once(&key)).await??;
        let Some(order) = &reply.order else {
            return Ok(reply);
        };
        let order_id = OrderId(order.order_id);
        let detail = self.order_detail(member_id, order_id).await?;
        Ok(OrderReply {
            order: detail.order,
            fills: detail.fills,
            ..reply
        })
    }

    async fn close_once(&self, key: &Key) -> Result<Outcome, TradingError> {
        let transaction = self.db.begin().await?;
        let stored = StoredReplies::load(&transaction, [key], 0).await?;
        if let Some(answer) = stored.any_reply_to(key) {
            transaction.commit().await?;
            return Ok(answer);
        }
        let outcome = Err(TradingError::OrderNotReceived);
        let mut writes = WriteSet::default();
        if let Some(answer) = request::storable(&outcome) {
            let (member_id, request_id) = key;
            let now = self.clock.now();
            writes.request(*member_id, request_id, request::CLOSED, &answer, now);
        }
        match writes.write(&transaction).await {
            // Its answer is being stored right now.
            Err(error) if is_lock_timeout(&error) => return Err(TradingError::RequestInProgress),
            written => written?,
        }
        transaction.commit().await?;
        Ok(outcome)
    }
}
