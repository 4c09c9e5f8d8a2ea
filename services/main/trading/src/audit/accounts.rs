//! Compares accounts with the sums of checked history plus the history since.

use futures_util::TryStreamExt;
use kernel::{Quantity, Won};
use rust_decimal::Decimal;
use sqlx::{PgConnection, Row};

use super::Finding;
use super::assets;
use super::check::{Check, finding};
use super::fills::NUMBERED;
use super::holdings::{Line, REPLAYED, Replay};
use super::journals::SPLIT_CASH;
use super::orders;

/// How far the sums of checked history reach.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub(super) generation: i64,
    pub(super) journals: i64,
    pub(super) fills: i64,
    pub(super) gains: i64,
}

/// Accounts per transaction.
pub(super) const AT_ONCE: i64 = 5_000;

/// With `$1` ids of accounts, `$2` the generation and `$3` the last checked journal.
const BY_ENTRIES: [Check; 3] = [
    Check {
        name: "an account's balances are the sums of its entries",
        sql: "select 'account ' || a.id as row, x.asset || ' balance ' || coalesce(b.amount, 0) || \
              ', entries ' || x.total as detail from account a \
              left join audit_account c on c.account_id = a.id and c.generation = $2 \
              cross join lateral (select \
                  coalesce(sum(amount) filter (where asset = 'KRW'), 0) as krw, \
                  coalesce(sum(amount) filter (where asset = 'EP'), 0) as ep, \
                  coalesce(sum(amount) filter (where asset = 'CASH'), 0) as cash \
                from entry where account_id = a.id and journal_id > $3) e \
              cross join lateral (values \
                ('KRW', coalesce(c.won, 0) + e.krw), \
                ('EP', coalesce(c.education_points, 0) + e.ep), \
                ('CASH', coalesce(c.cash, 0) + e.cash), ('USD', 0)) as x(asset, total) \
              left join balance b on b.account_id = a.id and b.asset = x.asset \
              where a.id = any($1) and coalesce(b.amount, 0) <> x.total",
    },
    Check {
        name: "an account was opened with its initial deposit",
        // Holds for every season.
        sql: "select 'account ' || a.id as row, 'initial deposit ' || a.initial_deposit_won + \
              p.won || ', opened with ' || coalesce(c.opened_won, 0) + e.opened as detail \
              from account a \
              cross join lateral (select coalesce(sum(initial_deposit_won), 0) as won \
                from past_season where account_id = a.id) p \
              left join audit_account c on c.account_id = a.id and c.generation = $2 \
              cross join lateral (select coalesce(sum(amount), 0) as opened \
                from entry join journal j on j.id = journal_id \
                where account_id = a.id and asset = 'KRW' and journal_id > $3 \
                  and j.kind in ('ACCOUNT_OPENED', 'SEASON_OPENED')) e \
              where a.id = any($1) \
                and a.initial_deposit_won + p.won <> coalesce(c.opened_won, 0) + e.opened",
    },
    Check {
        // Entries are read again only for an account whose sums differ, to name the split.
        name: SPLIT_CASH,
        sql: "with wrong as materialized (select a.id from account a \
                left join audit_account c on c.account_id = a.id and c.generation = $2 \
                cross join lateral (select coalesce(sum(amount), 0) as won \
                  from entry join journal j on j.id = journal_id \
                  where account_id = a.id and journal_id > $3 and j.kind = 'SHARE_SPLIT') e \
                cross join lateral (select coalesce(sum(paid_won), 0) as won \
                  from holding_split where account_id = a.id) p \
                where a.id = any($1) and p.won <> coalesce(c.split_won, 0) + e.won) \
              select 'holding split ' || s.id as row, 'paid ' || s.paid_won || ', ledger ' || \
                e.won as detail from wrong w join holding_split s on s.account_id = w.id \
              cross join lateral (select coalesce(sum(amount), 0) as won \
                from entry join journal j on j.id = journal_id where account_id = w.id \
                  and j.kind = 'SHARE_SPLIT' \
                  and case j.source_type when 'HOLDING_SPLIT' then j.source_id::bigint end = s.id) e \
              where s.paid_won <> e.won",
    },
];

