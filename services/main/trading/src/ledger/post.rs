//! Writing journals and what they do to balances. Hand-written SQL, because a batch of ticks posts
//! hundreds of journals in one round trip.

use std::collections::BTreeMap;

use bootstrap::database;
use kernel::AccountId;
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, EntityTrait, Set, Statement, Value,
};

use super::{Asset, Journal, Party};
use crate::entity::balance;
use crate::store::columns::column;

/// Why nothing was posted. The transaction is of no more use, but for `Unbalanced`.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The postings of this journal do not sum to zero.
    #[error("postings of {kind} for {source_type} {source_id} do not sum to zero")]
    Unbalanced {
        /// What should have happened.
        kind: &'static str,
        /// For what kind of row.
        source_type: &'static str,
        /// For which one.
        source_id: String,
    },
    /// A journal of this kind and source exists.
    #[error("a journal of the same kind and source has been posted")]
    AlreadyPosted,
    /// A balance would fall below zero, or below what is held of it.
    #[error("a balance does not suffice")]
    Insufficient,
    /// An account has no balance of an asset.
    #[error("{missing} balances are not there")]
    NoBalance {
        /// How many.
        missing: u64,
    },
    /// The database failed.
    #[error(transparent)]
    Database(DbErr),
}

/// By how much the part of a balance that open orders keep aside changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HoldChange {
    /// Whose.
    pub account: AccountId,
    /// Of what.
    pub asset: Asset,
    /// In whole units of the asset; negative gives back.
    pub amount: i64,
}

/// What a balance gains, and what more of it is held.
#[derive(Clone, Copy, Default)]
struct Change {
    amount: i64,
    held: i64,
}

const JOURNALS: &str = "\
    with journals as ( \
        insert into journal (id, kind, source_type, source_id, season, occurred_at) \
        select * from unnest($5::bigint[], $6::text[], $7::text[], $8::text[], $9::int[], \
            $10::timestamptz[])), \
    entries as ( \
        insert into entry (journal_id, line, account_id, book, asset, amount) \
        select journal_id, line, nullif(account_id, 0), nullif(book, ''), asset, amount \
        from unnest($11::bigint[], $12::smallint[], $13::bigint[], $14::text[], $15::text[], \
            $16::bigint[]) as e(journal_id, line, account_id, book, asset, amount)) ";
// Both sums at once: a purchase takes what was held from the balance too.
const BALANCES: &str = "\
    update balance b set amount = b.amount + c.amount, held = b.held + c.held \
    from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[]) \
        as c(account_id, asset, amount, held) \
    where b.account_id = c.account_id and b.asset = c.asset";

/// Fresh numbers of journals.
///
/// # Errors
/// [`DbErr`] of the database.
pub async fn draw_ids(transaction: &DatabaseTransaction, count: usize) -> Result<Vec<i64>, DbErr> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let draw = Statement::from_sql_and_values(
        DbBackend::Postgres,
        "select nextval('journal_id_seq') as id from generate_series(1, $1)",
        [i64::try_from(count).unwrap_or(i64::MAX).into()],
    );
    let rows = transaction.query_all_raw(draw).await?;
    rows.iter().map(|row| row.try_get("", "id")).collect()
}

/// Gives an account a balance of nothing, if it has none of this asset.
///
/// # Errors
/// [`DbErr`] of the database.
pub async fn open_balance(
    transaction: &DatabaseTransaction,
    account: AccountId,
    asset: Asset,
) -> Result<(), DbErr> {
    let row = balance::ActiveModel {
        account_id: Set(account),
        asset: Set(asset.as_str().to_owned()),
        amount: Set(0),
        held: Set(0),
    };
    balance::Entity::insert(row)
        .on_conflict_do_nothing()
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}

