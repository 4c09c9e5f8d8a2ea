-- Dividends: what became known of them, who owned the shares, and what was paid.
alter table journal drop constraint journal_kind_check;
alter table journal add constraint journal_kind_check
    check (kind in ('ACCOUNT_OPENED', 'ORDER_FILLED', 'SHARE_SPLIT', 'DIVIDEND_PAID'));

-- A dividend as market-data told it, under market-data's number.
create table dividend (
    id bigint primary key,
    instrument_code text not null,
    -- The first trading day without it, as yyyymmdd.
    ex_day integer not null,
    pay_day integer not null,
    -- For each share, before tax, in the currency.
    amount numeric(28, 8) not null check (amount > 0),
    currency text not null check (currency in ('KRW', 'USD')),
    -- When it was noted who owned the shares; null until then.
    noted_at timestamptz,
    constraint dividend_once unique (instrument_code, ex_day)
);

create index dividend_not_noted on dividend (ex_day) where noted_at is null;

-- What an account owned of it. The sums are there once it is paid.
create table dividend_share (
    id bigint generated always as identity primary key,
    dividend_id bigint not null references dividend (id),
    account_id bigint not null references account (id),
    member_id bigint not null,
    instrument_name text not null,
    quantity numeric(28, 8) not null check (quantity > 0),
    paid_at timestamptz,
    gross_won bigint not null default 0 check (gross_won >= 0),
    tax_won bigint not null default 0 check (tax_won >= 0 and tax_won <= gross_won),
    -- At the middle exchange rate: what the book of dividends gave.
    base_won bigint not null default 0 check (base_won >= gross_won),
    fx_rate numeric(28, 8),
    journal_id bigint,
    constraint dividend_share_once unique (dividend_id, account_id)
);

create index dividend_share_to_pay on dividend_share (dividend_id, account_id) where paid_at is null;
create index dividend_share_of_member on dividend_share (member_id, id desc);

-- Who ever owned an instrument; the other index knows only who does now.
create index holding_ever_of_instrument on holding (instrument_code, account_id);

-- Notes who owned the shares at the end of the last trading day before the ex-day. Fills and
-- splits are history, so the answer is the same whenever it is asked for after that day.
create function note_dividend_shares(wanted bigint, noted timestamptz) returns bigint
language plpgsql as $$
declare
    noted_shares bigint;
begin
    update dividend set noted_at = noted where id = wanted and noted_at is null;
    if not found then
        return 0;
    end if;
    insert into dividend_share (dividend_id, account_id, member_id, instrument_name, quantity)
    select d.id, h.account_id, h.member_id, h.instrument_name, owned.quantity
    from dividend d
    join holding h on h.instrument_code = d.instrument_code
    left join lateral (
        select s.id, s.quantity_after from holding_split s
        where s.account_id = h.account_id and s.instrument_code = h.instrument_code
            and s.trading_day <= d.ex_day
        order by s.id desc limit 1
    ) split on true
    cross join lateral (
        select coalesce(split.quantity_after, 0) + coalesce(sum(
            case f.side when 'BUY' then f.quantity else -f.quantity end), 0) as quantity
        from fill f
        where f.account_id = h.account_id and f.instrument_code = h.instrument_code
            and f.id > coalesce(split.id, 0) and f.trading_day < d.ex_day
    ) owned
    where d.id = wanted and owned.quantity > 0;
    get diagnostics noted_shares = row_count;
    return noted_shares;
end
$$;

-- Books payments whose accounts the caller has locked. A share that is paid already makes it fail.
create function pay_dividend_shares(doc jsonb) returns void language plpgsql as $$
declare
    wanted bigint := jsonb_array_length(doc->'payments');
    changed bigint;
begin
    insert into journal (id, kind, occurred_at)
    select journal_id, 'DIVIDEND_PAID', (doc->>'paid_at')::timestamptz
    from jsonb_to_recordset(doc->'payments') as p(journal_id bigint)
    where journal_id is not null;

    insert into entry (journal_id, line, account_id, book, asset, amount)
    select p.journal_id, l.line, case when l.book is null then p.account_id end, l.book, 'KRW',
        l.amount
    from jsonb_to_recordset(doc->'payments') as p(
        journal_id bigint, account_id bigint, gross_won bigint, tax_won bigint, base_won bigint)
    cross join lateral (values
        (1::smallint, null::text, p.gross_won - p.tax_won),
        (2::smallint, 'TAX', p.tax_won),
        (3::smallint, 'FX', p.base_won - p.gross_won),
        (4::smallint, 'DIVIDEND', -p.base_won)
    ) as l(line, book, amount)
    where p.journal_id is not null and l.amount <> 0;

    update account a set balance_won = a.balance_won + p.net_won
    from (
        select account_id, sum(gross_won - tax_won) as net_won
        from jsonb_to_recordset(doc->'payments') as p(
            account_id bigint, gross_won bigint, tax_won bigint)
        group by account_id
    ) p
    where a.id = p.account_id and p.net_won <> 0;

    update dividend_share s set
        paid_at = (doc->>'paid_at')::timestamptz, gross_won = p.gross_won, tax_won = p.tax_won,
        base_won = p.base_won, fx_rate = p.fx_rate, journal_id = p.journal_id
    from jsonb_to_recordset(doc->'payments') as p(
        share_id bigint, journal_id bigint, gross_won bigint, tax_won bigint, base_won bigint,
        fx_rate numeric)
    where s.id = p.share_id and s.paid_at is null;
    get diagnostics changed = row_count;
    if changed <> wanted then
        raise exception 'a dividend would be paid twice'
            using errcode = 'unique_violation', constraint = 'dividend_paid_once';
    end if;
end
$$;
