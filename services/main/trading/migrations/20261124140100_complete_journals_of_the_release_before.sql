-- From here on every new journal has a source. Until the release after this one, a trigger completes
-- what the release before writes beside it, and what this one writes for a release that comes back.

-- compatible: the trigger below fills the source, and the table names the same kinds.
alter table journal
    add constraint journal_has_source
        check (source_type is not null and source_id is not null) not valid,
    drop constraint journal_kind_check,
    add constraint journal_kind_known
        foreign key (kind) references journal_kind (kind) not valid;

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

-- Until the sources are filled, a journal may be changed in one way: it gets a source it had not.
-- compatible: the release before changes no journal.
create or replace trigger journal_is_append_only before delete or truncate on journal
    for each statement execute function refuse_change_of_history();
-- compatible: the release before changes no journal.
create trigger journal_gets_its_source_once before update on journal
    for each row when (
        old.source_type is not null or old.source_id is not null
        or new.source_type is null or new.source_id is null
        or (new.id, new.kind, new.order_id, new.fill_id, new.season, new.occurred_at)
            is distinct from
            (old.id, old.kind, old.order_id, old.fill_id, old.season, old.occurred_at))
    execute function refuse_change_of_history();

-- Each slice is a transaction. Nobody else locks an old journal, so a slice waits for nobody and
-- nobody for it. What was filled before an interruption is only read again.
create procedure fill_sources_of_journals(slice integer) language plpgsql as $$
declare
    done bigint := 0;
    last bigint;
begin
    loop
        select max(id) into last from (
            select id from dividend_share where id > done order by id limit slice) shares;
        exit when last is null;
        update journal j set source_type = 'DIVIDEND_SHARE', source_id = s.id::text
        from dividend_share s
        where s.id > done and s.id <= last and j.id = s.journal_id and j.source_id is null;
        commit;
        done := last;
    end loop;
    done := 0;
    loop
        select max(id) into last from (
            select id from journal where id > done order by id limit slice) journals;
        exit when last is null;
        update journal j set (source_type, source_id) = (
            select case when a.id is not null then 'ACCOUNT' when j.fill_id is null then 'JOURNAL'
                    when j.kind = 'ORDER_FILLED' then 'FILL' else 'HOLDING_SPLIT' end,
                coalesce(a.id, j.fill_id, j.id)::text
            from (select (select e.account_id from entry e
                where j.kind = 'ACCOUNT_OPENED' and e.journal_id = j.id
                    and e.account_id is not null limit 1) as id) a)
        where j.id > done and j.id <= last and j.source_id is null;
        commit;
        done := last;
    end loop;
end
$$;
