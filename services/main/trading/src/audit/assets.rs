//! Checks of education points, cash and items: their rows, the ledger and what an account's profit is
//! measured against say the same, and no more items are sold than there are.

use sqlx::PgConnection;

use super::Finding;
use super::check::{Check, finding};

const SOLD: &str = "as many of a limited item are sold as were bought";

/// With the ids of journals in `$1 < id <= $2`.
pub(super) const JOURNALS: [Check; 1] = [Check {
    name: "the ledger says of points, cash and items what their rows say",
    sql: "select 'journal ' || j.id as row, j.kind || ' for ' || j.source_type || ' ' || \
            j.source_id || ': EP ' || e.ep || ', CASH ' || e.cash || ', KRW ' || e.won as detail \
          from journal j \
          left join point_change p \
            on p.id = case j.source_type when 'POINT_CHANGE' then j.source_id::bigint end \
          left join cash_change c \
            on c.id = case j.source_type when 'CASH_CHANGE' then j.source_id::bigint end \
          left join purchase b \
            on b.id = case j.source_type when 'PURCHASE' then j.source_id::bigint end \
          cross join lateral (select \
              coalesce(sum(amount) filter (where asset = 'EP'), 0) as ep, \
              coalesce(sum(amount) filter (where asset = 'CASH'), 0) as cash, \
              coalesce(sum(amount) filter (where asset = 'KRW'), 0) as won \
            from entry where journal_id = j.id \
              and account_id = coalesce(p.account_id, c.account_id, b.account_id)) e \
          cross join lateral (select \
              case j.kind when 'ITEM_REFUNDED' then -1 else 1 end as sign, \
              case b.currency when 'CASH' then b.spent else 0 end as cash, \
              case b.currency when 'KRW' then b.spent else 0 end as won) s \
          where j.id > $1 and j.id <= $2 and j.kind in ('POINTS_EARNED', 'POINTS_AWARDED', \
            'POINTS_MOVED', 'POINTS_SPENT', 'CASH_GRANTED', 'CASH_EXCHANGED', 'ITEM_BOUGHT', 'ITEM_REFUNDED') \
            and not coalesce(case j.source_type \
              when 'POINT_CHANGE' then j.kind = 'POINTS_' || p.kind \
                and (e.ep, e.cash, e.won) = (p.points, 0, p.won) \
                and (p.kind <> 'MOVED' or p.won = -p.points * 100 * p.multiplier_tenths) \
              when 'CASH_CHANGE' then j.kind = 'CASH_' || c.kind \
                and (e.ep, e.cash, e.won) = (0, c.cash, c.won) \
                and (c.kind <> 'EXCHANGED' or c.won = -c.cash * 1000) \
              when 'PURCHASE' then j.kind in ('ITEM_BOUGHT', 'ITEM_REFUNDED') \
                and (e.ep, e.cash, e.won) \
                  = (0, -s.cash * s.sign, (b.deposit_won - s.won) * s.sign) \
              end, false)",
}];

