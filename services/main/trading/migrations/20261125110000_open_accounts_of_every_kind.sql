-- Accounts for commodities (06), names of accounts that have one of their own, and the won that a
-- member has moved into an account, less what was moved out: a part of what its profit is measured
-- against.

-- compatible: one code more.
alter table account
    drop constraint account_code_check,
    add constraint account_code_check
        check (code in ('00', '01', '02', '03', '04', '05', '06', '99')) not valid,
    add column name text,
    add column net_transfers_won bigint not null default 0;

insert into journal_kind (kind) values ('TRANSFERRED');
