-- A journal names the row that it was posted for. Kind and source make every act happen once,
-- whatever posts it, and a further kind is a row of a table.
--
-- Until the release after this one, a trigger completes what the release before writes beside it,
-- and what this one writes for a release that comes back.
set local statement_timeout = 0;

create table journal_kind (
    kind text primary key
);
insert into journal_kind (kind)
    values ('ACCOUNT_OPENED'), ('ORDER_FILLED'), ('SHARE_SPLIT'), ('DIVIDEND_PAID');

alter table journal
    add column source_type text,
    add column source_id text,
    add column season integer not null default 1;

-- The journal stands still meanwhile: about ten seconds for a million.
alter table journal disable trigger journal_is_append_only;
-- compatible: the columns are new.
update journal j set source_type = s.source_type, source_id = s.source_id
from (
    select j.id,
        case when e.account_id is not null then 'ACCOUNT' when d.id is not null then 'DIVIDEND_SHARE'
            when j.fill_id is null then 'JOURNAL' when j.kind = 'ORDER_FILLED' then 'FILL'
            else 'HOLDING_SPLIT' end as source_type,
        coalesce(e.account_id, d.id, j.fill_id, j.id)::text as source_id
    from journal j
    left join entry e
        on j.kind = 'ACCOUNT_OPENED' and e.journal_id = j.id and e.account_id is not null
    left join dividend_share d on j.kind = 'DIVIDEND_PAID' and d.journal_id = j.id
) s
where s.id = j.id;
alter table journal enable trigger journal_is_append_only;

create function complete_journal() returns trigger language plpgsql as $$
begin
    if new.source_id is null then
        new.source_type := case when new.kind = 'ACCOUNT_OPENED' then 'ACCOUNT'
            when new.fill_id is null then 'JOURNAL' when new.kind = 'ORDER_FILLED' then 'FILL'
            else 'HOLDING_SPLIT' end;
        -- Who opens an account has drawn its number just before.
        new.source_id := case when new.kind = 'ACCOUNT_OPENED' then currval('account_id_seq')
            else coalesce(new.fill_id, new.id) end;
    elsif new.source_type in ('FILL', 'HOLDING_SPLIT') then
        new.fill_id := new.source_id::bigint;
        new.order_id := (select order_id from fill where id = new.fill_id and new.source_type = 'FILL');
    end if;
    return new;
end
$$;
-- compatible: it fills in what is missing.
create trigger journal_is_completed before insert on journal
    for each row execute function complete_journal();

-- compatible: the trigger fills them for the release before.
alter table journal alter column source_type set not null, alter column source_id set not null;
-- compatible: the acts of the release before are unique by other constraints already.
create unique index journal_once on journal (kind, source_type, source_id);
-- compatible: the table names the same kinds.
alter table journal drop constraint journal_kind_check,
    add constraint journal_kind_known foreign key (kind) references journal_kind (kind);

-- compatible: one asset more.
alter table entry drop constraint entry_asset_check,
    add constraint entry_asset_check check (asset in ('KRW', 'USD', 'EP', 'CASH'));

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
