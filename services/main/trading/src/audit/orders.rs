//! Checks of orders: events, sums, holds and successors.

use sqlx::PgConnection;

use super::Finding;
use super::check::{Check, all_of_ids};
use super::history::Slice;

const FOLLOWS: Check = Check {
    name: "events of an order follow each other and none follows its end",
    sql: "select 'order ' || e.order_id as row, 'event ' || e.id || ' from ' || \
            coalesce(e.from_status, 'nothing') || ' after ' || coalesce(b.to_status, 'nothing') \
            as detail from order_event e \
          left join lateral (select to_status from order_event b where b.order_id = e.order_id \
            and b.id < e.id order by b.id desc limit 1) b on true \
          where e.id > $1 and e.id <= $2 and (e.from_status is distinct from b.to_status \
            or b.to_status in ('FILLED', 'CANCELED', 'EXPIRED', 'REPLACED', 'REJECTED'))",
};

/// `$1` are ids of orders.
const CHECKS: [Check; 9] = [
    Check {
        name: HELD,
        sql: "select 'order ' || o.id as row, o.status || coalesce(', hold ' || h.amount_won || \
              ' won, ' || h.quantity, ', no hold') as detail from trade_order o \
              left join hold h on h.order_id = o.id where o.id = any($1) \
                and case when o.status in ('QUEUED', 'ACCEPTED', 'PARTIAL') then \
                  h.order_id is null or h.account_id <> o.account_id \
                  or h.instrument_code <> o.instrument_code \
                  or h.quantity <> case o.side when 'SELL' then o.quantity - o.filled_quantity \
                    else 0 end or (o.side = 'SELL' and h.amount_won <> 0) \
                else h.order_id is not null end",
    },
    Check {
        name: "an order is the sum of its fills",
        sql: "select 'order ' || o.id as row, 'filled ' || o.filled_quantity || ' for ' || \
                o.amount_won || ', fills ' || f.quantity || ' for ' || f.amount as detail \
              from trade_order o cross join lateral (select \
                  coalesce(sum(quantity), 0) as quantity, coalesce(sum(amount_won), 0) as amount, \
                  coalesce(sum(base_won), 0) as base, coalesce(sum(fee_won), 0) as fee, \
                  coalesce(sum(tax_won), 0) as tax from fill where order_id = o.id) f \
              where o.id = any($1) and (o.filled_quantity, o.amount_won, o.base_won, o.fee_won, \
                o.tax_won) <> (f.quantity, f.amount, f.base, f.fee, f.tax)",
    },
    Check {
        name: "an order's state fits what was filled",
        sql: "select 'order ' || id as row, status || ', filled ' || filled_quantity || ' of ' || \
              quantity as detail from trade_order where id = any($1) and ( \
              (status = 'FILLED' and filled_quantity <> quantity) or \
              (status in ('QUEUED', 'ACCEPTED', 'REJECTED') and filled_quantity <> 0) or \
              (status = 'PARTIAL' and (filled_quantity <= 0 or filled_quantity >= quantity)))",
    },
    Check {
        name: "the newest event of an order is its state",
        sql: "select 'order ' || o.id as row, o.status || ', newest event ' || \
              coalesce(e.to_status, 'none') as detail from trade_order o \
              left join lateral (select to_status from order_event e where e.order_id = o.id \
                order by e.id desc limit 1) e on true \
              where o.id = any($1) and e.to_status is distinct from o.status",
    },
    Check {
        // Each part of a hold is rounded by itself, hence the tolerance of a won.
        name: "a limit buy in won holds what is left of it",
        sql: "select 'order ' || o.id as row, 'hold ' || h.amount_won || ' for ' || \
              (o.quantity - o.filled_quantity) || ' at ' || o.price as detail \
              from trade_order o join hold h on h.order_id = o.id \
              where o.id = any($1) and o.side = 'BUY' and o.currency = 'KRW' \
                and o.price is not null \
                and h.amount_won + 1 < o.price * (o.quantity - o.filled_quantity)",
    },
    Check {
        name: "a market buy by amount costs and holds no more than its amount",
        sql: "select 'order ' || o.id as row, 'amount ' || o.order_amount_won || ', cost ' || \
                (o.amount_won + o.fee_won) || ', hold ' || coalesce(h.amount_won, 0) as detail \
              from trade_order o left join hold h on h.order_id = o.id \
              where o.id = any($1) and o.amount_won + o.fee_won + coalesce(h.amount_won, 0) \
                > o.order_amount_won",
    },
    Check {
        // Each order has one successor, so only the last of a chain can be open.
        name: "a replaced order has one successor and only a replaced order has one",
        sql: "select 'order ' || n.id as row, coalesce(p.status, 'does not exist') || \
                ', successors ' || c.count as detail \
              from (select orig_order_id as id from trade_order \
                  where id = any($1) and orig_order_id is not null \
                union select id from trade_order where id = any($1)) n \
              left join trade_order p on p.id = n.id \
              cross join lateral (select count(*) as count from trade_order \
                where orig_order_id = n.id) c \
              where case p.status when 'REPLACED' then c.count <> 1 else c.count > 0 end",
    },
    Check {
        name: "what was left of a replaced order goes on in its successor at once",
        sql: "select 'order ' || p.id as row, 'replaced by ' || c.id || ' of account ' || \
              c.account_id || ', ' || c.side || ' ' || c.instrument_code || ', placed ' || \
              c.placed_at || ', filled ' || p.filled_quantity || ' of ' || p.quantity as detail \
              from trade_order c join trade_order p on p.id = c.orig_order_id \
              where c.id = any($1) and (c.id <= p.id or p.filled_quantity >= p.quantity \
                or (c.account_id, c.member_id, c.instrument_code, c.market, c.side, \
                    c.time_in_force) is distinct from \
                   (p.account_id, p.member_id, p.instrument_code, p.market, p.side, \
                    p.time_in_force) \
                or c.placed_at is distinct from p.ended_at \
                or (c.price is null) <> (p.price is null))",
    },
    Check {
        name: "an order stands where it was placed or where the one it replaced stood",
        sql: "select 'order ' || c.id as row, 'place ' || c.priority_id || ', replaced ' || \
              coalesce(p.id::text, 'nothing') as detail from trade_order c \
              left join trade_order p on p.id = c.orig_order_id \
              where c.id = any($1) \
                and coalesce(c.priority_id, c.id) not in (c.id, coalesce(p.priority_id, p.id, c.id))",
    },
];

