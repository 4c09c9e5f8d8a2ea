-- A refresh token is deleted by its age, whatever becomes of its session.

-- For rows from before this migration the moment of it, and for those of the previous release their own.
alter table refresh_token add column issued_at timestamptz not null default now();
