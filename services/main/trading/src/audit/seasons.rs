//! Checks of past seasons: each is closed in the ledger, was worth what its holdings and cash say, was
//! measured against what it was given, and left nothing open.

use kernel::{Currency, Price, Quantity, Won};
use rust_decimal::Decimal;
use sqlx::{PgConnection, Row};

use super::Finding;
use super::check::{Check, all_of_ids};
use crate::accounts::profit;

const VALUED: &str = "a holding at the end of a season is worth its price";

/// With `$1` ids of accounts. Bounds of journals are those of the rows that are found by account, or
/// each season reads all that the account has.
const CHECKS: [Check; 7] = [
    Check {
        name: "seasons are numbered without gaps and the present one comes last",
        sql: "select 'account ' || a.id as row, 'season ' || a.season || ', past ' || p.past || \
                ' up to ' || p.newest || ', out of order ' || p.wrong as detail \
              from account a \
              cross join lateral (select count(*) as past, coalesce(max(season), 0) as newest, \
                  count(*) filter (where last_fill <= before_fill \
                    or last_journal <= before_journal or last_order <= before_order \
                    or began_at < before_end) as wrong \
                from (select season, last_fill, last_journal, last_order, began_at, \
                    lag(last_fill) over w as before_fill, \
                    lag(last_journal) over w as before_journal, \
                    lag(last_order) over w as before_order, lag(ended_at) over w as before_end \
                  from past_season where account_id = a.id window w as (order by season)) o) p \
              where a.id = any($1) and a.code = '00' \
                and (p.past <> p.newest or a.season <> p.newest + 1 or p.wrong > 0)",
    },
    Check {
        name: "a season that has ended is closed in the ledger, and the next is opened",
        sql: "select 'season ' || p.season || ' of account ' || p.account_id as row, 'cash ' || \
                p.cash_won || ', closed with ' || e.closed || ', next deposit ' || \
                n.deposit || ', opened with ' || e.opened as detail \
              from past_season p join account a on a.id = p.account_id \
              cross join lateral (select coalesce((select initial_deposit_won from past_season o \
                where o.member_id = p.member_id and o.season = p.season + 1), \
                a.initial_deposit_won) as deposit) n \
              cross join lateral (select \
                  coalesce(sum(-amount) filter (where j.kind = 'SEASON_CLOSED' \
                    and j.id = p.last_journal), 0) as closed, \
                  coalesce(sum(amount) filter (where j.kind = 'SEASON_OPENED'), 0) as opened \
                from journal j join entry e on e.journal_id = j.id \
                  and e.account_id = p.account_id and e.asset = 'KRW' \
                where j.source_type = 'SEASON' and (j.kind, j.source_id) in ( \
                  ('SEASON_CLOSED', p.account_id || ':' || p.season), \
                  ('SEASON_OPENED', p.account_id || ':' || p.season + 1))) e \
              where p.account_id = any($1) and (e.closed, e.opened) <> (p.cash_won, n.deposit)",
    },
    Check {
        name: "a season left in cash what its entries brought",
        sql: "select 'season ' || p.season || ' of account ' || p.account_id as row, 'cash ' || \
                p.cash_won || ', entries ' || e.won || ', with their end ' || e.left_over as detail \
              from past_season p \
              cross join lateral (select coalesce(max(last_journal), 0) as last_journal \
                from past_season o where o.member_id = p.member_id and o.season < p.season) before \
              cross join lateral (select coalesce(sum(amount), 0) as left_over, \
                  coalesce(sum(amount) filter (where j.kind <> 'SEASON_CLOSED'), 0) as won \
                from entry e join journal j on j.id = e.journal_id \
                where e.account_id = p.account_id and e.asset = 'KRW' \
                  and e.journal_id > before.last_journal and e.journal_id <= p.last_journal) e \
              where p.account_id = any($1) and (e.won, e.left_over) <> (p.cash_won, 0)",
    },
    Check {
        name: "a season was measured against what it was given",
        sql: "select 'season ' || p.season || ' of account ' || p.account_id as row, \
                'points ' || p.education_deposit_won || ' of ' || e.points || ', bought ' || \
                p.bought_deposit_won || ' of ' || e.bought || ', items ' || \
                p.purchased_items_won || ' of ' || e.items || ', transfers ' || \
                p.net_transfers_won || ' of ' || e.transfers as detail \
              from past_season p \
              cross join lateral (select coalesce(max(last_journal), 0) as last_journal \
                from past_season o where o.member_id = p.member_id and o.season < p.season) before \
              cross join lateral (select \
                  coalesce(sum(amount) filter (where kind = 'POINTS_MOVED'), 0) as points, \
                  coalesce(sum(amount) filter (where kind = 'CASH_EXCHANGED' or is_pack), 0) \
                    as bought, \
                  coalesce(-sum(amount) filter (where kind in ('ITEM_BOUGHT', 'ITEM_REFUNDED') \
                    and not is_pack), 0) as items, \
                  coalesce(sum(amount) filter (where kind in ('TRANSFERRED', 'CONTRACT_OPENED', \
                    'CONTRACT_PAID', 'CONTRACT_CLOSED')), 0) as transfers \
                from (select e.amount, j.kind, \
                    j.kind in ('ITEM_BOUGHT', 'ITEM_REFUNDED') and b.currency = 'CASH' as is_pack \
                  from cash_movement m join journal j on j.id = m.journal_id \
                  join entry e on e.journal_id = j.id and e.account_id = m.account_id \
                    and e.asset = 'KRW' \
                  left join purchase b on b.id = case j.source_type \
                    when 'PURCHASE' then j.source_id::bigint end \
                  where m.account_id = p.account_id \
                    and m.journal_id > before.last_journal and m.journal_id <= p.last_journal) k) e \
              where p.account_id = any($1) and (p.education_deposit_won, p.bought_deposit_won, \
                  p.purchased_items_won, p.net_transfers_won) \
                <> (e.points, e.bought, e.items, e.transfers)",
    },
    Check {
        name: "a season ended with the sum of its holdings",
        sql: "select 'season ' || p.season || ' of account ' || p.account_id as row, \
                'holdings ' || p.holdings_won || ' for ' || p.holdings_cost_won || ', ended ' || \
                h.won || ' for ' || h.cost as detail from past_season p \
              cross join lateral (select coalesce(sum(value_won), 0) as won, \
                  coalesce(sum(cost_won), 0) as cost from ended_holding \
                where member_id = p.member_id and season = p.season) h \
              where p.account_id = any($1) \
                and (h.won, h.cost) <> (p.holdings_won, p.holdings_cost_won)",
    },
    Check {
        name: "a season that has ended leaves nothing open",
        sql: "select 'season ' || p.season || ' of account ' || p.account_id as row, \
                o.orders || ' orders, ' || o.accounts || ' accounts, ' || o.holdings || \
                ' holdings of another season' as detail from past_season p \
              cross join lateral (select \
                (select count(*) from trade_order t where t.member_id = p.member_id \
                  and t.status in ('QUEUED', 'ACCEPTED', 'PARTIAL') and t.id <= p.last_order \
                  and not exists (select from competition_entry where account_id = t.account_id)) \
                  as orders, \
                (select count(*) from account s where s.member_id = p.member_id \
                  and s.code not in ('00', '99') and s.season = p.season \
                  and s.closed_at is null) as accounts, \
                (select count(*) from ended_holding h left join account s on s.id = h.account_id \
                  where h.member_id = p.member_id and h.season = p.season \
                    and (s.member_id is distinct from p.member_id \
                      or s.code <> '00' and s.season <> p.season)) as holdings) o \
              where p.account_id = any($1) and (o.orders, o.accounts, o.holdings) <> (0, 0, 0)",
    },
    Check {
        name: "as many tickets are used up as seasons ended by one",
        sql: "select 'account ' || a.id as row, 'used ' || m.used || ', seasons ' || p.seasons \
                as detail from account a \
              cross join lateral (select coalesce(sum(m.used), 0) as used from member_item m \
                join item i on i.id = m.item_id and i.category = 'SEASON_TICKET' \
                where m.account_id = a.id) m \
              cross join lateral (select count(*) filter (where used_ticket) as seasons \
                from past_season where account_id = a.id) p \
              where a.id = any($1) and a.code = '00' and m.used <> p.seasons",
    },
];