const HELD: &str = "an open order has its hold and no other order has one";
pub(super) const OUTLIVED: &str = "no DAY order outlives its day";

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let checks = CHECKS.iter().map(|check| check.name);
    checks.chain([FOLLOWS.name, OUTLIVED])
}

pub(super) async fn standing(
    connection: &mut PgConnection,
    ids: &[i64],
) -> Result<Vec<Finding>, sqlx::Error> {
    all_of_ids(&CHECKS, connection, ids).await
}

/// Findings in a slice of order events and in its orders, and their accounts.
pub(super) async fn check_events(
    connection: &mut PgConnection,
    slice: Slice,
) -> Result<(Vec<Finding>, Vec<i64>), sqlx::Error> {
    let mut findings = FOLLOWS.of_slice(connection, slice).await?;
    let changed = "select distinct order_id from order_event where id > $1 and id <= $2";
    let changed: Vec<i64> = sqlx::query_scalar(changed)
        .bind(slice.from)
        .bind(slice.to)
        .fetch_all(&mut *connection)
        .await?;
    findings.extend(standing(connection, &changed).await?);
    let accounts = "select distinct account_id from trade_order where id = any($1)";
    let accounts = sqlx::query_scalar(accounts)
        .bind(&changed)
        .fetch_all(connection)
        .await?;
    Ok((findings, accounts))
}

/// Findings among new orders without any event, and the number of new orders.
pub(super) async fn check_new(
    connection: &mut PgConnection,
    slice: Slice,
) -> Result<(Vec<Finding>, i64), sqlx::Error> {
    let without = "select id from trade_order o where id > $1 and id <= $2 \
                   and not exists (select 1 from order_event e where e.order_id = o.id)";
    let without: Vec<i64> = sqlx::query_scalar(without)
        .bind(slice.from)
        .bind(slice.to)
        .fetch_all(&mut *connection)
        .await?;
    let findings = standing(connection, &without).await?;
    let count = sqlx::query_scalar("select count(*) from trade_order where id > $1 and id <= $2")
        .bind(slice.from)
        .bind(slice.to)
        .fetch_one(connection)
        .await?;
    Ok((findings, count))
}

const HOLDS: i64 = 20_000;
const HOLDS_ALONE: Check = Check {
    name: HELD,
    sql: "select 'order ' || h.order_id as row, coalesce(o.status, 'does not exist') || ', hold ' \
            || h.amount_won || ' won, ' || h.quantity as detail \
          from hold h left join trade_order o on o.id = h.order_id where h.order_id = any($1) \
            and coalesce(o.status, '') not in ('QUEUED', 'ACCEPTED', 'PARTIAL')",
};
/// An order accepted after its session ends with the next batch, so one that the matcher does not
/// have yet is not included.
const OUTLIVING: &str = "
    select o.id from trade_order o
    join unnest($2::text[], $3::int[]) d(code, day) on d.code = o.instrument_code
    where o.id = any($1) and o.status in ('ACCEPTED', 'PARTIAL') and o.time_in_force = 'DAY'
        and o.trading_day < d.day
        and not exists (select 1 from new_order n where n.order_id = o.id)";

/// Newest trading day of each instrument, as stored by the matcher.
#[derive(Clone, Debug, Default)]
pub(super) struct Days {
    codes: Vec<String>,
    days: Vec<i32>,
}

pub(super) async fn days(connection: &mut PgConnection) -> Result<Days, sqlx::Error> {
    let days = "select i.key, (i.value->>'trading_day')::int from matcher_offset, json_each(state) i \
                where (i.value->>'trading_day')::int > 0";
    let rows: Vec<(String, i32)> = sqlx::query_as(days).fetch_all(connection).await?;
    let (codes, days) = rows.into_iter().unzip();
    Ok(Days { codes, days })
}

/// Checks the holds after `from`: returns the last one, the findings, and DAY orders that may have
/// outlived their day. `None` when there are no more.
pub(super) async fn check_holds(
    connection: &mut PgConnection,
    from: i64,
    days: &Days,
) -> Result<Option<(i64, Vec<Finding>, Vec<i64>)>, sqlx::Error> {
    let ids = "select order_id from hold where order_id > $1 order by order_id limit $2";
    let ids: Vec<i64> = sqlx::query_scalar(ids)
        .bind(from)
        .bind(HOLDS)
        .fetch_all(&mut *connection)
        .await?;
    let Some(last) = ids.last().copied() else {
        return Ok(None);
    };
    let findings = HOLDS_ALONE.of_ids(connection, &ids).await?;
    let outliving = outliving(connection, &ids, days).await?;
    Ok(Some((last, findings, outliving)))
}

/// Open orders among `ids` whose trading day is over.
pub(super) async fn outliving(
    connection: &mut PgConnection,
    ids: &[i64],
    days: &Days,
) -> Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar(OUTLIVING)
        .bind(ids)
        .bind(&days.codes)
        .bind(&days.days)
        .fetch_all(connection)
        .await
}
