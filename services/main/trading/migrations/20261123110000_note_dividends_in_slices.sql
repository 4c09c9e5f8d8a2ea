-- Who owned the shares of a dividend is noted in slices of accounts, each committed by itself: a
-- share that many own would outlast any statement's time, and lock their accounts meanwhile.
alter table dividend add column noted_through bigint not null default 0;
comment on column dividend.noted_through is
    'Accounts up to this number are noted, as long as noted_at is null.';

create function note_dividend_slice(
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
    insert into dividend_share (dividend_id, account_id, member_id, instrument_name, quantity)
    select told.id, h.account_id, h.member_id, h.instrument_name, owned.quantity
    from holding h
    left join lateral (
        select s.id, s.quantity_after from holding_split s
        where s.account_id = h.account_id and s.instrument_code = h.instrument_code
            and s.trading_day <= told.ex_day
        order by s.id desc limit 1
    ) split on true
    cross join lateral (
        select coalesce(split.quantity_after, 0) + coalesce(sum(
            case f.side when 'BUY' then f.quantity else -f.quantity end), 0) as quantity
        from fill f
        where f.account_id = h.account_id and f.instrument_code = h.instrument_code
            and f.id > coalesce(split.id, 0) and f.trading_day < told.ex_day
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

-- compatible: what the release before this one calls goes on where slices have come to.
create or replace function note_dividend_shares(wanted bigint, noted timestamptz) returns bigint
language plpgsql as $$
declare
    slice record;
    noted_shares bigint := 0;
begin
    loop
        select * into slice from note_dividend_slice(wanted, noted, 1000);
        noted_shares := noted_shares + slice.shares;
        exit when slice.is_last;
    end loop;
    return noted_shares;
end
$$;
