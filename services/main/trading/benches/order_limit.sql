-- The physical limit that the order endpoint is measured against: the same rows as one placed
-- limit buy, written by one function call and one commit per order, without any of our code.
-- Load it once into a migrated database of its own, then run pgbench with order_limit.pgbench.
create schema if not exists bench;

insert into account (id, member_id, code, account_no, opened_at, initial_deposit_won)
select nextval('account_id_seq'), 2000000 + n, '00', lpad((5000000 + n)::text, 10, '0') || '00',
       now(), 9000000000000
from generate_series(1, 50000) as n
on conflict do nothing;
insert into balance (account_id, asset, amount)
select id, 'KRW', 9000000000000 from account where member_id between 2000001 and 2050000
on conflict (account_id, asset) do update set amount = excluded.amount;

create table if not exists bench.target as
    select row_number() over (order by id) as n, id, member_id
    from account where member_id between 2000001 and 2050000;
create unique index if not exists target_n on bench.target (n);

create or replace function bench.place(wanted bigint) returns bigint language plpgsql as $$
declare
    chosen bench.target;
    owner account;
    key text := 'bench-' || gen_random_uuid();
    placed bigint;
begin
    select * into chosen from bench.target where n = wanted;
    select * into owner from account where id = chosen.id for update;
    perform 1 from request where member_id = owner.member_id and request_id = key;
    placed := nextval('order_id_seq');
    update balance set held = held + 70011
    where account_id = owner.id and asset = 'KRW' and amount - held >= 70011;
    update account set open_orders = open_orders + 1,
        rate_second = extract(epoch from now())::bigint, rate_second_count = 1,
        rate_minute = extract(epoch from now())::bigint / 60, rate_minute_count = 1
    where id = owner.id;
    insert into trade_order (id, account_id, member_id, instrument_code, instrument_name, market,
        currency, tick_class, side, status, price, quantity, time_in_force, trading_day,
        end_reason, placed_at, placed_market_at)
    values (placed, owner.id, owner.member_id, '005930', '삼성전자', 'KOSPI', 'KRW', 'KRX_STOCK',
        'BUY', 'ACCEPTED', 70000, 1, 'DAY', 20261120, '', now(), now());
    insert into hold values (placed, owner.id, '005930', 70011, 0);
    insert into order_event (order_id, to_status, reason, occurred_at)
    values (placed, 'ACCEPTED', '', now());
    insert into outbox (event_id, event_type, aggregate_id, body, traceparent, occurred_at)
    values (gen_random_uuid(), 'trading.order.changed.v1', 'order-' || placed,
        decode(repeat('00', 180), 'hex'), repeat('0', 55), now());
    insert into request values (owner.member_id, key, decode(repeat('00', 32), 'hex'),
        decode(repeat('00', 220), 'hex'), now());
    return placed;
end
$$;
