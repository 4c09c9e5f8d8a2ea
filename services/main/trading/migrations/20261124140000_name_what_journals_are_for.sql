-- A journal names the row that it was posted for. Kind and source make every act happen once,
-- whatever posts it, and a further kind is a row of a table.
--
-- The journal is long, so this comes in steps, none of which stops a writer for longer than it takes
-- to change the catalogue: columns; a trigger for what the release before writes; the sources of
-- older journals, a slice at a time; their index, while everybody writes; and the constraints.
create table journal_kind (
    kind text primary key
);
insert into journal_kind (kind)
    values ('ACCOUNT_OPENED'), ('ORDER_FILLED'), ('SHARE_SPLIT'), ('DIVIDEND_PAID');

alter table journal
    add column source_type text,
    add column source_id text,
    add column season integer not null default 1;

-- compatible: the same function with the source of its journals.
create or replace function pay_dividend_shares(doc jsonb) returns void language plpgsql as $$
declare
    wanted bigint := jsonb_array_length(doc->'payments');
    changed bigint;
begin
    insert into journal (id, kind, source_type, source_id, occurred_at)
    select journal_id, 'DIVIDEND_PAID', 'DIVIDEND_SHARE', share_id, (doc->>'paid_at')::timestamptz
    from jsonb_to_recordset(doc->'payments') as p(journal_id bigint, share_id bigint)
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
