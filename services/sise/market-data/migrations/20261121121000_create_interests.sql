-- What members like. The row is the like; a list is in the order of liked_at.
create table item_like (
    member_id bigint not null check (member_id > 0),
    code text not null references instrument (code),
    liked_at timestamptz not null,
    primary key (member_id, code)
);

create index item_like_by_code on item_like (code);

create table product_like (
    member_id bigint not null check (member_id > 0),
    product_id bigint not null references savings_product (id),
    liked_at timestamptz not null,
    primary key (member_id, product_id)
);

create index product_like_by_product on product_like (product_id);

-- What members searched for: a text stands once in the history of its kind.
create table search_history (
    member_id bigint not null check (member_id > 0),
    kind text not null check (kind in ('PRODUCT', 'STOCK', 'COIN', 'GOLD', 'ETF')),
    searched_text text not null check (searched_text <> ''),
    searched_at timestamptz not null,
    primary key (member_id, kind, searched_text)
);

-- Best rates of deposits and savings plans that a newer seed changed.
create table savings_rate_change (
    product_id bigint not null references savings_product (id),
    changed_at timestamptz not null,
    rate_before numeric(9, 4) not null,
    rate_after numeric(9, 4) not null,
    primary key (product_id, changed_at)
);

create index savings_rate_change_by_time on savings_rate_change (changed_at);
