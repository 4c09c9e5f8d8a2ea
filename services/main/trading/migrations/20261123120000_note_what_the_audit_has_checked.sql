-- How far the audit has come. History is append-only, so what was checked once is not read again
-- until somebody asks for a whole audit.
create table audit_run (
    only_row boolean primary key default true check (only_row),
    -- Rises with each whole audit: what an earlier generation noted counts as nothing.
    generation bigint not null default 0,
    -- Accounts that nothing has happened to are looked at in turn; the next one is behind this.
    looked_until bigint not null default 0,
    completed_at timestamptz,
    findings bigint not null default 0
);
insert into audit_run default values;

-- The last checked id of each part of history.
create table audit_progress (
    part text primary key,
    checked_to bigint not null
);

-- Sums of an account's checked entries.
create table audit_account (
    account_id bigint primary key,
    generation bigint not null,
    won numeric not null,
    education_points numeric not null,
    cash numeric not null,
    opened_won numeric not null,
    split_won numeric not null
) with (fillfactor = 70);

-- A holding as its checked fills and splits made it, and what it took of the newest trade.
create table audit_holding (
    account_id bigint not null,
    instrument_code text not null,
    generation bigint not null,
    quantity numeric(28, 8) not null,
    cost_won bigint not null,
    cost_quote numeric(38, 16) not null,
    tick_seq bigint not null,
    tick_quantity numeric(28, 8) not null,
    primary key (account_id, instrument_code)
) with (fillfactor = 70);

-- Splits that reached at least one holding.
create table audit_split (
    instrument_code text not null,
    trading_day integer not null,
    numerator bigint not null,
    denominator bigint not null,
    -- The number of its first row: what has a lower one came before it.
    first_id bigint not null,
    -- Between these the worth of a new share must lie, by what was paid for parts of one.
    worth_from numeric,
    worth_below numeric,
    is_over boolean not null default false,
    primary key (instrument_code, trading_day)
);

-- What is wrong. It stays until a whole audit no longer finds it.
create table audit_finding (
    check_name text not null,
    row_name text not null,
    detail text not null,
    primary key (check_name, row_name)
);

-- Since when a shard of the matcher is where it is, and the newest order of that moment.
create table audit_matcher (
    consumer text not null,
    shard integer not null,
    epoch bigint not null,
    next_offset bigint not null,
    newest_order bigint not null,
    since timestamptz not null,
    primary key (consumer, shard)
);
