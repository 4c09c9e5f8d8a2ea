-- no-transaction
-- compatible: the acts of the release before are unique by other constraints already.
create unique index concurrently journal_once on journal (kind, source_type, source_id);
