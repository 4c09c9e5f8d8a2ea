-- The newest contracts that a member closed before maturity. Changed under the lock of `trader`.
create table closed_contract (
    member_id bigint not null,
    account_no text not null,
    closed_at timestamptz not null,
    name text not null,
    paid_in_won bigint not null,
    -- Before tax.
    interest_won bigint not null,
    tax_won bigint not null,
    -- Before tax, if what was paid in had been left until maturity.
    interest_at_maturity_won bigint not null,
    opened_on date not null,
    closed_on date not null,
    matures_on date not null,
    primary key (member_id, account_no)
);

-- The newest purchase that left much of a member's total in one item.
create table concentration (
    member_id bigint primary key,
    instrument_code text not null,
    instrument_name text not null,
    percent numeric(4, 1) not null,
    value_won bigint not null,
    total_won bigint not null,
    noticed_at timestamptz not null
);
