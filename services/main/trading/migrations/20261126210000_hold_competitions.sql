-- Competitions: events, who takes part with which account, and the mode in which a member competes.
create table competition (
    id bigint primary key generated always as identity,
    kind text not null check (kind in ('OFFICIAL', 'LEAGUE', 'PRACTICE')),
    title text not null check (char_length(title) between 1 and 40),
    -- Shown to members; empty for nothing.
    prize text not null default '',
    -- All times are of the market.
    starts_at timestamptz not null,
    ends_at timestamptz not null check (ends_at > starts_at),
    join_from timestamptz not null,
    join_until timestamptz not null check (join_until > join_from and join_until <= ends_at),
    start_cash_won bigint not null check (start_cash_won > 0),
    -- Null without a bound.
    most_entrants integer check (most_entrants > 0),
    -- Of a league.
    host_member_id bigint,
    invite_code text unique,
    is_joining_closed boolean not null default false,
    is_canceled boolean not null default false,
    rules_version integer not null default 1,
    created_at timestamptz not null,
    -- When a process last began to value the accounts, by its clock.
    valued_at timestamptz,
    -- From when on nobody can join and accounts are closed: their prices are those of
    -- `competition_price`, and dollars count at this rate.
    closing_at timestamptz,
    dollar_won numeric(28, 8) check (dollar_won > 0),
    -- When every account had its result.
    closed_at timestamptz check (closed_at >= closing_at),
    check ((kind = 'LEAGUE') = (host_member_id is not null and invite_code is not null))
);
create unique index competition_one_practice on competition (starts_at) where kind = 'PRACTICE';
create index competition_not_closed on competition (ends_at) where closed_at is null;
create index competition_by_kind on competition (kind, ends_at desc, id desc);

create table competition_entry (
    competition_id bigint not null references competition (id),
    member_id bigint not null,
    account_id bigint not null unique references account (id),
    joined_at timestamptz not null,
    -- Whoever comes late is ranked from the day after.
    ranked_from timestamptz not null,
    left_at timestamptz,
    -- When the account ended: the last numbers of its fills and journals, and the Korean day of market
    -- time.
    last_fill bigint,
    last_journal bigint,
    ended_on date,
    check ((last_journal is null) = (ended_on is null)),
    check ((last_journal is null) = (last_fill is null)),
    primary key (competition_id, member_id)
);
create index competition_entry_of_member on competition_entry (member_id, joined_at desc);

-- The last prices of an event.
create table competition_price (
    competition_id bigint not null references competition (id),
    instrument_code text not null,
    price numeric(28, 8) not null check (price > 0),
    primary key (competition_id, instrument_code)
);

-- What an account had at the end of its event, and what it did.
create table competition_result (
    competition_id bigint not null,
    member_id bigint not null,
    cash_won bigint not null check (cash_won >= 0),
    holdings_won bigint not null check (holdings_won >= 0),
    -- ((cash + holdings) / start cash - 1) * 100 with four decimals.
    return_rate numeric(18, 4) not null,
    -- The largest fall of day-end equity in percent.
    drawdown_rate numeric(18, 4) not null check (drawdown_rate >= 0),
    buys integer not null check (buys >= 0),
    items integer not null check (items >= 0),
    days integer not null check (days >= 0),
    primary key (competition_id, member_id),
    foreign key (competition_id, member_id) references competition_entry (competition_id, member_id)
);

-- The final order, once every result is there. Who is not eligible has none.
create table competition_rank (
    competition_id bigint not null,
    -- RETURN or CALM.
    board text not null check (board in ('RETURN', 'CALM')),
    place integer not null check (place > 0),
    rank integer not null check (rank > 0 and rank <= place),
    member_id bigint not null,
    primary key (competition_id, board, place),
    unique (competition_id, board, member_id),
    foreign key (competition_id, member_id) references competition_result (competition_id, member_id)
);

-- The order of a running event: the newest of each Korean day of market time. Nothing depends on it.
create table competition_standing (
    competition_id bigint not null references competition (id),
    board text not null check (board in ('RETURN', 'CALM')),
    day date not null,
    place integer not null check (place > 0),
    rank integer not null check (rank > 0 and rank <= place),
    member_id bigint not null,
    return_rate numeric(18, 4) not null,
    valued_at timestamptz not null,
    primary key (competition_id, board, day, place)
);
create index competition_standing_of_member
    on competition_standing (competition_id, board, day, member_id);

create trigger competition_price_is_append_only before update or delete or truncate on competition_price
    for each statement execute function refuse_change_of_history();
create trigger competition_result_is_append_only before update or delete or truncate on competition_result
    for each statement execute function refuse_change_of_history();
create trigger competition_rank_is_append_only before update or delete or truncate on competition_rank
    for each statement execute function refuse_change_of_history();

-- compatible: it takes rights on tables that the release before does not know.
do $$
begin
    if exists (select 1 from pg_roles where rolname = 'seedup_trading_app') then
        revoke update, delete, truncate on competition_price, competition_result, competition_rank
            from seedup_trading_app;
    end if;
end
$$;

-- Of a BASIC account: whether its member competes, and in which event rather than the one joined last.
alter table account
    add column competition_mode boolean not null default false,
    add column chosen_competition bigint;