/// With the ids of accounts in `$1`.
pub(super) const ACCOUNTS: [Check; 6] = [
    Check {
        name: "a member's points are those earned less those moved and spent",
        sql: "select 'account ' || a.id as row, 'EP ' || coalesce(b.amount, 0) || ', changes ' || \
                s.points || '; earned ' || coalesce(t.earned, 0) || ' of ' || s.earned || \
                ', moved ' || coalesce(t.moved, 0) || ' of ' || s.moved || \
                ', spent ' || coalesce(t.spent, 0) || ' of ' || s.spent as detail \
              from account a \
              left join balance b on b.account_id = a.id and b.asset = 'EP' \
              left join point_total t on t.account_id = a.id \
              cross join lateral (select coalesce(sum(points), 0) as points, \
                  coalesce(sum(points) filter (where kind in ('EARNED', 'AWARDED')), 0) as earned, \
                  coalesce(-sum(points) filter (where kind = 'MOVED'), 0) as moved, \
                  coalesce(-sum(points) filter (where kind = 'SPENT'), 0) as spent \
                from point_change where account_id = a.id) s \
              where a.id = any($1) and (coalesce(b.amount, 0), coalesce(t.earned, 0), \
                  coalesce(t.moved, 0), coalesce(t.spent, 0)) \
                <> (s.points, s.earned, s.moved, s.spent)",
    },
    Check {
        name: "an account's base has the won that its points brought",
        sql: "select 'account ' || a.id as row, 'education deposit ' || \
                a.education_deposit_won + o.won || ', moved ' || s.won as detail from account a \
              cross join lateral (select coalesce(sum(education_deposit_won), 0) as won \
                from past_season where account_id = a.id) o \
              cross join lateral (select coalesce(sum(won), 0) as won \
                from point_change where account_id = a.id) s \
              where a.id = any($1) and a.education_deposit_won + o.won <> s.won",
    },
    Check {
        name: "a member's cash is that granted less that exchanged and paid for items",
        sql: "select 'account ' || a.id as row, 'CASH ' || coalesce(b.amount, 0) || \
                ', changes ' || c.cash || ', items ' || p.cash as detail from account a \
              left join balance b on b.account_id = a.id and b.asset = 'CASH' \
              cross join lateral (select coalesce(sum(cash), 0) as cash \
                from cash_change where account_id = a.id) c \
              cross join lateral (select coalesce(sum(spent), 0) as cash from purchase \
                where account_id = a.id and currency = 'CASH' and status = 'COMPLETED') p \
              where a.id = any($1) and coalesce(b.amount, 0) <> c.cash - p.cash",
    },
    Check {
        name: "an account's base has what cash, packs and items changed of it",
        sql: "select 'account ' || a.id as row, 'bought ' || a.bought_deposit_won + o.bought || \
                ' of ' || c.won + p.deposit || ', items ' || a.purchased_items_won + o.items || \
                ' of ' || p.items as detail from account a \
              cross join lateral (select coalesce(sum(bought_deposit_won), 0) as bought, \
                  coalesce(sum(purchased_items_won), 0) as items \
                from past_season where account_id = a.id) o \
              cross join lateral (select coalesce(sum(won), 0) as won \
                from cash_change where account_id = a.id) c \
              cross join lateral (select coalesce(sum(deposit_won), 0) as deposit, \
                  coalesce(sum(spent) filter (where currency = 'KRW'), 0) as items \
                from purchase where account_id = a.id and status = 'COMPLETED') p \
              where a.id = any($1) \
                and (a.bought_deposit_won + o.bought, a.purchased_items_won + o.items) \
                <> (c.won + p.deposit, p.items)",
    },
    Check {
        name: "every purchase is in the ledger, and its refund if there was one",
        sql: "select 'purchase ' || p.id as row, p.status || ', bought ' || j.bought || \
                ', refunded ' || j.refunded as detail from purchase p \
              cross join lateral (select count(*) filter (where kind = 'ITEM_BOUGHT') as bought, \
                  count(*) filter (where kind = 'ITEM_REFUNDED') as refunded \
                from journal where kind in ('ITEM_BOUGHT', 'ITEM_REFUNDED') \
                  and source_type = 'PURCHASE' and source_id = p.id::text) j \
              where p.account_id = any($1) and (j.bought, j.refunded) \
                <> (1, case p.status when 'REFUNDED' then 1 else 0 end)",
    },
    Check {
        name: "a member owns what was bought",
        sql: "select 'item ' || coalesce(m.item_id, p.item_id) || ' of account ' || \
                coalesce(m.account_id, p.account_id) as row, 'owns ' || \
                coalesce(m.quantity, 0) || ', bought ' || coalesce(p.quantity, 0) as detail \
              from (select * from member_item where account_id = any($1)) m \
              full join (select account_id, item_id, sum(quantity) as quantity from purchase \
                where account_id = any($1) and status = 'COMPLETED' \
                group by account_id, item_id) p using (account_id, item_id) \
              where coalesce(m.quantity, 0) <> coalesce(p.quantity, 0)",
    },
];

/// Purchases of an item that anybody may have are not counted.
const SOLD_SQL: &str = "
    select 'item ' || i.id as row, 'sold ' || i.sold || ' of ' || i.stock || ', bought ' || p.sum
        as detail
    from item i
    cross join lateral (select coalesce(sum(quantity), 0) as sum from purchase
        where item_id = i.id and status = 'COMPLETED') p
    where i.stock is not null and (i.sold <> p.sum or i.sold > i.stock)";

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let checks = JOURNALS.iter().chain(&ACCOUNTS);
    checks.map(|check| check.name).chain([SOLD])
}

/// Findings of the present stock.
pub(super) async fn stock(connection: &mut PgConnection) -> Result<Vec<Finding>, sqlx::Error> {
    let rows = sqlx::query(SOLD_SQL).fetch_all(connection).await?;
    rows.iter().map(|row| finding(SOLD, row)).collect()
}
