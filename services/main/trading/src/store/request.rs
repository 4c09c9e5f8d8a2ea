//! Looks up stored replies of repeated requests, and draws order ids in the same round trip.

use std::collections::{BTreeMap, VecDeque};

use bootstrap::database;
use kernel::{MemberId, OrderId, RequestId};
use prost::Message;
use proto::trading::v1::OrderReply;
use sea_orm::sea_query::{Expr, SimpleExpr};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement, Value};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::stored_reply::{Repeatable, StoredReply, message};
use crate::error::TradingError;
use crate::named::named;

/// A row `r` of stored replies as JSON, which [`StoredReplyRow`] reads.
macro_rules! reply_row {
    () => {
        "json_build_object('member_id', r.member_id, 'request_id', r.request_id, 'kind', r.kind, \
         'body_hash', encode(r.body_hash, 'hex'), 'answer', encode(r.answer, 'hex'))"
    };
}

/// Most retries of a transaction because another one stored a reply to the same request first.
const MAX_RACES: u32 = 3;

named! {
    /// What a request asks for. The name is also part of the digest of the body.
    pub enum RequestKind {
        Place = "place",
        /// The end of an open order.
        Cancel = "cancel",
        /// Another price or quantity of an open order.
        Modify = "modify",
        /// Won from one account to another.
        Transfer = "transfer",
        /// The end of an empty account.
        CloseAccount = "close-account",
        /// Education points that become won.
        MovePoints = "move-points",
        /// Education points for what another service gives.
        SpendPoints = "spend-points",
        ExchangeCash = "exchange-cash",
        /// Items.
        BuyItem = "buy-item",
        /// A deposit or a savings plan.
        OpenContract = "open-contract",
        /// A payment into a savings plan.
        PayIntoContract = "pay-into-contract",
        /// The end of a contract.
        CloseContract = "close-contract",
        /// The end of a season.
        Reset = "reset",
        /// An account of a competition.
        JoinCompetition = "join-competition",
        /// The end of an account of a competition.
        LeaveCompetition = "leave-competition",
        /// A competition for those who are invited.
        CreateLeague = "create-league",
    }
}

/// What a repeated request has in common with the first, besides the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestDigest {
    /// `None` for a request that was closed before it arrived.
    pub(crate) kind: Option<RequestKind>,
    pub(crate) body_hash: Vec<u8>,
}

impl RequestDigest {
    /// `body` is the request without its key.
    #[must_use]
    pub fn new(kind: RequestKind, body: &impl Message) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(kind.as_str());
        hasher.update(body.encode_to_vec());
        Self {
            kind: Some(kind),
            body_hash: hasher.finalize().to_vec(),
        }
    }

    /// Whether its act is one of the member's own money, which does not move in competition mode. What
    /// another service asks for goes on.
    pub(crate) fn is_locked_in_competition(&self) -> bool {
        self.kind.is_some_and(|kind| match kind {
            RequestKind::Transfer
            | RequestKind::CloseAccount
            | RequestKind::MovePoints
            | RequestKind::ExchangeCash
            | RequestKind::BuyItem
            | RequestKind::OpenContract
            | RequestKind::PayIntoContract
            | RequestKind::CloseContract
            | RequestKind::Reset => true,
            RequestKind::Place
            | RequestKind::Cancel
            | RequestKind::Modify
            | RequestKind::SpendPoints
            | RequestKind::JoinCompetition
            | RequestKind::LeaveCompetition
            | RequestKind::CreateLeague => false,
        })
    }

    /// For a request that is closed before it arrives: its rejection is the reply to any body.
    pub(crate) fn closed() -> Self {
        Self {
            kind: None,
            body_hash: Vec::new(),
        }
    }
}

/// A digest as stored. The previous release stores no kind, and the next may store others.
struct StoredDigest {
    kind: Option<String>,
    body_hash: Vec<u8>,
}

impl StoredDigest {
    fn matches(&self, digest: &RequestDigest) -> bool {
        let is_kind = |stored: &str| digest.kind.is_some_and(|kind| kind.as_str() == stored);
        let is_closed = self.kind.is_none() && self.body_hash.is_empty();
        is_closed || self.body_hash == digest.body_hash && self.kind.as_deref().is_none_or(is_kind)
    }
}

pub(crate) type Key = (MemberId, RequestId);

