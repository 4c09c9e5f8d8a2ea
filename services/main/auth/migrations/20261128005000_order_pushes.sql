-- When the event happened; a row that an earlier release wrote says when it was told.
alter table notification add column occurred_at timestamptz;

-- Among pushes of one key the highest position is the newest; of equal ones the highest id.
alter table push_delivery add column position bigint not null default 0;

-- A process is sending it until then.
alter table push_send add column claimed_until timestamptz;
