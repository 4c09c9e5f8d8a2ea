-- How much members hold of what, summed from their fills: popular lists count who holds an item.
-- Below zero stands who sold more than was heard of, and counts as nobody.
create table item_holder (
    member_id bigint not null check (member_id > 0),
    code text not null,
    quantity numeric(28, 8) not null,
    primary key (member_id, code)
);

create index item_holder_by_code on item_holder (code) where quantity > 0;

create table inbox (
    consumer text not null,
    event_id uuid not null,
    received_at timestamptz not null,
    primary key (consumer, event_id)
);
