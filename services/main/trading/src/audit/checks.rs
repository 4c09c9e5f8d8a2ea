//! The checks that one query each can make. A query answers the rows that are wrong.

use sqlx::{PgConnection, Row};

use super::Finding;

/// A rule and the query for the rows that break it.
pub(super) struct Check {
    pub(super) name: &'static str,
    pub(super) sql: &'static str,
}

pub(super) const ALL: [Check; 20] = [
    Check {
        name: "entries of a journal sum to zero per asset",
        sql: "select 'journal ' || journal_id as row, asset || ' sums to ' || sum(amount) as detail \
              from entry group by journal_id, asset having sum(amount) <> 0",
    },
    Check {
        name: "every journal has entries",
        sql: "select 'journal ' || j.id as row, 'has no entries' as detail from journal j \
              where not exists (select 1 from entry e where e.journal_id = j.id)",
    },
    Check {
        name: "an account's balances are the sums of its entries",
        sql: "select 'account ' || a.id as row, x.asset || ' balance ' || x.balance || \
              ', entries ' || x.total as detail from account a \
              left join (select account_id, \
                sum(amount) filter (where asset = 'KRW') as krw, \
                sum(amount) filter (where asset = 'EP') as ep, \
                sum(amount) filter (where asset = 'CASH') as cash \
                from entry where account_id is not null group by account_id) e \
                on e.account_id = a.id \
              cross join lateral (values ('KRW', a.balance_won, coalesce(e.krw, 0)), \
                ('EP', a.education_points, coalesce(e.ep, 0)), \
                ('CASH', a.cash, coalesce(e.cash, 0))) as x(asset, balance, total) \
              where x.balance <> x.total",
    },
    Check {
        name: "every entry of a member belongs to an account",
        sql: "select 'journal ' || e.journal_id as row, 'account ' || e.account_id || \
              ' does not exist' as detail from entry e left join account a on a.id = e.account_id \
              where e.account_id is not null and a.id is null",
    },
    Check {
        name: "no balance is negative and no account holds more than it has",
        sql: "select 'account ' || id as row, 'balance ' || balance_won || ', held ' || held_won \
              as detail from account where balance_won < 0 or held_won < 0 \
              or held_won > balance_won or education_points < 0 or cash < 0",
    },
    Check {
        name: "an account keeps aside what its open buys hold",
        sql: "select 'account ' || a.id as row, 'held ' || a.held_won || ', holds ' || \
              coalesce(h.won, 0) as detail from account a \
              left join (select account_id, sum(amount_won) as won from hold group by account_id) h \
                on h.account_id = a.id where a.held_won <> coalesce(h.won, 0)",
    },
    Check {
        name: "an account counts its open orders",
        sql: "select 'account ' || a.id as row, 'open_orders ' || a.open_orders || ', orders ' || \
              coalesce(o.open, 0) as detail from account a \
              left join (select account_id, count(*) as open from trade_order \
                where status in ('QUEUED', 'ACCEPTED', 'PARTIAL') group by account_id) o \
                on o.account_id = a.id where a.open_orders <> coalesce(o.open, 0)",
    },
    Check {
        name: "a holding keeps aside what its open sells hold",
        sql: "select 'holding ' || coalesce(g.account_id, h.account_id) || '/' || \
              coalesce(g.instrument_code, h.instrument_code) as row, \
              'held ' || coalesce(g.held_quantity, 0) || ', holds ' || coalesce(h.quantity, 0) \
              as detail from holding g \
              full join (select account_id, instrument_code, sum(quantity) as quantity from hold \
                where quantity > 0 group by account_id, instrument_code) h \
                using (account_id, instrument_code) \
              where coalesce(g.held_quantity, 0) <> coalesce(h.quantity, 0)",
    },
    Check {
        name: "an open order has its hold and no other order has one",
        sql: "select 'order ' || coalesce(o.id, h.order_id) as row, \
              coalesce(o.status, 'does not exist') || \
              case when h.order_id is null then ', no hold' else ', hold ' || h.amount_won || \
              ' won, ' || h.quantity end as detail \
              from (select * from trade_order where status in ('QUEUED', 'ACCEPTED', 'PARTIAL')) o \
              full join hold h on h.order_id = o.id \
              where o.id is null or h.order_id is null or h.account_id <> o.account_id \
                or h.instrument_code <> o.instrument_code \
                or h.quantity <> case o.side when 'SELL' then o.quantity - o.filled_quantity \
                   else 0 end or (o.side = 'SELL' and h.amount_won <> 0)",
    },
    Check {
        name: "an order is the sum of its fills",
        sql: "select 'order ' || o.id as row, 'filled ' || o.filled_quantity || ' for ' || \
              o.amount_won || ', fills ' || coalesce(f.quantity, 0) || ' for ' || \
              coalesce(f.amount, 0) as detail from trade_order o \
              left join (select order_id, sum(quantity) as quantity, sum(amount_won) as amount, \
                sum(base_won) as base, sum(fee_won) as fee, sum(tax_won) as tax \
                from fill group by order_id) f on f.order_id = o.id \
              where o.filled_quantity <> coalesce(f.quantity, 0) \
                or o.amount_won <> coalesce(f.amount, 0) or o.base_won <> coalesce(f.base, 0) \
                or o.fee_won <> coalesce(f.fee, 0) or o.tax_won <> coalesce(f.tax, 0)",
    },
    Check {
        name: "an order's state fits what was filled",
        sql: "select 'order ' || id as row, status || ', filled ' || filled_quantity || ' of ' || \
              quantity as detail from trade_order where \
              (status = 'FILLED' and filled_quantity <> quantity) or \
              (status in ('QUEUED', 'ACCEPTED', 'REJECTED') and filled_quantity <> 0) or \
              (status = 'PARTIAL' and (filled_quantity <= 0 or filled_quantity >= quantity))",
    },
    Check {
        name: "the newest event of an order is its state",
        sql: "select 'order ' || o.id as row, o.status || ', newest event ' || \
              coalesce(e.to_status, 'none') as detail from trade_order o \
              left join lateral (select to_status from order_event e where e.order_id = o.id \
                order by e.id desc limit 1) e on true \
              where e.to_status is distinct from o.status",
    },
    Check {
        name: "the ledger says of a fill what the fill says",
        sql: "select 'fill ' || f.id as row, 'account entries ' || coalesce(e.account, 0) || \
              ', market ' || coalesce(e.market, 0) || ', fee ' || coalesce(e.fee, 0) || ', tax ' || \
              coalesce(e.tax, 0) as detail from fill f \
              left join (select journal_id, \
                sum(amount) filter (where account_id is not null) as account, \
                sum(amount) filter (where book = 'MARKET') as market, \
                sum(amount) filter (where book = 'FEE') as fee, \
                sum(amount) filter (where book = 'TAX') as tax \
                from entry group by journal_id) e on e.journal_id = f.journal_id \
              where coalesce(e.account, 0) <> case f.side when 'BUY' \
                  then -(f.amount_won + f.fee_won) else f.amount_won - f.fee_won - f.tax_won end \
                or coalesce(e.market, 0) <> case f.side when 'BUY' then f.base_won \
                  else -f.base_won end \
                or coalesce(e.fee, 0) <> f.fee_won or coalesce(e.tax, 0) <> f.tax_won",
    },
    Check {
        name: "the fills of a member are numbered without a hole",
        sql: "select 'member ' || m.member_id as row, 'last ' || m.last_seq || ', fills ' || \
              coalesce(f.fills, 0) || ', newest ' || coalesce(f.newest, 0) as detail \
              from member_fill_seq m \
              full join (select member_id, count(*) as fills, max(member_seq) as newest \
                from fill group by member_id) f on f.member_id = m.member_id \
              where coalesce(m.last_seq, 0) <> coalesce(f.fills, 0) \
                or coalesce(m.last_seq, 0) <> coalesce(f.newest, 0)",
    },
    Check {
        name: "no holding is negative and none keeps aside more than there is",
        sql: "select 'holding ' || account_id || '/' || instrument_code as row, \
              'quantity ' || quantity || ', held ' || held_quantity || ', cost ' || cost_won \
              as detail from holding where quantity < 0 or held_quantity < 0 \
              or held_quantity > quantity or cost_won < 0 or cost_quote < 0",
    },
    Check {
        // Each part of a hold was rounded on its own, hence the won.
        name: "a limit buy in won holds what is left of it",
        sql: "select 'order ' || o.id as row, 'hold ' || h.amount_won || ' for ' || \
              (o.quantity - o.filled_quantity) || ' at ' || o.price as detail \
              from trade_order o join hold h on h.order_id = o.id \
              where o.side = 'BUY' and o.currency = 'KRW' and o.price is not null \
                and h.amount_won + 1 < o.price * (o.quantity - o.filled_quantity)",
    },
    Check {
        name: "events of an order follow each other and none follows its end",
        sql: "select 'order ' || order_id as row, 'event ' || id || ' from ' || \
              coalesce(from_status, 'nothing') || ' after ' || coalesce(before, 'nothing') \
              as detail from (select id, order_id, from_status, \
                lag(to_status) over (partition by order_id order by id) as before \
                from order_event) e \
              where from_status is distinct from before \
                or before in ('FILLED', 'CANCELED', 'EXPIRED', 'REPLACED', 'REJECTED')",
    },
    Check {
        // One successor each, so at most the end of a chain is open.
        name: "a replaced order has one successor and only a replaced order has one",
        sql: "select 'order ' || coalesce(p.id, c.orig_order_id) as row, \
              coalesce(p.status, 'does not exist') || ', successors ' || coalesce(c.count, 0) \
              as detail from trade_order p \
              full join (select orig_order_id, count(*) as count from trade_order \
                where orig_order_id is not null group by orig_order_id) c \
                on c.orig_order_id = p.id \
              where (p.status = 'REPLACED' and c.count is distinct from 1) \
                or (p.status is distinct from 'REPLACED' and c.count > 0)",
    },
    Check {
        name: "what was left of a replaced order goes on in its successor at once",
        sql: "select 'order ' || p.id as row, 'replaced by ' || c.id || ' of account ' || \
              c.account_id || ', ' || c.side || ' ' || c.instrument_code || ', placed ' || \
              c.placed_at || ', filled ' || p.filled_quantity || ' of ' || p.quantity as detail \
              from trade_order p join trade_order c on c.orig_order_id = p.id \
              where c.id <= p.id or p.filled_quantity >= p.quantity \
                or (c.account_id, c.member_id, c.instrument_code, c.market, c.side, \
                    c.time_in_force) is distinct from \
                   (p.account_id, p.member_id, p.instrument_code, p.market, p.side, \
                    p.time_in_force) \
                or c.placed_at is distinct from p.ended_at \
                or (c.price is null) <> (p.price is null)",
    },
    Check {
        name: "an order stands where it was placed or where the one it replaced stood",
        sql: "select 'order ' || c.id as row, 'place ' || c.priority_id || ', replaced ' || \
              coalesce(p.id::text, 'nothing') as detail from trade_order c \
              left join trade_order p on p.id = c.orig_order_id \
              where coalesce(c.priority_id, c.id) not in (c.id, coalesce(p.priority_id, p.id, c.id))",
    },
];

/// The name of [`old_events`].
pub(super) const EVENTS: &str = "every event is sent in time";

/// Events that have waited too long to be sent.
pub(super) async fn old_events(
    connection: &mut PgConnection,
    age_s: i64,
) -> Result<Vec<Finding>, sqlx::Error> {
    let rows = sqlx::query(
        "select 'event ' || event_id as row, event_type || ' of ' || occurred_at as detail \
         from outbox where occurred_at < now() - $1 * interval '1 second' order by id limit 100",
    )
    .bind(age_s)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Finding {
                check: EVENTS,
                row: row.try_get("row")?,
                detail: row.try_get("detail")?,
            })
        })
        .collect()
}
