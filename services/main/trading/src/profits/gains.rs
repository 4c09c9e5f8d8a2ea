//! The statements that read gains and costs, and group them.
//!
//! They differ in the fills that they read, which grow without end: sums read all of a span, a page only
//! those of its days, its orders or its items. All else that an account did is little. `offset 0` keeps the
//! planner from joining orders or items with all fills.
//!
//! Parameters of all: 1 accounts; 2, 3 the instants from and before which history is read; 4 markets or
//! null; 5 the instrument or null; 6–15 what is owned ([`super::owned::Owned`]); 16 the present day;
//! 17, 18 first (or null) and last day of the span; 19 kind; 20 grouping; 21 the member; 22, 23 the fills
//! after and through which the season goes; 24 the season, or null of accounts that no season bounds.
//! Pages have besides: 25, 26 day and key of the last row of the page before, or null; 27 limit; 28 offset.
//!
//! A gain has two parts: that of the price in its own currency, at the exchange rate of the sale,
//! and that of the exchange rate. Purchases have no gain, but fees.

/// What is read of a fill.
macro_rules! columns {
    () => {
        "account_id, instrument_code, order_id, side, event_time, quantity, price, fx_rate, amount_won, \
         base_won, fee_won, tax_won, cost_won, cost_quote"
    };
}

/// From the fills in `filled` to rows of the span, as `gained`.
macro_rules! gained {
    () => {
        r#"
), read as (
    select (f.event_time at time zone 'Asia/Seoul')::date as day,
        case f.side when 'SELL' then 'REALIZED' else 'BOUGHT' end as kind,
        f.instrument_code as code, h.instrument_name as name, h.market, h.currency,
        case f.side when 'SELL' then f.order_id end as order_id,
        case f.side when 'SELL' then f.quantity end as quantity,
        f.cost_won as basis, f.cost_quote as basis_quote, f.price * f.quantity as quote,
        case f.side when 'SELL' then f.base_won - f.cost_won else 0 end as gain,
        case when f.side = 'BUY' then 0
            when f.fx_rate is null then f.base_won - f.cost_won
            else trunc((f.price * f.quantity - f.cost_quote) * f.fx_rate)::bigint
        end as price_part,
        0::bigint as income, f.fee_won as fee, f.tax_won as tax,
        case f.side when 'SELL' then f.base_won - f.amount_won else 0 end as fx
    from filled f
    join holding h on h.account_id = f.account_id and h.instrument_code = f.instrument_code
union all
    select d.day, 'REALIZED', s.instrument_code, h.instrument_name, h.market, h.currency, null,
        null, s.cost_won, s.cost_quote, 0, s.paid_won - s.cost_won, s.paid_won - s.cost_won,
        0, 0, 0, 0
    from holding_split s
    join holding h on h.account_id = s.account_id and h.instrument_code = s.instrument_code
    left join journal j on j.kind = 'SHARE_SPLIT' and j.source_type = 'HOLDING_SPLIT'
        and j.source_id = s.id::text
    cross join lateral (select coalesce((j.occurred_at at time zone 'Asia/Seoul')::date,
        to_date(s.trading_day::text, 'YYYYMMDD')) as day) d
    where s.account_id = any($1) and (s.paid_won, s.cost_won) <> (0, 0)
        and s.id > $22 and s.id <= $23
        and d.day >= ($2 at time zone 'Asia/Seoul')::date
        and d.day < ($3 at time zone 'Asia/Seoul')::date
union all
    select (s.paid_at at time zone 'Asia/Seoul')::date, 'DIVIDEND', d.instrument_code,
        s.instrument_name, h.market, h.currency, null, null, 0, 0, 0, 0, 0,
        s.base_won, 0, s.tax_won, s.base_won - s.gross_won
    from dividend_share s join dividend d on d.id = s.dividend_id
    join holding h on h.account_id = s.account_id and h.instrument_code = d.instrument_code
    where s.member_id = $21 and s.account_id = any($1)
        and s.paid_at >= $2 and s.paid_at < $3
        and ($24::integer is null or s.season = $24) and not s.lapsed
union all
    select (i.ended_at at time zone 'Asia/Seoul')::date, 'INTEREST', a.account_no,
        coalesce(a.name, 'CMA'), 'PRODUCT', null, null, null, 0, 0, 0, 0, 0,
        i.gross_won, 0, i.income_tax_won + i.local_tax_won, 0
    from cma_interest i join account a on a.id = i.account_id
    where i.account_id = any($1) and i.gross_won > 0 and i.ended_at >= $2 and i.ended_at < $3
union all
    select i.earned_to, 'INTEREST', a.account_no, coalesce(a.name, ''), 'PRODUCT', null, null,
        null, 0, 0, 0, 0, 0, i.gross_won, 0, i.income_tax_won + i.local_tax_won, 0
    from contract_interest i join account a on a.id = i.account_id
    where i.account_id = any($1) and i.gross_won > 0
        and i.earned_to >= ($2 at time zone 'Asia/Seoul')::date
        and i.earned_to < ($3 at time zone 'Asia/Seoul')::date
union all
    select $16, 'UNREALIZED', o.code, o.name, o.market, nullif(o.currency, ''), null,
        nullif(o.quantity, 0), o.basis, o.basis_quote, o.quote, o.gain, o.price_part, 0, 0, 0, 0
    from unnest($6::text[], $7::text[], $8::text[], $9::text[], $10::numeric[], $11::bigint[],
        $12::numeric[], $13::numeric[], $14::bigint[], $15::bigint[])
        as o(code, name, market, currency, quantity, basis, basis_quote, quote, gain, price_part)
), gained as materialized (
    select *, day >= coalesce($17::date, '-infinity') and day <= $18::date as in_span
    from read
    where ($4::text[] is null or market = any($4)) and ($5::text is null or code = $5)
)"#
    };
}