/// With `$1` ids of accounts.
const BY_ID: [Check; 7] = [
    Check {
        name: "no balance is negative and no account holds more than it has",
        sql: "select 'account ' || account_id as row, asset || ' balance ' || amount || ', held ' \
                || held as detail from balance \
              where account_id = any($1) and (amount < 0 or held < 0 or held > amount)",
    },
    Check {
        name: "an account keeps aside what its open buys hold",
        sql: "select 'account ' || a.id as row, 'held ' || coalesce(b.held, 0) || ', holds ' || \
              h.won as detail from account a \
              left join balance b on b.account_id = a.id and b.asset = 'KRW' \
              cross join lateral (select coalesce(sum(h.amount_won), 0) as won \
                from trade_order o join hold h on h.order_id = o.id \
                where o.member_id = a.member_id and o.account_id = a.id \
                  and o.status in ('QUEUED', 'ACCEPTED', 'PARTIAL')) h \
              where a.id = any($1) and coalesce(b.held, 0) <> h.won",
    },
    Check {
        // The kinds of journals that move won between accounts of a member.
        name: "an account's base counts what was moved into it and out of it",
        sql: "select 'account ' || a.id as row, 'net transfers ' || a.net_transfers_won + p.won || \
              ', journals ' || e.won as detail from account a \
              cross join lateral (select coalesce(sum(net_transfers_won), 0) as won \
                from past_season where account_id = a.id) p \
              cross join lateral (select coalesce(sum(e.amount), 0) as won \
                from cash_movement m join journal j on j.id = m.journal_id \
                join entry e on e.journal_id = j.id and e.account_id = a.id and e.asset = 'KRW' \
                where m.account_id = a.id and j.kind in \
                  ('TRANSFERRED', 'CONTRACT_OPENED', 'CONTRACT_PAID', 'CONTRACT_CLOSED')) e \
              where a.id = any($1) and a.net_transfers_won + p.won <> e.won",
    },
    Check {
        name: "an account counts its open orders",
        sql: "select 'account ' || a.id as row, 'open_orders ' || a.open_orders || ', orders ' || \
              o.open as detail from account a \
              cross join lateral (select count(*) as open from trade_order o \
                where o.member_id = a.member_id and o.account_id = a.id \
                  and o.status in ('QUEUED', 'ACCEPTED', 'PARTIAL')) o \
              where a.id = any($1) and a.open_orders <> o.open",
    },
    Check {
        name: "a holding keeps aside what its open sells hold",
        sql: "select 'holding ' || coalesce(g.account_id, h.account_id) || '/' || \
              coalesce(g.instrument_code, h.instrument_code) as row, \
              'held ' || coalesce(g.held_quantity, 0) || ', holds ' || coalesce(h.quantity, 0) \
              as detail from (select * from holding where account_id = any($1)) g \
              full join (select h.account_id, h.instrument_code, sum(h.quantity) as quantity \
                from account a join trade_order o on o.member_id = a.member_id \
                  and o.account_id = a.id and o.status in ('QUEUED', 'ACCEPTED', 'PARTIAL') \
                join hold h on h.order_id = o.id \
                where a.id = any($1) and h.quantity > 0 \
                group by h.account_id, h.instrument_code) h using (account_id, instrument_code) \
              where coalesce(g.held_quantity, 0) <> coalesce(h.quantity, 0)",
    },
    Check {
        name: "no holding is negative and none keeps aside more than there is",
        sql: "select 'holding ' || account_id || '/' || instrument_code as row, \
              'quantity ' || quantity || ', held ' || held_quantity || ', cost ' || cost_won \
              as detail from holding where account_id = any($1) and (quantity < 0 \
              or held_quantity < 0 or held_quantity > quantity or cost_won < 0 or cost_quote < 0)",
    },
    Check {
        name: NUMBERED,
        sql: "select 'member ' || a.member_id as row, 'last ' || coalesce(m.last_seq, 0) || \
              ', newest ' || coalesce(f.newest, 0) as detail \
              from (select distinct member_id from account where id = any($1)) a \
              left join member_fill_seq m using (member_id) \
              left join lateral (select member_seq as newest from fill f \
                where f.member_id = a.member_id order by member_seq desc limit 1) f on true \
              where coalesce(m.last_seq, 0) <> coalesce(f.newest, 0)",
    },
];

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let checks = BY_ENTRIES.iter().chain(&BY_ID);
    checks.map(|check| check.name).chain([REPLAYED])
}

