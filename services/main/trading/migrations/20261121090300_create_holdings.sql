-- What accounts own, with the moving average as its total cost (in won and in the instrument's
-- currency, buy fee outside).
create table holding (
    account_id bigint not null,
    instrument_code text not null,
    member_id bigint not null,
    instrument_name text not null,
    market text not null,
    currency text not null check (currency in ('KRW', 'USD')),
    quantity numeric(28, 8) not null,
    held_quantity numeric(28, 8) not null default 0,
    cost_won bigint not null,
    cost_quote numeric(38, 16) not null,
    primary key (account_id, instrument_code),
    constraint holding_quantity_not_negative check (quantity >= 0),
    constraint holding_held_within_quantity check (held_quantity >= 0 and held_quantity <= quantity),
    constraint holding_cost_not_negative check (cost_won >= 0 and cost_quote >= 0)
) with (fillfactor = 70);

create index holding_of_member on holding (member_id, instrument_code) where quantity > 0;
create index holding_of_instrument on holding (instrument_code, account_id) where quantity > 0;

-- A share split as it was applied to one holding. The id comes from the sequence of the fills, so
-- that fills and splits of a holding have one order in which they can be replayed.
create table holding_split (
    id bigint primary key,
    account_id bigint not null,
    instrument_code text not null,
    trading_day integer not null,
    numerator bigint not null check (numerator > 0),
    denominator bigint not null check (denominator > 0),
    quantity_before numeric(28, 8) not null,
    quantity_after numeric(28, 8) not null,
    -- Paid for the part of a share that a joined holding leaves over, and what it had cost.
    paid_won bigint not null default 0,
    cost_won bigint not null default 0,
    cost_quote numeric(38, 16) not null default 0,
    constraint holding_split_once unique (account_id, instrument_code, trading_day)
);
