-- Events of other services that were applied, so that each is applied once.
create table inbox (
    consumer text not null,
    event_id uuid not null,
    received_at timestamptz not null,
    primary key (consumer, event_id)
);
create index inbox_by_time on inbox (received_at);

-- Who has traded; every change of the member's rows below locks this one first.
create table trader (
    member_id bigint primary key,
    -- Fills heard of.
    fills bigint not null
);

-- What a member's newest orders teach, and the newest one of each kind of card; older ones are removed.
create table traded_order (
    member_id bigint not null,
    order_id bigint not null,
    -- Market time of its newest fill.
    traded_at timestamptz not null,
    instrument_name text not null,
    category text not null,
    currency text not null,
    is_sale boolean not null,
    -- Of a limit order.
    limit_price numeric(28, 8),
    -- Of the order; more than `heard_quantity` where not every fill was heard of.
    filled_quantity numeric(28, 8) not null,
    amount_won bigint not null,
    fee_won bigint not null,
    tax_won bigint not null,
    -- Of the fills that were heard of.
    heard_quantity numeric(28, 8) not null,
    fills integer not null,
    has_waited boolean not null,
    -- The most of one fill.
    slippage_ticks integer not null,
    slippage_won bigint not null,
    exchange_won bigint not null,
    primary key (member_id, order_id)
);
