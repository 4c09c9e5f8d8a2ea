//! Checks of competitions: accounts and entries belong together, what has ended has nothing left, and
//! results and prizes follow from it.

use sqlx::PgConnection;

use super::Finding;
use super::check::{Check, all_of_ids};

/// With `$1` ids of accounts. Prizes are checked with the account of the event's first member.
const CHECKS: [Check; 10] = [
    Check {
        name: "an account of a competition is that of its entry, with the event's cash",
        sql: "select 'account ' || a.id as row, 'code ' || a.code || ', initial deposit ' || \
                a.initial_deposit_won || ', entry ' || coalesce(c.start_cash_won::text, 'none') \
                as detail from account a \
              left join competition_entry e on e.account_id = a.id and e.member_id = a.member_id \
              left join competition c on c.id = e.competition_id \
              where a.id = any($1) and (a.code = '99') <> (c.id is not null) \
                or a.id = any($1) and a.code = '99' \
                  and (a.initial_deposit_won, a.education_deposit_won, a.bought_deposit_won, \
                    a.purchased_items_won, a.net_transfers_won) \
                    is distinct from (c.start_cash_won, 0, 0, 0, 0)",
    },
    Check {
        name: "an account of a competition that has ended is closed, and nothing is left or comes later",
        sql: "select 'account ' || a.id as row, 'open ' || (a.closed_at is null) || ', holdings ' || \
                l.holdings || ', orders ' || l.orders || ', held ' || b.held || ', later journals ' \
                || l.journals as detail \
              from competition_entry e join account a on a.id = e.account_id \
              join balance b on b.account_id = a.id and b.asset = 'KRW' \
              cross join lateral (select \
                (select count(*) from holding h where h.account_id = a.id and h.quantity > 0) \
                  as holdings, \
                (select count(*) from trade_order o where o.member_id = a.member_id \
                  and o.account_id = a.id and o.status in ('QUEUED', 'ACCEPTED', 'PARTIAL')) \
                  as orders, \
                (select count(*) from entry p where p.account_id = a.id \
                  and p.journal_id > e.last_journal) as journals) l \
              where e.account_id = any($1) and (e.last_journal is not null or e.left_at is not null) \
                and (a.closed_at is null or b.held <> 0 \
                  or (l.holdings, l.orders, l.journals) <> (0, 0, 0))",
    },
    Check {
        name: "a competition is measured at its last prices",
        sql: "select 'ended holding ' || h.id as row, 'price ' || coalesce(h.price, 0) || ', of the event ' \
                || coalesce(p.price, 0) as detail \
              from competition_entry e join competition c on c.id = e.competition_id \
              join ended_holding h on h.account_id = e.account_id \
              join holding o on o.account_id = h.account_id \
                and o.instrument_code = h.instrument_code \
              left join competition_price p on p.competition_id = c.id \
                and p.instrument_code = h.instrument_code \
                and (o.currency = 'KRW' or c.dollar_won is not null) \
              cross join lateral (select coalesce(exp(sum(ln(numerator::numeric / denominator))), 1) \
                  as ratio, count(*) > 0 as is_split from holding_split s \
                where s.account_id = h.account_id and s.instrument_code = h.instrument_code \
                  and s.trading_day > to_char((c.ends_at - interval '1 microsecond') \
                    at time zone 'Asia/Seoul', 'YYYYMMDD')::integer) s \
              where e.account_id = any($1) and e.left_at is null and not c.is_canceled \
                and (case when s.is_split then (h.price is null) <> (p.price is null) \
                    or abs(h.price * s.ratio - p.price) > p.price * 0.000001 \
                  else h.price is distinct from p.price end or o.currency = 'USD' \
                  and h.price is not null and h.fx_rate is distinct from c.dollar_won)",
    },
    Check {
        // Every fill of its accounts was before the end.
        name: "no fill of a competition is of a later tick than its last price",
        sql: "select 'fill ' || f.id as row, 'tick ' || f.tick_seq || ' at ' || f.tick_price || \
                ', last tick ' || p.tick_seq || ' at ' || p.price as detail \
              from competition_entry e \
              join competition_price p on p.competition_id = e.competition_id \
              join fill f on f.account_id = e.account_id and f.instrument_code = p.instrument_code \
              where e.account_id = any($1) and (f.tick_seq > p.tick_seq \
                or f.tick_seq = p.tick_seq and f.tick_price <> p.price)",
    },
    Check {
        name: "a result is what the account had",
        sql: "select 'account ' || e.account_id as row, 'result ' || coalesce(r.cash_won, 0) || ' + ' || \
                coalesce(r.holdings_won, 0) || ' ' || coalesce(r.return_rate, 0) || ' %, had ' || \
                b.amount || ' + ' || h.won || ', rose ' || x.rate || ' %' as detail \
              from competition_entry e join competition c on c.id = e.competition_id \
              join balance b on b.account_id = e.account_id and b.asset = 'KRW' \
              left join competition_result r on r.competition_id = e.competition_id \
                and r.member_id = e.member_id \
              cross join lateral (select coalesce(sum(value_won), 0) as won from ended_holding \
                where account_id = e.account_id) h \
              cross join lateral (select (b.amount + h.won - c.start_cash_won) * 100::numeric \
                / c.start_cash_won as rate) x \
              where e.account_id = any($1) and e.last_journal is not null and e.left_at is null \
                and not c.is_canceled and (r.member_id is null or (r.cash_won, r.holdings_won) <> (b.amount, h.won) \
                  or abs(r.return_rate - x.rate) > 0.00005)",
    },
    Check {
        // Days after the end do not count, though the account was closed later.
        name: "a result has the largest fall of its days",
        sql: "select 'account ' || e.account_id as row, 'fell by ' || r.drawdown_rate || ' %, days say ' \
                || round(f.fall / 10000, 4) as detail \
              from competition_entry e join competition c on c.id = e.competition_id \
              join competition_result r on r.competition_id = e.competition_id \
                and r.member_id = e.member_id \
              cross join lateral (select max(div((peak - equity) * 1000000::numeric, \
                  greatest(peak, 1)::numeric)) as fall \
                from (select equity, \
                    greatest(c.start_cash_won, max(equity) over (order by day)) as peak \
                  from (select day, cash_won + holdings_won as equity from equity_day \
                      where account_id = e.account_id \
                        and day < (c.ends_at at time zone 'Asia/Seoul')::date \
                    union all \
                    select 'infinity', r.cash_won + r.holdings_won) ends) peaks) f \
              where e.account_id = any($1) and r.drawdown_rate * 10000 <> f.fall",
    },
    Check {
        // All of it, or as far as a rank may require it.
        name: "a result counts what the account bought",
        sql: "select 'account ' || e.account_id as row, 'result ' || r.buys || ', ' || r.items || ', ' \
                || r.days || ', fills ' || f.buys || ', ' || f.items || ', ' || f.days as detail \
              from competition_entry e join competition_result r using (competition_id, member_id) \
              cross join lateral (select count(distinct order_id) as buys, \
                count(distinct instrument_code) as items, count(distinct trading_day) as days \
                from fill where account_id = e.account_id and side = 'BUY') f \
              where e.account_id = any($1) and (r.buys, r.items, r.days) <> (f.buys, f.items, f.days) \
                and (r.buys, r.items, r.days) <> (least(f.buys, 3), least(f.items, 2), least(f.days, 2))",
    },
    Check {
        name: "prizes are those of the places, credited once",
        sql: "with event as (select c.id, c.awarded_at from competition c \
                cross join lateral (select account_id from competition_entry \
                  where competition_id = c.id order by member_id limit 1) f \
                where c.closed_at is not null and f.account_id = any($1)), \
              wanted as (select k.competition_id, k.board, k.place, k.member_id, p.points, \
                  exists (select from competition_objection o where o.competition_id = v.id \
                    and k.member_id = any(o.withheld_from)) as is_withheld \
                from event v join competition_prize p on p.competition_id = v.id \
                join competition_rank k on k.competition_id = v.id and k.board = p.board \
                  and k.place between p.first_place and p.last_place \
                where v.awarded_at is not null), \
              has as (select w.*, c.kind, c.points as credited, a.member_id as credited_to \
                from event v join competition_award w on w.competition_id = v.id \
                left join point_change c on c.id = w.point_change_id \
                left join account a on a.id = c.account_id) \
              select 'competition ' || competition_id || ' ' || board || ' place ' || place as row, \
                'prize of member ' || coalesce(w.member_id, 0) || ' ' || coalesce(w.points, 0) || \
                ', awarded to ' || coalesce(h.member_id, 0) || ' ' || coalesce(h.points, 0) || \
                ', credited to ' || coalesce(h.credited_to, 0) || ' ' || coalesce(h.credited, 0) \
                as detail \
              from wanted w full join has h using (competition_id, board, place) \
              where (w.member_id, w.points) is distinct from (h.member_id, h.points) \
                or w.is_withheld is distinct from (h.point_change_id is null) \
                or h.point_change_id is not null and (h.kind, h.credited, h.credited_to) \
                  is distinct from ('AWARDED', h.points, h.member_id)",
    },
    Check {
        name: "a competition that was canceled has neither results nor prizes, and is closed",
        sql: "select 'competition ' || c.id as row, 'results ' || n.results || ', awards ' || n.awards \
                || ', open accounts ' || n.open || ', last prices ' || coalesce(c.closing_at::text, 'none') \
                || ', prizes due ' || coalesce(c.award_at::text, 'never') as detail \
              from competition c \
              cross join lateral (select account_id from competition_entry \
                where competition_id = c.id order by member_id limit 1) f \
              cross join lateral (select \
                (select count(*) from competition_result where competition_id = c.id) as results, \
                (select count(*) from competition_award where competition_id = c.id) as awards, \
                (select count(*) from competition_entry where competition_id = c.id \
                  and left_at is null and last_journal is null) as open) n \
              where c.is_canceled and f.account_id = any($1) \
                and (c.closing_at is not null or c.award_at is not null or c.awarded_at is not null \
                  or n.results > 0 or n.awards > 0 or c.closed_at is not null and n.open > 0)",
    },
    Check {
        name: "points that were awarded are a prize",
        sql: "select 'point change ' || p.id as row, p.points || ' for ' || \
                coalesce(p.source_key, 'nothing') as detail from point_change p \
              where p.account_id = any($1) and p.kind = 'AWARDED' \
                and not exists (select from competition_award where point_change_id = p.id)",
    },
];

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    CHECKS.iter().map(|check| check.name)
}

/// Findings in the competitions of some accounts.
pub(super) async fn check(
    connection: &mut PgConnection,
    ids: &[i64],
) -> Result<Vec<Finding>, sqlx::Error> {
    all_of_ids(&CHECKS, connection, ids).await
}
