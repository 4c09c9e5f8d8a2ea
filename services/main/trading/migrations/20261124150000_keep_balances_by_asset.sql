-- What an account has of each asset. The row is a cache of the ledger, as the columns of account
-- were: the audit proves that it is the sum of its entries.
--
-- Until the release after this one, triggers keep these columns and the rows in step, because the
-- release before reads and writes the columns. Whoever changes either has locked the account.
set local statement_timeout = 0;

create table balance (
    account_id bigint not null references account (id),
    asset text not null check (asset in ('KRW', 'USD', 'EP', 'CASH')),
    amount bigint not null default 0,
    -- The part that open orders keep aside.
    held bigint not null default 0,
    primary key (account_id, asset),
    constraint balance_not_negative check (amount >= 0),
    constraint balance_held_within_amount check (held >= 0 and held <= amount)
) with (fillfactor = 70);

create function keep_balance_of_account() returns trigger language plpgsql as $$
begin
    insert into balance (account_id, asset, amount, held)
    values (new.id, 'KRW', new.balance_won, new.held_won)
    on conflict (account_id, asset) do update
        set amount = excluded.amount, held = excluded.held;
    return null;
end
$$;

-- compatible: it writes to a table that the release before does not know.
create trigger account_opens_balance after insert on account
    for each row execute function keep_balance_of_account();
-- compatible: it writes to a table that the release before does not know.
create trigger account_keeps_balance after update of balance_won, held_won on account
    for each row when (pg_trigger_depth() = 0) execute function keep_balance_of_account();

-- The triggers' lock keeps accounts as they are.
insert into balance (account_id, asset, amount, held)
    select id, 'KRW', balance_won, held_won from account
    union all
    select id, 'EP', education_points, 0 from account where education_points <> 0
    union all
    select id, 'CASH', cash, 0 from account where cash <> 0;

create function keep_account_of_balances() returns trigger language plpgsql as $$
begin
    update account a set balance_won = b.amount, held_won = b.held
    from changed b
    where a.id = b.account_id and b.asset = 'KRW'
        and (a.balance_won, a.held_won) <> (b.amount, b.held);
    return null;
end
$$;

create trigger balance_keeps_account after update on balance
    referencing new table as changed
    for each statement when (pg_trigger_depth() = 0) execute function keep_account_of_balances();
