-- no-transaction
-- Of a member with any number of ended ones.
create index concurrently if not exists session_open on session (member_id) where ended_at is null;