/// Findings in some accounts, their holdings and open orders.
pub(super) async fn check(
    connection: &mut PgConnection,
    ids: &[i64],
    reach: Reach,
) -> Result<Vec<Finding>, sqlx::Error> {
    let mut findings = Vec::new();
    for check in &BY_ENTRIES {
        let query = sqlx::query(check.sql)
            .bind(ids)
            .bind(reach.generation)
            .bind(reach.journals);
        for row in query.fetch_all(&mut *connection).await? {
            findings.push(finding(check.name, &row)?);
        }
    }
    for check in BY_ID.iter().chain(&assets::ACCOUNTS) {
        findings.extend(check.of_ids(connection, ids).await?);
    }
    let open = "select o.id from account a join trade_order o on o.member_id = a.member_id \
                  and o.account_id = a.id and o.status in ('QUEUED', 'ACCEPTED', 'PARTIAL') \
                where a.id = any($1)";
    let open: Vec<i64> = sqlx::query_scalar(open)
        .bind(ids)
        .fetch_all(&mut *connection)
        .await?;
    findings.extend(orders::standing(connection, &open).await?);
    findings.extend(holdings(connection, ids, reach).await?);
    Ok(findings)
}

/// Holdings that differ from their checked state: they have newer fills, or are wrong.
const DIFFERENT: &str = "
    select coalesce(h.account_id, c.account_id) as account_id,
        coalesce(h.instrument_code, c.instrument_code) as instrument_code,
        h.quantity, h.cost_won, h.cost_quote, c.quantity as known_quantity,
        c.cost_won as known_won, c.cost_quote as known_quote, c.tick_seq as known_tick,
        c.tick_quantity as known_taken
    from (select * from holding where account_id = any($1)) h
    full join (select * from audit_holding where account_id = any($1) and generation = $2) c
        on c.account_id = h.account_id and c.instrument_code = h.instrument_code
    where (h.quantity, h.cost_won, h.cost_quote)
        is distinct from (c.quantity, c.cost_won, c.cost_quote)";
const NEWER: &str = "
    select account_id, instrument_code, id, side as kind, quantity, price, amount_won, cost_won,
        cost_quote, tick_seq, cap_quantity, 0::bigint as numerator, 1::bigint as denominator,
        0::numeric as quantity_before, 0::bigint as paid_won
    from fill where account_id = $1 and instrument_code = $2 and id > $3
    union all
    select account_id, instrument_code, id, 'SPLIT', quantity_after, 0, 0, cost_won, cost_quote,
        0, null, numerator, denominator, quantity_before, paid_won
    from holding_split where account_id = $1 and instrument_code = $2 and id > $3
    union all
    select account_id, instrument_code, id, 'SEASON', quantity, 0, 0, cost_won, cost_quote,
        0, null, 0, 1, 0, 0
    from ended_holding where account_id = $1 and instrument_code = $2 and id > $3
    order by id";

async fn holdings(
    connection: &mut PgConnection,
    ids: &[i64],
    reach: Reach,
) -> Result<Vec<Finding>, sqlx::Error> {
    let mut findings = Vec::new();
    let rows = sqlx::query(DIFFERENT)
        .bind(ids)
        .bind(reach.generation)
        .fetch_all(&mut *connection)
        .await?;
    for row in &rows {
        let account_id: i64 = row.try_get("account_id")?;
        let code: &str = row.try_get("instrument_code")?;
        let mut replay = Replay::known(row)?;
        let newer = sqlx::query(NEWER)
            .bind(account_id)
            .bind(code)
            .bind(reach.fills);
        let mut lines = newer.fetch(&mut *connection);
        // Newer fills are checked by themselves.
        let mut said_later = Vec::new();
        while let Some(line) = lines.try_next().await? {
            replay.play(&Line::read(&line)?, &mut said_later);
        }
        let detail = different(row, &replay)?;
        findings.extend(detail.map(|detail| Finding {
            check: REPLAYED,
            row: format!("holding {account_id}/{code}"),
            detail,
        }));
    }
    Ok(findings)
}

fn different(row: &sqlx::postgres::PgRow, replay: &Replay) -> Result<Option<String>, sqlx::Error> {
    let made = &replay.holding;
    let Some(quantity) = row.try_get::<Option<Decimal>, _>("quantity")? else {
        return Ok(Some("has fills but no row".to_owned()));
    };
    let cost = Won(row.try_get("cost_won")?);
    let quote: Decimal = row.try_get("cost_quote")?;
    let is = (Quantity(quantity), cost, quote);
    if is == (made.quantity, made.cost_won, made.cost_quote) {
        return Ok(None);
    }
    Ok(Some(format!(
        "quantity {quantity} cost {}, replayed {} cost {}",
        cost.0, made.quantity, made.cost_won.0
    )))
}