/// Those of the kind, each with the key of its group, as `chosen`.
macro_rules! chosen {
    () => {
        r#", chosen as (
    select *, fee + tax + fx as cost, case $20
            when 'ITEM' then code
            when 'DAY' then to_char(day, 'YYYYMMDD')
            when 'MONTH' then to_char(day, 'YYYYMM')
            when 'YEAR' then to_char(day, 'YYYY')
            else lpad(order_id::text, 19, '0')
        end collate "C" as key
    from gained
    where in_span and ($20 <> 'SALE' or order_id is not null)
        and case $19 when 'ALL' then true when 'COST' then fee + tax + fx <> 0
            else kind = $19 end
)"#
    };
}

/// The groups of a page.
macro_rules! page {
    ($only:literal) => {
        concat!(
            gained!(),
            chosen!(),
            r#", grouped as (
    select key, max(day) as day, max(code) as code, max(name) as name, max(market) as market,
        max(currency) as currency, max(order_id) as order_id,
        sum(quantity) filter (where kind = 'REALIZED' or $19 = 'UNREALIZED') as quantity,
        sum(basis_quote) filter (where quantity is not null
            and (kind = 'REALIZED' or $19 = 'UNREALIZED')) as basis_quote,
        sum(quote) filter (where quantity is not null
            and (kind = 'REALIZED' or $19 = 'UNREALIZED')) as quote,
        sum(case $19 when 'COST' then 0 else gain end)::bigint as gain,
        sum(case $19 when 'COST' then 0 else price_part end)::bigint as price_part,
        sum(case $19 when 'COST' then 0 else income end)::bigint as income,
        sum(cost)::bigint as cost, sum(basis)::bigint as basis,
        count(distinct order_id)::integer as sales
    from chosen group by key
), page as (
    select * from grouped
    where ($25::date is null or (day, key) < ($25, $26 collate "C"))"#,
            $only,
            r#"
    order by day desc, key desc limit $27 offset $28
)
select key, day, code, name, market, currency, order_id, quantity,
    round(basis_quote / nullif(quantity, 0), 8) as buy_average,
    round(nullif(quote, 0) / nullif(quantity, 0), 8) as sell_price,
    gain, price_part, income, cost, basis, sales
from page order by day desc, key desc"#
        )
    };
}

