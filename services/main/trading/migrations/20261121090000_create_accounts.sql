-- A member's money accounts. The row is what every money transaction locks first, and the
-- balances on it are a cache of the ledger: the audit proves balance = sum of entries.
create sequence account_id_seq;

create table account (
    id bigint primary key default nextval('account_id_seq'),
    member_id bigint not null,
    code text not null check (code in ('00', '01', '02', '03', '04', '05', '99')),
    account_no text not null unique check (account_no ~ '^[0-9]{12}$'),
    opened_at timestamptz not null,
    closed_at timestamptz,
    initial_deposit_won bigint not null check (initial_deposit_won >= 0),
    education_deposit_won bigint not null default 0 check (education_deposit_won >= 0),
    bought_deposit_won bigint not null default 0 check (bought_deposit_won >= 0),
    purchased_items_won bigint not null default 0 check (purchased_items_won >= 0),
    balance_won bigint not null default 0,
    held_won bigint not null default 0,
    education_points bigint not null default 0,
    cash bigint not null default 0,
    -- Orders that wait, and orders accepted in the running second and minute (epoch seconds and
    -- minutes): kept here because this row is locked and written with every order anyway.
    open_orders integer not null default 0 check (open_orders >= 0),
    rate_second bigint not null default 0,
    rate_second_count integer not null default 0,
    rate_minute bigint not null default 0,
    rate_minute_count integer not null default 0,
    constraint account_balance_not_negative check (balance_won >= 0),
    constraint account_held_within_balance check (held_won >= 0 and held_won <= balance_won),
    constraint account_points_not_negative check (education_points >= 0),
    constraint account_cash_not_negative check (cash >= 0)
) with (fillfactor = 70);

create unique index account_one_basic_per_member on account (member_id) where code = '00';
create index account_of_member on account (member_id, code);
