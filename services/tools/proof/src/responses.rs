//! Compares the responses that clients received with the database.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::TryStreamExt;
use proto::trading::v1::OrderReply;
use rust_decimal::Decimal;
use sqlx::{PgConnection, Row};
use trading::store::stored_reply::{StoredReply, message};

use crate::order::{OrderResponse, OrderView};
use crate::results::Results;
use crate::trading_client;

struct StoredOrder {
    status: String,
    end_reason: String,
    filled: Decimal,
    replaced_id: i64,
    charged: (i64, i64, i64),
    amount_won: Option<i64>,
}

/// Returns each difference as a sentence. `snapshot` is one point in time, as orders fill meanwhile.
pub(crate) async fn check(
    snapshot: &mut PgConnection,
    results: &Results,
    members: &[i64],
) -> anyhow::Result<Vec<String>> {
    let stored = stored_responses(snapshot, members).await?;
    let orders = orders(snapshot, members).await?;
    let mut faults = Vec::new();
    let mut acknowledged = BTreeSet::new();
    for (key, response) in &results.responses {
        let fault = match (response, stored.get(key)) {
            (OrderResponse::Order(reply), Some(stored)) if response == stored => {
                acknowledged.insert(reply.order_id);
                contradiction(reply, &orders)
            }
            (OrderResponse::Rejected(_), Some(stored)) if response == stored => None,
            // A malformed request stores nothing.
            (OrderResponse::Rejected(_), None) => None,
            (response, stored) => Some(format!("received {response:?}, stored {stored:?}")),
        };
        faults.extend(fault.map(|fault| format!("{key:?}: {fault}")));
    }
    // An order without a response is reported as unresolved, not here.
    if results.unresolved.is_empty() {
        let unknown = orders.keys().filter(|id| !acknowledged.contains(id));
        faults.extend(unknown.map(|id| format!("order {id} is in no response")));
    }
    for order_id in &results.ended_alone {
        let alone = orders.get(order_id).is_some_and(|order| {
            ["CANCELED", "EXPIRED"].contains(&order.status.as_str())
                && order.end_reason != "CANCELED_BY_MEMBER"
        });
        if !alone {
            faults.push(format!(
                "order {order_id} was reported as ended, but nothing ended it"
            ));
        }
    }
    println!(
        "checked: {} responses, {} orders, {} orders ended by the service, {} differences",
        results.responses.len(),
        orders.len(),
        results.ended_alone.len(),
        faults.len()
    );
    faults.extend(amounts(&orders));
    faults.extend(previews(snapshot, results, &orders).await?);
    Ok(faults)
}

/// Expects that the close during the run ended at least one order.
pub(crate) async fn closed(
    snapshot: &mut PgConnection,
    members: &[i64],
) -> anyhow::Result<Option<String>> {
    let (ended, split): (i64, i64) = sqlx::query_as(
        "select count(distinct o.id) filter (where e.reason = 'SESSION_ENDED'), \
           count(distinct o.id) filter (where e.reason = 'SHARE_SPLIT') \
         from trade_order o join order_event e on e.order_id = o.id where o.member_id = any($1)",
    )
    .bind(members)
    .fetch_one(snapshot)
    .await?;
    println!("checked: the close ended {ended} orders, splits changed {split} open orders");
    Ok((ended == 0).then(|| "the close ended no order".to_owned()))
}

/// Compares a response with the stored order.
fn contradiction(reply: &OrderView, orders: &BTreeMap<i64, StoredOrder>) -> Option<String> {
    let id = reply.order_id;
    let Some(order) = orders.get(&id) else {
        return Some(format!("order {id} is missing"));
    };
    if reply.status == "CANCELED" && (order.status != "CANCELED" || order.filled != reply.filled) {
        return Some(format!(
            "order {id} was canceled with {} filled, and is {} with {}",
            reply.filled, order.status, order.filled
        ));
    }
    if reply.amount_won != order.amount_won {
        return Some(format!("order {id} is for {:?} won", order.amount_won));
    }
    if reply.replaced_id != order.replaced_id {
        return Some(format!("order {id} replaced {}", order.replaced_id));
    }
    if reply.replaced_id != 0 {
        let before = orders.get(&reply.replaced_id);
        if before.is_none_or(|before| before.status != "REPLACED") {
            return Some(format!(
                "order {} was replaced and is not",
                reply.replaced_id
            ));
        }
    }
    None
}

