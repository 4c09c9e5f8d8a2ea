//! Locks in the one global order (accounts by id ascending, holdings, orders) and what the locked
//! rows say.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{AccountId, MemberId, OrderId, Won};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, EntityTrait,
    QueryFilter, QueryOrder, QuerySelect, Statement,
};

use super::waiting;
use crate::domain::order::Order;
use crate::entity::{account, hold, holding, trade_order};

/// Locked accounts by id.
pub(super) type Accounts = BTreeMap<AccountId, account::Model>;
/// Locked holdings by account and instrument.
pub(super) type Holdings = BTreeMap<(AccountId, String), holding::Model>;

pub(super) async fn accounts(
    transaction: &DatabaseTransaction,
    ids: &BTreeSet<AccountId>,
) -> Result<Accounts, DbErr> {
    if ids.is_empty() {
        return Ok(Accounts::new());
    }
    // One list for any number of accounts: the statement stays the same, and prepared.
    let list: Vec<String> = ids.iter().map(ToString::to_string).collect();
    let among = Expr::cust_with_values(
        "account.id = any(string_to_array($1, ',')::bigint[])",
        [list.join(",")],
    );
    let rows = account::Entity::find()
        .filter(among)
        .order_by_asc(account::Column::Id)
        .lock_exclusive()
        .all(transaction)
        .await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

pub(super) async fn holdings(
    transaction: &DatabaseTransaction,
    keys: &BTreeSet<(AccountId, String)>,
) -> Result<Holdings, DbErr> {
    if keys.is_empty() {
        return Ok(Holdings::new());
    }
    let accounts: BTreeSet<AccountId> = keys.iter().map(|(account, _)| *account).collect();
    let codes: BTreeSet<&str> = keys.iter().map(|(_, code)| code.as_str()).collect();
    let rows = holding::Entity::find()
        .filter(holding::Column::AccountId.is_in(accounts))
        .filter(holding::Column::InstrumentCode.is_in(codes))
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
pub(super) async fn open_ids(
    transaction: &DatabaseTransaction,
    ids: &BTreeSet<OrderId>,
) -> Result<BTreeSet<OrderId>, DbErr> {
    if ids.is_empty() {
        return Ok(BTreeSet::new());
    }
    let rows: Vec<OrderId> = trade_order::Entity::find()
        .select_only()
        .column(trade_order::Column::Id)
        .filter(trade_order::Column::Id.is_in(ids.iter().copied()))
        .filter(trade_order::is_open())
        .order_by_asc(trade_order::Column::Id)
        .lock_exclusive()
        .into_tuple()
        .all(transaction)
        .await?;
    Ok(rows.into_iter().collect())
}

/// Open orders among `ids`, with what they hold and what was learned of them. Orders that are final are not in the answer.
pub(super) async fn open_orders(
    transaction: &DatabaseTransaction,
    ids: &BTreeSet<OrderId>,
) -> Result<BTreeMap<OrderId, Order>, DbErr> {
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let rows = trade_order::Entity::find()
        .filter(trade_order::Column::Id.is_in(ids.iter().copied()))
        .filter(trade_order::is_open())
        .order_by_asc(trade_order::Column::Id)
        .lock_exclusive()
        .all(transaction)
        .await?;
    let mut orders = with_holds(transaction, rows).await?;
    waiting::place(transaction, &mut orders).await?;
    Ok(orders)
}

/// Brings orders and their holds together.
pub(super) async fn with_holds(
    connection: &impl ConnectionTrait,
    rows: Vec<trade_order::Model>,
) -> Result<BTreeMap<OrderId, Order>, DbErr> {
    let ids = rows.iter().map(|row| row.id);
    let mut held: BTreeMap<OrderId, Won> = BTreeMap::new();
    let open = ids.collect::<Vec<_>>();
    for chunk in open.chunks(10_000) {
        let holds = hold::Entity::find()
            .filter(hold::Column::OrderId.is_in(chunk.iter().copied()))
            .all(connection)
            .await?;
        held.extend(
            holds
                .into_iter()
                .map(|hold| (hold.order_id, hold.amount_won)),
        );
    }
    rows.iter()
        .map(|row| {
            let amount = held.get(&row.id).copied().unwrap_or_default();
            Ok((row.id, row.to_order(amount)?))
        })
        .collect()
}

/// Accounts that own any of an instrument, for a share split.
pub(super) async fn holders(
    transaction: &DatabaseTransaction,
    codes: &[String],
) -> Result<BTreeSet<(AccountId, String)>, DbErr> {
    if codes.is_empty() {
        return Ok(BTreeSet::new());
    }
    let some = Condition::all()
        .add(holding::Column::InstrumentCode.is_in(codes.iter().map(String::as_str)))
        .add(holding::Column::Quantity.gt(rust_decimal::Decimal::ZERO));
    let rows = holding::Entity::find()
        .filter(some)
        .all(transaction)
        .await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.account_id, row.instrument_code))
        .collect())
}

/// Newest fill number of each member, zero for a member without fills.
pub(super) async fn member_sequences(
    transaction: &DatabaseTransaction,
    members: &BTreeSet<MemberId>,
) -> Result<BTreeMap<MemberId, i64>, DbErr> {
    let mut last: BTreeMap<MemberId, i64> = members.iter().map(|member| (*member, 0)).collect();
    if members.is_empty() {
        return Ok(last);
    }
    let ids: Vec<String> = members.iter().map(ToString::to_string).collect();
    // A member with two accounts may fill in two shards at once, so the row is locked; it is made
    // first, because what does not exist cannot be locked.
    let list = ids.join(",");
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
