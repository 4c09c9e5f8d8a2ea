-- Contracts of deposits and savings plans: an account each, what was paid into it, and the interest
-- it was booked.
insert into journal_kind (kind) values
    ('CONTRACT_OPENED'), ('CONTRACT_PAID'), ('CONTRACT_INTEREST'), ('CONTRACT_CLOSED');

-- What was agreed on is frozen at the opening; days are those of market time in Korea.
create table contract (
    account_id bigint primary key references account (id),
    member_id bigint not null,
    product_id bigint not null,
    product_name text not null,
    bank_code text not null,
    bank_name text not null,
    kind text not null check (kind in ('DEPOSIT', 'SAVINGS', 'FREE')),
    status text not null check (status in ('ACTIVE', 'MATURED', 'EARLY_CLOSED')),
    compounding text not null check (compounding in ('SIMPLE', 'MONTHLY')),
    preferential boolean not null,
    -- Percent a year.
    base_rate numeric(9, 4) not null check (base_rate >= 0),
    rate numeric(9, 4) not null check (rate >= base_rate),
    -- Principal, or the sum of every month.
    amount_won bigint not null check (amount_won > 0),
    -- The most of a month; of free plans alone.
    monthly_cap_won bigint check (monthly_cap_won > 0),
    -- Of savings plans with equal sums alone.
    transfer_day smallint check (transfer_day between 1 and 31),
    term_months smallint not null check (term_months > 0),
    opened_on date not null,
    matures_on date not null check (matures_on > opened_on),
    maturity_action text not null check (maturity_action in ('PAY', 'KEEP', 'RENEW')),
    -- Sum of its payments.
    paid_in_won bigint not null check (paid_in_won > 0),
    -- The payment that is taken next, and how often that was tried in vain.
    next_payment integer not null default 1,
    attempts smallint not null default 0,
    -- Market time at which the next payment is taken or the contract matures; null when neither.
    due_at timestamptz,
    closed_on date,
    -- Why it was not renewed.
    notice text,
    constraint contract_open_while_due check (due_at is null or status = 'ACTIVE'),
    constraint contract_closed check (status <> 'EARLY_CLOSED' or closed_on is not null),
    constraint contract_plan check (
        (kind = 'SAVINGS') = (transfer_day is not null)
        and (kind = 'FREE') = (monthly_cap_won is not null))
) with (fillfactor = 70);

create index contract_of_member on contract (member_id, account_id);
create index contract_open_of_member on contract (member_id, account_id) where closed_on is null;
create index contract_due on contract (due_at, account_id) where due_at is not null;
create index contract_due_of_member on contract (member_id, due_at) where due_at is not null;

create table contract_payment (
    account_id bigint not null references contract (account_id),
    -- From 0. Of a free plan in order, else the month that it is for.
    number integer not null check (number >= 0),
    amount_won bigint not null check (amount_won > 0),
    paid_on date not null,
    journal_id bigint not null,
    primary key (account_id, number)
);

-- Booked once for each period: MATURITY, and CLOSE before or after it.
create table contract_interest (
    account_id bigint not null references contract (account_id),
    period text not null check (period in ('MATURITY', 'CLOSE')),
    earned_to date not null,
    rate numeric(12, 6) not null,
    gross_won bigint not null check (gross_won >= 0),
    income_tax_won bigint not null check (income_tax_won >= 0),
    local_tax_won bigint not null check (local_tax_won >= 0),
    -- Null where it is nothing.
    journal_id bigint,
    primary key (account_id, period),
    constraint contract_interest_has_journal check ((journal_id is null) = (gross_won = 0))
);

create trigger contract_payment_is_append_only
    before update or delete or truncate on contract_payment
    for each statement execute function refuse_change_of_history();
create trigger contract_interest_is_append_only
    before update or delete or truncate on contract_interest
    for each statement execute function refuse_change_of_history();

-- The running service may add history and read it, never change it.
-- compatible: it takes rights on tables that the release before does not know.
do $$
begin
    if exists (select 1 from pg_roles where rolname = 'seedup_trading_app') then
        revoke update, delete, truncate on contract_payment, contract_interest
            from seedup_trading_app;
    end if;
end
$$;
