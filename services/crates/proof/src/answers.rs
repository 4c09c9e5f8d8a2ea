//! Compares what the clients were told with what the database says.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::TryStreamExt;
use rust_decimal::Decimal;
use sqlx::{PgConnection, Row};
use trading::store::stored_reply::StoredReply;

use crate::inside;
use crate::told::Told;
use crate::wish::{Answer, Reply};

/// An order as the database has it.
struct Stored {
    status: String,
    end_reason: String,
    filled: Decimal,
    replaced_id: i64,
    booked: (i64, i64, i64),
}

/// Every difference, as a sentence. `snapshot` is one moment of the database, as orders fill meanwhile.
pub(crate) async fn check(
    snapshot: &mut PgConnection,
    told: &Told,
    members: &[i64],
) -> anyhow::Result<Vec<String>> {
    let answers = stored_answers(snapshot, members).await?;
    let orders = orders(snapshot, members).await?;
    let mut faults = Vec::new();
    let mut acknowledged = BTreeSet::new();
    for (key, answer) in &told.answers {
        let fault = match (answer, answers.get(key)) {
            (Answer::Done(reply), Some(kept)) if answer == kept => {
                acknowledged.insert(reply.order_id);
                contradiction(reply, &orders)
            }
            (Answer::Refused(_), Some(kept)) if answer == kept => None,
            // Malformed: nothing was to be stored.
            (Answer::Refused(_), None) => None,
            (answer, kept) => Some(format!("told {answer:?}, stored {kept:?}")),
        };
        faults.extend(fault.map(|fault| format!("{key:?}: {fault}")));
    }
    // An order whose client gave up is reported as unresolved, not here.
    if told.unresolved.is_empty() {
        let unknown = orders.keys().filter(|id| !acknowledged.contains(id));
        faults.extend(unknown.map(|id| format!("order {id} exists, but nobody was told of it")));
    }
    for order_id in &told.ended_alone {
        let alone = orders.get(order_id).is_some_and(|order| {
            ["CANCELED", "EXPIRED"].contains(&order.status.as_str())
                && order.end_reason != "CANCELED_BY_MEMBER"
        });
        if !alone {
            faults.push(format!(
                "order {order_id} was said to be over, and nothing ended it"
            ));
        }
    }
    println!(
        "checked: {} answers, {} orders, {} orders over by themselves, {} differences",
        told.answers.len(),
        orders.len(),
        told.ended_alone.len(),
        faults.len()
    );
    faults.extend(previews(snapshot, told, &orders).await?);
    Ok(faults)
}

/// What a close in the middle of it must have done.
pub(crate) async fn closed(
    snapshot: &mut PgConnection,
    members: &[i64],
) -> anyhow::Result<Option<String>> {
    let (ended, divided): (i64, i64) = sqlx::query_as(
        "select count(distinct o.id) filter (where e.reason = 'SESSION_ENDED'), \
           count(distinct o.id) filter (where e.reason = 'SHARE_SPLIT') \
         from trade_order o join order_event e on e.order_id = o.id where o.member_id = any($1)",
    )
    .bind(members)
    .fetch_one(snapshot)
    .await?;
    println!("done: the close ended {ended} orders, splits divided {divided} that waited");
    Ok((ended == 0).then(|| "the close ended no order".to_owned()))
}

/// What the reply says of an order against what became of it.
fn contradiction(reply: &Reply, orders: &BTreeMap<i64, Stored>) -> Option<String> {
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

/// Orders that filled as a whole at the price they were previewed for cost what was shown.
async fn previews(
    snapshot: &mut PgConnection,
    told: &Told,
    orders: &BTreeMap<i64, Stored>,
) -> anyhow::Result<Vec<String>> {
    let ids: Vec<i64> = told.previews.iter().map(|shown| shown.order_id).collect();
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
    for shown in &told.previews {
        let (Some(fx_rate), Some(order)) = (
            as_previewed.get(&shown.order_id),
            orders.get(&shown.order_id),
        ) else {
            continue;
        };
        if *fx_rate != shown.cost.fx_rate {
            continue;
        }
        compared += 1;
        let cost = (
            shown.cost.amount_won,
            shown.cost.fee_won,
            shown.cost.tax_won,
        );
        if cost != order.booked {
            faults.push(format!(
                "order {}: shown {cost:?}, booked {:?}",
                shown.order_id, order.booked
            ));
        }
    }
    println!(
        "checked: {} previews, {compared} of orders that filled at that price, {} differences",
        told.previews.len(),
        faults.len()
    );
    Ok(faults)
}

async fn stored_answers(
    snapshot: &mut PgConnection,
    members: &[i64],
) -> anyhow::Result<BTreeMap<(i64, String), Answer>> {
    let mut rows =
        sqlx::query("select member_id, request_id, answer from request where member_id = any($1)")
            .bind(members)
            .fetch(snapshot);
    let mut answers = BTreeMap::new();
    while let Some(row) = rows.try_next().await? {
        let bytes: Vec<u8> = row.try_get("answer")?;
        let answer = match StoredReply::decode(&bytes)? {
            StoredReply::Reply(reply) => match reply.order.as_ref().and_then(inside::read) {
                Some(reply) => Answer::Done(Box::new(reply)),
                None => Answer::Refused("an answer without an order".to_owned()),
            },
            StoredReply::Rejection(stored) => Answer::Refused(stored.problem.reason),
        };
        answers.insert(
            (row.try_get("member_id")?, row.try_get("request_id")?),
            answer,
        );
    }
    Ok(answers)
}

async fn orders(
    snapshot: &mut PgConnection,
    members: &[i64],
) -> anyhow::Result<BTreeMap<i64, Stored>> {
    let mut rows = sqlx::query(
        "select id, status, end_reason, filled_quantity, coalesce(orig_order_id, 0) as replaced_id, \
         amount_won, fee_won, tax_won \
         from trade_order where member_id = any($1) and status <> 'REJECTED'",
    )
    .bind(members)
    .fetch(snapshot);
    let mut orders = BTreeMap::new();
    while let Some(row) = rows.try_next().await? {
        let order = Stored {
            status: row.try_get("status")?,
            end_reason: row.try_get("end_reason")?,
            filled: row.try_get("filled_quantity")?,
            replaced_id: row.try_get("replaced_id")?,
            booked: (
                row.try_get("amount_won")?,
                row.try_get("fee_won")?,
                row.try_get("tax_won")?,
            ),
        };
        orders.insert(row.try_get("id")?, order);
    }
    Ok(orders)
}
