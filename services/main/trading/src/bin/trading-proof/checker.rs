//! Compares what the clients were told with what the database says.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::TryStreamExt;
use sqlx::{PgPool, Row};
use trading::store::answer::StoredAnswer;

use crate::client::{Answer, Told};

/// Prints every difference and answers how many there are.
pub(crate) async fn check(
    pool: &PgPool,
    told: &Told,
    first_member: u64,
    members: u64,
) -> anyhow::Result<usize> {
    let from = i64::try_from(first_member)?;
    let until = i64::try_from(first_member.saturating_add(members))?;
    let stored = stored_answers(pool, from, until).await?;
    let orders = order_ids(pool, from, until).await?;
    let mut faults = usize::try_from(told.contradictions)?;
    let mut acknowledged = BTreeSet::new();
    for (key, answer) in &told.answers {
        let fault = match (answer, stored.get(key)) {
            (Answer::Done { order_id }, Some(Answer::Done { order_id: kept })) => {
                acknowledged.insert(*order_id);
                if order_id != kept {
                    Some(format!("told order {order_id}, stored {kept}"))
                } else if !orders.contains(order_id) {
                    Some(format!("order {order_id} is missing"))
                } else {
                    None
                }
            }
            (Answer::Refused { reason }, Some(Answer::Refused { reason: kept })) => {
                (reason != kept).then(|| format!("told {reason}, stored {kept}"))
            }
            // A key that was used for something else, or malformed: nothing was to be stored.
            (Answer::Refused { .. }, None) => None,
            (answer, kept) => Some(format!("told {answer:?}, stored {kept:?}")),
        };
        if let Some(fault) = fault {
            faults += 1;
            println!("acknowledged {key:?}: {fault}");
        }
    }
    for order_id in orders.difference(&acknowledged) {
        // An order whose client gave up is reported as unresolved, not here.
        if told.unresolved.is_empty() {
            faults += 1;
            println!("order {order_id} exists, but nobody was told of it");
        }
    }
    println!(
        "checked: {} answers, {} orders, {faults} differences",
        told.answers.len(),
        orders.len()
    );
    Ok(faults)
}

async fn stored_answers(
    pool: &PgPool,
    from: i64,
    until: i64,
) -> anyhow::Result<BTreeMap<(i64, String), Answer>> {
    let mut rows = sqlx::query(
        "select member_id, request_id, answer from request where member_id >= $1 and member_id < $2",
    )
    .bind(from)
    .bind(until)
    .fetch(pool);
    let mut answers = BTreeMap::new();
    while let Some(row) = rows.try_next().await? {
        let bytes: Vec<u8> = row.try_get("answer")?;
        let answer = match StoredAnswer::decode(&bytes)? {
            StoredAnswer::Reply(reply) => Answer::Done {
                order_id: reply.order.map_or(0, |order| order.order_id),
            },
            StoredAnswer::Refusal(stored) => Answer::Refused {
                reason: stored.problem.reason,
            },
        };
        answers.insert(
            (row.try_get("member_id")?, row.try_get("request_id")?),
            answer,
        );
    }
    Ok(answers)
}

async fn order_ids(pool: &PgPool, from: i64, until: i64) -> anyhow::Result<BTreeSet<i64>> {
    let ids: Vec<i64> = sqlx::query_scalar(
        "select id from trade_order where member_id >= $1 and member_id < $2 and status <> 'REJECTED'",
    )
    .bind(from)
    .bind(until)
    .fetch_all(pool)
    .await?;
    Ok(ids.into_iter().collect())
}
