//! What members own, what was sold, and the freezes that education delivered.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use sqlx::{PgConnection, PgPool};

use crate::acts::ActResults;
use crate::acts::shop::{FREEZE, LIMITED, STOCK};

/// Allows for relays and consumers that were killed.
const TIMEOUT: Duration = Duration::from_secs(120);
const PAUSE: Duration = Duration::from_millis(500);

/// Count of each item, by member.
type Owned = BTreeMap<(i64, i64), i64>;

pub(super) async fn check(
    snapshot: &mut PgConnection,
    results: &ActResults,
    members: &[i64],
) -> anyhow::Result<Vec<String>> {
    let rows: Vec<(i64, i64, i64)> = sqlx::query_as(
        "select a.member_id, m.item_id, m.quantity::bigint from member_item m \
         join account a on a.id = m.account_id where a.member_id = any($1) and m.quantity > 0",
    )
    .bind(members)
    .fetch_all(&mut *snapshot)
    .await?;
    let owned: Owned = rows
        .into_iter()
        .map(|(member, item, count)| ((member, item), count))
        .collect();
    let expected = expected(results, |_| true);
    let mut faults = differences("items of", &owned, &expected);
    let (spent, refunded): (i64, i64) = sqlx::query_as(
        "select coalesce(sum(spent), 0)::bigint, count(*) filter (where status <> 'COMPLETED') \
         from purchase p join account a on a.id = p.account_id where a.member_id = any($1)",
    )
    .bind(members)
    .fetch_one(&mut *snapshot)
    .await?;
    let paid: i64 = results
        .wallets
        .values()
        .map(|wallet| wallet.paid_for_items)
        .sum();
    if (spent, refunded) != (paid, 0) {
        faults.push(format!(
            "{spent} won spent on items, {refunded} refunds, expected {paid}"
        ));
    }
    let sold: i64 = sqlx::query_scalar("select sold from item where id = $1")
        .bind(LIMITED)
        .fetch_one(&mut *snapshot)
        .await?;
    let of_run: i64 = results
        .wallets
        .values()
        .map(|wallet| wallet.owned(LIMITED))
        .sum();
    let is_sold_out = results.refusals.contains_key("SOLD_OUT");
    let is_wrong = sold - results.sold_before != of_run || is_sold_out && of_run != STOCK;
    if is_wrong || of_run > STOCK {
        faults.push(format!(
            "of {STOCK} frames {of_run} were bought, {} noted, sold out: {is_sold_out}",
            sold - results.sold_before
        ));
    }
    println!(
        "checked: {} items owned for {paid} won, {of_run} of {STOCK} limited ones",
        expected.values().sum::<i64>()
    );
    Ok(faults)
}

fn expected(results: &ActResults, counts: impl Fn(i64) -> bool) -> Owned {
    let mut owned = Owned::new();
    for (member, wallet) in &results.wallets {
        for (item, count) in wallet.items.iter().filter(|(item, _)| counts(**item)) {
            owned.insert((*member, *item), *count);
        }
    }
    owned
}

fn differences(what: &str, found: &Owned, expected: &Owned) -> Vec<String> {
    let mut faults = Vec::new();
    for key in found.keys().chain(expected.keys()) {
        let (has, wanted) = (found.get(key), expected.get(key));
        if has != wanted {
            faults.push(format!("{what} {key:?}: {has:?}, expected {wanted:?}"));
        }
    }
    faults.dedup();
    faults
}

/// Waits until education holds every freeze that was bought, and trading knows.
pub(crate) async fn delivered(
    trading: &PgPool,
    education: &PgPool,
    results: &ActResults,
) -> anyhow::Result<Vec<String>> {
    let members: Vec<i64> = results.wallets.keys().copied().collect();
    let bought = expected(results, |item| item == FREEZE);
    let began = Instant::now();
    loop {
        let held = held(education, &members).await?;
        let open: i64 = sqlx::query_scalar(
            "select count(*) from purchase p join account a on a.id = p.account_id \
             where a.member_id = any($1) and p.item_id = $2 and p.delivered_at is null",
        )
        .bind(&members)
        .bind(FREEZE)
        .fetch_one(trading)
        .await?;
        let mut faults = differences("freezes of", &held, &bought);
        if open > 0 {
            faults.push(format!("{open} purchases of freezes are not delivered"));
        }
        if faults.is_empty() || began.elapsed() > TIMEOUT {
            println!(
                "checked: {} freezes delivered after {} ms",
                held.values().sum::<i64>(),
                began.elapsed().as_millis()
            );
            return Ok(faults);
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn held(education: &PgPool, members: &[i64]) -> Result<Owned, sqlx::Error> {
    let rows: Vec<(i64, i64)> = sqlx::query_as(
        "select member_id, sum(quantity)::bigint from freeze_purchase \
         where member_id = any($1) and not is_refused group by 1",
    )
    .bind(members)
    .fetch_all(education)
    .await?;
    let held = rows.into_iter();
    Ok(held
        .map(|(member, count)| ((member, FREEZE), count))
        .collect())
}
