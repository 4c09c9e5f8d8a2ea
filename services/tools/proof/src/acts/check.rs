//! Compares what the acts left with the database.

mod competitions;
mod contracts;
mod items;

use std::collections::BTreeMap;

pub(crate) use competitions::orders as competing_orders;
pub(crate) use items::delivered;

use sqlx::{PgConnection, Row};

use super::{ActResponse, ActResults, BASIC, SUB_ACCOUNTS, Wallet, stored};

const KINDS: [&str; 6] = [
    "TRANSFERRED",
    "ITEM_BOUGHT",
    "ITEM_REFUNDED",
    "CONTRACT_OPENED",
    "CONTRACT_PAID",
    "CONTRACT_CLOSED",
];
const NOT_EMPTY: &str = "ACCOUNT_NOT_EMPTY";

struct Account {
    code: String,
    is_closed: bool,
    season: i32,
    won: i64,
    /// Net of tax, from nights.
    interest_won: i64,
    /// Net won that acts moved.
    acted_won: i64,
}

/// Returns each difference as a sentence. `snapshot` is one point in time.
pub(crate) async fn check(
    snapshot: &mut PgConnection,
    results: &ActResults,
) -> anyhow::Result<Vec<String>> {
    let members: Vec<i64> = results.wallets.keys().copied().collect();
    let mut faults = responses(snapshot, results, &members).await?;
    let mut of_member = accounts(snapshot, &members).await?;
    let mut compared = 0;
    for (member_id, wallet) in &results.wallets {
        let accounts = of_member.remove(member_id).unwrap_or_default();
        compared += accounts.len();
        let differences = wallet.differences(&accounts);
        faults.extend(differences.map(|fault| format!("member {member_id}: {fault}")));
    }
    faults.extend(transfers(snapshot, results, &members).await?);
    faults.extend(items::check(snapshot, results, &members).await?);
    faults.extend(contracts::check(snapshot, results, &members).await?);
    faults.extend(competitions::check(snapshot, results, &members).await?);
    faults.extend(whole_ledger(snapshot).await?);
    println!(
        "checked: {} acts, {compared} accounts of {} members, {} differences",
        results.responses.len(),
        members.len(),
        faults.len()
    );
    Ok(faults)
}

/// Each response is the stored reply, and no reply is stored that nobody received.
async fn responses(
    snapshot: &mut PgConnection,
    results: &ActResults,
    members: &[i64],
) -> anyhow::Result<Vec<String>> {
    let mut stored = stored::responses(snapshot, members).await?;
    let mut faults = Vec::new();
    for (key, response) in &results.responses {
        match (response, stored.remove(key)) {
            (_, Some(stored)) if stored == *response => {}
            // What cannot be found is not stored.
            (ActResponse::Refused(reason), None) if reason == "ACCOUNT_FORBIDDEN" => {}
            (_, stored) => {
                faults.push(format!("{key:?}: received {response:?}, stored {stored:?}"));
            }
        }
    }
    // A client does not keep that an empty CMA cannot be closed yet, which is not always stored.
    let is_kept = |stored: &ActResponse| *stored != ActResponse::Refused(NOT_EMPTY.to_owned());
    for (key, stored) in stored.into_iter().filter(|(_, stored)| is_kept(stored)) {
        faults.push(format!("{key:?}: nobody received {stored:?}"));
    }
    Ok(faults)
}