const ENDED: &str = "
    select e.id, e.quantity, e.cost_won, e.price, e.fx_rate, e.value_won, h.currency
    from ended_holding e join holding h
        on h.account_id = e.account_id and h.instrument_code = e.instrument_code
    where e.account_id = any($1)";

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    CHECKS.iter().map(|check| check.name).chain([VALUED])
}

/// Findings in the past seasons of some accounts.
pub(super) async fn check(
    connection: &mut PgConnection,
    ids: &[i64],
) -> Result<Vec<Finding>, sqlx::Error> {
    let mut findings = valued(connection, ids).await?;
    findings.extend(all_of_ids(&CHECKS, connection, ids).await?);
    Ok(findings)
}

/// Computes every value again; without a price it is what the holding cost.
async fn valued(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<Finding>, sqlx::Error> {
    let rows = sqlx::query(ENDED)
        .bind(ids)
        .fetch_all(&mut *connection)
        .await?;
    let mut findings = Vec::new();
    for row in &rows {
        let currency = match row.try_get::<&str, _>("currency")? {
            "USD" => Currency::Usd,
            _ => Currency::Krw,
        };
        let quantity = Quantity(row.try_get("quantity")?);
        let fx_rate: Option<Decimal> = row.try_get("fx_rate")?;
        let recorded: i64 = row.try_get("value_won")?;
        let worth = match row.try_get::<Option<Decimal>, _>("price")? {
            Some(price) => profit::value(Price(price), quantity, currency, fx_rate),
            None => Some(Won(row.try_get("cost_won")?)),
        };
        if worth != Some(Won(recorded)) {
            let id: i64 = row.try_get("id")?;
            findings.push(Finding {
                check: VALUED,
                row: format!("ended holding {id}"),
                detail: format!("value {recorded}, worth {worth:?}"),
            });
        }
    }
    Ok(findings)
}
