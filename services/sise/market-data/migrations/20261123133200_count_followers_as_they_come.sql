-- Popular lists ask how many members like or hold an item. Counted whenever they ask, millions of rows
-- are read; counted as they come, a few. Sixteen rows an item, so that members who like the same one at
-- the same time seldom wait for each other.
create table item_followers (
    code text not null,
    slot smallint not null,
    followers bigint not null,
    primary key (code, slot)
);

create table product_followers (
    product_id bigint not null,
    slot smallint not null,
    followers bigint not null,
    primary key (product_id, slot)
);

create function count_item_follower() returns trigger language plpgsql as $$
declare
    one record := coalesce(new, old);
    change integer := tg_argv[0]::integer;
begin
    insert into item_followers values (one.code, one.member_id % 16, change)
    on conflict (code, slot) do update set followers = item_followers.followers + change;
    return null;
end
$$;

create function count_product_follower() returns trigger language plpgsql as $$
declare
    one record := coalesce(new, old);
    change integer := tg_argv[0]::integer;
begin
    insert into product_followers values (one.product_id, one.member_id % 16, change)
    on conflict (product_id, slot) do update set followers = product_followers.followers + change;
    return null;
end
$$;

-- compatible: it only counts.
create trigger liked after insert on item_like
    for each row execute function count_item_follower('1');
-- compatible: it only counts.
create trigger not_liked after delete on item_like
    for each row execute function count_item_follower('-1');
-- compatible: it only counts.
create trigger product_liked after insert on product_like
    for each row execute function count_product_follower('1');
-- compatible: it only counts.
create trigger product_not_liked after delete on product_like
    for each row execute function count_product_follower('-1');
-- compatible: it only counts.
create trigger held after insert on item_holder
    for each row when (new.quantity > 0) execute function count_item_follower('1');
-- compatible: it only counts.
create trigger bought after update on item_holder
    for each row when (old.quantity <= 0 and new.quantity > 0)
    execute function count_item_follower('1');
-- compatible: it only counts.
create trigger sold after update on item_holder
    for each row when (old.quantity > 0 and new.quantity <= 0)
    execute function count_item_follower('-1');
-- compatible: it only counts.
create trigger not_held after delete on item_holder
    for each row when (old.quantity > 0) execute function count_item_follower('-1');

-- Behind the triggers, whose creation keeps writers away until this has ended.
insert into item_followers
    select code, slot, count(*) from (
        select code, member_id % 16 as slot from item_like
        union all
        select code, member_id % 16 from item_holder where quantity > 0
    ) follower group by code, slot;
insert into product_followers
    select product_id, member_id % 16, count(*) from product_like group by 1, 2;
