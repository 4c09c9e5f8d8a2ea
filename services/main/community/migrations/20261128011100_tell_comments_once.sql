-- When others were told of a comment; null while it was never published. Of what there is, the
-- published was told.
-- compatible: the last release tells without it, and may tell of a comment twice as before.
alter table comment add column told_at timestamptz default now();
-- compatible: the default was for the rows that there were.
alter table comment alter column told_at drop default;
update comment set told_at = null where publication = 'HELD' and deleted_at is null;
