-- no-transaction
-- The events that were valued longest ago are found without reading all that run.
create index concurrently competition_to_value on competition (valued_at nulls first, id)
    where closed_at is null and closing_at is null and not is_canceled;
