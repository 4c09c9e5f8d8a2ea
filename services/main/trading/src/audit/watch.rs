//! Checks of the present state: unsent events, a stalled matcher, sequences behind their tables.

use sqlx::{PgConnection, Row};

use super::Finding;
use super::check::finding;
use crate::matching::LOCK_CLASS;

const SENT: &str = "every event is sent in time";
const MOVES: &str = "the matcher moves on while orders wait";
const AHEAD: &str = "a sequence is never behind its table";

pub(super) const NAMES: [&str; 3] = [SENT, MOVES, AHEAD];

/// Events unsent for longer than `age_s` seconds.
pub(super) async fn old_events(
    connection: &mut PgConnection,
    age_s: i64,
) -> Result<Vec<Finding>, sqlx::Error> {
    let old = "select 'event ' || event_id as row, event_type || ' of ' || occurred_at as detail \
               from outbox where occurred_at < now() - $1 * interval '1 second' \
               order by id limit 100";
    let rows = sqlx::query(old).bind(age_s).fetch_all(connection).await?;
    rows.iter().map(|row| finding(SENT, row)).collect()
}

/// Records the position of each matcher shard, and since when it has it.
pub(super) async fn record_matcher(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let look = "
        insert into audit_matcher as a (consumer, shard, epoch, next_offset, newest_order, since)
        select consumer, shard, epoch, next_offset,
            coalesce((select max(order_id) from new_order), 0), now() from matcher_offset
        on conflict (consumer, shard) do update set epoch = excluded.epoch,
            next_offset = excluded.next_offset, newest_order = excluded.newest_order,
            since = excluded.since
        where (a.epoch, a.next_offset) <> (excluded.epoch, excluded.next_offset)";
    sqlx::query(look).execute(connection).await?;
    Ok(())
}

/// Shards that have not advanced for a minute while orders are open: owned by a process, or without
/// an owner although orders were accepted since. The log has a record every second.
pub(super) async fn stalled(connection: &mut PgConnection) -> Result<Vec<Finding>, sqlx::Error> {
    let still = "
        select 'matcher shard ' || o.shard as row, 'at batch ' || o.next_offset || ' of epoch ' ||
            o.epoch || ' since ' || a.since || ', owned by ' ||
            coalesce('backend ' || l.pid, 'nobody') as detail
        from matcher_offset o join audit_matcher a using (consumer, shard, epoch, next_offset)
        left join pg_locks l on l.locktype = 'advisory' and l.granted and l.objsubid = 2
            and l.classid = $1::bigint::oid and l.objid = o.shard::bigint::oid
            and l.database = (select oid from pg_database where datname = current_database())
        where a.since < now() - interval '1 minute' and exists (select 1 from hold)
            and (l.pid is not null
                or exists (select 1 from new_order where order_id > a.newest_order))
        order by o.shard";
    let rows = sqlx::query(still)
        .bind(i64::from(LOCK_CLASS))
        .fetch_all(connection)
        .await?;
    rows.iter().map(|row| finding(MOVES, row)).collect()
}

/// Sequences and the tables that use them. The table is read first, so a number drawn meanwhile is no
/// finding.
const SEQUENCES: [(&str, &str); 8] = [
    ("account_id_seq", "select coalesce(max(id), 0) from account"),
    ("journal_id_seq", "select coalesce(max(id), 0) from journal"),
    (
        "order_id_seq",
        "select coalesce(max(id), 0) from trade_order",
    ),
    ("fill_id_seq", "select coalesce(max(id), 0) from fill"),
    (
        "fill_id_seq",
        "select coalesce(max(id), 0) from holding_split",
    ),
    (
        "order_event_id_seq",
        "select coalesce(max(id), 0) from order_event",
    ),
    ("outbox_id_seq", "select coalesce(max(id), 0) from outbox"),
    (
        "dividend_share_id_seq",
        "select coalesce(max(id), 0) from dividend_share",
    ),
];
/// The last value of a sequence; 0 when it does not exist.
pub(super) const LAST_VALUE: &str = "select coalesce(pg_sequence_last_value(to_regclass($1)), 0)";

/// Sequences that would return an id that a row already has.
pub(super) async fn sequences(connection: &mut PgConnection) -> Result<Vec<Finding>, sqlx::Error> {
    let mut findings = Vec::new();
    for (sequence, newest) in SEQUENCES {
        let newest: i64 = sqlx::query_scalar(newest)
            .fetch_one(&mut *connection)
            .await?;
        let last: i64 = sqlx::query_scalar(LAST_VALUE)
            .bind(sequence)
            .fetch_one(&mut *connection)
            .await?;
        findings.extend(behind(sequence, last, newest));
    }
    Ok(findings)
}

/// A finding when the last value of a sequence is below the newest id.
pub(super) fn behind(sequence: &str, last: i64, newest: i64) -> Option<Finding> {
    (last < newest).then(|| Finding {
        check: AHEAD,
        row: format!("sequence {sequence}"),
        detail: format!("last number {last}, newest row {newest}"),
    })
}

/// A matcher shard as the database shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ShardState {
    pub(super) shard: i32,
    pub(super) epoch: i64,
    pub(super) next_offset: i64,
    /// Whether any process owns it.
    pub(super) owned: bool,
    /// Whether this process owns it.
    pub(super) owned_here: bool,
}

/// Where the shards are and who owns them. All connections of a process have one name, and no
/// other process has it.
pub(super) async fn shards(connection: &mut PgConnection) -> Result<Vec<ShardState>, sqlx::Error> {
    let shards = "
        select o.shard, o.epoch, o.next_offset, l.pid is not null as owned,
            coalesce(s.application_name = current_setting('application_name'), false)
                as owned_here
        from matcher_offset o
        left join pg_locks l on l.locktype = 'advisory' and l.granted and l.objsubid = 2
            and l.classid = $1::bigint::oid and l.objid = o.shard::bigint::oid
            and l.database = (select oid from pg_database where datname = current_database())
        left join pg_stat_activity s on s.pid = l.pid
        where o.consumer = $2 order by o.shard";
    let rows = sqlx::query(shards)
        .bind(i64::from(LOCK_CLASS))
        .bind(crate::matching::CONSUMER)
        .fetch_all(connection)
        .await?;
    let read = |row: &sqlx::postgres::PgRow| {
        Ok(ShardState {
            shard: row.try_get("shard")?,
            epoch: row.try_get("epoch")?,
            next_offset: row.try_get("next_offset")?,
            owned: row.try_get("owned")?,
            owned_here: row.try_get("owned_here")?,
        })
    };
    rows.iter().map(read).collect()
}

impl ShardState {
    /// How many batches it is behind a log whose newest is `head` (epoch, offset). `None` when it
    /// has not begun, or reads a newer log than was seen here.
    pub(super) fn lag(&self, head: (i64, i64)) -> Option<i64> {
        let (epoch, newest) = head;
        if self.next_offset < 0 || self.epoch > epoch {
            return None;
        }
        let read = if self.epoch == epoch {
            self.next_offset
        } else {
            0
        };
        Some(newest.saturating_add(1).saturating_sub(read).max(0))
    }
}
