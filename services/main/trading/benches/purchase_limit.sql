-- The physical limit that purchases are measured against: the same rows as those of one item that is
-- paid in won, written by one function call and one commit per purchase, without any of our code.
-- Load it once into a migrated database of its own, with the number of `members`, then run pgbench
-- with purchase_limit.pgbench.
create schema if not exists bench;

insert into journal_kind (kind) values ('ITEM_BOUGHT') on conflict do nothing;
insert into item (id, name, category, slot, currency, price, effect, picture)
values (1000, '측정용 명패', 'COLLECTIBLE', 'PLATE', 'KRW', 1000, '측정에만 써요.', 'plate-wood');

insert into account (id, member_id, code, account_no, opened_at, initial_deposit_won)
select nextval('account_id_seq'), 2000000 + n, '00', lpad((5000000 + n)::text, 10, '0') || '00',
       now(), 9000000000000
from generate_series(1, :members) as n;
insert into balance (account_id, asset, amount)
select id, 'KRW', initial_deposit_won from account
on conflict (account_id, asset) do update set amount = excluded.amount;

create table bench.target as
    select row_number() over (order by id) as n, member_id, id from account;
create unique index target_n on bench.target (n);

create or replace function bench.purchase(wanted bigint) returns bigint language plpgsql as $$
declare
    chosen bench.target;
    offered item;
    key text := gen_random_uuid();
    bought bigint;
    posted bigint;
begin
    select * into chosen from bench.target where n = wanted;
    perform 1 from account a join balance b on b.account_id = a.id and b.asset = 'KRW'
    where a.id = chosen.id for no key update;
    perform 1 from request where member_id = chosen.member_id and request_id = key;
    select * into offered from item where id = 1000;
    perform 1 from member_item where account_id = chosen.id and item_id = offered.id;
    perform 1 from balance where account_id = chosen.id and asset = 'CASH';
    insert into member_item as m (account_id, item_id, quantity, used)
    values (chosen.id, offered.id, 1, 0)
    on conflict (account_id, item_id) do update set quantity = m.quantity + excluded.quantity;
    insert into purchase (account_id, item_id, quantity, currency, spent, deposit_won, status, bought_at)
    values (chosen.id, offered.id, 1, 'KRW', offered.price, 0, 'COMPLETED', now())
    returning id into bought;
    posted := nextval('journal_id_seq');
    insert into outbox (event_id, event_type, aggregate_id, body, traceparent, occurred_at)
    values (gen_random_uuid(), 'trading.item.purchased.v1', 'member-' || chosen.member_id,
        decode(repeat('00', 44), 'hex'), repeat('0', 55), now());
    insert into request (member_id, request_id, kind, body_hash, answer, created_at)
    values (chosen.member_id, key, 'buy-item', decode(repeat('00', 32), 'hex'),
        decode(repeat('00', 54), 'hex'), now());
    update account set purchased_items_won = purchased_items_won + offered.price
    where id = chosen.id;
    insert into journal (id, kind, source_type, source_id, occurred_at)
    values (posted, 'ITEM_BOUGHT', 'PURCHASE', bought, now());
    insert into entry (journal_id, line, account_id, book, asset, amount)
    values (posted, 1, chosen.id, null, 'KRW', -offered.price),
        (posted, 2, null, 'SHOP', 'KRW', offered.price);
    insert into cash_movement (account_id, journal_id) values (chosen.id, posted);
    update balance set amount = amount - offered.price
    where account_id = chosen.id and asset = 'KRW';
    return bought;
end
$$;
analyze;