/// Stored replies of the requests of a transaction, and unused order ids.
pub(crate) struct StoredReplies {
    replies: BTreeMap<Key, (StoredDigest, StoredReply)>,
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
    kind: Option<String>,
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
            concat!(
                "select (select json_agg(nextval('order_id_seq')) from generate_series(1, $2)) as ids, \
                 (select json_agg(",
                reply_row!(),
                ") \
                 from jsonb_to_recordset($1) as d(member_id bigint, request_id text) \
                 cross join lateral (select * from request where request.member_id = d.member_id \
                 and request.request_id = d.request_id limit 1) r) as found",
            ),
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
        Ok(Self {
            replies: Self::read(found)?,
            order_ids: order_ids.into(),
        })
    }

    /// The stored reply of one request as JSON, or null.
    pub(crate) fn subquery((member_id, request_id): &Key) -> SimpleExpr {
        Expr::cust_with_values(
            concat!(
                "(select ",
                reply_row!(),
                " from request r where r.member_id = $1 and r.request_id = $2)",
            ),
            [Value::from(member_id.0), Value::from(request_id.as_str())],
        )
    }

    /// Reads the column of [`StoredReplies::subquery`]; null is no reply.
    pub(crate) fn decode(found: Option<serde_json::Value>) -> Result<Self, DbErr> {
        let read = |row| {
            serde_json::from_value::<StoredReplyRow>(row)
                .map_err(|error| DbErr::Json(error.to_string()))
        };
        let found = found.map(read).transpose()?;
        Ok(Self {
            replies: Self::read(found)?,
            order_ids: VecDeque::new(),
        })
    }

    fn read(
        found: impl IntoIterator<Item = StoredReplyRow>,
    ) -> Result<BTreeMap<Key, (StoredDigest, StoredReply)>, DbErr> {
        let mut replies = BTreeMap::new();
        for row in found {
            let bytes = |text: &str| {
                hex::decode(text).map_err(|error| DbErr::Custom(format!("request: {error}")))
            };
            let answer = StoredReply::decode(&bytes(&row.answer)?)?;
            let key = (row.member_id, row.request_id);
            let digest = StoredDigest {
                kind: row.kind,
                body_hash: bytes(&row.body_hash)?,
            };
            replies.insert(key, (digest, answer));
        }
        Ok(replies)
    }

    pub(crate) fn next_order_id(&mut self) -> Result<OrderId, DbErr> {
        let id = self.order_ids.pop_front();
        id.ok_or_else(|| DbErr::Custom("too few order ids were drawn".to_owned()))
    }

    /// The reply to an earlier request with this key, kind and body.
    pub(crate) fn reply_to<M: Repeatable>(
        &self,
        key: &Key,
        digest: &RequestDigest,
    ) -> Option<Result<M, TradingError>> {
        let (stored, answer) = self.replies.get(key)?;
        if !stored.matches(digest) {
            return Some(Err(TradingError::RequestIdReused));
        }
        Some(replay(answer))
    }

    /// The reply to an earlier order request with this key, whatever its body.
    pub(crate) fn order_reply_to(&self, key: &Key) -> Option<Result<OrderReply, TradingError>> {
        let (stored, answer) = self.replies.get(key)?;
        let order_kinds = [RequestKind::Place, RequestKind::Cancel, RequestKind::Modify];
        let is_order_kind = |kind: &str| order_kinds.iter().any(|known| known.as_str() == kind);
        if !stored.kind.as_deref().is_none_or(is_order_kind) {
            return Some(Err(TradingError::RequestIdReused));
        }
        Some(replay(answer))
    }

    /// Records a reply for repeats in the same batch.
    pub(crate) fn insert(&mut self, key: Key, digest: &RequestDigest, answer: StoredReply) {
        let stored = StoredDigest {
            kind: digest.kind.map(|kind| kind.as_str().to_owned()),
            body_hash: digest.body_hash.clone(),
        };
        self.replies.insert(key, (stored, answer));
    }
}

fn replay<M: Repeatable>(answer: &StoredReply) -> Result<M, TradingError> {
    match answer {
        StoredReply::Reply(body) => {
            let mut reply: M = message(body)?;
            reply.set_replayed();
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
pub(crate) fn storable(outcome: &Result<impl Message, TradingError>) -> Option<StoredReply> {
    match outcome {
        Ok(reply) => Some(StoredReply::of(reply)),
        Err(error) => {
            let stored = error.to_stored()?;
            Some(StoredReply::Rejection(Box::new(stored)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(kind: RequestKind) -> RequestDigest {
        RequestDigest {
            kind: Some(kind),
            body_hash: vec![7],
        }
    }

    fn reply(stored: &StoredReplies, kind: RequestKind) -> Result<OrderReply, TradingError> {
        stored.reply_to(&key(), &digest(kind)).unwrap()
    }

    fn key() -> Key {
        (MemberId(1), RequestId::parse("once-only").unwrap())
    }

    fn stored(digest: &RequestDigest) -> StoredReplies {
        let mut stored = StoredReplies {
            replies: BTreeMap::new(),
            order_ids: VecDeque::new(),
        };
        stored.insert(key(), digest, StoredReply::of(&OrderReply::default()));
        stored
    }

    #[test]
    fn a_repeated_request_has_the_same_kind_and_body() {
        let placed = stored(&digest(RequestKind::Place));
        assert!(reply(&placed, RequestKind::Place).unwrap().replayed);
        let reused = reply(&placed, RequestKind::Cancel).unwrap_err();
        assert!(matches!(reused, TradingError::RequestIdReused));
        let other_body = RequestDigest {
            body_hash: vec![8],
            ..digest(RequestKind::Place)
        };
        let reused = placed.reply_to::<OrderReply>(&key(), &other_body).unwrap();
        assert!(matches!(reused, Err(TradingError::RequestIdReused)));
    }

    #[test]
    fn a_closed_request_matches_any_other_and_one_without_a_kind_its_body() {
        let closed = stored(&RequestDigest::closed());
        reply(&closed, RequestKind::Modify).unwrap();
        let before = stored(&RequestDigest {
            kind: None,
            ..digest(RequestKind::Place)
        });
        reply(&before, RequestKind::Place).unwrap();
    }

    #[test]
    fn a_reply_of_another_kind_is_not_an_order_reply() {
        let mut transferred = stored(&digest(RequestKind::Place));
        for (digest, _) in transferred.replies.values_mut() {
            digest.kind = Some("transfer".to_owned());
        }
        let reply = transferred.order_reply_to(&key()).unwrap();
        assert!(matches!(reply, Err(TradingError::RequestIdReused)));
    }
}
