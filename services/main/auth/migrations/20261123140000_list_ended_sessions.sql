-- Ended sessions are found without reading all: to be listed in Redis, and to be forgotten.

-- When the end was surely on the list in Redis.
alter table session add column listed_at timestamptz;

create index session_ended on session (ended_at) where ended_at is not null;
create index session_unlisted on session (ended_at) where ended_at is not null and listed_at is null;
