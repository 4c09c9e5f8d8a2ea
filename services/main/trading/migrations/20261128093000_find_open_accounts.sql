-- no-transaction
-- A closed account stays for its history; what a member has now is found without reading those.
create index concurrently account_open_of_member on account (member_id, code, id)
    where closed_at is null;
