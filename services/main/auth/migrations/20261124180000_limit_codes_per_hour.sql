-- Limits the codes that a member requests within an hour.

-- The first of these requests; absent in rows of the previous release.
alter table email_code add column first_asked_at timestamptz;
alter table email_code add column requests integer not null default 1;
