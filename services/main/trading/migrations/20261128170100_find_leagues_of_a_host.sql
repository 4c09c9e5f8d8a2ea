-- no-transaction
-- Whoever makes a league may have five that have not ended: they are counted without reading those of all
-- others.
create index concurrently competition_of_host on competition (host_member_id, ends_at)
    where host_member_id is not null;
