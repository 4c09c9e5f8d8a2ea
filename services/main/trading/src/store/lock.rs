//! Locks in the one global order (accounts by id ascending, holdings, orders) and what the locked
//! rows say.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{AccountId, MemberId, OrderId, Won};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, EntityTrait, QueryFilter,
    QueryOrder, QuerySelect, Select, SelectTwoRequired, Statement,
};

use super::queue_positions::read_queue_positions;
use crate::entity::{account, balance, hold, holding, trade_order};
use crate::orders::order::Order;

pub(crate) type Accounts = BTreeMap<AccountId, account::WithWon>;
/// Locked holdings by account and instrument.
pub(crate) type Holdings = BTreeMap<(AccountId, String), holding::Model>;

pub(crate) async fn accounts(
    transaction: &DatabaseTransaction,
    ids: &BTreeSet<AccountId>,
) -> Result<Accounts, DbErr> {
    if ids.is_empty() {
        return Ok(Accounts::new());
    }
    // Both rows are locked: of one that is only joined an old version might be read.
    let rows = in_order(ids).lock_exclusive().all(transaction).await?;
    Ok(by_id(rows))
}

/// The rows of accounts in the order in which they are locked.
pub(crate) fn in_order(
    ids: &BTreeSet<AccountId>,
) -> SelectTwoRequired<account::Entity, balance::Entity> {
    account::WithWon::find()
        .filter(account::Column::Id.eq_any(ids.iter().map(|id| id.0)))
        .order_by_asc(account::Column::Id)
}

/// Locked rows by the id of the account.
pub(crate) fn by_id(rows: Vec<(account::Model, balance::Model)>) -> Accounts {
    let rows = rows.into_iter();
    rows.map(|row| (row.0.id, row.into())).collect()
}

pub(crate) async fn holdings(
    transaction: &DatabaseTransaction,
    keys: &BTreeSet<(AccountId, String)>,
) -> Result<Holdings, DbErr> {
    if keys.is_empty() {
        return Ok(Holdings::new());
    }
    let accounts: BTreeSet<AccountId> = keys.iter().map(|(account, _)| *account).collect();
    let codes: BTreeSet<&str> = keys.iter().map(|(_, code)| code.as_str()).collect();
    let rows = holding::Entity::find()
        .filter(holding::Column::AccountId.eq_any(accounts.iter().map(|id| id.0)))
        .filter(holding::Column::InstrumentCode.eq_any(codes.into_iter().map(str::to_owned)))
        .order_by_asc(holding::Column::AccountId)
        .order_by_asc(holding::Column::InstrumentCode)
        .lock_exclusive()
        .all(transaction)
        .await?;
    let rows = rows.into_iter();
    Ok(rows
        .map(|row| ((row.account_id, row.instrument_code.clone()), row))
        .filter(|(key, _)| keys.contains(key))
        .collect())
}

/// Which of `ids` are open orders, locked.
pub(crate) async fn open_ids(
    transaction: &DatabaseTransaction,
    ids: &BTreeSet<OrderId>,
) -> Result<BTreeSet<OrderId>, DbErr> {
    if ids.is_empty() {
        return Ok(BTreeSet::new());
    }
    let rows: Vec<OrderId> = trade_order::Entity::find()
        .select_only()
        .column(trade_order::Column::Id)
        .filter(trade_order::Column::Id.eq_any(ids.iter().map(|id| id.0)))
        .filter(trade_order::is_open())
        .order_by_asc(trade_order::Column::Id)
        .lock_exclusive()
        .into_tuple()
        .all(transaction)
        .await?;
    Ok(rows.into_iter().collect())
}

/// Open orders among `ids`, locked, with their holds and queue positions.
pub(crate) async fn open_orders(
    transaction: &DatabaseTransaction,
    ids: &BTreeSet<OrderId>,
) -> Result<BTreeMap<OrderId, Order>, DbErr> {
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let these = trade_order::Entity::find()
        .filter(trade_order::Column::Id.eq_any(ids.iter().map(|id| id.0)));
    lock_open(transaction, these).await
}

/// All open orders of these members in some instruments, locked, admitted or new.
pub(crate) async fn open_orders_in(
    transaction: &DatabaseTransaction,
    members: &BTreeSet<MemberId>,
    codes: &[String],
) -> Result<BTreeMap<OrderId, Order>, DbErr> {
    if members.is_empty() || codes.is_empty() {
        return Ok(BTreeMap::new());
    }
    let these = trade_order::Entity::find()
        .filter(trade_order::Column::MemberId.eq_any(members.iter().map(|id| id.0)))
        .filter(trade_order::Column::InstrumentCode.eq_any(codes.iter().cloned()));
    lock_open(transaction, these).await
}

