//! Stored replies to money acts, as the responses that clients received.

use proto::trading::v1 as wire;
use sqlx::{PgConnection, Row};
use std::collections::BTreeMap;
use trading::store::stored_reply::{StoredReply, message};

use super::{ActReply, ActResponse};
use crate::trading_client::acts as view;

const KINDS: [&str; 10] = [
    "transfer",
    "close-account",
    "buy-item",
    "open-contract",
    "pay-into-contract",
    "close-contract",
    "reset",
    "join-competition",
    "leave-competition",
    "create-league",
];

/// By member and idempotency key.
pub(super) async fn responses(
    snapshot: &mut PgConnection,
    members: &[i64],
) -> anyhow::Result<BTreeMap<(i64, String), ActResponse>> {
    let rows = sqlx::query(
        "select member_id, request_id, kind, answer from request \
         where member_id = any($1) and kind = any($2)",
    )
    .bind(members)
    .bind(KINDS.as_slice())
    .fetch_all(snapshot)
    .await?;
    let mut responses = BTreeMap::new();
    for row in rows {
        let bytes: Vec<u8> = row.try_get("answer")?;
        let response = match StoredReply::decode(&bytes)? {
            StoredReply::Reply(body) => match reply(row.try_get("kind")?, &body)? {
                Some(reply) => ActResponse::Done(reply),
                None => ActResponse::Refused("a reply without its parts".to_owned()),
            },
            StoredReply::Rejection(stored) => ActResponse::Refused(stored.problem.reason),
        };
        let key = (row.try_get("member_id")?, row.try_get("request_id")?);
        responses.insert(key, response);
    }
    Ok(responses)
}

fn reply(kind: &str, body: &[u8]) -> anyhow::Result<Option<ActReply>> {
    Ok(match kind {
        "transfer" => view::transferred(message::<wire::TransferReply>(body)?),
        "buy-item" => view::bought(message::<wire::BuyItemReply>(body)?),
        "open-contract" | "pay-into-contract" => {
            view::contract(message::<wire::ContractReply>(body)?)
        }
        "close-contract" => view::contract_closed(message::<wire::CloseContractReply>(body)?),
        "reset" => view::reset(message::<wire::ResetReply>(body)?),
        "join-competition" => view::joined(message::<wire::JoinCompetitionReply>(body)?),
        "leave-competition" => view::left(message::<wire::LeaveCompetitionReply>(body)?),
        "create-league" => view::league_created(message::<wire::CreateLeagueReply>(body)?),
        _ => view::account_closed(message::<wire::CloseAccountReply>(body)?),
    })
}