/// Sums of all history of a span, without what is owned, and the number of all groups, with it.
///
/// Fills are read by account and day before anything else: by holding they would be all of them.
pub(super) const TOTALS: &str = concat!(
    "with filled as materialized (
    select ",
    columns!(),
    " from fill
    where account_id = any($1) and event_time >= $2 and event_time < $3
        and id > $22 and id <= $23",
    gained!(),
    chosen!(),
    r#"
select coalesce(sum(gain) filter (where kind = 'REALIZED' and in_span), 0)::bigint as realized,
    coalesce(sum(income) filter (where in_span), 0)::bigint as income,
    coalesce(sum(fee) filter (where in_span), 0)::bigint as fee,
    coalesce(sum(tax) filter (where in_span), 0)::bigint as tax,
    coalesce(sum(fx) filter (where in_span), 0)::bigint as fx,
    coalesce(sum(basis) filter (where kind <> 'UNREALIZED' and in_span), 0)::bigint as basis,
    coalesce(sum(gain - fee - tax - fx) filter (where kind = 'REALIZED'
        and day >= date_trunc('month', $16::date)::date), 0)::bigint as this_month,
    (select count(distinct key) from chosen) as groups
from gained"#
);

/// Groups of days, months or years: 2, 3 begin and end with one.
pub(super) const PAGE_OF_DAYS: &str = concat!(
    "with filled as materialized (
    select ",
    columns!(),
    " from fill
    where account_id = any($1) and event_time >= $2 and event_time < $3
        and id > $22 and id <= $23 and $19 in ('ALL', 'REALIZED', 'COST')",
    page!("")
);

/// Groups of sales: those of orders with a fill from 29 and before 30, with all that they sold in the span.
pub(super) const PAGE_OF_SALES: &str = concat!(
    "with sold as materialized (
    select distinct order_id from fill
    where account_id = any($1) and side = 'SELL' and event_time >= $29 and event_time < $30
        and id > $22 and id <= $23 and $19 in ('ALL', 'REALIZED', 'COST')
), filled as materialized (
    select f.* from sold cross join lateral (select ",
    columns!(),
    " from fill
        where order_id = sold.order_id and side = 'SELL' and event_time >= $2 and event_time < $3
            and id > $22 and id <= $23 offset 0) f",
    page!("")
);

/// Groups of what the items 29 did; where a group is an item, only these.
pub(super) const PAGE_OF_ITEMS: &str = concat!(
    "with filled as materialized (
    select f.* from unnest($1::bigint[]) a (id) cross join unnest($29::text[]) c (code)
    cross join lateral (select ",
    columns!(),
    " from fill
        where account_id = a.id and instrument_code = c.code and id > $22 and id <= $23
            and event_time >= $2 and event_time < $3 and $19 in ('ALL', 'REALIZED', 'COST')
        offset 0) f",
    page!(" and ($20 <> 'ITEM' or key = any($29))")
);

/// The items of a page, with the newest day of each: fills of a holding are numbered in the order of their
/// time, so the last one of each says it.
pub(super) const ITEMS: &str = concat!(
    "with filled as materialized (
    select f.* from holding o cross join lateral (select ",
    columns!(),
    " from fill
        where account_id = o.account_id and instrument_code = o.instrument_code
            and id > $22 and id <= $23 and event_time >= $2 and event_time < $3
            and case $19 when 'ALL' then true when 'REALIZED' then side = 'SELL'
                when 'COST' then fee_won + tax_won
                    + case side when 'SELL' then base_won - amount_won else 0 end <> 0
                else false end
        order by id desc limit 1) f
    where o.account_id = any($1) and ($4::text[] is null or o.market = any($4))",
    page!("")
);