/// All open orders of these accounts of some members, locked, admitted or new.
pub(crate) async fn open_orders_of(
    transaction: &DatabaseTransaction,
    members: &BTreeSet<MemberId>,
    accounts: &BTreeSet<AccountId>,
) -> Result<BTreeMap<OrderId, Order>, DbErr> {
    let these = trade_order::Entity::find()
        .filter(trade_order::Column::MemberId.eq_any(members.iter().map(|id| id.0)))
        .filter(trade_order::Column::AccountId.eq_any(accounts.iter().map(|id| id.0)));
    lock_open(transaction, these).await
}

async fn lock_open(
    transaction: &DatabaseTransaction,
    these: Select<trade_order::Entity>,
) -> Result<BTreeMap<OrderId, Order>, DbErr> {
    let rows = these
        .filter(trade_order::is_open())
        .order_by_asc(trade_order::Column::Id)
        .lock_exclusive()
        .all(transaction)
        .await?;
    let mut orders = with_holds(transaction, rows).await?;
    read_queue_positions(transaction, &mut orders).await?;
    Ok(orders)
}

/// What these accounts own, locked.
pub(crate) async fn held_by(
    transaction: &DatabaseTransaction,
    accounts: &BTreeSet<AccountId>,
) -> Result<Vec<holding::Model>, DbErr> {
    holding::Entity::find()
        .filter(holding::Column::AccountId.eq_any(accounts.iter().map(|id| id.0)))
        .filter(holding::Column::Quantity.gt(rust_decimal::Decimal::ZERO))
        .order_by_asc(holding::Column::AccountId)
        .order_by_asc(holding::Column::InstrumentCode)
        .lock_exclusive()
        .all(transaction)
        .await
}

/// Orders of `rows` with the won of their holds.
pub(crate) async fn with_holds(
    connection: &impl ConnectionTrait,
    rows: Vec<trade_order::Model>,
) -> Result<BTreeMap<OrderId, Order>, DbErr> {
    let holds = hold::Entity::find()
        .filter(hold::Column::OrderId.eq_any(rows.iter().map(|row| row.id.0)))
        .all(connection)
        .await?;
    let held: BTreeMap<OrderId, Won> = holds
        .into_iter()
        .map(|hold| (hold.order_id, hold.amount_won))
        .collect();
    orders_holding(&held, &rows)
}

/// Orders of `rows` with the won held for each.
pub(crate) fn orders_holding(
    held: &BTreeMap<OrderId, Won>,
    rows: &[trade_order::Model],
) -> Result<BTreeMap<OrderId, Order>, DbErr> {
    rows.iter()
        .map(|row| {
            let amount = held.get(&row.id).copied().unwrap_or_default();
            Ok((row.id, row.to_order(amount)?))
        })
        .collect()
}

/// Holdings of `accounts` that a split of its trading day was applied to already.
pub(crate) async fn already_split(
    transaction: &DatabaseTransaction,
    accounts: &BTreeSet<AccountId>,
    splits: &BTreeMap<String, i32>,
) -> Result<BTreeSet<(AccountId, String)>, DbErr> {
    let mut already_split = BTreeSet::new();
    for (code, trading_day) in splits {
        let read = Statement::from_sql_and_values(
            DbBackend::Postgres,
            "select account_id from holding_split where instrument_code = $1 and trading_day = $2 \
             and account_id = any(string_to_array($3, ',')::bigint[])",
            [code.into(), (*trading_day).into(), list(accounts).into()],
        );
        for row in transaction.query_all_raw(read).await? {
            already_split.insert((row.try_get("", "account_id")?, code.clone()));
        }
    }
    Ok(already_split)
}

/// Newest fill number of each member, zero for a member without fills.
pub(crate) async fn member_sequences(
    transaction: &DatabaseTransaction,
    members: &BTreeSet<MemberId>,
) -> Result<BTreeMap<MemberId, i64>, DbErr> {
    let mut last: BTreeMap<MemberId, i64> = members.iter().map(|member| (*member, 0)).collect();
    if members.is_empty() {
        return Ok(last);
    }
    // A member with two accounts may fill in two shards at once, so the row is locked; it is made
    // first, because what does not exist cannot be locked.
    let list = list(members);
    let make = "insert into member_fill_seq (member_id, last_seq) \
                select unnest(string_to_array($1, ',')::bigint[]), 0 on conflict do nothing";
    let read = "select member_id, last_seq from member_fill_seq \
                where member_id = any(string_to_array($1, ',')::bigint[]) \
                order by member_id for update";
    transaction
        .execute_raw(Statement::from_sql_and_values(
            DbBackend::Postgres,
            make,
            [list.clone().into()],
        ))
        .await?;
    let rows = transaction
        .query_all_raw(Statement::from_sql_and_values(
            DbBackend::Postgres,
            read,
            [list.into()],
        ))
        .await?;
    for row in rows {
        last.insert(row.try_get("", "member_id")?, row.try_get("", "last_seq")?);
    }
    Ok(last)
}

fn list<I: ToString>(ids: impl IntoIterator<Item = I>) -> String {
    let ids: Vec<String> = ids.into_iter().map(|id| id.to_string()).collect();
    ids.join(",")
}
