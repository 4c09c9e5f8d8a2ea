-- A CMA earns interest every day, on what it held when the day ended.
insert into journal_kind (kind) values ('CMA_INTEREST');

-- An operator adds rates; a day earns the newest that is in effect.
create table cma_rate (
    effective_on date primary key,
    -- Percent a year.
    rate numeric(9, 4) not null check (rate >= 0)
);
insert into cma_rate (effective_on, rate) values ('2000-01-01', 2.5);

create table cma_interest (
    account_id bigint not null references account (id),
    -- KST day of market time.
    day date not null,
    -- When it ended: entries that occurred before are in the balance.
    ended_at timestamptz not null,
    balance_won bigint not null check (balance_won >= 0),
    rate numeric(9, 4) not null,
    gross_won bigint not null check (gross_won >= 0),
    income_tax_won bigint not null check (income_tax_won >= 0),
    local_tax_won bigint not null check (local_tax_won >= 0),
    -- Null where it is nothing.
    journal_id bigint,
    primary key (account_id, day),
    constraint cma_interest_has_journal check ((journal_id is null) = (gross_won = 0))
);

create trigger cma_interest_is_append_only before update or delete or truncate on cma_interest
    for each statement execute function refuse_change_of_history();

-- compatible: it takes rights on tables that the release before does not know.
do $$
begin
    if exists (select 1 from pg_roles where rolname = 'seedup_trading_app') then
        revoke update, delete, truncate on cma_interest from seedup_trading_app;
    end if;
end
$$;
