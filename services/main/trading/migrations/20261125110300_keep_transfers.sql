-- Transfers, and what a member's history of cash shows: journals that moved won without an order.

-- The number is that of its journal.
create table transfer (
    id bigint primary key,
    member_id bigint not null,
    from_account_id bigint not null references account (id),
    to_account_id bigint not null references account (id),
    amount_won bigint not null check (amount_won > 0),
    -- Cash of both accounts afterwards, holds included.
    from_balance_won bigint not null check (from_balance_won >= 0),
    to_balance_won bigint not null check (to_balance_won >= 0),
    request_id text not null,
    created_at timestamptz not null,
    constraint transfer_between_two check (from_account_id <> to_account_id)
);
create index transfer_of_member on transfer (member_id, created_at);

-- A journal about won of an account that no order caused. The ledger writes the row with the
-- journal; a history of journals alone would pass over every fill.
create table cash_movement (
    account_id bigint not null,
    journal_id bigint not null,
    primary key (account_id, journal_id)
);

-- Whether a BASIC account's member has had a sub-account: only then does an order count those of the
-- member's other accounts.
alter table account add column has_sub_accounts boolean not null default false;

-- Of journals before this migration. Each slice is a transaction that locks nothing, and is read
-- again after an interruption.
create procedure fill_cash_movements(slice integer) language plpgsql as $$
declare
    done bigint := 0;
    last bigint;
begin
    loop
        select max(id) into last from (
            select id from journal where id > done order by id limit slice) journals;
        exit when last is null;
        insert into cash_movement (account_id, journal_id)
        select distinct e.account_id, e.journal_id
        from journal j join entry e on e.journal_id = j.id
        where j.id > done and j.id <= last and j.kind <> 'ORDER_FILLED'
            and e.account_id is not null and e.asset = 'KRW'
        on conflict do nothing;
        commit;
        done := last;
    end loop;
end
$$;
