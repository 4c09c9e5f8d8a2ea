//! The contracts of the members, their payments and payouts.

use std::collections::BTreeMap;

use sqlx::{PgConnection, Row};

use crate::acts::ActResults;

/// What the database has of a contract.
#[derive(Debug, PartialEq, Eq)]
struct Stored {
    paid_in: i64,
    payments: i64,
    payments_won: i64,
    /// On its account.
    won: i64,
    interest: i64,
    is_closed: bool,
}

pub(super) async fn check(
    snapshot: &mut PgConnection,
    results: &ActResults,
    members: &[i64],
) -> anyhow::Result<Vec<String>> {
    let mut stored = stored(snapshot, members).await?;
    let mut faults = Vec::new();
    let (mut open, mut closed) = (0, 0);
    for (member_id, wallet) in &results.wallets {
        for (number, contract) in &wallet.contracts {
            let is_closed = contract.payout.is_some();
            *(if is_closed { &mut closed } else { &mut open }) += 1;
            let expected = Stored {
                paid_in: contract.paid_in,
                payments: contract.payments,
                payments_won: contract.paid_in,
                won: if is_closed { 0 } else { contract.paid_in },
                interest: contract
                    .payout
                    .map_or(0, |payout| payout - contract.paid_in),
                is_closed,
            };
            let found = stored.remove(&(*member_id, number.clone()));
            if found.as_ref() != Some(&expected) {
                faults.push(format!(
                    "contract {number}: {found:?}, expected {expected:?}"
                ));
            }
        }
    }
    let untold = stored.into_keys();
    faults.extend(untold.map(|(_, number)| format!("no reply told of contract {number}")));
    println!(
        "checked: {open} open contracts, {closed} closed, {} differences",
        faults.len()
    );
    Ok(faults)
}

async fn stored(
    snapshot: &mut PgConnection,
    members: &[i64],
) -> anyhow::Result<BTreeMap<(i64, String), Stored>> {
    let rows = sqlx::query(
        "select a.member_id, a.account_no, c.paid_in_won, b.amount as won, \
           c.closed_on is not null and a.closed_at is not null as is_closed, p.payments, \
           p.payments_won, coalesce(i.interest, 0) as interest \
         from contract c join account a on a.id = c.account_id \
         join balance b on b.account_id = a.id and b.asset = 'KRW' \
         cross join lateral (select count(*) as payments, sum(amount_won)::bigint as payments_won \
           from contract_payment where account_id = a.id) p \
         cross join lateral (select sum(gross_won - income_tax_won - local_tax_won)::bigint as interest \
           from contract_interest where account_id = a.id) i \
         where a.member_id = any($1)",
    )
    .bind(members)
    .fetch_all(snapshot)
    .await?;
    let mut stored = BTreeMap::new();
    for row in rows {
        let contract = Stored {
            paid_in: row.try_get("paid_in_won")?,
            payments: row.try_get("payments")?,
            payments_won: row.try_get("payments_won")?,
            won: row.try_get("won")?,
            interest: row.try_get("interest")?,
            is_closed: row.try_get("is_closed")?,
        };
        stored.insert(
            (row.try_get("member_id")?, row.try_get("account_no")?),
            contract,
        );
    }
    Ok(stored)
}
