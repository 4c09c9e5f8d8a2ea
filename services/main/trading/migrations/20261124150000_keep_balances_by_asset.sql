-- What an account has of each asset. The row is a cache of the ledger, as the columns of account
-- were: the audit proves that it is the sum of its entries.
--
-- Until the release after this one, triggers keep these columns and the rows in step, because the
-- release before reads and writes the columns. Whoever changes either has locked the account.
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

-- Balances of accounts that nothing happens to meanwhile. Each slice is a transaction that locks its
-- accounts, as whoever changes them does. It passes over those that somebody else has locked, so that
-- it never keeps the others waiting; they have their turn at the end.
create procedure fill_balances(slice integer) language plpgsql as $$
declare
    last bigint := 0;
    ids bigint[];
    missed bigint[] := '{}';
begin
    loop
        select array_agg(id order by id) into ids from (
            select id from account where id > last order by id limit slice) accounts;
        if ids is not null then
            last := ids[cardinality(ids)];
        else
            exit when missed = '{}';
            perform pg_sleep(0.1);
            ids := missed[1:slice];
            missed := missed[slice + 1:];
        end if;
        with locked as materialized (
            select id, balance_won, held_won, education_points, cash from account
            where id = any(ids) order by id for no key update skip locked
        ), filled as (
            insert into balance (account_id, asset, amount, held)
            select id, 'KRW', balance_won, held_won from locked
            union all
            select id, 'EP', education_points, 0 from locked where education_points <> 0
            union all
            select id, 'CASH', cash, 0 from locked where cash <> 0
            on conflict (account_id, asset) do nothing
        )
        select missed || coalesce(array_agg(one order by one), '{}') into missed
        from unnest(ids) one where one not in (select id from locked);
        commit;
    end loop;
end
$$;
