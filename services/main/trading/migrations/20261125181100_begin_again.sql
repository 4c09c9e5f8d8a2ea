-- Seasons: a member begins again, and what was before is kept under a number of its own.
insert into journal_kind (kind) values ('SEASON_CLOSED'), ('SEASON_OPENED');

-- Of a BASIC account the present season, of the others the one in which they were opened.
alter table account add column season integer not null default 1;

-- A season that has ended, with what its BASIC account had and was measured against.
create table past_season (
    member_id bigint not null,
    season integer not null check (season > 0),
    account_id bigint not null references account (id),
    began_at timestamptz not null,
    ended_at timestamptz not null check (ended_at >= began_at),
    -- KST day of market time.
    ended_on date not null,
    used_ticket boolean not null,
    -- Orders, fills and splits, and journals up to these numbers belong to it or to an earlier one:
    -- numbers are drawn under the lock of the account.
    last_order bigint not null,
    last_fill bigint not null,
    last_journal bigint not null,
    -- Cash with that of the accounts which were closed into it.
    cash_won bigint not null check (cash_won >= 0),
    -- Of all accounts of the member.
    holdings_won bigint not null check (holdings_won >= 0),
    holdings_cost_won bigint not null check (holdings_cost_won >= 0),
    initial_deposit_won bigint not null check (initial_deposit_won >= 0),
    education_deposit_won bigint not null check (education_deposit_won >= 0),
    bought_deposit_won bigint not null check (bought_deposit_won >= 0),
    purchased_items_won bigint not null,
    net_transfers_won bigint not null,
    primary key (member_id, season)
);
create index past_season_of_account on past_season (account_id);

-- What an account owned when its season ended. The id comes from the sequence of the fills, so that
-- a replay of the holding comes to it in its turn.
create table ended_holding (
    id bigint primary key,
    member_id bigint not null,
    season integer not null,
    account_id bigint not null references account (id),
    instrument_code text not null,
    quantity numeric(28, 8) not null check (quantity > 0),
    cost_won bigint not null check (cost_won >= 0),
    cost_quote numeric(38, 16) not null check (cost_quote >= 0),
    -- The last price; null where none was known, and then its value is what it cost.
    price numeric(28, 8) check (price > 0),
    fx_rate numeric(28, 8) check (fx_rate > 0),
    value_won bigint not null check (value_won >= 0)
);
create index ended_holding_of_account on ended_holding (account_id, instrument_code, id);
create index ended_holding_of_season on ended_holding (member_id, season);

create trigger past_season_is_append_only before update or delete or truncate on past_season
    for each statement execute function refuse_change_of_history();
create trigger ended_holding_is_append_only before update or delete or truncate on ended_holding
    for each statement execute function refuse_change_of_history();

-- The running service may add history and read it, never change it.
-- compatible: it takes rights on tables that the release before does not know.
do $$
begin
    if exists (select 1 from pg_roles where rolname = 'seedup_trading_app') then
        revoke update, delete, truncate on past_season, ended_holding from seedup_trading_app;
    end if;
end
$$;

-- From where on the fills of a holding make its quantity: after a split, or after a season that ended,
-- of whatever day.
create view holding_start as
    select id, account_id, instrument_code, trading_day, quantity_after from holding_split
    union all
    select id, account_id, instrument_code, 0, 0 from ended_holding;

-- The season in which a claim was noted. One that is not paid when its season ends lapses: `paid_at`
-- says when, and the sums are zero.
alter table dividend_share
    add column season integer not null default 1,
    add column lapsed boolean not null default false;

-- Less than zero when an item of an earlier season was paid back in the present one.
-- compatible: the release before never writes less.
alter table account drop constraint account_purchased_items_won_check;

-- compatible: the release before calls it with the same meaning.
create or replace function note_dividend_slice(
    wanted bigint, noted timestamptz, most integer, out shares bigint, out is_last boolean)
language plpgsql as $$
declare
    told dividend;
    holders bigint;
    last_holder bigint;
begin
    shares := 0;
    is_last := true;
    select * into told from dividend where id = wanted and noted_at is null for update;
    if not found then
        return;
    end if;
    select count(*), max(account_id) into holders, last_holder from (
        select account_id from holding
        where instrument_code = told.instrument_code and account_id > told.noted_through
        order by account_id limit most) slice;
    insert into dividend_share
        (dividend_id, account_id, member_id, instrument_name, quantity, season)
    select told.id, h.account_id, h.member_id, h.instrument_name, owned.quantity, a.season
    from holding h
    join account a on a.id = h.account_id
    left join lateral (
        select s.id, s.quantity_after from holding_start s
        where s.account_id = h.account_id and s.instrument_code = h.instrument_code
            and s.trading_day <= told.ex_day
        order by s.id desc limit 1
    ) start on true
    cross join lateral (
        select coalesce(start.quantity_after, 0) + coalesce(sum(
            case f.side when 'BUY' then f.quantity else -f.quantity end), 0) as quantity
        from fill f
        where f.account_id = h.account_id and f.instrument_code = h.instrument_code
            and f.id > coalesce(start.id, 0) and f.trading_day < told.ex_day
    ) owned
    where h.instrument_code = told.instrument_code and h.account_id > told.noted_through
        and h.account_id <= last_holder and owned.quantity > 0;
    get diagnostics shares = row_count;
    is_last := holders < most;
    update dividend set noted_through = coalesce(last_holder, noted_through),
        noted_at = case when is_last then noted end
    where id = wanted;
end
$$;

-- A ticket is for one more reset.
update item set is_listed = true where category = 'SEASON_TICKET';
