//! Tables as they are after years, with a member in every row.

use sqlx::PgPool;

/// The first number of generated members, accounts and orders.
pub(super) const FIRST: i64 = 1_000_000;

/// What grows with members and time.
pub(super) const TABLES: [&str; 15] = [
    "account",
    "balance",
    "journal",
    "entry",
    "trade_order",
    "order_event",
    "hold",
    "fill",
    "holding",
    "holding_split",
    "request",
    "inbox",
    "dividend_share",
    "member_fill_seq",
    "equity_day",
];

/// 20,000 members with an order each, most of them filled; every tenth waits. A share is owned by
/// a hundredth of them, and half of them have a league that runs and was valued this minute.
const ROWS: &str = "
    begin;
    set local session_replication_role = replica;
    insert into account (id, member_id, code, account_no, opened_at, initial_deposit_won,
            open_orders)
        select 1000000 + n, 1000000 + n, '00', (8800000000 + n)::text || '00', now(), 0,
            case when n % 10 = 0 then 1 else 0 end
        from generate_series(0, 19999) n;
    insert into balance (account_id, asset, amount, held)
        select 1000000 + n, 'KRW', 1, case when n % 10 = 0 then 1 else 0 end
        from generate_series(0, 19999) n;
    insert into journal (id, kind, source_type, source_id, occurred_at)
        select n, 'ORDER_FILLED', 'FILL', n, now() from generate_series(1, 20000) n;
    insert into entry (journal_id, line, account_id, book, asset, amount)
        select n, 1, 1000000 + n - 1, null, 'KRW', 1 from generate_series(1, 20000) n union all
        select n, 2, null, 'MARKET', 'KRW', -1 from generate_series(1, 20000) n;
    insert into trade_order (id, account_id, member_id, instrument_code, instrument_name, market,
            currency, tick_class, side, status, price, quantity, filled_quantity, time_in_force,
            trading_day, placed_at, placed_market_at)
        select 1000000 + n, 1000000 + n, 1000000 + n, 'CODE' || n % 100, 'Name', 'KOSPI', 'KRW',
            'KRX_STOCK', 'BUY', case when n % 10 = 0 then 'ACCEPTED' else 'FILLED' end, 1, 1,
            case when n % 10 = 0 then 0 else 1 end, 'GTC', null, now(), now()
        from generate_series(0, 19999) n;
    insert into hold (order_id, account_id, instrument_code, amount_won, quantity)
        select id, account_id, instrument_code, 1, 0 from trade_order where status = 'ACCEPTED';
    insert into hold (order_id, account_id, instrument_code, amount_won, quantity)
        select 5000000 + n, 1000000 + n, 'CODE' || n % 100, 1, 0 from generate_series(0, 17999) n;
    insert into order_event (order_id, to_status, reason, occurred_at)
        select 1000000 + n, 'FILLED', '', now() from generate_series(0, 19999) n;
    insert into fill (id, order_id, account_id, member_id, member_seq, instrument_code, side,
            tick_seq, event_time, trading_day, tick_price, rule, slippage_ticks, quantity, price,
            amount_won, base_won, fee_won, tax_won, cost_won, cost_quote, model_version, journal_id)
        select n, 1000000 + n, 1000000 + n, 1000000 + n, 1, 'CODE' || n % 100, 'BUY', n, now(),
            20261120, 1, 'LIMIT', 0, 1, 1, 1, 1, 0, 0, 0, 0, 'v1', n
        from generate_series(0, 19999) n;
    insert into member_fill_seq select 1000000 + n, 1 from generate_series(0, 19999) n;
    insert into holding (account_id, instrument_code, member_id, instrument_name, market,
            currency, quantity, cost_won, cost_quote)
        select 1000000 + n, 'CODE' || n % 100, 1000000 + n, 'Name', 'KOSPI', 'KRW', 1, 1, 1
        from generate_series(0, 19999) n;
    insert into holding_split (id, account_id, instrument_code, trading_day, numerator,
            denominator, quantity_before, quantity_after)
        select n, 1000000 + n, 'CODE' || n % 100, 20261119, 2, 1, 1, 2
        from generate_series(0, 19999) n;
    insert into request (member_id, request_id, body_hash, answer, created_at)
        select 1000000 + n, 'request-' || n, decode(md5(n::text), 'hex'),
            convert_to(repeat(md5(n::text), 10), 'UTF8'), now() - n * interval '12 seconds'
        from generate_series(0, 19999) n;
    insert into inbox (consumer, event_id, received_at)
        select 'trading.accounts', gen_random_uuid(), now() - n * interval '12 seconds'
        from generate_series(0, 19999) n;
    insert into dividend (id, instrument_code, ex_day, pay_day, amount, currency, noted_at)
        select -n, 'CODE' || n % 100, 20200101 + n, case when n > 10 then 20200101 + n else 20990101 end, 1,
            'KRW', now()
        from generate_series(1, 100) n;
    insert into dividend_share (dividend_id, account_id, member_id, instrument_name, quantity,
            paid_at)
        select -1 - n % 100, 1000000 + n, 1000000 + n, 'Name', 1, case when n % 100 >= 10 then now() end
        from generate_series(0, 19999) n;
    insert into equity_day (account_id, day, season, cash_won, holdings_won, base_won, flow_won)
        select 1000000 + n, '2026-11-01', 1, 1, 0, 0, 0 from generate_series(0, 19999) n;
    insert into competition (kind, title, starts_at, ends_at, join_from, join_until, start_cash_won,
            most_entrants, host_member_id, invite_code, created_at, valued_at, start_told_at)
        select 'LEAGUE', 'League', '2026-11-01', '2026-12-31', '2026-11-01', '2026-12-01', 1000000, 10,
            1000000 + n, 'CODE' || n, now(), '2026-11-20T01:00:00Z', now()
        from generate_series(0, 9999) n;
    select setval('order_id_seq', 2000000), setval('fill_id_seq', 2000000),
        setval('journal_id_seq', 2000000), setval('account_id_seq', 2000000);
    commit;
    analyze";

/// Fills the tables and lets the planner know.
pub(super) async fn fill(pool: &PgPool) {
    sqlx::raw_sql(ROWS).execute(pool).await.unwrap();
}
