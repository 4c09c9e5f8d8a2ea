-- no-transaction
-- Who takes part in an event is counted without reading those who left.
create index concurrently competition_entry_present on competition_entry (competition_id)
    where left_at is null;
