-- The physical limit that transfers are measured against: the same rows as those of one transfer from
-- the BASIC account to the one for stocks, written by one function call and one commit per transfer,
-- without any of our code. Load it once into a migrated database of its own, with the number of
-- `members`, then run pgbench with transfer_limit.pgbench.
create schema if not exists bench;

insert into journal_kind (kind) values ('TRANSFERRED') on conflict do nothing;

insert into account (id, member_id, code, account_no, opened_at, initial_deposit_won, has_sub_accounts)
select nextval('account_id_seq'), 2000000 + n, '00', lpad((5000000 + n)::text, 10, '0') || '00',
       now(), 9000000000000, true
from generate_series(1, :members) as n;
insert into account (id, member_id, code, account_no, opened_at, initial_deposit_won)
select nextval('account_id_seq'), 2000000 + n, '01', lpad((6000000 + n)::text, 10, '0') || '01',
       now(), 0
from generate_series(1, :members) as n;
insert into balance (account_id, asset, amount)
select id, 'KRW', initial_deposit_won from account
on conflict (account_id, asset) do update set amount = excluded.amount;

create table bench.target as
    select row_number() over (order by b.id) as n, b.member_id, b.id as basic, s.id as stock
    from account b join account s on s.member_id = b.member_id and s.code = '01'
    where b.code = '00';
create unique index target_n on bench.target (n);

create or replace function bench.transfer(wanted bigint) returns bigint language plpgsql as $$
declare
    chosen bench.target;
    key text := gen_random_uuid();
    moved bigint;
    today bigint;
begin
    select * into chosen from bench.target where n = wanted;
    perform 1 from account a join balance b on b.account_id = a.id and b.asset = 'KRW'
    where a.id in (chosen.basic, chosen.stock) order by a.id for no key update;
    perform 1 from request where member_id = chosen.member_id and request_id = key;
    select nextval('journal_id_seq'), count(*) into moved, today from transfer
    where member_id = chosen.member_id
        and created_at >= date_trunc('day', now(), 'Asia/Seoul');
    insert into request (member_id, request_id, kind, body_hash, answer, created_at)
    values (chosen.member_id, key, 'transfer', decode(repeat('00', 32), 'hex'),
        decode(repeat('00', 81), 'hex'), now());
    update account a set net_transfers_won = a.net_transfers_won + d.moved
    from (values (chosen.basic, -1000), (chosen.stock, 1000)) as d (id, moved) where a.id = d.id;
    insert into journal (id, kind, source_type, source_id, occurred_at)
    values (moved, 'TRANSFERRED', 'TRANSFER', moved, now());
    insert into entry (journal_id, line, account_id, asset, amount)
    values (moved, 1, chosen.basic, 'KRW', -1000), (moved, 2, chosen.stock, 'KRW', 1000);
    insert into cash_movement (account_id, journal_id)
    values (chosen.basic, moved), (chosen.stock, moved);
    update balance b set amount = b.amount + d.moved
    from (values (chosen.basic, -1000), (chosen.stock, 1000)) as d (account_id, moved)
    where b.account_id = d.account_id and b.asset = 'KRW';
    insert into transfer (id, member_id, from_account_id, to_account_id, amount_won,
        from_balance_won, to_balance_won, request_id, created_at)
    select moved, chosen.member_id, chosen.basic, chosen.stock, 1000, f.amount, t.amount, key, now()
    from balance f, balance t
    where f.account_id = chosen.basic and f.asset = 'KRW'
        and t.account_id = chosen.stock and t.asset = 'KRW';
    return moved;
end
$$;
analyze;
