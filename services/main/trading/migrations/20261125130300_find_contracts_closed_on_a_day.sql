-- no-transaction
-- What was closed today counts in the change of the day; all that a member ever closed may be much.
create index concurrently contract_closed_of_member on contract (member_id, closed_on)
    where closed_on is not null;