/// The time of the oldest of the newest fills, and how many these are: 1 accounts; 2, 3 the instants from
/// and before which they are read; 4, 5 the fills after and through which the season goes; 6 how many at
/// most; 7 whether only sales count.
pub(super) const NEWEST_FILLS: &str = r#"
select min(event_time) as since, count(*) as fills from (
    select f.event_time from unnest($1::bigint[]) a (id)
    cross join lateral (select event_time from fill
        where account_id = a.id and event_time >= $2 and event_time < $3
            and id > $4 and id <= $5 and (side = 'SELL' or not $7)
        order by event_time desc limit $6) f
    order by f.event_time desc limit $6) newest"#;

/// What the history of accounts has come to, of which nothing is taken away: 1 accounts; 2 the member.
pub(super) const PROGRESS: &str = r#"
select coalesce((select last_seq from member_fill_seq where member_id = $2), 0) as fills,
    (select count(*) from holding_split where account_id = any($1)) as splits,
    (select count(*) from dividend_share where member_id = $2 and paid_at is not null) as dividends,
    (select count(*) from cma_interest where account_id = any($1)) as cma_days,
    (select count(*) from contract_interest where account_id = any($1)) as periods"#;

/// What moves the base of accounts: 1 accounts; 2, 3 the instants from and before which it happened; 4
/// the season; 5, 6 the journals after and through which it lasted; 7 a day of market time, or null.
///
/// Reads only the last journals for a short span: those that were settled when that day ended, long
/// before the span, are of no span that follows.
pub(super) const FLOWS: &str = r#"
with settled as materialized (
    select greatest($5, coalesce((select next_journal from equity_run
        where day < $7::date order by day desc limit 1), 0)) as through
), moved as materialized (
    select m.account_id, m.journal_id from cash_movement m
    where m.account_id = any($1) and m.journal_id > (select through from settled)
        and m.journal_id <= $6
)
select coalesce((select sum(e.amount) from journal j
        join entry e on e.journal_id = j.id and e.asset = 'KRW' and e.account_id = any($1)
        where (j.kind = 'ACCOUNT_OPENED' and j.source_type = 'ACCOUNT'
                and j.source_id = any($1::bigint[]::text[])
            or j.kind = 'SEASON_OPENED' and j.source_type = 'SEASON'
                and j.source_id = any(array(select id || ':' || $4::integer
                    from unnest($1::bigint[]) id)))
            and j.id > $5 and j.id <= $6
            and j.occurred_at >= $2 and j.occurred_at < $3), 0)::bigint as initial,
    coalesce(sum(e.amount) filter (where j.kind = 'POINTS_MOVED'), 0)::bigint as points,
    coalesce(sum(e.amount) filter (where j.kind = 'CASH_EXCHANGED'
        or j.kind in ('ITEM_BOUGHT', 'ITEM_REFUNDED') and pack.is_pack), 0)::bigint as bought,
    coalesce(sum(e.amount) filter (where j.kind in ('ITEM_BOUGHT', 'ITEM_REFUNDED')
        and not pack.is_pack), 0)::bigint as items,
    coalesce(sum(e.amount) filter (where j.kind in ('TRANSFERRED', 'CONTRACT_OPENED',
        'CONTRACT_PAID', 'CONTRACT_CLOSED')), 0)::bigint as transfers
from moved m join journal j on j.id = m.journal_id
join entry e on e.journal_id = m.journal_id and e.account_id = m.account_id and e.asset = 'KRW'
cross join lateral (select exists (select 1 from entry c where c.journal_id = j.id
    and c.asset = 'CASH') as is_pack) pack
where j.occurred_at >= $2 and j.occurred_at < $3"#;
