-- The one ledger of the product: won (KRW), education points (EP) and cash (CASH). A journal is
-- one economic fact; its entries sum to zero per asset. Both are append-only, by privilege and
-- by trigger, so history can be read but never rewritten.
create sequence journal_id_seq;

create table journal (
    id bigint primary key,
    kind text not null check (kind in ('ACCOUNT_OPENED', 'ORDER_FILLED', 'SHARE_SPLIT')),
    order_id bigint,
    fill_id bigint,
    occurred_at timestamptz not null
);

create table entry (
    journal_id bigint not null references journal (id),
    line smallint not null,
    -- A member's account, or one of the system's books.
    account_id bigint,
    book text check (book in (
        'ISSUE', 'FEE', 'TAX', 'FX', 'EDU', 'SHOP', 'INTEREST', 'DIVIDEND', 'ADJUST', 'MARKET'
    )),
    asset text not null check (asset in ('KRW', 'EP', 'CASH')),
    amount bigint not null check (amount <> 0),
    primary key (journal_id, line),
    constraint entry_has_one_side check ((account_id is null) <> (book is null))
);

create index entry_of_account on entry (account_id, journal_id) where account_id is not null;

create function refuse_change_of_history() returns trigger language plpgsql as $$
begin
    raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end
$$;

create trigger journal_is_append_only before update or delete or truncate on journal
    for each statement execute function refuse_change_of_history();
create trigger entry_is_append_only before update or delete or truncate on entry
    for each statement execute function refuse_change_of_history();

-- All entries of a journal are written by one statement, so the sum can be checked at its end.
create function refuse_unbalanced_journal() returns trigger language plpgsql as $$
begin
    if exists (
        select 1 from written group by journal_id, asset having sum(amount) <> 0
    ) then
        raise exception 'entries of a journal do not sum to zero'
            using errcode = 'check_violation', constraint = 'journal_sums_to_zero';
    end if;
    return null;
end
$$;

create trigger journal_sums_to_zero after insert on entry
    referencing new table as written
    for each statement execute function refuse_unbalanced_journal();
