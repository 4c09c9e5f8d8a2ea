//! Writing journals and what they do to balances, hundreds in one round trip.

use std::collections::{BTreeMap, BTreeSet};

use bootstrap::database;
use kernel::AccountId;
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, EntityTrait, Set, Statement,
};

use super::{Asset, Journal, JournalKind, Party, Posting};
use crate::entity::balance;
use crate::store::columns::CombinedWrites;

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
    #[error(transparent)]
    Database(DbErr),
}

/// By how much the part of a balance that open orders keep aside changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HoldChange {
    pub account: AccountId,
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

/// What an account has of an asset; zero without a balance.
///
/// # Errors
/// [`DbErr`] of the database.
pub async fn amount_of(
    connection: &impl ConnectionTrait,
    account: AccountId,
    asset: Asset,
) -> Result<i64, DbErr> {
    let id = (account, asset.as_str().to_owned());
    let row = balance::Entity::find_by_id(id).one(connection).await?;
    Ok(row.map_or(0, |row| row.amount))
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
    let posted = journals.iter().filter(|one| one.lines().next().is_some());
    let writes = CombinedWrites::new(posted.count() <= 1);
    post_with(transaction, journals, holds, writes).await
}

/// As [`post`], in one round trip with `writes`.
///
/// # Errors
/// [`LedgerError`]: nothing was written.
pub(crate) async fn post_with(
    transaction: &DatabaseTransaction,
    journals: &[Journal],
    holds: &[HoldChange],
    mut writes: CombinedWrites,
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
    write_journals(&posted, &mut writes);
    change_balances(transaction, changes(&posted, holds)?, writes).await
}

type Changes = BTreeMap<(AccountId, Asset), Change>;

async fn change_balances(
    transaction: &DatabaseTransaction,
    changes: Changes,
    writes: CombinedWrites,
) -> Result<(), LedgerError> {
    if changes.is_empty() {
        if let Some(statement) = writes.into_statement() {
            transaction.execute_raw(statement).await?;
        }
        return Ok(());
    }
    let changes: Vec<((AccountId, Asset), Change)> = changes.into_iter().collect();
    let rows = writes
        .columns(&changes)
        .add("account_id", |((account, _), _)| account.0)
        .text("asset", |((_, asset), _)| asset.as_str())
        .add("amount", |(_, change)| change.amount)
        .add("held", |(_, change)| change.held);
    // Both sums at once: a purchase takes what was held from the balance too.
    let statement = writes.into_counted(rows, |changes| {
        format!(
            "update balance b set amount = b.amount + d.amount, held = b.held + d.held \
             from {changes} where b.account_id = d.account_id and b.asset = d.asset"
        )
    });
    let wanted = u64::try_from(changes.len()).unwrap_or(u64::MAX);
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
fn changes(journals: &[&Journal], holds: &[HoldChange]) -> Result<Changes, LedgerError> {
    let mut changes = Changes::new();
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

fn write_journals(journals: &[&Journal], writes: &mut CombinedWrites) {
    let rows = writes
        .columns(journals)
        .add("id", |one| one.id)
        .text("kind", |one| one.kind.as_str())
        .text("source_type", |one| one.source.type_name())
        .add("source_id", |one| one.source.id())
        .add("occurred_at", |one| one.occurred_at);
    writes.insert("journal", rows);
    let lines = journals.iter().flat_map(|journal| {
        (1_i16..)
            .zip(journal.lines())
            .map(|line| (journal.id, line))
    });
    let lines: Vec<(i64, (i16, &Posting))> = lines.collect();
    let rows = writes
        .columns(&lines)
        .add("journal_id", |(journal, _)| *journal)
        .add("line", |(_, (line, _))| *line)
        .optional("account_id", |(_, (_, posting))| match posting.party {
            Party::Account(account) => Some(account.0),
            Party::Book(_) => None,
        })
        .optional("book", |(_, (_, posting))| match posting.party {
            Party::Account(_) => None,
            Party::Book(book) => Some(book.as_str().to_owned()),
        })
        .text("asset", |(_, (_, posting))| posting.asset.as_str())
        .add("amount", |(_, (_, posting))| posting.amount);
    writes.insert("entry", rows);
    let movements: Vec<(AccountId, i64)> = cash_movements(journals).into_iter().collect();
    let rows = writes
        .columns(&movements)
        .add("account_id", |(account, _)| account.0)
        .add("journal_id", |(_, journal)| *journal);
    writes.insert("cash_movement", rows);
}

/// Accounts whose won a journal moves without an order, which their history shows.
fn cash_movements(journals: &[&Journal]) -> BTreeSet<(AccountId, i64)> {
    let without_orders = journals
        .iter()
        .filter(|journal| journal.kind != JournalKind::OrderFilled);
    let lines = without_orders.flat_map(|journal| journal.lines().map(|line| (line, journal.id)));
    lines
        .filter_map(|(line, journal)| match line.party {
            Party::Account(account) if line.asset == Asset::Krw => Some((account, journal)),
            Party::Account(_) | Party::Book(_) => None,
        })
        .collect()
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
