-- no-transaction
-- Canceled events whose accounts are still open: they are looked for every two seconds.
create index concurrently competition_to_cancel on competition (id)
    where is_canceled and closed_at is null;
