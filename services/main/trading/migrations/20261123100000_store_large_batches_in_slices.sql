-- A large batch is stored in slices of accounts, ascending. Until its last slice is stored these
-- columns say how far it has come; they count only for the batch they name, so that a release that
-- does not know them cannot leave a wrong mark behind.
alter table matcher_offset
    add column applied_epoch bigint,
    add column applied_offset bigint,
    add column applied_through bigint,
    -- Newest session record that is part of `state`; older ones are repetitions.
    add column session_seq bigint not null default 0;

-- The trading day of the newest share split whose units the order's price and quantity are in.
alter table trade_order add column split_day integer not null default 0;

-- What waits is in the units of today.
-- compatible: the column is new.
update trade_order o set split_day = s.trading_day
from (
    select instrument_code, max(trading_day) as trading_day from holding_split
    group by instrument_code
) s
where o.instrument_code = s.instrument_code and o.status in ('QUEUED', 'ACCEPTED', 'PARTIAL');

-- compatible: the same function with the column; documents of the release before do not have it.
create or replace function write_trading(doc jsonb) returns void language plpgsql as $$
begin
    if doc ? 'accounts' then
        update account a set
            balance_won = d.balance_won, held_won = d.held_won, open_orders = d.open_orders,
            rate_second = d.rate_second, rate_second_count = d.rate_second_count,
            rate_minute = d.rate_minute, rate_minute_count = d.rate_minute_count
        from jsonb_to_recordset(doc->'accounts') as d(
            id bigint, balance_won bigint, held_won bigint, open_orders integer,
            rate_second bigint, rate_second_count integer,
            rate_minute bigint, rate_minute_count integer)
        where a.id = d.id;
    end if;

    if doc ? 'new_orders' then
        insert into trade_order (
            id, orig_order_id, priority_id, account_id, member_id, instrument_code,
            instrument_name, market, currency, tick_class, side, status, price, quantity,
            reference_price, time_in_force, trading_day, split_day, expires_at, end_reason, resting,
            queue_ahead, placed_at, placed_market_at, ended_at)
        select id, orig_order_id, priority_id, account_id, member_id, instrument_code,
            instrument_name, market, currency, tick_class, side, status, price, quantity,
            reference_price, time_in_force, trading_day, coalesce(split_day, 0), expires_at, end_reason, resting,
            queue_ahead, placed_at, placed_market_at, ended_at
        from jsonb_to_recordset(doc->'new_orders') as d(
            id bigint, orig_order_id bigint, priority_id bigint, account_id bigint,
            member_id bigint, resting boolean, queue_ahead numeric, instrument_code text,
            instrument_name text, market text, currency text, tick_class text, side text,
            status text, price numeric, quantity numeric, reference_price numeric,
            time_in_force text, trading_day integer, split_day integer, expires_at timestamptz, end_reason text,
            placed_at timestamptz, placed_market_at timestamptz, ended_at timestamptz);
    end if;

    if doc ? 'orders' then
        update trade_order o set
            status = d.status, price = d.price, quantity = d.quantity,
            filled_quantity = d.filled_quantity, reference_price = d.reference_price,
            trading_day = d.trading_day, split_day = coalesce(d.split_day, o.split_day), gross_exact = d.gross_exact,
            quote_exact = d.quote_exact, amount_won = d.amount_won, base_won = d.base_won,
            fee_won = d.fee_won, tax_won = d.tax_won, end_reason = d.end_reason,
            resting = d.resting, queue_ahead = d.queue_ahead, ended_at = d.ended_at
        from jsonb_to_recordset(doc->'orders') as d(
            id bigint, status text, price numeric, quantity numeric, filled_quantity numeric,
            reference_price numeric, trading_day integer, split_day integer, gross_exact numeric,
            quote_exact numeric, amount_won bigint, base_won bigint, fee_won bigint,
            tax_won bigint, end_reason text, resting boolean, queue_ahead numeric,
            ended_at timestamptz)
        where o.id = d.id;
    end if;

    if doc ? 'holds' then
        insert into hold (order_id, account_id, instrument_code, amount_won, quantity)
        select order_id, account_id, instrument_code, amount_won, quantity
        from jsonb_to_recordset(doc->'holds') as d(
            order_id bigint, account_id bigint, instrument_code text, amount_won bigint,
            quantity numeric)
        on conflict (order_id) do update
            set amount_won = excluded.amount_won, quantity = excluded.quantity;
    end if;

    if doc ? 'ended_holds' then
        delete from hold h using jsonb_array_elements_text(doc->'ended_holds') as d(id)
        where h.order_id = d.id::bigint;
    end if;

    if doc ? 'holdings' then
        insert into holding (
            account_id, instrument_code, member_id, instrument_name, market, currency,
            quantity, held_quantity, cost_won, cost_quote)
        select account_id, instrument_code, member_id, instrument_name, market, currency,
            quantity, held_quantity, cost_won, cost_quote
        from jsonb_to_recordset(doc->'holdings') as d(
            account_id bigint, instrument_code text, member_id bigint, instrument_name text,
            market text, currency text, quantity numeric, held_quantity numeric,
            cost_won bigint, cost_quote numeric)
        on conflict (account_id, instrument_code) do update set
            quantity = excluded.quantity, held_quantity = excluded.held_quantity,
            cost_won = excluded.cost_won, cost_quote = excluded.cost_quote;
    end if;

    if doc ? 'journals' then
        insert into journal (id, kind, order_id, fill_id, occurred_at)
        select id, kind, order_id, fill_id, occurred_at
        from jsonb_to_recordset(doc->'journals') as d(
            id bigint, kind text, order_id bigint, fill_id bigint, occurred_at timestamptz);
        insert into entry (journal_id, line, account_id, book, asset, amount)
        select journal_id, line, account_id, book, asset, amount
        from jsonb_to_recordset(doc->'entries') as d(
            journal_id bigint, line smallint, account_id bigint, book text, asset text,
            amount bigint);
    end if;

    if doc ? 'fills' then
        insert into fill (
            id, order_id, account_id, member_id, member_seq, instrument_code, side, tick_seq,
            event_time, trading_day, tick_price, bid, ask, rule, slippage_ticks, cap_quantity,
            quantity, price, amount_won, base_won, fee_won, tax_won, fx_rate, cost_won,
            cost_quote, model_version, journal_id)
        select id, order_id, account_id, member_id, member_seq, instrument_code, side, tick_seq,
            event_time, trading_day, tick_price, bid, ask, rule, slippage_ticks, cap_quantity,
            quantity, price, amount_won, base_won, fee_won, tax_won, fx_rate, cost_won,
            cost_quote, model_version, journal_id
        from jsonb_to_recordset(doc->'fills') as d(
            id bigint, order_id bigint, account_id bigint, member_id bigint, member_seq bigint,
            instrument_code text, side text, tick_seq bigint, event_time timestamptz,
            trading_day integer, tick_price numeric, bid numeric, ask numeric, rule text,
            slippage_ticks integer, cap_quantity numeric, quantity numeric, price numeric,
            amount_won bigint, base_won bigint, fee_won bigint, tax_won bigint, fx_rate numeric,
            cost_won bigint, cost_quote numeric, model_version text, journal_id bigint);
        insert into member_fill_seq (member_id, last_seq)
        select member_id, max(member_seq)
        from jsonb_to_recordset(doc->'fills') as d(member_id bigint, member_seq bigint)
        group by member_id
        on conflict (member_id) do update set last_seq = excluded.last_seq;
    end if;

    if doc ? 'splits' then
        insert into holding_split (
            id, account_id, instrument_code, trading_day, numerator, denominator,
            quantity_before, quantity_after, paid_won, cost_won, cost_quote)
        select id, account_id, instrument_code, trading_day, numerator, denominator,
            quantity_before, quantity_after, paid_won, cost_won, cost_quote
        from jsonb_to_recordset(doc->'splits') as d(
            id bigint, account_id bigint, instrument_code text, trading_day integer,
            numerator bigint, denominator bigint, quantity_before numeric,
            quantity_after numeric, paid_won bigint, cost_won bigint, cost_quote numeric);
    end if;

    if doc ? 'order_events' then
        insert into order_event (order_id, from_status, to_status, reason, occurred_at)
        select order_id, from_status, to_status, reason, occurred_at
        from jsonb_to_recordset(doc->'order_events') as d(
            order_id bigint, from_status text, to_status text, reason text,
            occurred_at timestamptz);
    end if;

    if doc ? 'outbox' then
        insert into outbox (event_id, event_type, aggregate_id, body, traceparent, occurred_at)
        select event_id, event_type, aggregate_id, decode(body, 'hex'), traceparent, occurred_at
        from jsonb_to_recordset(doc->'outbox') as d(
            event_id uuid, event_type text, aggregate_id text, body text, traceparent text,
            occurred_at timestamptz);
    end if;

    if doc ? 'requests' then
        insert into request (member_id, request_id, body_hash, answer, created_at)
        select member_id, request_id, decode(body_hash, 'hex'), decode(answer, 'hex'), created_at
        from jsonb_to_recordset(doc->'requests') as d(
            member_id bigint, request_id text, body_hash text, answer text,
            created_at timestamptz);
    end if;
end
$$;
