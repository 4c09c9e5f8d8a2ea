-- Events of other services that were applied, so that each is applied once.
create table inbox (
    consumer text not null,
    event_id uuid not null,
    received_at timestamptz not null,
    primary key (consumer, event_id)
);
create index inbox_by_time on inbox (received_at);