/// An order that filled entirely at its previewed price must cost what the preview showed.
async fn previews(
    snapshot: &mut PgConnection,
    results: &Results,
    orders: &BTreeMap<i64, StoredOrder>,
) -> anyhow::Result<Vec<String>> {
    let ids: Vec<i64> = results
        .previews
        .iter()
        .map(|preview| preview.order_id)
        .collect();
    let rows = sqlx::query(
        "select o.id, min(f.fx_rate) as fx_rate from trade_order o join fill f on f.order_id = o.id \
         where o.id = any($1) and o.status = 'FILLED' and not exists (select from order_event e \
           where e.order_id = o.id and e.reason = 'SHARE_SPLIT') group by o.id \
         having bool_and(f.price = o.price) and min(f.fx_rate) is not distinct from max(f.fx_rate)",
    )
    .bind(&ids)
    .fetch_all(snapshot)
    .await?;
    let mut as_previewed = BTreeMap::new();
    for row in rows {
        let fx_rate: Option<Decimal> = row.try_get("fx_rate")?;
        as_previewed.insert(row.try_get::<i64, _>("id")?, fx_rate);
    }
    let mut faults = Vec::new();
    let mut compared = 0;
    for preview in &results.previews {
        let (Some(fx_rate), Some(order)) = (
            as_previewed.get(&preview.order_id),
            orders.get(&preview.order_id),
        ) else {
            continue;
        };
        if *fx_rate != preview.cost.fx_rate {
            continue;
        }
        compared += 1;
        let cost = (
            preview.cost.amount_won,
            preview.cost.fee_won,
            preview.cost.tax_won,
        );
        if cost != order.charged {
            faults.push(format!(
                "order {}: previewed {cost:?}, charged {:?}",
                preview.order_id, order.charged
            ));
        }
    }
    println!(
        "checked: {} previews, {compared} of orders that filled at that price, {} differences",
        results.previews.len(),
        faults.len()
    );
    Ok(faults)
}

/// A market buy by amount costs at most its amount, and only such an order ends because of it.
fn amounts(orders: &BTreeMap<i64, StoredOrder>) -> Vec<String> {
    let (mut by_amount, mut reached) = (0, 0);
    let mut faults = Vec::new();
    for (id, order) in orders {
        let (amount, fee, _) = order.charged;
        let has_reached = order.end_reason == "AMOUNT_REACHED";
        by_amount += u64::from(order.amount_won.is_some());
        reached += u64::from(has_reached);
        match order.amount_won {
            Some(most) if amount + fee > most => {
                faults.push(format!("order {id} cost {} of {most}", amount + fee));
            }
            None if has_reached => faults.push(format!("order {id} has no amount to reach")),
            Some(_) | None => {}
        }
    }
    println!(
        "checked: {by_amount} orders by amount, {reached} ended with the amount reached, {} differences",
        faults.len()
    );
    faults
}

async fn stored_responses(
    snapshot: &mut PgConnection,
    members: &[i64],
) -> anyhow::Result<BTreeMap<(i64, String), OrderResponse>> {
    let mut rows = sqlx::query(
        "select member_id, request_id, answer from request where member_id = any($1) \
             and (kind is null or kind in ('place', 'cancel', 'modify'))",
    )
    .bind(members)
    .fetch(snapshot);
    let mut responses = BTreeMap::new();
    while let Some(row) = rows.try_next().await? {
        let bytes: Vec<u8> = row.try_get("answer")?;
        let response = match StoredReply::decode(&bytes)? {
            StoredReply::Reply(body) => {
                let reply: OrderReply = message(&body)?;
                match reply.order.as_ref().and_then(trading_client::view) {
                    Some(reply) => OrderResponse::Order(Box::new(reply)),
                    None => OrderResponse::Rejected("a response without an order".to_owned()),
                }
            }
            StoredReply::Rejection(stored) => OrderResponse::Rejected(stored.problem.reason),
        };
        responses.insert(
            (row.try_get("member_id")?, row.try_get("request_id")?),
            response,
        );
    }
    Ok(responses)
}

async fn orders(
    snapshot: &mut PgConnection,
    members: &[i64],
) -> anyhow::Result<BTreeMap<i64, StoredOrder>> {
    let mut rows = sqlx::query(
        "select id, status, end_reason, filled_quantity, coalesce(orig_order_id, 0) as replaced_id, \
         amount_won, fee_won, tax_won, order_amount_won \
         from trade_order where member_id = any($1) and status <> 'REJECTED'",
    )
    .bind(members)
    .fetch(snapshot);
    let mut orders = BTreeMap::new();
    while let Some(row) = rows.try_next().await? {
        let order = StoredOrder {
            status: row.try_get("status")?,
            end_reason: row.try_get("end_reason")?,
            filled: row.try_get("filled_quantity")?,
            replaced_id: row.try_get("replaced_id")?,
            charged: (
                row.try_get("amount_won")?,
                row.try_get("fee_won")?,
                row.try_get("tax_won")?,
            ),
            amount_won: row.try_get("order_amount_won")?,
        };
        orders.insert(row.try_get("id")?, order);
    }
    Ok(orders)
}