/// Writes journals and changes the balances of their accounts, in one round trip. The rows of these
/// accounts must be locked, ascending.
///
/// # Errors
/// [`LedgerError`]: nothing was posted.
pub async fn post(
    transaction: &DatabaseTransaction,
    journals: &[Journal],
    holds: &[HoldChange],
) -> Result<(), LedgerError> {
    if let Some(unbalanced) = journals.iter().find(|journal| !journal.is_balanced()) {
        return Err(LedgerError::Unbalanced {
            kind: unbalanced.kind.as_str(),
            source_type: unbalanced.source.type_name(),
            source_id: unbalanced.source.id(),
        });
    }
    let posted = journals.iter().filter(|one| one.lines().next().is_some());
    let posted: Vec<&Journal> = posted.collect();
    let changes = changes(&posted, holds)?;
    let wanted = u64::try_from(changes.len()).unwrap_or(u64::MAX);
    if posted.is_empty() && changes.is_empty() {
        return Ok(());
    }
    let mut values = balance_columns(changes);
    let sql = if posted.is_empty() {
        BALANCES.to_owned()
    } else {
        values.extend(journal_columns(&posted));
        values.extend(entry_columns(&posted));
        format!("{JOURNALS}{BALANCES}")
    };
    let statement = Statement::from_sql_and_values(DbBackend::Postgres, sql, values);
    let changed = transaction.execute_raw(statement).await?.rows_affected();
    if changed == wanted {
        Ok(())
    } else {
        Err(LedgerError::NoBalance {
            missing: wanted.saturating_sub(changed),
        })
    }
}

/// One change for each balance, in the order in which rows are locked.
fn changes(
    journals: &[&Journal],
    holds: &[HoldChange],
) -> Result<BTreeMap<(AccountId, Asset), Change>, LedgerError> {
    let mut changes: BTreeMap<(AccountId, Asset), Change> = BTreeMap::new();
    let fits = |sum: Option<i64>| sum.ok_or(LedgerError::Insufficient);
    for posting in journals.iter().flat_map(|journal| journal.lines()) {
        if let Party::Account(account) = posting.party {
            let change = changes.entry((account, posting.asset)).or_default();
            change.amount = fits(change.amount.checked_add(posting.amount))?;
        }
    }
    for hold in holds {
        let change = changes.entry((hold.account, hold.asset)).or_default();
        change.held = fits(change.held.checked_add(hold.amount))?;
    }
    changes.retain(|_, change| change.amount != 0 || change.held != 0);
    Ok(changes)
}

fn balance_columns(changes: BTreeMap<(AccountId, Asset), Change>) -> Vec<Value> {
    let (keys, changes): (Vec<_>, Vec<_>) = changes.into_iter().unzip();
    vec![
        column(&keys, |(account, _)| account.0),
        column(&keys, |(_, asset)| asset.as_str().to_owned()),
        column(&changes, |change| change.amount),
        column(&changes, |change| change.held),
    ]
}

fn journal_columns(journals: &[&Journal]) -> [Value; 6] {
    [
        column(journals, |one| one.id),
        column(journals, |one| one.kind.as_str().to_owned()),
        column(journals, |one| one.source.type_name().to_owned()),
        column(journals, |one| one.source.id()),
        column(journals, |one| one.season),
        column(journals, |one| one.occurred_at),
    ]
}

fn entry_columns(journals: &[&Journal]) -> [Value; 6] {
    let lines = journals.iter().flat_map(|journal| {
        (1_i16..)
            .zip(journal.lines())
            .map(|line| (journal.id, line))
    });
    let lines: Vec<_> = lines.collect();
    [
        column(&lines, |(journal, _)| *journal),
        column(&lines, |(_, (line, _))| *line),
        column(&lines, |(_, (_, posting))| match posting.party {
            Party::Account(account) => account.0,
            Party::Book(_) => 0,
        }),
        column(&lines, |(_, (_, posting))| match posting.party {
            Party::Account(_) => String::new(),
            Party::Book(book) => book.as_str().to_owned(),
        }),
        column(&lines, |(_, (_, posting))| {
            posting.asset.as_str().to_owned()
        }),
        column(&lines, |(_, (_, posting))| posting.amount),
    ]
}

impl From<DbErr> for LedgerError {
    fn from(error: DbErr) -> Self {
        match database::constraint(&error) {
            Some("journal_once") => Self::AlreadyPosted,
            Some("balance_not_negative" | "balance_held_within_amount") => Self::Insufficient,
            _ => Self::Database(error),
        }
    }
}
