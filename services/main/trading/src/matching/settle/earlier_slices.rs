//! What earlier slices of a batch have filled: the accounts of a member share one part of a tick's
//! volume, also where they are settled in different slices.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{MemberId, Quantity};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};

use super::BatchSlice;
use crate::matching::balances::TickFills;
use crate::matching::effect::Effect;
use crate::store::sql;
use crate::tick_log::LogRecord;

/// Newest fills of a member that are read: more than the open orders of a member fill in a batch.
const MOST_FILLS: i64 = 1_000;

/// Members whose accounts may fill in several slices. Of a batch that was begun before a restart any
/// member may have filled in a slice that is settled.
pub(in crate::matching) fn sharing_members(
    effects: &[Effect],
    is_resumed: bool,
) -> BTreeSet<MemberId> {
    let mut accounts = BTreeMap::new();
    let mut sharing = BTreeSet::new();
    for effect in effects {
        if let Effect::Filled { order, .. } = effect {
            let first = accounts.entry(order.member_id).or_insert(order.account_id);
            if is_resumed || *first != order.account_id {
                sharing.insert(order.member_id);
            }
        }
    }
    sharing
}

/// The stored fills of the batch, of members in the slice. Competition accounts share nothing.
pub(super) async fn stored_fills(
    transaction: &DatabaseTransaction,
    slice: &BatchSlice<'_>,
) -> Result<TickFills, DbErr> {
    let members = slice.pass.orders.values().map(|order| order.member_id);
    let members: BTreeSet<MemberId> = members.filter(|id| slice.sharing.contains(id)).collect();
    let records = slice.batch.records.iter();
    let ticks = records.filter_map(|record| match record {
        LogRecord::Tick(tick) => Some(tick.seq),
        LogRecord::Session(_) => None,
    });
    let ticks: Vec<i64> = ticks.collect();
    if slice.from.applied_through.is_none() || members.is_empty() || ticks.is_empty() {
        return Ok(TickFills::new());
    }
    let members: Vec<i64> = members.iter().map(|id| id.0).collect();
    let read = sql(
        "select f.member_id, f.instrument_code, f.tick_seq, sum(f.quantity) as quantity \
         from unnest($1::bigint[]) as m(id) \
         cross join lateral (select * from fill where member_id = m.id \
            order by member_seq desc limit $3) f \
         join account a on a.id = f.account_id \
         where f.tick_seq = any($2) and a.code <> '99' \
         group by f.member_id, f.instrument_code, f.tick_seq",
        [members.into(), ticks.into(), MOST_FILLS.into()],
    );
    let rows = transaction.query_all_raw(read).await?;
    let fill = |row: &sea_orm::QueryResult| {
        let member: MemberId = row.try_get("", "member_id")?;
        let code: String = row.try_get("", "instrument_code")?;
        let quantity = Quantity(row.try_get("", "quantity")?);
        Ok(((member, code, row.try_get("", "tick_seq")?), quantity))
    };
    rows.iter().map(fill).collect()
}
