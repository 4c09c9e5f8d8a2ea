-- What the matcher notes about an order that waits used to be written into the order's own wide
-- row, twice for every order, with all of its indexes. It goes into narrow rows of its own.

-- Open orders that the matcher has not taken yet.
create table new_order (
    order_id bigint primary key
);

-- Which orders count from which position of the log on (`eligible_from` is the first batch whose
-- ticks count for them), one row a boundary: with the log and the orders this is all that a rerun
-- needs to fill identically.
create table order_taken (
    shard integer not null,
    epoch bigint not null,
    eligible_from bigint not null,
    order_ids bigint[] not null
);
create trigger order_taken_is_append_only before update or delete or truncate on order_taken
    for each statement execute function refuse_change_of_history();

-- What was learned of an open order's place in the book since its row was last written: where a
-- row is here, it counts and not the columns of the same name in trade_order.
create table order_place (
    order_id bigint primary key,
    resting boolean not null,
    queue_ahead numeric(28, 8),
    reference_price numeric(28, 8)
) with (fillfactor = 80);

do $$
begin
    if exists (select 1 from pg_roles where rolname = 'seedup_trading_app') then
        revoke update, delete, truncate on order_taken from seedup_trading_app;
    end if;
end
$$;

insert into new_order (order_id)
    select id from trade_order
    where eligible_from is null and status in ('QUEUED', 'ACCEPTED', 'PARTIAL');
-- Which shard took them was not noted: by then there was one.
insert into order_taken (shard, epoch, eligible_from, order_ids)
    select 0, 0, eligible_from, array_agg(id order by id)
    from trade_order where eligible_from is not null group by eligible_from;
drop index order_not_taken;
comment on column trade_order.eligible_from is
    'Of orders from before order_taken; it says the same of them.';

-- The part of a transaction that the matcher reads: the same document as write_trading.
create function write_waiting(doc jsonb) returns void language plpgsql as $$
begin
    if doc ? 'arrived' then
        insert into new_order (order_id)
        select d.id::bigint from jsonb_array_elements_text(doc->'arrived') as d(id);
    end if;

    if doc ? 'taken_up' then
        insert into order_taken (shard, epoch, eligible_from, order_ids)
        select shard, epoch, eligible_from, order_ids
        from jsonb_to_record(doc->'taken_up') as d(
            shard integer, epoch bigint, eligible_from bigint, order_ids bigint[]);
        delete from new_order n
        using jsonb_array_elements_text(doc->'taken_up'->'order_ids') as d(id)
        where n.order_id = d.id::bigint;
    end if;

    if doc ? 'ended_holds' then
        delete from new_order n using jsonb_array_elements_text(doc->'ended_holds') as d(id)
        where n.order_id = d.id::bigint;
    end if;

    -- The rows of these orders have just been written with all that is known.
    if doc ? 'orders' then
        delete from order_place p using jsonb_to_recordset(doc->'orders') as d(id bigint)
        where p.order_id = d.id;
    end if;

    -- An order that has ended meanwhile has no place any more.
    if doc ? 'places' then
        insert into order_place (order_id, resting, queue_ahead, reference_price)
        select d.id, d.resting, d.queue_ahead, d.reference_price
        from jsonb_to_recordset(doc->'places') as d(
            id bigint, resting boolean, queue_ahead numeric, reference_price numeric)
        where exists (select 1 from hold h where h.order_id = d.id)
        on conflict (order_id) do update set
            resting = excluded.resting, queue_ahead = excluded.queue_ahead,
            reference_price = excluded.reference_price;
    end if;
end
$$;
