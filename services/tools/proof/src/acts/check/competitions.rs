//! The competitions of the members: their entries, the leagues they made, and the accounts of their
//! orders.

use std::collections::BTreeMap;

use sqlx::{PgConnection, Row};

use crate::acts::ActResults;
use crate::results::CompetingOrder;

struct Stored {
    number: String,
    account_id: i64,
    cash_won: i64,
    has_left: bool,
    is_practice: bool,
}

pub(super) async fn check(
    snapshot: &mut PgConnection,
    results: &ActResults,
    members: &[i64],
) -> anyhow::Result<Vec<String>> {
    let mut stored = entries(snapshot, members).await?;
    let mut faults = Vec::new();
    let (mut entered, mut left, mut resets) = (0, 0, 0);
    for (member_id, wallet) in &results.wallets {
        resets += wallet.resets;
        for (competition_id, entry) in &wallet.entries {
            entered += 1;
            left += u64::from(entry.has_left);
            let is_right = stored
                .remove(&(*member_id, *competition_id))
                .is_some_and(|found| {
                    entry.number.as_ref().is_none_or(|it| *it == found.number)
                        && entry.account_id.is_none_or(|id| id == found.account_id)
                        && found.cash_won == entry.cash_won
                        && found.has_left == entry.has_left
                });
            if !is_right {
                faults.push(format!(
                    "member {member_id} is otherwise in competition {competition_id}: {entry:?}"
                ));
            }
        }
    }
    // A call that turns the mode on may come late, without anybody waiting for its reply.
    let untold = stored.into_iter().filter(|(_, found)| !found.is_practice);
    faults.extend(untold.map(|((member, id), _)| format!("no reply told of {member} in {id}")));
    let leagues: i64 =
        sqlx::query_scalar("select count(*) from competition where host_member_id = any($1)")
            .bind(members)
            .fetch_one(snapshot)
            .await?;
    let expected: u32 = results.wallets.values().map(|wallet| wallet.leagues).sum();
    if leagues != i64::from(expected) {
        faults.push(format!("{leagues} leagues, expected {expected}"));
    }
    println!(
        "checked: {entered} entries in competitions, {left} left, {leagues} leagues, {resets} resets, {} differences",
        faults.len()
    );
    Ok(faults)
}

/// The stored entries by member and event.
async fn entries(
    snapshot: &mut PgConnection,
    members: &[i64],
) -> anyhow::Result<BTreeMap<(i64, i64), Stored>> {
    let rows = sqlx::query(
        "select e.member_id, e.competition_id, e.left_at is not null as has_left, a.id, \
           a.account_no, a.initial_deposit_won, c.kind = 'PRACTICE' as is_practice \
         from competition_entry e join account a on a.id = e.account_id and a.code = '99' \
         join competition c on c.id = e.competition_id \
         where e.member_id = any($1)",
    )
    .bind(members)
    .fetch_all(snapshot)
    .await?;
    let rows = rows.iter().map(|row| {
        let stored = Stored {
            number: row.try_get("account_no")?,
            account_id: row.try_get("id")?,
            cash_won: row.try_get("initial_deposit_won")?,
            has_left: row.try_get("has_left")?,
            is_practice: row.try_get("is_practice")?,
        };
        let key = (row.try_get("member_id")?, row.try_get("competition_id")?);
        Ok((key, stored))
    });
    rows.collect()
}

/// Orders are of a competition where their member competed, and of no competition elsewhere.
pub(crate) async fn orders(
    snapshot: &mut PgConnection,
    competing: &BTreeMap<i64, CompetingOrder>,
    members: &[i64],
) -> anyhow::Result<Vec<String>> {
    let rows = sqlx::query(
        "select o.id, o.orig_order_id, o.member_id, o.status, a.id as account_id, a.code \
         from trade_order o join account a on a.id = o.account_id \
         where o.member_id = any($1) and (a.code = '99' or o.id = any($2)) order by o.id",
    )
    .bind(members)
    .bind(competing.keys().copied().collect::<Vec<i64>>())
    .fetch_all(snapshot)
    .await?;
    let mut faults = Vec::new();
    // A modification outlives the mode, and keeps the account.
    let mut accounts: BTreeMap<i64, i64> = BTreeMap::new();
    let mut found = 0;
    for row in rows {
        let id: i64 = row.try_get("id")?;
        let account_id: i64 = row.try_get("account_id")?;
        let replaced: Option<i64> = row.try_get("orig_order_id")?;
        accounts.insert(id, account_id);
        let is_right = match (competing.get(&id), replaced) {
            (_, Some(replaced)) => accounts.get(&replaced) == Some(&account_id),
            (Some(order), None) => {
                found += 1;
                order.member_id == row.try_get::<i64, _>("member_id")?
                    && row.try_get::<&str, _>("code")? == "99"
                    && (!order.is_chosen || order.account_id == account_id)
            }
            // A rejected order is in no response.
            (None, None) => row.try_get::<&str, _>("status")? == "REJECTED",
        };
        if !is_right {
            faults.push(format!("order {id} is of account {account_id}"));
        }
    }
    println!(
        "checked: {found} orders in competitions, {} differences",
        faults.len()
    );
    Ok(faults)
}
