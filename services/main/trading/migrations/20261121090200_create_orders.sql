-- Orders, what they hold, every change of their state, and their executions.
create sequence order_id_seq start 1000;
create sequence fill_id_seq start 1000;

create table trade_order (
    id bigint primary key,
    orig_order_id bigint,
    account_id bigint not null references account (id),
    member_id bigint not null,
    instrument_code text not null,
    instrument_name text not null,
    market text not null check (market in ('KOSPI', 'KOSDAQ', 'stocks', 'COIN', 'GOLD', 'ETF')),
    currency text not null check (currency in ('KRW', 'USD')),
    tick_class text not null,
    side text not null check (side in ('BUY', 'SELL')),
    status text not null check (status in (
        'QUEUED', 'ACCEPTED', 'PARTIAL', 'FILLED', 'CANCELED', 'EXPIRED', 'REPLACED', 'REJECTED'
    )),
    -- Null: a market order.
    price numeric(28, 8),
    quantity numeric(28, 8) not null,
    filled_quantity numeric(28, 8) not null default 0,
    -- The last price when a market order was accepted; its slippage is measured from here.
    reference_price numeric(28, 8),
    time_in_force text not null check (time_in_force in ('DAY', 'GTC')),
    -- The trading day a DAY order lives in; null while it waits for a session.
    trading_day integer,
    -- Market time.
    expires_at timestamptz,
    -- Totals of the fills so far: exact (price × quantity × rate, and in the currency), and booked.
    gross_exact numeric(38, 16) not null default 0,
    quote_exact numeric(38, 16) not null default 0,
    amount_won bigint not null default 0,
    base_won bigint not null default 0,
    fee_won bigint not null default 0,
    tax_won bigint not null default 0,
    end_reason text not null default '',
    -- Fill model: whether the order rests in the book, and the quantity still ahead of it.
    resting boolean not null default false,
    queue_ahead numeric(28, 8),
    -- Log position from which ticks count; null until the matcher has taken the order.
    eligible_from bigint,
    placed_at timestamptz not null,
    placed_market_at timestamptz not null,
    ended_at timestamptz,
    constraint order_quantity_positive check (quantity > 0 or status = 'REJECTED'),
    constraint order_fill_within_quantity
        check (filled_quantity >= 0 and (filled_quantity <= quantity or status = 'REJECTED')),
    constraint order_filled_is_full check (status <> 'FILLED' or filled_quantity = quantity)
) with (fillfactor = 80);

create index order_of_account on trade_order (account_id, id desc);
create index order_open_of_member on trade_order (member_id, id desc)
    where status in ('QUEUED', 'ACCEPTED', 'PARTIAL');
create index order_not_taken on trade_order (id)
    where eligible_from is null and status in ('QUEUED', 'ACCEPTED', 'PARTIAL');

-- What an open order keeps aside: won for a buy, a quantity for a sell. The row exists exactly as
-- long as the order is open.
create table hold (
    order_id bigint primary key,
    account_id bigint not null,
    instrument_code text not null,
    amount_won bigint not null check (amount_won >= 0),
    quantity numeric(28, 8) not null check (quantity >= 0)
) with (fillfactor = 80);

create table order_event (
    id bigint generated always as identity primary key,
    order_id bigint not null,
    from_status text,
    to_status text not null,
    reason text not null,
    occurred_at timestamptz not null
);

create index order_event_of_order on order_event (order_id, id);

create table fill (
    id bigint primary key,
    order_id bigint not null references trade_order (id),
    account_id bigint not null,
    member_id bigint not null,
    -- Rises by one per member.
    member_seq bigint not null,
    instrument_code text not null,
    side text not null check (side in ('BUY', 'SELL')),
    tick_seq bigint not null,
    event_time timestamptz not null,
    trading_day integer not null,
    tick_price numeric(28, 8) not null,
    bid numeric(28, 8),
    ask numeric(28, 8),
    rule text not null,
    slippage_ticks integer not null,
    cap_quantity numeric(28, 8),
    quantity numeric(28, 8) not null check (quantity > 0),
    price numeric(28, 8) not null check (price > 0),
    amount_won bigint not null check (amount_won >= 0),
    base_won bigint not null check (base_won >= 0),
    fee_won bigint not null check (fee_won >= 0),
    tax_won bigint not null check (tax_won >= 0),
    fx_rate numeric(28, 8),
    -- What the sold part had cost; zero for a buy.
    cost_won bigint not null check (cost_won >= 0),
    cost_quote numeric(38, 16) not null check (cost_quote >= 0),
    model_version text not null,
    journal_id bigint not null,
    constraint fill_once_per_tick unique (order_id, tick_seq)
);

create unique index fill_of_member on fill (member_id, member_seq);
create index fill_of_holding on fill (account_id, instrument_code, id);

create table member_fill_seq (
    member_id bigint primary key,
    last_seq bigint not null
);
