-- What an account's checked fills and splits brought, less what they cost: the audit compares it with
-- cash, holdings and base. It has a place of its own in history, because the release before does not
-- add to it.
create table audit_gain (
    account_id bigint primary key,
    generation bigint not null,
    won numeric not null
) with (fillfactor = 70);
