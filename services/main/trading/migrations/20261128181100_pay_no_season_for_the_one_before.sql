-- What a BASIC account owned in a season that has ended gives the next one no claim, also where it had
-- sold everything when the season ended, and so has no ended holding.
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
    cross join lateral (
        select coalesce(max(p.last_fill), 0) as last_fill from past_season p
        where p.account_id = h.account_id
    ) ended
    left join lateral (
        select s.id, s.quantity_after from holding_start s
        where s.account_id = h.account_id and s.instrument_code = h.instrument_code
            and s.trading_day <= told.ex_day and s.id > ended.last_fill
        order by s.id desc limit 1
    ) start on true
    cross join lateral (
        select coalesce(start.quantity_after, 0) + coalesce(sum(
            case f.side when 'BUY' then f.quantity else -f.quantity end), 0) as quantity
        from fill f
        where f.account_id = h.account_id and f.instrument_code = h.instrument_code
            and f.id > greatest(start.id, ended.last_fill) and f.trading_day < told.ex_day
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
