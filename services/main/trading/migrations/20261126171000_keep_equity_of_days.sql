-- What accounts were worth at the end of Korean days.

-- A day that has ended. Accounts are valued in slices: `through_account` is the last that is.
create table equity_run (
    day date primary key,
    -- When it ended in market time, by which fills and splits are dated, and in that of the machine.
    market_ended_at timestamptz not null,
    ended_at timestamptz not null,
    -- Of journals of other things those above this number are of later days, whatever date they carry:
    -- jobs date back what an outage delayed. Null of a day of an outage, whose journals count by date.
    day_journal bigint,
    -- Nothing up to these numbers occurred after it.
    last_journal bigint not null,
    last_fill bigint not null,
    -- What is known of the next day in the same way.
    next_journal bigint not null,
    next_fill bigint not null,
    -- Null where no rate was known.
    dollar_won numeric(28, 8) check (dollar_won > 0),
    through_account bigint not null default 0,
    finished_at timestamptz
);

-- The last price of the day, in the shares of then.
create table equity_price (
    day date not null,
    instrument_code text not null,
    price numeric(28, 8) not null check (price > 0),
    primary key (day, instrument_code)
);

-- An account at the end of a day. A day on which nothing changed has no row: the one before it counts.
create table equity_day (
    account_id bigint not null references account (id),
    day date not null,
    season integer not null check (season > 0),
    cash_won bigint not null,
    -- With the interest before tax that a contract had earned.
    holdings_won bigint not null check (holdings_won >= 0),
    -- Put in from outside and by transfers, less items.
    base_won bigint not null,
    -- By how much the base changed since the row before it in the season.
    flow_won bigint not null,
    primary key (account_id, day)
);

create trigger equity_price_is_append_only before update or delete or truncate on equity_price
    for each statement execute function refuse_change_of_history();
create trigger equity_day_is_append_only before update or delete or truncate on equity_day
    for each statement execute function refuse_change_of_history();

-- compatible: it takes rights on tables that the release before does not know.
do $$
begin
    if exists (select 1 from pg_roles where rolname = 'seedup_trading_app') then
        revoke update, delete, truncate on equity_price, equity_day from seedup_trading_app;
    end if;
end
$$;