impl Wallet {
    fn differences(&self, accounts: &BTreeMap<String, Account>) -> impl Iterator<Item = String> {
        let mut faults = Vec::new();
        for (number, account) in accounts {
            let code = account.code.as_str();
            if code == BASIC {
                // With a season also the interest of its CMA accounts moves.
                let ended = accounts
                    .iter()
                    .filter(|(other, _)| self.ended.contains(*other));
                let interest: i64 = ended.map(|(_, other)| other.interest_won).sum();
                let expected = self.basic_won + interest;
                if account.season != self.season() {
                    faults.push(format!(
                        "{number} is in season {} instead of {}",
                        account.season,
                        self.season()
                    ));
                }
                if account.acted_won != expected {
                    let moved = account.acted_won;
                    faults.push(format!(
                        "acts moved {moved} to {number}, expected {expected}"
                    ));
                }
                continue;
            }
            if !SUB_ACCOUNTS.contains(&code) {
                continue;
            }
            if self.ended.contains(number) {
                if (account.won, account.is_closed) != (0, true)
                    || account.acted_won != -account.interest_won
                {
                    faults.push(format!("{number} did not end with its season"));
                }
                continue;
            }
            let open = self.sub_accounts.get(code);
            let open = open.filter(|open| open.number == *number);
            let expected = match (open, self.closed.get(number)) {
                (Some(open), None) => (false, open.won),
                (None, Some(won)) => (true, *won),
                (_, _) => {
                    faults.push(format!("no reply told of {number}"));
                    continue;
                }
            };
            let won = account.won - account.interest_won;
            if expected != (account.is_closed, won) || account.acted_won != won {
                faults.push(format!(
                    "{number} has {} with {} of interest and is closed: {}, expected {expected:?}",
                    account.won, account.interest_won, account.is_closed
                ));
            }
        }
        let known = self.sub_accounts.values().map(|open| &open.number);
        for number in known.chain(self.closed.keys()).chain(&self.ended) {
            if !accounts.contains_key(number) {
                faults.push(format!("{number} is missing"));
            }
        }
        faults.into_iter()
    }
}

/// By member and number.
async fn accounts(
    snapshot: &mut PgConnection,
    members: &[i64],
) -> anyhow::Result<BTreeMap<i64, BTreeMap<String, Account>>> {
    let rows = sqlx::query(
        "select a.member_id, a.account_no, a.code, a.closed_at is not null as is_closed, a.season, b.amount, \
           coalesce((select sum(gross_won - income_tax_won - local_tax_won)::bigint \
             from cma_interest where account_id = a.id), 0) as interest_won, \
           coalesce((select sum(e.amount)::bigint from entry e join journal j on j.id = e.journal_id \
             where e.account_id = a.id and e.asset = 'KRW' and j.kind = any($2)), 0) as acted_won \
         from account a join balance b on b.account_id = a.id and b.asset = 'KRW' \
         where a.member_id = any($1)",
    )
    .bind(members)
    .bind(KINDS.as_slice())
    .fetch_all(snapshot)
    .await?;
    let mut accounts: BTreeMap<i64, BTreeMap<String, Account>> = BTreeMap::new();
    for row in rows {
        let account = Account {
            code: row.try_get("code")?,
            is_closed: row.try_get("is_closed")?,
            season: row.try_get("season")?,
            won: row.try_get("amount")?,
            interest_won: row.try_get("interest_won")?,
            acted_won: row.try_get("acted_won")?,
        };
        let of_member = accounts.entry(row.try_get("member_id")?).or_default();
        of_member.insert(row.try_get("account_no")?, account);
    }
    Ok(accounts)
}

async fn transfers(
    snapshot: &mut PgConnection,
    results: &ActResults,
    members: &[i64],
) -> anyhow::Result<Option<String>> {
    // Those without a request are of a season that has ended.
    let stored: i64 = sqlx::query_scalar(
        "select count(*) from transfer where member_id = any($1) and request_id <> ''",
    )
    .bind(members)
    .fetch_one(snapshot)
    .await?;
    let expected: u64 = results
        .wallets
        .values()
        .map(|wallet| wallet.transfers)
        .sum();
    Ok((u64::try_from(stored) != Ok(expected))
        .then(|| format!("{stored} transfers, expected {expected}")))
}

/// No won were created or lost: all entries cancel, and the accounts have what their entries say.
pub(crate) async fn whole_ledger(snapshot: &mut PgConnection) -> anyhow::Result<Option<String>> {
    let (all, of_accounts, balances): (i64, i64, i64) = sqlx::query_as(
        "select sum(amount)::bigint, (sum(amount) filter (where account_id is not null))::bigint, \
           (select sum(amount)::bigint from balance where asset = 'KRW') \
         from entry where asset = 'KRW'",
    )
    .fetch_one(snapshot)
    .await?;
    println!("checked: {balances} won on all accounts, entries sum to {all}");
    Ok((all != 0 || of_accounts != balances).then(|| {
        format!("entries sum to {all}, those of accounts to {of_accounts}, balances to {balances}")
    }))
}
