//! Looks up stored replies of repeated requests (rule R0), and draws order ids in the same round trip.

use std::collections::{BTreeMap, VecDeque};

use bootstrap::database;
use kernel::{MemberId, OrderId, RequestId};
use proto::trading::v1::OrderReply;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement};
use serde::{Deserialize, Serialize};

use super::stored_reply::StoredReply;
use crate::error::TradingError;

/// Most retries of a transaction because another one stored a reply to the same request first.
const MAX_RACES: u32 = 3;

/// Digest of a request that was closed before it arrived: its rejection is the reply to any body.
pub(crate) const CLOSED: &[u8] = &[];

pub(crate) type Key = (MemberId, RequestId);

/// Stored replies of the requests of a transaction, and unused order ids.
pub(crate) struct StoredReplies {
    replies: BTreeMap<Key, (Vec<u8>, StoredReply)>,
    order_ids: VecDeque<OrderId>,
}

#[derive(Serialize)]
struct RequestKeyRow<'a> {
    member_id: MemberId,
    request_id: &'a str,
}

#[derive(Deserialize)]
struct StoredReplyRow {
    member_id: MemberId,
    request_id: RequestId,
    body_hash: String,
    answer: String,
}

impl StoredReplies {
    /// Looks up the requests and draws `order_ids` ids.
    pub(crate) async fn load(
        connection: &impl ConnectionTrait,
        keys: impl IntoIterator<Item = &Key>,
        order_ids: usize,
    ) -> Result<Self, DbErr> {
        let asked: Vec<RequestKeyRow<'_>> = keys
            .into_iter()
            .map(|(member_id, request_id)| RequestKeyRow {
                member_id: *member_id,
                request_id: request_id.as_str(),
            })
            .collect();
        let asked = serde_json::to_value(&asked).map_err(|error| DbErr::Json(error.to_string()))?;
        let count = i64::try_from(order_ids).unwrap_or(i64::MAX);
        // The limit forces an index search for each key. The plan of a join may be cached while the
        // table is small, and would then scan it however large it grows.
        let load = Statement::from_sql_and_values(
            DbBackend::Postgres,
            "select (select json_agg(nextval('order_id_seq')) from generate_series(1, $2)) as ids, \
             (select json_agg(json_build_object('member_id', r.member_id, \
              'request_id', r.request_id, 'body_hash', encode(r.body_hash, 'hex'), \
              'answer', encode(r.answer, 'hex'))) \
              from jsonb_to_recordset($1) as d(member_id bigint, request_id text) \
              cross join lateral (select * from request where request.member_id = d.member_id \
              and request.request_id = d.request_id limit 1) r) as found",
            [asked.into(), count.into()],
        );
        let row = connection.query_one_raw(load).await?;
        let row = row.ok_or_else(|| DbErr::RecordNotFound("requests".to_owned()))?;
        let ids: Option<serde_json::Value> = row.try_get("", "ids")?;
        let found: Option<serde_json::Value> = row.try_get("", "found")?;
        let read = |error: serde_json::Error| DbErr::Json(error.to_string());
        let order_ids: Vec<OrderId> = match ids {
            Some(ids) => serde_json::from_value(ids).map_err(read)?,
            None => Vec::new(),
        };
        let found: Vec<StoredReplyRow> = match found {
            Some(found) => serde_json::from_value(found).map_err(read)?,
            None => Vec::new(),
        };
        let mut replies = BTreeMap::new();
        for row in found {
            let bytes = |text: &str| {
                hex::decode(text).map_err(|error| DbErr::Custom(format!("request: {error}")))
            };
            let answer = StoredReply::decode(&bytes(&row.answer)?)?;
            let key = (row.member_id, row.request_id);
            replies.insert(key, (bytes(&row.body_hash)?, answer));
        }
        Ok(Self {
            replies,
            order_ids: order_ids.into(),
        })
    }

    pub(crate) fn next_order_id(&mut self) -> Result<OrderId, DbErr> {
        let id = self.order_ids.pop_front();
        id.ok_or_else(|| DbErr::Custom("too few order ids were drawn".to_owned()))
    }

    /// The reply to an earlier request with this key and body.
    pub(crate) fn reply_to(
        &self,
        key: &Key,
        body_hash: &[u8],
    ) -> Option<Result<OrderReply, TradingError>> {
        let (hash, answer) = self.replies.get(key)?;
        if hash != body_hash && hash != CLOSED {
            return Some(Err(TradingError::RequestIdReused));
        }
        Some(replay(answer))
    }

    /// The reply to an earlier request with this key, whatever its body.
    pub(crate) fn any_reply_to(&self, key: &Key) -> Option<Result<OrderReply, TradingError>> {
        self.replies.get(key).map(|(_, answer)| replay(answer))
    }

    /// Records a reply for repeats in the same batch.
    pub(crate) fn insert(&mut self, key: Key, body_hash: Vec<u8>, answer: StoredReply) {
        self.replies.insert(key, (body_hash, answer));
    }
}

fn replay(answer: &StoredReply) -> Result<OrderReply, TradingError> {
    match answer {
        StoredReply::Reply(reply) => {
            let mut reply = reply.as_ref().clone();
            reply.replayed = true;
            Ok(reply)
        }
        StoredReply::Rejection(stored) => Err(TradingError::Stored(stored.clone())),
    }
}

/// Runs a transaction that stores replies. If another process stored a reply to one of its requests
/// first, the transaction runs again and reads that reply.
pub(crate) async fn retry_on_duplicate<T, F>(
    mut transaction: impl FnMut() -> F,
) -> Result<T, TradingError>
where
    F: Future<Output = Result<T, TradingError>>,
{
    let mut races = 0;
    loop {
        match database::retry_serialization(&mut transaction).await {
            Err(TradingError::Database(error))
                if database::constraint(&error) == Some("request_once") && races < MAX_RACES =>
            {
                races += 1;
            }
            settled => return settled,
        }
    }
}

/// The reply to store with the request id; `None` for an outcome that a retry may change.
pub(crate) fn storable(outcome: &Result<OrderReply, TradingError>) -> Option<StoredReply> {
    match outcome {
        Ok(reply) => Some(StoredReply::Reply(Box::new(reply.clone()))),
        Err(error) => {
            let stored = error.to_stored()?;
            Some(StoredReply::Rejection(Box::new(stored)))
        }
    }
}
