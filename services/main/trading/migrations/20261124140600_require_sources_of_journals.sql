-- The validated constraint spares reading the journal again, if it is still there by then.
-- compatible: the trigger fills them for the release before.
alter table journal alter column source_type set not null, alter column source_id set not null;
-- compatible: the columns say the same.
alter table journal drop constraint journal_has_source;

-- compatible: as in the release before.
create or replace trigger journal_is_append_only before update or delete or truncate on journal
    for each statement execute function refuse_change_of_history();
-- compatible: the release before does not know it.
drop trigger journal_gets_its_source_once on journal;
-- compatible: the release before does not know it.
drop procedure fill_sources_of_journals;
