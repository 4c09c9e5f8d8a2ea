-- Who writes the tick log, and whether the last of its batches was confirmed when it left. Who follows
-- one that did not leave so begins a new epoch: what the other sent may still arrive.
create table tick_writer (
    only_row boolean primary key default true check (only_row),
    holder uuid not null,
    is_released boolean not null
);
